//! Numbers and types at their limits, where a method could be right everywhere else.

use wengert::{DType, Tensor, jit, random, stages::Traced, switch};

#[test]
fn bounds_of_small_integers_are_theirs() {
    // What a program begins with is in its text, which is read back.
    for dtype in
        [DType::I2, DType::I4, DType::I8, DType::I16, DType::I64, DType::U2, DType::U4, DType::U8, DType::U64]
    {
        let least = jit(move |x: Tensor| x.astype(dtype).min_axes(&[0]).astype(DType::I32));
        let most = jit(move |x: Tensor| x.astype(dtype).max_axes(&[0]).astype(DType::I32));
        let x = || Tensor::from([[1i32, 0], [0, 1]]);
        assert_eq!(least(x()).to_vec::<i32>(), [0, 0], "{dtype}");
        assert_eq!(most(x()).to_vec::<i32>(), [1, 1], "{dtype}");
        for f in [least, most] {
            let traced = f.trace((x(),)).unwrap();
            for text in [traced.to_string(), traced.optimize().unwrap().to_string()] {
                let again = Traced::parse(&text, None).unwrap_or_else(|e| panic!("{dtype}: {e}\n{text}"));
                let args = [x()];
                let (a, b) = (traced.run_eagerly(&args).unwrap(), again.run_eagerly(&args).unwrap());
                assert_eq!(a[0].to_vec::<i32>(), b[0].to_vec::<i32>(), "{dtype}");
            }
        }
    }
}

#[test]
fn numbers_that_are_none() {
    let z = Tensor::new(&[2], &[(f64::NAN, f64::INFINITY), (1.0, f64::NEG_INFINITY)]);
    assert_eq!(z.nan_to_num(0.0).to_vec::<(f64, f64)>(), [(0.0, f64::MAX), (1.0, -f64::MAX)]);
    // One NaN, which comes last.
    let found = Tensor::from([f64::NAN, 1.0, f64::NAN, 0.5]).unique(4).to_vec::<f64>();
    assert!(found[..2] == [0.5, 1.0] && found[2].is_nan() && found[3] == 0.5, "{found:?}");
}

#[test]
fn ends_are_exact() {
    for n in [2, 3, 7, 50, 1000] {
        for (a, b) in [(0.0, 1.0), (-1.0, 2.0), (0.1, 0.7)] {
            let x = Tensor::linspace(a, b, n, DType::F64);
            assert_eq!((x.get(0).item::<f64>(), x.get(-1).item::<f64>()), (a, b));
            let steps = (x.get(1..) - x.get(..n as isize - 1)).to_vec::<f64>();
            assert!(steps.iter().all(|s| (s - (b - a) / (n - 1) as f64).abs() < 1e-15));
        }
    }
    assert_eq!(Tensor::linspace(2.0, 5.0, 1, DType::F32).to_vec::<f32>(), [2.0]);
    assert_eq!(Tensor::linspace(2.0, 5.0, 0, DType::F32).len(), 0);
    assert_eq!(Tensor::linspace(0.0, -10.0, 5, DType::I64).to_vec::<i64>(), [0, -3, -5, -8, -10]);
    assert_eq!(
        Tensor::from([100.0f32]).astype(DType::F16).round_to(3).astype(DType::F64).item::<f64>(),
        100.0
    );
}

#[test]
fn positions_beyond_everything() {
    let x = Tensor::from([1i32, 2, 3]);
    assert_eq!(x.get(0..usize::MAX).to_vec::<i32>(), [1, 2, 3]);
    assert_eq!(x.get(usize::MAX..).len(), 0);
    assert_eq!(x.get(1..=isize::MAX).to_vec::<i32>(), [2, 3]);
    assert_eq!(x.get(isize::MIN..2).to_vec::<i32>(), [1, 2]);
}

#[test]
fn the_largest_number_is_drawn() {
    let key = random::key(0);
    let bits = random::bits(&random::split(&key, 2)[1], &[256], DType::U32).to_vec::<u32>();
    let all = random::randint(&key, &[256], i32::MIN as i64, 1 << 31, DType::I32).to_vec::<i32>();
    let want: Vec<i32> = bits.iter().map(|b| b.wrapping_add(i32::MIN as u32) as i32).collect();
    assert_eq!(all, want);
    // From 0 on it is the lower half of the bits, which 2^31 divides.
    let half = random::randint(&key, &[256], 0, 1 << 40, DType::I32).to_vec::<i32>();
    assert_eq!(half, bits.iter().map(|b| (b & 0x7fff_ffff) as i32).collect::<Vec<_>>());
    let bits = random::randint(&key, &[64], i32::MAX as i64 - 1, i64::MAX, DType::I32).to_vec::<i32>();
    assert!(bits.contains(&i32::MAX) && bits.iter().all(|&b| b >= i32::MAX - 1));
}

#[test]
fn formats_without_infinity_have_bounds_too() {
    use DType::*;
    for dtype in [
        F8E4M3FN,
        F8E4M3FNUZ,
        F8E5M2FNUZ,
        F8E4M3B11FNUZ,
        F8E5M2,
        F8E4M3,
        F8E3M4,
        F6E2M3FN,
        F6E3M2FN,
        F4E2M1FN,
    ] {
        for (numbers, least, most) in [([1.0f32, 2.0], 1.0, 2.0), ([-2.0, -1.0], -2.0, -1.0)] {
            let x = Tensor::from(numbers).astype(dtype);
            let read = |y: Tensor| y.astype(F32).item::<f32>();
            assert_eq!((read(x.min()), read(x.max())), (least, most), "{dtype}");
            let f = jit(|x: Tensor| (x.min(), x.max()));
            let (low, high) = f(x);
            assert_eq!((read(low), read(high)), (least, most), "{dtype}, compiled");
        }
    }
}

/// Narrow integers count what there is more of than they have numbers.
#[test]
fn narrow_integers_choose_among_many() {
    let branches: Vec<_> = (0..300).map(|k| move |x: Tensor| x + k as f64).collect();
    let all: Vec<&dyn Fn(Tensor) -> Tensor> = branches.iter().map(|f| f as _).collect();
    let chosen = |index: Tensor, n: usize| switch(&index, &all[..n], Tensor::from(0.0f64)).item::<f64>();
    assert_eq!(chosen(Tensor::new(&[], &[3i8]), 200), 3.0);
    assert_eq!(chosen(Tensor::new(&[], &[-3i8]), 200), 0.0);
    assert_eq!(chosen(Tensor::new(&[], &[127i8]), 100), 99.0);
    assert_eq!(chosen(Tensor::new(&[], &[255u8]), 300), 255.0);
    assert_eq!(chosen(Tensor::new(&[], &[u64::MAX]), 3), 2.0);
    let one = Tensor::new(&[2], &[5i8, -1]).one_hot(300, DType::F32);
    assert_eq!(one.sum_axis(1).to_vec::<f32>(), [1.0, 0.0]);
}

/// Diagonals beyond a matrix, however far, are empty, and all is on one side of them.
#[test]
fn diagonals_far_away_are_empty() {
    let x = Tensor::ones(&[2, 3], DType::F32);
    for far in [3, i32::MAX as isize, isize::MAX] {
        assert_eq!(x.diagonal(far, 0, 1).shape(), [0]);
        assert_eq!(x.diagonal(-far, 0, 1).shape(), [0]);
        assert_eq!(x.trace(far).item::<f32>(), 0.0);
        assert_eq!(x.tril(far).sum().item::<f32>(), 6.0);
        assert_eq!(x.triu(far).sum().item::<f32>(), 0.0);
        assert_eq!(x.tril(-far).sum().item::<f32>(), 0.0);
        assert_eq!(x.triu(-far).sum().item::<f32>(), 6.0);
        assert_eq!(Tensor::tri(2, 3, far, DType::F32).sum().item::<f32>(), 6.0);
        assert_eq!(Tensor::eye_offset(2, 3, -far, DType::F32).sum().item::<f32>(), 0.0);
    }
    assert_eq!(x.trace(isize::MIN).item::<f32>(), 0.0);
}
