//! A person with a browser: Chromium, driven through WebDriver, script off.

use std::{
    process::{Child, Command, Stdio},
    time::Duration,
};

use fantoccini::{Client, ClientBuilder, Locator};
use inkstone::domain::permission::Role;
use serde_json::json;

use crate::{
    accounts::{PASSWORD, account},
    support::{app::TestApp, database::scratch, factories::published},
};

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

    /// Presses what leads to another page, and waits until that is there: the driver
    /// answers before the browser has begun to go.
    async fn click(&self, selector: &str) {
        let page = self.client.find(Locator::Css("html")).await.unwrap();
        self.press(selector).await;
        for _ in 0..500 {
            if page.tag_name().await.is_err() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("{selector} leads nowhere");
    }

    /// Presses what stays on the page.
    async fn press(&self, selector: &str) {
        self.client.find(Locator::Css(selector)).await.unwrap().click().await.unwrap();
    }

    /// Replaces what stands in a field.
    async fn fill(&self, selector: &str, text: &str) {
        let field = self.client.find(Locator::Css(selector)).await.unwrap();
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    async fn open_page(&self, app: &TestApp, path: &str) {
        self.client.goto(&format!("{}{path}", app.url)).await.unwrap();
    }

    async fn path(&self) -> String {
        self.client.current_url().await.unwrap().path().to_owned()
    }

    async fn sign_in(&self, app: &TestApp, name: &str) {
        self.open_page(app, "/signin").await;
        self.type_into("input[name=login]", name).await;
        self.type_into("input[name=password]", PASSWORD).await;
        self.click("main form .go").await;
        assert_eq!(self.path().await, "/");
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

/// From a visitor to a published post whose address has changed.
#[tokio::test(flavor = "multi_thread")]
async fn an_author_signs_up_writes_publishes_and_renames() {
    let app = TestApp::start().await;
    let browser = Browser::open("browser-author").await;
    browser.open_page(&app, "/").await;
    browser.click("header a[href^='/signup']").await;
    browser.type_into("input[name=username]", "xiaoman").await;
    browser.type_into("input[name=email]", "xiaoman@example.org").await;
    browser.type_into("input[name=password]", PASSWORD).await;
    browser.click("main form .go").await;
    browser.sign_in(&app, "XiaoMan@example.org").await;

    browser.click("header a[href='/write']").await;
    browser.type_into("#title", "重庆的雨").await;
    browser.type_into("#body", "下了**一夜**。").await;
    browser.click("button[value=preview]").await;
    assert_eq!(browser.text("article .prose strong").await, "一夜");
    browser.press("#editor summary").await;
    browser.type_into("#tags", "天气，重庆").await;
    browser.click("button[value=publish]").await;
    assert_eq!(browser.text(".note.ok p").await, "已发布。 查看文章");
    browser.click(".note.ok a").await;
    assert_eq!(browser.path().await, "/posts/chong-qing-de-yu");
    assert_eq!(browser.text("h1").await, "重庆的雨");
    assert_eq!(browser.text(".post .prose").await, "下了一夜。");

    browser.click(".by a[href^='/write/']").await;
    browser.press("#editor summary").await;
    browser.fill("#slug", "rain").await;
    browser.click("button[value=save]").await;
    browser.open_page(&app, "/posts/chong-qing-de-yu").await;
    assert_eq!(browser.path().await, "/posts/rain", "the old link still leads there");
    assert_eq!(browser.text("h1").await, "重庆的雨");
    browser.close().await;
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_editors_of_one_post_see_what_the_other_wrote() {
    let app = TestApp::start().await;
    account(&app, "ana", Role::Author).await;
    account(&app, "ed", Role::Editor).await;
    let ana = Browser::open("browser-ana").await;
    ana.sign_in(&app, "ana").await;
    ana.open_page(&app, "/write").await;
    ana.type_into("#title", "One").await;
    ana.type_into("#body", "first").await;
    ana.click("button[value=save]").await;
    let editor = ana.path().await;

    let ed = Browser::open("browser-ed").await;
    ed.sign_in(&app, "ed").await;
    ed.open_page(&app, &editor).await;
    ana.fill("#body", "ana was here").await;
    ana.click("button[value=save]").await;
    ed.fill("#body", "ed was here").await;
    ed.click("button[value=save]").await;
    assert_eq!(ed.text(".diff del").await, "ana was here");
    assert_eq!(ed.text(".diff ins").await, "ed was here");
    ed.fill("#body", "both were here").await;
    ed.click("button[value=save]").await;
    ana.open_page(&app, &editor).await;
    assert_eq!(ana.text("#body").await, "both were here");
    ana.close().await;
    ed.close().await;
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_photograph_goes_from_the_disk_into_a_post() {
    let app = TestApp::start().await;
    account(&app, "ana", Role::Author).await;
    let browser = Browser::open("browser-photo").await;
    browser.sign_in(&app, "ana").await;
    browser.open_page(&app, "/media").await;
    let photo = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/C60.jpg");
    browser.type_into("#file", photo).await;
    browser.click("main form .go").await;
    assert_eq!(browser.text(".note.ok p").await, "收下了 1 张图片。");
    let field = browser.client.find(Locator::Css("main li input[readonly]")).await.unwrap();
    let markdown = field.prop("value").await.unwrap().unwrap();
    browser.open_page(&app, "/write").await;
    browser.type_into("#title", "海边").await;
    browser.type_into("#body", &markdown).await;
    browser.click("button[value=publish]").await;
    browser.click(".note.ok a").await;
    // The browser has drawn it, upright.
    let image = browser.client.find(Locator::Css(".prose img")).await.unwrap();
    let (_, _, width, height) = image.rectangle().await.unwrap();
    // In whole pixels: they come as floating numbers.
    assert_eq!(format!("{width:.0} {height:.0}"), "24 48");
    browser.close().await;
    app.finish().await;
}
