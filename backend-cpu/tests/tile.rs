//! Every routine of every level gives the bits of the reference interpreter.

#![allow(unsafe_code, reason = "calls routines through the pointers that generated code uses")]

use wengert_cpu::tile::{EIGHT, Float, Level, eight_at, scalar_at, scalar2_at, tile_at, tile2_at};
use wengert_ir::math::{MathFn, MathFn2};

/// xorshift; half of the numbers are any bit pattern, half are of moderate size.
struct Inputs(u64);

impl Inputs {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn f64(&mut self) -> f64 {
        let bits = self.next();
        match bits % 4 {
            0 | 1 => f64::from_bits(self.next()),
            2 => (self.next() as f64 / u64::MAX as f64 - 0.5) * 64.0,
            _ => (self.next() as f64 / u64::MAX as f64 - 0.5) * 2.5,
        }
    }

    fn f32(&mut self) -> f32 {
        match self.next() % 4 {
            0 | 1 => f32::from_bits(self.next() as u32),
            _ => self.f64() as f32,
        }
    }
}

const SPECIAL: [f64; 12] =
    [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-310, 1e9];

macro_rules! check {
    ($name:ident $float:ident $variant:ident) => {
        #[test]
        fn $name() {
            let mut inputs = Inputs(0x9e37_79b9_7f4a_7c15);
            let special = SPECIAL.map(|x| x as $float);
            let mut a = Vec::new();
            let mut b = Vec::new();
            for x in special {
                for y in special {
                    a.push(x);
                    b.push(y);
                }
            }
            for _ in 0..2000 {
                a.push(inputs.$float());
                b.push(inputs.$float());
            }
            for level in Level::available() {
                for &f in MathFn::ALL {
                    type Tile = unsafe extern "C" fn(*const $float, *mut $float, usize);
                    type Scalar = unsafe extern "C" fn($float) -> $float;
                    // SAFETY: the types are those that the module documents for these pointers.
                    let (tile, scalar) = unsafe {
                        (
                            std::mem::transmute::<*const u8, Tile>(tile_at(f, Float::$variant, level)),
                            std::mem::transmute::<*const u8, Scalar>(scalar_at(f, Float::$variant, level)),
                        )
                    };
                    let mut y = a.clone();
                    // SAFETY: in place over a whole vector; the level is available.
                    unsafe { tile(y.as_ptr(), y.as_mut_ptr(), y.len()) };
                    for (&x, &y) in a.iter().zip(&y) {
                        let want = f.eval(x);
                        // SAFETY: the level is available.
                        let one = unsafe { scalar(x) };
                        assert_eq!(
                            y.to_bits(),
                            want.to_bits(),
                            "{f:?}({x:e}) = {want:e}, tile {level:?} {y:e}"
                        );
                        assert_eq!(one.to_bits(), want.to_bits(), "{f:?}({x:e}) = {want:e}, scalar {one:e}");
                    }
                    type Eight = unsafe extern "C" fn(*mut $float);
                    // SAFETY: as above.
                    let eight = unsafe {
                        std::mem::transmute::<*const u8, Eight>(eight_at(f, Float::$variant, level))
                    };
                    for x in a.chunks_exact(EIGHT) {
                        let mut y = x.to_vec();
                        // SAFETY: eight numbers; the level is available.
                        unsafe { eight(y.as_mut_ptr()) };
                        for (&x, &y) in x.iter().zip(&y) {
                            let want = f.eval(x);
                            assert_eq!(y.to_bits(), want.to_bits(), "{f:?}({x:e}) = {want:e}, eight {y:e}");
                        }
                    }
                }
                for &f in MathFn2::ALL {
                    type Tile = unsafe extern "C" fn(*const $float, *const $float, *mut $float, usize);
                    type Scalar = unsafe extern "C" fn($float, $float) -> $float;
                    // SAFETY: the types are those that the module documents for these pointers.
                    let (tile, scalar) = unsafe {
                        (
                            std::mem::transmute::<*const u8, Tile>(tile2_at(f, Float::$variant, level)),
                            std::mem::transmute::<*const u8, Scalar>(scalar2_at(f, Float::$variant, level)),
                        )
                    };
                    let mut y = b.clone();
                    // SAFETY: over whole vectors of one length, one in place; the level is available.
                    unsafe { tile(a.as_ptr(), y.as_ptr(), y.as_mut_ptr(), y.len()) };
                    for ((&a, &b), &y) in a.iter().zip(&b).zip(&y) {
                        let want = f.eval(a, b);
                        // SAFETY: the level is available.
                        let one = unsafe { scalar(a, b) };
                        assert_eq!(
                            y.to_bits(),
                            want.to_bits(),
                            "{f:?}({a:e}, {b:e}) = {want:e}, {level:?} {y:e}"
                        );
                        assert_eq!(
                            one.to_bits(),
                            want.to_bits(),
                            "{f:?}({a:e}, {b:e}) = {want:e}, scalar {one:e}"
                        );
                    }
                }
            }
        }
    };
}
check!(singles f32 F32);
check!(doubles f64 F64);

/// Every length up to beyond a chunk; nothing is written past the end.
#[test]
fn lengths() {
    // Memory that ends where nobody may read.
    let page = region::page::size();
    let mut memory = region::alloc(2 * page, region::Protection::READ_WRITE).expect("two pages");
    let end = memory.as_mut_ptr::<u8>().wrapping_add(page);
    // SAFETY: the second of the two pages, which nothing refers to.
    unsafe { region::protect(end, page, region::Protection::NONE) }.expect("a page");
    for level in Level::available() {
        for f in [MathFn::Exp, MathFn::Sin] {
            type Tile = unsafe extern "C" fn(*const f32, *mut f32, usize);
            // SAFETY: the type is the one that the module documents for this pointer.
            let tile = unsafe { std::mem::transmute::<*const u8, Tile>(tile_at(f, Float::F32, level)) };
            for n in 0..300 {
                let start = end.cast::<f32>().wrapping_sub(n);
                // SAFETY: the last `n` numbers of the first page, which belong to this test and are aligned as it is.
                let x = unsafe { std::slice::from_raw_parts_mut(start, n) };
                x.iter_mut().enumerate().for_each(|(k, x)| *x = k as f32 * 1e4);
                let mut y = vec![7.0; n + 1];
                // SAFETY: `n` elements of memory that has them; the level is available.
                unsafe { tile(x.as_ptr(), y.as_mut_ptr(), n) };
                assert!(x.iter().zip(&y).all(|(&x, y)| f.eval(x).to_bits() == y.to_bits()));
                assert_eq!(y[n], 7.0);
            }
        }
    }
}
