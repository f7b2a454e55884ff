//! The math library as kernels of the program, for programs that have no routines of it.
//!
//! A function of a run of numbers is a call of a kernel whose vector loop is the formula:
//!
//! ```text
//! kernel sin(x, y, n):
//!   any = or for j in 0..n: y[j] = sin of x[j], or a mark; is it one?
//!   if any: for j in 0..n: if y[j] is the mark: y[j] = math.sin x[j]
//! ```
//!
//! A mark, a NaN that no function returns, stands for what the formula leaves for later
//! ([`rarely`](wengert_ir::math::lane::Lane::rarely)): arguments that few programs have, each of which is then a call.

use super::lane::{Build, Formula};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::borrow::Cow;
use std::cell::RefCell;
use wengert_ir::entity::Entity;
use wengert_ir::kernel::{
    Access, BLOCK, Block, Combine, Extent, For, KCast, KInst, KOp, KValue, Kernel, KernelId, Library,
    LoopKind, MemKind, MemRef, MemRefDef, Program, Scalar,
};
use wengert_ir::math::lane::MARK;
use wengert_ir::math::{MathFn, MathFn2};
use wengert_ir::op::{CompareType, Direction};

/// The program with calls of kernels in place of those of the math library's routines.
pub(crate) fn with_functions(program: &Program) -> Cow<'_, Program> {
    let mut any = false;
    for kernel in program.kernels.values() {
        kernel.body.visit(&mut |inst| any |= call(inst).is_some());
    }
    if !any {
        return Cow::Borrowed(program);
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
    Cow::Owned(program)
}

/// A function of the math library.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Function {
    One(MathFn),
    Two(MathFn2),
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
            let key = Key { f, ty, roles: roles(&places) };
            let count = key.roles.iter().max().expect("there is a target") + 1;
            let first = |role| key.roles.iter().position(|&r| r == role).expect("every number is one's");
            let mems = (0..count).map(|role| places[first(role)].clone()).collect();
            let len = match len {
                Extent::Value(v) => v,
                Extent::Const(n) => {
                    let v = kernel.values.push(Scalar::I64);
                    block.insts.push(KInst {
                        op: KOp::Const(n as u64),
                        operands: smallvec![],
                        results: smallvec![v],
                    });
                    v
                }
            };
            let op = KOp::Call { kernel: made.kernel(key), mems };
            block.insts.push(KInst { op, operands: smallvec![len], results: smallvec![] });
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
        self.kernels.push(function(&key, format!("function_{}", self.kernels.len())));
        self.known.insert(key, id);
        id
    }
}

/// The kernel of a function: memories, and how many numbers.
fn function(key: &Key, name: String) -> Kernel {
    let mut kernel = Kernel { name, ..Kernel::default() };
    let mut mems: SmallVec<[MemRef; 3]> = SmallVec::new();
    for role in 0..=*key.roles.iter().max().expect("there is a target") {
        mems.push(memory(&mut kernel, key.ty, MemKind::Param(role as u32)));
    }
    let mems: SmallVec<[MemRef; 3]> = key.roles.iter().map(|&role| mems[role]).collect();
    let (&target, sources) = mems.split_last().expect("there is a target");
    let len = kernel.values.push(Scalar::I64);
    kernel.body.params.push(len);

    let counter = kernel.values.push(Scalar::I64);
    let build = RefCell::new(Build::new(&mut kernel.values));
    let result = formula(key, sources, counter, &build);
    let mut build = build.into_inner();
    let Some(rare) = build.rare else {
        let insts = with_store(build.insts, target, counter, result);
        kernel.body.insts.push(count(len, LoopKind::Vector, counter, insts));
        return kernel;
    };
    // Whether any is marked.
    let whole = whole(key.ty);
    let [one, zero] = [1, 0].map(|word| build.constant(word, whole));
    let is_one = build.emit(KOp::Select, &[rare, one, zero], whole);
    let so_far = build.value(whole);
    let any = build.emit(KOp::Binary(Combine::Or.op()), &[so_far, is_one], whole);
    let insts = std::mem::take(&mut build.insts);
    // What is marked is made of the sources, which the target may be.
    let in_place = sources.contains(&target);
    let to = if in_place { memory(&mut kernel, key.ty, MemKind::Local) } else { target };
    let insts = with_store(insts, to, counter, result);
    let found = kernel.values.push(whole);
    let body = Block { params: smallvec![counter, so_far], insts, yields: smallvec![any] };
    let mut all = counted(len, LoopKind::Lanes(smallvec![Combine::Or]), body);
    all.results = smallvec![found];
    kernel.body.insts.push(all);
    let again = again(key, &mut kernel, sources, to, len);
    kernel.body.insts.push(when(found, again));
    if in_place {
        let counter = kernel.values.push(Scalar::I64);
        let mut build = Build::new(&mut kernel.values);
        let number = build.emit(KOp::Load(element(to, counter)), &[], key.ty);
        let insts = with_store(build.insts, target, counter, number);
        kernel.body.insts.push(count(len, LoopKind::Vector, counter, insts));
    }
    kernel
}

/// Memory of a kernel for as many numbers as a call is of at most. That of a caller may be shorter, which the verifier would not have:
/// the kernel touches no more numbers than it is told.
fn memory(kernel: &mut Kernel, elem: Scalar, kind: MemKind) -> MemRef {
    kernel.mems.push(MemRefDef { elem, len: BLOCK, kind })
}

/// An instruction that runs where a number is 1, and not where it is 0.
fn when(number: KValue, inst: KInst) -> KInst {
    let blocks = vec![Block::default(), Block { insts: vec![inst], ..Block::default() }];
    KInst { op: KOp::Switch(blocks), operands: smallvec![number], results: smallvec![] }
}

/// The formula for the numbers at a counter.
fn formula(key: &Key, sources: &[MemRef], counter: KValue, build: &RefCell<Build<'_>>) -> KValue {
    let load = |mem: MemRef| build.borrow_mut().emit(KOp::Load(element(mem, counter)), &[], key.ty);
    let first = load(sources[0]);
    let second = sources[1..].iter().find(|&&mem| mem != sources[0]).map_or(first, |&mem| load(mem));
    let formula = Formula { build, ty: key.ty, operands: [first, second] };
    match key.f {
        Function::One(f) => f.visit(formula),
        Function::Two(f) => f.visit(formula),
    }
}

/// A loop that computes what is marked, number by number.
fn again(key: &Key, kernel: &mut Kernel, sources: &[MemRef], to: MemRef, len: KValue) -> KInst {
    let (mark, whole) = (MARK[usize::from(key.ty == Scalar::F64)], whole(key.ty));
    let counter = kernel.values.push(Scalar::I64);
    let mut build = Build::new(&mut kernel.values);
    let number = build.emit(KOp::Load(element(to, counter)), &[], key.ty);
    let bits = build.emit(KOp::Cast(KCast::Bits), &[number], whole);
    let mark = build.constant(mark, whole);
    let is_marked = build.emit(KOp::Compare(Direction::Eq, CompareType::Unsigned), &[bits, mark], Scalar::I1);
    let [one, zero] = [1, 0].map(|word| build.constant(word, whole));
    let which = build.emit(KOp::Select, &[is_marked, one, zero], whole);
    let mut insts = std::mem::take(&mut build.insts);
    let numbers: SmallVec<[KValue; 3]> =
        sources.iter().map(|&mem| build.emit(KOp::Load(element(mem, counter)), &[], key.ty)).collect();
    let op = match key.f {
        Function::One(f) => KOp::Math(f),
        Function::Two(f) => KOp::Math2(f),
    };
    let result = build.emit(op, &numbers, key.ty);
    let marked = with_store(build.insts, to, counter, result);
    let blocks = vec![Block::default(), Block { insts: marked, ..Block::default() }];
    insts.push(KInst { op: KOp::Switch(blocks), operands: smallvec![which], results: smallvec![] });
    count(len, LoopKind::Sequential, counter, insts)
}

/// The integer as wide as a float.
fn whole(float: Scalar) -> Scalar {
    if float == Scalar::F64 { Scalar::I64 } else { Scalar::I32 }
}

fn with_store(mut insts: Vec<KInst>, mem: MemRef, counter: KValue, v: KValue) -> Vec<KInst> {
    let op = KOp::Store(element(mem, counter));
    insts.push(KInst { op, operands: smallvec![v], results: smallvec![] });
    insts
}

fn element(mem: MemRef, counter: KValue) -> Access {
    Access { mem, offset: 0, terms: smallvec![(counter, 1)] }
}

fn count(len: KValue, kind: LoopKind, counter: KValue, insts: Vec<KInst>) -> KInst {
    counted(len, kind, Block { params: smallvec![counter], insts, yields: smallvec![] })
}

fn counted(len: KValue, kind: LoopKind, body: Block) -> KInst {
    let l = For { start: Extent::Const(0), end: Extent::Value(len), step: 1, kind, body };
    KInst { op: KOp::For(Box::new(l)), operands: smallvec![], results: smallvec![] }
}
