//! See [`wengert_tests::targets::kernels`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wengert_tests::targets::kernels(bytes));
