//! The math library as kernels of the program, for programs that have no routines of it.
//!
//! A function of a run of numbers is a call of a kernel whose vector loop is the formula:
//!
//! ```text
//! kernel sin(x, y):
//!   any = or for j in 0..n: y[j] = sin of x[j], or a mark; is it one?
//!   if any: for j in 0..n: if y[j] is the mark: y[j] = math.sin x[j]
//! ```
//!
//! There is one for each length `n` of what it is called for; where that is not known, one of a tile, which is told.
//!
//! A mark, a NaN that no function returns, stands for what the formula leaves for later
//! ([`rarely`](wengert_ir::math::lane::Lane::rarely)): arguments that few programs have, each of which is then a call.

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use wengert_ir::entity::Entity;
use wengert_ir::kernel::build::{KernelBuilder, at};
use wengert_ir::kernel::{
    Access, BLOCK, Block, Combine, Extent, KCast, KInst, KOp, KValue, Kernel, KernelId, Library, LoopKind,
    MemKind, MemRef, Program, Scalar,
};
use wengert_ir::math::formula::{Formula, Function, Means, Rare};
use wengert_ir::math::lane::MARK;
use wengert_ir::op::{CompareType, Direction};

/// Vector loops have no branches and loops of their own. Payloads of NaN are nobody's business.
const MEANS: Means =
    Means { rare: Rare::Mark, canonical: false, clamps: false, counts: false, mul_high: false };

/// The program with calls of kernels in place of those of the math library's routines, or `None` if it has none.
pub(crate) fn with_functions(program: &Program) -> Option<Program> {
    let mut any = false;
    for kernel in program.kernels.values() {
        kernel.body.visit(&mut |inst| any |= call(inst).is_some());
    }
    if !any {
        return None;
    }
    let mut program = program.clone();
    let mut made = Made { first: program.kernels.len(), known: FxHashMap::default(), kernels: Vec::new() };
    for kernel in program.kernels.values_mut() {
        let body = std::mem::take(&mut kernel.body);
        kernel.body = rewrite(kernel, body, &mut made);
    }
    for kernel in made.kernels {
        program.kernels.push(kernel);
    }
    Some(program)
}

/// What an instruction calls, on what, and for how many numbers: sources, then the target.
fn call(inst: &KInst) -> Option<(Function, SmallVec<[&Access; 3]>, Extent)> {
    let KOp::Library(library) = &inst.op else { return None };
    match &**library {
        Library::Tile { f, src, dst, len } => Some((Function::One(*f), smallvec![src, dst], *len)),
        Library::Tile2 { f, a, b, dst, len } => Some((Function::Two(*f), smallvec![a, b, dst], *len)),
        Library::Gemm { .. } | Library::Reference { .. } | Library::Section(_) => None,
    }
}

fn rewrite(kernel: &mut Kernel, mut block: Block, made: &mut Made) -> Block {
    let insts = std::mem::take(&mut block.insts);
    for mut inst in insts {
        if let Some((f, places, len)) = call(&inst) {
            let ty = kernel.mems[places[0].mem].elem;
            let (len, operands) = match len {
                Extent::Const(n) => (Some(n as usize), smallvec![]),
                Extent::Value(v) => (None, smallvec![v]),
            };
            let key = Key { f, ty, roles: roles(&places), len };
            let count = key.roles.iter().max().expect("there is a target") + 1;
            let first = |role| key.roles.iter().position(|&r| r == role).expect("every number is one's");
            let mems = (0..count).map(|role| places[first(role)].clone()).collect();
            let op = KOp::Call { kernel: made.kernel(key), mems };
            block.insts.push(KInst { op, operands, results: smallvec![] });
            continue;
        }
        for inner in inst.op.blocks_mut() {
            *inner = rewrite(kernel, std::mem::take(inner), made);
        }
        block.insts.push(inst);
    }
    block
}

/// The memory of each source and of the target, by number: the same place has the same, because memories of a kernel do not overlap.
fn roles(places: &[&Access]) -> SmallVec<[usize; 3]> {
    let mut roles: SmallVec<[usize; 3]> = SmallVec::new();
    for (k, place) in places.iter().enumerate() {
        let same = places[..k].iter().position(|other| other == place);
        roles.push(same.map_or_else(|| roles.iter().max().map_or(0, |r| r + 1), |k| roles[k]));
    }
    roles
}

/// A kernel that is a function.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    f: Function,
    ty: Scalar,
    roles: SmallVec<[usize; 3]>,
    /// How many numbers, if that is known; else the kernel is told, and they are those of a tile at most.
    len: Option<usize>,
}

/// Kernels in addition to those of the program.
struct Made {
    first: usize,
    known: FxHashMap<Key, KernelId>,
    kernels: Vec<Kernel>,
}

impl Made {
    fn kernel(&mut self, key: Key) -> KernelId {
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let id = KernelId::from_index(self.first + self.kernels.len());
        self.kernels.push(key.kernel(&format!("function_{}", self.kernels.len())));
        self.known.insert(key, id);
        id
    }
}

impl Key {
    /// The kernel of a function: memories, and how many numbers where that is not known.
    fn kernel(&self, name: &str) -> Kernel {
        let (mut b, params) = match self.len {
            Some(_) => KernelBuilder::new(name, &[]),
            None => KernelBuilder::new(name, &[Scalar::I64]),
        };
        let (most, len) = match self.len {
            Some(n) => (n, Extent::Const(n as i64)),
            None => (BLOCK, Extent::Value(params[0])),
        };
        let count = self.roles.iter().max().expect("there is a target") + 1;
        let mems: SmallVec<[MemRef; 3]> =
            (0..count).map(|role| b.mem(self.ty, most, MemKind::Param(role as u32))).collect();
        let mems: SmallVec<[MemRef; 3]> = self.roles.iter().map(|&role| mems[role]).collect();
        let (&target, sources) = mems.split_last().expect("there is a target");
        let formula = Formula::of(self.f, self.ty == Scalar::F64, MEANS);
        let start = Extent::Const(0);
        if formula.rare.is_none() {
            b.count(start, len, 1, LoopKind::Vector, &[], |b, i, _| {
                let (y, _) = self.formula(b, &formula, sources, i);
                b.store(at(target, 0, &[(i, 1)]), y);
                vec![]
            });
            return b.finish();
        }
        // What is marked is made of the sources, which the target may be.
        let in_place = sources.contains(&target);
        let to = if in_place { b.mem(self.ty, most, MemKind::Local) } else { target };
        let whole = whole(self.ty);
        let any = b.lanes(len, &[Combine::Or], &[whole], |b, i, any| {
            let (y, rare) = self.formula(b, &formula, sources, i);
            let [one, zero] = [1, 0].map(|word| b.bits(whole, word));
            let rare = rare.expect("it has rare arguments");
            let rare = b.op(KOp::Select, &[rare, one, zero], whole);
            b.store(at(to, 0, &[(i, 1)]), y);
            vec![b.op(KOp::Binary(Combine::Or.op()), &[any[0], rare], whole)]
        })[0];
        when(&mut b, any, |b| self.again(b, sources, to, len));
        if in_place {
            b.count(start, len, 1, LoopKind::Vector, &[], |b, i, _| {
                let y = b.load(at(to, 0, &[(i, 1)]));
                b.store(at(target, 0, &[(i, 1)]), y);
                vec![]
            });
        }
        b.finish()
    }

    /// The formula for the numbers at a counter, and where its result is a mark.
    fn formula(
        &self,
        b: &mut KernelBuilder,
        formula: &Formula,
        sources: &[MemRef],
        i: KValue,
    ) -> (KValue, Option<KValue>) {
        let x = numbers(b, sources, i);
        b.formula(formula, self.ty, &x, &mut |_, _, _| None)
    }

    /// A loop that computes what is marked, number by number.
    fn again(&self, b: &mut KernelBuilder, sources: &[MemRef], to: MemRef, len: Extent) {
        let (mark, whole) = (MARK[usize::from(self.ty == Scalar::F64)], whole(self.ty));
        b.count(Extent::Const(0), len, 1, LoopKind::Sequential, &[], |b, i, _| {
            let y = b.load(at(to, 0, &[(i, 1)]));
            let bits = b.op(KOp::Cast(KCast::Bits), &[y], whole);
            let mark = b.bits(whole, mark);
            let marked = b.op(KOp::Compare(Direction::Eq, CompareType::Unsigned), &[bits, mark], Scalar::I1);
            let [one, zero] = [1, 0].map(|word| b.bits(whole, word));
            let marked = b.op(KOp::Select, &[marked, one, zero], whole);
            when(b, marked, |b| {
                let x = numbers(b, sources, i);
                let op = match self.f {
                    Function::One(f) => KOp::Math(f),
                    Function::Two(f) => KOp::Math2(f),
                    Function::NextAfter => unreachable!("no routine of the library"),
                };
                let y = b.op(op, &x, self.ty);
                b.store(at(to, 0, &[(i, 1)]), y);
            });
            vec![]
        });
    }
}

/// What a function is of, at a counter.
fn numbers(b: &mut KernelBuilder, sources: &[MemRef], i: KValue) -> SmallVec<[KValue; 2]> {
    sources.iter().map(|&mem| b.load(at(mem, 0, &[(i, 1)]))).collect()
}

/// Does something where a number is 1, and not where it is 0.
fn when(b: &mut KernelBuilder, number: KValue, mut then: impl FnMut(&mut KernelBuilder)) {
    b.switch(number, 2, &[], |b, arm| {
        if arm == 1 {
            then(b);
        }
        vec![]
    });
}

/// The integer as wide as a float.
fn whole(float: Scalar) -> Scalar {
    if float == Scalar::F64 { Scalar::I64 } else { Scalar::I32 }
}
