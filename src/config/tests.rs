//! Settings, right and wrong.

use super::*;

fn load(file: &str, variables: &[(&str, &str)]) -> Result<Config, String> {
    // One file per test thread and call; the name shows in the error.
    let name = format!("inkstone-{}.toml", mongodb::bson::oid::ObjectId::new());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, file).unwrap();
    let find = |name: &str| {
        variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).into())
    };
    let loaded = Config::load(Some(&path), find).map_err(|error| error.to_string());
    std::fs::remove_file(&path).unwrap();
    loaded.map_err(|error| error.replace(&path.display().to_string(), "FILE"))
}

#[test]
fn the_environment_wins_over_the_file_and_the_file_over_defaults() {
    let file = "bind = \"127.0.0.1:1\"\n[site]\ntitle = \"纸\"\n";
    let config = load(file, &[("INKSTONE_BIND", "127.0.0.1:2")]).unwrap();
    assert_eq!(config.bind.port(), 2);
    assert_eq!(config.site.title, "纸");
    assert_eq!(config.site.url, "http://127.0.0.1:2");
    assert_eq!(config.mongodb_database, "inkstone");
}

#[test]
fn mistakes_name_their_place() {
    for (file, variables, wanted) in [
        ("lang = \"fr\"", &[][..], "FILE, line 1: lang must be zh-CN or en, not \"fr\""),
        ("\n\nlanguage = \"en\"", &[], "FILE, line 3: there is no setting \"language\""),
        ("[site]\nurl = 3", &[], "FILE, line 2: site.url must be a text in quotes"),
        (
            "[shutdown]\ndrain = \"601\"",
            &[],
            "FILE, line 2: shutdown.drain must be seconds from 0 to 600, not \"601\"",
        ),
        (
            "",
            &[("INKSTONE_BIND", "8080")],
            "INKSTONE_BIND: bind must be an address and port such as 127.0.0.1:8080, not \"8080\"",
        ),
        (
            "",
            &[("INKSTONE_SITE_URL", "blog.example.org")],
            "INKSTONE_SITE_URL: site.url must be an address such as https://blog.example.org, \
          not \"blog.example.org\"",
        ),
    ] {
        assert_eq!(load(file, variables).map(|_| ()).unwrap_err(), wanted);
    }
    let broken = load("a = 1\nb = = 2", &[]).map(|_| ()).unwrap_err();
    assert!(broken.starts_with("FILE, line 2: "), "{broken}");
}

#[test]
fn the_address_of_the_site_is_an_origin() {
    let url = |text: &str| load("", &[("INKSTONE_SITE_URL", text)]).map(|c| c.site.url);
    assert_eq!(url("https://Ink.Example:443/").unwrap(), "https://ink.example");
    assert_eq!(url("http://ink.example:8080").unwrap(), "http://ink.example:8080");
    for bad in ["https://ink.example/blog", "ftp://ink.example", "https://a@ink.example", "//x"] {
        assert!(url(bad).is_err(), "{bad}");
    }
    let everywhere = load("", &[("INKSTONE_BIND", "0.0.0.0:8080")]).map(|_| ()).unwrap_err();
    assert!(everywhere.starts_with("0.0.0.0:8080 listens on every interface"), "{everywhere}");
}

#[test]
fn what_is_shown_can_be_read_again_and_hides_the_password() {
    let uri = "mongodb://ink:s3cret@db.example.org/?replicaSet=rs0";
    let config = load("", &[("MONGODB_URI", uri)]).unwrap();
    let shown = config.to_string();
    assert!(shown.contains("mongodb://ink:***@db.example.org/?replicaSet=rs0"), "{shown}");
    assert!(!shown.contains("s3cret"));
    let again = load(&shown, &[]).unwrap();
    assert_eq!(again.site.url, config.site.url);
}

/// Each setting stands in the example with its default.
#[test]
fn the_example_says_what_is_in_force_without_it() {
    let example = load(include_str!("../../deploy/inkstone.toml.example"), &[]).unwrap();
    for shown in &example.shown {
        let setting = SETTINGS.iter().find(|setting| setting.key == shown.key).unwrap();
        assert_eq!(shown.value, setting.default, "{}", shown.key);
        assert!(shown.source.contains(", line "), "{} is not in the example", shown.key);
    }
}

#[test]
fn every_variable_follows_the_rule() {
    for setting in SETTINGS {
        let rule = setting.key.to_uppercase().replace('.', "_");
        let by_rule = format!("INKSTONE_{rule}");
        assert!(setting.variable == by_rule || setting.variable == rule, "{}", setting.key);
    }
}
