//! How often somebody may be wrong about a password (SEC-4).

use std::{net::IpAddr, time::Duration};

use mongodb::bson::DateTime;

use crate::{
    db::DbError,
    domain::names::UserName,
    rate_limits::{
        commands::{is_too_many, take_back},
        model::Limit,
    },
    state::AppState,
    web::client_ip::network,
};

const NETWORK: Limit = Limit { name: "signin-ip", tries: 25, window: Duration::from_mins(5) };
const ACCOUNT_FROM_NETWORK: Limit =
    Limit { name: "signin-account-ip", tries: 5, window: Duration::from_mins(5) };
/// From everywhere together. Whoever has a session keeps it.
const ACCOUNT: Limit = Limit { name: "signin-account", tries: 25, window: Duration::from_hours(1) };

/// One try. Whether the account exists makes no difference.
pub struct Attempt {
    at: DateTime,
    counted: [(Limit, String); 3],
}

impl Attempt {
    #[must_use]
    pub fn new(state: &AppState, login: &str, address: IpAddr) -> Self {
        // Signed, so that the counters name nobody.
        let account = state.site_key.sign("signin", &UserName::normal(login));
        let network = network(address);
        let both = format!("{account}:{network}");
        let counted = [(NETWORK, network), (ACCOUNT_FROM_NETWORK, both), (ACCOUNT, account)];
        Self { at: state.clock.now(), counted }
    }

    /// Counts the try. Gives the seconds to wait if it is one too many; what is
    /// refused for a narrow limit is not counted for the wider one after it, or one
    /// stubborn sender could lock an account for everybody.
    ///
    /// # Errors
    /// [`DbError`] when the database does not answer.
    pub async fn count(&self, state: &AppState) -> Result<Option<i64>, DbError> {
        for (limit, key) in &self.counted {
            if is_too_many(&state.db, limit, key, self.at).await? {
                return Ok(Some(limit.wait_secs(self.at)));
            }
        }
        Ok(None)
    }

    /// The password was right, so it was no guess.
    ///
    /// # Errors
    /// [`DbError`] when the database does not answer.
    pub async fn was_right(&self, state: &AppState) -> Result<(), DbError> {
        for (limit, key) in &self.counted {
            take_back(&state.db, limit, key, self.at).await?;
        }
        Ok(())
    }
}
