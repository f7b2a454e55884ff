//! Sorting, random numbers, Fourier transforms and factorizations.

use super::Form;
use crate::func::Inst;
use crate::op::*;
use crate::ops_of;
use crate::text::attr::{Dict, Value as Attr};
use crate::text::generic::Raw;
use crate::text::lexer::Tok;
use crate::text::names::{Name, Scope};
use crate::text::parser::{Instr, Parser, Res};
use crate::text::printer::Printer;
use crate::types::{TensorType, Type};
use std::fmt::Write;

/// The attribute of `stablehlo.rng` that says which sequence it draws from.
const STREAM: &str = "wengert.stream";

pub(super) const FORMS: &[Form] = &[
    Form::generic("stablehlo.sort", |p, raw| p.sort(raw)).regions(1),
    Form::new(
        "chlo.top_k",
        |p, at| p.top_k(at),
        |p, raw| {
            let k = p.need_size(&raw, "k")?;
            Ok(raw.is(TopK { k }))
        },
    ),
    Form::new("stablehlo.rng", |p, at| p.rng(at), |p, raw| p.generic_rng(raw)),
    Form::new(
        "stablehlo.rng_bit_generator",
        |p, at| p.rng_bit_generator(at),
        |p, raw| {
            let word = p.enum_word(&raw, "rng_algorithm")?.and_then(RngAlgorithm::parse);
            let Some(algorithm) = word else { return p.missing(&raw, "rng_algorithm") };
            let op = p.random_bits(algorithm, &raw.results, raw.at)?;
            Ok(raw.is(op))
        },
    ),
    Form::new(
        "stablehlo.fft",
        |p, at| p.fft(at),
        |p, raw| {
            let Some(kind) = p.enum_word(&raw, "fft_type")?.and_then(FftType::parse) else {
                return p.fail_at(raw.at, "`fft_type` is missing or unknown");
            };
            let length = p.need_dims(&raw, "fft_length")?;
            Ok(raw.is(Fft { kind, length }))
        },
    ),
    Form::new(
        "stablehlo.cholesky",
        |p, at| p.cholesky(at),
        |p, raw| {
            let lower = p.flag(&raw.attrs, "lower")?;
            Ok(raw.is(Cholesky { lower }))
        },
    ),
    Form::generic("stablehlo.triangular_solve", |p, raw| p.triangular_solve(raw)),
];

impl<'s> Parser<'s> {
    fn sort(&mut self, mut raw: Raw<'s>) -> Res<Instr> {
        let rank = match raw.operands.first().map(|u| self.value_type(u.0)) {
            Some(Type::Tensor(ty)) => ty.rank() as i64,
            Some(Type::Token | Type::Foreign(_)) | None => {
                return self.fail_at(raw.at, "expected tensors to sort (C1)");
            }
        };
        let given = match raw.attrs.get("dimension") {
            None => -1,
            Some((&Attr::Int(v), _)) => v,
            Some((_, at)) => return self.fail_at(at, "`dimension` must be an integer"),
        };
        // A negative dimension counts from the end.
        let Ok(dimension) = usize::try_from(if given < 0 { given.saturating_add(rank) } else { given })
        else {
            return self.fail_at(raw.at, format!("dimension {given} is out of range for rank {rank} (C4)"));
        };
        let is_stable = self.flag(&raw.attrs, "is_stable")?;
        let operands = self.with_captures(&raw.operands, &raw.captures).into();
        let comparator = self.add_region(&raw.captures, raw.regions.remove(0))?;
        let op = Sort { dimension, is_stable, inputs: raw.operands.len(), comparator };
        Ok(Instr { operands, ..Instr::new(op, &raw.operands, raw.results) })
    }

    /// `(%x, k = 3) : T -> (T, U)`.
    fn top_k(&mut self, at: usize) -> Res<Instr> {
        self.punct(b'(')?;
        let operands = self.some_operands(1, at)?;
        let k = self.named_size("k")?;
        self.punct(b')')?;
        self.optional_dict()?;
        let results = self.typed(&operands)?;
        Ok(Instr::new(TopK { k }, &operands, results))
    }

    /// `%a, %b, %shape, distribution = UNIFORM : ...`.
    fn rng(&mut self, at: usize) -> Res<Instr> {
        let operands = self.some_operands(3, at)?;
        let word = self.named_word("distribution")?;
        let Some(distribution) = RngDistribution::parse(word) else {
            return self.fail_at(at, format!("`{word}` is not UNIFORM or NORMAL"));
        };
        let attrs = self.optional_dict()?;
        let stream = self.stream(&attrs)?;
        let results = self.typed(&operands)?;
        let ty = self.one_tensor(&results, at)?;
        Ok(Instr::new(Rng { ty, distribution, stream }, &operands, results))
    }

    /// The sequence of random numbers that an instruction names, or the next of the text.
    fn stream(&mut self, attrs: &Dict<'s>) -> Res<usize> {
        let next = self.streams;
        let stream = self.size_of(attrs, STREAM)?.unwrap_or(next);
        self.streams += 1;
        Ok(stream)
    }

    fn generic_rng(&mut self, raw: Raw<'s>) -> Res<Instr> {
        let word = self.enum_word(&raw, "rng_distribution")?.and_then(RngDistribution::parse);
        let Some(distribution) = word else { return self.missing(&raw, "rng_distribution") };
        let ty = self.one_tensor(&raw.results, raw.at)?;
        let sizes = raw.operands.get(2).and_then(|u| self.integers(u.0));
        if sizes.is_some_and(|s| s.iter().map(|&n| n as usize).ne(ty.shape.iter().copied())) {
            return self.fail_at(raw.at, format!("stablehlo.rng: the shape is not that of {ty} (C3)"));
        }
        let stream = self.stream(&raw.attrs)?;
        Ok(raw.is(Rng { ty, distribution, stream }))
    }

    /// `%state, algorithm = DEFAULT : ...`.
    fn rng_bit_generator(&mut self, at: usize) -> Res<Instr> {
        let operands = self.some_operands(1, at)?;
        let word = self.named_word("algorithm")?;
        let Some(algorithm) = RngAlgorithm::parse(word) else {
            return self.fail_at(at, format!("`{word}` is not DEFAULT, THREE_FRY or PHILOX"));
        };
        self.optional_dict()?;
        let results = self.typed(&operands)?;
        let op = self.random_bits(algorithm, &results, at)?;
        Ok(Instr::new(op, &operands, results))
    }

    /// The operation whose second result type says what bits are wanted.
    fn random_bits(&self, algorithm: RngAlgorithm, results: &[Type], at: usize) -> Res<Op> {
        match results {
            [_, Type::Tensor(ty)] => Ok(RngBitGenerator { algorithm, ty: ty.clone() }.into()),
            _ => self.fail_at(at, "expected a state and a tensor of bits as results"),
        }
    }

    fn fft(&mut self, at: usize) -> Res<Instr> {
        let operands = self.some_operands(1, at)?;
        self.punct(b',')?;
        self.word("type")?;
        self.punct(b'=')?;
        let kind = match self.tok() {
            Tok::Ident(word) => FftType::parse(word),
            _ => None,
        };
        let Some(kind) = kind else { return self.expected("FFT, IFFT, RFFT or IRFFT") };
        self.bump();
        let length = self.named_dims("length")?;
        let ty = self.result(&operands)?;
        Ok(Instr::new(Fft { kind, length }, &operands, vec![ty.into()]))
    }

    fn cholesky(&mut self, at: usize) -> Res<Instr> {
        let operands = self.some_operands(1, at)?;
        let lower = if self.tok() == Tok::Punct(b',') {
            self.bump();
            self.word("lower")?;
            self.punct(b'=')?;
            let lower = self.tok() == Tok::Ident("true");
            if !lower && self.tok() != Tok::Ident("false") {
                return self.expected("true or false");
            }
            self.bump();
            lower
        } else {
            false
        };
        let ty = self.result(&operands)?;
        Ok(Instr::new(Cholesky { lower }, &operands, vec![ty.into()]))
    }

    fn triangular_solve(&mut self, raw: Raw<'s>) -> Res<Instr> {
        let Some(transpose_a) = self.enum_word(&raw, "transpose_a")?.and_then(TransposeA::parse) else {
            return self.fail_at(raw.at, "`transpose_a` is missing or unknown");
        };
        let left_side = self.flag(&raw.attrs, "left_side")?;
        let lower = self.flag(&raw.attrs, "lower")?;
        let unit_diagonal = self.flag(&raw.attrs, "unit_diagonal")?;
        Ok(raw.is(TriangularSolve { left_side, lower, unit_diagonal, transpose_a }))
    }
}

impl Printer<'_> {
    pub(super) fn library(&mut self, scope: &Scope<'_>, inst: &Inst) {
        let x = &inst.operands[..];
        match &inst.op {
            Op::Convolution(c) => self.convolution(scope, inst, c),
            Op::ReduceWindow(r) => self.reduce_window(scope, inst, r),
            Op::SelectAndScatter(s) => self.select_and_scatter(scope, inst, s),
            Op::Map(m) => self.map(scope, inst, m),
            Op::BatchNormTraining(b) => self.batch_norm(scope, inst, &b.epsilon, b.feature_index),
            Op::BatchNormInference(b) => self.batch_norm(scope, inst, &b.epsilon, b.feature_index),
            Op::BatchNormGrad(b) => self.batch_norm(scope, inst, &b.epsilon, b.feature_index),
            ops_of!(factorization) | Op::ApproxTopK(_) | Op::CustomCall(_) => self.custom_call(scope, inst),
            Op::Sort(sort) => self.sort(scope, inst, sort),
            Op::TopK(top) => {
                self.out.push_str("chlo.top_k(");
                self.names(scope, x);
                let _ = write!(self.out, ", k = {}) : ", top.k);
                self.types(scope, x);
                self.out.push_str(" -> ");
                self.results(inst.results.iter().map(|&r| scope.func.ty(r)));
            }
            Op::TriangularSolve(solve) => self.triangular_solve(scope, inst, solve),
            Op::Rng(rng) => {
                self.name_and_operands(scope, inst);
                let (word, stream) = (rng.distribution.name(), rng.stream);
                let _ = write!(self.out, ", distribution = {word} {{{STREAM} = {stream} : i64}}");
                self.signature(scope, x, &inst.results);
            }
            Op::RngBitGenerator(rng) => {
                self.name_and_operands(scope, inst);
                let _ = write!(self.out, ", algorithm = {}", rng.algorithm.name());
                self.signature(scope, x, &inst.results);
            }
            Op::Cholesky(c) => {
                self.name_and_operands(scope, inst);
                let _ = write!(self.out, ", lower = {}", c.lower);
                self.short_signature(scope, inst);
            }
            Op::Fft(f) => {
                self.name_and_operands(scope, inst);
                let _ = write!(self.out, ", type = {}", f.kind.name());
                self.list(", length = ", &f.length);
                self.signature(scope, x, &inst.results);
            }
            op => unreachable!("{} is of another family", op.name()),
        }
    }

    /// A sort with its comparator, in generic form.
    fn sort(&mut self, scope: &Scope<'_>, inst: &Inst, s: &Sort) {
        let (operands, captures) = inst.taken_and_captured();
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
}
