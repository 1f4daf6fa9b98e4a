//! Leases and jobs: one process at a time, whatever becomes of it.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use futures_util::{FutureExt, future::join_all};
use inkstone::{
    db::{
        Db,
        change_stream::save_token,
        lease::{self, Lease, When},
        transaction::{self, Steps, Tx, TxError},
    },
    jobs::{
        self, Job, Wanted,
        runner::{Ran, run},
    },
};
use mongodb::bson::{DateTime, Document, doc};

use crate::support::{
    app::TestApp,
    database::{documents, drop_database, engine_uri, new_database},
};

async fn expire(db: &Db, name: &str) {
    let past = doc! { "$set": {
        "expiresAt": DateTime::from_millis(0), "dueAt": DateTime::from_millis(0),
    } };
    db.collection::<Document>("jobs").update_one(doc! { "_id": name }, past).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_at_once_one_takes_the_lease() {
    let (db, _) = new_database(engine_uri()).await;
    for round in 1..=20 {
        let taken = join_all((0..8).map(|_| lease::take(&db, "one", When::Free))).await;
        let taken: Vec<Lease> = taken.into_iter().filter_map(Result::unwrap).collect();
        assert_eq!(taken.len(), 1);
        for lease in taken {
            assert_eq!(lease.epoch(), round);
            lease.release().await.unwrap();
        }
    }
    // It is held by the server's clock for as long as it says.
    let held = lease::take(&db, "one", When::Free).await.unwrap().unwrap();
    let row = documents(&db, "jobs").await.remove(0);
    let left = row.get_datetime("expiresAt").unwrap().timestamp_millis()
        - DateTime::now().timestamp_millis();
    assert!((10_000..=15_500).contains(&left), "{left}");
    assert_eq!(lease::rows(&db).await.unwrap()[0].epoch, held.epoch());
    drop_database(&db).await;
}

struct Guarded<'a>(&'a Lease);

impl Steps for Guarded<'_> {
    type Done = bool;
    type Refusal = ();

    async fn run(&self, tx: &mut Tx) -> Result<bool, TxError<()>> {
        Ok(self.0.guard(tx).await?)
    }
}

/// A holder that stood still wakes up beside its successor: nothing it does counts.
#[tokio::test(flavor = "multi_thread")]
async fn who_has_lost_a_lease_changes_nothing_more() {
    let (db, _) = new_database(engine_uri()).await;
    inkstone::schema::init(&db, inkstone::db::schema::Validation::Error).await.unwrap();
    let old = lease::take(&db, "one", When::Free).await.unwrap().unwrap();
    assert!(transaction::run(&db, &Guarded(&old)).await.unwrap());
    assert!(lease::take(&db, "one", When::Free).await.unwrap().is_none());
    expire(&db, "one").await;
    let new = lease::take(&db, "one", When::Free).await.unwrap().unwrap();
    assert_eq!(new.epoch(), old.epoch() + 1);
    assert!(!transaction::run(&db, &Guarded(&old)).await.unwrap());
    assert!(transaction::run(&db, &Guarded(&new)).await.unwrap());
    let watch = db.database().watch().await.unwrap();
    let token = watch.resume_token().unwrap();
    assert!(save_token(&db, "one", &new, &token).await.unwrap());
    assert!(!save_token(&db, "one", &old, &token).await.unwrap());
    assert!(save_token(&db, "one", &new, &token).await.unwrap());
    // Neither gives what is the other's back.
    assert!(!old.finish(Duration::ZERO, Ok(doc! {}), Duration::ZERO).await.unwrap());
    assert!(lease::take(&db, "one", When::Free).await.unwrap().is_none());
    assert!(new.finish(Duration::ZERO, Ok(doc! {}), Duration::ZERO).await.unwrap());
    drop_database(&db).await;
}

/// Work that goes on while its lease is taken is cut off.
#[tokio::test(flavor = "multi_thread")]
async fn work_is_cut_off_when_the_lease_is_lost_and_kept_while_it_is_held() {
    let (db, _) = new_database(engine_uri()).await;
    let mut lease = lease::take(&db, "one", When::Free).await.unwrap().unwrap();
    let before = documents(&db, "jobs").await.remove(0);
    // Longer than it takes to renew.
    let pause = lease::RENEW_EVERY + Duration::from_secs(1);
    assert_eq!(lease.holding(tokio::time::sleep(pause).map(|()| 7)).await.unwrap(), 7);
    let after = documents(&db, "jobs").await.remove(0);
    assert!(after.get_datetime("expiresAt").unwrap() > before.get_datetime("expiresAt").unwrap());
    expire(&db, "one").await;
    let other = lease::take(&db, "one", When::Free).await.unwrap().unwrap();
    let error = lease.holding(std::future::pending::<()>()).await.unwrap_err();
    assert!(error.to_string().contains("the lease one is lost"), "{error}");
    other.release().await.unwrap();
    drop_database(&db).await;
}

static RUNS: AtomicUsize = AtomicUsize::new(0);

const COUNTED: Job = Job {
    name: "counted",
    every: Duration::from_hours(1),
    wanted: Wanted::Always,
    run: |_| {
        RUNS.fetch_add(1, Ordering::Relaxed);
        async { Ok(vec![("done", 3)]) }.boxed()
    },
};

const BROKEN: Job = Job {
    name: "broken",
    every: Duration::from_hours(1),
    wanted: Wanted::Always,
    run: |_| async { anyhow::bail!("no $paper") }.boxed(),
};

/// REL-13, with three processes.
#[tokio::test(flavor = "multi_thread")]
async fn a_due_job_is_run_by_one_process_once() {
    static JOBS: [Job; 2] = [COUNTED, BROKEN];
    let app = TestApp::start().await;
    let rounds = 100;
    for _ in 0..rounds {
        let ran = join_all((0..3).map(|_| run(&app.state, &JOBS[0], When::Due))).await;
        let well = ran.iter().filter(|ran| matches!(ran, Ok(Ran::Well(_)))).count();
        let elsewhere = ran.iter().filter(|ran| matches!(ran, Ok(Ran::Elsewhere))).count();
        assert_eq!((well, elsewhere), (1, 2), "{ran:?}");
        expire(&app.db, "counted").await;
    }
    let runs = RUNS.load(Ordering::Relaxed);
    println!("jobs={rounds} executed={runs} dup={}", runs - rounds);
    assert_eq!(runs, rounds);
    let failed = run(&app.state, &JOBS[1], When::Due).await.unwrap();
    assert!(matches!(failed, Ran::Failed(_)), "{failed:?}");
    let rows = lease::rows(&app.db).await.unwrap();
    let last = |name| rows.iter().find(|row| row.name == name).unwrap().last_run.clone().unwrap();
    assert_eq!(last("counted").counts, Some(doc! { "done": 3_i64 }));
    assert_eq!(last("broken").error.as_deref(), Some("no $paper"));
    // It is due again, but not at once.
    let again = run(&app.state, &JOBS[1], When::Due).await.unwrap();
    assert!(matches!(again, Ran::Elsewhere), "{again:?}");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_job_of_the_schedule_runs() {
    let app = TestApp::start().await;
    let mut names: Vec<&str> = jobs::SCHEDULE.iter().map(|job| job.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), jobs::SCHEDULE.len());
    assert!(!names.contains(&inkstone::copies::worker::WORKER));
    for job in jobs::SCHEDULE {
        let ran = run(&app.state, job, When::Free).await.unwrap();
        assert!(matches!(ran, Ran::Well(_)), "{}: {ran:?}", job.name);
    }
    app.finish().await;
}
