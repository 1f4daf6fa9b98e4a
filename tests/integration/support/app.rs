//! The application on a port of its own, and a visitor.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use actix_web::dev::ServerHandle;
use inkstone::{
    config::Config,
    copies::worker::Worker,
    db::{Db, change_stream::News},
    startup::{Application, Background},
    state::{AppState, Clock},
};
use mongodb::bson::{doc, oid::ObjectId};
use reqwest::{Client, Method, Response, header};
use rustix::process::Pid;

use super::{
    database::{self, CommandLog, TestEngine},
    html::Html,
};

/// 12 May 2026, 08:30 in Shanghai.
pub const NOW: i64 = 1_778_545_800_000;

pub struct TestApp {
    pub url: String,
    pub db: Db,
    pub log: CommandLog,
    pub client: Client,
    pub clock: Arc<AtomicI64>,
    pub state: AppState,
    handle: ServerHandle,
    engine: Option<TestEngine>,
}

pub struct Answer {
    pub status: u16,
    pub headers: header::HeaderMap,
    pub body: String,
}

impl TestApp {
    pub async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// With settings, as variables of the environment.
    pub async fn start_with(variables: &[(&str, &str)]) -> Self {
        Self::build(variables, None).await
    }

    /// With an engine that no other test uses, so that it can be made to fail.
    pub async fn start_with_own_engine() -> Self {
        let engine = database::start_engine(&format!("engine-{}", ObjectId::new()));
        Self::build(&[], Some(engine)).await
    }

    async fn build(variables: &[(&str, &str)], engine: Option<TestEngine>) -> Self {
        let uri = engine.as_ref().map_or_else(database::engine_uri, |own| own.uri.clone());
        let (db, log) = database::new_database(uri).await;
        let clock = Arc::new(AtomicI64::new(NOW));
        Self::serve(db, log, clock, variables, engine).await
    }

    async fn serve(
        db: Db,
        log: CommandLog,
        clock: Arc<AtomicI64>,
        variables: &[(&str, &str)],
        engine: Option<TestEngine>,
    ) -> Self {
        let listener = Application::listen("127.0.0.1:0".parse().unwrap()).unwrap();
        let bind = listener.local_addr().unwrap().to_string();
        let config = Config::load(Some(&empty_settings()), |name| match name {
            "INKSTONE_BIND" => Some(bind.clone().into()),
            _ => variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).into()),
        })
        .unwrap();
        let application =
            Application::start(listener, &config, db.clone(), Clock::Set(clock.clone()))
                .await
                .unwrap();
        database::forget_nothing(&db).await;
        let handle = application.handle();
        let state = application.state.clone();
        tokio::spawn(application.run_until_stopped());
        let client = Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Self { url: format!("http://{bind}"), db, log, client, clock, state, handle, engine }
    }

    /// Another program on the same database.
    pub async fn second(&self) -> Self {
        Self::serve(self.db.clone(), self.log.clone(), self.clock.clone(), &[], None).await
    }

    /// Brings every copy up to now. The first call checks them all, a later one
    /// follows what changed since.
    pub async fn settle(&self) {
        let mut worker = self.worker().await;
        assert!(worker.ask_for_duty().await.unwrap(), "another worker has the lease");
        self.step_to_now(&mut worker).await;
        worker.finish().await.unwrap();
    }

    /// Steps until the worker has passed a change that is made now. That it hears
    /// nothing for a while does not say so: other tests keep the engine busy.
    pub async fn step_to_now(&self, worker: &mut Worker) {
        let mut news = self.state.news.subscribe();
        let mark = ObjectId::new();
        self.db.collection("marks").insert_one(doc! { "_id": mark }).await.unwrap();
        let mut passed = false;
        while !passed {
            worker.step().await.unwrap();
            while let Ok(one) = news.try_recv() {
                passed |=
                    matches!(one, News::Changed(change) if change.id.as_object_id() == Some(mark));
            }
        }
    }

    /// A worker to be stepped through.
    pub async fn worker(&self) -> Worker {
        let patience = std::time::Duration::from_millis(100);
        Worker::open(&self.db, self.state.news.clone(), patience).await.unwrap()
    }

    /// The workers and jobs that `inkstone serve` runs, which other tests do without.
    pub fn start_background(&self) -> Background {
        Background::start(&self.state).unwrap()
    }

    pub fn pass_millis(&self, millis: i64) {
        self.clock.fetch_add(millis, Ordering::Relaxed);
    }

    pub async fn get(&self, path: &str) -> Answer {
        let request = self.client.get(format!("{}{path}", self.url));
        Answer::of(request.send().await.unwrap()).await
    }

    /// A page that is there.
    pub async fn page(&self, path: &str) -> Html {
        let answer = self.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.html()
    }

    /// A form from one of the site's own pages.
    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        self.post_body(path, encode(fields)).await
    }

    pub async fn post_body(&self, path: &str, body: impl Into<reqwest::Body>) -> Answer {
        let request = self
            .client
            .request(Method::POST, format!("{}{path}", self.url))
            .header("sec-fetch-site", "same-origin")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(body);
        Answer::of(request.send().await.unwrap()).await
    }

    /// After some more such commands one fails, as by a fault of the server.
    pub async fn fail_once(&self, command: &str, passed: i32, code: i32) {
        assert!(self.engine.is_some(), "other tests share the engine");
        let fail = doc! {
            "configureFailPoint": "failCommand",
            "mode": { "times": 1, "skip": passed },
            "data": { "failCommands": [command], "errorCode": code },
        };
        self.db.client().database("admin").run_command(fail).await.unwrap();
    }

    pub fn engine_process(&self) -> Pid {
        let id = self.engine.as_ref().unwrap().process_id();
        Pid::from_raw(i32::try_from(id).unwrap()).unwrap()
    }

    /// The database goes away.
    pub async fn stop_engine(&mut self) {
        let engine = self.engine.take().unwrap();
        tokio::task::spawn_blocking(move || drop(engine)).await.unwrap();
    }

    /// The end of a test whose database is gone.
    pub async fn stop_server(self) {
        self.handle.stop(true).await;
        database::assert_none_refused(&self.db);
    }

    pub async fn finish(self) {
        self.handle.stop(true).await;
        database::drop_database(&self.db).await;
    }
}

/// Never the settings of whoever runs the tests.
fn empty_settings() -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("empty.toml");
    std::fs::write(&file, "").unwrap();
    file
}

pub fn encode(fields: &[(&str, &str)]) -> String {
    serde_urlencoded::to_string(fields).unwrap()
}

impl Answer {
    pub async fn of(response: Response) -> Self {
        Self {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: response.text().await.unwrap(),
        }
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub fn html(&self) -> Html {
        Html::parse(&self.body)
    }
}
