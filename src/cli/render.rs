//! `inkstone render`: a Markdown file as the site would show it.

use std::{io::Write, path::PathBuf};

use anyhow::Context;

use crate::domain::markdown::{Profile, render};

#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Markdown to render
    file: PathBuf,
    /// As a reader's comment instead of an author's post
    #[arg(long)]
    comment: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let file = &arguments.file;
    let bytes = std::fs::read(file).with_context(|| file.display().to_string())?;
    let source = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes().iter().take(valid).filter(|byte| **byte == b'\n').count();
        anyhow::anyhow!("{}, line {line}: this is not UTF-8", file.display())
    })?;
    let id = String::new();
    let profile = if arguments.comment { Profile::Comment { id } } else { Profile::Post { id } };
    let rendered = render(&source, &profile).with_context(|| file.display().to_string())?;
    writeln!(std::io::stdout(), "{}", rendered.html)?;
    Ok(())
}
