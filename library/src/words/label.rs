//! Headings and short remarks, which renderers need besides the sentences of answers.

use crate::{
    answers::{FoundAddress, JobShares, LayerCoverage, LinkCoverage},
    directory::Quality,
    vocabulary::{DatedKind, Function, LevyScope, PublisherKind, Role, SourceKind, VerifiedStatus},
};

/// A heading, or a remark without a value in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the name of each says it")]
pub enum Label {
    Governments,
    /// `Governments` for a list that shows each government with its id.
    GovernmentsWithIds,
    WhoDoesWhat,
    /// `WhoDoesWhat` if each job varies locally.
    WhoDoesWhatVaries,
    Offices,
    Pages,
    PagesByTopic,
    Places,
    Counties,
    MapFacts,
    Caveats,
    Sources,
    /// Links a page of this service.
    OwnPage,
    Topic,
    /// Stands before a further body for the same job.
    Also,
    /// Stands before the first page of a list.
    Best,
    /// Stands before each further page of a list.
    Then,
    /// Stands before the page that confirms a fact.
    Confirm,
    /// Stands before the names of those who make an official decision.
    Decides,
    /// Stands before the local office that decides.
    DecidesHere,
    /// Names the tool that looks up a fact at a point, for models.
    ScreenHere,
    Telephone,
    /// No telephone number of an office is on record.
    NoTelephone,
    Note,
    RelatedGuides,
    DatesAndAmounts,
    /// No office does a job.
    NoOffice,
    /// The outcome is uncertain: the reader has to check it.
    NotSure,
    /// The outcome is right in general.
    VariesLocally,
    /// The link of an office is the main site of its government.
    MainSite,
    /// No page of a place is on record for a topic.
    NoPage,
    /// The publisher of a page is not a government.
    NotOfficial,
    /// Remark for a list in which links without a remark of their own were not checked.
    UncheckedLinks,
    /// A state has no rule for a function.
    NoRule,
    /// An office has neither page nor telephone.
    NoContact,
    /// A sentence that an office has no telephone on record.
    NoNumber,
    /// Stands before the tasks of a page, each with its office.
    Tasks,
    /// Says what trust land changes, at a point on land of a nation.
    InTrust,
    /// Stands before the tasks of a page on land of a nation.
    TasksInFee,
    /// Stands before a telephone number.
    Call,
    /// Stands before the reasons of a page.
    WhyThese,
    /// Links the office's own page.
    OfficePage,
    /// Links the main site of a government, which has no better page on record.
    StartAtMainSite,
    /// Stands before tasks that the same office does on both sides of a line.
    SameEitherWay,
    /// Stands before tasks that another office does on the other side of a line.
    DependsOnLine,
    /// Stands beside the office on the mapped side of a line.
    Likely,
    /// Stands beside the office on the other side of a line.
    IfLineIsOff,
    /// Stands before tasks that a city inside a county or town does itself.
    DependsOnCity,
    /// Stands before tasks that the reader's city or town does, or for which it knows the office.
    ChooseAbove,
    /// Stands before the sentences on the law that applies on land of a nation.
    WhatItChanges,
    /// Stands before the shares of people by job.
    KnownByJob,
    /// Stands before the shares of people by state.
    KnownByState,
    /// Stands before the outlines by layer.
    KnownOutlines,
    /// Stands before the checks of links and rules.
    KnownLinks,
    /// Stands before the cities of a county.
    ChooseCity,
    /// Stands before the cities and towns of a county whose towns do jobs, too.
    ChooseTown,
}

/// A remark with a value in it.
#[derive(Clone, Copy, Debug)]
pub enum Phrase<'a> {
    /// The relation of a point to its areas; [`Quality::Inside`] needs no words.
    Quality(Quality),
    /// The law that a reason rests on.
    Law(&'a str),
    /// The part that a further body has in a function.
    Role(Role, Option<LevyScope>),
    /// Whether a link was checked, as the end of a sentence. The text is the day on which the source of the link was
    /// read; empty if unknown.
    Link(VerifiedStatus, &'a str),
    /// The way in which a page was found.
    FoundBy(SourceKind),
    /// The way in which an address was read.
    AddressRead(&'a FoundAddress),
    /// The share of a ZIP code's addresses that lie in a county, in percent.
    AddressShare(u64),
    /// The office is the same as the office for this function.
    SameOffice(Function),
    /// An office does these jobs only in a part of a place.
    InPart(&'a [Function]),
    /// The hall at which to ask if an office has neither page nor telephone: legal word and name of its government.
    AskHall(&'a str, &'a str),
    /// A page of another government.
    PageOf(&'a str),
    /// Stands before the rules of this state.
    InState(&'a str),
    /// Further sources, which are listed elsewhere.
    FurtherSources(usize),
    /// Sources other than those whose addresses stand in the text.
    OtherSources(&'a str),
    /// The source is not official. The value is the kind of its publisher, if known.
    NotOfficial(Option<PublisherKind>),
    /// The date of a map.
    MapOf(&'a str),
    /// The day on which a guide was checked.
    GuideChecked(&'a str),
    /// The day on which the rules of a state were checked.
    RulesChecked(&'a str),
    /// The day on which the first of the shown links was gathered.
    LinksGathered(&'a str),
    /// Links a government to ask if the office is not known.
    StartByAsking(&'a str),
    /// Advises to ask this nation first about its land.
    AskNation(&'a str),
    /// The land of a nation in which a point lies.
    OnLand(&'a str),
    /// Stands before tasks that the same office does in all of this government.
    Anywhere(&'a str),
    /// The date of an answer, RFC 3339.
    AsOf(&'a str),
    /// The number of a list's offices with a telephone on record, and the number of all its offices.
    Telephones(usize, usize),
    /// The number of further pages on a topic, and the limit that shows them.
    MoreOnTopic(usize, usize),
    /// The people of a place, and the year of the estimate.
    People(u32, u16),
    /// The board or office that takes an appeal or an application.
    TakenBy(&'a str),
    /// Links the main site of a government, which has no better page on record, by its host.
    StartAt(&'a str),
    /// A kind of dates, and its next days as text. The text is empty if no day is shown.
    DatedInShort(DatedKind, &'a str),
    /// Exemptions of some owners that are left out: their kinds, and the state whose guide has them. Without a state,
    /// the phrase says how a model can request them.
    FurtherRelief(&'a [DatedKind], Option<&'a str>),
    /// This place has no page on the topic on record, but its office is on record.
    OnlyOffice(&'a str),
    /// This place has neither an office nor a page for the topic on record.
    NoLocalOffice(&'a str),
    /// The city that the answer is about, and other governments of the same name with their ids.
    CityTaken(&'a str, &'a str),
    /// The number of rows that are shown, and the number of all rows.
    Shown(usize, usize),
    /// The number of a search's places that are shown, if there may be more.
    PlacesShown(usize),
    /// The cursor of the next page of a list.
    NextPage(&'a str),
    /// A figure on how much is known.
    Known(Known<'a>),
}

/// A figure on how much is known, and how fresh it is.
#[derive(Clone, Copy, Debug)]
pub enum Known<'a> {
    /// Shares of people for a job.
    Job(&'a JobShares),
    /// Shares of people in a state, over all jobs.
    State(&'a JobShares),
    /// Counts of the outlines of a layer.
    Layer(&'a LayerCoverage),
    /// Checks of links, if there were any.
    Links(&'a LinkCoverage),
    /// First and last day on which rules were checked.
    Rules(&'a str, &'a str),
}
