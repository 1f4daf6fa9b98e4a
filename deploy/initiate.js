// Joins three MongoDB nodes to a replica set and makes the users, whatever of it
// is there already. Run by mongosh beside the first node: see compose.yaml.
// NOT RUN HERE: written without a MongoDB server at hand.

const nodes = ["mongo1:27017", "mongo2:27017", "mongo3:27017"];
const { ROOT_PASSWORD, INKSTONE_PASSWORD } = process.env;

function asRoot() {
  return connect(
    `mongodb://root:${ROOT_PASSWORD}@${nodes.join(",")}/admin?replicaSet=rs0&authSource=admin`,
  );
}

function primary(admin) {
  for (let tries = 0; tries < 120; tries += 1) {
    if (admin.hello().isWritablePrimary) return;
    sleep(500);
  }
  throw new Error("no primary within a minute");
}

// A set of one at first: then this node is the primary for certain, and the
// first user can be made on it.
function begin() {
  db = connect("mongodb://localhost:27017/admin?directConnection=true");
  if (!db.hello().setName) {
    rs.initiate({ _id: "rs0", members: [{ _id: 0, host: nodes[0] }] });
  }
  primary(db);
  db.createUser({ user: "root", pwd: ROOT_PASSWORD, roles: ["root"] });
}

try {
  db = asRoot();
} catch (error) {
  begin();
  db = connect(
    `mongodb://root:${ROOT_PASSWORD}@localhost:27017/admin?directConnection=true&authSource=admin`,
  );
}

const members = rs.conf().members.map((member) => member.host);
for (const node of nodes.filter((each) => !members.includes(each))) {
  rs.add(node);
}

// dbAdmin: `inkstone init` changes validators (collMod).
const inkstone = db.getSiblingDB("inkstone");
if (!inkstone.getUser("inkstone")) {
  inkstone.createUser({
    user: "inkstone",
    pwd: INKSTONE_PASSWORD,
    roles: [
      { role: "readWrite", db: "inkstone" },
      { role: "dbAdmin", db: "inkstone" },
    ],
  });
}
print(`replica set rs0: ${rs.conf().members.length} members; user inkstone is there`);
