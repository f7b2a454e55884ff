//! See [`wengert_tests::targets::programs`]. Programs are changed by their structure half of the time.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(|bytes: &[u8]| wengert_tests::targets::programs(bytes));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if seed % 2 == 1
        && let Ok(text) = std::str::from_utf8(&data[..size])
    {
        let new = wengert_tests::mutate::changed(text, u64::from(seed));
        if new.len() <= max_size.min(data.len()) && !new.is_empty() {
            data[..new.len()].copy_from_slice(new.as_bytes());
            return new.len();
        }
    }
    fuzzer_mutate(data, size, max_size)
});
