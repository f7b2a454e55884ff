//! Matrix products.

use super::context::{Context, Status};
use super::guarded;
use wengert_ir::kernel::{Matrix, Scalar};

/// A product as generated code describes it: sizes and strides in elements, known when it is compiled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Product {
    elem: Scalar,
    batch: usize,
    m: usize,
    n: usize,
    k: usize,
    /// Strides of rows, columns and batches of the three matrices.
    a: [isize; 3],
    b: [isize; 3],
    c: [isize; 3],
}

impl Product {
    pub(crate) fn new(elem: Scalar, sizes: [usize; 4], a: &Matrix, b: &Matrix, c: &Matrix) -> Self {
        let [batch, m, n, k] = sizes;
        let strides = |x: &Matrix| [x.row_stride as isize, x.col_stride as isize, x.batch_stride as isize];
        Self { elem, batch, m, n, k, a: strides(a), b: strides(b), c: strides(c) }
    }
}

/// `c = a * b`; called by generated code.
///
/// # Safety
/// `product` is a description kept by the executable, and the matrices it describes lie within the memories that
/// the pointers point into; `c` overlaps neither `a` nor `b`.
pub(crate) unsafe extern "C" fn product(
    _context: *mut Context,
    product: *const Product,
    a: *const u8,
    b: *const u8,
    c: *mut u8,
) -> i32 {
    guarded(|| {
        // SAFETY: the contract of this function.
        let p = unsafe { &*product };
        match p.elem {
            // SAFETY: the contract of this function.
            Scalar::F64 => unsafe { run::<f64>(p, a.cast(), b.cast(), c.cast()) },
            // SAFETY: the contract of this function.
            Scalar::F32 => unsafe { run::<f32>(p, a.cast(), b.cast(), c.cast()) },
            Scalar::I64 | Scalar::I32 | Scalar::I16 | Scalar::I8 | Scalar::I1 => {
                unreachable!("matrix products are of floats")
            }
        }
        Status::Ok
    })
}

/// # Safety
/// As for [`product`].
unsafe fn run<T: Float>(p: &Product, a: *const T, b: *const T, c: *mut T) {
    for batch in 0..p.batch as isize {
        // SAFETY: each batch of the three matrices lies within its memory.
        unsafe {
            let (a, b, c) = (a.offset(batch * p.a[2]), b.offset(batch * p.b[2]), c.offset(batch * p.c[2]));
            gemm::gemm(
                p.m,
                p.n,
                p.k,
                c,
                p.c[1],
                p.c[0],
                false,
                a,
                p.a[1],
                p.a[0],
                b,
                p.b[1],
                p.b[0],
                T::ZERO,
                T::ONE,
                false,
                false,
                false,
                gemm::Parallelism::None,
            );
        }
    }
}

/// The floats that products are of.
trait Float: Copy + 'static {
    const ZERO: Self;
    const ONE: Self;
}
impl Float for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
}
impl Float for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
}
