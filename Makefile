.PHONY: run test check deny snapshot bench bench-http

run: ## serve on 127.0.0.1:8080
	cargo run --release -- serve

test: ## all tests of both packages
	cargo test

check: ## what must pass before a change goes in
	.ci/run

deny: ## licences, sources and known faults of dependencies
	command -v cargo-deny >/dev/null || cargo install --locked cargo-deny
	cargo deny check

snapshot: ## the default snapshot, from the files that data-pipeline/sources.toml names: make snapshot DATA=DIR
	@test -n "$(DATA)" || { echo "usage: make snapshot DATA=DIR" >&2; exit 2; }
	PLATBOOK_EMBED=none cargo run --release -p platbook-pipeline -- build --data "$(DATA)" --simplify-m 25

bench: ## measurements
	cargo bench

bench-http: ## requests per second against bare hyper
	command -v wrk >/dev/null || apt-get install --yes wrk
	cargo build --release --bin platbook --example bare_hyper
	benches/http.sh
