//! Writes all metrics in the text format of OpenMetrics.

use std::{fmt, sync::Arc};

use jiff::Timestamp;
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeLabelSet, NoLabelSet, text},
    metrics::MetricType,
    registry::Registry,
};

use super::process::Process;
use crate::{
    counts::{Count, Histogram},
    http::{Readiness, Service},
};
use platbook::answers::CacheFigures;

/// The prefix of each metric's name.
const PREFIX: &str = "platbook";

/// Returns the current metrics of a service as text.
///
/// # Errors
/// Never: writing to a text does not fail.
pub fn figures(service: &Arc<Service>) -> Result<String, fmt::Error> {
    let mut registry = Registry::with_prefix(PREFIX);
    registry.register_collector(Box::new(Figures(Arc::clone(service))));
    let mut text = String::new();
    text::encode(&mut text, &registry)?;
    Ok(text)
}

#[derive(Debug)]
struct Figures(Arc<Service>);

impl Collector for Figures {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut page = Page(encoder);
        page.of_service(&self.0)?;
        page.of_requests(&self.0)?;
        page.of_limits(&self.0)?;
        page.of_connections(&self.0)?;
        #[cfg(feature = "tls")]
        page.of_tls(&self.0)?;
        page.of_jobs(&self.0)?;
        page.of_lookups(&self.0)?;
        page.of_caches(&self.0)?;
        page.of_process()
    }
}

struct Page<'e>(DescriptorEncoder<'e>);

/// A label: its name and value.
type Label = (&'static str, String);

impl Page<'_> {
    fn of_service(&mut self, service: &Service) -> fmt::Result {
        let edition = service.edition().load();
        let directory = edition.answers().directory();
        let (as_of, digest) = (directory.as_of().to_owned(), directory.snapshot_id().to_owned());
        let build = [("version", env!("CARGO_PKG_VERSION").to_owned())];
        self.gauges("build_info", "The program that runs", [(build, 1.0)])?;
        self.gauges(
            "snapshot_info",
            "The snapshot that is served, by its digest and its date",
            [([("digest", digest), ("as_of", as_of.clone())], 1.0)],
        )?;
        if let Ok(dated) = as_of.parse::<Timestamp>() {
            let age_s = Timestamp::now().duration_since(dated).as_secs_f64();
            self.gauge("snapshot_age_seconds", "Time since the date of the snapshot", age_s)?;
        }
        let is_ready = service.health().readiness() == Readiness::Ready;
        self.gauge("ready", "1 where requests should be sent here", f64::from(u8::from(is_ready)))?;
        let metrics = service.metrics();
        let running_s = metrics.started.elapsed().as_secs() as f64;
        self.gauge("running_seconds", "Time since the start", running_s)?;
        self.counter("panics", "Requests that ended in a panic", metrics.panics.get())
    }

    fn of_requests(&mut self, service: &Service) -> fmt::Result {
        let endpoints = service.endpoints();
        let by_status = endpoints.iter().flat_map(|endpoint| {
            let operation = ("operation", endpoint.name.to_owned());
            endpoint
                .statuses
                .iter()
                .map(move |(status, count)| ([operation.clone(), ("status", status.to_string())], *count))
        });
        self.counters("requests", "Requests that were answered", by_status)?;
        let durations = endpoints
            .iter()
            .map(|endpoint| ([("operation", endpoint.name.to_owned())], endpoint.durations.clone()));
        self.histograms(
            "request_seconds",
            "From the head of a request to its answer, still to be sent",
            durations,
        )
    }

    fn of_limits(&mut self, service: &Service) -> fmt::Result {
        let uses = service.limiter().uses().into_iter().flat_map(|uses| {
            let labels = |outcome: &str| {
                [
                    ("limit", uses.bucket.as_str().to_owned()),
                    ("tier", uses.tier.as_str().to_owned()),
                    ("outcome", outcome.to_owned()),
                ]
            };
            [(labels("granted"), uses.granted), (labels("refused"), uses.refused)]
        });
        self.counters(
            "limit_uses",
            "Uses of limits, granted or refused",
            uses.filter(|(_, count)| *count > 0),
        )?;
        let Some(sharing) = service.limiter().sharing() else { return Ok(()) };
        let is_shared = f64::from(u8::from(sharing.divided.is_none()));
        self.gauge(
            "limits_shared",
            "1 while the store counts limits for all servers, 0 while they are divided",
            is_shared,
        )?;
        let uses = |by: &str, count| ([("counted_by", by.to_owned())], count);
        let uses = [uses("store", sharing.asked), uses("server", sharing.alone)];
        self.counters(
            "limits_store_uses",
            "Uses by who counted them: the store, or this server without it",
            uses,
        )?;
        let trips: [([Label; 0], Histogram); 1] = [([], sharing.trips)];
        self.histograms("limits_store_seconds", "Time of round trips to the store of limits", trips)
    }

    fn of_connections(&mut self, service: &Service) -> fmt::Result {
        let counts = &service.metrics().connections;
        let by_reason = |reason: &str, count: &Count| ([("reason", reason.to_owned())], count.get());
        self.gauge("connections_open", "Connections that are open", counts.open.get() as f64)?;
        self.counter("connections", "Connections that were served", counts.served.get())?;
        let rejected = [
            by_reason("full", &counts.full),
            by_reason("address", &counts.address_full),
            by_reason("overload", &counts.overloaded),
        ];
        self.counters("connections_rejected", "Connections that were rejected", rejected)?;
        let cut = [
            by_reason("idle", &counts.idle),
            by_reason("slot", &counts.evicted),
            by_reason("stop", &counts.stopped),
        ];
        self.counters("connections_cut", "Connections that were ended by the service", cut)?;
        let errors = counts.accept_errors.get();
        self.counter("accept_errors", "Times that the system refused a connection", errors)?;
        let admission = service.admission();
        self.gauge("requests_in_flight", "Requests that are being answered", admission.in_flight().into())?;
        let delay_s = admission.queue_delay_s();
        self.gauge("queue_seconds", "Time that work waits for a thread, as last measured", delay_s)?;
        let is_shedding = f64::from(u8::from(admission.is_shedding()));
        self.gauge("shedding", "1 while requests are rejected because work waits too long", is_shedding)
    }

    #[cfg(feature = "tls")]
    fn of_tls(&mut self, service: &Service) -> fmt::Result {
        let Some(tls) = service.health().tls() else { return Ok(()) };
        if let Some(left_s) = tls.expires_s() {
            self.gauge("certificate_expires_seconds", "Time until the certificate expires", left_s as f64)?;
        }
        let is_behind = f64::from(u8::from(tls.is_behind()));
        self.gauge("certificate_behind", "1 while a newer certificate cannot be used", is_behind)?;
        let counts = &service.metrics().connections;
        let by_outcome = |outcome: &str, count: &Count| ([("outcome", outcome.to_owned())], count.get());
        let handshakes = [
            by_outcome("done", &counts.handshakes),
            by_outcome("failed", &counts.handshakes_failed),
            by_outcome("without_tls", &counts.without_tls),
        ];
        self.counters("handshakes", "Handshakes of TLS, and connections without one", handshakes)?;
        let http_2 = counts.http_2.get() as f64;
        self.gauge("connections_http_2", "Connections that use HTTP/2, or may choose it now", http_2)
    }

    fn of_jobs(&mut self, service: &Service) -> fmt::Result {
        let jobs = service.offload();
        let by_outcome = |outcome: &str, count| ([("outcome", outcome.to_owned())], count);
        let ended = [by_outcome("done", jobs.done()), by_outcome("refused", jobs.refused())];
        self.counters("jobs", "Long work of pages and documents, done on threads of its own", ended)?;
        self.gauge("jobs_running", "Long work that is being done", jobs.running() as f64)?;
        self.gauge("jobs_waiting", "Long work that waits for a thread", jobs.waiting() as f64)
    }

    fn of_lookups(&mut self, service: &Service) -> fmt::Result {
        let figures = service.lookups().figures();
        let lookups = figures.outcomes.map(|(how, count)| ([("how", how.to_owned())], count));
        self.counters("lookups", "Outside lookups of callers: known, joined, asked; and late", lookups)?;
        self.gauge("lookups_under_way", "Outside lookups that are under way", figures.under_way as f64)?;
        let services = &figures.services;
        let calls = services.iter().flat_map(|one| {
            let labels = |outcome: &str| [("service", one.name.to_owned()), ("outcome", outcome.to_owned())];
            [
                (labels("answered"), one.answered),
                (labels("failed"), one.failed),
                (labels("spared"), one.spared),
            ]
        });
        self.counters("service_calls", "Calls of outside services", calls)?;
        let named = |name: &str| [("service", name.to_owned())];
        let rests = services.iter().map(|one| (named(one.name), f64::from(u8::from(one.rests))));
        self.gauges("service_rests", "1 while a service is left alone after failures in a row", rests)?;
        let durations = services.iter().map(|one| (named(one.name), one.durations.clone()));
        self.histograms("service_seconds", "Time that calls of outside services took", durations)
    }

    fn of_caches(&mut self, service: &Service) -> fmt::Result {
        let edition = service.edition().load();
        let mut caches = edition.caches();
        caches.push(service.lookups().figures().cache);
        caches.extend(service.doors().flat_map(|door| door.caches()));
        let named = |cache: &CacheFigures| [("cache", cache.name.to_owned())];
        let gauges = |figure: fn(&CacheFigures) -> u64| {
            caches.iter().map(|cache| (named(cache), figure(cache) as f64)).collect::<Vec<_>>()
        };
        let budget = edition.budget().bytes() as f64;
        self.gauge("memory_budget_bytes", "Memory that caches may take together", budget)?;
        self.gauges("cache_bytes", "Bytes that are kept", gauges(|cache| cache.bytes))?;
        self.gauges("cache_bytes_max", "Bytes that may be kept", gauges(|cache| cache.bytes_max))?;
        self.gauges("cache_entries", "Entries that are kept", gauges(|cache| cache.entries))?;
        let looks = caches.iter().flat_map(|cache| {
            let labels = |outcome: &str| [("cache", cache.name.to_owned()), ("outcome", outcome.to_owned())];
            [(labels("hit"), cache.hits), (labels("miss"), cache.misses)]
        });
        self.counters("cache_looks", "Looks into caches, since the snapshot is served", looks)
    }

    fn of_process(&mut self) -> fmt::Result {
        let Some(process) = Process::now() else { return Ok(()) };
        let (resident, own) = (process.resident_bytes as f64, process.own_bytes as f64);
        self.gauge("resident_memory_bytes", "Memory, with the pages of the mapped snapshot", resident)?;
        self.gauge("own_memory_bytes", "Memory that belongs to no file", own)?;
        self.gauge("threads", "Threads", process.threads as f64)?;
        self.gauge("open_files", "Open files and sockets", process.open_files as f64)?;
        self.gauge("processor_seconds", "Processor time since the start", process.cpu_s)
    }

    fn counter(&mut self, name: &str, help: &str, count: u64) -> fmt::Result {
        let mut metric = self.0.encode_descriptor(name, help, None, MetricType::Counter)?;
        metric.encode_counter::<NoLabelSet, u64, f64>(&count, None)
    }

    fn gauge(&mut self, name: &str, help: &str, figure: f64) -> fmt::Result {
        self.0.encode_descriptor(name, help, None, MetricType::Gauge)?.encode_gauge(&figure)
    }

    fn counters<const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        rows: impl IntoIterator<Item = ([Label; N], u64)>,
    ) -> fmt::Result
    where
        [Label; N]: EncodeLabelSet,
    {
        let mut metric = self.0.encode_descriptor(name, help, None, MetricType::Counter)?;
        for (labels, count) in rows {
            metric.encode_family(&labels)?.encode_counter::<NoLabelSet, u64, f64>(&count, None)?;
        }
        Ok(())
    }

    fn gauges<const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        rows: impl IntoIterator<Item = ([Label; N], f64)>,
    ) -> fmt::Result
    where
        [Label; N]: EncodeLabelSet,
    {
        let mut metric = self.0.encode_descriptor(name, help, None, MetricType::Gauge)?;
        for (labels, figure) in rows {
            metric.encode_family(&labels)?.encode_gauge(&figure)?;
        }
        Ok(())
    }

    fn histograms<const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        rows: impl IntoIterator<Item = ([Label; N], Histogram)>,
    ) -> fmt::Result
    where
        [Label; N]: EncodeLabelSet,
    {
        let mut metric = self.0.encode_descriptor(name, help, None, MetricType::Histogram)?;
        for (labels, Histogram { classes, sum_s, count }) in rows {
            metric.encode_family(&labels)?.encode_histogram::<NoLabelSet>(sum_s, count, &classes, None)?;
        }
        Ok(())
    }
}
