.PHONY: run test check bench bench-http

run: ## serve on 127.0.0.1:8080
	cargo run --release -- serve

test: ## all tests of both packages
	cargo test

check: ## what must pass before a change goes in
	cargo fmt --all --check
	cargo clippy --all-targets -- -D warnings
	cargo test

bench: ## measurements
	cargo bench

bench-http: ## requests per second against bare hyper
	command -v wrk >/dev/null || apt-get install --yes wrk
	cargo build --release --bin platbook --example bare_hyper
	benches/http.sh
