//! Pressing the buttons of the editor.

use mongodb::bson::{Document, oid::ObjectId};

use super::{
    app::{Answer, TestApp},
    browser::Browser,
    database::one,
};

/// Fields of a form that is filled in; others are as a blank form has them.
pub async fn press(browser: &Browser, path: &str, action: &str, fields: &[(&str, &str)]) -> Answer {
    let fields: Vec<_> = fields.iter().copied().chain([("action", action)]).collect();
    browser.submit(path, &fields).await
}

/// A new post by one press of a button; its id.
pub async fn written(browser: &Browser, action: &str, fields: &[(&str, &str)]) -> String {
    let answer = press(browser, "/write", action, fields).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    let location = answer.header("location");
    location["/write/".len()..].split('?').next().unwrap().to_owned()
}

/// The stored version goes with the form, as it does from a page just opened.
pub async fn again(
    app: &TestApp,
    browser: &Browser,
    id: &str,
    action: &str,
    fields: &[(&str, &str)],
) -> Answer {
    let version = stored(app, id).await.get_i64("version").unwrap().to_string();
    let fields: Vec<_> = fields.iter().copied().chain([("version", version.as_str())]).collect();
    press(browser, &format!("/write/{id}"), action, &fields).await
}

pub async fn stored(app: &TestApp, id: &str) -> Document {
    one(&app.db, "posts", ObjectId::parse_str(id).unwrap()).await
}
