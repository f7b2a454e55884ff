//! Products that leave their loops, and matrices that are turned before them: random cells with dimensions in every order are what they
//! were, and a recurrent network keeps one product of a trip.

use wengert_ir::array::Array;
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use wengert_ir::op::{BinaryOp, DotGeneral, Op, Precision, Scan, Transpose, UnaryOp, Zero};
use wengert_ir::testing::{Random, eval};
use wengert_ir::types::{DType, Dims, FloatMode, TensorType};
use wengert_ir::verify::verify;
use wengert_passes::pipeline::{DEFAULT, Pipeline};
use wengert_passes::testing::{Distributed, Repeated, distribute_from, down_columns_from};

/// Sizes of dimensions by their names: groups, rows, the state's twice, what goes in, and what comes out.
#[derive(Clone, Copy)]
struct Sizes {
    g: usize,
    b: usize,
    n: usize,
    k: usize,
    o: usize,
    trips: usize,
}

/// A value and what its dimensions are called.
#[derive(Clone)]
struct Named {
    value: Value,
    names: Vec<char>,
}

struct Maker {
    random: Random,
    sizes: Sizes,
    module: Module,
    f: Func,
}

impl Maker {
    fn new(seed: u64, sizes: Sizes, mode: FloatMode) -> Maker {
        let module = Module { mode, ..Module::default() };
        Maker { random: Random(seed), sizes, module, f: Func::new("body", FuncKind::Region) }
    }

    fn push(&mut self, op: impl Into<Op>, operands: &[Value]) -> Value {
        self.f.push_built(&self.module, op.into(), operands, Loc::Unknown)[0]
    }

    fn ty(&self, names: &[char]) -> TensorType {
        let s = self.sizes;
        let size = |name: &char| match name {
            'g' => s.g,
            'b' => s.b,
            'n' | 'm' => s.n,
            'k' => s.k,
            'o' => s.o,
            _ => unreachable!("no such dimension"),
        };
        let shape: Vec<usize> = names.iter().map(size).collect();
        TensorType::new(DType::F64, &shape)
    }

    fn shuffled(&mut self, names: &str) -> Vec<char> {
        let mut left: Vec<char> = names.chars().collect();
        (0..left.len()).map(|_| left.remove(self.random.below(left.len()))).collect()
    }

    fn param(&mut self, names: &str) -> Named {
        let names = self.shuffled(names);
        let ty = self.ty(&names);
        Named { value: self.f.param(ty), names }
    }

    /// The sum of products over dimensions with these names, the others as often as they come up, in either order of factors.
    fn dot(&mut self, a: &Named, b: &Named, over: &str) -> Named {
        let (a, b) = if self.random.chance(50) { (a, b) } else { (b, a) };
        let places = |x: &Named, names: &[char]| -> Dims {
            names.iter().map(|n| x.names.iter().position(|m| m == n).expect("named")).collect()
        };
        let over = self.shuffled(over);
        let both: String = a.names.iter().filter(|n| b.names.contains(n) && !over.contains(n)).collect();
        let both = self.shuffled(&both);
        let free = |x: &Named| -> Vec<char> {
            x.names.iter().copied().filter(|n| !both.contains(n) && !over.contains(n)).collect()
        };
        let names = [both.clone(), free(a), free(b)].concat();
        let op = DotGeneral {
            lhs_batching_dims: places(a, &both),
            rhs_batching_dims: places(b, &both),
            lhs_contracting_dims: places(a, &over),
            rhs_contracting_dims: places(b, &over),
            lhs_precision: Precision::Default,
            rhs_precision: Precision::Default,
            dtype: DType::F64,
        };
        let value = self.push(op, &[a.value, b.value]);
        Named { value, names }
    }

    /// With dimensions in this order.
    fn ordered(&mut self, x: &Named, names: &[char]) -> Named {
        let perm: Dims = names.iter().map(|n| x.names.iter().position(|m| m == n).expect("named")).collect();
        let names = names.to_vec();
        if perm.iter().copied().eq(0..perm.len()) {
            return Named { value: x.value, names };
        }
        Named { value: self.push(Transpose { perm }, &[x.value]), names }
    }

    /// Both, in either order, with the dimensions of the first.
    fn add(&mut self, x: &Named, y: &Named) -> Named {
        let y = self.ordered(y, &x.names);
        let terms = if self.random.chance(50) { [x.value, y.value] } else { [y.value, x.value] };
        Named { value: self.push(BinaryOp::Add, &terms), names: x.names.clone() }
    }

    /// A loop whose state is multiplied by a matrix on every trip, as rows of what goes in are, which sums products, and gives some.
    fn cell(mut self) -> (Module, FuncId) {
        let groups = if self.random.chance(30) { "g" } else { "" };
        let rows = if self.random.chance(40) { "b" } else { "" };
        let with = |dims: &str| format!("{groups}{rows}{dims}");
        let inputs = self.param(&format!("{groups}nk"));
        let states = self.param(&format!("{groups}nm"));
        let outputs = self.param(&format!("{groups}on"));
        let h = self.param(&with("n"));
        let sum = self.param(&format!("{groups}nk"));
        let other = self.param(&format!("{groups}nm"));
        let x = self.param(&with("k"));
        let constants = 3;
        // One trip.
        let before = self.dot(&inputs, &x, "k");
        let renamed = |x: &Named| -> Named {
            let names = x.names.iter().map(|&n| if n == 'n' { 'm' } else { n }).collect();
            Named { value: x.value, names }
        };
        let again = self.dot(&states, &renamed(&h), "m");
        let z = self.add(&again, &before);
        let z = Named { value: self.push(UnaryOp::Tanh, &[z.value]), names: z.names };
        let term = self.dot(&z, &x, rows);
        let mut total = self.add(&sum, &term);
        let mut other_total = self.dot(&z, &renamed(&h), rows);
        other_total = self.add(&other, &other_total);
        if self.random.chance(30) {
            let more = self.dot(&h, &x, rows);
            total = self.add(&total, &more);
        }
        if self.module.mode == FloatMode::Relaxed && self.random.chance(30) {
            let more =
                Named { value: self.push(UnaryOp::Sine, &[inputs.value]), names: inputs.names.clone() };
            total = self.add(&total, &more);
        }
        let out = self.dot(&outputs, &z, "n");
        let carried = [(&z, &h), (&total, &sum), (&other_total, &other)];
        let carried = carried.map(|(x, like)| self.ordered(x, &like.names).value);
        self.f.results.extend(carried);
        let mut given = vec![out.value];
        given.extend([z.value, before.value, h.value].into_iter().filter(|_| self.random.chance(30)));
        self.f.results.extend(given);
        // The loop.
        let types: Vec<TensorType> = self.f.params.iter().map(|&p| self.f.tensor(p).clone()).collect();
        let body = std::mem::replace(&mut self.f, Func::new("main", FuncKind::Public));
        let body = self.module.add(body);
        let mut args: Vec<Value> = types
            .iter()
            .enumerate()
            .map(|(k, ty)| {
                let ty = if k < constants + 3 { ty.clone() } else { ty.stacked(self.sizes.trips) };
                self.f.param(ty)
            })
            .collect();
        if self.module.mode == FloatMode::Default {
            for k in constants + 1..constants + 3 {
                args[k] = self.push(Zero { ty: types[k].clone() }, &[]);
            }
        }
        let reverse = self.random.chance(50);
        let op = Scan { body, consts: constants, carry: 3, reverse, length: self.sizes.trips };
        let results = self.f.push_built(&self.module, op.into(), &args, Loc::Unknown);
        self.f.results.extend(results);
        let main = self.module.add(self.f);
        (self.module, main)
    }
}

fn agree(want: &[Array], got: &[Array], what: &str) {
    assert_eq!(want.len(), got.len(), "{what}");
    for (k, (a, b)) in want.iter().zip(got).enumerate() {
        let (a, b) = (a.as_slice::<f64>(), b.as_slice::<f64>());
        let near =
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-11 * (1.0 + a.abs()));
        assert!(near, "{what}, result {k}: {b:?} instead of {a:?}");
    }
}

/// The products of each loop's trip.
fn products(m: &Module, f: FuncId) -> usize {
    let f = m.get(f);
    let bodies = f.insts.values().flat_map(|i| i.op.callees()).map(|c| m.get(c));
    bodies
        .flat_map(|b| {
            b.insts.values().map(|i| matches!(i.op, Op::DotGeneral(_)) as usize).collect::<Vec<_>>()
        })
        .sum()
}

#[test]
fn cells_with_dimensions_in_every_order_are_what_they_were() {
    let sizes = Sizes { g: 2, b: 3, n: 4, k: 5, o: 2, trips: 3 };
    for seed in 0..300 {
        let mode = if seed % 2 == 0 { FloatMode::Default } else { FloatMode::Relaxed };
        let (mut m, f) = Maker::new(seed, sizes, mode).cell();
        let mut random = Random(seed);
        let func = m.get(f);
        let args: Vec<Array> = func.params.iter().map(|&p| random.array(func.tensor(p), -1.0, 1.0)).collect();
        let want = eval(&m, f, &args);
        let apart = distribute_from(&mut m, f, &Distributed::NONE);
        let turned = down_columns_from(&mut m, f, Repeated::NONE);
        let both = down_columns_from(&mut m, apart, Repeated::NONE);
        let piped = Pipeline::parse(DEFAULT).expect("passes").run(&mut m, both, &mut |_| {});
        assert_eq!(products(&m, apart), 1, "seed {seed}");
        for (what, f) in [("apart", apart), ("turned", turned), ("both", both), ("the pipeline", piped)] {
            verify(&m.reachable(&[f]).0).unwrap_or_else(|e| panic!("seed {seed}, {what}: {e:?}"));
            agree(&want, &eval(&m, f, &args), &format!("seed {seed}, {what}"));
        }
    }
}

/// At sizes that pay, and not at others.
#[test]
fn a_trip_of_a_recurrent_network_has_one_product() {
    let of = |sizes: Sizes| -> usize {
        let (mut m, f) = Maker::new(1, sizes, FloatMode::Default).cell();
        let passes = Pipeline::parse("distribute,dce").expect("passes");
        let f = passes.run(&mut m, f, &mut |_| {});
        products(&m, f)
    };
    let network = Sizes { g: 1, b: 4, n: 64, k: 48, o: 40, trips: 20 };
    assert_eq!(of(network), 1);
    let all = of(Sizes { n: 4, k: 4, o: 4, ..network });
    assert!(all >= 5, "{all}");
    assert_eq!(of(Sizes { trips: 4, ..network }), all);
    // Rows of all trips would take more memory than they may.
    assert_eq!(of(Sizes { trips: 100_000, ..network }), all);
}

/// A sum that does not begin with zeros, or of more than products, is no contraction: its order is kept but in relaxed mode.
#[test]
fn sums_keep_their_order() {
    let carried = |made: FloatMode, run: FloatMode| -> usize {
        let (mut m, f) = Maker::new(1, Sizes { g: 1, b: 4, n: 64, k: 48, o: 40, trips: 20 }, made).cell();
        m.mode = run;
        let f = Pipeline::parse("distribute,dce").expect("passes").run(&mut m, f, &mut |_| {});
        let f = m.get(f);
        let carried =
            f.insts.values().filter_map(|i| if let Op::Scan(s) = &i.op { Some(s.carry) } else { None });
        carried.sum()
    };
    assert_eq!(carried(FloatMode::Default, FloatMode::Default), 1);
    assert_eq!(carried(FloatMode::Relaxed, FloatMode::Default), 3);
    assert!(carried(FloatMode::Relaxed, FloatMode::Relaxed) < 3);
}
