//! Letters to members: by a mail server, or as files while none is set. Sending is
//! never in a request's way: the caller hands it to a task of its own.

use std::{path::PathBuf, sync::Arc};

use lettre::{
    AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    message::{Mailbox, header::ContentType},
};

use crate::config::MailSettings;

/// A letter in plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// An e-mail address.
    pub to: String,
    pub subject: String,
    pub text: String,
}

#[derive(Debug, thiserror::Error)]
pub enum MailError {
    #[error("the sender of mail cannot be used: {0}")]
    Sender(lettre::address::AddressError),
    #[error("smtp_url cannot be used: {0}")]
    Server(lettre::transport::smtp::Error),
    #[error("the receiver cannot be used: {0}")]
    Receiver(lettre::address::AddressError),
    #[error("the letter cannot be put together: {0}")]
    Letter(lettre::error::Error),
    #[error("the mail server did not take it: {0}")]
    Send(lettre::transport::smtp::Error),
    #[error("the letter cannot be written to {path}: {reason}")]
    Write { path: PathBuf, reason: std::io::Error },
}

/// The way out. Cloning is cheap.
#[derive(Clone)]
pub struct Mailer {
    from: Arc<Mailbox>,
    way: Way,
}

#[derive(Clone)]
enum Way {
    Server(AsyncSmtpTransport<Tokio1Executor>),
    Folder(PathBuf),
}

impl Mailer {
    /// # Errors
    /// [`MailError`] for settings that cannot be used.
    pub fn new(settings: &MailSettings) -> Result<Self, MailError> {
        let way = match &settings.smtp_url {
            Some(url) => {
                let server = AsyncSmtpTransport::<Tokio1Executor>::from_url(url);
                Way::Server(server.map_err(MailError::Server)?.build())
            }
            None => Way::Folder(settings.folder.clone()),
        };
        // A host without a dot, as in `noreply@localhost`, is fine here.
        let address = settings.from.parse().map_err(MailError::Sender)?;
        Ok(Self { from: Arc::new(Mailbox::new(None, address)), way })
    }

    /// Sends a letter, or writes it as `.eml` into the folder.
    ///
    /// # Errors
    /// [`MailError`] says what went wrong, for the log.
    pub async fn send(&self, letter: Letter) -> Result<(), MailError> {
        let to = letter.to.parse().map_err(MailError::Receiver)?;
        let message = Message::builder()
            .from(Mailbox::clone(&self.from))
            .to(Mailbox::new(None, to))
            .subject(letter.subject)
            .header(ContentType::TEXT_PLAIN)
            .body(letter.text)
            .map_err(MailError::Letter)?;
        match &self.way {
            Way::Server(server) => server.send(message).await.map(drop).map_err(MailError::Send),
            Way::Folder(folder) => {
                let path = folder.join(format!("{:032x}.eml", rand::random::<u128>()));
                let written = async {
                    tokio::fs::create_dir_all(folder).await?;
                    tokio::fs::write(&path, message.formatted()).await
                };
                written.await.map_err(|reason| MailError::Write { path: path.clone(), reason })
            }
        }
    }
}
