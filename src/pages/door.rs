//! The way of a request to its page.

use std::sync::Arc;

use hyper::{
    HeaderMap, Method, Response, StatusCode,
    header::{self, HeaderName, HeaderValue},
    http::request::Parts,
};

use super::{
    about, ask, assets, data, docs, front, guides,
    kept::{self, KeptPages},
    lists, map,
    media::Media,
    office, place, point, problems, resource,
    route::{self, Route, Screen, Whose},
    sheet::Sheet,
    site::{Site, point_path},
    sitemap, states, topics,
};
use crate::{
    answers::{self, Answer, Paging, Plan, Refusal, Request},
    budget::{Budget, CacheFigures},
    edition::Edition,
    http::{Admission, Body, Call, Content, Door, Responding, Takes, limits::Bucket, whole},
    operations::{self, DAY_S, QUARTER_HOUR_S},
    text,
    vocabulary::{Geoid, JurisdictionId, ProblemKind},
};

/// What a page may load: only from here, and no script or style within a page.
const CONTENT_SECURITY_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; \
     base-uri 'none'; frame-ancestors 'none'",
);

/// Entries of a page's list.
const PAGE_ITEMS: usize = 25;

pub(super) const HTML: &str = "text/html; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";

/// The pages of a service.
#[derive(Debug)]
pub struct Pages {
    kept: KeptPages,
}

/// What comes of a route.
pub(super) enum Made {
    /// A page.
    Sheet(Box<Sheet>),
    /// Another text, with its media type and lifetime in seconds.
    Text(&'static str, u32, String),
    /// A file that is built in.
    Asset(&'static assets::Asset),
    /// Another address, as path and query: for ever, or for this question.
    Elsewhere(StatusCode, String),
}

impl Default for Pages {
    fn default() -> Pages {
        Pages::new()
    }
}

impl Door for Pages {
    fn name(&self) -> &'static str {
        "pages"
    }

    fn caches(&self) -> Vec<CacheFigures> {
        vec![self.kept.figures()]
    }

    fn takes(&self, path: &str) -> Option<Takes> {
        const TAKES: Takes = Takes {
            methods: &[Method::GET, Method::HEAD],
            request_headers: "If-None-Match",
            body_bytes_max: 0,
        };
        route::is_page(path).then_some(TAKES)
    }

    fn respond<'a>(&'a self, call: Call<'a>) -> Responding<'a> {
        Box::pin(self.answer(call))
    }

    fn problem(&self, head: &Parts, edition: &Edition, refusal: &Refusal) -> Option<Response<Body>> {
        let is_for_people = matches!(refusal.kind, ProblemKind::NotFound | ProblemKind::InternalError)
            && !route::is_for_programs(head.uri.path())
            && Media::is_page_named(&head.headers);
        is_for_people.then(|| problem_page(Site::new(edition), Media::Html, None, &head.headers, refusal))
    }
}

impl Pages {
    /// Pages, none of them made yet.
    pub fn new() -> Pages {
        Pages::within(Budget::default())
    }

    /// Pages of which those that are kept stay within their share of a budget.
    pub fn within(budget: Budget) -> Pages {
        Pages { kept: KeptPages::new(budget) }
    }

    async fn answer(&self, mut call: Call<'_>) -> Result<Response<Body>, Refusal> {
        let (path, query) = (call.head.uri.path(), call.head.uri.query().unwrap_or_default());
        let media = Media::wanted(&call.head.headers);
        let asked = &call.head.headers;
        let edition = Arc::clone(&call.edition);
        let site = Site::new(&edition);
        let parsed = route::parse(path, query);
        if let Some(bucket) = counted_as(parsed.as_ref().ok()) {
            call.admission.counts_as(bucket);
            if let Err(refusal) = call.admission.admit() {
                return refused(site, None, media, asked, refusal);
            }
        }
        let route = match parsed {
            Ok(route) => route,
            Err(refusal) => return refused(site, None, media, asked, refusal),
        };
        if let (Media::Json, Some(path)) = (media, json_path(&route)) {
            return Ok(elsewhere(site, StatusCode::SEE_OTHER, &path));
        }
        let key = kept::key(&edition, &route, media);
        if let Some(page) = self.kept.get(key) {
            return Ok(with_headers(page.respond(asked)));
        }
        let is_once = is_once(&route);
        let mut asking = Asking { edition: &edition, admission: &mut call.admission };
        match asking.make(&route, media).await {
            Ok(Made::Sheet(sheet)) => Ok(self.sheet(site, &sheet, key, is_once, asked)),
            Ok(Made::Text(media_type, lifetime_s, text)) => {
                let content = Arc::new(Content::new(media_type, lifetime_s, text));
                if !is_once {
                    self.kept.keep(key, &content);
                }
                Ok(with_headers(content.respond(asked)))
            }
            Ok(Made::Asset(asset)) => Ok(with_headers(asset.content.respond(asked))),
            Ok(Made::Elsewhere(status, path)) => Ok(elsewhere(site, status, &path)),
            Err(refusal) => refused(site, Some(&route), media, asked, refusal),
        }
    }

    fn sheet(
        &self,
        site: Site<'_>,
        sheet: &Sheet,
        key: u128,
        is_once: bool,
        asked: &HeaderMap,
    ) -> Response<Body> {
        let content = Arc::new(Content::new(HTML, QUARTER_HOUR_S, sheet.render(site)));
        if is_once {
            return with_headers(content.respond_once(StatusCode::OK, asked));
        }
        self.kept.keep(key, &content);
        with_headers(content.respond(asked))
    }
}

/// Answers the questions of one request.
pub(super) struct Asking<'c, 'a> {
    edition: &'c Edition,
    admission: &'c mut Admission<'a>,
}

impl<'c> Asking<'c, '_> {
    /// The answer to a question: planned, looked up if need be, and finished by the edition that planned it.
    ///
    /// # Errors
    /// When the question has no answer, or the limits are used up.
    pub(super) async fn answer(&mut self, request: &Request) -> Result<Answer<'c>, Refusal> {
        let answers = self.edition.answers();
        let lookup = match answers.plan(request) {
            Plan::Done(answer) => return answer,
            Plan::Needs(lookup) => lookup,
        };
        let found = self.admission.look_up(answers, lookup).await?;
        answers.finish(request, found)
    }

    async fn make(&mut self, route: &Route, media: Media) -> Result<Made, Refusal> {
        let site = Site::new(self.edition);
        if let (Media::Text, Some(request)) = (media, request_of(route)) {
            let answer = self.answer(&request).await?;
            return Ok(Made::Text(TEXT, QUARTER_HOUR_S, text::render(self.edition.answers(), &answer)));
        }
        match route {
            Route::Ask(text) => return ask::typed(site, self, text).await,
            Route::Address(address) => return ask::address(site, self, address).await,
            Route::Point(point, screen) => {
                let answer = self.answer(&Request::Resolve { point: *point }).await?;
                let screened = match screen {
                    Screen::Asked => Some(self.answer(&Request::Screening { point: *point }).await?),
                    Screen::NotAsked => None,
                };
                return Ok(sheet(point::page(site, &answer, screened.as_ref())));
            }
            _ => {}
        }
        if let Some(request) = request_of(route) {
            let answer = self.answer(&request).await?;
            return answered(site, route, &answer).ok_or_else(missing);
        }
        unasked(site, route)
    }
}

/// The question of a page that is made from one answer.
fn request_of(route: &Route) -> Option<Request> {
    let paging = |cursor: &Option<String>| Paging { limit: PAGE_ITEMS, cursor: cursor.clone() };
    Some(match route {
        Route::Point(point, _) => Request::Resolve { point: *point },
        Route::Place(id, cursor) => Request::Place { id: id.clone(), paging: paging(cursor) },
        Route::State(state, cursor) => {
            Request::Place { id: JurisdictionId::Census(Geoid::of_state(*state)), paging: paging(cursor) }
        }
        Route::Topics => Request::Topics,
        Route::Guides => Request::Topics,
        Route::Topic(topic, whose, cursor) => Request::Resources {
            whose: match whose {
                Whose::Nation => answers::Whose::Jurisdiction(JurisdictionId::Country),
                Whose::Place(id) => answers::Whose::Jurisdiction(id.clone()),
                Whose::Point(point) => answers::Whose::Point(*point),
            },
            topic: Some(*topic),
            paging: paging(cursor),
        },
        Route::Guide(topic, state) => Request::Guide { topic: *topic, state: *state },
        Route::Suggest(text) if !text.trim().is_empty() => {
            Request::Search { text: text.trim().to_owned(), state: None, limit: ask::SUGGESTIONS_MAX }
        }
        _ => return None,
    })
}

/// The page that is made from one answer.
fn answered(site: Site<'_>, route: &Route, answer: &Answer<'_>) -> Option<Made> {
    Some(match route {
        Route::Place(id, cursor) => match place::moved(site, id) {
            Some(path) => Made::Elsewhere(StatusCode::MOVED_PERMANENTLY, path),
            None => sheet(place::page(site, answer, cursor.is_some())?),
        },
        Route::State(state, cursor) => sheet(states::page(site, *state, cursor.is_some(), answer)?),
        Route::Topics => sheet(topics::list(site, answer)?),
        Route::Guides => sheet(guides::list(site, answer)?),
        Route::Topic(topic, whose, cursor) => {
            sheet(topics::page(site, *topic, whose, cursor.is_some(), answer)?)
        }
        Route::Guide(..) => sheet(guides::page(site, answer)?),
        Route::Suggest(text) => {
            Made::Text("application/json", QUARTER_HOUR_S, ask::suggestions(site, text, answer))
        }
        _ => return None,
    })
}

/// A page that answers no question.
fn unasked(site: Site<'_>, route: &Route) -> Result<Made, Refusal> {
    Ok(match route {
        Route::Front => sheet(front::page(site)),
        Route::States => sheet(lists::states(site)),
        Route::Office(id) => sheet(office::page(site, *id)?),
        Route::Resource(id) => sheet(resource::page(site, *id)?),
        Route::Problems => sheet(problems::list(site)),
        Route::Problem(kind) => sheet(problems::page(site, *kind)),
        Route::Data => sheet(data::page(site)),
        Route::Sources(part) => sheet(data::part(site, *part).ok_or_else(missing)?),
        Route::Docs => sheet(docs::page(site)),
        Route::About => sheet(about::page(site)),
        Route::Boundary(id) => Made::Text("application/geo+json", DAY_S, map::boundary(site, id)?),
        Route::Click(id, place) => {
            Made::Elsewhere(StatusCode::SEE_OTHER, point_path(map::clicked(site, id, *place)?))
        }
        Route::Sitemap => Made::Text("application/xml", DAY_S, sitemap::index(site)),
        Route::SitemapPart(part) => {
            Made::Text("application/xml", DAY_S, sitemap::part(site, *part).ok_or_else(missing)?)
        }
        Route::Robots => Made::Text(TEXT, DAY_S, sitemap::robots(site)),
        Route::Asset(name) => Made::Asset(assets::find(name).ok_or_else(missing)?),
        Route::Suggest(_) => Made::Text("application/json", QUARTER_HOUR_S, "[]".to_owned()),
        _ => return Err(missing()),
    })
}

fn sheet(sheet: Sheet) -> Made {
    Made::Sheet(Box::new(sheet))
}

fn missing() -> Refusal {
    Refusal::new(ProblemKind::NotFound, "there is no page at this address")
}

/// Whether an answer is for this caller alone: what was looked up outside, and the typed text that led to it.
fn is_once(route: &Route) -> bool {
    matches!(route, Route::Ask(_) | Route::Address(_) | Route::Point(_, Screen::Asked) | Route::Asset(_))
}

/// What a request counts as; what a page is made up of, the word to crawlers, and what problems mean are free.
fn counted_as(route: Option<&Route>) -> Option<Bucket> {
    match route {
        Some(Route::Asset(_) | Route::Robots | Route::Problems | Route::Problem(_)) => None,
        Some(Route::Suggest(_)) => Some(Bucket::Suggestions),
        _ => Some(Bucket::Pages),
    }
}

/// The path of the same answer in the interface for programs.
fn json_path(route: &Route) -> Option<String> {
    let below = match route {
        Route::Point(point, Screen::Asked) => {
            format!("/screening?lat={}&lon={}", point.lat_degrees(), point.lon_degrees())
        }
        Route::Point(point, Screen::NotAsked) => {
            format!("/jurisdictions/resolve?lat={}&lon={}", point.lat_degrees(), point.lon_degrees())
        }
        Route::Place(id, _) => format!("/places/{id}"),
        Route::State(state, _) => format!("/places/state:{:02}", state.fips()),
        Route::Topics | Route::Guides => "/topics".to_owned(),
        Route::Topic(topic, Whose::Nation, _) => {
            format!("/resources?jurisdiction_id=country:us&topic={}", topic.as_str())
        }
        Route::Topic(topic, Whose::Place(id), _) => {
            format!("/resources?jurisdiction_id={id}&topic={}", topic.as_str())
        }
        Route::Topic(topic, Whose::Point(point), _) => {
            format!(
                "/resources?lat={}&lon={}&topic={}",
                point.lat_degrees(),
                point.lon_degrees(),
                topic.as_str()
            )
        }
        Route::Guide(topic, state) => {
            let query = state.map_or_else(String::new, |state| format!("?state={state}"));
            format!("/guides/{}{query}", topic.as_str())
        }
        Route::Docs => "/openapi.json".to_owned(),
        _ => return None,
    };
    Some(format!("{}{below}", operations::PREFIX))
}

/// A refusal in the words of a page; in JSON where that is wanted.
fn refused(
    site: Site<'_>,
    route: Option<&Route>,
    media: Media,
    asked: &HeaderMap,
    refusal: Refusal,
) -> Result<Response<Body>, Refusal> {
    if media == Media::Json {
        return Err(refusal);
    }
    Ok(problem_page(site, media, route, asked, &refusal))
}

/// The page of a refusal, or its text.
fn problem_page(
    site: Site<'_>,
    media: Media,
    route: Option<&Route>,
    asked: &HeaderMap,
    refusal: &Refusal,
) -> Response<Body> {
    let is_name = matches!(route, Some(Route::Topic(..) | Route::Guide(..)) | None);
    let status = match refusal.kind {
        ProblemKind::UnknownTopic | ProblemKind::UnknownState if is_name => 404,
        kind => operations::status_of(kind),
    };
    let status = StatusCode::from_u16(status).expect("the table of problems holds statuses");
    let content = match media {
        Media::Text => Content::new(TEXT, 0, format!("{}\n", refusal.detail)),
        _ => Content::new(HTML, 0, problems::refused(site, refusal).render(site)),
    };
    with_headers(content.respond_once(status, asked))
}

fn elsewhere(site: Site<'_>, status: StatusCode, path: &str) -> Response<Body> {
    let mut response = Response::new(whole(String::new()));
    *response.status_mut() = status;
    let location = HeaderValue::try_from(site.href(path)).unwrap_or(HeaderValue::from_static("/"));
    response.headers_mut().insert(header::LOCATION, location);
    with_headers(response)
}

/// The headers of all pages.
fn with_headers(mut response: Response<Body>) -> Response<Body> {
    let headers = response.headers_mut();
    let mut set =
        |name: HeaderName, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
    set(header::VARY, "Accept, Accept-Encoding");
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "same-origin");
    set(HeaderName::from_static("permissions-policy"), "geolocation=(self)");
    headers.insert(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_point_to_their_json() {
        for (target, path) in [
            ("/at/44.97,-93.26", "/v1/jurisdictions/resolve?lat=44.97&lon=-93.26"),
            ("/places/county:27053", "/v1/places/county:27053"),
            ("/states/vt", "/v1/places/state:50"),
            ("/guides/zoning?state=VT", "/v1/guides/zoning?state=VT"),
            ("/topics/zoning", "/v1/resources?jurisdiction_id=country:us&topic=zoning"),
            ("/docs", "/v1/openapi.json"),
        ] {
            let (path_part, query) = target.split_once('?').unwrap_or((target, ""));
            let route = route::parse(path_part, query).unwrap();
            assert_eq!(json_path(&route).as_deref(), Some(path), "{target}");
        }
        assert_eq!(json_path(&Route::About), None);
    }
}
