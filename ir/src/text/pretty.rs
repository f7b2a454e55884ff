//! Operations in the form that MLIR prints for people.

use super::attr::Dict;
use super::extended::is_extended;
use super::lexer::Tok;
use super::parser::{Instr, Parser, Res, Uses};
use super::types::Signature;
use crate::op::*;
use crate::types::{DType, Dims, TensorType, Type};
use smallvec::SmallVec;

/// A signed list, as paddings are.
pub(super) type Ints = SmallVec<[i64; 4]>;

/// Operations of the StableHLO specification and of CHLO that have no meaning here yet.
const NOT_YET: &[&str] = &[
    // CHLO
    "scan",
    "asin_acos_kernel",
    "minimum_broadcast_shapes",
];

/// The elementwise operation of one operand called so. CHLO's tangent is StableHLO's.
pub(super) fn unary_named(name: &str) -> Option<UnaryOp> {
    if name == "chlo.tan" { Some(UnaryOp::Tan) } else { UnaryOp::parse(name) }
}

impl<'s> Parser<'s> {
    /// The error for a name that is not in the list of operations.
    pub(super) fn unknown<T>(&self, name: &str, at: usize) -> Res<T> {
        let short = name.strip_prefix("stablehlo.").or_else(|| name.strip_prefix("chlo."));
        if short.is_some_and(|s| NOT_YET.contains(&s) || s.starts_with("broadcast_")) {
            return self.fail_at(at, format!("`{name}` is not supported yet"));
        }
        self.fail_at(at, format!("unknown operation `{name}`"))
    }

    /// What follows the name of an operation in pretty form.
    pub(super) fn pretty(&mut self, name: &'s str, at: usize) -> Res<Instr> {
        match name {
            "call" | "func.call" => return self.call(),
            "stablehlo.constant" => return self.constant(),
            "stablehlo.iota" => return self.iota(),
            "stablehlo.compare" => return self.compare(),
            "stablehlo.slice" => return self.slice(),
            "stablehlo.dot_general" => return self.dot_general(),
            "stablehlo.convolution" => return self.convolution(),
            "stablehlo.reduce" => return self.reduce(),
            "stablehlo.while" => return self.while_loop(),
            "stablehlo.composite" => return self.composite_pretty(at),
            "stablehlo.custom_call" => return self.custom_call_pretty(),
            name if name.starts_with("sdy.") => return self.sharding_pretty(name, at),
            name if is_extended(name) => return self.extended_pretty(name, at),
            name if name.starts_with("check.") => return self.check_pretty(name, at),
            "stablehlo.rng" => return self.rng(at),
            "stablehlo.rng_bit_generator" => return self.rng_bit_generator(at),
            "chlo.top_k" => return self.top_k(at),
            "chlo.scan" => return self.scan_pretty(at),
            "chlo.constant" => return self.constant(),
            "chlo.constant_like" => return self.constant_like(at),
            _ if name.starts_with("chlo.broadcast_") => return self.broadcasting(name, at),
            _ => {}
        }
        if let Some(op) = unary_named(name) {
            return self.elementwise(op.into(), 1, at);
        }
        if name == BinaryOp::Complex.name() {
            return self.complex(at);
        }
        if let Some(op) = BinaryOp::parse(name) {
            return self.elementwise(op.into(), 2, at);
        }
        match name {
            "stablehlo.select" => {
                let operands = self.some_operands(3, at)?;
                self.optional_dict()?;
                let at = self.start();
                match self.signature()? {
                    Signature::Bare(t) if t.len() == 2 => {
                        let types = [t[0].clone(), t[1].clone(), t[1].clone()];
                        self.check_operands(&operands, &types, at)?;
                        Ok(Instr::new(Select {}, &operands, vec![t[1].clone()]))
                    }
                    Signature::Function(types, results) => {
                        self.check_operands(&operands, &types, at)?;
                        Ok(Instr::new(Select {}, &operands, results))
                    }
                    Signature::Bare(_) | Signature::Arrow(..) => {
                        self.fail_at(at, "expected the type of the predicate and that of the values")
                    }
                }
            }
            "stablehlo.clamp" => self.elementwise(Clamp {}.into(), 3, at),
            "stablehlo.convert" => {
                let operands = self.some_operands(1, at)?;
                let ty = self.result(&operands)?;
                Ok(Instr::new(Convert { dtype: ty.dtype }, &operands, vec![ty.into()]))
            }
            "stablehlo.bitcast_convert" => {
                let operands = self.some_operands(1, at)?;
                let ty = self.result(&operands)?;
                Ok(Instr::new(BitcastConvert { ty: ty.clone() }, &operands, vec![ty.into()]))
            }
            "stablehlo.reshape" => {
                let operands = self.some_operands(1, at)?;
                let ty = self.result(&operands)?;
                Ok(Instr::new(Reshape { shape: ty.shape.clone() }, &operands, vec![ty.into()]))
            }
            "stablehlo.reduce_precision" => self.reduce_precision(at),
            "stablehlo.broadcast_in_dim" => {
                let operands = self.some_operands(1, at)?;
                let dims = self.named_dims("dims")?;
                let ty = self.result(&operands)?;
                let op = BroadcastInDim { shape: ty.shape.clone(), dims };
                Ok(Instr::new(op, &operands, vec![ty.into()]))
            }
            "stablehlo.transpose" => {
                let operands = self.some_operands(1, at)?;
                let perm = self.named_dims("dims")?;
                let ty = self.result(&operands)?;
                Ok(Instr::new(Transpose { perm }, &operands, vec![ty.into()]))
            }
            "stablehlo.reverse" => {
                let operands = self.some_operands(1, at)?;
                let dims = self.named_dims("dims")?;
                let ty = self.result(&operands)?;
                Ok(Instr::new(Reverse { dims }, &operands, vec![ty.into()]))
            }
            "stablehlo.concatenate" => {
                let operands = self.operands()?;
                self.punct(b',')?;
                let dim = self.named_size("dim")?;
                let ty = self.result(&operands)?;
                Ok(Instr::new(Concatenate { dim }, &operands, vec![ty.into()]))
            }
            "stablehlo.pad" => {
                let operands = self.some_operands(2, at)?;
                let low = self.named_ints("low")?;
                let high = self.named_ints("high")?;
                let interior = self.named_ints("interior")?;
                let ty = self.result(&operands)?;
                Ok(Instr::new(Pad { low, high, interior }, &operands, vec![ty.into()]))
            }
            "stablehlo.dynamic_slice" => {
                let operands = self.operands()?;
                let sizes = self.named_dims("sizes")?;
                let ty = self.result(&operands)?;
                Ok(Instr::new(DynamicSlice { sizes }, &operands, vec![ty.into()]))
            }
            "stablehlo.dynamic_update_slice" => {
                let operands = self.operands()?;
                let ty = self.result(&operands)?;
                Ok(Instr::new(DynamicUpdateSlice {}, &operands, vec![ty.into()]))
            }
            "stablehlo.optimization_barrier" => self.barrier(),
            "stablehlo.cholesky" => {
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
            "stablehlo.fft" => {
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
            // These print in generic form only.
            "stablehlo.gather"
            | "stablehlo.scatter"
            | "stablehlo.case"
            | "stablehlo.sort"
            | "stablehlo.triangular_solve"
            | "stablehlo.reduce_window"
            | "stablehlo.select_and_scatter"
            | "stablehlo.map"
            | "stablehlo.batch_norm_training"
            | "stablehlo.batch_norm_inference"
            | "stablehlo.batch_norm_grad" => {
                self.fail_at(at, format!("write `{name}` in generic form, between quotes"))
            }
            _ => self.unknown(name, at),
        }
    }

    /// So many operands.
    pub(super) fn some_operands(&mut self, n: usize, at: usize) -> Res<Uses> {
        let operands = self.operands()?;
        if operands.len() != n {
            let plural = if n == 1 { "" } else { "s" };
            return self.fail_at(at, format!("expected {n} operand{plural}, found {}", operands.len()));
        }
        Ok(operands)
    }

    /// Attributes that say nothing to us, the colon and the types; the one result type.
    fn result(&mut self, operands: &Uses) -> Res<TensorType> {
        self.optional_dict()?;
        let at = self.start();
        let results = self.typed(operands)?;
        self.one_tensor(&results, at)
    }

    /// The one tensor type in a list of result types.
    pub(super) fn one_tensor(&self, results: &[Type], at: usize) -> Res<TensorType> {
        match results {
            [Type::Tensor(ty)] => Ok(ty.clone()),
            _ => self.fail_at(at, "expected one tensor as the result type"),
        }
    }

    /// The element type of the one result. A type that is read and printed only has none; any will do.
    pub(super) fn result_dtype(&self, results: &[Type], at: usize) -> Res<DType> {
        match results {
            [Type::Foreign(_)] => Ok(DType::F32),
            _ => Ok(self.one_tensor(results, at)?.dtype),
        }
    }

    fn elementwise(&mut self, op: Op, n: usize, at: usize) -> Res<Instr> {
        let operands = self.some_operands(n, at)?;
        self.optional_dict()?;
        let results = self.typed(&operands)?;
        Ok(Instr::new(op, &operands, results))
    }

    /// Of the operands and the result the short form names the type of the result.
    fn complex(&mut self, at: usize) -> Res<Instr> {
        let operands = self.some_operands(2, at)?;
        self.optional_dict()?;
        let at = self.start();
        let results = match self.signature()? {
            Signature::Bare(types) if types.len() == 1 => {
                let result = self.one_tensor(&types, at)?;
                let part = Type::Tensor(result.with_dtype(result.dtype.part()));
                self.check_operands(&operands, &[part.clone(), part], at)?;
                types
            }
            Signature::Function(types, results) | Signature::Arrow(types, results) => {
                self.check_operands(&operands, &types, at)?;
                results
            }
            Signature::Bare(_) => return self.fail_at(at, "expected the type of the result"),
        };
        Ok(Instr::new(BinaryOp::Complex, &operands, results))
    }

    // Parts of operations.

    /// A non-negative number.
    fn size(&mut self) -> Res<usize> {
        match self.tok() {
            Tok::Number(text) => match text.parse::<i64>() {
                Ok(n) if n >= 0 => {
                    self.bump();
                    Ok(n as usize)
                }
                _ => self.expected("a number that is not negative"),
            },
            _ => self.expected("a number"),
        }
    }

    fn int(&mut self) -> Res<i64> {
        let Tok::Number(text) = self.tok() else { return self.expected("a number") };
        match text.parse() {
            Ok(n) => {
                self.bump();
                Ok(n)
            }
            Err(_) => self.expected("an integer"),
        }
    }

    /// `[1, -2]`.
    pub(super) fn ints(&mut self) -> Res<Ints> {
        self.punct(b'[')?;
        let mut out = Ints::new();
        while self.tok() != Tok::Punct(b']') {
            out.push(self.int()?);
            if !self.eat(b',') {
                break;
            }
        }
        self.punct(b']')?;
        Ok(out)
    }

    /// `[0, 1]`.
    fn dims(&mut self) -> Res<Dims> {
        self.punct(b'[')?;
        let mut out = Dims::new();
        while self.tok() != Tok::Punct(b']') {
            out.push(self.size()?);
            if !self.eat(b',') {
                break;
            }
        }
        self.punct(b']')?;
        Ok(out)
    }

    /// `, name =`.
    pub(super) fn name_of(&mut self, name: &str) -> Res<()> {
        self.eat(b',');
        self.word(name)?;
        self.punct(b'=')
    }
    pub(super) fn named_dims(&mut self, name: &str) -> Res<Dims> {
        self.name_of(name)?;
        self.dims()
    }
    fn named_ints(&mut self, name: &str) -> Res<Ints> {
        self.name_of(name)?;
        self.ints()
    }
    pub(super) fn named_size(&mut self, name: &str) -> Res<usize> {
        self.name_of(name)?;
        self.size()
    }

    // Operations with a form of their own.

    pub(super) fn constant(&mut self) -> Res<Instr> {
        self.optional_dict()?;
        let value = self.dense(false)?;
        let ty = value.ty().clone();
        Ok(Instr::new(Constant { value }, &Uses::new(), vec![ty.into()]))
    }

    fn iota(&mut self) -> Res<Instr> {
        let dim = self.named_size("dim")?;
        let ty = self.result(&Uses::new())?;
        Ok(Instr::new(Iota { ty: ty.clone(), dim }, &Uses::new(), vec![ty.into()]))
    }

    fn compare(&mut self) -> Res<Instr> {
        let direction = match self.tok() {
            Tok::Ident(word) => Direction::parse(word),
            _ => None,
        };
        let Some(direction) = direction else { return self.expected("EQ, NE, GE, GT, LE or LT") };
        self.bump();
        self.punct(b',')?;
        let at = self.start();
        let operands = self.some_operands(2, at)?;
        let mut kind = None;
        if self.eat(b',') {
            kind = match self.tok() {
                Tok::Ident("NOTYPE") => None,
                Tok::Ident(word) => match CompareType::parse(word) {
                    Some(kind) => Some(kind),
                    None => return self.expected("FLOAT, TOTALORDER, SIGNED or UNSIGNED"),
                },
                _ => return self.expected("FLOAT, TOTALORDER, SIGNED or UNSIGNED"),
            };
            self.bump();
        }
        let ty = self.result(&operands)?;
        let kind = match (kind, self.value_type(operands[0].0)) {
            (Some(kind), _) => kind,
            (None, Type::Tensor(t)) => CompareType::natural(t.dtype),
            (None, Type::Token | Type::Foreign(_)) => {
                return self.fail_at(at, "only tensors can be compared");
            }
        };
        Ok(Instr::new(Compare { direction, kind }, &operands, vec![ty.into()]))
    }

    fn reduce_precision(&mut self, at: usize) -> Res<Instr> {
        let operands = self.some_operands(1, at)?;
        self.name_of("format")?;
        let bits = match self.tok() {
            Tok::Ident(word) => word
                .strip_prefix('e')
                .and_then(|w| w.split_once('m'))
                .and_then(|(e, m)| Some((e.parse::<u16>().ok()?, m.parse::<u16>().ok()?))),
            _ => None,
        };
        let Some((e, m)) = bits else { return self.expected("a format, `e5m10`") };
        self.bump();
        let ty = self.result(&operands)?;
        let op = ReducePrecision { exponent_bits: e as usize, mantissa_bits: m as usize };
        Ok(Instr::new(op, &operands, vec![ty.into()]))
    }

    fn slice(&mut self) -> Res<Instr> {
        let at = self.start();
        let operands = self.some_operands(1, at)?;
        let (mut start, mut limit, mut strides) = (Dims::new(), Dims::new(), Dims::new());
        self.punct(b'[')?;
        while self.tok() != Tok::Punct(b']') {
            start.push(self.size()?);
            self.punct(b':')?;
            limit.push(self.size()?);
            strides.push(if self.eat(b':') { self.size()? } else { 1 });
            if !self.eat(b',') {
                break;
            }
        }
        self.punct(b']')?;
        let ty = self.result(&operands)?;
        Ok(Instr::new(Slice { start, limit, strides }, &operands, vec![ty.into()]))
    }

    fn dot_general(&mut self) -> Res<Instr> {
        let at = self.start();
        let operands = self.some_operands(2, at)?;
        let (mut lhs_batch, mut rhs_batch) = (Dims::new(), Dims::new());
        let (mut precision, mut algorithm) = ([Precision::Default; 2], None);
        self.eat(b',');
        if self.tok() == Tok::Ident("batching_dims") {
            self.name_of("batching_dims")?;
            lhs_batch = self.dims()?;
            self.word("x")?;
            rhs_batch = self.dims()?;
        }
        self.name_of("contracting_dims")?;
        let lhs_contract = self.dims()?;
        self.word("x")?;
        let rhs_contract = self.dims()?;
        while self.eat(b',') {
            if self.tok() == Tok::Ident("algorithm") {
                let place = self.start();
                self.name_of("algorithm")?;
                self.struct_fields("stablehlo.dot_algorithm")?;
                algorithm = Some(place);
                continue;
            }
            self.name_of("precision")?;
            precision = self.precision_words()?;
        }
        if let Some(place) = algorithm {
            self.check_plain(precision, place)?;
        }
        self.optional_dict()?;
        let results = self.typed(&operands)?;
        let op = DotGeneral {
            lhs_batching_dims: lhs_batch,
            rhs_batching_dims: rhs_batch,
            lhs_contracting_dims: lhs_contract,
            rhs_contracting_dims: rhs_contract,
            lhs_precision: precision[0],
            rhs_precision: precision[1],
            dtype: self.result_dtype(&results, at)?,
        };
        Ok(Instr::new(op, &operands, results))
    }

    /// `[DEFAULT, HIGHEST]`.
    pub(super) fn precision_words(&mut self) -> Res<[Precision; 2]> {
        let mut out = [Precision::Default; 2];
        self.punct(b'[')?;
        for (k, p) in out.iter_mut().enumerate() {
            if k > 0 && !self.eat(b',') {
                break;
            }
            let found = match self.tok() {
                Tok::Ident(word) => Precision::parse(word),
                _ => None,
            };
            let Some(found) = found else { return self.expected("DEFAULT, HIGH or HIGHEST") };
            *p = found;
            self.bump();
        }
        self.punct(b']')?;
        Ok(out)
    }

    fn call(&mut self) -> Res<Instr> {
        let at = self.start();
        let name = self.symbol()?;
        self.punct(b'(')?;
        let operands = self.operands()?;
        self.punct(b')')?;
        self.optional_dict()?;
        let results = self.typed(&operands)?;
        let callee = self.symbol_id(&name, at);
        Ok(Instr { deferred: true, ..Instr::new(Call { callee }, &operands, results) })
    }

    fn barrier(&mut self) -> Res<Instr> {
        let mut dict: Dict<'s> = self.optional_dict()?;
        let operands = if self.eat(b'(') {
            self.punct(b')')?;
            Uses::new()
        } else {
            self.operands()?
        };
        dict.extend(self.optional_dict()?);
        let region = self.barrier_region(&dict)?;
        let mut results = Vec::new();
        if !operands.is_empty() {
            let at = self.start();
            results = match self.signature()? {
                Signature::Bare(types) => types,
                Signature::Function(_, results) => results,
                Signature::Arrow(..) => return self.fail_at(at, "expected the types of the operands"),
            };
            self.check_operands(&operands, &results, at)?;
        }
        Ok(Instr::new(OptimizationBarrier { region }, &operands, results))
    }
}
