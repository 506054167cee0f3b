//! Chooses one main site for each government from the decisions on rows.

use std::collections::{BTreeMap, BTreeSet};

use platbook::vocabulary::{FunctionSet, JurisdictionId, SourceKind, StateCode, VerifiedStatus};

use super::{
    DOTGOV, DotGovRow, GSA, GsaRow, Joined, Retired,
    index::Index,
    judge::{Grade, Verdict, by_hand, judge},
    label::label,
    parse::Subject,
    words::words,
};
use crate::{
    curated::PublishedLists,
    directory::records::{Rejected, Website},
};

/// A domain that may be a main site or an office's site.
#[derive(Clone, Debug)]
struct Candidate {
    domain: String,
    url: String,
    line: usize,
    rank: (Grade, bool),
}

/// A group of ids and the functions of an office; no functions for the main site.
type Post = (usize, FunctionSet);

/// Collects the candidates of both lists, the registry's first.
pub(super) struct Choice<'a> {
    index: &'a Index<'a>,
    lists: &'a PublishedLists,
    posts: BTreeMap<Post, Vec<Candidate>>,
    titles: BTreeMap<String, String>,
    with_gov: BTreeSet<usize>,
    joined: Joined,
}

impl<'a> Choice<'a> {
    pub(super) fn new(index: &'a Index<'a>, lists: &'a PublishedLists) -> Choice<'a> {
        Choice {
            index,
            lists,
            posts: BTreeMap::new(),
            titles: BTreeMap::new(),
            with_gov: BTreeSet::new(),
            joined: Joined::default(),
        }
    }

    /// Takes a row of the registry of .gov domains.
    pub(super) fn dotgov(&mut self, row: &DotGovRow) {
        let kind = row.kind.trim_end_matches(" - Election");
        let hand = by_hand(self.index, &self.lists.domains, &row.domain);
        let url = format!("https://{}/", row.domain);
        if hand.is_empty() && !["City", "County"].contains(&kind) {
            return self.count("not of a county, city or town");
        }
        let Some(state) = state_of(&row.state) else {
            return self.reject(DOTGOV, &row.domain, row.line, "no state");
        };
        let subject = Subject {
            state,
            words: words(&row.organization, Some(state)),
            label: &label(&row.domain),
            city: &row.city,
            county: kind == "County",
        };
        if hand.is_empty() {
            self.take(DOTGOV, judge(self.index, &subject), &row.domain, url.clone(), row.line);
        }
        for group in hand {
            self.take(DOTGOV, Verdict::Main(group, Grade::Plain), &row.domain, url.clone(), row.line);
        }
    }

    /// Takes a row of the older list. Its address cannot replace a .gov domain. The row is rejected if only the
    /// address names a government.
    pub(super) fn gsa(&mut self, row: &GsaRow, retired: &Retired) {
        let host = row.domain.split('/').next().unwrap_or_default();
        let usable = !host.is_empty() && host == row.domain && is_host(host);
        if usable
            && !retired.contains(&row.domain)
            && ["County", "Local", "State", "Regional"].contains(&row.level.as_str())
        {
            self.joined.hosts.listed.insert(host.strip_prefix("www.").unwrap_or(host).to_owned());
        }
        if !["County", "Local"].contains(&row.level.as_str()) {
            return self.count("listed, but not of a county, city or town");
        }
        let state = StateCode::all().find(|state| state.name().eq_ignore_ascii_case(&row.state));
        let refusal = match state {
            _ if retired.contains(&row.domain) => Some("retired from the list"),
            None => Some("no state"),
            _ if !usable => Some("an address without a host of its own"),
            _ if link_leads_away(row) => Some("the list itself points elsewhere"),
            Some(state) if foreign_us(host, state) => Some("the address is of another state"),
            _ => None,
        };
        let (Some(state), None) = (state, refusal) else {
            return self.reject(GSA, &row.domain, row.line, refusal.unwrap_or("no state"));
        };
        let label = label(host);
        if ["visit", "cfc", "tour", "explore"].iter().any(|word| label.starts_with(word)) {
            return self.reject(GSA, &row.domain, row.line, "tourism or recreation");
        }
        let county = row.level == "County";
        let subject =
            Subject { state, words: words(&row.comment, Some(state)), label: &label, city: "", county };
        let verdict = match judge(self.index, &subject) {
            Verdict::Main(group, Grade::Address) => {
                Verdict::Neither("only the address names a government", Some(group))
            }
            Verdict::Main(group, _) if self.with_gov.contains(&group) => {
                Verdict::Neither("replaced by a .gov domain", Some(group))
            }
            verdict => verdict,
        };
        let scheme =
            row.link.as_deref().filter(|link| link.starts_with("https:")).map_or("http", |_| "https");
        self.take(GSA, verdict, &row.domain, format!("{scheme}://{}/", row.domain), row.line);
    }

    fn take(&mut self, source: &'static str, verdict: Verdict, domain: &str, url: String, line: usize) {
        let own = |group: usize, choice: &mut Self| {
            let ids = choice.index.members(group).map(|member| member.id);
            let bare = domain.strip_prefix("www.").unwrap_or(domain).to_owned();
            choice.joined.hosts.owners.entry(bare).or_default().extend(ids);
        };
        let candidate = |rank| Candidate { domain: domain.to_owned(), url, line, rank };
        match verdict {
            Verdict::Main(group, grade) => {
                own(group, self);
                let spot = self.posts.entry((group, FunctionSet::default())).or_default();
                spot.push(candidate((grade, false)));
            }
            Verdict::Office(group, functions, title, named) => {
                own(group, self);
                self.titles.insert(domain.to_owned(), title);
                let spot = self.posts.entry((group, functions)).or_default();
                spot.push(candidate((Grade::Plain, !named)));
            }
            Verdict::Neither(reason, group) => {
                if let Some(group) = group {
                    own(group, self);
                }
                self.reject(source, domain, line, reason);
            }
        }
    }

    /// Chooses among the registry's candidates. Only governments that get no site here can get a site of the older
    /// list.
    pub(super) fn settle_dotgov(&mut self) {
        self.settle(DOTGOV, SourceKind::DomainRegistry, VerifiedStatus::NotYetVerified);
    }

    /// Chooses among the older list's candidates, and returns all results.
    pub(super) fn finish(mut self) -> Joined {
        self.settle(GSA, SourceKind::AddressList, VerifiedStatus::PossiblyBroken);
        self.joined
    }

    fn settle(&mut self, source: &'static str, kind: SourceKind, status: VerifiedStatus) {
        for ((group, functions), mut candidates) in std::mem::take(&mut self.posts) {
            candidates.sort_by_key(|one| (one.rank, one.domain.len(), one.domain.clone()));
            let bodies = self.index.shown(group);
            if functions.is_empty() {
                self.with_gov.insert(group);
            }
            let tied = candidates.iter().filter(|one| one.rank == candidates[0].rank).count() > 1;
            self.count(outcome(source, functions, candidates.len(), tied));
            for other in candidates.iter().skip(1) {
                self.reject(
                    source,
                    &other.domain,
                    other.line,
                    "another domain of this government was chosen",
                );
            }
            let chosen = &candidates[0];
            if bodies.is_empty() {
                self.reject(source, &chosen.domain, chosen.line, "the area has no government of its own");
            }
            let office = self.titles.get(&chosen.domain).filter(|_| !functions.is_empty()).cloned();
            self.joined.records.websites.extend(bodies.into_iter().map(|body| Website {
                body: JurisdictionId::Census(body),
                functions,
                office: office.clone(),
                url: chosen.url.clone(),
                phone: None,
                email: None,
                address: None,
                source: source.to_owned(),
                kind,
                status,
            }));
        }
    }

    fn reject(&mut self, source: &str, domain: &str, line: usize, reason: &'static str) {
        let what = format!("line {line}: {domain}");
        self.joined.records.rejected.push(Rejected { source: source.to_owned(), what, reason });
        self.count(reason);
    }

    fn count(&mut self, outcome: &'static str) {
        *self.joined.counts.entry(outcome).or_default() += 1;
    }
}

fn outcome(source: &str, functions: FunctionSet, candidates: usize, tied: bool) -> &'static str {
    match (source == DOTGOV, functions.is_empty(), candidates, tied) {
        (true, true, 1, _) => ".gov: main site, one domain",
        (true, true, _, false) => ".gov: main site, one of several by its address",
        (true, true, _, true) => ".gov: main site, tied, shortest kept",
        (true, false, ..) => ".gov: office site",
        (false, true, 1, _) => "listed: main site, one address",
        (false, true, _, false) => "listed: main site, one of several by its address",
        (false, true, _, true) => "listed: main site, tied, shortest kept",
        (false, false, ..) => "listed: office site",
    }
}

fn state_of(usps: &str) -> Option<StateCode> {
    StateCode::all().find(|state| state.usps() == usps)
}

fn is_host(host: &str) -> bool {
    let letters = |piece: &str| {
        !piece.is_empty()
            && piece.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    host.contains('.') && host.split('.').all(letters) && last.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Whether the page that a reviewer opened is on another domain.
fn link_leads_away(row: &GsaRow) -> bool {
    let Some(link) = row.link.as_deref() else { return false };
    let host =
        link.split("//").nth(1).and_then(|rest| rest.split(['/', '?', ':']).next()).unwrap_or_default();
    let (host, domain) = (host.to_lowercase(), row.domain.trim_start_matches("www."));
    let host = host.trim_start_matches("www.");
    host != domain && !host.ends_with(&format!(".{domain}")) && !domain.ends_with(&format!(".{host}"))
}

/// Whether a host lies under another state's part of .us.
fn foreign_us(host: &str, state: StateCode) -> bool {
    let pieces: Vec<&str> = host.rsplit('.').collect();
    match pieces.as_slice() {
        ["us", code, _, ..] => {
            code.len() == 2 && state_of(&code.to_uppercase()).is_some_and(|other| other != state)
        }
        _ => false,
    }
}
