//! The words for what a map says of a point: one set of statuses for each kind of screening fact.

/// What all kinds of facts have in common.
pub trait FactStatus: Copy + std::fmt::Debug + PartialEq + Send + Sync + 'static {
    /// The kind of fact, such as `Flood`.
    const KIND: &'static str;
    /// What the kind is, in a few words.
    const DESCRIPTION: &'static str;
    /// The status of a fact that could not be checked.
    const UNKNOWN: Self;
    /// All statuses of the kind, in the contract's order.
    const ALL: &'static [Self];

    /// The contract's word.
    fn as_str(self) -> &'static str;

    /// What the word means.
    fn meaning(self) -> &'static str;
}

/// A kind of fact with its statuses: for each the contract's word and what it means. `unknown` is the last of each kind.
macro_rules! statuses {
    ($name:ident, $description:literal, { $($variant:ident = $word:literal, $meaning:literal;)* }) => {
        #[doc = $description]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $(#[doc = $meaning] $variant,)*
            /// Not checked.
            Unknown,
        }

        impl FactStatus for $name {
            const KIND: &'static str = stringify!($name);
            const DESCRIPTION: &'static str = $description;
            const UNKNOWN: $name = $name::Unknown;
            const ALL: &'static [$name] = &[$($name::$variant,)* $name::Unknown];

            fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                    $name::Unknown => "unknown",
                }
            }

            fn meaning(self) -> &'static str {
                match self {
                    $($name::$variant => $meaning,)*
                    $name::Unknown => "Not checked.",
                }
            }
        }
    };
}

statuses!(Flood, "Flood zone.", {
    Sfha = "sfha", "In a special flood hazard area.";
    Moderate = "moderate", "Moderate hazard.";
    Minimal = "minimal", "Minimal hazard.";
    Unmapped = "unmapped", "On no flood map.";
});
statuses!(Wetlands, "Whether a mapped wetland is here.", {
    Yes = "yes", "Inside one.";
    Near = "near", "Close to one.";
    No = "no", "In none.";
});
statuses!(Soils, "Whether the soil is known.", {
    Ok = "ok", "Known.";
    None = "none", "On no soil map.";
});
statuses!(Elevation, "Whether the height is known.", {
    Ok = "ok", "Known.";
});
statuses!(Shoreland, "Whether shoreland rules are likely to hold.", {
    Likely = "likely", "Likely.";
    No = "no", "Not likely.";
});
statuses!(Radon, "Radon zone of the county.", {
    Zone1 = "zone_1", "Highest potential.";
    Zone2 = "zone_2", "Moderate potential.";
    Zone3 = "zone_3", "Low potential.";
    NotListed = "not_listed", "The county is not on the list.";
});

/// The key of a fact in the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FactKey {
    /// Flood zone.
    Flood,
    /// Wetlands.
    Wetlands,
    /// Soil.
    Soils,
    /// Height of the ground.
    Elevation,
    /// Shoreland; only in Minnesota.
    Shoreland,
    /// Radon zone of the county.
    Radon,
}

impl FactKey {
    /// All keys, in the order of the answer.
    pub const ALL: [FactKey; 6] = [
        FactKey::Flood,
        FactKey::Wetlands,
        FactKey::Soils,
        FactKey::Elevation,
        FactKey::Shoreland,
        FactKey::Radon,
    ];

    /// The contract's word.
    pub fn as_str(self) -> &'static str {
        match self {
            FactKey::Flood => "flood",
            FactKey::Wetlands => "wetlands",
            FactKey::Soils => "soils",
            FactKey::Elevation => "elevation",
            FactKey::Shoreland => "shoreland",
            FactKey::Radon => "radon",
        }
    }
}

/// A set of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FactKeys(u8);

impl FactKeys {
    /// Whether a key is in the set.
    pub fn contains(self, key: FactKey) -> bool {
        self.0 & (1 << key as u8) != 0
    }

    /// Whether no key is in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The keys, in the order of the answer.
    pub fn iter(self) -> impl Iterator<Item = FactKey> {
        FactKey::ALL.into_iter().filter(move |key| self.contains(*key))
    }

    /// The keys that are not among the others.
    pub fn without(self, others: FactKeys) -> FactKeys {
        FactKeys(self.0 & !others.0)
    }
}

impl FromIterator<FactKey> for FactKeys {
    fn from_iter<I: IntoIterator<Item = FactKey>>(keys: I) -> FactKeys {
        FactKeys(keys.into_iter().fold(0, |bits, key| bits | 1 << key as u8))
    }
}
