//! How much of the directory is known, by state, job and layer. The figures are counted once, when the pipeline makes a
//! snapshot.

use rkyv::{Archive, Deserialize, Serialize, rancor};

use crate::vocabulary::{Function, StateCode};

/// The coverage figures as stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Archive, Deserialize, Serialize)]
pub struct CoverageFigures {
    /// Numbers of people, by state and job; ascending.
    pub jobs: Vec<JobFigures>,
    /// Numbers of outlines, by layer and state; ascending.
    pub lines: Vec<LineFigures>,
    /// Numbers of links and days of checks, by state; ascending.
    pub states: Vec<StateFigures>,
}

/// Numbers of people in a state for one job. People are counted by where they live: in a place, a town or the rest of a
/// county.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Archive, Deserialize, Serialize)]
pub struct JobFigures {
    /// FIPS code of the state.
    pub state: u8,
    /// Index of the function in [`Function::ALL`].
    pub function: u8,
    /// Number of all people of the state.
    pub people: u32,
    /// Number of people whose office is known, and also the government that runs this office.
    pub office: u32,
    /// Number of people for whom the rules say that no office does the job.
    pub no_office: u32,
    /// Number of people whose first link is a page on which they can do the job.
    pub action: u32,
    /// Number of people whose first link is the office's own page.
    pub office_page: u32,
    /// Number of people whose first link is another page about the job.
    pub other_page: u32,
    /// Number of people whose first link is the home page of a government.
    pub home_page: u32,
    /// Number of people whose first link is a portal or a download of data.
    pub data: u32,
    /// Number of people who get a telephone number: that of the office, or the main number of the office's government.
    pub phone: u32,
    /// Number of people whose first link was verified.
    pub verified: u32,
    /// Number of people whose first link may be broken.
    pub broken: u32,
}

/// Numbers for the jurisdictions of one layer in one state: how many are found at a point inside them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Archive, Deserialize, Serialize)]
pub struct LineFigures {
    /// Number of the layer, `Layer as u8`.
    pub layer: u8,
    /// FIPS code of the state.
    pub state: u8,
    /// Number of jurisdictions for which a point inside is known.
    pub points: u32,
    /// Number of jurisdictions that a lookup of this point returns.
    pub own: u32,
}

/// Numbers of links of a state, and the day on which the state's rules were checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Archive, Deserialize, Serialize)]
pub struct StateFigures {
    /// FIPS code of the state; 0 for links of the nation.
    pub state: u8,
    /// Number of different web addresses.
    pub addresses: u32,
    /// Number of addresses that were verified.
    pub verified: u32,
    /// Number of addresses that may be broken.
    pub broken: u32,
    /// Day of the last link check as digits, such as 20261126; 0 if no link was checked.
    pub last_look: u32,
    /// Day of the last check of the rules as digits, such as 20261126; 0 if the state has no rules.
    pub rules_checked: u32,
}

impl CoverageFigures {
    /// The digits of a day, such as 20261126; 0 for a text that does not begin with a day.
    pub fn digits_of_day(text: &str) -> u32 {
        let day = text.get(..10).filter(|day| day.bytes().filter(|byte| *byte == b'-').count() == 2);
        day.and_then(|day| day.replace('-', "").parse().ok()).unwrap_or(0)
    }

    /// Formats a day from its digits, such as `2026-11-26`; `None` for 0 and for digits that are not a day.
    pub fn day_of_digits(digits: u32) -> Option<String> {
        let (year, month, day) = (digits / 10_000, digits / 100 % 100, digits % 100);
        let is_day = (1_000..10_000).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
        is_day.then(|| format!("{year}-{month:02}-{day:02}"))
    }
}

impl JobFigures {
    /// Figures of a state and a job, with all counts 0.
    pub fn of(state: StateCode, function: Function) -> JobFigures {
        JobFigures { state: state.fips(), function: function as u8, ..JobFigures::default() }
    }

    /// Adds the counts of another state or job to these.
    pub fn add(&mut self, other: &JobFigures) {
        let mut other = *other;
        self.counts()
            .into_iter()
            .zip(other.counts())
            .for_each(|(sum, more)| *sum = sum.saturating_add(*more));
    }

    fn counts(&mut self) -> [&mut u32; 11] {
        [
            &mut self.people,
            &mut self.office,
            &mut self.no_office,
            &mut self.action,
            &mut self.office_page,
            &mut self.other_page,
            &mut self.home_page,
            &mut self.data,
            &mut self.phone,
            &mut self.verified,
            &mut self.broken,
        ]
    }
}

impl ArchivedCoverageFigures {
    /// Reads all figures, about 600 rows.
    pub fn read(&self) -> CoverageFigures {
        rkyv::deserialize::<_, rancor::Error>(self).expect("rows of numbers are read as they stand")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_as_they_were_written() {
        let mut job = JobFigures::of(StateCode::from_fips(27).unwrap(), Function::Recording);
        let mut next = 0;
        job.counts().into_iter().for_each(|count| {
            next += 1;
            *count = next;
        });
        let figures = CoverageFigures {
            jobs: vec![job],
            lines: vec![LineFigures { layer: 1, state: 27, points: 3, own: 2 }],
            states: vec![StateFigures {
                state: 27,
                addresses: 9,
                verified: 4,
                broken: 3,
                last_look: 20_261_126,
                rules_checked: 20_260_101,
            }],
        };
        let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&figures).unwrap();
        let read = rkyv::access::<ArchivedCoverageFigures, rkyv::rancor::Error>(&bytes).unwrap();
        assert_eq!(read.read(), figures);
        assert_eq!((job.people, job.office, job.broken), (1, 2, 11));
        job.add(&figures.jobs[0]);
        assert_eq!((job.state, job.people, job.broken), (27, 2, 22));
    }

    #[test]
    fn days_are_digits_and_digits_days() {
        for (text, digits, day) in [
            ("2026-11-26", 20_261_126, Some("2026-11-26")),
            ("2026-11-26T01:02:03Z", 20_261_126, Some("2026-11-26")),
            ("2026-13-26", 20_261_326, None),
            ("", 0, None),
            ("2026", 0, None),
            ("never looked", 0, None),
        ] {
            assert_eq!(CoverageFigures::digits_of_day(text), digits, "{text}");
            assert_eq!(CoverageFigures::day_of_digits(digits).as_deref(), day, "{text}");
        }
    }
}
