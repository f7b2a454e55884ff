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
        ($($name:ident $t:ident $inner:ident $len:literal $splat:ident $load:ident $store:ident $fused:ident $totals:ident $first:tt;)*) => { $(
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
        F32x8 f32 __m256 8 _mm256_set1_ps _mm256_loadu_ps _mm256_storeu_ps _mm256_fmadd_ps totals_f32x8
            (vector mask_i32x8 _mm256_maskload_ps _mm256_maskstore_ps);
        F32x4 f32 __m128 4 _mm_set1_ps _mm_loadu_ps _mm_storeu_ps _mm_fmadd_ps totals_f32x4
            (vector mask_i32x4 _mm_maskload_ps _mm_maskstore_ps);
        F64x4 f64 __m256d 4 _mm256_set1_pd _mm256_loadu_pd _mm256_storeu_pd _mm256_fmadd_pd totals_f64x4
            (vector mask_i64x4 _mm256_maskload_pd _mm256_maskstore_pd);
        F64x2 f64 __m128d 2 _mm_set1_pd _mm_loadu_pd _mm_storeu_pd _mm_fmadd_pd totals_f64x2
            (vector mask_i64x2 _mm_maskload_pd _mm_maskstore_pd);
        F32x16 f32 __m512 16 _mm512_set1_ps _mm512_loadu_ps _mm512_storeu_ps _mm512_fmadd_ps totals_f32x16
            (__mmask16 _mm512_maskz_loadu_ps _mm512_mask_storeu_ps);
        F64x8 f64 __m512d 8 _mm512_set1_pd _mm512_loadu_pd _mm512_storeu_pd _mm512_fmadd_pd totals_f64x8
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
