//! The mathematics of each operation, one family per file.

macro_rules! stub {
    ($op:ident) => {
        impl $crate::rules::OpDef for $op {
            fn infer(
                &self,
                _: &$crate::func::Module,
                _: &[$crate::types::Type],
            ) -> Result<$crate::rules::Types, $crate::rules::TypeError> {
                unimplemented!()
            }
            fn eval(
                &self,
                _: &mut dyn $crate::rules::Evaluate,
                _: &[$crate::array::Array],
            ) -> Result<Vec<$crate::array::Array>, $crate::rules::EvalError> {
                unimplemented!()
            }
            fn jvp(
                &self,
                _: &mut dyn $crate::rules::Emit,
                _: $crate::rules::Jvp<'_>,
            ) -> $crate::rules::Tangents {
                unimplemented!()
            }
        }
    };
}
pub(crate) use stub;

mod control;
mod create;
mod dot;
mod dynamic;
mod elementwise;
mod gather;
pub mod reduce;
mod shape;
mod strided;
