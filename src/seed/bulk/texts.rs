//! A store of texts, each rendered once: rendering hundreds of thousands anew
//! would take longer than storing them.

use std::thread;

use anyhow::anyhow;

use super::{
    Bulk,
    material::Material,
    random::{Random, Stream},
};
use crate::domain::{
    markdown::{self, Profile, Rendered},
    text,
};

/// At most so many different bodies, and comments, of one language; fewer for
/// little content.
const BODIES: usize = 1_500;
const REMARKS: usize = 4_000;

/// A text and what the renderer gives for it, whoever's it is: there are no
/// footnotes in it, so its HTML holds no id.
pub struct Text {
    pub source: String,
    pub rendered: Rendered,
}

/// The texts of one language.
pub struct Texts {
    pub bodies: Vec<Text>,
    pub remarks: Vec<Text>,
}

impl Texts {
    /// # Errors
    /// The sample has no text of this language, or one that is not rendered.
    pub fn render(bulk: &Bulk, material: &Material) -> anyhow::Result<Self> {
        let bodies = (bulk.posts as usize).div_ceil(2).min(BODIES);
        let remarks = (bulk.comments as usize).div_ceil(4).min(REMARKS);
        Ok(Self {
            bodies: in_parallel(bodies, &|number| {
                let source = material.body(&mut Random::of(bulk.seed, Stream::Bodies, number))?;
                rendered(source, &Profile::Post { id: String::new() })
            })?,
            remarks: in_parallel(remarks, &|number| {
                let mut random = Random::of(bulk.seed, Stream::Remarks, number);
                let source = text::clean_lines(&material.remark(&mut random)?);
                rendered(source, &Profile::Comment { id: String::new() })
            })?,
        })
    }
}

fn rendered(source: String, profile: &Profile) -> anyhow::Result<Text> {
    let rendered = markdown::render(&source, profile)?;
    Ok(Text { source, rendered })
}

/// The texts numbered from 0, made on all processors.
fn in_parallel(
    count: usize,
    make: &(dyn Fn(usize) -> anyhow::Result<Text> + Sync),
) -> anyhow::Result<Vec<Text>> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let share = count.div_ceil(threads).max(1);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..count)
            .step_by(share)
            .map(|start| {
                let end = count.min(start + share);
                scope.spawn(move || (start..end).map(make).collect::<anyhow::Result<Vec<_>>>())
            })
            .collect();
        let mut all = Vec::with_capacity(count);
        for worker in workers {
            all.extend(worker.join().map_err(|_| anyhow!("rendering failed"))??);
        }
        Ok(all)
    })
}
