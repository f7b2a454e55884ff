//! The functions that JAX differentiates by rules of its own, as far as they are known here, and the files that hold them.

use crate::inline::inline_calls;
use std::sync::{Arc, OnceLock};
use wengert_ir::func::{Func, Module};
use wengert_ir::op::{BinaryOp, Op, UnaryOp};

/// A function with a rule.
pub struct Known {
    /// What it is called.
    pub name: &'static str,
    /// Whether only a function of its name is taken for it.
    pub(super) by_name: bool,
    /// Operations without which nothing has the shape: the file is not read before all are met.
    pub signs: &'static [Op],
    /// The text of its file.
    pub source: &'static str,
    read: OnceLock<Library>,
}

/// The functions of one file.
pub struct Library {
    /// What is in it.
    pub module: Module,
    /// One for each element type.
    pub shapes: Vec<Shape>,
}

/// A function of vectors of [`LANES`](super::shape::LANES) elements and its derivative, calls inlined.
pub struct Shape {
    /// The function.
    pub func: Arc<Func>,
    /// Arguments, then tangents, to the result and its tangent.
    pub rule: Arc<Func>,
}

macro_rules! known {
    ($($name:literal $($sign:ident)&+ $by_name:literal;)+) => {
        /// In this order: a shape that has another one as its part comes before it.
        pub static KNOWN: [Known; [$($name),+].len()] = [$(Known {
            name: $name,
            by_name: $by_name,
            signs: &[$(known!(@ $sign)),+],
            source: include_str!(concat!($name, ".mlir")),
            read: OnceLock::new(),
        }),+];
    };
    (@ Maximum) => { Op::Binary(BinaryOp::Maximum) };
    (@ And) => { Op::Binary(BinaryOp::And) };
    (@ Remainder) => { Op::Binary(BinaryOp::Remainder) };
    (@ $unary:ident) => { Op::Unary(UnaryOp::$unary) };
}

known! {
    "relu"       Maximum             true;
    "relu6"      Maximum             true;
    "logaddexp"  LogPlusOne          false;
    "logaddexp2" LogPlusOne          false;
    "log1mexp"   ExponentialMinusOne false;
    "xlogx"      Log                 false;
    "xlogy"      Log                 false;
    "xlog1py"    LogPlusOne          false;
    "i0"         Sqrt                false;
    "bessel_i0e" Sqrt                false;
    "log_ndtr"   Erfc                false;
    "frexp"      And                 false;
    "dawsn"      Sign                false;
    "erfcx"      Erfc                false;
    "betainc"    Lgamma & Remainder  false;
    "igammac"    Lgamma              false;
    "igamma"     Lgamma              false;
    "erf_inv"    LogPlusOne          false;
    "logit"      Log                 false;
    "logistic"   Exponential         false;
}

impl Known {
    /// What is in its file, which is read once.
    pub fn library(&self) -> &Library {
        self.read.get_or_init(|| {
            let mut module =
                wengert_ir::text::parse(self.source).expect("the shapes of this folder are read in tests");
            let is_shape = |f: &&Arc<Func>| module.find(&format!("{}_rule", f.name)).is_some();
            let names: Vec<String> = module.funcs.values().filter(is_shape).map(|f| f.name.clone()).collect();
            let mut inlined = |name: &str| {
                let func = module.find(name).expect("just listed");
                let func = inline_calls(&mut module, func);
                module.get(func)
            };
            let shapes =
                names.iter().map(|n| Shape { func: inlined(n), rule: inlined(&format!("{n}_rule")) });
            let shapes = shapes.collect();
            Library { module, shapes }
        })
    }
}
