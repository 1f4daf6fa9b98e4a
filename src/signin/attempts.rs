//! How often somebody may be wrong about a password (SEC-4).

use std::{net::IpAddr, time::Duration};

use crate::{
    domain::names::UserName,
    rate_limits::{model::Limit, tries},
    state::AppState,
    web::{client_ip::network, error::AppResult},
};

const NETWORK: Limit = Limit { name: "signin-ip", tries: 25, window: Duration::from_mins(5) };
const ACCOUNT_FROM_NETWORK: Limit =
    Limit { name: "signin-account-ip", tries: 5, window: Duration::from_mins(5) };
/// From everywhere together. Whoever has a session keeps it.
const ACCOUNT: Limit = Limit { name: "signin-account", tries: 25, window: Duration::from_hours(1) };

/// One try. Whether the account exists makes no difference.
pub struct Attempt([(Limit, String); 3]);

impl Attempt {
    #[must_use]
    pub fn new(state: &AppState, login: &str, address: IpAddr) -> Self {
        // Signed, so that the counters name nobody.
        let account = state.site_key.sign("signin", &UserName::normal(login));
        let network = network(address);
        let both = format!("{account}:{network}");
        Self([(NETWORK, network), (ACCOUNT_FROM_NETWORK, both), (ACCOUNT, account)])
    }

    /// Counts the try. Gives the seconds to wait if it is one too many; what is
    /// refused for a narrow limit is not counted for the wider one after it, or one
    /// stubborn sender could lock an account for everybody.
    ///
    /// # Errors
    /// 503 when the database does not answer.
    pub async fn count(&self, state: &AppState) -> AppResult<Option<i64>> {
        for (limit, key) in &self.0 {
            let wait_secs = tries::count(state, *limit, key).await?;
            if wait_secs.is_some() {
                return Ok(wait_secs);
            }
        }
        Ok(None)
    }

    /// The password was right, so it was no guess.
    ///
    /// # Errors
    /// 503 when the database does not answer.
    pub async fn was_right(&self, state: &AppState) -> AppResult<()> {
        for (limit, key) in &self.0 {
            tries::take_back(state, *limit, key).await?;
        }
        Ok(())
    }
}
