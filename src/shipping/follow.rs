//! Replaces the served snapshot with newer ones, and rolls back on demand. One task polls the source, obeys the
//! operator and swaps the edition. This task never blocks requests.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::{Event, Refusal, Remote, WatchedFile, file::blocking};
use crate::edition::{CurrentEdition, Edition};
use platbook::directory::Directory;

/// The source of newer snapshots.
#[derive(Debug)]
pub enum Source {
    /// A local file that is replaced from time to time.
    File(Box<WatchedFile>),
    /// An address that is polled.
    Url(Box<Remote>),
}

/// A command of the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Load the source's snapshot now, even if it is older.
    Take,
    /// Serve the previous snapshot again.
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

    /// Returns why an earlier poll refused the source's file; `None` if it did not.
    fn refused(&self) -> Option<&'static str> {
        match self {
            Source::File(_) => None,
            Source::Url(remote) => remote.refused(),
        }
    }

    /// Loads the previous snapshot from disk, for a process that has not served that snapshot.
    async fn back(&mut self) -> Result<Directory, Refusal> {
        match self {
            Source::File(_) => Err(Refusal::NoEarlier),
            Source::Url(remote) => remote.back().await,
        }
    }

    /// Records that the previous snapshot is served again.
    fn gone_back(&mut self) -> Result<(), Refusal> {
        match self {
            Source::File(_) => Ok(()),
            Source::Url(remote) => remote.gone_back(),
        }
    }
}

/// Polls the source until it has a snapshot, for a service that starts without one.
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

/// Serves each acceptable snapshot of the source once it is ready. Returns to the previous snapshot on demand, even
/// during a download. Ends when the sender of `orders` is dropped.
pub async fn follow<S: AsRef<CurrentEdition> + Send + Sync>(
    mut source: Source,
    stage: Arc<S>,
    mut orders: mpsc::Receiver<Order>,
    tell: impl Fn(Event) + Send + Sync,
) {
    let current: &CurrentEdition = (*stage).as_ref();
    // The previous edition stays open, so that a rollback is fast. Its caches are emptied, since they would take a
    // second memory budget.
    let mut before: Option<Arc<Edition>> = None;
    // Set if the operator requests a check while another one is running.
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
        // A requested check also accepts older and refused files. The request stays open if a scheduled check just
        // ended. After a requested check or a rollback, the request is closed.
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

/// Waits for the order to roll back. Sets `is_asked` if a check is ordered during the wait.
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

/// Serves the previous snapshot: at once if this process has served it before, or else from disk.
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
        // The snapshot that was served until now is withdrawn, so it must not become the target of a second rollback.
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
