#![no_main]

#[path = "../pipeline.rs"]
#[allow(dead_code, reason = "each target runs one of the functions")]
mod pipeline;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pipeline::published(bytes));
