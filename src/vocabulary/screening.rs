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
