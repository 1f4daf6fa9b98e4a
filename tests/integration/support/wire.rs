//! A proxy between driver and engine. The engine may take what MongoDB refuses,
//! so every command has to pass the list of what MongoDB 7.0 takes; others are
//! answered with an error and remembered until the test ends.

use std::{
    io::{BufReader, Error, ErrorKind, Read, Result, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::Mutex,
    thread,
};

use mongodb::bson::{Bson, Document, doc};

use super::allow_list;

const HEADER_BYTES: usize = 16;
const OP_MSG: i32 = 2013;

const CHECKSUM_PRESENT: u32 = 1;
const MORE_TO_COME: u32 = 1 << 1;
const EXHAUST_ALLOWED: u32 = 1 << 16;

/// What was refused, each with the database it was meant for.
static REFUSED: Mutex<Vec<(String, String)>> = Mutex::new(Vec::new());

/// Starts a proxy for the server at `server` and gives its own address. It lives
/// as long as the run: connections come from tests that end at their own time.
pub fn start(server: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let own = listener.local_addr().unwrap().to_string();
    let (server, address) = (server.to_owned(), own.clone());
    thread::spawn(move || {
        for driver in listener.incoming().flatten() {
            // A server that is gone: the driver sees its connection close.
            if let Ok(upstream) = TcpStream::connect(&server) {
                connect(driver, upstream, &server, &own).ok();
            }
        }
    });
    address
}

/// What was refused for a database, and of the commands that name none of the
/// tests' databases (`admin`). They are told once.
pub fn take_refused(database: &str) -> Vec<String> {
    let mut refused = REFUSED.lock().unwrap();
    let (taken, kept) = std::mem::take(&mut *refused)
        .into_iter()
        .partition(|(of, _)| of == database || !of.starts_with("test_"));
    *refused = kept;
    taken.into_iter().map(|(_, what)| what).collect()
}

/// One thread a direction; when one side closes, so does the other.
fn connect(driver: TcpStream, upstream: TcpStream, server: &str, own: &str) -> Result<()> {
    driver.set_nodelay(true)?;
    upstream.set_nodelay(true)?;
    let (from_driver, to_driver) = (driver.try_clone()?, driver.try_clone()?);
    let (from_server, to_server) = (upstream.try_clone()?, upstream.try_clone()?);
    let (server, own) = (server.to_owned(), own.to_owned());
    let answers = to_driver.try_clone()?;
    thread::spawn(move || {
        requests(from_driver, to_server, answers).ok();
        upstream.shutdown(Shutdown::Both).ok();
    });
    thread::spawn(move || {
        replies(from_server, to_driver, &server, &own).ok();
        driver.shutdown(Shutdown::Both).ok();
    });
    Ok(())
}

fn requests(driver: TcpStream, mut server: TcpStream, mut answers: TcpStream) -> Result<()> {
    let mut driver = BufReader::new(driver);
    loop {
        let message = read_message(&mut driver)?;
        let (database, breaches) = match parse(&message) {
            Ok(command) => (
                command.get_str("$db").unwrap_or_default().to_owned(),
                allow_list::breaches(&command),
            ),
            Err(reason) => (String::new(), vec![reason]),
        };
        if breaches.is_empty() {
            server.write_all(&message)?;
            continue;
        }
        let what = breaches.join(", ");
        let refusal = doc! {
            "ok": 0.0, "code": 59, "codeName": "CommandNotFound",
            "errmsg": format!("not on the list of MongoDB 7.0: {what}"),
        };
        REFUSED.lock().unwrap().push((database, what));
        // Nobody waits for an answer to what is sent with "more to come".
        if number_at(&message, HEADER_BYTES).is_some_and(|flags| flags & MORE_TO_COME == 0) {
            let id = number_at(&message, 4).unwrap_or_default();
            answers.write_all(&message_of(&refusal, id))?;
        }
    }
}

fn replies(server: TcpStream, mut driver: TcpStream, from: &str, to: &str) -> Result<()> {
    let mut server = BufReader::new(server);
    loop {
        let mut message = read_message(&mut server)?;
        // Only `hello` names the members of the set. The driver goes to those,
        // so the server must seem to be the proxy.
        if message.windows(8).any(|bytes| bytes == b"setName\0")
            && let Ok(mut hello) = parse(&message)
            && hello.contains_key("hosts")
        {
            hello.insert("hosts", vec![to]);
            for field in ["me", "primary"] {
                if hello.get_str(field).is_ok_and(|named| named == from) {
                    hello.insert(field, to);
                }
            }
            let flags = number_at(&message, HEADER_BYTES).unwrap_or_default() & !CHECKSUM_PRESENT;
            let mut renamed = message_of(&hello, number_at(&message, 8).unwrap_or_default());
            renamed[4..8].copy_from_slice(&message[4..8]);
            renamed[HEADER_BYTES..HEADER_BYTES + 4].copy_from_slice(&flags.to_le_bytes());
            message = renamed;
        }
        driver.write_all(&message)?;
    }
}

/// A whole message, header included.
fn read_message(from: &mut impl Read) -> Result<Vec<u8>> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let total = u32::from_le_bytes(length) as usize;
    if !(HEADER_BYTES + 5..=64 << 20).contains(&total) {
        return Err(Error::new(ErrorKind::InvalidData, "no message has this length"));
    }
    let mut message = vec![0; total];
    message[..4].copy_from_slice(&length);
    from.read_exact(&mut message[4..])?;
    Ok(message)
}

fn number_at(message: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(message.get(at..at + 4)?.try_into().ok()?))
}

/// The document of an `OP_MSG`, its sequences (kind 1) as arrays in it.
fn parse(message: &[u8]) -> std::result::Result<Document, String> {
    let op_code = i32::from_le_bytes(message[12..16].try_into().unwrap());
    if op_code != OP_MSG {
        return Err(format!("op code {op_code}"));
    }
    let flags = number_at(message, HEADER_BYTES).ok_or("no flags")?;
    if flags & !(CHECKSUM_PRESENT | MORE_TO_COME | EXHAUST_ALLOWED) != 0 {
        return Err(format!("flags {flags:b}"));
    }
    let checksum_bytes = if flags & CHECKSUM_PRESENT == 0 { 0 } else { 4 };
    let mut rest = &message[HEADER_BYTES + 4..message.len() - checksum_bytes];
    let mut body = Document::new();
    while let Some((kind, after)) = rest.split_first() {
        rest = after;
        match kind {
            0 => body.extend(document(&mut rest)?),
            1 => {
                let length = number_at(rest, 0).ok_or("a sequence without a length")? as usize;
                let mut sequence = rest.get(4..length).ok_or("a sequence cut off")?;
                rest = &rest[length..];
                let end = sequence.iter().position(|byte| *byte == 0).ok_or("no name")?;
                let name = String::from_utf8_lossy(&sequence[..end]).into_owned();
                sequence = &sequence[end + 1..];
                let mut documents = Vec::new();
                while !sequence.is_empty() {
                    documents.push(Bson::Document(document(&mut sequence)?));
                }
                body.insert(name, documents);
            }
            other => return Err(format!("section of kind {other}")),
        }
    }
    Ok(body)
}

fn document(from: &mut &[u8]) -> std::result::Result<Document, String> {
    Document::from_reader(from).map_err(|error| error.to_string())
}

fn message_of(document: &Document, response_to: u32) -> Vec<u8> {
    let body = document.to_vec().unwrap();
    let total = u32::try_from(HEADER_BYTES + 5 + body.len()).unwrap();
    let mut message = Vec::new();
    for number in [total, 0, response_to, OP_MSG.unsigned_abs(), 0] {
        message.extend(number.to_le_bytes());
    }
    message.push(0);
    message.extend(body);
    message
}

#[test]
fn both_kinds_of_sections_are_read_with_and_without_a_checksum() {
    let mut message = message_of(&doc! { "insert": "posts", "$db": "test" }, 0);
    let documents = doc! { "_id": 1 }.to_vec().unwrap();
    message.push(1);
    message.extend(u32::try_from(4 + 10 + documents.len()).unwrap().to_le_bytes());
    message.extend(b"documents\0");
    message.extend(documents);
    let wanted = doc! { "insert": "posts", "$db": "test", "documents": [{ "_id": 1 }] };
    assert_eq!(parse(&message), Ok(wanted.clone()));
    message.extend([1, 2, 3, 4]);
    message[HEADER_BYTES] = 1;
    // The driver allows the server to stream answers to one `hello`.
    message[HEADER_BYTES + 2] = 1;
    assert_eq!(parse(&message), Ok(wanted));
    message[HEADER_BYTES] = 8;
    assert_eq!(parse(&message), Err("flags 10000000000001000".to_owned()));
    message[12] = 0;
    assert_eq!(parse(&message), Err("op code 1792".to_owned()));
}

/// Over the wire, from the driver's call to the end of the test.
#[tokio::test(flavor = "multi_thread")]
async fn what_mongodb_does_not_know_is_refused_and_remembered() {
    use super::database::{drop_database, engine_uri, new_database};
    let (db, _) = new_database(engine_uri()).await;
    let things = db.collection::<Document>("things");
    things.insert_one(doc! { "_id": 1 }).await.unwrap();
    let error = db.database().run_command(doc! { "frobnicate": 1 }).await.unwrap_err();
    assert!(error.to_string().contains("command frobnicate"), "{error}");
    let change = doc! { "$frob": { "n": 1 } };
    things.update_one(doc! { "_id": 1 }, change).await.unwrap_err();
    assert_eq!(take_refused(db.database().name()), ["command frobnicate", "update operator $frob"]);
    assert_eq!(things.count_documents(doc! {}).await.unwrap(), 1);
    drop_database(&db).await;
}
