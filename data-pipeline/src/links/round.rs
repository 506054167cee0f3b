//! A round over the links of a snapshot: finds those that are due, estimates the time, and looks at each of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    str::FromStr,
    time::{Duration, Instant},
};

use jiff::civil::Date;
use platbook::directory::Directory;
use platbook_https::Hosts;
use url::Url;

use super::{
    crawl::{Crawler, Manners, host_of},
    ledger::{Ledger, LedgerError, Table},
    rule::{Observation, Outcome},
    subject::{Link, links},
};

/// A day from which weeks are counted; any would do.
const FIRST_DAY: Date = jiff::civil::date(2026, 1, 1);

/// If a run has had no answer after this number of looks, this machine counts as offline. Otherwise each host would
/// count as gone when the name server is down. Chosen, not measured.
const OFFLINE_LOOKS: u64 = 20;

/// A part of all links. Links of one host are in the same part, so that the host gets requests only on one day of the
/// round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    number: u64,
    of: u64,
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let numbers =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Part { number, of }),
            _ => Err(format!("expected K/N with K from 1 to N, got {text:?}")),
        }
    }
}

impl Part {
    /// Returns the part of the links for a day, in a round of `days` days.
    pub fn of_day(day: Date, days: u8) -> Part {
        let of = u64::from(days.max(1));
        let passed = i64::from((day - FIRST_DAY).get_days());
        Part { number: passed.rem_euclid(of as i64) as u64 + 1, of }
    }

    /// Whether a link belongs to this part. The result is the same in every run.
    pub fn has(self, link: &Link) -> bool {
        let digest = blake3::hash(link.host().as_bytes());
        let number = u64::from_le_bytes(digest.as_bytes()[..8].try_into().expect("a digest has 32 bytes"));
        number % self.of == self.number - 1
    }

    /// Whether a link is due on a day: in its part, or later if a night of its part was missed. A link that was never
    /// looked at waits for its part, so that the first night is as long as others.
    fn is_due(self, link: &Link, table: &Table, day: Date) -> bool {
        let days = |looked: Date| i64::from((day - looked).get_days());
        let is_late = |looked: Date| self.of > 1 && days(looked) > self.of as i64;
        self.has(link) || table.links.get(&link.url).is_some_and(|state| is_late(state.looked))
    }
}

impl Link {
    /// The host of the link with its port; empty for a text that is not an address.
    pub(super) fn host(&self) -> String {
        Url::parse(&self.url).map_or_else(|_| String::new(), |url| host_of(&url))
    }
}

/// An estimate, before the first request, of how long a round will take.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Number of links to look at.
    pub links: usize,
    /// Number of hosts of these links.
    pub hosts: usize,
    /// Number of requests: one for each link, for the rules of each host, and for a page that cannot exist in each
    /// folder.
    pub requests: usize,
    /// The host with the most requests, and their number.
    pub longest: (String, usize),
    /// Duration of the whole round, if each host answers within the pause.
    pub lasts: Duration,
}

/// Plans the requests for these links. Several hosts get requests at the same time, in the order of the crawler.
pub fn plan(links: &[Link], manners: &Manners) -> Plan {
    let mut by_host: BTreeMap<String, (usize, BTreeSet<String>)> = BTreeMap::new();
    for link in links {
        let (count, folders) = by_host.entry(link.host()).or_default();
        *count += 1;
        let path = Url::parse(&link.url).map(|url| url.path().to_owned()).unwrap_or_default();
        if path != "/" {
            folders.insert(path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned()));
        }
    }
    // The time at which each slot ends its work. The next host takes the slot that is free first.
    let mut slots = vec![0; manners.hosts_max.max(1)];
    let (mut requests, mut longest) = (0, (String::new(), 0));
    for (host, (count, folders)) in &by_host {
        let of_host = 1 + count + folders.len();
        requests += of_host;
        if of_host > longest.1 {
            longest = (host.clone(), of_host);
        }
        let first = slots.iter_mut().min().expect("there is a slot");
        *first += of_host;
    }
    let lasts = manners.pause.saturating_mul(slots.into_iter().max().unwrap_or(0) as u32);
    Plan { links: links.len(), hosts: by_host.len(), requests, longest, lasts }
}

/// A round over the links of a snapshot, or a part of it.
#[derive(Clone, Debug)]
pub struct Round {
    /// The part of the links to look at.
    pub part: Part,
    /// The pauses and limits for requests to hosts.
    pub manners: Manners,
    /// The hosts that may get requests.
    pub hosts: Hosts,
    /// The day of the looks.
    pub day: Date,
    /// Time at which the round ends even if links are left; `None` for no limit.
    pub until: Option<Instant>,
}

/// The results of a round.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Looked {
    /// Number of looks by their outcome.
    pub found: BTreeMap<&'static str, u64>,
    /// Addresses that belong to someone else now, each with the title of its page.
    pub taken_over: Vec<(String, String)>,
    /// Number of looks to which a server answered.
    pub answered: u64,
    /// Number of links that are left because the time was over.
    pub left: usize,
}

/// The reason why a round ended before all links were looked at.
enum Stopped {
    Ledger(LedgerError),
    Time,
}

impl From<std::io::Error> for Stopped {
    fn from(source: std::io::Error) -> Stopped {
        Stopped::Ledger(LedgerError::Crawler(source))
    }
}

impl Round {
    /// Looks at the links that are due, and folds the results into the ledger. A round that was interrupted on the same
    /// day continues. `tell` gets each observation, and the number of links that were due at the start.
    ///
    /// # Errors
    /// If the ledger cannot be used, the round of this day has ended already, or no host answers.
    pub fn look(
        &self,
        directory: &Directory,
        ledger: &mut Ledger,
        mut tell: impl FnMut(&Observation, usize),
    ) -> Result<Looked, LedgerError> {
        let mut run = ledger.begin(&self.day.to_string())?;
        let all = links(directory, &ledger.table);
        let is_due =
            |link: &Link| self.part.is_due(link, &ledger.table, self.day) && !run.has_seen(&link.url);
        let due: Vec<Link> = all.into_iter().filter(is_due).collect();
        let count = due.len();
        let mut looked = Looked { left: count, ..Looked::default() };
        let crawler = Crawler::new(self.manners.clone(), self.hosts.clone());
        let outcome = crawler.run_here(due, self.day, |observation| {
            run.add(&observation).map_err(Stopped::Ledger)?;
            looked.add(&observation);
            tell(&observation, count);
            let is_over = self.until.is_some_and(|until| Instant::now() >= until);
            if is_over { Err(Stopped::Time) } else { Ok(()) }
        });
        if let Err(Stopped::Ledger(error)) = outcome {
            return Err(error);
        }
        let looks: u64 = looked.found.values().sum();
        if looked.answered == 0 && looks >= OFFLINE_LOOKS {
            ledger.forget(&run)?;
            return Err(LedgerError::Offline(looks));
        }
        ledger.end(run)?;
        Ok(looked)
    }
}

impl Looked {
    fn add(&mut self, observation: &Observation) {
        let finding = &observation.finding;
        *self.found.entry(word(finding.outcome)).or_default() += 1;
        self.answered += u64::from(finding.http_status.is_some());
        self.left = self.left.saturating_sub(1);
        if finding.outcome == Outcome::TakenOver {
            let title = finding.note.clone().unwrap_or_default();
            self.taken_over.push((observation.url.clone(), title));
        }
    }
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Works => "works",
        Outcome::Gone => "gone",
        Outcome::SoftMissing => "gone, though the server does not say so",
        Outcome::TakenOver => "taken over",
        Outcome::Unknown => "nothing can be said",
    }
}

#[cfg(test)]
mod tests {
    use jiff::ToSpan as _;

    use super::*;
    use crate::links::{Finding, LinkState};

    fn link(url: &str) -> Link {
        Link { url: url.to_owned(), words: Vec::new(), etag: None }
    }

    #[test]
    fn each_host_is_in_one_part() {
        let parts: Vec<Part> = (1..=7).map(|number| format!("{number}/7").parse().unwrap()).collect();
        let mut sizes = [0; 7];
        for number in 0..700 {
            let urls = [1, 2, 3].map(|page| link(&format!("https://h{number}.example/{page}")));
            let of: Vec<usize> = (0..7).filter(|part| parts[*part].has(&urls[0])).collect();
            let [part] = of[..] else { panic!("{number} is in {of:?}") };
            assert!(urls.iter().all(|link| parts[part].has(link)), "{number}");
            sizes[part] += 1;
        }
        assert!(sizes.iter().all(|size| (60..140).contains(size)), "{sizes:?}");
        for text in ["", "0/7", "8/7", "1", "1/0", "-1/7", "a/b"] {
            assert!(text.parse::<Part>().is_err(), "{text}");
        }
    }

    /// In 60 nights, some without a round, each link of 100 hosts is looked at once a week, or soon after a missed
    /// night.
    #[test]
    fn each_link_is_due_once_a_week() {
        let links: Vec<Link> = (0..100).map(|number| link(&format!("https://h{number}.example/"))).collect();
        let mut table = Table::default();
        for night in 0..60_i32 {
            let day = jiff::civil::date(2026, 11, 20) + night.days();
            if [20, 21, 40].contains(&night) {
                continue;
            }
            let is_due = |link: &&Link| Part::of_day(day, 7).is_due(link, &table, day);
            for link in links.iter().filter(is_due).collect::<Vec<_>>() {
                let finding = Finding::new(Outcome::Works, None);
                let seen = Observation { url: link.url.clone(), day, finding };
                let before = table.links.remove(&link.url);
                let since = before.as_ref().map(|state| (day - state.looked).get_days());
                // Links of a missed night wait for the next night, and are later looked at in their own part again.
                assert!(since.is_none_or(|since| (1..=9).contains(&since)), "{since:?} in night {night}");
                let is_after_a_gap = (21..35).contains(&night) || (41..55).contains(&night);
                assert!(is_after_a_gap || since.is_none_or(|since| since == 7), "{since:?} in night {night}");
                table.links.insert(link.url.clone(), LinkState::after(before, &seen));
            }
            assert!(night < 6 || table.links.len() == 100, "{} links in night {night}", table.links.len());
        }
        for (day, expected) in [(date(1, 1), 1), (date(1, 7), 7), (date(1, 8), 1)] {
            assert_eq!(Part::of_day(day, 7), Part { number: expected, of: 7 });
        }
    }

    fn date(month: i8, day: i8) -> Date {
        jiff::civil::date(2026, month, day)
    }

    #[test]
    fn a_plan_counts_each_request() {
        let manners = |hosts_max| Manners { hosts_max, ..Manners::default() };
        let links = ["https://a.example/", "https://a.example/x/1", "https://a.example/x/2"];
        let links: Vec<Link> = links.into_iter().chain(["https://b.example/y", "no"]).map(link).collect();
        let of_a = ("a.example:443".to_owned(), 5);
        for (hosts_max, seconds) in [(64, 5), (1, 11)] {
            let expected = Plan {
                links: 5,
                hosts: 3,
                requests: 11,
                longest: of_a.clone(),
                lasts: Duration::from_secs(seconds),
            };
            assert_eq!(plan(&links, &manners(hosts_max)), expected);
        }
        assert_eq!(plan(&[], &manners(64)).lasts, Duration::ZERO);
    }
}
