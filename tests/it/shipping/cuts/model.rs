use std::{
    collections::BTreeMap,
    fmt, fs,
    path::{Path, PathBuf},
};

use fastrand::Rng;
use platbook::files::durable::Operation;

/// An operation on a disk, with the file's content at that time.
#[derive(Clone, Debug)]
pub enum Step {
    Create(PathBuf),
    Write(PathBuf, Vec<u8>),
    Sync(PathBuf),
    Rename(PathBuf, PathBuf),
    Remove(PathBuf),
    CreateFolder(PathBuf),
    SyncFolder(PathBuf),
    /// Not an operation on the disk: a caller got the promise that this world is served.
    Promise(u32),
}

impl Step {
    pub fn of(operation: Operation<'_>) -> Step {
        match operation {
            Operation::Create(path) => Step::Create(path.into()),
            Operation::Write(path) => Step::Write(path.into(), fs::read(path).unwrap()),
            Operation::Sync(path) => Step::Sync(path.into()),
            Operation::Rename(from, to) => Step::Rename(from.into(), to.into()),
            Operation::Remove(path) | Operation::RemoveFolder(path) => Step::Remove(path.into()),
            Operation::CreateFolder(path) => Step::CreateFolder(path.into()),
            Operation::SyncFolder(path) => Step::SyncFolder(path.into()),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Write(path, bytes) => write!(f, "write of {} to {}", bytes.len(), path.display()),
            step => write!(f, "{step:?}"),
        }
    }
}

/// How much unsynced data survives a cut.
#[derive(Debug)]
pub enum Survival {
    /// Nothing: each file and folder is as at its last sync.
    Nothing,
    /// All data and names survive.
    Everything,
    /// In each folder the first few changes of names survive, and in each file some of the bytes.
    Random(Rng),
}

impl Survival {
    pub fn random(seed: u64) -> Survival {
        Survival::Random(Rng::with_seed(seed))
    }

    /// Returns how many of all changes survive: at random, but never fewer than the synced ones.
    fn of(&mut self, synced: usize, all: usize) -> usize {
        match self {
            Survival::Nothing => synced,
            Survival::Everything => all,
            Survival::Random(random) => random.usize(synced..=all),
        }
    }
}

/// A change of the names in a folder.
enum Change {
    Link(String, usize),
    Unlink(String),
    Move(String, String),
}

enum Node {
    /// The content of a file after each write, and how many of these writes were synced.
    File { contents: Vec<Vec<u8>>, synced: usize },
    /// The changes of names in a folder, and how many of them were synced. A disk keeps their order, but not the order of
    /// changes in different folders.
    Folder { changes: Vec<Change>, synced: usize },
}

/// A disk that forgets as much as the POSIX standard allows. A file without a sync may be empty, cut or full of zeros, and
/// a name may be missing if its folder was not synced.
pub struct Model {
    nodes: Vec<Node>,
    /// Path of the folder that holds all others: the first one that [`Model::node`] looks up.
    root: Option<PathBuf>,
}

impl Default for Model {
    fn default() -> Model {
        Model { nodes: vec![Node::Folder { changes: Vec::new(), synced: 0 }], root: None }
    }
}

impl Model {
    pub fn apply(&mut self, step: &Step) {
        match step {
            Step::Create(path) => self.link(path, Node::File { contents: Vec::new(), synced: 0 }),
            Step::CreateFolder(path) => self.link(path, Node::Folder { changes: Vec::new(), synced: 0 }),
            Step::Rename(from, to) => self.change(from, Change::Move(name_of(from), name_of(to))),
            Step::Remove(path) => self.change(path, Change::Unlink(name_of(path))),
            Step::Write(path, bytes) => match self.node(path) {
                Node::File { contents, .. } => contents.push(bytes.clone()),
                Node::Folder { .. } => panic!("{} is a folder", path.display()),
            },
            Step::Sync(path) | Step::SyncFolder(path) => match self.node(path) {
                Node::File { contents, synced } => *synced = contents.len(),
                Node::Folder { changes, synced } => *synced = changes.len(),
            },
            Step::Promise(_) => {}
        }
    }

    fn link(&mut self, path: &Path, node: Node) {
        self.nodes.push(node);
        let number = self.nodes.len() - 1;
        self.change(path, Change::Link(name_of(path), number));
    }

    fn change(&mut self, path: &Path, change: Change) {
        let folder = path.parent().unwrap();
        match self.node(folder) {
            Node::Folder { changes, .. } => changes.push(change),
            Node::File { .. } => panic!("{} is a file", folder.display()),
        }
    }

    /// The file or folder at a path now.
    fn node(&mut self, path: &Path) -> &mut Node {
        let root = self.root.get_or_insert_with(|| path.to_owned()).clone();
        let below = path.strip_prefix(&root).unwrap();
        let mut at = 0;
        for name in below {
            let Node::Folder { changes, .. } = &self.nodes[at] else {
                panic!("{} is a file", path.display())
            };
            at = names(changes)[name.to_str().unwrap()];
        }
        &mut self.nodes[at]
    }

    /// The content of the disk after a cut.
    pub fn left(&self, mut survival: Survival) -> Left {
        let mut left = Left::default();
        self.add(0, Path::new(""), &mut survival, &mut left);
        left
    }

    fn add(&self, number: usize, path: &Path, survival: &mut Survival, left: &mut Left) {
        match &self.nodes[number] {
            Node::File { contents, synced } => {
                left.0.insert(path.to_owned(), Some(left_of(contents, *synced, survival)));
            }
            Node::Folder { changes, synced } => {
                left.0.insert(path.to_owned(), None);
                let survived = survival.of(*synced, changes.len());
                for (name, node) in names(&changes[..survived]) {
                    self.add(node, &path.join(name), survival, left);
                }
            }
        }
    }
}

/// Files with their bytes, and folders, by their paths.
#[derive(Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Left(BTreeMap<PathBuf, Option<Vec<u8>>>);

impl Left {
    pub fn write_to(&self, folder: &Path) {
        for (path, bytes) in &self.0 {
            match bytes {
                Some(bytes) => fs::write(folder.join(path), bytes).unwrap(),
                None => fs::create_dir_all(folder.join(path)).unwrap(),
            }
        }
    }

    /// Returns this state without unfinished files, which no start uses.
    pub fn kept(&self) -> Left {
        let is_kept = |path: &Path| !path.to_string_lossy().starts_with("incoming-");
        Left(
            self.0
                .iter()
                .filter(|(path, _)| is_kept(path))
                .map(|(path, bytes)| (path.clone(), bytes.clone()))
                .collect(),
        )
    }
}

/// The content of a file after a cut: at least the synced bytes. Later writes may be missing, cut or zeros.
fn left_of(contents: &[Vec<u8>], synced: usize, survival: &mut Survival) -> Vec<u8> {
    let writes = survival.of(synced, contents.len());
    let content = |writes: usize| writes.checked_sub(1).map_or(&[][..], |last| &contents[last]);
    let mut left = content(writes).to_vec();
    if let Survival::Random(random) = survival
        && writes > synced
    {
        let from = content(synced).len();
        match random.u8(..3) {
            0 => left.truncate(random.usize(from..=left.len())),
            1 => left[from..].fill(0),
            _ => {}
        }
    }
    left
}

/// The names in a folder after these changes.
fn names(changes: &[Change]) -> BTreeMap<String, usize> {
    let mut names = BTreeMap::new();
    for change in changes {
        match change {
            Change::Link(name, node) => drop(names.insert(name.clone(), *node)),
            Change::Unlink(name) => drop(names.remove(name)),
            Change::Move(from, to) => {
                if let Some(node) = names.remove(from) {
                    names.insert(to.clone(), node);
                }
            }
        }
    }
    names
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}
