//! Fresh snapshots take the place of the one that is served, and someone may go back.

use std::{fmt, sync::Arc};

use tokio::sync::mpsc;

use super::{Refusal, Remote, WatchedFile, file::blocking};
use crate::{
    directory::Directory,
    edition::{CurrentEdition, Edition},
};

/// Where fresh snapshots come from.
#[derive(Debug)]
pub enum Source {
    /// A file that is replaced.
    File(Box<WatchedFile>),
    /// An address that is asked.
    Url(Box<Remote>),
}

/// What an operator asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Take what is there now, even if it is older.
    Take,
    /// Serve the one before.
    Back,
}

/// What has happened, to be told.
#[derive(Debug)]
pub enum Event {
    /// Another snapshot is served.
    Serving {
        /// Its date.
        as_of: String,
        /// Its id.
        id: String,
        /// Whether someone went back to it.
        is_back: bool,
    },
    /// The one that is served stays.
    Stays(Refusal),
    /// It was looked for, and there is none other.
    NothingNew,
}

impl Source {
    async fn due(&mut self) {
        match self {
            Source::File(file) => file.due().await,
            Source::Url(remote) => remote.due().await,
        }
    }

    async fn look(&mut self, served: Arc<Edition>, is_asked: bool) -> Result<Option<Directory>, Refusal> {
        match self {
            Source::File(file) => file.look(served, is_asked).await,
            Source::Url(remote) => remote.look(Some(served), is_asked).await,
        }
    }

    async fn back(&mut self) -> Result<Directory, Refusal> {
        match self {
            Source::File(file) => file.back().await,
            Source::Url(remote) => remote.back().await,
        }
    }
}

/// Serves each snapshot of the source that may be served, made ready before; and the one before on demand, also while
/// another is on its way. Ends when nobody can give orders any more.
pub async fn follow<S: AsRef<CurrentEdition> + Send + Sync>(
    mut source: Source,
    stage: Arc<S>,
    mut orders: mpsc::Receiver<Order>,
    tell: impl Fn(Event) + Send,
) {
    loop {
        let order = tokio::select! {
            order = orders.recv() => match order {
                Some(order) => Some(order),
                None => return,
            },
            () = source.due() => None,
        };
        let served = Arc::clone(&(*stage).as_ref().load());
        let looked = match order {
            Some(Order::Back) => None,
            _ => tokio::select! {
                looked = source.look(served, order.is_some()) => Some(looked),
                () = is_called_back(&mut orders) => None,
            },
        };
        let is_back = looked.is_none();
        let found = match looked {
            Some(looked) => looked,
            None => source.back().await.map(Some),
        };
        match show(found, (*stage).as_ref(), is_back).await {
            // What is looked for every minute and is not there is not worth a line.
            Event::NothingNew if order.is_none() => {}
            event => tell(event),
        }
    }
}

/// Waits until someone wants to go back; nothing else is new while a snapshot is on its way.
async fn is_called_back(orders: &mut mpsc::Receiver<Order>) {
    while let Some(order) = orders.recv().await {
        if order == Order::Back {
            return;
        }
    }
    std::future::pending().await
}

async fn show(found: Result<Option<Directory>, Refusal>, current: &CurrentEdition, is_back: bool) -> Event {
    let directory = match found {
        Ok(Some(directory)) => directory,
        Ok(None) => return Event::NothingNew,
        Err(refusal) => return Event::Stays(refusal),
    };
    let (as_of, id) = (directory.as_of().to_owned(), directory.snapshot_id().to_owned());
    let served = Arc::clone(&current.load());
    match blocking(move || Ok(served.next(directory))).await {
        Ok(edition) => {
            current.swap(edition);
            Event::Serving { as_of, id, is_back }
        }
        Err(refusal) => Event::Stays(refusal),
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Serving { as_of, id, is_back: false } => write!(f, "now serving snapshot {id} of {as_of}"),
            Event::Serving { as_of, id, is_back: true } => write!(f, "back to snapshot {id} of {as_of}"),
            Event::Stays(refusal) => write!(f, "the snapshot that is served stays: {refusal}"),
            Event::NothingNew => f.write_str("there is no other snapshot than the one that is served"),
        }
    }
}
