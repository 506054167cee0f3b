//! Fresh snapshots take the place of the one that is served, and someone may go back.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::{Event, Refusal, Remote, WatchedFile, file::blocking};
use crate::edition::{CurrentEdition, Edition};
use platbook::directory::Directory;

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

impl Source {
    async fn due(&mut self) {
        match self {
            Source::File(file) => file.due().await,
            Source::Url(remote) => remote.due().await,
        }
    }

    async fn look(
        &mut self,
        served: Option<Arc<Edition>>,
        is_asked: bool,
    ) -> Result<Option<Directory>, Refusal> {
        match self {
            Source::File(file) => file.look(served, is_asked).await,
            Source::Url(remote) => remote.look(served, is_asked).await,
        }
    }

    /// Why the file that is there is not served, as an earlier look found it.
    fn refused(&self) -> Option<&'static str> {
        match self {
            Source::File(_) => None,
            Source::Url(remote) => remote.refused(),
        }
    }

    /// The one before, for a process that has not served it.
    async fn back(&mut self) -> Result<Directory, Refusal> {
        match self {
            Source::File(_) => Err(Refusal::NoEarlier),
            Source::Url(remote) => remote.back().await,
        }
    }

    /// Notes that the one before is served again.
    fn gone_back(&mut self) -> Result<(), Refusal> {
        match self {
            Source::File(_) => Ok(()),
            Source::Url(remote) => remote.gone_back(),
        }
    }
}

/// Waits for the first snapshot of the source, for a service that has none to begin with. Looks until there is one.
pub async fn first(
    source: &mut Source,
    orders: &mut mpsc::Receiver<Order>,
    tell: impl Fn(Event) + Send + Sync,
) -> Directory {
    loop {
        let order = tokio::select! {
            Some(order) = orders.recv() => Some(order),
            () = source.due() => None,
        };
        let looked = match order {
            Some(Order::Back) => Err(Refusal::NoEarlier),
            _ => source.look(None, order.is_some()).await,
        };
        match looked {
            Ok(Some(directory)) => {
                tell(Event::serving(&directory, false));
                return directory;
            }
            Ok(None) => tell(Event::NothingNew { is_asked: order.is_some(), refused: source.refused() }),
            Err(refusal) => tell(Event::Waits(refusal)),
        }
    }
}

/// Serves each snapshot of the source that may be served, made ready before; and the one before on demand, also while
/// another is on its way. Ends when nobody can give orders any more.
pub async fn follow<S: AsRef<CurrentEdition> + Send + Sync>(
    mut source: Source,
    stage: Arc<S>,
    mut orders: mpsc::Receiver<Order>,
    tell: impl Fn(Event) + Send + Sync,
) {
    let current: &CurrentEdition = (*stage).as_ref();
    // Kept open: who goes back is in a hurry. What it kept of answers would take a second budget.
    let mut before: Option<Arc<Edition>> = None;
    // Asked for while a look was under way that nobody had asked for.
    let mut is_owed = false;
    loop {
        let order = match std::mem::take(&mut is_owed) {
            true => Some(Order::Take),
            false => tokio::select! {
                order = orders.recv() => match order {
                    Some(order) => Some(order),
                    None => return,
                },
                () = source.due() => None,
            },
        };
        let served = Arc::clone(&current.load());
        let looked = match order {
            Some(Order::Back) => None,
            _ => tokio::select! {
                looked = source.look(Some(served), order.is_some()) => Some(looked),
                () = is_called_back(&mut orders, &mut is_owed) => None,
            },
        };
        // Who asks gets also what is older or was refused; a look that was asked for has given that.
        is_owed &= order.is_none() && looked.is_some();
        let event = match looked {
            Some(Ok(None)) => Event::NothingNew { is_asked: order.is_some(), refused: source.refused() },
            Some(Ok(Some(directory))) => show(directory, current, &mut before).await,
            Some(Err(refusal)) => Event::Stays(refusal),
            None => go_back(&mut source, current, &mut before, &tell).await,
        };
        tell(event);
    }
}

/// Waits until someone wants to go back, and notes whether someone wants what is there.
async fn is_called_back(orders: &mut mpsc::Receiver<Order>, is_asked: &mut bool) {
    while let Some(order) = orders.recv().await {
        match order {
            Order::Back => return,
            Order::Take => *is_asked = true,
        }
    }
    std::future::pending().await
}

async fn show(directory: Directory, current: &CurrentEdition, before: &mut Option<Arc<Edition>>) -> Event {
    let served = Arc::clone(&current.load());
    match blocking(move || Ok(served.next(directory))).await {
        Ok(edition) => {
            let left = current.swap(edition);
            left.forget();
            *before = Some(left);
            Event::serving(current.load().answers().directory(), false)
        }
        Err(refusal) => Event::Stays(refusal),
    }
}

/// Serves the one before at once where this process has served it, else from where it was kept.
async fn go_back(
    source: &mut Source,
    current: &CurrentEdition,
    before: &mut Option<Arc<Edition>>,
    tell: &(impl Fn(Event) + Send + Sync),
) -> Event {
    let Some(edition) = before.take() else {
        let event = match source.back().await {
            Ok(directory) => show(directory, current, before).await,
            Err(refusal) => Event::Stays(refusal),
        };
        // What was left is not the one before: to go back again leads farther, or nowhere.
        *before = None;
        return Event::gone_back(event);
    };
    let left = current.restore(edition);
    left.forget();
    if let Source::File(_) = source {
        *before = Some(left);
    }
    if let Err(refusal) = source.gone_back() {
        tell(Event::NotNoted(refusal));
    }
    Event::serving(current.load().answers().directory(), true)
}
