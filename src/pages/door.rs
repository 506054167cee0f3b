//! Answers a request for a page: finds its route, makes or reuses the page, and sends it.

use std::sync::Arc;

use hyper::{
    HeaderMap, Method, Response, StatusCode,
    header::{self, HeaderName, HeaderValue},
    http::request::Parts,
};

use super::{
    about, ask, assets, changelog, changes,
    corrections::Corrections,
    cost::{counted_as, is_once, takes_long},
    data, discovery, docs, front, guides, lists,
    made::Made,
    map,
    media::Media,
    office,
    page_cache::{self, PageCache},
    place, point, problems, resource,
    route::{self, Clicked, Route, Screen, Whose},
    site::{Operator, Site, point_path},
    sitemap, states, topics,
    words::WORDS,
};
use crate::{
    edition::Edition,
    http::{Admission, Body, Call, Coding, Content, Door, Responding, Takes, whole},
    operations::{self, DAY_S, QUARTER_HOUR_S},
    text,
};
use platbook::{
    answers::{self, Answer, Budget, CacheFigures, Found, Paging, Refusal, Request},
    map_files::Ground,
    vocabulary::{Geoid, JurisdictionId, ProblemKind},
};

/// The sources from which a page may load: only this service, and no script or style within a page.
const CONTENT_SECURITY_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; \
     base-uri 'none'; frame-ancestors 'none'",
);

/// Number of entries on one page of a list; chosen, not measured.
const PAGE_ITEMS: usize = 25;

pub(super) const HTML: &str = "text/html; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";

/// The interface for people: the cache of pages, and the settings of the operator.
#[derive(Debug)]
pub struct Pages {
    cache: PageCache,
    operator: Arc<Operator>,
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
        vec![self.cache.figures()]
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
        is_for_people.then(|| {
            let site = Site::new(edition, &self.operator);
            let typed = route::typed(head.uri.path(), head.uri.query().unwrap_or_default());
            Seen { site, media: Media::Html, asked: &head.headers, typed }.problem_page(None, refusal)
        })
    }
}

impl Pages {
    /// Makes an empty cache of pages, with the default budget.
    pub fn new() -> Pages {
        Pages::within(Budget::default())
    }

    /// Makes an empty cache of pages that stays within its share of a budget.
    pub fn within(budget: Budget) -> Pages {
        Pages { cache: page_cache::cache(budget), operator: Arc::default() }
    }

    /// Sends reports of errors to this address.
    pub fn with_corrections(self, corrections: Corrections) -> Pages {
        self.with(|operator| Operator { corrections, ..operator })
    }

    /// Draws maps with these roads and waters.
    pub fn with_ground(self, ground: Ground) -> Pages {
        self.with(|operator| Operator { ground, ..operator })
    }

    /// Offers to look up addresses.
    pub fn with_addresses(self) -> Pages {
        self.with(|operator| Operator { takes_addresses: true, ..operator })
    }

    fn with(self, change: impl FnOnce(Operator) -> Operator) -> Pages {
        let operator = Arc::into_inner(self.operator).unwrap_or_default();
        Pages { operator: Arc::new(change(operator)), ..self }
    }

    async fn answer(&self, mut call: Call<'_>) -> Result<Response<Body>, Refusal> {
        let (path, query) = (call.head.uri.path(), call.head.uri.query().unwrap_or_default());
        let wanted = || (path, Media::wanted(&call.head.headers));
        let (path, media) = route::of_text(path).map_or_else(wanted, |page| (page, Media::Text));
        let asked = &call.head.headers;
        let edition = Arc::clone(&call.edition);
        let site = Site::new(&edition, &self.operator);
        let seen = Seen { site, media, asked, typed: route::typed(path, query) };
        let parsed = route::parse(path, query);
        if let Some(bucket) = counted_as(parsed.as_ref().ok()) {
            call.admission.counts_as(bucket);
            if let Err(refusal) = call.admission.admit().await {
                return seen.refused(None, refusal);
            }
        }
        let route = match parsed {
            Ok(route) => route,
            Err(refusal) => return seen.refused(None, refusal),
        };
        if let (Media::Json, Some(path)) = (media, json_path(&route)) {
            return Ok(elsewhere(site, StatusCode::SEE_OTHER, &path));
        }
        let outcome = if is_once(&route) {
            let mut asking = Asking { site, admission: &mut call.admission };
            asking.make(&route, media).await.map(|made| once(site, made, asked))
        } else {
            self.cached_or_made(&edition, &route, media, asked, &call.admission).await
        };
        let outcome = outcome.map(|response| match &route {
            Route::WellKnown(file) => file.with_link(response),
            _ => response,
        });
        outcome.or_else(|refusal| seen.refused(Some(&route), refusal))
    }

    /// Returns a response that depends only on the snapshot: from the cache, or made now and cached.
    async fn cached_or_made(
        &self,
        edition: &Arc<Edition>,
        route: &Route,
        media: Media,
        asked: &HeaderMap,
        admission: &Admission<'_>,
    ) -> Result<Response<Body>, Refusal> {
        let (key, liked) = (page_cache::key(edition, route, media), Content::liked(asked));
        let make = async {
            let (of_work, to, route) = (Arc::clone(edition), Arc::clone(&self.operator), route.clone());
            let takes_long = takes_long(&route);
            let work = move || made(Site::new(&of_work, &to), &route, media, liked);
            if takes_long { admission.offload(work).await.map_err(Unmade::Refused)? } else { work() }
        };
        let content = match self.cache.get_or_make(&key, make).await {
            Ok(content) => content,
            Err(Unmade::Elsewhere(status, path)) => {
                return Ok(elsewhere(Site::new(edition, &self.operator), status, &path));
            }
            Err(Unmade::Refused(refusal)) => return Err(refusal),
        };
        if content.is_slow(liked) {
            let content = Arc::clone(&content);
            admission.offload(move || content.prepare(liked)).await?;
        }
        Ok(with_headers(content.respond(asked)))
    }
}

/// The reason why a page was not made.
enum Unmade {
    /// The answer is at another address, given as path and query.
    Elsewhere(StatusCode, String),
    /// The request has no answer.
    Refused(Refusal),
}

/// Makes the page of a route that needs no lookup. Compresses a long page as the caller prefers.
fn made(site: Site<'_>, route: &Route, media: Media, liked: Option<Coding>) -> Result<Arc<Content>, Unmade> {
    let content = match of_snapshot(site, route, media).map_err(Unmade::Refused)? {
        Made::Page(layout) => Content::new(HTML, QUARTER_HOUR_S, layout.render(site)),
        Made::Text(media_type, lifetime_s, text) => Content::new(media_type, lifetime_s, text),
        Made::Asset(_) => return Err(Unmade::Refused(missing())),
        Made::Elsewhere(status, path) => return Err(Unmade::Elsewhere(status, path)),
    };
    content.prepare(liked);
    Ok(Arc::new(content))
}

fn of_snapshot(site: Site<'_>, route: &Route, media: Media) -> Result<Made, Refusal> {
    let answers = site.answers();
    let Some(request) = request_of(route) else { return unasked(site, route, media) };
    let answer = answers.finish(&request, Found::default())?;
    if media == Media::Text {
        return Ok(Made::Text(TEXT, QUARTER_HOUR_S, text::render(answers, &WORDS, &answer)));
    }
    answered(site, route, &answer).ok_or_else(missing)
}

/// Returns the response for this caller only: content that is not cached, and built-in files.
fn once(site: Site<'_>, made: Made, asked: &HeaderMap) -> Response<Body> {
    with_headers(match made {
        Made::Page(layout) => Content::new(HTML, 0, layout.render(site)).respond_once(StatusCode::OK, asked),
        Made::Text(media_type, lifetime_s, text) => Content::new(media_type, lifetime_s, text).respond(asked),
        Made::Asset(asset) => asset.content.respond(asked),
        Made::Elsewhere(status, path) => return elsewhere(site, status, &path),
    })
}

/// Runs the operations whose answers one page needs.
struct Asking<'c, 'a> {
    site: Site<'c>,
    admission: &'c mut Admission<'a>,
}

impl<'c> Asking<'c, '_> {
    /// Returns the answer to a request: planned, looked up if necessary, and finished by the edition that planned it.
    ///
    /// # Errors
    /// If the request has no answer, or the limits are used up.
    async fn answer(&mut self, request: &Request) -> Result<Answer<'c>, Refusal> {
        let answers = self.site.answers();
        self.admission.answer(answers, request, answers.plan(request)).await
    }

    /// Makes a page for this caller only.
    async fn make(&mut self, route: &Route, media: Media) -> Result<Made, Refusal> {
        let site = self.site;
        match route {
            Route::Asset(name) => assets::find(name).map(Made::Asset).ok_or_else(missing),
            Route::Ask(text, request) => ask::page(site, text, self.answer(request).await),
            Route::Point(point, Screen::Asked, zoom) if media != Media::Text => {
                let answer = self.answer(&Request::Resolve { point: *point }).await?;
                let screened = self.answer(&Request::Screening { point: *point }).await?;
                Ok(Made::page(point::page(site, &answer, *zoom, Some(&screened))))
            }
            _ => of_snapshot(site, route, media),
        }
    }
}

/// Returns the request of a page that is made from one answer; `None` for other pages.
fn request_of(route: &Route) -> Option<Request> {
    let paging = |cursor: &Option<String>| Paging { limit: PAGE_ITEMS, cursor: cursor.clone() };
    Some(match route {
        Route::Point(point, ..) => Request::Resolve { point: *point },
        Route::Place(id, cursor) => Request::Place { id: id.clone(), paging: paging(cursor) },
        Route::State(state, cursor) => {
            Request::Place { id: JurisdictionId::Census(Geoid::of_state(*state)), paging: paging(cursor) }
        }
        Route::Topics | Route::Guides => Request::Topics,
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

/// Builds the page that is made from one answer.
fn answered(site: Site<'_>, route: &Route, answer: &Answer<'_>) -> Option<Made> {
    Some(match route {
        Route::Point(_, _, zoom) => Made::page(point::page(site, answer, *zoom, None)),
        Route::Place(id, cursor) => match place::moved(site, id) {
            Some(path) => Made::Elsewhere(StatusCode::MOVED_PERMANENTLY, path),
            None => Made::page(place::page(site, answer, cursor.is_some())?),
        },
        Route::State(state, cursor) => Made::page(states::page(site, *state, cursor.is_some(), answer)?),
        Route::Topics => Made::page(topics::list(site, answer)?),
        Route::Guides => Made::page(guides::list(site, answer)?),
        Route::Topic(topic, whose, cursor) => {
            Made::page(topics::page(site, *topic, whose, cursor.is_some(), answer)?)
        }
        Route::Guide(..) => Made::page(guides::page(site, answer)?),
        Route::Suggest(text) => {
            Made::Text("application/json", QUARTER_HOUR_S, ask::suggestions(site, text, answer))
        }
        _ => return None,
    })
}

/// Builds a page that needs no answer.
fn unasked(site: Site<'_>, route: &Route, media: Media) -> Result<Made, Refusal> {
    Ok(match route {
        Route::Front => Made::page(front::page(site)),
        Route::States => Made::page(lists::states(site)),
        Route::Named(state, text) => Made::page(lists::named(site, *state, text)),
        Route::Office(id) => Made::page(office::page(site, *id)?),
        Route::Resource(id) => Made::page(resource::page(site, *id)?),
        Route::Problems => Made::page(problems::list(site)),
        Route::Problem(kind) => Made::page(problems::page(site, *kind)),
        Route::Data => Made::page(data::page(site)),
        Route::Sources(part) => Made::page(data::part(site, *part).ok_or_else(missing)?),
        Route::Docs(language) => Made::page(docs::page(site, *language)),
        Route::Tried(address) => Made::Elsewhere(StatusCode::SEE_OTHER, address.clone()),
        Route::Changelog => Made::page(changelog::page(site)),
        Route::Changes if media == Media::Text => Made::Text(TEXT, QUARTER_HOUR_S, changes::text(site)),
        Route::Changes => Made::page(changes::page(site)),
        Route::ChangesFeed => Made::Text(changes::ATOM, QUARTER_HOUR_S, changes::feed(site)),
        Route::About => Made::page(about::page(site)),
        Route::Boundary(id) => Made::Text("application/geo+json", DAY_S, map::boundary(site, id)?),
        Route::Click(map, place) => {
            let zoom = if let Clicked::Spot(_, zoom) = map { zoom.query() } else { String::new() };
            let path = point_path(map::clicked(site, map, *place)?);
            Made::Elsewhere(StatusCode::SEE_OTHER, format!("{path}{zoom}"))
        }
        Route::Sitemap => Made::Text("application/xml", DAY_S, sitemap::index(site)),
        Route::SitemapPart(part) => {
            Made::Text("application/xml", DAY_S, sitemap::part(site, *part).ok_or_else(missing)?)
        }
        Route::Robots => Made::Text(TEXT, DAY_S, sitemap::robots(site)),
        Route::Llms => Made::Text(TEXT, DAY_S, discovery::llms(site)),
        Route::WellKnown(file) => Made::Text(file.media_type(), DAY_S, file.text(site)),
        Route::Suggest(_) => Made::Text("application/json", QUARTER_HOUR_S, "[]".to_owned()),
        _ => return Err(missing()),
    })
}

fn missing() -> Refusal {
    Refusal::new(ProblemKind::NotFound, "there is no page at this address")
}

/// Returns the path of the same answer as JSON in the API.
fn json_path(route: &Route) -> Option<String> {
    let below = match route {
        Route::Point(point, Screen::Asked, _) => {
            format!("/screening?lat={}&lon={}", point.lat_degrees(), point.lon_degrees())
        }
        Route::Point(point, Screen::NotAsked, _) => {
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
        Route::Docs(_) => "/openapi.json".to_owned(),
        _ => return None,
    };
    Some(format!("{}{below}", operations::PREFIX))
}

/// The parts of a request on which the page of a refusal depends.
struct Seen<'a> {
    site: Site<'a>,
    media: Media,
    asked: &'a HeaderMap,
    typed: String,
}

impl Seen<'_> {
    /// Shows a refusal as a page, or as JSON if the caller prefers it.
    fn refused(&self, route: Option<&Route>, refusal: Refusal) -> Result<Response<Body>, Refusal> {
        if self.media == Media::Json { Err(refusal) } else { Ok(self.problem_page(route, &refusal)) }
    }

    /// Builds the page of a refusal, or its plain text.
    fn problem_page(&self, route: Option<&Route>, refusal: &Refusal) -> Response<Body> {
        let is_name = matches!(route, Some(Route::Topic(..) | Route::Guide(..)) | None);
        let status = match refusal.kind {
            ProblemKind::UnknownTopic | ProblemKind::UnknownState if is_name => 404,
            kind => operations::status_of(kind),
        };
        let status = StatusCode::from_u16(status).expect("the table of problems holds statuses");
        let content = match self.media {
            Media::Text => Content::new(TEXT, 0, format!("{}\n", refusal.detail)),
            _ => Content::new(HTML, 0, problems::refused(self.site, refusal, &self.typed).render(self.site)),
        };
        let mut response = with_headers(content.respond_once(status, self.asked));
        if let Some(seconds) = refusal.retry_after_s.filter(|_| refusal.kind == ProblemKind::Busy) {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

fn elsewhere(site: Site<'_>, status: StatusCode, path: &str) -> Response<Body> {
    let mut response = Response::new(whole(String::new()));
    *response.status_mut() = status;
    let location = HeaderValue::try_from(site.href(path)).unwrap_or(HeaderValue::from_static("/"));
    response.headers_mut().insert(header::LOCATION, location);
    with_headers(response)
}

/// Adds the headers that all pages have.
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
