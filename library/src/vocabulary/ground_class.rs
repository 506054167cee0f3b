//! The classes of roads and water that maps show.

/// The class of a line or an area of the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroundClass {
    /// A lake, a pond or the sea, as an area.
    Lake,
    /// A river, a stream, a canal or a shore, as a line.
    River,
    /// A street with a name.
    Street,
    /// A main road, such as a state highway.
    Road,
    /// A highway with ramps.
    Highway,
}

impl GroundClass {
    /// The class of a MAF/TIGER feature class code; `None` for codes that maps do not show. `is_area` says whether the
    /// feature is an area.
    pub fn of_code(code: &str, is_area: impl FnOnce() -> bool) -> Option<GroundClass> {
        match code {
            "S1100" => Some(GroundClass::Highway),
            "S1200" => Some(GroundClass::Road),
            "S1400" => Some(GroundClass::Street),
            // A shore: in files of edges, the line of a lake or of the sea.
            "P0002" => Some(GroundClass::River),
            code if code.starts_with('H') => {
                Some(if is_area() { GroundClass::Lake } else { GroundClass::River })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_their_class() {
        for (code, is_area, class) in [
            ("S1100", false, Some(GroundClass::Highway)),
            ("S1200", false, Some(GroundClass::Road)),
            ("S1400", false, Some(GroundClass::Street)),
            ("H2030", true, Some(GroundClass::Lake)),
            ("H3010", true, Some(GroundClass::Lake)),
            ("H3010", false, Some(GroundClass::River)),
            ("P0002", false, Some(GroundClass::River)),
            ("P0001", false, None),
            ("R1011", false, None),
            ("", false, None),
        ] {
            assert_eq!(GroundClass::of_code(code, || is_area), class, "{code}");
        }
    }
}
