.PHONY: run test sweep bless check check-benches bare docs msrv portable fuzz-check deny snapshot bench bench-http bench-peers openapi examples \
	lint-openapi contract pages conformance torture fleet fuzz dist packages try-packages clients crates python python-engines \
	browser try-browser

run: ## serve on 127.0.0.1:8080
	cargo run --release -- serve

test: ## all tests of all packages; walks over the nation take a tenth of their steps
	cargo test

sweep: ## the same with whole walks, TIMES as many steps (1): before a snapshot is accepted, and each night
	PLATBOOK_SWEEP=$(or $(TIMES),1) cargo test

bless: ## answers in tests/golden, taken anew after a change that should change them
	PLATBOOK_BLESS=1 cargo test --test it answers_are_those_that_were_blessed

check: ## what must pass before a change goes in
	.ci/run

check-benches: ## lints of benches and of the attacker
	cargo clippy -p platbook-benches --all-targets -- -D warnings

bare: ## lints of the service without a snapshot inside and without Parquet
	cargo clippy --lib --bins --no-default-features -- -D warnings

docs: ## the documentation of the packages, without a warning
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --locked

msrv: ## the oldest Rust that Cargo.toml promises
	cargo +$$(sed -n 's/^rust-version = "\(.*\)"/\1.0/p' Cargo.toml) check --locked --all-targets

portable: ## library, service and pipeline compile on this system: for Windows and macOS in the workflow, or TARGET=... from here
	cargo check --locked -p platbook -p platbook-container -p platbook-service -p platbook-pipeline $(if $(TARGET),--target $(TARGET))

fuzz-check: ## the fuzz targets compile; needs a nightly compiler
	cd fuzz && cargo +nightly check

deny: ## licenses, sources and known faults of dependencies
	command -v cargo-deny >/dev/null || cargo install --locked cargo-deny
	cargo deny check

dist: ## the binary that is given out, optimized as one: target/dist/platbook
	cargo build --profile dist --locked --features parquet --bin platbook

packages: ## each artefact of a release in target/packages, around one static binary: docs/install.md; TARGET=... for another system; needs Python 3.11
	TARGET=$(TARGET) packaging/build

try-packages: ## installs, asks, upgrades and removes each of them on clean roots without a network; needs root on Debian
	packaging/try

clients: ## typed clients for Python and TypeScript in target/clients, made from openapi.json; needs Python 3.10 and Node.js 20
	packaging/clients/build target/clients

crates: ## the crates of the registry: what they hold and their sizes; `packaging/crates verify` builds them from their files alone
	packaging/crates

snapshot: ## the default snapshot, from the files that data-pipeline/sources.toml names: make snapshot DATA=DIR; needs zstd
	@test -n "$(DATA)" || { echo "usage: make snapshot DATA=DIR" >&2; exit 2; }
	PLATBOOK_EMBED=none cargo run --release -p platbook-pipeline -- build --data "$(DATA)" --simplify-m 33 --simplify-elsewhere-m 150
	snapshots/pack

bench: dist ## measurements, of the profile `dist`; PROFILE=release measures what `cargo run --release` makes
	cargo bench --profile $(or $(PROFILE),dist) -p platbook-benches

bench-http: dist ## requests per second against bare hyper
	command -v wrk >/dev/null || apt-get install --yes wrk
	cargo build --profile dist -p platbook-benches --bin bare_hyper
	benches/http.sh

bench-peers: ## the library for Python beside GeoPandas, DuckDB, SedonaDB and others, in target/peers: POINTS=200000 of each kind; needs Python 3.11
	ls python/dist/platbook-*.whl >/dev/null 2>&1 || $(MAKE) python
	python3 -m venv target/peers/python && . target/peers/python/bin/activate && pip install -q -r benches/peers/requirements.txt \
	&& pip install -q --force-reinstall --no-deps python/dist/*.whl \
	&& python benches/peers/run.py --points $(or $(POINTS),200000) $(if $(SNAPSHOT),--snapshot "$(SNAPSHOT)")

torture: dist ## what would bring a service down, done to one on loopback: a table with aims and results; SECONDS=300 for more, WORDS=campaign for rows by name
	cargo build --profile dist -p platbook-benches --bin torture
	target/dist/torture target/dist/platbook $(or $(SECONDS),20) $(WORDS)

fleet: dist ## three servers with one limit behind HAProxy and Redis, updated and disturbed under load: a table with aims; SECONDS=5, WORDS=times
	command -v redis-server >/dev/null && command -v haproxy >/dev/null && command -v wrk >/dev/null || apt-get install --yes redis-server haproxy wrk
	tests/fleet/run target/dist/platbook $(or $(SECONDS),5) $(WORDS)

fuzz: ## every parser on bytes that a fuzzer makes, SECONDS each (60); needs a nightly compiler and cargo-fuzz
	cd fuzz && for target in $$(cargo +nightly fuzz list); do cargo +nightly fuzz run $$target -- -max_total_time=$(or $(SECONDS),60) || exit 1; done

openapi: ## openapi.json, which a test compares with the code
	cargo run --bin platbook -- openapi --site-url https://platbook.example > openapi.json.tmp
	mv openapi.json.tmp openapi.json

examples: ## the examples in it, taken anew from the answers
	cargo test --test it take_examples -- --ignored
	$(MAKE) openapi

lint-openapi: ## three linters of OpenAPI documents: each with 0 errors and 0 warnings; needs npm, which brings their Node.js, and GitHub for the last
	npx --yes -p node@24.16.0 -p @redocly/cli@2.77.0 redocly lint --extends recommended --max-problems 1000 openapi.json
	npx --yes -p node@24.16.0 -p @stoplight/spectral-cli@6.16.3 spectral lint --ruleset tests/contract/spectral.yaml --fail-severity warn openapi.json
	npx --yes -p node@24.16.0 -p @quobix/vacuum@0.30.3 vacuum lint --ruleset tests/contract/vacuum.yaml --details --fail-severity warn openapi.json

contract: ## thousands of requests made from the document, each answer checked against it, and clients made from it; needs Python, Node.js 20
	tests/contract/run

pages: ## the pages in a real browser, which comes as a package: steps, screenshots, accessibility, a crawl; needs Node.js 20
	tests/pages/run

conformance: ## the official suite and clients of the Model Context Protocol; needs npm, which brings their Node.js, and Python
	tests/conformance/run

python: ## both wheels in python/dist, installed into a folder of their own and tested; needs Python 3.11
	python3 -m venv target/python && . target/python/bin/activate && pip install -q -r python/requirements.txt \
	&& python/wheels.sh && pip install -q --force-reinstall --no-deps python/dist/*.whl && cd python && mypy && pytest -m "not cluster"

python-engines: python dist ## the same bytes from the command line, Spark and Sail as from the library; needs Java 17
	. target/python/bin/activate && pip install -q "pyspark[connect]==4.2.0" pysail==0.7.2 && cd python \
	&& PLATBOOK_BINARY=$(CURDIR)/target/dist/platbook pytest tests/test_engines.py

browser: ## a page that answers without a server, in target/browser with its WebAssembly module: docs/library.md; needs zstd
	browser/build

try-browser: browser ## its rows against the command line, and the page in a real browser that loses its server; needs Node.js 20
	browser/try
