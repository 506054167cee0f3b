//! The kinds of federal land that answers distinguish.

/// A kind of federal land, the most certain first. Only the first counts if several kinds cover a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FederalKind {
    /// A base of the armed forces.
    Base,
    /// A unit of the National Park System.
    Park,
    /// Land of another agency: a wildlife refuge, a monument, a site of the Department of Energy.
    Agency,
    /// A national forest or grassland, including private land within its limits.
    Forest,
}

/// The kinds in the order of their numbers, with the words that tables use.
const KINDS: [(FederalKind, &str); 4] = [
    (FederalKind::Base, "base"),
    (FederalKind::Park, "park"),
    (FederalKind::Agency, "agency"),
    (FederalKind::Forest, "forest"),
];

impl FederalKind {
    /// The kind with a stored number; `None` for other numbers.
    pub fn from_number(number: u8) -> Option<FederalKind> {
        KINDS.get(usize::from(number)).map(|(kind, _)| *kind)
    }

    /// The kind that this word means in a table; `None` for other words.
    pub fn from_word(word: &str) -> Option<FederalKind> {
        KINDS.iter().find(|(_, known)| *known == word).map(|(kind, _)| *kind)
    }

    /// The number under which snapshots store the kind.
    pub fn number(self) -> u8 {
        self as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_words_lead_back_to_their_kind() {
        for (kind, word) in KINDS {
            assert_eq!(FederalKind::from_number(kind.number()), Some(kind));
            assert_eq!(FederalKind::from_word(word), Some(kind));
        }
        assert_eq!((FederalKind::from_number(4), FederalKind::from_word("lake")), (None, None));
    }
}
