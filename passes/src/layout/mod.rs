//! The order in which elements lie in memory, chosen while it can still be read in tensor IR.
//!
//! Tensors are row-major, so an order is a transposition: [`examples`] puts the dimension of many examples behind the few
//! elements of each, [`batches`] the batches of a large product before its rows, [`repeated`] the elements of the sums of a
//! loop's products before the columns of a matrix that no trip changes, and [`short`] those of a short product.

mod batches;
mod examples;
mod moves;
pub(crate) mod repeated;
mod short;
mod turned;

use wengert_ir::func::{FuncId, Module};

/// `func` with all done. It is `func` itself if there is nothing to do.
pub(crate) fn layout(m: &mut Module, func: FuncId) -> FuncId {
    let func = examples::behind(m, func);
    let func = batches::outermost(m, func);
    let func = repeated::down_columns(m, func);
    short::along_vectors(m, func)
}
