//! Vectors of the instruction sets that matter, for loops that are compiled for each.

use super::product::Float;

/// Most numbers of a vector.
pub(crate) const LANES: usize = 16;

/// A vector of at most [`LANES`] numbers.
///
/// # Safety of its methods
/// The machine has the instructions; pointers are to `LEN` numbers.
#[allow(clippy::missing_safety_doc, reason = "said once for all methods")]
pub(crate) trait Vector<T>: Copy {
    /// How many numbers.
    const LEN: usize;
    unsafe fn splat(x: T) -> Self;
    unsafe fn load(from: *const T) -> Self;
    unsafe fn store(self, to: *mut T);
    unsafe fn fused(self, b: Self, c: Self) -> Self;
    /// The first `count` numbers, at most [`LEN`](Self::LEN), and zeros.
    unsafe fn load_first(from: *const T, count: usize) -> Self;
    /// Stores the first `count` numbers.
    unsafe fn store_first(self, to: *mut T, count: usize);
    /// The sums of all of the first [`LEN`](Self::LEN) vectors, each in its place: halves of two vectors are added at a time, as they
    /// are exchanged in a transposition, so that it takes one addition less than there are vectors.
    unsafe fn totals(of: &[Self; LANES]) -> Self;
    /// Rows and columns of the first [`LEN`](Self::LEN) vectors exchanged.
    unsafe fn transposed(of: &[Self; LANES]) -> [Self; LANES];
}

/// One number.
#[derive(Clone, Copy)]
pub(crate) struct One<T>(T);

impl<T: Float> Vector<T> for One<T> {
    const LEN: usize = 1;
    #[inline(always)]
    unsafe fn splat(x: T) -> Self {
        Self(x)
    }
    #[inline(always)]
    unsafe fn load(from: *const T) -> Self {
        // SAFETY: the trait's contract.
        Self(unsafe { *from })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut T) {
        // SAFETY: the trait's contract.
        unsafe { *to = self.0 }
    }
    #[inline(always)]
    unsafe fn fused(self, b: Self, c: Self) -> Self {
        Self(self.0.fused(b.0, c.0))
    }
    #[inline(always)]
    unsafe fn load_first(from: *const T, count: usize) -> Self {
        // SAFETY: the trait's contract.
        Self(if count == 0 { T::ZERO } else { unsafe { *from } })
    }
    #[inline(always)]
    unsafe fn store_first(self, to: *mut T, count: usize) {
        if count > 0 {
            // SAFETY: the trait's contract.
            unsafe { *to = self.0 }
        }
    }
    #[inline(always)]
    unsafe fn totals(of: &[Self; LANES]) -> Self {
        of[0]
    }
    #[inline(always)]
    unsafe fn transposed(of: &[Self; LANES]) -> [Self; LANES] {
        *of
    }
}

/// The vectors of a number on machines with wide ones.
pub(crate) trait Wide: Sized {
    /// 256 bits.
    type Long: Vector<Self>;
    /// 128 bits.
    type Short: Vector<Self>;
    /// 512 bits.
    type Widest: Vector<Self>;
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{LANES, Vector, Wide};
    use std::arch::x86_64::*;

    macro_rules! vectors {
        ($($name:ident $t:ident $inner:ident $len:literal $splat:ident $load:ident $store:ident $fused:ident $totals:ident $transposed:ident $first:tt;)*) => { $(
            #[derive(Clone, Copy)]
            pub(crate) struct $name($inner);

            impl Vector<$t> for $name {
                const LEN: usize = $len;
                #[inline(always)]
                unsafe fn splat(x: $t) -> Self {
                    // SAFETY: the trait's contract.
                    Self(unsafe { $splat(x) })
                }
                #[inline(always)]
                unsafe fn load(from: *const $t) -> Self {
                    // SAFETY: the trait's contract.
                    Self(unsafe { $load(from) })
                }
                #[inline(always)]
                unsafe fn store(self, to: *mut $t) {
                    // SAFETY: the trait's contract.
                    unsafe { $store(to, self.0) }
                }
                #[inline(always)]
                unsafe fn fused(self, b: Self, c: Self) -> Self {
                    // SAFETY: the trait's contract.
                    Self(unsafe { $fused(self.0, b.0, c.0) })
                }
                #[inline(always)]
                unsafe fn totals(of: &[Self; LANES]) -> Self {
                    let mut inner = [of[0].0; $len];
                    inner.iter_mut().zip(of).for_each(|(to, from)| *to = from.0);
                    // SAFETY: the trait's contract.
                    Self(unsafe { $totals(inner) })
                }
                #[inline(always)]
                unsafe fn transposed(of: &[Self; LANES]) -> [Self; LANES] {
                    let mut inner = [of[0].0; $len];
                    inner.iter_mut().zip(of).for_each(|(to, from)| *to = from.0);
                    // SAFETY: the trait's contract.
                    let inner = unsafe { $transposed(inner) };
                    let mut all = [Self(inner[0]); LANES];
                    all.iter_mut().zip(inner).for_each(|(to, from)| to.0 = from);
                    all
                }
                firsts! { $t $first }
            }
        )* };
    }

    /// Half as many vectors, each the sum of two.
    macro_rules! halve {
        ($of:ident $len:literal $a:ident $b:ident $sum:expr) => {{
            let mut sums = [$of[0]; $len];
            for (k, to) in sums.iter_mut().enumerate() {
                let ($a, $b) = ($of[2 * k], $of[2 * k + 1]);
                *to = $sum;
            }
            sums
        }};
    }
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn totals_f32x4(x: [__m128; 4]) -> __m128 {
        let x = halve!(x 2 a b _mm_add_ps(_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b)));
        let [x] = halve!(x 1 a b _mm_add_ps(_mm_movelh_ps(a, b), _mm_movehl_ps(b, a)));
        x
    }
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn totals_f32x8(x: [__m256; 8]) -> __m256 {
        let x = halve!(x 4 a b _mm256_add_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b)));
        let x =
            halve!(x 2 a b _mm256_add_ps(_mm256_shuffle_ps::<0x44>(a, b), _mm256_shuffle_ps::<0xee>(a, b)));
        let [x] = halve!(x 1 a b
            _mm256_add_ps(_mm256_permute2f128_ps::<0x20>(a, b), _mm256_permute2f128_ps::<0x31>(a, b)));
        x
    }
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn totals_f64x2(x: [__m128d; 2]) -> __m128d {
        let [x] = halve!(x 1 a b _mm_add_pd(_mm_unpacklo_pd(a, b), _mm_unpackhi_pd(a, b)));
        x
    }
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn totals_f64x4(x: [__m256d; 4]) -> __m256d {
        let x = halve!(x 2 a b _mm256_add_pd(_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b)));
        let [x] = halve!(x 1 a b
            _mm256_add_pd(_mm256_permute2f128_pd::<0x20>(a, b), _mm256_permute2f128_pd::<0x31>(a, b)));
        x
    }
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn totals_f32x16(x: [__m512; 16]) -> __m512 {
        let x = halve!(x 8 a b _mm512_add_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b)));
        let x =
            halve!(x 4 a b _mm512_add_ps(_mm512_shuffle_ps::<0x44>(a, b), _mm512_shuffle_ps::<0xee>(a, b)));
        let x = halve!(x 2 a b
            _mm512_add_ps(_mm512_shuffle_f32x4::<0x88>(a, b), _mm512_shuffle_f32x4::<0xdd>(a, b)));
        let [x] = halve!(x 1 a b
            _mm512_add_ps(_mm512_shuffle_f32x4::<0x88>(a, b), _mm512_shuffle_f32x4::<0xdd>(a, b)));
        x
    }
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn totals_f64x8(x: [__m512d; 8]) -> __m512d {
        let x = halve!(x 4 a b _mm512_add_pd(_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b)));
        let x = halve!(x 2 a b
            _mm512_add_pd(_mm512_shuffle_f64x2::<0x88>(a, b), _mm512_shuffle_f64x2::<0xdd>(a, b)));
        let [x] = halve!(x 1 a b
            _mm512_add_pd(_mm512_shuffle_f64x2::<0x88>(a, b), _mm512_shuffle_f64x2::<0xdd>(a, b)));
        x
    }

    /// Four rows of floats of 32 bits: each result has a column of each of their parts of 128 bits.
    macro_rules! four_rows {
        ($x:expr, $low:ident $high:ident $shuffle:ident) => {{
            let [a, b, c, d] = $x;
            let (x, y, z, w) = ($low(a, b), $low(c, d), $high(a, b), $high(c, d));
            [$shuffle::<0x44>(x, y), $shuffle::<0xee>(x, y), $shuffle::<0x44>(z, w), $shuffle::<0xee>(z, w)]
        }};
    }
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn transposed_f32x4(x: [__m128; 4]) -> [__m128; 4] {
        four_rows!(x, _mm_unpacklo_ps _mm_unpackhi_ps _mm_shuffle_ps)
    }
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn transposed_f32x8([a, b, c, d, e, f, g, h]: [__m256; 8]) -> [__m256; 8] {
        let x = four_rows!([a, b, c, d], _mm256_unpacklo_ps _mm256_unpackhi_ps _mm256_shuffle_ps);
        let y = four_rows!([e, f, g, h], _mm256_unpacklo_ps _mm256_unpackhi_ps _mm256_shuffle_ps);
        let mut all = [x[0]; 8];
        for j in 0..4 {
            all[j] = _mm256_permute2f128_ps::<0x20>(x[j], y[j]);
            all[4 + j] = _mm256_permute2f128_ps::<0x31>(x[j], y[j]);
        }
        all
    }
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn transposed_f32x16(x: [__m512; 16]) -> [__m512; 16] {
        let mut fours = [[x[0]; 4]; 4];
        for (k, to) in fours.iter_mut().enumerate() {
            let rows = [x[4 * k], x[4 * k + 1], x[4 * k + 2], x[4 * k + 3]];
            *to = four_rows!(rows, _mm512_unpacklo_ps _mm512_unpackhi_ps _mm512_shuffle_ps);
        }
        let [x, y, z, w] = fours;
        let mut all = [x[0]; 16];
        for j in 0..4 {
            let even = [_mm512_shuffle_f32x4::<0x88>(x[j], y[j]), _mm512_shuffle_f32x4::<0x88>(z[j], w[j])];
            let odd = [_mm512_shuffle_f32x4::<0xdd>(x[j], y[j]), _mm512_shuffle_f32x4::<0xdd>(z[j], w[j])];
            all[j] = _mm512_shuffle_f32x4::<0x88>(even[0], even[1]);
            all[4 + j] = _mm512_shuffle_f32x4::<0x88>(odd[0], odd[1]);
            all[8 + j] = _mm512_shuffle_f32x4::<0xdd>(even[0], even[1]);
            all[12 + j] = _mm512_shuffle_f32x4::<0xdd>(odd[0], odd[1]);
        }
        all
    }
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn transposed_f64x2([a, b]: [__m128d; 2]) -> [__m128d; 2] {
        [_mm_unpacklo_pd(a, b), _mm_unpackhi_pd(a, b)]
    }
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn transposed_f64x4([a, b, c, d]: [__m256d; 4]) -> [__m256d; 4] {
        let x = [_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b)];
        let y = [_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d)];
        let low = |j: usize| _mm256_permute2f128_pd::<0x20>(x[j], y[j]);
        let high = |j: usize| _mm256_permute2f128_pd::<0x31>(x[j], y[j]);
        [low(0), low(1), high(0), high(1)]
    }
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn transposed_f64x8(x: [__m512d; 8]) -> [__m512d; 8] {
        let mut all = x;
        let pairs: [[__m512d; 2]; 4] = std::array::from_fn(|k| {
            let (a, b) = (x[2 * k], x[2 * k + 1]);
            [_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b)]
        });
        let [x, y, z, w] = pairs;
        for j in 0..2 {
            let even = [_mm512_shuffle_f64x2::<0x88>(x[j], y[j]), _mm512_shuffle_f64x2::<0x88>(z[j], w[j])];
            let odd = [_mm512_shuffle_f64x2::<0xdd>(x[j], y[j]), _mm512_shuffle_f64x2::<0xdd>(z[j], w[j])];
            all[j] = _mm512_shuffle_f64x2::<0x88>(even[0], even[1]);
            all[2 + j] = _mm512_shuffle_f64x2::<0x88>(odd[0], odd[1]);
            all[4 + j] = _mm512_shuffle_f64x2::<0xdd>(even[0], even[1]);
            all[6 + j] = _mm512_shuffle_f64x2::<0xdd>(odd[0], odd[1]);
        }
        all
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn mask_i32x4(count: usize) -> __m128i {
        _mm_cmpgt_epi32(_mm_set1_epi32(count as i32), _mm_setr_epi32(0, 1, 2, 3))
    }
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn mask_i32x8(count: usize) -> __m256i {
        _mm256_cmpgt_epi32(_mm256_set1_epi32(count as i32), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
    }
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn mask_i64x2(count: usize) -> __m128i {
        _mm_cmpgt_epi64(_mm_set1_epi64x(count as i64), _mm_set_epi64x(1, 0))
    }
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn mask_i64x4(count: usize) -> __m256i {
        _mm256_cmpgt_epi64(_mm256_set1_epi64x(count as i64), _mm256_setr_epi64x(0, 1, 2, 3))
    }

    /// Vectors that are not full, under a mask: a vector of it, or an integer.
    macro_rules! firsts {
        ($t:ident (vector $mask:ident $load:ident $store:ident)) => {
            #[inline(always)]
            unsafe fn load_first(from: *const $t, count: usize) -> Self {
                // SAFETY: the trait's contract; what the mask leaves out is not read.
                Self(unsafe { $load(from, $mask(count)) })
            }
            #[inline(always)]
            unsafe fn store_first(self, to: *mut $t, count: usize) {
                // SAFETY: the trait's contract; what the mask leaves out is not written.
                unsafe { $store(to, $mask(count), self.0) }
            }
        };
        ($t:ident ($mask:ident $load:ident $store:ident)) => {
            #[inline(always)]
            unsafe fn load_first(from: *const $t, count: usize) -> Self {
                // SAFETY: the trait's contract; what the mask leaves out is not read.
                Self(unsafe { $load((!(!0u32 << count)) as $mask, from) })
            }
            #[inline(always)]
            unsafe fn store_first(self, to: *mut $t, count: usize) {
                // SAFETY: the trait's contract; what the mask leaves out is not written.
                unsafe { $store(to, (!(!0u32 << count)) as $mask, self.0) }
            }
        };
    }
    vectors! {
        F32x8 f32 __m256 8 _mm256_set1_ps _mm256_loadu_ps _mm256_storeu_ps _mm256_fmadd_ps totals_f32x8 transposed_f32x8
            (vector mask_i32x8 _mm256_maskload_ps _mm256_maskstore_ps);
        F32x4 f32 __m128 4 _mm_set1_ps _mm_loadu_ps _mm_storeu_ps _mm_fmadd_ps totals_f32x4 transposed_f32x4
            (vector mask_i32x4 _mm_maskload_ps _mm_maskstore_ps);
        F64x4 f64 __m256d 4 _mm256_set1_pd _mm256_loadu_pd _mm256_storeu_pd _mm256_fmadd_pd totals_f64x4 transposed_f64x4
            (vector mask_i64x4 _mm256_maskload_pd _mm256_maskstore_pd);
        F64x2 f64 __m128d 2 _mm_set1_pd _mm_loadu_pd _mm_storeu_pd _mm_fmadd_pd totals_f64x2 transposed_f64x2
            (vector mask_i64x2 _mm_maskload_pd _mm_maskstore_pd);
        F32x16 f32 __m512 16 _mm512_set1_ps _mm512_loadu_ps _mm512_storeu_ps _mm512_fmadd_ps totals_f32x16 transposed_f32x16
            (__mmask16 _mm512_maskz_loadu_ps _mm512_mask_storeu_ps);
        F64x8 f64 __m512d 8 _mm512_set1_pd _mm512_loadu_pd _mm512_storeu_pd _mm512_fmadd_pd totals_f64x8 transposed_f64x8
            (__mmask8 _mm512_maskz_loadu_pd _mm512_mask_storeu_pd);
    }

    impl Wide for f32 {
        type Long = F32x8;
        type Short = F32x4;
        type Widest = F32x16;
    }
    impl Wide for f64 {
        type Long = F64x4;
        type Short = F64x2;
        type Widest = F64x8;
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Wide for f32 {
    type Long = One<f32>;
    type Short = One<f32>;
    type Widest = One<f32>;
}
#[cfg(not(target_arch = "x86_64"))]
impl Wide for f64 {
    type Long = One<f64>;
    type Short = One<f64>;
    type Widest = One<f64>;
}
