//! Cutting Chinese into words.

use std::sync::LazyLock;

use jieba_rs::Jieba;

static JIEBA: LazyLock<Jieba> = LazyLock::new(Jieba::new);

/// The dictionary of the process. It takes 33 MiB and a tenth of a second to load, so slugs and
/// search share this one, and a server loads it ([`warm_up`]) after its first page is served.
#[must_use]
pub fn jieba() -> &'static Jieba {
    &JIEBA
}

/// Loads the dictionary now rather than at the first use.
pub fn warm_up() {
    LazyLock::force(&JIEBA);
}
