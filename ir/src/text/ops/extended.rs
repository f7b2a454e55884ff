//! Operations that StableHLO has and the tensor IR says with others: `if`, tuples, `dot`, `broadcast`, `einsum`,
//! `torch_index_select`, sizes as operands that are constants, and communication among a single device.
//!
//! They are read into what they mean; what has no such meaning stays as it is written ([`super::foreign`]).

use super::foreign::is_foreign;
use crate::array::{Array, Literal};
use crate::func::{Loc, Value};
use crate::op::*;
use crate::text::attr::Value as Attr;
use crate::text::generic::Raw;
use crate::text::lexer::{Tok, unescape};
use crate::text::parser::{Instr, Parser, Res, Uses};
use crate::text::pretty::Ints;
use crate::types::{DType, DYNAMIC, Dims, TensorType, Type};
use smallvec::SmallVec;

/// Operations of the dialects in which StableHLO's interpreter is tested.
const FOR_TESTS: &[&str] =
    &["check.expect_serialized_eq", "interpreter.print", "interpreter.probe", "interpreter.run_parallel"];

/// Whether [`Parser::extended`] reads the operation.
pub(in crate::text) fn is_extended(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "broadcast",
        "dot",
        "einsum",
        "get_tuple_element",
        "if",
        "torch_index_select",
        "tuple",
        "unary_einsum",
    ];
    let ours = name.strip_prefix("stablehlo.").is_some_and(|n| NAMES.contains(&n));
    ours || is_foreign(name) || FOR_TESTS.contains(&name)
}

/// The static operation that an operation with sizes as operands is, now that its operands have these types and `known`
/// tells the numbers of some, and how many operands it keeps; `None` if sizes are still open.
///
/// Fails with a message if an attribute is wrong or the sizes contradict the result type.
pub fn static_form(
    foreign: &Foreign,
    operands: &[Type],
    known: &dyn Fn(usize) -> Option<Vec<i64>>,
) -> Result<Option<(Op, usize)>, String> {
    let source = format!("{{{}}}", foreign.attributes);
    let mut parser = Parser::new(&source);
    let mut raw = Raw { results: foreign.results.clone(), ..Raw::new(&foreign.name, 0, true) };
    let read = parser.dict().and_then(|attrs| {
        raw.attrs = attrs;
        parser.sized(&raw, operands, known)
    });
    read.map_err(|e| e.message)
}

impl<'s> Parser<'s> {
    /// What follows the name of such an operation in pretty form.
    pub(in crate::text) fn extended_pretty(&mut self, name: &'s str, at: usize) -> Res<Instr> {
        let mut raw = Raw::new(name, at, is_foreign(name));
        if name == "stablehlo.get_tuple_element" {
            let found = self.tuple_element_pretty()?;
            let place = self.start();
            let results = self.typed(&found.0)?;
            return self.element_of(found.1, &results, place);
        }
        let parens = self.eat(b'(');
        raw.operands = self.operands()?;
        if parens {
            self.punct(b')')?;
        }
        while self.eat(b',') {
            self.pretty_field(&mut raw)?;
        }
        self.pretty_dict(&mut raw)?;
        let place = self.start();
        match raw.short() {
            "tuple" => {
                self.punct(b':')?;
                let (types, shapes) = self.types_with_shapes()?;
                self.check_operands(&raw.operands, &types, place)?;
                self.result_shapes = shapes;
                raw.results = types;
            }
            "after_all" | "create_token" | "partition_id" | "replica_id" => {
                self.punct(b':')?;
                let ty = self.ty()?;
                raw.results = vec![ty];
            }
            _ => raw.results = self.typed(&raw.operands)?,
        }
        self.extended(raw)
    }

    /// `name = value` of a pretty form, as the attribute it stands for.
    fn pretty_field(&mut self, raw: &mut Raw<'s>) -> Res<()> {
        let Tok::Ident(word) = self.tok() else { return self.expected("the name of an attribute") };
        let name = match (word, raw.name) {
            ("dim", "stablehlo.dynamic_iota") => "iota_dimension",
            ("dim", _) => "dimension",
            ("dims", _) => "broadcast_dimensions",
            ("sizes", "stablehlo.broadcast") => "broadcast_sizes",
            ("config", _) => "einsum_config",
            ("precision", _) => "precision_config",
            (other, _) => other,
        };
        let place = self.start();
        self.bump();
        self.punct(b'=')?;
        let from = self.start();
        let value = if self.tok() == Tok::Punct(b'[') && name != "precision_config" {
            Attr::Ints(self.ints()?.to_vec())
        } else if name == "precision_config" {
            self.precision_words()?;
            return Ok(()); // we always compute in the full type
        } else if let Tok::Str(text) = self.tok() {
            self.bump();
            Attr::Str(unescape(text))
        } else {
            let Tok::Number(text) = self.tok() else { return self.expected("a number or a list") };
            let Ok(number) = text.parse() else { return self.expected("an integer") };
            self.bump();
            Attr::Int(number)
        };
        let shown = match &value {
            Attr::Ints(list) if list.is_empty() => "array<i64>".to_owned(),
            Attr::Ints(list) => {
                format!("array<i64: {}>", list.iter().map(i64::to_string).collect::<Vec<_>>().join(", "))
            }
            Attr::Int(n) => format!("{n} : i64"),
            _ => self.src()[from..self.lexer.last_end].to_owned(),
        };
        if !raw.text.is_empty() {
            raw.text.push_str(", ");
        }
        raw.text.push_str(&format!("{name} = {shown}"));
        raw.attrs.push(name, value, place);
        Ok(())
    }

    fn pretty_dict(&mut self, raw: &mut Raw<'s>) -> Res<()> {
        if self.tok() == Tok::Punct(b'{') {
            let from = self.end();
            let dict = self.dict()?;
            raw.add_attributes(self.src(), dict, from, self.lexer.last_end - 1);
        }
        Ok(())
    }

    /// The instruction, or the values, that such an operation is.
    pub(in crate::text) fn extended(&mut self, raw: Raw<'s>) -> Res<Instr> {
        let at = raw.at;
        let x = |k: usize| raw.operands.get(k).map(|u| u.0);
        match raw.name {
            // What a program shows or keeps of itself on the way changes nothing.
            "interpreter.print" | "check.expect_serialized_eq" => return Ok(Instr::given(SmallVec::new())),
            "interpreter.probe" => {
                self.count(&raw, 1)?;
                return Ok(Instr::given(x(0).into_iter().collect()));
            }
            "interpreter.run_parallel" => return self.run_parallel(raw),
            _ => {}
        }
        match raw.short() {
            "if" => return self.if_instr(raw),
            "tuple" => {
                let values = raw.operands.iter().map(|u| u.0).collect();
                return Ok(Instr::given(values));
            }
            "get_tuple_element" => {
                let index = self.need_size(&raw, "index")?;
                let Some((_, shapes)) = self.tuple_operand.take() else {
                    return self.fail_at(at, "the operand of `stablehlo.get_tuple_element` must be a tuple");
                };
                let element = self.element(&raw.operands, &shapes, index, at)?;
                return self.element_of(element, &raw.results, at);
            }
            "dot" => {
                self.count(&raw, 2)?;
                let (a, b) = (self.operand_tensor(&raw, 0)?, self.operand_tensor(&raw, 1)?);
                let fits = |t: &TensorType| matches!(t.rank(), 1 | 2);
                self.precisions(&raw.attrs, raw.name, "I3")?;
                if !fits(&a) || !fits(&b) {
                    return self.fail_at(at, "stablehlo.dot: operands must have rank 1 or 2 (C1)");
                }
                let op = DotGeneral {
                    lhs_batching_dims: Dims::new(),
                    rhs_batching_dims: Dims::new(),
                    lhs_contracting_dims: Dims::from_slice(&[a.rank() - 1]),
                    rhs_contracting_dims: Dims::from_slice(&[0]),
                    lhs_precision: Precision::Default,
                    rhs_precision: Precision::Default,
                    dtype: self.one_tensor(&raw.results, at)?.dtype,
                };
                return Ok(Instr::new(op, &raw.operands, raw.results));
            }
            "broadcast" => {
                self.count(&raw, 1)?;
                let sizes = self.need_dims(&raw, "broadcast_sizes")?;
                let ty = self.one_tensor(&raw.results, at)?;
                if ty.shape.get(..sizes.len()) != Some(&sizes[..]) {
                    return self
                        .fail_at(at, "stablehlo.broadcast: the result does not start with the sizes (C2)");
                }
                let dims = (sizes.len()..ty.rank()).collect();
                let op = BroadcastInDim { shape: ty.shape.clone(), dims };
                return Ok(Instr::new(op, &raw.operands, raw.results));
            }
            "ragged_dot" => {
                let types = raw.operands.iter().map(|u| self.value_type(u.0).as_tensor().cloned());
                let types: Option<Vec<TensorType>> = types.map(|t| t.filter(TensorType::is_static)).collect();
                if let Some(types) = types {
                    return self.ragged_dot(raw, &types);
                }
            }
            "einsum" | "unary_einsum" => return self.einsum(raw),
            "torch_index_select" => return self.torch_index_select(raw),
            "partition_id" | "replica_id" if raw.operands.is_empty() => {
                let ty = TensorType::scalar(DType::U32);
                if raw.results[..] != [Type::Tensor(ty)] {
                    return self.fail_at(at, format!("{} gives tensor<ui32> (O1)", raw.name));
                }
                if self.copies > 1 && raw.short() == "replica_id" {
                    return self.fail_at(
                        at,
                        format!(
                            "{} of {} copies of a program: several devices are not supported",
                            raw.name, self.copies
                        ),
                    );
                }
                return self.foreign(raw);
            }
            "get_dimension_size" => {
                self.count(&raw, 1)?;
                let ty = self.operand_tensor(&raw, 0)?;
                let dim = self.need_size(&raw, "dimension")?;
                let Some(&size) = ty.shape.get(dim) else {
                    return self.fail_at(
                        at,
                        format!("stablehlo.get_dimension_size: {ty} has no dimension {dim} (C1)"),
                    );
                };
                if let Ok(size) = i32::try_from(size) {
                    let value = Literal::from_array(&Array::scalar(size));
                    return Ok(Instr::new(Constant { value }, &Uses::new(), raw.results));
                }
            }
            "set_dimension_size" => {
                self.count(&raw, 2)?;
                let ty = self.operand_tensor(&raw, 0)?;
                let dim = self.need_size(&raw, "dimension")?;
                if self.operand_tensor(&raw, 1)?.rank() != 0 {
                    return self.fail_at(at, "stablehlo.set_dimension_size: the size must be a scalar (I2)");
                }
                let Some(&size) = ty.shape.get(dim) else {
                    return self.fail_at(
                        at,
                        format!("stablehlo.set_dimension_size: {ty} has no dimension {dim} (C2)"),
                    );
                };
                let same = raw.results[..] == [Type::Tensor(ty)];
                if same && self.integers(raw.operands[1].0).as_deref() == Some(&[size as i64]) {
                    return Ok(Instr::given(x(0).into_iter().collect()));
                }
            }
            _ => {}
        }
        if raw.name.contains(".dynamic_") || raw.name == "stablehlo.real_dynamic_slice" {
            if let Some((op, kept)) = self.with_constant_sizes(&raw)? {
                let operands: Uses = raw.operands[..kept].iter().copied().collect();
                return Ok(Instr::new(op, &operands, raw.results));
            }
            self.check_open(&raw)?;
            return self.foreign(raw);
        }
        self.check_collective(&raw)?;
        if let Some(values) = self.on_one_device(&raw)? {
            return Ok(Instr::given(values));
        }
        self.foreign(raw)
    }

    /// A grid of programs, which is a call if there is one program.
    fn run_parallel(&mut self, raw: Raw<'s>) -> Res<Instr> {
        let Some((Attr::Array(rows), place)) = raw.attrs.get("programs") else {
            return self.missing(&raw, "programs");
        };
        let count = |row: &Attr<'s>| if let Attr::Array(row) = row { row.len() } else { 1 };
        if let [Attr::Array(row)] = &rows[..]
            && let [Attr::Symbol(name)] = &row[..]
        {
            let callee = self.symbol_id(name, place);
            if let Some((Attr::Array(queue), place)) = raw.attrs.get("infeed") {
                let mut queues = Vec::new();
                for feed in queue {
                    let Attr::Symbol(name) = feed else {
                        return self.fail_at(place, "`infeed` is a list of functions".to_owned());
                    };
                    queues.push(self.symbol_id(name, place));
                }
                self.fed.push((callee, queues));
            }
            return Ok(Instr { deferred: true, ..Instr::new(Call { callee }, &raw.operands, raw.results) });
        }
        let processes: usize = rows.iter().map(count).sum();
        self.fail_at(
            raw.at,
            format!("`{}` of {processes} processes: several devices are not supported", raw.name),
        )
    }

    fn operand_tensor(&self, raw: &Raw<'s>, k: usize) -> Res<TensorType> {
        match raw.operands.get(k).map(|u| self.value_type(u.0)) {
            Some(Type::Tensor(ty)) => Ok(ty.clone()),
            _ => self.fail_at(raw.at, format!("`{}`: operand {k} must be a tensor", raw.name)),
        }
    }

    /// The numbers of an integer constant.
    pub(in crate::text) fn integers(&self, value: Value) -> Option<Vec<i64>> {
        let func = &self.frames.last()?.func;
        let literal = func.constant(value)?;
        if !literal.ty().dtype.is_integer() || literal.ty().checked_elements()? > 64 {
            return None;
        }
        literal.to_array().integers()
    }

    /// The static operation that one whose sizes are constants is, if it is, and how many operands it keeps.
    fn with_constant_sizes(&self, raw: &Raw<'s>) -> Res<Option<(Op, usize)>> {
        let types: Vec<Type> = raw.operands.iter().map(|u| self.value_type(u.0).clone()).collect();
        self.sized(raw, &types, &|k| raw.operands.get(k).and_then(|u| self.integers(u.0)))
    }

    /// The same for operands of these types, of which `ints` knows the numbers.
    fn sized(
        &self,
        raw: &Raw<'s>,
        operands: &[Type],
        ints: &dyn Fn(usize) -> Option<Vec<i64>>,
    ) -> Res<Option<(Op, usize)>> {
        let is_static = |ty: &Type| ty.as_tensor().is_some_and(TensorType::is_static);
        let [Type::Tensor(said)] = &raw.results[..] else { return Ok(None) };
        if !operands.iter().all(is_static) {
            return Ok(None);
        }
        let at = raw.at;
        let count = |n: usize| match operands.len() {
            m if m == n => Ok(()),
            m => self.fail_at(at, format!("expected {n} operands, found {m}")),
        };
        let sizes = |v: Vec<i64>| v.iter().map(|&n| usize::try_from(n).ok()).collect::<Option<Dims>>();
        // A result type that the sizes contradict is wrong; sizes that are not constants are taken to fit.
        let shape = |k: usize, label: &str| -> Res<Option<Dims>> {
            let Some(v) = ints(k) else { return Ok(said.is_static().then(|| said.shape.clone())) };
            let shown = format!("{v:?}");
            let fits = |d: &Dims| {
                d.len() == said.rank() && d.iter().zip(&said.shape).all(|(&a, &b)| a == b || b == DYNAMIC)
            };
            match sizes(v).filter(fits) {
                Some(dims) => Ok(Some(dims)),
                None => self.fail_at(
                    at,
                    format!("{}: the sizes {shown} are not those of {said} ({label})", raw.name),
                ),
            }
        };
        Ok(match raw.short() {
            "dynamic_reshape" => {
                count(2)?;
                shape(1, "C4")?.map(|shape| (Reshape { shape }.into(), 1))
            }
            "dynamic_broadcast_in_dim" => {
                count(2)?;
                let dims = self.need_dims(raw, "broadcast_dimensions")?;
                shape(1, "C7")?.map(|shape| (BroadcastInDim { shape, dims }.into(), 1))
            }
            "dynamic_iota" => {
                count(1)?;
                let dim = self.need_size(raw, "iota_dimension")?;
                shape(0, "C2")?.map(|shape| (Iota { ty: said.with_shape(&shape), dim }.into(), 0))
            }
            "dynamic_pad" => {
                count(5)?;
                let [low, high, interior] = [2, 3, 4].map(|k| ints(k).map(Ints::from_vec));
                let (Some(low), Some(high), Some(interior)) = (low, high, interior) else { return Ok(None) };
                Some((Pad { low, high, interior }.into(), 2))
            }
            "real_dynamic_slice" => {
                count(4)?;
                let all = [1, 2, 3].map(|k| ints(k).and_then(sizes));
                let [Some(start), Some(limit), Some(strides)] = all else { return Ok(None) };
                Some((Slice { start, limit, strides }.into(), 1))
            }
            "dynamic_gather" => {
                count(3)?;
                let Some(sizes) = ints(2).and_then(sizes) else { return Ok(None) };
                Some((self.gather(raw, Some(sizes))?.into(), 2))
            }
            "dynamic_conv" => {
                count(3)?;
                let Some(padding) = ints(2) else { return Ok(None) };
                let mut op = self.generic_convolution(raw)?;
                if padding.len() != 2 * op.window_strides.len() {
                    return self.fail_at(at, "stablehlo.dynamic_conv: the padding has the wrong shape (C4)");
                }
                op.padding_low = padding.iter().copied().step_by(2).collect();
                op.padding_high = padding.iter().copied().skip(1).step_by(2).collect();
                Some((op.into(), 2))
            }
            "get_dimension_size" => {
                count(1)?;
                let dim = self.need_size(raw, "dimension")?;
                let size = operands[0].as_tensor().and_then(|t| t.shape.get(dim));
                let size = size.and_then(|&n| i32::try_from(n).ok());
                size.map(|n| (Constant { value: Literal::from_array(&Array::scalar(n)) }.into(), 0))
            }
            "set_dimension_size" => {
                count(2)?;
                let dim = self.need_size(raw, "dimension")?;
                let Some(ty) = operands[0].as_tensor() else { return Ok(None) };
                let same = ty.shape.get(dim).is_some_and(|&n| ints(1) == Some(vec![n as i64]));
                same.then(|| (Reshape { shape: ty.shape.clone() }.into(), 1))
            }
            _ => None,
        })
    }

    /// Checks what an operation asks for whatever its sizes are.
    fn check_open(&self, raw: &Raw<'s>) -> Res<()> {
        let types: Option<Vec<&TensorType>> =
            raw.operands.iter().map(|u| self.value_type(u.0).as_tensor().filter(|t| t.is_static())).collect();
        let (Some(types), [Type::Tensor(said)]) = (types, &raw.results[..]) else { return Ok(()) };
        let op: Op = match raw.short() {
            "dynamic_gather" if types.len() == 3 => {
                self.gather(raw, Some(Dims::from_elem(1, types[0].rank())))?.into()
            }
            "dynamic_conv" if types.len() == 3 => {
                let op = self.generic_convolution(raw)?;
                if types[2].shape[..] != [types[0].rank().saturating_sub(2), 2] {
                    return self.fail_at(raw.at, format!("{}: the padding is {} (C4)", raw.name, types[2]));
                }
                op.into()
            }
            _ => return Ok(()),
        };
        let operands: Vec<Type> = types[..2].iter().map(|&t| t.clone().into()).collect();
        match op.infer(&self.module, &operands) {
            Ok(gives) if gives[0].as_tensor().is_none_or(|t| t.rank() == said.rank()) => Ok(()),
            Ok(gives) => self.fail_at(
                raw.at,
                format!("{} gives rank {}, not {said} (C22)", raw.name, gives[0].tensor().rank()),
            ),
            Err(e) => self.fail_at(raw.at, e.to_string()),
        }
    }

    /// What a collective operation gives where there is one device: its operands, if the groups say so. Without groups all devices
    /// are meant, which are not known here.
    fn on_one_device(&self, raw: &Raw<'s>) -> Res<Option<SmallVec<[Value; 4]>>> {
        let values = || Ok(Some(raw.operands.iter().map(|u| u.0).collect()));
        let alone = |name: &str| match raw.attrs.get(name) {
            Some((Attr::Dense(groups), _)) => {
                groups.ty().shape[..] == [1, 1] && groups.stored_bytes().iter().all(|&b| b == 0)
            }
            None => raw.short() == "cross-replica-sum",
            Some(_) => false,
        };
        let fits = || {
            let types = raw.operands.iter().map(|u| self.value_type(u.0));
            raw.operands.len() == raw.results.len() && types.eq(raw.results.iter())
        };
        match raw.short() {
            "all_gather"
            | "all_reduce"
            | "all_to_all"
            | "collective_broadcast"
            | "reduce_scatter"
            | "cross-replica-sum"
                if alone("replica_groups") && fits() =>
            {
                values()
            }
            "collective_permute" => match raw.attrs.get("source_target_pairs") {
                Some((Attr::Dense(pairs), _))
                    if pairs.ty().shape[..] == [1, 2]
                        && pairs.stored_bytes().iter().all(|&b| b == 0)
                        && fits() =>
                {
                    values()
                }
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// `if` is a `case` whose branch 0 is the false one.
    fn if_instr(&mut self, mut raw: Raw<'s>) -> Res<Instr> {
        let at = raw.at;
        self.count(&raw, 1)?;
        if *self.value_type(raw.operands[0].0) != Type::Tensor(TensorType::scalar(DType::I1)) {
            return self.fail_at(at, "stablehlo.if: the predicate must be tensor<i1> (I1)");
        }
        for region in &raw.regions {
            let func = region.func();
            if !func.params.is_empty() {
                return self.fail_at(at, "stablehlo.if: a branch takes no arguments (C1)");
            }
            let gives = func.result_types();
            if gives != raw.regions[0].func().result_types() {
                return self.fail_at(at, "stablehlo.if: the branches give different types (C2)");
            }
            if gives != raw.results {
                return self.fail_at(at, "stablehlo.if: the branches do not give the result types (C3)");
            }
        }
        let index = self.emit(at, Convert { dtype: DType::I32 }, &[raw.operands[0].0])?;
        raw.regions.reverse();
        let mut branches = Vec::new();
        for region in raw.regions {
            branches.push(self.add_region(&raw.captures, region)?);
        }
        let operands = std::iter::once(index).chain(raw.captures.values.iter().copied()).collect();
        Ok(Instr { operands, ..Instr::new(Case { branches }, &Uses::new(), raw.results) })
    }

    /// An instruction before the one that is read.
    pub(in crate::text) fn emit(&mut self, at: usize, op: impl Into<Op>, operands: &[Value]) -> Res<Value> {
        let op = op.into();
        let name = op.name();
        let types: Vec<Type> = operands.iter().map(|&v| self.value_type(v).clone()).collect();
        match op.infer(&self.module, &types) {
            Ok(results) if results.len() == 1 => {
                Ok(self.frame().func.push_typed(op, operands, results, Loc::Unknown)[0])
            }
            Ok(_) => self.fail_at(at, format!("`{name}` does not fit here")),
            Err(e) => self.fail_at(at, e.to_string()),
        }
    }

    /// Einstein's sum: a contraction, then sums and a permutation. A label occurs once per operand.
    fn einsum(&mut self, raw: Raw<'s>) -> Res<Instr> {
        let at = raw.at;
        let Some((Attr::Str(config), place)) = raw.attrs.get("einsum_config") else {
            return self.missing(&raw, "einsum_config");
        };
        let Some((inputs, output)) = config.split_once("->") else {
            return self.fail_at(place, "expected `->` in the configuration of the sum");
        };
        let letters = |s: &str| s.chars().filter(|c| !c.is_whitespace()).collect::<Vec<char>>();
        let inputs: Vec<Vec<char>> = inputs.split(',').map(letters).collect();
        let output = letters(output);
        self.count(&raw, inputs.len())?;
        let distinct = |labels: &[char]| labels.iter().enumerate().all(|(k, c)| !labels[..k].contains(c));
        let plain =
            inputs.iter().chain([&output]).all(|l| distinct(l) && l.iter().all(|c| c.is_alphabetic()));
        if !plain || inputs.is_empty() || inputs.len() > 2 {
            return self.fail_at(place, "only one or two operands with distinct labels each are supported");
        }
        let mut parts: Vec<(Value, Vec<char>)> = Vec::new();
        for (k, labels) in inputs.iter().enumerate() {
            let ty = self.operand_tensor(&raw, k)?;
            if ty.rank() != labels.len() {
                return self.fail_at(place, format!("operand {k} is {ty}, but has {} labels", labels.len()));
            }
            // Sum what nobody else has.
            let others: Vec<char> =
                inputs.iter().enumerate().filter(|(j, _)| *j != k).flat_map(|(_, l)| l.clone()).collect();
            let alone = |c: &char| !output.contains(c) && !others.contains(c);
            let dims: Dims = (0..labels.len()).filter(|&d| alone(&labels[d])).collect();
            let mut value = raw.operands[k].0;
            if !dims.is_empty() {
                let zeros = vec![0; ty.dtype.size()];
                let zero = Literal::splat_bytes(TensorType::scalar(ty.dtype), &zeros);
                let zero = self.emit(at, Constant { value: zero }, &[])?;
                let reduce = Reduce { dims, inputs: 1, reducer: Reducer::Op(BinaryOp::Add) };
                value = self.emit(at, reduce, &[value, zero])?;
            }
            parts.push((value, labels.iter().copied().filter(|c| !alone(c)).collect()));
        }
        let (value, labels) = match &parts[..] {
            [(a, la), (b, lb)] => {
                let find = |l: &[char], c: &char| l.iter().position(|x| x == c).unwrap_or(0);
                let shared: Vec<char> = la.iter().copied().filter(|c| lb.contains(c)).collect();
                let (batch, sum): (Vec<char>, Vec<char>) = shared.iter().partition(|c| output.contains(c));
                let dims = |l: &[char], of: &[char]| of.iter().map(|c| find(l, c)).collect::<Dims>();
                let op = DotGeneral {
                    lhs_batching_dims: dims(la, &batch),
                    rhs_batching_dims: dims(lb, &batch),
                    lhs_contracting_dims: dims(la, &sum),
                    rhs_contracting_dims: dims(lb, &sum),
                    lhs_precision: Precision::Default,
                    rhs_precision: Precision::Default,
                    dtype: self.one_tensor(&raw.results, at)?.dtype,
                };
                let free = |l: &[char]| l.iter().copied().filter(|c| !shared.contains(c)).collect::<Vec<_>>();
                let labels = [batch.clone(), free(la), free(lb)].concat();
                (self.emit(at, op, &[*a, *b])?, labels)
            }
            [(a, la)] => (*a, la.clone()),
            _ => return self.fail_at(at, "expected one or two operands"),
        };
        let perm: Option<Dims> = output.iter().map(|c| labels.iter().position(|l| l == c)).collect();
        let Some(perm) = perm.filter(|p| p.len() == labels.len()) else {
            return self.fail_at(place, "a label of the result is in no operand");
        };
        let operands: Uses = [(value, at)].into_iter().collect();
        Ok(Instr::new(Transpose { perm }, &operands, raw.results))
    }

    /// Rows of a tensor by number: a gather.
    fn torch_index_select(&mut self, raw: Raw<'s>) -> Res<Instr> {
        let at = raw.at;
        self.count(&raw, 2)?;
        let (x, index) = (self.operand_tensor(&raw, 0)?, self.operand_tensor(&raw, 1)?);
        let dim = match raw.attrs.get("dim").or(raw.attrs.get("dimension")) {
            Some((&Attr::Int(d), _)) if (0..x.rank() as i64).contains(&d) => d as usize,
            _ => return self.missing(&raw, "dim"),
        };
        let batch = self.size_of(&raw.attrs, "batch_dims")?.unwrap_or(0);
        if batch > dim || batch > index.rank() {
            return self.fail_at(at, "stablehlo.torch_index_select: `batch_dims` is out of range");
        }
        let free = index.rank() - batch;
        let op = Gather {
            offset_dims: (batch..dim).chain(dim + free..x.rank() + free - 1).collect(),
            collapsed_slice_dims: Dims::from_slice(&[dim]),
            operand_batching_dims: (0..batch).collect(),
            start_indices_batching_dims: (0..batch).collect(),
            start_index_map: Dims::from_slice(&[dim]),
            index_vector_dim: index.rank(),
            slice_sizes: (0..x.rank()).map(|d| if d < batch || d == dim { 1 } else { x.shape[d] }).collect(),
            indices_are_sorted: false,
        };
        Ok(Instr::new(op, &raw.operands, raw.results))
    }
}
