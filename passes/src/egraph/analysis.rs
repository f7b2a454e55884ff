//! What the e-graph knows of a class: its type, the constant it is, and whether -0.0, or an integer below zero, can occur in it.
//!
//! Operations on constants fold when a class is made, through the operations' own evaluation; a class that
//! is a constant keeps only that leaf. Merging asserts that types agree.

use super::language::{Head, Kind, Node};
use super::pool::{self, NONE, Pool};
use super::sign::{self, literal_is_never_negative};
use egg::{Analysis, DidMerge, EGraph, Id};
use smallvec::SmallVec;
use wengert_ir::array::{Array, Literal};
use wengert_ir::func::{Func, FuncId, Inst, Module, Value};
use wengert_ir::op::{BinaryOp, Op, Reducer, UnaryOp};
use wengert_ir::ops_of;
use wengert_ir::rules::{EvalError, Evaluate, Types};
use wengert_ir::types::{TensorType, Type};

/// The e-graph of a piece of a function.
pub(super) type Graph<'m> = EGraph<Node, Facts<'m>>;

/// What is known of a class. Numbers are the pool's, [`NONE`] where there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fact {
    /// Result types; `NONE` for attributes.
    pub(super) ty: u32,
    /// The constant every node of the class computes.
    pub(super) constant: u32,
    /// The attributes, if the class is an attribute leaf.
    pub(super) attrs: u32,
    /// No element is -0.0.
    pub(super) no_negative_zero: bool,
    /// It is of integers, and no element is below zero.
    pub(super) no_negative: bool,
    /// The first instruction of the function that became this class.
    pub(super) origin: u32,
}

/// The analysis: the tables, and what is to be told to the class that is made next.
pub(super) struct Facts<'m> {
    pub(super) module: &'m Module,
    pub(super) pool: Pool,
    /// Types of the next node, if known; else they are inferred.
    pub(super) next_type: u32,
    /// The instruction that the next node comes from.
    pub(super) next_origin: u32,
    /// Classes made or changed since the list was last taken.
    pub(super) touched: Vec<Id>,
    /// Whether nodes keep the order of their operands; see [`Node::ordered`].
    pub(super) ordered: bool,
}

impl<'m> Facts<'m> {
    pub(super) fn new(module: &'m Module, pool: Pool, ordered: bool) -> Self {
        Self { module, pool, next_type: NONE, next_origin: NONE, touched: Vec::new(), ordered }
    }
}

/// Reading the e-graph the way rules speak of it.
pub(super) trait Look {
    fn fact(&self, id: Id) -> Fact;
    fn tensor(&self, id: Id) -> Option<&TensorType>;
    fn literal(&self, id: Id) -> Option<&Literal>;
    fn attrs(&self, id: Id) -> Option<&Op>;
}

impl Look for Graph<'_> {
    fn fact(&self, id: Id) -> Fact {
        self[id].data
    }
    fn tensor(&self, id: Id) -> Option<&TensorType> {
        self.analysis.pool.tensor_of(self[id].data.ty)
    }
    fn literal(&self, id: Id) -> Option<&Literal> {
        match self[id].data.constant {
            NONE => None,
            k => Some(self.analysis.pool.literal_of(k)),
        }
    }
    fn attrs(&self, id: Id) -> Option<&Op> {
        match self[id].data.attrs {
            NONE => None,
            k => Some(self.analysis.pool.attrs_of(k)),
        }
    }
}

/// Splits an operation's children into operands and the number of its attributes.
pub(super) fn split<'a>(graph: &Graph<'_>, kind: Kind, children: &'a [Id]) -> (&'a [Id], u32) {
    match children.split_last() {
        Some((&last, operands)) if kind.has_attrs() => (operands, graph.fact(last).attrs),
        _ => (children, NONE),
    }
}

/// The types of an operation's results, or `None` if it refuses its operands.
pub(super) fn infer(graph: &mut Graph<'_>, kind: Kind, children: &[Id]) -> Option<u32> {
    let (operands, attrs) = split(graph, kind, children);
    // What gives its operands' type is not asked in full: most nodes are that.
    let dtype = |id: Id| graph.tensor(id).map(|t| t.dtype);
    match (kind, operands) {
        (Kind::Binary(op), &[a, b]) if dtype(a).is_some_and(|x| op.gives(x) == Some(x)) => {
            let (a, b) = (graph.fact(a).ty, graph.fact(b).ty);
            return (a == b).then_some(a);
        }
        (Kind::Unary(op), &[a]) if dtype(a).is_some_and(|x| op.gives(x) == x) => {
            return Some(graph.fact(a).ty);
        }
        _ => {}
    }
    let pool = &graph.analysis.pool;
    let types: Option<SmallVec<[Type; 4]>> =
        operands.iter().map(|&id| pool.type_of(graph[id].data.ty).cloned()).collect();
    let types: Types = pool.op(kind, attrs).infer(graph.analysis.module, &types?).ok()?;
    Some(graph.analysis.pool.types(&types))
}

impl<'m> Analysis<Node> for Facts<'m> {
    type Data = Fact;

    fn make(graph: &mut Graph<'m>, node: &Node, _: Id) -> Fact {
        let known = std::mem::replace(&mut graph.analysis.next_type, NONE);
        let origin = std::mem::replace(&mut graph.analysis.next_origin, NONE);
        let mut fact = Fact {
            ty: known,
            constant: NONE,
            attrs: NONE,
            no_negative_zero: false,
            no_negative: false,
            origin,
        };
        match node.head {
            Head::Attrs(k) => fact.attrs = k,
            Head::Const(k) => {
                let ty = graph.analysis.pool.literal_of(k).ty().clone();
                fact.ty = graph.analysis.pool.tensor(&ty);
                fact.constant = k;
                fact.no_negative_zero = lacks_negative_zero(graph.analysis.pool.literal_of(k));
                fact.no_negative = literal_is_never_negative(graph.analysis.pool.literal_of(k));
            }
            Head::Value(_) => {}
            Head::Project(k) => {
                let types = graph.analysis.pool.types_of(graph.fact(node.children[0]).ty);
                let one = Types::from_iter([types[k as usize].clone()]);
                fact.ty = graph.analysis.pool.types(&one);
            }
            Head::Op(kind) => {
                if fact.ty == NONE {
                    fact.ty = infer(graph, kind, &node.children).expect("checked before it was added");
                }
                derive(graph, node, &mut fact);
            }
            Head::AnyUnary | Head::AnyBinary | Head::Number(_) | Head::Function(_) => {
                unreachable!("only in patterns")
            }
        }
        let has_no_sign = |ty: &TensorType| sign::has_no_sign(ty.dtype);
        fact.no_negative |= graph.analysis.pool.tensor_of(fact.ty).is_some_and(has_no_sign);
        fact
    }

    fn remake(graph: &mut Graph<'m>, node: &Node, id: Id) -> Fact {
        let mut fact = graph[id].data;
        if let Head::Op(_) = node.head {
            derive(graph, node, &mut fact);
        }
        fact
    }

    fn merge(&mut self, a: &mut Fact, b: Fact) -> DidMerge {
        assert!(
            a.ty == b.ty && a.attrs == b.attrs,
            "a rule changed a type: {:?} and {:?}",
            self.pool.type_of(a.ty),
            self.pool.type_of(b.ty)
        );
        let merged = Fact {
            constant: a.constant.min(b.constant), // two only if a relaxed rule rounds otherwise
            no_negative_zero: a.no_negative_zero || b.no_negative_zero,
            no_negative: a.no_negative || b.no_negative,
            origin: a.origin.min(b.origin),
            ..*a
        };
        // Nothing is derived from where a class comes from.
        let known = |x: &Fact| (x.constant, x.no_negative_zero, x.no_negative);
        let news = |old: &Fact| known(old) != known(&merged);
        let did = DidMerge(news(a), news(&b));
        *a = merged;
        did
    }

    fn modify(graph: &mut Graph<'m>, id: Id) {
        graph.analysis.touched.push(id);
        let constant = graph[id].data.constant;
        if constant == NONE || matches!(graph[id].nodes[..], [Node { head: Head::Const(_), .. }]) {
            return;
        }
        let leaf = graph.add_uncanonical(Node::leaf(Head::Const(constant), graph.analysis.ordered));
        if graph.are_explanations_enabled() {
            graph.union_trusted(id, leaf, FOLDING);
        } else {
            graph.union(id, leaf);
        }
        // Without this even directed rules blow up over foldable operations.
        graph[id].nodes.retain(|n| matches!(n.head, Head::Const(_)));
    }
}

/// What explanations call folding.
pub(super) const FOLDING: &str = "constant-folding";

/// Computes what follows from the operands' facts.
fn derive(graph: &mut Graph<'_>, node: &Node, fact: &mut Fact) {
    let Head::Op(kind) = node.head else { return };
    let (operands, attrs) = split(graph, kind, &node.children);
    if fact.constant == NONE && !operands.is_empty() && is_foldable(kind) {
        let pool = &graph.analysis.pool;
        let literals: Option<SmallVec<[&Literal; 4]>> =
            operands.iter().map(|&id| graph.literal(id)).collect();
        // What is the same everywhere is so wherever it is read.
        let read = (kind == Kind::DynamicSlice)
            .then(|| graph.literal(operands[0])?.as_splat())
            .flatten()
            .zip(pool.tensor_of(fact.ty))
            .map(|(element, ty)| Literal::splat_bytes(ty.clone(), element));
        let folded = literals
            .zip(pool.tensor_of(fact.ty))
            .and_then(|(literals, ty)| fold(&pool.op(kind, attrs), kind, &literals, ty))
            .or(read);
        if let Some(literal) = folded {
            fact.no_negative_zero |= lacks_negative_zero(&literal);
            fact.no_negative |= literal_is_never_negative(&literal);
            fact.constant = graph.analysis.pool.literal(&literal);
        }
    }
    if !fact.no_negative_zero {
        let pool = &graph.analysis.pool;
        fact.no_negative_zero = match pool.tensor_of(fact.ty).map(|t| t.dtype) {
            Some(dtype) if dtype.is_float() => {
                let operands = Operands {
                    count: operands.len(),
                    never: &|k| graph.fact(operands[k]).no_negative_zero,
                    same: &|a, b| graph.find(operands[a]) == graph.find(operands[b]),
                    is_float: &|k| graph.tensor(operands[k]).is_none_or(|t| t.dtype.is_float()),
                };
                never_negative_zero(&pool.op(kind, attrs), &operands)
            }
            Some(dtype) => !dtype.is_complex(),
            None => false,
        };
    }
    if !fact.no_negative
        && let Some(ty) = graph.analysis.pool.tensor_of(fact.ty)
    {
        let operands = sign::Operands {
            count: operands.len(),
            never: &|k| graph.fact(operands[k]).no_negative,
            dtype: &|k| graph.tensor(operands[k]).map(|t| t.dtype),
        };
        fact.no_negative = sign::is_never_negative(kind, &graph.analysis.pool.op(kind, attrs), &operands, ty);
    }
}

/// Whether an operation may be evaluated at compile time: one result, no region, no fence, no end of work.
fn is_foldable(kind: Kind) -> bool {
    kind.is_elementwise()
        || matches!(kind, Kind::BitcastConvert | Kind::BroadcastInDim | Kind::Reshape | Kind::Transpose)
        || matches!(kind, Kind::Reverse | Kind::Slice | Kind::Concatenate | Kind::Pad | Kind::DynamicSlice)
        || matches!(kind, Kind::DynamicUpdateSlice | Kind::Gather | Kind::DotGeneral | Kind::Reduce)
}

/// The result of an operation on literals, if it is small or a splat.
fn fold(op: &Op, kind: Kind, operands: &[&Literal], result: &TensorType) -> Option<Literal> {
    let evaluate = |arrays: &[Array]| match &op.def().eval(&mut NoCalls, arrays).ok()?[..] {
        [array] => Some(array.clone()),
        _ => None,
    };
    let elements = result.checked_elements()?;
    let splats: Option<SmallVec<[&[u8]; 4]>> = operands.iter().map(|l| l.as_splat()).collect();
    if let Some(splats) = splats.filter(|_| elements > 0) {
        if kind.is_elementwise() {
            let scalars: SmallVec<[Array; 4]> = operands
                .iter()
                .zip(&splats)
                .map(|(l, bytes)| Array::from_bytes(TensorType::scalar(l.ty().dtype), bytes))
                .collect();
            let scalar = evaluate(&scalars)?;
            return Some(Literal::splat_bytes(result.clone(), scalar.bytes()));
        }
        let moved = match op {
            Op::Concatenate(_) => splats.iter().all(|s| s == &splats[0]),
            Op::Pad(_) | Op::DynamicUpdateSlice(_) => splats[0] == splats[1],
            Op::BroadcastInDim(_) | Op::Reshape(_) | Op::Transpose(_) | Op::Reverse(_) => true,
            Op::Slice(_) | Op::DynamicSlice(_) => true,
            Op::Gather(_) | Op::Scatter(_) => false,
            ops_of!(source) | ops_of!(elementwise) | ops_of!(contraction) | ops_of!(reduction) => false,
            ops_of!(library) | ops_of!(call) | ops_of!(control) | ops_of!(mark) | ops_of!(opaque) => false,
        };
        if moved {
            return Some(Literal::splat_bytes(result.clone(), splats[0]));
        }
    }
    if kind == Kind::Reshape && pool::is_small(operands[0]) {
        return Some(operands[0].reshaped(&result.shape));
    }
    let small = |ty: &TensorType| ty.checked_elements().is_some_and(|n| n <= pool::SMALL);
    if small(result) && operands.iter().all(|l| small(l.ty())) && !calls(op) {
        let arrays: SmallVec<[Array; 4]> = operands.iter().map(|l| l.to_array()).collect();
        return Some(Literal::from_array(&evaluate(&arrays)?));
    }
    None
}

fn calls(op: &Op) -> bool {
    !op.callees().is_empty()
}

/// Evaluation of operations that call nothing.
pub(crate) struct NoCalls;

impl Evaluate for NoCalls {
    fn result_types(&self, _: FuncId) -> Vec<Type> {
        Vec::new()
    }
    fn call(&mut self, _: FuncId, _: &[Array]) -> Result<Vec<Array>, EvalError> {
        Err(EvalError::Unsupported("a call in constant folding".to_owned()))
    }
    fn tick(&mut self, _: u64) -> Result<(), EvalError> {
        Ok(())
    }
    fn reserve(&mut self, _: &TensorType) -> Result<(), EvalError> {
        Ok(())
    }
}

/// Whether no element of a literal is -0.0. What is neither f32 nor f64 is answered with the safe no,
/// except integers, which have no -0.
pub(super) fn lacks_negative_zero(literal: &Literal) -> bool {
    let dtype = literal.ty().dtype;
    if !dtype.is_float() && !dtype.is_complex() {
        return true;
    }
    if !pool::is_small(literal) {
        return false;
    }
    let sign_only = |bytes: &[u8]| match bytes.split_last() {
        Some((&0x80, low)) => low.iter().all(|&b| b == 0),
        _ => false,
    };
    dtype.is_float() && dtype.size() >= 4 && !literal.stored_bytes().chunks(dtype.size()).any(sign_only)
}

/// Whether the result of an instruction has no -0.0, if the operands have none of which that is `known`.
pub(crate) fn result_lacks_negative_zero(func: &Func, inst: &Inst, known: &dyn Fn(Value) -> bool) -> bool {
    let operands = Operands {
        count: inst.operands.len(),
        never: &|k| known(inst.operands[k]),
        same: &|a, b| inst.operands[a] == inst.operands[b],
        is_float: &|k| func.ty(inst.operands[k]).as_tensor().is_none_or(|t| t.dtype.is_float()),
    };
    never_negative_zero(&inst.op, &operands)
}

/// What is asked of the operands of an operation, each by its number.
struct Operands<'a> {
    count: usize,
    /// Whether no element is -0.0.
    never: &'a dyn Fn(usize) -> bool,
    /// Whether two are one value.
    same: &'a dyn Fn(usize, usize) -> bool,
    is_float: &'a dyn Fn(usize) -> bool,
}

/// Whether -0.0 cannot occur in a result: the sum of anything and a value that is never -0.0 is not -0.0,
/// nor is a square, nor what only moves such values.
fn never_negative_zero(op: &Op, x: &Operands<'_>) -> bool {
    let never = x.never;
    match op {
        Op::Constant(c) => lacks_negative_zero(&c.value),
        Op::Iota(_) | Op::Zero(_) => true,
        Op::Unary(UnaryOp::Abs | UnaryOp::Exponential | UnaryOp::Square | UnaryOp::Logistic) => true,
        Op::Binary(BinaryOp::Add) => never(0) || never(1),
        Op::Binary(BinaryOp::Multiply) => (x.same)(0, 1),
        Op::Select(_) => never(1) && never(2),
        Op::Convert(_) => never(0) && !(x.is_float)(0),
        Op::BroadcastInDim(_) | Op::Reshape(_) | Op::Transpose(_) | Op::Reverse(_) => never(0),
        Op::Slice(_) | Op::DynamicSlice(_) | Op::Gather(_) => never(0),
        Op::Pad(_) | Op::DynamicUpdateSlice(_) => never(0) && never(1),
        Op::Concatenate(_) => (0..x.count).all(never),
        // The initial value is added last.
        Op::Reduce(r) => r.inputs == 1 && r.reducer == Reducer::Op(BinaryOp::Add) && never(1),
        Op::Scatter(s) => match s.reducer {
            Reducer::Assign => s.inputs == 1 && never(0) && never(2),
            Reducer::Op(BinaryOp::Add) => s.inputs == 1 && never(0),
            Reducer::Op(_) | Reducer::Func(_) => false,
        },
        ops_of!(elementwise) | ops_of!(contraction) | ops_of!(library) => false,
        ops_of!(call) | ops_of!(control) | ops_of!(mark) | ops_of!(opaque) => false,
    }
}
