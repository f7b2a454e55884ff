//! See [`wengert_tests::targets::arrays`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wengert_tests::targets::arrays(bytes));
