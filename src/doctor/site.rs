//! The site itself: its address, its disk, and whether its pages come quickly.

use std::{
    net::IpAddr,
    path::Path,
    time::{Duration, Instant},
};

use futures_util::future::try_join;
use mongodb::bson::doc;

use super::Check;
use crate::{
    config::Config,
    db::{Db, DbError},
    domain::paging::Position,
    posts::queries::{self, PostList},
    tags,
};

/// What a page may wait for the database, on a quiet machine.
const PAGE_LIMIT: Duration = Duration::from_millis(100);

pub fn address(config: &Config) -> Check {
    const NAME: &str = "site.url";
    let url = &config.site.url;
    let is_set = *url != format!("http://{}", config.bind);
    if url.starts_with("https://") || (config.bind.ip().is_loopback() && is_loopback(url)) {
        return Check::pass(NAME, url);
    }
    let mend = "set site.url to the https:// address that people use";
    if is_set {
        Check::fail(NAME, format!("{url} is not https"), mend)
    } else {
        Check::fail(
            NAME,
            format!("not set, though {} can be reached from outside", config.bind),
            mend,
        )
    }
}

fn is_loopback(url: &str) -> bool {
    let Ok(url) = url::Url::parse(url) else {
        return false;
    };
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(ip)) => IpAddr::V4(ip).is_loopback(),
        Some(url::Host::Ipv6(ip)) => IpAddr::V6(ip).is_loopback(),
        None => false,
    }
}

const DISK: &str = "disk";

/// The disk of the embedded database.
pub fn disk_of_data(config: &Config) -> Check {
    match space(&config.data) {
        Ok((used, total)) => judge_disk(used, total),
        Err(error) => {
            let finding = format!("{}: {error}", config.data.display());
            Check::cannot_tell(DISK, finding, "see whether the folder is there")
        }
    }
}

/// The disk of the server that answers.
pub async fn disk_of_server(db: &Db) -> Check {
    let numbers = match db.database().run_command(doc! { "dbStats": 1 }).await {
        Ok(numbers) => numbers,
        Err(error) => return Check::no_answer(DISK, error),
    };
    let (used, total) = (numbers.get_f64("fsUsedSize"), numbers.get_f64("fsTotalSize"));
    match (used, total) {
        (Ok(used), Ok(total)) if total > 0.0 => judge_disk(used, total),
        _ => Check::cannot_tell(DISK, "the server does not say", "ask df on each server"),
    }
}

/// Bytes used and bytes that there are for us, as `df` counts them: what is kept
/// for root is neither.
#[expect(clippy::cast_precision_loss, reason = "percentages of a disk need no last byte")]
fn space(folder: &Path) -> std::io::Result<(f64, f64)> {
    let disk = rustix::fs::statvfs(folder)?;
    let used = (disk.f_blocks - disk.f_bfree) as f64;
    let free = disk.f_bavail as f64;
    let block = disk.f_frsize as f64;
    Ok((used * block, (used + free) * block))
}

fn judge_disk(used: f64, total: f64) -> Check {
    let percent = used / total * 100.0;
    let free_gib = (total - used) / f64::from(1 << 30);
    let finding = format!("{percent:.0} % full, {free_gib:.1} GiB free");
    let mend = match percent {
        95.0.. => "make room now: on a full disk the database stops",
        90.0.. => "make room today",
        85.0.. => "plan for more",
        _ => return Check::pass(DISK, finding),
    };
    Check::fail(DISK, finding, mend)
}

/// The reads of the home page and of its first post, the quickest of three: what
/// the database can do, not what else the machine does just now.
pub async fn pages(db: &Db) -> Check {
    const NAME: &str = "pages";
    let first = Position::First;
    let home = quickest(async || {
        try_join(queries::list(db, &PostList::All, &first), tags::queries::cloud(db)).await
    });
    let (home_time, (page, _)) = match home.await {
        Ok(read) => read,
        Err(error) => return Check::no_answer(NAME, error),
    };
    let Some(card) = page.items.first() else {
        let finding = format!("home read in {}; there is no post yet", in_millis(home_time));
        return Check::cannot_tell(NAME, finding, "look again when there are posts");
    };
    let slug = card.slug.as_str();
    let post = quickest(async || {
        try_join(queries::find_meta_by_slug(db, slug), queries::find_body_by_slug(db, slug)).await
    });
    let post_time = match post.await {
        Ok((time, _)) => time,
        Err(error) => return Check::no_answer(NAME, error),
    };
    let finding =
        format!("home read in {}, a post in {}", in_millis(home_time), in_millis(post_time));
    if home_time.max(post_time) <= PAGE_LIMIT {
        Check::pass(NAME, finding)
    } else {
        let mend = "see that indexes are right, the server is near and its memory holds them";
        Check::fail(NAME, finding, mend)
    }
}

async fn quickest<T>(read: impl AsyncFn() -> Result<T, DbError>) -> Result<(Duration, T), DbError> {
    let start = Instant::now();
    let mut last = read().await?;
    let mut quickest = start.elapsed();
    for _ in 0..2 {
        let start = Instant::now();
        last = read().await?;
        quickest = quickest.min(start.elapsed());
    }
    Ok((quickest, last))
}

fn in_millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Outcome;

    fn config(bind: &str, url: &str) -> Config {
        Config::load(None, |name| match name {
            "INKSTONE_BIND" => Some(bind.into()),
            "INKSTONE_SITE_URL" => Some(url.into()),
            _ => None,
        })
        .unwrap()
    }

    #[test]
    fn an_address_that_others_use_is_https() {
        for (bind, url, wanted) in [
            ("127.0.0.1:8080", "", Outcome::Pass),
            ("127.0.0.1:8080", "http://localhost:8080", Outcome::Pass),
            ("127.0.0.1:8080", "https://blog.example.org", Outcome::Pass),
            ("127.0.0.1:8080", "http://blog.example.org", Outcome::Fail),
            ("0.0.0.0:8080", "https://blog.example.org", Outcome::Pass),
            ("0.0.0.0:8080", "http://blog.example.org", Outcome::Fail),
            ("0.0.0.0:8080", "http://localhost:8080", Outcome::Fail),
            ("0.0.0.0:8080", "", Outcome::Fail),
        ] {
            let check = address(&config(bind, url));
            assert_eq!(check.outcome, wanted, "{bind} {url}: {}", check.finding);
        }
    }

    #[test]
    fn a_disk_fails_from_85_percent_on_and_more_urgently() {
        let mend = |used: f64| judge_disk(used, 100.0).mend;
        assert_eq!(judge_disk(84.9, 100.0).outcome, Outcome::Pass);
        assert_eq!(judge_disk(85.0, 100.0).outcome, Outcome::Fail);
        assert_eq!(mend(85.0), "plan for more");
        assert_eq!(mend(90.0), "make room today");
        assert!(mend(95.0).starts_with("make room now"));
    }
}
