//! Prints how fast texts are rendered and slugs made, and the slowest hostile texts.
//!
//! `cargo bench --bench text`; a benchmark for people to read, not a test with a limit.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use inkstone::domain::markdown::{Profile, render};
use inkstone::domain::segment;
use inkstone::domain::slug::{SlugStyle, slugify};

#[path = "../src/domain/markdown/tests/hostile.rs"]
mod hostile;

/// Processor time of this thread, so that other work on the machine does not count; the time on
/// the clock where the system does not say.
fn now() -> Duration {
    static STARTED: LazyLock<Instant> = LazyLock::new(Instant::now);
    let used = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = used.and_then(|used| used.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| STARTED.elapsed(), Duration::from_nanos)
}

fn main() {
    let started = now();
    segment::warm_up();
    println!("dictionary loaded in {:?}", now().saturating_sub(started));

    let prose = include_str!("../tests/texts/article.md");
    let plain =
        prose.replace("```rust", "```").replace("```css", "```").replace("```python", "```");
    throughput("article, code in colours", prose);
    throughput("article, code plain", &plain);
    throughput("Chinese prose only", &"这是一段**普通**的文字，没有什么特别。\n\n".repeat(200));

    let titles: Vec<&str> = include_str!("../tests/texts/titles.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split('\t').next())
        .collect();
    let (count, time) = repeated(|| {
        for title in &titles {
            std::hint::black_box(slugify(title, &SlugStyle::FullPinyin));
        }
    });
    println!("slugs: {:.0} a second", per_second(count * titles.len(), time));

    let post = Profile::Post { id: "p".to_owned() };
    let comment = Profile::Comment { id: "c".to_owned() };
    slowest("post of 16 KB", &post, 16_000);
    slowest("post of 1 MiB", &post, 1024 * 1024);
    slowest("comment of 20 KiB", &comment, 20 * 1024);
}

fn throughput(name: &str, source: &str) {
    let profile = Profile::Post { id: "p".to_owned() };
    let (count, time) = repeated(|| {
        std::hint::black_box(render(source, &profile).is_ok());
    });
    let megabytes = per_second(count * source.len(), time) / 1_000_000.0;
    println!("{name}: {megabytes:.2} MB a second ({} bytes)", source.len());
}

/// Does the work for two seconds; how often, and how long that took.
fn repeated(mut work: impl FnMut()) -> (usize, Duration) {
    work();
    let started = now();
    let mut count = 0;
    loop {
        work();
        count += 1;
        let time = now().saturating_sub(started);
        if time > Duration::from_secs(2) {
            return (count, time);
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people to read")]
fn per_second(count: usize, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64()
}

fn slowest(name: &str, profile: &Profile, bytes: usize) {
    let mut times: Vec<(Duration, String, String)> = hostile::texts(bytes)
        .into_iter()
        .map(|(name, text)| {
            let started = now();
            let outcome = match render(&text, profile) {
                Ok(rendered) => format!("{} bytes", rendered.html.as_str().len()),
                Err(error) => error.to_string(),
            };
            (now().saturating_sub(started), name, outcome)
        })
        .collect();
    times.sort();
    println!("{name}: {} hostile texts, the slowest:", times.len());
    for (time, name, outcome) in times.iter().rev().take(8) {
        println!("  {:>5} ms  {name}  ({outcome})", time.as_millis());
    }
}
