//! A browser with its cookies: a visitor, or somebody signed in.

use std::{collections::BTreeMap, sync::Mutex};

use inkstone::{
    addresses::model::{Address, Kind},
    domain::{names::UserName, permission::Role},
    users::{
        actions::start_session,
        collection::users,
        model::{User, UserStats, UserStatus},
    },
};
use mongodb::bson::{DateTime, oid::ObjectId};
use reqwest::{Client, Method, RequestBuilder, header};

use super::{
    app::{Answer, NOW, TestApp, encode},
    html::Html,
};

pub struct Browser {
    url: String,
    client: Client,
    cookies: Mutex<BTreeMap<String, String>>,
    /// Who is signed in; zeros for a visitor.
    pub user_id: ObjectId,
}

/// A user as sign-up makes one, but without password; change what matters.
pub fn user(name: &str, role: Role) -> User {
    User {
        id: ObjectId::new(),
        username: name.to_owned(),
        username_key: UserName::normal(name),
        email: None,
        email_key: None,
        password_hash: None,
        name: name.to_owned(),
        avatar: None,
        bio: String::new(),
        city: String::new(),
        website: None,
        role,
        status: UserStatus::Active,
        card_version: 1,
        stats: UserStats::default(),
        created_at: DateTime::from_millis(NOW),
    }
}

impl TestApp {
    /// A visitor who keeps cookies.
    pub fn browser(&self) -> Browser {
        Browser {
            url: self.url.clone(),
            client: self.client.clone(),
            cookies: Mutex::default(),
            user_id: ObjectId::from_bytes([0; 12]),
        }
    }

    /// A new user with this role, in a browser that is signed in.
    pub async fn member(&self, name: &str, role: Role) -> Browser {
        let user = user(name, role);
        let address = Address::first(Kind::User, &user.username_key, user.id, user.created_at);
        let addresses = inkstone::addresses::collection::addresses(&self.db);
        addresses.insert_one(address).await.unwrap();
        users(&self.db).insert_one(&user).await.unwrap();
        self.sign_in(&user).await
    }

    /// Another browser of a user who is there.
    pub async fn sign_in(&self, user: &User) -> Browser {
        let clock = inkstone::state::Clock::Set(self.clock.clone());
        let token = start_session(&self.db, &clock, user.id, user.role, "test").await.unwrap();
        let browser = Browser { user_id: user.id, ..self.browser() };
        browser.set_cookie("sid", token.as_str());
        browser
    }
}

impl Browser {
    pub fn cookie(&self, name: &str) -> Option<String> {
        self.cookies.lock().unwrap().get(name).cloned()
    }

    pub fn set_cookie(&self, name: &str, value: &str) {
        self.cookies.lock().unwrap().insert(name.to_owned(), value.to_owned());
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let cookies = self.cookies.lock().unwrap();
        let cookies: Vec<_> =
            cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = self.client.request(method, format!("{}{path}", self.url));
        if cookies.is_empty() {
            request
        } else {
            request.header(header::COOKIE, cookies.join("; "))
        }
    }

    /// Sends it and keeps the cookies of the answer.
    pub async fn send(&self, request: RequestBuilder) -> Answer {
        let answer = Answer::of(request.send().await.unwrap()).await;
        for set in answer.headers.get_all(header::SET_COOKIE) {
            let (name, rest) = set.to_str().unwrap().split_once('=').unwrap();
            let value = rest.split(';').next().unwrap();
            if rest.contains("Max-Age=0") {
                self.cookies.lock().unwrap().remove(name);
            } else {
                self.set_cookie(name, value);
            }
        }
        answer
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path)).await
    }

    /// A page that is there.
    pub async fn page(&self, path: &str) -> Html {
        let answer = self.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.html()
    }

    /// A form as it is, from one of the site's own pages.
    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let request = self
            .request(Method::POST, path)
            .header("sec-fetch-site", "same-origin")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(encode(fields));
        self.send(request).await
    }

    /// The token that a page of this session carries.
    pub async fn token(&self) -> String {
        let tokens = self.page("/").await.attributes("input[name=csrf]", "value");
        tokens.into_iter().next().expect("somebody signed in")
    }

    /// A member's form, with its token.
    pub async fn submit(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let token = self.token().await;
        let fields: Vec<_> = fields.iter().copied().chain([("csrf", token.as_str())]).collect();
        self.post(path, &fields).await
    }
}
