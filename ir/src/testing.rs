//! Support for tests of operations: a mini forward mode over one straight-line function, and checks of an
//! operation's rules against finite differences and against each other. Not part of the public interface.

pub mod bytecode;
pub mod convolutions;
pub mod kernels;
pub mod text;

use crate::array::{Array, Literal};
use crate::entity::EntityVec;
use crate::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use crate::interp::{self, Limits};
use crate::op::Op;
use crate::rules::{Emit, Jvp, Operand, Term, Transpose};
use crate::types::{DType, TensorType, Type};
use smallvec::SmallVec;

/// The intervals between which the verifier of kernels takes results to be.
pub mod intervals {
    pub use crate::kernel::verify::range::{binary, cast, unary};
}

/// Emits into one function; every term is known.
pub struct Builder<'m> {
    /// The module that `func` will be added to.
    pub module: &'m mut Module,
    /// What is being built.
    pub func: Func,
}

impl Builder<'_> {
    /// The value of a term.
    pub fn value(term: Term) -> Value {
        match term {
            Term::Known(v) | Term::Linear(v) => v,
        }
    }
}

impl Emit for Builder<'_> {
    fn emit(&mut self, op: Op, operands: &[Term]) -> SmallVec<[Term; 2]> {
        let operands: Vec<Value> = operands.iter().map(|&t| Self::value(t)).collect();
        let results =
            self.func.push(self.module, op, &operands, Loc::Unknown).unwrap_or_else(|e| panic!("{e}"));
        results.into_iter().map(Term::Known).collect()
    }
    fn ty(&self, term: Term) -> TensorType {
        self.func.tensor(Self::value(term)).clone()
    }
    fn module(&mut self) -> &mut Module {
        self.module
    }
    fn constant(&self, term: Term) -> Option<Literal> {
        self.func.scalar_constant(Self::value(term))
    }
}

/// Values on which identities of real numbers fail.
pub const SPECIAL: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    3.0,
    -7.25,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    1e-45,
    -1e-40,
    5e-324,
    3e38,
    1e308,
    1.2345678912345,
    1e10,
];

/// Numbers that look random, the same in every run (splitmix64).
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// Uniform in `lo..hi`.
    pub fn uniform(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
    /// A whole number in `0..n`. Panics if there is none.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.bits() >> 11) % n as u64) as usize
    }
    /// Whether something happens that does so in `percent` of all cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
    /// One of several.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
    /// Uniform elements: floats in `lo..hi`, integers likewise but whole, booleans by coin.
    pub fn array(&mut self, ty: &TensorType, lo: f64, hi: f64) -> Array {
        let n = ty.elements();
        match ty.dtype {
            DType::I1 => {
                let v: Vec<bool> = (0..n).map(|_| self.bits() & 1 == 1).collect();
                Array::new_bool(&ty.shape, &v)
            }
            dtype => {
                let v: Vec<f64> = (0..n).map(|_| self.uniform(lo, hi)).collect();
                let whole = dtype.is_integer();
                numbers(ty, v.into_iter().map(|x| if whole { x.floor() } else { x }))
            }
        }
    }
}

/// An array of an executable type from numbers.
pub fn numbers(ty: &TensorType, values: impl IntoIterator<Item = f64>) -> Array {
    let bytes: Vec<u8> = values
        .into_iter()
        .flat_map(|v| Literal::splat(TensorType::scalar(ty.dtype), v).stored_bytes().to_vec())
        .collect();
    Array::from_bytes(ty.clone(), &bytes)
}

/// The elements of a float array as `f64`.
pub fn floats(array: &Array) -> Vec<f64> {
    match array.dtype() {
        DType::F64 => array.as_slice::<f64>().to_vec(),
        DType::F32 => array.as_slice::<f32>().iter().map(|&x| x as f64).collect(),
        other => panic!("no floats in an array of {other}"),
    }
}

/// A module with one function that applies `op` to its parameters.
pub fn single(op: Op, operands: &[TensorType]) -> (Module, FuncId) {
    single_in(Module::new("test"), op, operands)
}

/// As [`single`], in a module that has functions already.
pub fn single_in(mut module: Module, op: Op, operands: &[TensorType]) -> (Module, FuncId) {
    let mut func = Func::new("main", FuncKind::Public);
    let params: Vec<Value> = operands.iter().map(|t| func.param(t.clone())).collect();
    func.results = func.push(&module, op, &params, Loc::Unknown).unwrap_or_else(|e| panic!("{e}")).to_vec();
    let id = module.add(func);
    (module, id)
}

/// Runs a function without limits.
#[track_caller]
pub fn eval(module: &Module, func: FuncId, args: &[Array]) -> Vec<Array> {
    interp::run(module, func, args, &Limits::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Runs one operation.
#[track_caller]
pub fn eval_op(op: impl Into<Op>, args: &[Array]) -> Vec<Array> {
    let types: Vec<TensorType> = args.iter().map(|a| a.ty().clone()).collect();
    let (module, func) = single(op.into(), &types);
    eval(&module, func, args)
}

/// Forward mode over one straight-line function: `params ++ tangents of float params` to
/// `results ++ tangents of float results`.
pub fn jvp(module: &mut Module, f: FuncId) -> FuncId {
    let source = module.get(f);
    let mut b = Builder { module, func: Func::new("jvp", FuncKind::Public) };
    let mut primal: EntityVec<Value, Option<Term>> = EntityVec::filled(None, source.values.len());
    let mut tangent = primal.clone();
    for &p in &source.params {
        primal[p] = Some(Term::Known(b.func.param(source.ty(p).clone())));
    }
    for &p in &source.params {
        if source.tensor(p).dtype.is_float() {
            tangent[p] = Some(Term::Known(b.func.param(source.ty(p).clone())));
        }
    }
    for (_, inst) in source.insts.iter() {
        let operands: Vec<Term> = inst.operands.iter().map(|&v| primal[v].expect("defined")).collect();
        let tangents: Vec<Option<Term>> = inst.operands.iter().map(|&v| tangent[v]).collect();
        let results = b.emit(inst.op.clone(), &operands);
        let out = if tangents.iter().any(Option::is_some) {
            inst.op.def().jvp(&mut b, Jvp { operands: &operands, results: &results, tangents: &tangents })
        } else {
            results.iter().map(|_| None).collect()
        };
        assert_eq!(out.len(), results.len(), "tangents of {}", inst.op.name());
        for ((&v, p), t) in inst.results.iter().zip(results).zip(out) {
            if let Some(t) = t {
                assert_eq!(b.ty(t), b.ty(p), "type of a tangent of {}", inst.op.name());
            }
            primal[v] = Some(p);
            tangent[v] = t;
        }
    }
    let mut results: Vec<Value> =
        source.results.iter().map(|&r| Builder::value(primal[r].expect("defined"))).collect();
    for &r in source.results.iter().filter(|&&r| source.tensor(r).dtype.is_float()) {
        let t = tangent[r].unwrap_or_else(|| {
            let ty = source.tensor(r).clone();
            (&mut b as &mut dyn Emit).zero(ty)
        });
        results.push(Builder::value(t));
    }
    b.func.results = results;
    let func = b.func;
    module.add(func)
}

/// Compares [`jvp`] of a function of `f64` with central differences in a random direction.
#[track_caller]
pub fn check_jvp(module: &mut Module, f: FuncId, args: &[Array], tolerance: f64) {
    let tangent = jvp(module, f);
    let mut random = Random(7);
    let directions: Vec<Array> =
        args.iter().filter(|a| a.dtype().is_float()).map(|a| random.array(a.ty(), -1.0, 1.0)).collect();
    let mut with_tangents = args.to_vec();
    with_tangents.extend(directions.iter().cloned());
    let out = eval(module, tangent, &with_tangents);
    let step = 1e-6;
    let moved = |h: f64| {
        let mut k = 0;
        let args: Vec<Array> = args
            .iter()
            .map(|a| {
                if !a.dtype().is_float() {
                    return a.clone();
                }
                k += 1;
                let at = floats(a).into_iter().zip(floats(&directions[k - 1])).map(|(a, d)| a + h * d);
                numbers(a.ty(), at)
            })
            .collect();
        let results = eval(module, f, &args);
        results.iter().filter(|r| r.dtype().is_float()).flat_map(floats).collect::<Vec<_>>()
    };
    let (above, below) = (moved(step), moved(-step));
    let results = module.get(f).results.len();
    let tangents: Vec<f64> = out[results..].iter().flat_map(floats).collect();
    assert_eq!(tangents.len(), above.len());
    for (i, t) in tangents.iter().enumerate() {
        let difference = (above[i] - below[i]) / (2.0 * step);
        assert!(
            (t - difference).abs() <= tolerance * (1.0 + difference.abs()),
            "element {i}: the rule gives {t}, finite differences {difference}"
        );
    }
}

/// Checks `<op(x), c> = <x, transpose(c)>` where the operands marked `linear` are `x`.
#[track_caller]
pub fn check_transpose(module: Module, op: &Op, args: &[Array], linear: &[bool]) {
    assert!(op.def().is_linear(linear), "{} must be linear in {linear:?}", op.name());
    let types: Vec<TensorType> = args.iter().map(|a| a.ty().clone()).collect();
    let (mut module, f) = single_in(module, op.clone(), &types);
    let results = eval(&module, f, args);
    let mut random = Random(11);
    let cotangents: Vec<Array> = results.iter().map(|r| random.array(r.ty(), -1.0, 1.0)).collect();

    let mut b = Builder { module: &mut module, func: Func::new("transpose", FuncKind::Public) };
    let operands: Vec<Operand> = types
        .iter()
        .zip(linear)
        .map(|(ty, &linear)| {
            if linear {
                Operand::Linear(ty.clone())
            } else {
                Operand::Known(Term::Known(b.func.param(ty.clone())))
            }
        })
        .collect();
    let terms: Vec<Option<Term>> =
        cotangents.iter().map(|c| Some(Term::Known(b.func.param(c.ty().clone())))).collect();
    let result_types: Vec<Type> = results.iter().map(|r| r.ty().clone().into()).collect();
    let out = op
        .def()
        .transpose(&mut b, Transpose { operands: &operands, results: &result_types, cotangents: &terms });
    assert_eq!(out.len(), args.len(), "cotangents of {}", op.name());
    for ((t, &linear), ty) in out.iter().zip(linear).zip(&types) {
        if let Some(t) = *t {
            assert!(linear, "a cotangent of a known operand of {}", op.name());
            assert_eq!(b.ty(t), *ty, "type of a cotangent of {}", op.name());
        }
    }
    b.func.results = out.iter().flatten().map(|&t| Builder::value(t)).collect();
    let func = b.func;
    let transposed = module.add(func);
    let known = args.iter().zip(linear).filter(|(_, linear)| !**linear).map(|(a, _)| a);
    let inputs: Vec<Array> = known.chain(&cotangents).cloned().collect();
    let back = eval(&module, transposed, &inputs);

    let dot = |a: &Array, b: &Array| floats(a).iter().zip(floats(b)).map(|(a, b)| a * b).sum::<f64>();
    let forward: f64 = results.iter().zip(&cotangents).map(|(r, c)| dot(r, c)).sum();
    let present = args.iter().zip(&out).filter(|(_, t)| t.is_some()).map(|(a, _)| a);
    let reverse: f64 = present.zip(&back).map(|(a, c)| dot(a, c)).sum();
    assert!(
        (forward - reverse).abs() <= 1e-9 * (1.0 + forward.abs()),
        "{} in {linear:?}: <op(x), c> = {forward}, <x, transpose(c)> = {reverse}",
        op.name()
    );
}

/// A row of a table of operations: how to call one, and what to check.
#[derive(Clone, Debug)]
pub struct Row {
    /// The operation; its functions are in the module that checks are given.
    pub op: Op,
    /// Types of the operands; floats should be `f64`.
    pub operands: Vec<TensorType>,
    /// Where the elements of each operand come from.
    pub ranges: Vec<(f64, f64)>,
    /// Orders of derivative to compare with finite differences.
    pub orders: usize,
    /// Sets of operands in which it is linear.
    pub linear: Vec<Vec<bool>>,
}

impl Row {
    /// A row whose operands all lie in `range`.
    pub fn new(op: impl Into<Op>, operands: &[TensorType], range: (f64, f64)) -> Self {
        let ranges = vec![range; operands.len()];
        Row { op: op.into(), operands: operands.to_vec(), ranges, orders: 2, linear: Vec::new() }
    }
    /// The range of one operand.
    pub fn range(mut self, operand: usize, lo: f64, hi: f64) -> Self {
        self.ranges[operand] = (lo, hi);
        self
    }
    /// Another set of operands in which it is linear.
    pub fn linear(mut self, linear: &[bool]) -> Self {
        self.linear.push(linear.to_vec());
        self
    }
    /// Orders of derivative to check; the default is 2.
    pub fn orders(mut self, orders: usize) -> Self {
        self.orders = orders;
        self
    }

    /// Derivatives of every order against finite differences, and every transpose against the dot product.
    /// `module` holds the functions that the operation refers to.
    pub fn check(&self, module: &Module) {
        let mut random = Random(3);
        let mut args: Vec<Array> =
            self.operands.iter().zip(&self.ranges).map(|(ty, &(lo, hi))| random.array(ty, lo, hi)).collect();
        for linear in &self.linear {
            check_transpose(module.clone(), &self.op, &args, linear);
        }
        let (mut module, mut f) = single_in(module.clone(), self.op.clone(), &self.operands);
        for order in 1..=self.orders {
            let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                check_jvp(&mut module, f, &args, 1e-5);
            }));
            if let Err(cause) = checked {
                let message = cause.downcast_ref::<String>().map_or("panicked", |s| s);
                panic!("derivative {order} of {}: {message}", self.op.name());
            }
            f = jvp(&mut module, f);
            let floats: Vec<TensorType> =
                args.iter().map(|a| a.ty().clone()).filter(|t| t.dtype.is_float()).collect();
            args.extend(floats.iter().map(|ty| random.array(ty, -1.0, 1.0)));
        }
    }
}

/// Says that a test cannot do all it should because a tool is missing, in one line that is seen even where tests' output is
/// captured, and adds it to the file that `WENGERT_SKIPPED` names, if it does.
///
/// # Panics
/// If the tool is in the list, separated by commas, of the environment variable `WENGERT_REQUIRE`.
#[track_caller]
pub fn skip(tool: &str, why: &str) {
    use std::io::Write;
    let required = std::env::var("WENGERT_REQUIRE").unwrap_or_default();
    let is_required = required.split(',').any(|t| t.trim() == tool);
    assert!(!is_required, "{tool} is required here (WENGERT_REQUIRE) and missing: {why}");
    let at = std::panic::Location::caller();
    let line = format!("skipped for want of {tool}: {}:{}: {}\n", at.file(), at.line(), why.trim());
    // Not a macro: those are captured.
    let _ = std::io::stderr().write_all(line.as_bytes());
    if let Some(path) = std::env::var_os("WENGERT_SKIPPED") {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
        let _ = file.and_then(|mut f| f.write_all(line.as_bytes()));
    }
}
