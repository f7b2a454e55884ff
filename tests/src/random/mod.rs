//! Random programs: the proof that no pass changes what a program computes.
//!
//! [`generate`] makes a program from a seed, with loops, branches and calls; `arguments` makes its inputs; [`check`] runs it
//! in every way that must not matter, and compares. What fails is made small by [`shrink`]. The same seed gives the same
//! program on every machine.
//!
//! There are two kinds of program ([`Flavor`]). *Wild* ones use the element types of 8 bits and more, with infinities and NaN;
//! contractions in them are of few bits, so that no order of summation rounds, and every comparison is bit for bit.
//! *Smooth* ones are of floats whose derivatives exist and stay small: forward and reverse mode are compared on them.
//! Those with contractions, Fourier transforms or factorizations are held to [`agreement::BOUND`].

pub mod agreement;
mod batches;
pub mod check;
mod checkpointed;
mod checks;
mod control;
mod decision;
mod derivatives;
mod jets;
mod moving;
mod pairs;
mod recurrence;
pub mod shrink;
mod sliding;
mod smooth;
mod sparsity;
pub(crate) mod values;
mod wild;

use wengert_ir::array::Array;
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use wengert_ir::op::Op;
use wengert_ir::testing::Random;
use wengert_ir::types::{DType, Dims, FloatMode, TensorType};

/// What programs are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flavor {
    /// Every element type and operation; compared bit for bit.
    Wild,
    /// Differentiable operations on floats.
    Smooth,
}

/// How exactly the results of a program are defined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rounding {
    /// To the bit.
    Defined,
    /// It has operations whose rounding is not defined: results are held to [`agreement::BOUND`].
    Bounded,
    /// The same, in sums of `f32` or fewer bits, whatever type they are given in: all results are held to the bound of `f32`.
    Single,
    /// The same, and a small change is a large one later: results need only be there.
    Unbounded,
}

/// A random program.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it was made from.
    pub seed: u64,
    /// Bytes within which its derivatives are asked for; those that need more are left out. None are if there is no limit.
    pub memory: Option<u64>,
    /// Its functions, under [`FloatMode::Exact`].
    pub module: Module,
    /// The one to run.
    pub func: FuncId,
    /// What it is made of.
    pub flavor: Flavor,
    /// How exactly its results are defined.
    pub rounding: Rounding,
    /// What it is called with.
    pub args: Vec<Array>,
}

/// Elements of the largest value of a program.
const LARGEST: usize = 3000;

/// Programs from this seed on also compare values with what is made of the same values elsewhere. Those before stay what
/// they were: some of them failed once.
pub const DECIDING: u64 = 14_000_000;

/// Programs from this seed on also hand on from trip to trip of a loop what is made of many elements of what was carried.
pub const RECURRING: u64 = 40_000_000;

/// Programs from this seed on also have indices of every integer type, in every order of dimensions, and that run along with what they
/// are into; and windows that slide in every way.
pub const REACHING: u64 = 50_000_000;

/// Programs from this seed on also have 8-bit floats, and batches whose branches are passed over where no example takes them.
pub const BEYOND: u64 = 60_000_000;

/// The program of a seed; three in four are wild.
pub fn generate(seed: u64) -> Program {
    let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x5eed);
    let flavor = if seed % 4 == 3 { Flavor::Smooth } else { Flavor::Wild };
    let mut module = Module::new("random");
    module.mode = FloatMode::Exact;
    let mut maker = Maker {
        module,
        func: Func::new("main", FuncKind::Public),
        pool: Vec::new(),
        sizes: Vec::new(),
        random: Random(random.bits()),
        flavor,
        loose: false,
        decides: seed >= DECIDING,
        recurs: seed >= RECURRING,
        reaches: seed >= REACHING,
        fp8: seed >= BEYOND,
    };
    let (func, special) = maker.program();
    let args = values::arguments(&maker.module, func, &mut random, special);
    let rounding = if maker.loose { Rounding::Bounded } else { Rounding::Defined };
    Program { seed, module: maker.module, func, flavor, rounding, memory: None, args }
}

/// Floats of 8 bits.
const FP8: [DType; 8] = {
    use DType::*;
    [F8E8M0FNU, F8E4M3FN, F8E5M2, F8E4M3, F8E4M3B11FNUZ, F8E4M3FNUZ, F8E5M2FNUZ, F8E3M4]
};

/// A program while it is made.
struct Maker {
    module: Module,
    /// The function that is being made.
    func: Func,
    /// What there is to choose from in it.
    pool: Vec<Value>,
    /// Sizes of dimensions in this program: few, so that shapes meet.
    sizes: Vec<usize>,
    random: Random,
    flavor: Flavor,
    loose: bool,
    /// Whether values are compared with what is made of the same values elsewhere.
    decides: bool,
    /// Whether loops carry what is made of many elements of what they carried.
    recurs: bool,
    /// Whether indices are of any kind.
    reaches: bool,
    /// Whether there are 8-bit floats.
    fp8: bool,
}

impl Maker {
    /// The main function, and whether its arguments should be special values.
    fn program(&mut self) -> (FuncId, bool) {
        let all: &[usize] = if self.random.chance(8) {
            &[1, 2, 3, 5, 24, 70, 520, 0]
        } else {
            &[1, 2, 3, 4, 6, 7, 16, 24, 40]
        };
        self.sizes = (0..3).map(|_| self.random.pick(all)).collect();
        self.sizes.push(1);
        let count = 2 + self.random.below(3);
        for _ in 0..count {
            let ty = self.any_type();
            let p = self.func.param(ty);
            self.pool.push(p);
        }
        let steps = 4 + self.random.below(18);
        self.grow(steps, 2);
        let results = 1 + self.random.below(4);
        let mut given = vec![*self.pool.last().expect("a value")];
        for _ in 1..results {
            given.push(self.value());
        }
        if self.flavor == Flavor::Smooth {
            // Derivatives want floats.
            given.retain(|&v| self.func.tensor(v).dtype.is_float());
            given.push(self.float());
        }
        self.func.results = given;
        let func = std::mem::take(&mut self.func);
        let special = self.flavor == Flavor::Wild && self.random.chance(40);
        (self.module.add(func), special)
    }

    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.random.chance(percent)
    }

    fn ty(&self, v: Value) -> TensorType {
        self.func.tensor(v).clone()
    }

    /// A type for a parameter or a fresh value.
    fn any_type(&mut self) -> TensorType {
        use DType::*;
        let dtypes: &[DType] = match self.flavor {
            Flavor::Smooth => &[F64, F64, F64, F32],
            Flavor::Wild => &[
                F32, F32, F32, F32, F32, F64, F64, F64, F64, I32, I32, I32, I64, I1, I1, U32, U8, U64, I8,
                U16, I16, F16, BF16, C64, C128,
            ],
        };
        let mut dtype = self.random.pick(dtypes);
        if self.fp8 && self.flavor == Flavor::Wild && self.chance(8) {
            dtype = self.random.pick(&FP8);
        }
        let shape = self.shape();
        TensorType::new(dtype, &shape)
    }

    /// A shape of this program's sizes.
    fn shape(&mut self) -> Dims {
        loop {
            let rank = self.random.pick(&[0, 1, 1, 2, 2, 2, 3]);
            let shape: Dims = (0..rank).map(|_| self.random.pick(&self.sizes)).collect();
            if shape.iter().product::<usize>() <= LARGEST {
                return shape;
            }
        }
    }

    /// Appends an instruction unless it refuses its operands or would be large; its first result is there to choose.
    fn push(&mut self, op: impl Into<Op>, operands: &[Value]) -> Option<Value> {
        Some(self.push_all(op.into(), operands)?[0])
    }

    /// As [`Maker::push`], with all results.
    fn push_all(&mut self, op: Op, operands: &[Value]) -> Option<Vec<Value>> {
        let types = operands.iter().map(|&v| self.func.ty(v).clone()).collect::<Vec<_>>();
        let results = op.infer(&self.module, &types).ok()?;
        let fits = |t: &wengert_ir::types::Type| {
            t.as_tensor().and_then(TensorType::checked_elements).is_some_and(|n| n <= LARGEST)
        };
        if !results.iter().all(fits) || results.is_empty() {
            return None;
        }
        let results = self.func.push_typed(op, operands, results, Loc::Unknown).to_vec();
        self.pool.extend(&results);
        Some(results)
    }

    /// As [`Maker::push`], but not to choose from.
    fn hidden(&mut self, op: impl Into<Op>, operands: &[Value]) -> Option<Value> {
        let count = self.pool.len();
        let result = self.push(op, operands);
        self.pool.truncate(count);
        result
    }

    /// A value; later ones more often, so that chains grow and old ones come back.
    fn value(&mut self) -> Value {
        let n = self.pool.len();
        let k = if self.chance(35) { self.below(n) } else { n - 1 - self.below(n.min(4)) };
        self.pool[k]
    }

    /// A value that satisfies `wanted`, if a few tries find one.
    fn value_where(&mut self, wanted: impl Fn(&TensorType) -> bool) -> Option<Value> {
        for _ in 0..4 {
            let v = self.value();
            if wanted(self.func.tensor(v)) {
                return Some(v);
            }
        }
        let fits: Vec<Value> = self.pool.iter().copied().filter(|&v| wanted(self.func.tensor(v))).collect();
        if fits.is_empty() { None } else { Some(self.random.pick(&fits)) }
    }

    /// A value of floats, made if there is none.
    fn float(&mut self) -> Value {
        match self.value_where(|t| t.dtype.is_float()) {
            Some(v) => v,
            None => {
                let x = self.value();
                let ty = self.ty(x).with_dtype(DType::F64);
                self.constant(&ty)
            }
        }
    }

    /// Adds this many steps; `depth` levels of regions may nest in them.
    fn grow(&mut self, steps: usize, depth: usize) {
        for _ in 0..steps {
            if depth > 0 && self.chance(12) {
                self.control(depth - 1);
            } else if self.decides && self.chance(10) {
                self.decision();
            } else if self.chance(45) {
                self.moving();
            } else if self.reaches && self.flavor == Flavor::Wild && self.chance(8) {
                self.sliding();
            } else {
                match self.flavor {
                    Flavor::Wild => self.wild(),
                    Flavor::Smooth => self.smooth(),
                }
            }
        }
    }

    /// A function of its own: `make` is given its parameters and says what it returns.
    fn function(
        &mut self,
        kind: FuncKind,
        params: &[TensorType],
        make: impl FnOnce(&mut Maker, &[Value]) -> Vec<Value>,
    ) -> FuncId {
        let name = match kind {
            FuncKind::Region => String::new(),
            FuncKind::Private | FuncKind::Public => format!("f{}", self.module.funcs.len()),
        };
        let outer = std::mem::replace(&mut self.func, Func::new(name, kind));
        let pool = std::mem::take(&mut self.pool);
        let params: Vec<Value> = params.iter().map(|t| self.func.param(t.clone())).collect();
        self.pool.extend(&params);
        let results = make(self, &params);
        self.func.results = results;
        let inner = std::mem::replace(&mut self.func, outer);
        self.pool = pool;
        self.module.add(inner)
    }
}
