//! See [`wengert_tests::targets::stablehlo`].

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wengert_tests::targets::stablehlo(bytes));
