//! Writes one operation in the form that MLIR prints.

use super::lexer::{write_quoted, write_symbol};
use super::names::{Name, Scope, Word};
use super::printer::Printer;
use super::write_literal;
use crate::array::Literal;
use crate::func::{Inst, Value};
use crate::op::*;
use crate::ops_of;
use crate::types::TensorType;
use std::fmt::{Display, Write};

impl Printer<'_> {
    /// The operation with its operands, attributes, regions and types.
    pub(super) fn op(&mut self, scope: &Scope<'_>, inst: &Inst) {
        let x = &inst.operands[..];
        if Self::is_composite(&inst.op) {
            return self.composite(scope, inst);
        }
        // A few are not their name and operands first.
        match &inst.op {
            Op::Constant(Constant { value }) => return self.constant(value),
            Op::Zero(Zero { ty }) => {
                let zeros = vec![0; ty.dtype.size()];
                return self.constant(&Literal::splat_bytes(ty.clone(), &zeros));
            }
            Op::Iota(iota) => {
                let _ = write!(self.out, "stablehlo.iota dim = {} : {}", iota.dim, iota.ty);
                return;
            }
            Op::Compare(Compare { direction, kind }) => {
                let _ = write!(self.out, "stablehlo.compare {}, ", direction.name());
                self.names(scope, x);
                let _ = write!(self.out, ", {}", kind.name());
                return self.signature(scope, x, &inst.results);
            }
            Op::Gather(gather) => return self.gather(scope, inst, gather),
            Op::Scatter(scatter) => return self.scatter(scope, inst, scatter),
            Op::Reduce(reduce) => return self.reduce(scope, inst, reduce),
            Op::Convolution(c) => return self.convolution(scope, inst, c),
            Op::ReduceWindow(r) => return self.reduce_window(scope, inst, r),
            Op::SelectAndScatter(s) => return self.select_and_scatter(scope, inst, s),
            Op::Map(m) => return self.map(scope, inst, m),
            Op::BatchNormTraining(b) => return self.batch_norm(scope, inst, &b.epsilon, b.feature_index),
            Op::BatchNormInference(b) => return self.batch_norm(scope, inst, &b.epsilon, b.feature_index),
            Op::BatchNormGrad(b) => return self.batch_norm(scope, inst, &b.epsilon, b.feature_index),
            Op::Sort(sort) => return self.sort(scope, inst, sort),
            Op::Composite(composite) => return self.user_composite(scope, inst, composite),
            Op::TopK(top) => {
                self.out.push_str("chlo.top_k(");
                self.names(scope, x);
                let _ = write!(self.out, ", k = {}) : ", top.k);
                self.types(scope, x);
                self.out.push_str(" -> ");
                return self.results(inst.results.iter().map(|&r| scope.func.ty(r)));
            }
            Op::TriangularSolve(solve) => return self.triangular_solve(scope, inst, solve),
            ops_of!(factorization) | Op::ApproxTopK(_) | Op::CustomCall(_) => {
                return self.custom_call(scope, inst);
            }
            Op::Call(call) => {
                self.out.push_str(if scope.is_region { "func.call " } else { "call " });
                let symbol = self.symbols[call.callee].clone();
                write_symbol(&mut self.out, &symbol);
                self.out.push('(');
                self.names(scope, x);
                self.out.push(')');
                return self.signature(scope, x, &inst.results);
            }
            Op::Case(case) => return self.case(scope, inst, case),
            Op::While(w) => return self.while_loop(scope, inst, w),
            Op::Check(check) => return self.check(scope, inst, check),
            Op::Foreign(foreign) => return self.foreign(scope, inst, foreign),
            Op::OptimizationBarrier(OptimizationBarrier { region }) => {
                self.out.push_str("stablehlo.optimization_barrier");
                if *region != 0 {
                    let _ = write!(self.out, " {{wengert.region = {region} : i64}}");
                }
                if !x.is_empty() {
                    self.out.push(' ');
                    self.names(scope, x);
                    self.out.push_str(" : ");
                    self.types(scope, x);
                } else {
                    self.out.push_str("()");
                }
                return;
            }
            _ => {}
        }
        self.out.push_str(inst.op.name());
        self.out.push(' ');
        self.names(scope, x);
        match &inst.op {
            Op::Binary(BinaryOp::Complex) => {
                self.out.push_str(" : ");
                self.types(scope, &inst.results);
            }
            Op::Unary(_) | Op::Binary(_) => {
                if inst.op.name().starts_with("chlo.") {
                    self.out.push_str(" : ");
                    self.types(scope, x);
                    self.out.push_str(" -> ");
                    self.types(scope, &inst.results);
                } else {
                    self.short_signature(scope, inst);
                }
            }
            Op::Select(_) => {
                self.out.push_str(" : ");
                self.types(scope, x.get(..2).unwrap_or(x));
            }
            Op::Clamp(_) | Op::Convert(_) => self.short_signature(scope, inst),
            Op::BitcastConvert(_) | Op::Reshape(_) | Op::DynamicUpdateSlice(_) => {
                self.signature(scope, x, &inst.results);
            }
            Op::ReducePrecision(r) => {
                let _ = write!(self.out, ", format = e{}m{}", r.exponent_bits, r.mantissa_bits);
                self.short_signature(scope, inst);
            }
            Op::BroadcastInDim(b) => {
                self.list(", dims = ", &b.dims);
                self.signature(scope, x, &inst.results);
            }
            Op::Transpose(t) => {
                self.list(", dims = ", &t.perm);
                self.signature(scope, x, &inst.results);
            }
            Op::Reverse(r) => {
                self.list(", dims = ", &r.dims);
                self.short_signature(scope, inst);
            }
            Op::Slice(s) => {
                self.out.push_str(" [");
                for (k, ((start, limit), stride)) in s.start.iter().zip(&s.limit).zip(&s.strides).enumerate()
                {
                    self.comma(k);
                    let _ = write!(self.out, "{start}:{limit}");
                    if *stride != 1 {
                        let _ = write!(self.out, ":{stride}");
                    }
                }
                self.out.push(']');
                self.signature(scope, x, &inst.results);
            }
            Op::Concatenate(c) => {
                let _ = write!(self.out, ", dim = {}", c.dim);
                self.signature(scope, x, &inst.results);
            }
            Op::Pad(p) => {
                self.list(", low = ", &p.low);
                self.list(", high = ", &p.high);
                self.list(", interior = ", &p.interior);
                self.signature(scope, x, &inst.results);
            }
            Op::DynamicSlice(d) => {
                self.list(", sizes = ", &d.sizes);
                self.signature(scope, x, &inst.results);
            }
            Op::DotGeneral(d) => {
                if !d.lhs_batching_dims.is_empty() || !d.rhs_batching_dims.is_empty() {
                    self.list(", batching_dims = ", &d.lhs_batching_dims);
                    self.list(" x ", &d.rhs_batching_dims);
                }
                self.list(", contracting_dims = ", &d.lhs_contracting_dims);
                self.list(" x ", &d.rhs_contracting_dims);
                let (a, b) = (d.lhs_precision.name(), d.rhs_precision.name());
                let _ = write!(self.out, ", precision = [{a}, {b}]");
                self.signature(scope, x, &inst.results);
            }
            Op::Rng(rng) => {
                let _ = write!(self.out, ", distribution = {}", rng.distribution.name());
                self.signature(scope, x, &inst.results);
            }
            Op::RngBitGenerator(rng) => {
                let _ = write!(self.out, ", algorithm = {}", rng.algorithm.name());
                self.signature(scope, x, &inst.results);
            }
            Op::Cholesky(c) => {
                let _ = write!(self.out, ", lower = {}", c.lower);
                self.short_signature(scope, inst);
            }
            Op::Fft(f) => {
                let _ = write!(self.out, ", type = {}", f.kind.name());
                self.list(", length = ", &f.length);
                self.signature(scope, x, &inst.results);
            }
            Op::Constant(_)
            | Op::Sort(_)
            | Op::TopK(_)
            | Op::Composite(_)
            | Op::Zero(_)
            | Op::Iota(_)
            | Op::Compare(_)
            | Op::TriangularSolve(_)
            | ops_of!(factorization)
            | Op::ApproxTopK(_)
            | Op::CustomCall(_)
            | Op::Fma(_)
            | Op::StopGradient(_)
            | Op::Gather(_)
            | Op::Scatter(_)
            | Op::Reduce(_)
            | Op::Convolution(_)
            | Op::ReduceWindow(_)
            | Op::SelectAndScatter(_)
            | Op::Map(_)
            | Op::BatchNormTraining(_)
            | Op::BatchNormInference(_)
            | Op::BatchNormGrad(_)
            | Op::Call(_)
            | Op::Case(_)
            | Op::While(_)
            | Op::Scan(_)
            | Op::CustomJvp(_)
            | Op::CustomVjp(_)
            | Op::CustomLinear(_)
            | Op::Check(_)
            | Op::Foreign(_)
            | Op::OptimizationBarrier(_) => unreachable!("written above"),
        }
    }

    /// A label and `[1, 2]`.
    pub(super) fn list(&mut self, label: &str, items: &[impl Display]) {
        self.out.push_str(label);
        self.out.push('[');
        for (k, item) in items.iter().enumerate() {
            self.comma(k);
            let _ = write!(self.out, "{item}");
        }
        self.out.push(']');
    }

    pub(super) fn constant(&mut self, value: &Literal) {
        self.out.push_str("stablehlo.constant ");
        write_literal::write(&mut self.out, value);
        let _ = write!(self.out, " : {}", value.ty());
    }

    /// `"name"(%a, %b)`.
    pub(super) fn generic(&mut self, scope: &Scope<'_>, name: &str, operands: &[Value]) {
        let _ = write!(self.out, "\"{name}\"(");
        self.names(scope, operands);
        self.out.push(')');
    }

    /// `#stablehlo.KIND<...>` with what is not empty.
    fn fields(&mut self, kind: &str, lists: &[(&str, &[usize])], index_vector_dim: usize) {
        let _ = write!(self.out, "#stablehlo.{kind}<");
        let mut first = true;
        for (name, list) in lists.iter().filter(|l| !l.1.is_empty()) {
            if !std::mem::replace(&mut first, false) {
                self.out.push_str(", ");
            }
            self.list(&format!("{name} = "), list);
        }
        if index_vector_dim != 0 {
            if !first {
                self.out.push_str(", ");
            }
            let _ = write!(self.out, "index_vector_dim = {index_vector_dim}");
        }
        self.out.push('>');
    }

    fn triangular_solve(&mut self, scope: &Scope<'_>, inst: &Inst, t: &TriangularSolve) {
        self.generic(scope, "stablehlo.triangular_solve", &inst.operands);
        let _ = write!(
            self.out,
            " <{{left_side = {}, lower = {}, transpose_a = #stablehlo<transpose {}>, unit_diagonal = {}}}>",
            t.left_side,
            t.lower,
            t.transpose_a.name(),
            t.unit_diagonal
        );
        self.signature(scope, &inst.operands, &inst.results);
    }

    fn gather(&mut self, scope: &Scope<'_>, inst: &Inst, g: &Gather) {
        self.generic(scope, "stablehlo.gather", &inst.operands);
        self.out.push_str(" <{dimension_numbers = ");
        let lists: [(&str, &[usize]); 5] = [
            ("offset_dims", &g.offset_dims),
            ("collapsed_slice_dims", &g.collapsed_slice_dims),
            ("operand_batching_dims", &g.operand_batching_dims),
            ("start_indices_batching_dims", &g.start_indices_batching_dims),
            ("start_index_map", &g.start_index_map),
        ];
        self.fields("gather", &lists, g.index_vector_dim);
        let _ = write!(self.out, ", indices_are_sorted = {}, slice_sizes = ", g.indices_are_sorted);
        self.int_array(&g.slice_sizes);
        self.out.push_str("}>");
        self.signature(scope, &inst.operands, &inst.results);
    }

    /// `array<i64: 1, 2>`.
    pub(super) fn int_array(&mut self, items: &[usize]) {
        self.out.push_str("array<i64");
        for (k, item) in items.iter().enumerate() {
            let _ = write!(self.out, "{} {item}", if k == 0 { ":" } else { "," });
        }
        self.out.push('>');
    }

    fn scatter(&mut self, scope: &Scope<'_>, inst: &Inst, s: &Scatter) {
        let n = s.inputs;
        let (operands, captures) = inst.operands.split_at((2 * n + 1).min(inst.operands.len()));
        self.generic(scope, "stablehlo.scatter", operands);
        let _ = write!(
            self.out,
            " <{{indices_are_sorted = {}, scatter_dimension_numbers = ",
            s.indices_are_sorted
        );
        let lists: [(&str, &[usize]); 5] = [
            ("update_window_dims", &s.update_window_dims),
            ("inserted_window_dims", &s.inserted_window_dims),
            ("input_batching_dims", &s.input_batching_dims),
            ("scatter_indices_batching_dims", &s.scatter_indices_batching_dims),
            ("scatter_dims_to_operand_dims", &s.scatter_dims_to_operand_dims),
        ];
        self.fields("scatter", &lists, s.index_vector_dim);
        let _ = writeln!(self.out, ", unique_indices = {}}}> ({{", s.unique_indices);
        let types: Vec<TensorType> =
            operands.iter().take(n).map(|&v| TensorType::scalar(scope.func.tensor(v).dtype)).collect();
        let mut counters = scope.counters;
        let args: Vec<Name> = (0..2 * n).map(|_| counters.arg()).collect();
        self.block(scope, &args, types.iter().chain(&types));
        self.reducer(scope, s.reducer, captures, &args, counters, &types);
        self.out.push(')');
        self.signature(scope, operands, &inst.results);
    }

    /// `^bb0(%arg0: T, %arg1: U):`.
    pub(super) fn block<'t>(
        &mut self,
        scope: &Scope<'_>,
        args: &[Name],
        types: impl Iterator<Item = &'t TensorType>,
    ) {
        self.spaces(scope.indent);
        self.out.push_str("^bb0(");
        for (k, (name, ty)) in args.iter().zip(types).enumerate() {
            self.comma(k);
            let _ = write!(self.out, "{name}: {ty}");
        }
        self.out.push_str("):\n");
    }

    /// A sort with its comparator, in generic form.
    fn sort(&mut self, scope: &Scope<'_>, inst: &Inst, s: &Sort) {
        let (operands, captures) = inst.operands.split_at(s.inputs.min(inst.operands.len()));
        self.generic(scope, "stablehlo.sort", operands);
        let (dimension, stable) = (s.dimension, s.is_stable);
        let _ = writeln!(self.out, " <{{dimension = {dimension} : i64, is_stable = {stable}}}> ({{");
        // Of each tensor the left element, then the right.
        let types: Vec<TensorType> = operands
            .iter()
            .flat_map(|&v| {
                [
                    TensorType::scalar(scope.func.tensor(v).dtype),
                    TensorType::scalar(scope.func.tensor(v).dtype),
                ]
            })
            .collect();
        let mut counters = scope.counters;
        let args: Vec<Name> = types.iter().map(|_| counters.arg()).collect();
        self.block(scope, &args, types.iter());
        self.region(scope, s.comparator, captures, &args, counters);
        self.out.push(')');
        self.signature(scope, operands, &inst.results);
    }

    fn user_composite(&mut self, scope: &Scope<'_>, inst: &Inst, c: &Composite) {
        self.out.push_str("stablehlo.composite ");
        write_quoted(&mut self.out, &c.name);
        if !inst.operands.is_empty() {
            self.out.push(' ');
            self.names(scope, &inst.operands);
        }
        self.out.push_str(" {");
        if !c.attributes.is_empty() {
            let _ = write!(self.out, "composite_attributes = {}, ", c.attributes);
        }
        self.out.push_str("decomposition = ");
        let symbol = self.symbols[c.decomposition].clone();
        write_symbol(&mut self.out, &symbol);
        if c.version != 0 {
            let _ = write!(self.out, ", version = {} : i32", c.version);
        }
        self.out.push('}');
        self.signature(scope, &inst.operands, &inst.results);
    }

    fn reduce(&mut self, scope: &Scope<'_>, inst: &Inst, r: &Reduce) {
        let n = r.inputs;
        let (operands, captures) = inst.operands.split_at((2 * n).min(inst.operands.len()));
        self.out.push_str("stablehlo.reduce");
        let (inputs, inits) = operands.split_at(n.min(operands.len()));
        for (k, (&input, &init)) in inputs.iter().zip(inits).enumerate() {
            self.comma(k);
            let _ = write!(self.out, "({} init: {})", scope.name(input), scope.name(init));
        }
        let compact = match r.reducer {
            Reducer::Op(op) if n == 1 => Some(op),
            Reducer::Op(_) | Reducer::Assign | Reducer::Func(_) => None,
        };
        if let Some(op) = compact {
            let _ = write!(self.out, " applies {}", op.name());
        }
        self.list(" across dimensions = ", &r.dims);
        self.signature(scope, operands, &inst.results);
        if compact.is_some() {
            return;
        }
        self.out.push('\n');
        self.spaces(scope.indent);
        self.out.push_str(" reducer");
        let mut counters = scope.counters;
        let args: Vec<Name> = (0..2 * n).map(|_| counters.arg()).collect();
        let types: Vec<TensorType> =
            inputs.iter().map(|&v| TensorType::scalar(scope.func.tensor(v).dtype)).collect();
        for (k, ty) in types.iter().enumerate() {
            let space = if k > 0 { " " } else { "" };
            let _ = write!(self.out, "{space}({}: {ty}, {}: {ty})", args[k], args[n + k]);
        }
        self.out.push_str("  {\n");
        self.reducer(scope, r.reducer, captures, &args, counters, &types);
    }

    /// The body of a reducer, and the closing brace.
    pub(super) fn reducer(
        &mut self,
        scope: &Scope<'_>,
        reducer: Reducer,
        captures: &[Value],
        args: &[Name],
        mut counters: super::names::Counters,
        types: &[TensorType],
    ) {
        let n = types.len();
        let results: Vec<Name> = match reducer {
            Reducer::Func(func) => return self.region(scope, func, captures, args, counters),
            Reducer::Assign => args[n..].to_vec(),
            Reducer::Op(op) => types
                .iter()
                .enumerate()
                .map(|(k, ty)| {
                    let name = counters.result();
                    self.spaces(scope.indent + 2);
                    let (a, b) = (args[k], args[n + k]);
                    let _ = writeln!(self.out, "{name} = {} {a}, {b} : {ty}", op.name());
                    name
                })
                .collect(),
        };
        self.spaces(scope.indent + 2);
        self.out.push_str("stablehlo.return ");
        for (k, name) in results.iter().enumerate() {
            self.comma(k);
            let _ = write!(self.out, "{name}");
        }
        self.out.push_str(" : ");
        for (k, ty) in types.iter().enumerate() {
            self.comma(k);
            let _ = write!(self.out, "{ty}");
        }
        self.out.push('\n');
        self.spaces(scope.indent);
        self.out.push('}');
    }

    fn case(&mut self, scope: &Scope<'_>, inst: &Inst, case: &Case) {
        let (index, captures) = inst.operands.split_at(1.min(inst.operands.len()));
        self.generic(scope, "stablehlo.case", index);
        self.out.push_str(" (");
        for (k, &branch) in case.branches.iter().enumerate() {
            self.comma(k);
            self.out.push_str("{\n");
            self.region(scope, branch, captures, &[], scope.counters);
        }
        self.out.push(')');
        self.signature(scope, index, &inst.results);
    }

    fn while_loop(&mut self, scope: &Scope<'_>, inst: &Inst, w: &While) {
        let (consts, carry) = inst.operands.split_at(w.consts.min(inst.operands.len()));
        let mut counters = scope.counters;
        let args: Vec<Name> = carry.iter().map(|_| counters.word(Word::IterArg)).collect();
        self.out.push_str("stablehlo.while(");
        for (k, (name, &v)) in args.iter().zip(carry).enumerate() {
            self.comma(k);
            let _ = write!(self.out, "{name} = {}", scope.name(v));
        }
        self.out.push(')');
        if !carry.is_empty() {
            self.out.push_str(" : ");
            self.types(scope, carry);
        }
        self.out.push('\n');
        self.spaces(scope.indent);
        self.out.push_str("cond {\n");
        self.region(scope, w.cond, consts, &args, counters);
        self.out.push_str(" do {\n");
        self.region(scope, w.body, consts, &args, counters);
    }
}
