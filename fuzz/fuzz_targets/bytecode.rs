//! See [`wengert_tests::targets::artifacts`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wengert_tests::targets::artifacts(bytes));
