//! FUNCSTAT: whether a legal area functions as a government.

/// Census functional status, reduced to the distinctions that the directory needs.
///
/// Source: Census Bureau, Functional Status Codes and Definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum FuncStat {
    /// A: active government providing primary general-purpose functions.
    Active = b'A',
    /// B: active government, partially consolidated with another, with its own officials.
    PartlyConsolidated = b'B',
    /// C: active government consolidated with another, with a single set of officials.
    Consolidated = b'C',
    /// F: fictitious entity that fills the Census hierarchy (a city as its own county subdivision).
    Fictitious = b'F',
    /// G: active government that is subordinate to another unit of government.
    Subordinate = b'G',
    /// I: inactive governmental unit that has the power to provide special-purpose functions.
    Inactive = b'I',
    /// N: nonfunctioning legal entity.
    Nonfunctioning = b'N',
    /// S: statistical entity, not a government.
    Statistical = b'S',
    /// U: unknown, because the source carries no status and no rule supplies one.
    Unknown = b'U',
}

impl FuncStat {
    const ALL: [FuncStat; 9] = [
        FuncStat::Active,
        FuncStat::PartlyConsolidated,
        FuncStat::Consolidated,
        FuncStat::Fictitious,
        FuncStat::Subordinate,
        FuncStat::Inactive,
        FuncStat::Nonfunctioning,
        FuncStat::Statistical,
        FuncStat::Unknown,
    ];

    /// The status with this Census letter; `None` for a letter that the Census Bureau does not define.
    pub fn from_letter(letter: u8) -> Option<FuncStat> {
        FuncStat::ALL.into_iter().find(|status| *status as u8 == letter)
    }

    /// The Census letter; `U` if the status is unknown.
    pub fn letter(self) -> char {
        self as u8 as char
    }

    /// Whether the area itself acts as a government. A fictitious area acts through its partner (`same_as`); an area
    /// of unknown status is assumed not to act.
    pub fn governs(self) -> bool {
        matches!(
            self,
            FuncStat::Active | FuncStat::PartlyConsolidated | FuncStat::Consolidated | FuncStat::Subordinate
        )
    }

    /// Whether the area is drawn for statistics only and is therefore not a jurisdiction.
    pub fn is_statistical(self) -> bool {
        self == FuncStat::Statistical
    }
}
