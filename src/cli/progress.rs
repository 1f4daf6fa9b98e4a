//! How far a long command has come: a bar on a terminal, else a line every few
//! seconds.

use std::{
    io::{IsTerminal, Write},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};

const LINE_EVERY: Duration = Duration::from_secs(5);

pub(super) struct Progress {
    bar: ProgressBar,
    started: Instant,
    last_line: Instant,
}

impl Progress {
    pub(super) fn start(documents: u64) -> anyhow::Result<Self> {
        let bar = if std::io::stderr().is_terminal() {
            ProgressBar::new(documents).with_style(ProgressStyle::with_template(
                "{bar:30} {human_pos} of {human_len} documents, {per_sec}, {eta} left",
            )?)
        } else {
            ProgressBar::hidden()
        };
        bar.set_length(documents);
        Ok(Self { bar, started: Instant::now(), last_line: Instant::now() })
    }

    pub(super) fn show(&mut self, written: u64) {
        self.bar.set_position(written);
        if self.bar.is_hidden() && self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            let line = match (written, self.bar.length().unwrap_or_default()) {
                (0, _) => "preparing".to_owned(),
                (_, all) => format!("{written} of {all} documents, {}", self.rate(written)),
            };
            // Nobody may be reading.
            writeln!(std::io::stderr(), "{line}").ok();
        }
    }

    /// Takes the bar away and sums up.
    pub(super) fn finish(self, written: u64) -> String {
        self.bar.finish_and_clear();
        format!(
            "{written} documents in {:.1} s, {}",
            self.started.elapsed().as_secs_f64(),
            self.rate(written)
        )
    }

    fn rate(&self, written: u64) -> String {
        let millis = self.started.elapsed().as_millis().max(1);
        format!("{} documents/s", u128::from(written) * 1000 / millis)
    }
}
