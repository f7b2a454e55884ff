//! From a function of tensor IR to something that runs: all passes, lowering and code generation.

use crate::error::Error;
use crate::tensor::Tensor;
use crate::trace::Tensors;
use std::sync::Arc;
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::interp;
use wengert_ir::types::TensorType;

/// A function that can be run on concrete tensors.
pub(crate) struct Compiled {
    module: Module,
    func: FuncId,
    results: Vec<TensorType>,
}

/// Compiles `func`; what the module holds besides is ignored.
pub(crate) fn compile(module: Module, func: FuncId) -> Result<Arc<Compiled>, Error> {
    let results = module.get(func).result_types().iter().map(|t| t.tensor().clone()).collect();
    Ok(Arc::new(Compiled { module, func, results }))
}

impl Compiled {
    /// Runs it. The tensors must be concrete and have the parameters' types.
    pub(crate) fn run(&self, args: &[&Tensor]) -> Result<Tensors, Error> {
        let args: Vec<Array> = args.iter().map(|t| t.array().expect("concrete")).collect();
        let out = interp::run(&self.module, self.func, &args, &interp::Limits::default())
            .map_err(|e| Error::new(e.to_string(), None))?;
        debug_assert_eq!(out.len(), self.results.len());
        Ok(out.into_iter().map(Tensor::from_array).collect())
    }
}
