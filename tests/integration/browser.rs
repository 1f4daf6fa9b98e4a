//! A person with a browser: Chromium, driven through WebDriver, script off.

use std::{
    process::{Child, Command, Stdio},
    time::Duration,
};

use fantoccini::{Client, ClientBuilder, Locator};
use serde_json::json;

use crate::support::{app::TestApp, database::scratch, factories::published};

/// A driver on a port of its own, and one browser.
struct Browser {
    client: Client,
    driver: Child,
}

impl Browser {
    async fn open(name: &str) -> Self {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is not installed; script/bootstrap installs it");
        let profile = scratch(name);
        let options = json!({
            "args": [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--disable-dev-shm-usage", "--window-size=1280,2000",
                format!("--user-data-dir={}", profile.display()),
            ],
            // Everything must work without script.
            "prefs": { "profile.managed_default_content_settings.javascript": 2 },
        });
        let mut capabilities = serde_json::Map::new();
        capabilities.insert("browserName".to_owned(), json!("chrome"));
        capabilities.insert("goog:chromeOptions".to_owned(), options);
        let address = format!("http://127.0.0.1:{port}");
        // The driver needs a moment until it listens.
        for _ in 0..100 {
            if std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let connector = hyper_util::client::legacy::connect::HttpConnector::new();
        let client = ClientBuilder::new(connector)
            .capabilities(capabilities)
            .connect(&address)
            .await
            .unwrap();
        Self { client, driver }
    }

    async fn text(&self, selector: &str) -> String {
        self.client.find(Locator::Css(selector)).await.unwrap().text().await.unwrap()
    }

    async fn type_into(&self, selector: &str, text: &str) {
        self.client.find(Locator::Css(selector)).await.unwrap().send_keys(text).await.unwrap();
    }

    async fn click(&self, selector: &str) {
        self.client.find(Locator::Css(selector)).await.unwrap().click().await.unwrap();
    }

    async fn close(self) {
        self.client.clone().close().await.unwrap();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.driver.kill().ok();
        self.driver.wait().ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_reads_a_post_and_leaves_a_comment() {
    let app = TestApp::start().await;
    published(&app.db, "one").await;
    let browser = Browser::open("browser-comment").await;
    browser.client.goto(&app.url).await.unwrap();
    browser.click(".card h2 a").await;
    assert_eq!(browser.text("h1").await, "Title of one");
    assert_eq!(browser.text(".post .prose").await, "Body of one");

    browser.type_into("#name", "路过的读者").await;
    browser.type_into("#body", "写得真好，**谢谢**。").await;
    browser.click("#reply .go").await;
    let url = browser.client.current_url().await.unwrap();
    let id = url.fragment().unwrap().to_owned();
    assert!(id.starts_with("c-"), "{url}");
    assert_eq!(url.path(), format!("/posts/one/comments/{}", &id[2..]));
    assert_eq!(browser.text(&format!("#{id} .prose")).await, "写得真好，谢谢。");

    browser.client.goto(&format!("{}/posts/one", app.url)).await.unwrap();
    assert_eq!(browser.text(&format!("#{id} .by bdi")).await, "路过的读者");
    browser.close().await;
    app.finish().await;
}
