//! Bits, choices with numbers in them, what is made at once where much is wanted, and layouts in messages.

use wengert::{DType, FloatMode, Side, Tensor, jit, random, vmap};

#[test]
fn operators_take_numbers() {
    let x = Tensor::from([5u32, 0, 0xffff_ffff]);
    assert_eq!((&x & 1).to_vec::<u32>(), [1, 0, 1]);
    assert_eq!((6 | &x).to_vec::<u32>(), [7, 6, 0xffff_ffff]);
    assert_eq!((&x ^ 0xff).to_vec::<u32>(), [0xfa, 0xff, 0xffff_ff00]);
    assert_eq!((&x << 4).to_vec::<u32>(), [80, 0, 0xffff_fff0]);
    assert_eq!((&x >> 31).to_vec::<u32>(), [0, 0, 1]);
    assert_eq!((x >> Tensor::from([1u32, 1, 8])).to_vec::<u32>(), [2, 0, 0x00ff_ffff]);
    let signed = Tensor::from([-9i64, 9]);
    assert_eq!((&signed >> 1).to_vec::<i64>(), [-5, 4]);
    assert_eq!((1 << Tensor::from([0i64, 40])).to_vec::<i64>(), [1, 1 << 40]);
    let mask = Tensor::from([true, false]);
    assert_eq!((&mask ^ true).to_vec::<bool>(), [false, true]);
    assert_eq!((true & mask).to_vec::<bool>(), [true, false]);
    assert_eq!((signed & true).to_vec::<i64>(), [1, 1]);
}

#[test]
fn a_hash_is_that_of_integers() {
    // The finalizer of MurmurHash3.
    let mixed = |x: Tensor| {
        let x = (&x ^ (&x >> 16)) * Tensor::from(0x85eb_ca6bu32);
        let x = (&x ^ (&x >> 13)) * Tensor::from(0xc2b2_ae35u32);
        &x ^ (&x >> 16)
    };
    let words: Vec<u32> = (0..1000u32).map(|k| k.wrapping_mul(2_654_435_769)).collect();
    let want = words.iter().map(|&x| {
        let x = (x ^ (x >> 16)).wrapping_mul(0x85eb_ca6b);
        let x = (x ^ (x >> 13)).wrapping_mul(0xc2b2_ae35);
        x ^ (x >> 16)
    });
    let x = Tensor::from(words.clone());
    let want: Vec<u32> = want.collect();
    assert_eq!(mixed(x.clone()).to_vec::<u32>(), want);
    assert_eq!(jit(mixed)(x).to_vec::<u32>(), want);
}

/// A number in a choice has the type of the tensor beside it; of two numbers what they are alone.
#[test]
fn choices_take_numbers() {
    let mask = Tensor::from([true, false]);
    for dtype in [DType::F64, DType::F32, DType::BF16, DType::I64, DType::U8] {
        let x = Tensor::ones(&[2], dtype);
        assert_eq!(mask.select(0, &x).dtype(), dtype);
        assert_eq!(mask.select(&x, 0i64).dtype(), dtype);
        let wide = if dtype == DType::I64 { DType::F64 } else { DType::F32 };
        let float = if dtype.is_float() { dtype } else { wide };
        assert_eq!(mask.select(0.5, &x).dtype(), float);
        assert_eq!(mask.select(x, 0.5).dtype(), float);
    }
    assert_eq!(mask.select(1.0, 0.0).dtype(), DType::F32);
    assert_eq!(mask.select(1, 0).dtype(), DType::I32);
    assert_eq!(mask.select(true, false).to_vec::<bool>(), [true, false]);
    assert_eq!(mask.select(2.5, 0).to_vec::<f32>(), [2.5, 0.0]);
}

/// Long vectors are searched by halves: the places are those that comparing with all of them gives.
#[test]
fn places_in_long_vectors() {
    for n in [65usize, 100, 127, 128, 129, 1000] {
        let mut sorted: Vec<f64> = (0..n).map(|k| ((k * 7919) % (n / 2)) as f64 - 20.0).collect();
        sorted[3] = -0.0;
        sorted[5] = f64::INFINITY;
        sorted[6] = f64::NEG_INFINITY;
        sorted[7] = f64::NAN;
        sorted[8] = f64::NAN;
        sorted.sort_by(f64::total_cmp);
        let mut values: Vec<f64> = (0..60).map(|k| k as f64 * 0.5 - 25.0).collect();
        values.extend([f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.0, 1e300, -1e300]);
        for side in [Side::Left, Side::Right] {
            let key = |x: f64| if x.is_nan() { f64::NAN } else { x + 0.0 };
            let is_before = |x: f64, v: f64| {
                let order = key(x).total_cmp(&key(v));
                if side == Side::Left { order.is_lt() } else { order.is_le() }
            };
            let want: Vec<i32> =
                values.iter().map(|&v| sorted.iter().filter(|&&x| is_before(x, v)).count() as i32).collect();
            let (own, v) = (Tensor::from(sorted.clone()), Tensor::from(values.clone()));
            assert_eq!(own.searchsorted(&v, side).to_vec::<i32>(), want, "{n}, {side:?}");
            let f = move |own: Tensor, v: Tensor| own.searchsorted(&v, side);
            assert_eq!(jit(f)(own.clone(), v.clone()).to_vec::<i32>(), want, "{n}, {side:?}, compiled");
            let both = wengert::stack(&[own.clone(), own.clone()], 0);
            let values = wengert::stack(&[v.clone(), v], 0);
            let found = jit(vmap(f))(both, values).to_vec::<i32>();
            assert_eq!(found, [&want[..], &want].concat(), "{n}, {side:?}, batches");
        }
    }
    // A million among a million: comparing with all of them took a terabyte.
    let sorted = Tensor::arange(1_000_000, DType::I32) * 2;
    let places = sorted.searchsorted(Tensor::arange(1_000_000, DType::I32), Side::Left);
    assert_eq!(places.get(999_999).item::<i32>(), 500_000);
    assert_eq!(places.get(1).item::<i32>(), 1);
}

/// Numbers of which many are wanted are compiled: the same as those of which few are, and as under `jit`.
#[test]
fn many_random_numbers_are_those_of_few() {
    let key = random::key(7);
    let many = [70_000];
    let exact = |f: fn(&Tensor) -> Tensor| jit(move |k: Tensor| f(&k)).float_mode(FloatMode::Exact);
    let cases: [fn(&Tensor) -> Tensor; 6] = [
        |k| random::bits(k, &[70_000], DType::U32),
        |k| random::bits(k, &[70_000], DType::U64).astype(DType::I64),
        |k| random::uniform(k, &[70_000], DType::F32, -2.0, 3.0),
        |k| random::normal(k, &[70_000], DType::F64),
        |k| random::randint(k, &[70_000], -5, 100, DType::I32),
        |k| random::normal(k, &[700, 100], DType::BF16),
    ];
    for (k, f) in cases.into_iter().enumerate() {
        let (at_once, compiled) = (f(&key), exact(f)(key.clone()));
        assert_eq!(at_once.to_array(), compiled.to_array(), "case {k}");
    }
    // The first of many are those of few: each is the hash of its place.
    let few = random::uniform(&key, &[100], DType::F64, 0.0, 1.0).to_vec::<f64>();
    let all = random::uniform(&key, &many, DType::F64, 0.0, 1.0).to_vec::<f64>();
    assert_eq!(few[..], all[..100]);
    let wrong = || random::uniform(&random::key(0), &[70_000], DType::I32, 0.0, 1.0).len();
    let refused = std::panic::catch_unwind(wrong).expect_err("integers are not uniform");
    let message = refused.downcast_ref::<String>().expect("a message");
    assert!(message.contains("f64, f32, f16 and bf16") && !message.contains("jit"), "{message}");
}

/// Features in another place than they are looked for: the message says how the operands are read.
#[test]
fn convolutions_say_their_layout() {
    let wrong = || {
        let (x, kernel) =
            (Tensor::zeros(&[2, 8, 8, 2], DType::F64), Tensor::zeros(&[3, 3, 2, 4], DType::F64));
        wengert::conv2d(&x, &kernel, [1, 1], wengert::Padding::Same).len()
    };
    let refused = std::panic::catch_unwind(wrong).expect_err("features differ");
    let message = refused.downcast_ref::<String>().expect("a message");
    assert!(
        message.contains("[batch, features, ..]") && message.contains("frontend/tests/bits.rs"),
        "{message}"
    );
}
