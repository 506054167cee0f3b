#![no_main]

#[path = "../service.rs"]
#[allow(dead_code, reason = "each target runs one of the functions")]
mod service;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| service::free_text(bytes));
