//! Where the engine of a running program listens, for commands beside it.
//!
//! The engine holds its folder alone, so `inkstone doctor` beside a running site
//! cannot start another one; it asks the one that is there. A program that was
//! killed leaves its file behind: an address where nobody listens counts as none.

use std::{
    fs::{self, File},
    io::Write,
    net::{SocketAddr, TcpStream},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    time::Duration,
};

/// Somebody on this machine's loopback interface answers at once.
const PATIENCE: Duration = Duration::from_millis(500);

/// A published address. Dropping it takes it back.
#[derive(Debug)]
pub struct Published(PathBuf);

impl Published {
    /// Writes the engine's URI where [`of_running`] finds it; only this user may
    /// read it.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(file: PathBuf, uri: &str) -> std::io::Result<Self> {
        let mut options = File::options();
        options.create(true).truncate(true).write(true).mode(0o600);
        options.open(&file)?.write_all(uri.as_bytes())?;
        Ok(Self(file))
    }
}

impl Drop for Published {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_file(&self.0) {
            tracing::debug!(%error, "the address of the database engine cannot be taken back");
        }
    }
}

/// The URI of an engine that runs now.
#[must_use]
pub fn of_running(file: &Path) -> Option<String> {
    let uri = fs::read_to_string(file).ok()?;
    let address: SocketAddr = uri.split('/').nth(2)?.parse().ok()?;
    TcpStream::connect_timeout(&address, PATIENCE).ok()?;
    Some(uri)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn an_address_counts_while_somebody_listens_and_until_it_is_taken_back() {
        let file = std::env::temp_dir().join(format!("inkstone-address-{}", std::process::id()));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let uri = format!("mongodb://{}/?replicaSet=x", listener.local_addr().unwrap());
        let published = Published::write(file.clone(), &uri).unwrap();
        assert_eq!(of_running(&file), Some(uri));
        drop(listener);
        assert_eq!(of_running(&file), None, "left behind");
        drop(published);
        assert!(!file.exists());
        assert_eq!(of_running(&file), None);
    }
}
