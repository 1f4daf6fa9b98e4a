//! The engine killed under load: whatever was acknowledged is there.

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use inkstone::{comments::model::Comment, posts::model::Post};
use mongodb::bson::doc;
use rustix::process::{Signal, kill_process};

use crate::support::{app::TestApp, database::typed_documents, factories::published};

const KILLS: usize = 20;
const WRITERS: usize = 4;

/// REL-6 for the engine: `kill -9`, twenty times.
#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_comments_survive_kills_of_the_engine() {
    let app = Arc::new(TestApp::start_with_own_engine().await);
    published(&app.db, "busy").await;
    let is_over = Arc::new(AtomicBool::new(false));
    let refused = Arc::new(AtomicU64::new(0));
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let (app, is_over, refused) = (app.clone(), is_over.clone(), refused.clone());
            tokio::spawn(async move {
                let mut acknowledged = Vec::new();
                for n in 0.. {
                    if is_over.load(Ordering::Relaxed) {
                        break;
                    }
                    let body = format!("writer {writer}, comment {n}");
                    let fields = [("name", "A"), ("body", body.as_str())];
                    let answer = app.post("/posts/busy/comments", &fields).await;
                    match answer.status {
                        303 => acknowledged.push(body),
                        503 => {
                            assert_eq!(answer.html().text("#body"), body);
                            refused.fetch_add(1, Ordering::Relaxed);
                        }
                        status => panic!("{status}: {}", answer.body),
                    }
                }
                acknowledged
            })
        })
        .collect();
    for _ in 0..KILLS {
        tokio::time::sleep(Duration::from_millis(600)).await;
        let engine = app.engine_process();
        kill_process(engine, Signal::KILL).unwrap();
        // Until the next one runs.
        while app.engine_process() == engine {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    tokio::time::sleep(Duration::from_secs(3)).await;
    is_over.store(true, Ordering::Relaxed);
    let mut acknowledged = Vec::new();
    for writer in writers {
        acknowledged.extend(writer.await.unwrap());
    }

    let comments: Vec<Comment> = typed_documents(&app.db, "comments").await;
    let stored: HashSet<_> = comments.iter().map(|comment| comment.source.as_str()).collect();
    let lost: Vec<_> = acknowledged.iter().filter(|body| !stored.contains(body.as_str())).collect();
    let post: Vec<Post> = typed_documents(&app.db, "posts").await;
    println!(
        "kills={KILLS} acknowledged={} found={} refused={} stored={} counted={}",
        acknowledged.len(),
        acknowledged.len() - lost.len(),
        refused.load(Ordering::Relaxed),
        comments.len(),
        post[0].stats.comments,
    );
    assert!(!acknowledged.is_empty());
    assert!(lost.is_empty(), "{lost:?}");
    assert_eq!(stored.len(), comments.len(), "a comment was stored twice");
    assert_eq!(post[0].stats.comments, i64::try_from(comments.len()).unwrap());
    let mut newest: Vec<_> = comments.iter().map(|c| (c.created_at, c.id)).collect();
    newest.sort_by_key(|key| std::cmp::Reverse(*key));
    let embedded: Vec<_> = post[0].latest_comments.iter().map(|card| card.id).collect();
    assert_eq!(embedded, newest.iter().take(5).map(|(_, id)| *id).collect::<Vec<_>>());
    let submissions = app.db.collection::<mongodb::bson::Document>("submissions");
    let remembered = submissions.count_documents(doc! {}).await.unwrap();
    assert_eq!(remembered, comments.len() as u64);
    Arc::into_inner(app).unwrap().finish().await;
}
