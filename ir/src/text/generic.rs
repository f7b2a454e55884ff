//! Operations in generic form: `"name"(operands) <{properties}> ({regions}) {attributes} : types`.

use super::attr::{Dict, Value as Attr};
use super::extended::is_extended;
use super::lexer::Tok;
use super::parser::{Instr, Parser, Res, Uses};
use super::pretty::Ints;
use super::region::{Captures, Region};
use super::sharding::{self, is_sharding};
use super::types::Signature;
use crate::array::Literal;
use crate::op::*;
use crate::types::{Dims, Type};

/// An operation in generic form, before its name gives the parts a meaning.
pub(super) struct Raw<'s> {
    pub(super) name: &'s str,
    pub(super) at: usize,
    pub(super) operands: Uses,
    pub(super) attrs: Dict<'s>,
    /// The attributes as they are written, of operations that stay so.
    pub(super) text: String,
    pub(super) regions: Vec<Region<'s>>,
    pub(super) captures: Captures,
    pub(super) results: Vec<Type>,
}

impl<'s> Raw<'s> {
    /// Its name without the dialect.
    pub(super) fn short(&self) -> &'s str {
        self.name.split_once('.').map_or(self.name, |n| n.1)
    }

    /// Adds attributes that are written in `src[from..to]`.
    pub(super) fn add_attributes(&mut self, src: &str, attrs: Dict<'s>, from: usize, to: usize) {
        self.attrs.extend(attrs);
        if super::foreign::is_foreign(self.name) {
            let text = super::foreign::tidy(src, from, to);
            if !text.is_empty() && !self.text.is_empty() {
                self.text.push_str(", ");
            }
            self.text.push_str(&text);
        }
    }
}

impl<'s> Parser<'s> {
    /// What follows the quoted name of an operation.
    pub(super) fn generic(&mut self, name: &'s str, at: usize) -> Res<Instr> {
        if !is_known(name) {
            return self.unknown(name, at);
        }
        self.punct(b'(')?;
        let operands = self.operands()?;
        self.punct(b')')?;
        let mut raw = Raw {
            name,
            at,
            operands,
            attrs: Dict::default(),
            text: String::new(),
            regions: Vec::new(),
            captures: Captures::default(),
            results: Vec::new(),
        };
        let tuple = self.tuple_operand.take();
        if self.tok() == Tok::Punct(b'<') {
            self.bump();
            let from = self.end();
            let attrs = self.dict()?;
            raw.add_attributes(self.src(), attrs, from, self.lexer.last_end - 1);
            self.punct(b'>')?;
        }
        if self.tok() == Tok::Punct(b'(') {
            (raw.regions, raw.captures) = self.regions()?;
        }
        if self.tok() == Tok::Punct(b'{') {
            let from = self.end();
            let attrs = self.dict()?;
            raw.add_attributes(self.src(), attrs, from, self.lexer.last_end - 1);
        }
        let place = self.start();
        raw.results = match self.signature()? {
            Signature::Function(types, results) => {
                self.check_operands(&raw.operands, &types, place)?;
                results
            }
            _ => return self.fail_at(place, "expected operand types, `->` and result types"),
        };
        self.tuple_operand = tuple;
        self.meaning(raw)
    }

    /// The instruction that a generic form spells.
    fn meaning(&mut self, raw: Raw<'s>) -> Res<Instr> {
        let at = raw.at;
        let regions = match raw.name {
            "stablehlo.while" => 2,
            "stablehlo.reduce" | "stablehlo.scatter" | "stablehlo.sort" => 1,
            // Regions of a composite operation mean nothing once it is its decomposition.
            "stablehlo.composite" => raw.regions.len(),
            "stablehlo.reduce_window" | "stablehlo.map" => 1,
            "stablehlo.select_and_scatter" => 2,
            "stablehlo.case" => raw.regions.len().max(1),
            "stablehlo.if" => 2,
            "stablehlo.all_reduce"
            | "stablehlo.reduce_scatter"
            | "stablehlo.collective_reduce"
            | "stablehlo.async_start"
            | "chlo.scan" => 1,
            name if sharding::has_body(name) => 1,
            _ => 0,
        };
        if raw.regions.len() != regions {
            return self.fail_at(at, format!("expected {regions} regions, found {}", raw.regions.len()));
        }
        if let Some(op) = super::pretty::unary_named(raw.name) {
            self.count(&raw, 1)?;
            return Ok(Instr::new(op, &raw.operands, raw.results));
        }
        if let Some(op) = BinaryOp::parse(raw.name) {
            self.count(&raw, 2)?;
            return Ok(Instr::new(op, &raw.operands, raw.results));
        }
        if is_sharding(raw.name) {
            return self.sharding_generic(raw);
        }
        if raw.name == "chlo.scan" {
            return self.scan_generic(raw);
        }
        if is_extended(raw.name) {
            return self.extended(raw);
        }
        let op: Op = match raw.name {
            "stablehlo.constant" => Constant { value: self.literal(&raw)? }.into(),
            "stablehlo.iota" => {
                let ty = self.one_tensor(&raw.results, at)?;
                Iota { ty, dim: self.need_size(&raw, "iota_dimension")? }.into()
            }
            "stablehlo.compare" => {
                self.count(&raw, 2)?;
                let Some(direction) =
                    self.enum_word(&raw, "comparison_direction")?.and_then(Direction::parse)
                else {
                    return self.fail_at(at, "`comparison_direction` is missing or unknown");
                };
                let natural = match self.value_type(raw.operands[0].0) {
                    Type::Tensor(t) => CompareType::natural(t.dtype),
                    Type::Token | Type::Foreign(_) => {
                        return self.fail_at(at, "only tensors can be compared");
                    }
                };
                let kind = self.enum_word(&raw, "compare_type")?.and_then(CompareType::parse);
                Compare { direction, kind: kind.unwrap_or(natural) }.into()
            }
            "stablehlo.select" => {
                self.count(&raw, 3)?;
                Select {}.into()
            }
            "stablehlo.clamp" => {
                self.count(&raw, 3)?;
                Clamp {}.into()
            }
            "stablehlo.convert" => {
                self.count(&raw, 1)?;
                Convert { dtype: self.one_tensor(&raw.results, at)?.dtype }.into()
            }
            "stablehlo.bitcast_convert" => {
                self.count(&raw, 1)?;
                BitcastConvert { ty: self.one_tensor(&raw.results, at)? }.into()
            }
            "stablehlo.reduce_precision" => ReducePrecision {
                exponent_bits: self.need_size(&raw, "exponent_bits")?,
                mantissa_bits: self.need_size(&raw, "mantissa_bits")?,
            }
            .into(),
            "stablehlo.broadcast_in_dim" => {
                let shape = self.one_tensor(&raw.results, at)?.shape;
                BroadcastInDim { shape, dims: self.need_dims(&raw, "broadcast_dimensions")? }.into()
            }
            "stablehlo.reshape" => {
                self.count(&raw, 1)?;
                Reshape { shape: self.one_tensor(&raw.results, at)?.shape }.into()
            }
            "stablehlo.transpose" => Transpose { perm: self.need_dims(&raw, "permutation")? }.into(),
            "stablehlo.reverse" => Reverse { dims: self.need_dims(&raw, "dimensions")? }.into(),
            "stablehlo.slice" => Slice {
                start: self.need_dims(&raw, "start_indices")?,
                limit: self.need_dims(&raw, "limit_indices")?,
                strides: self.need_dims(&raw, "strides")?,
            }
            .into(),
            "stablehlo.concatenate" => Concatenate { dim: self.need_size(&raw, "dimension")? }.into(),
            "stablehlo.pad" => Pad {
                low: self.need_ints(&raw, "edge_padding_low")?,
                high: self.need_ints(&raw, "edge_padding_high")?,
                interior: self.need_ints(&raw, "interior_padding")?,
            }
            .into(),
            "stablehlo.dynamic_slice" => DynamicSlice { sizes: self.need_dims(&raw, "slice_sizes")? }.into(),
            "stablehlo.dynamic_update_slice" => DynamicUpdateSlice {}.into(),
            "stablehlo.gather" => self.gather(&raw, None)?.into(),
            "stablehlo.dot_general" => self.generic_dot(&raw)?.into(),
            "stablehlo.cholesky" => Cholesky { lower: self.flag(&raw.attrs, "lower")? }.into(),
            "stablehlo.fft" => {
                let Some(kind) = self.enum_word(&raw, "fft_type")?.and_then(FftType::parse) else {
                    return self.fail_at(at, "`fft_type` is missing or unknown");
                };
                Fft { kind, length: self.need_dims(&raw, "fft_length")? }.into()
            }
            "stablehlo.triangular_solve" => {
                let Some(transpose_a) = self.enum_word(&raw, "transpose_a")?.and_then(TransposeA::parse)
                else {
                    return self.fail_at(at, "`transpose_a` is missing or unknown");
                };
                TriangularSolve {
                    left_side: self.flag(&raw.attrs, "left_side")?,
                    lower: self.flag(&raw.attrs, "lower")?,
                    unit_diagonal: self.flag(&raw.attrs, "unit_diagonal")?,
                    transpose_a,
                }
                .into()
            }
            "stablehlo.optimization_barrier" => {
                OptimizationBarrier { region: self.barrier_region(&raw.attrs)? }.into()
            }
            "stablehlo.convolution" => {
                self.count(&raw, 2)?;
                self.generic_convolution(&raw)?.into()
            }
            "stablehlo.reduce_window" => return self.reduce_window(raw),
            "stablehlo.select_and_scatter" => return self.select_and_scatter(raw),
            "stablehlo.map" => return self.map(raw),
            "stablehlo.batch_norm_training" => {
                let (epsilon, feature_index) = self.batch_norm(&raw)?;
                BatchNormTraining { epsilon, feature_index }.into()
            }
            "stablehlo.batch_norm_inference" => {
                let (epsilon, feature_index) = self.batch_norm(&raw)?;
                BatchNormInference { epsilon, feature_index }.into()
            }
            "stablehlo.batch_norm_grad" => {
                let (epsilon, feature_index) = self.batch_norm(&raw)?;
                BatchNormGrad { epsilon, feature_index }.into()
            }
            name if name.starts_with("chlo.broadcast_") => {
                return self.broadcast_operands(name, &raw.attrs, &raw.operands, raw.results, at);
            }
            "chlo.constant" => Constant { value: self.literal(&raw)? }.into(),
            "chlo.constant_like" => return self.constant_of(&raw.attrs, &raw.results, at),
            "stablehlo.scatter" => return self.scatter(raw),
            "stablehlo.sort" => return self.sort(raw),
            "chlo.top_k" => TopK { k: self.need_size(&raw, "k")? }.into(),
            "stablehlo.rng" => {
                let word = self.enum_word(&raw, "rng_distribution")?.and_then(RngDistribution::parse);
                let Some(distribution) = word else { return self.missing(&raw, "rng_distribution") };
                let ty = self.one_tensor(&raw.results, at)?;
                let sizes = raw.operands.get(2).and_then(|u| self.integers(u.0));
                if sizes.is_some_and(|s| s.iter().map(|&n| n as usize).ne(ty.shape.iter().copied())) {
                    return self.fail_at(at, format!("stablehlo.rng: the shape is not that of {ty} (C3)"));
                }
                Rng { ty, distribution }.into()
            }
            "stablehlo.rng_bit_generator" => {
                let word = self.enum_word(&raw, "rng_algorithm")?.and_then(RngAlgorithm::parse);
                let Some(algorithm) = word else { return self.missing(&raw, "rng_algorithm") };
                self.random_bits(algorithm, &raw.results, at)?
            }
            "stablehlo.reduce" => return self.generic_reduce(raw),
            "stablehlo.case" => {
                let operands = self.with_captures(&raw.operands, &raw.captures).into();
                let mut branches = Vec::new();
                for region in raw.regions {
                    branches.push(self.add_region(&raw.captures, region)?);
                }
                return Ok(Instr { operands, ..Instr::new(Case { branches }, &raw.operands, raw.results) });
            }
            "stablehlo.while" => {
                let mut ids = Vec::new();
                for region in raw.regions {
                    ids.push(self.add_region(&raw.captures, region)?);
                }
                return Ok(self.while_instr(ids[0], ids[1], &raw.captures, &raw.operands, raw.results));
            }
            "func.call" => {
                let Some((Attr::Symbol(name), place)) = raw.attrs.get("callee") else {
                    return self.fail_at(at, "`callee` is missing");
                };
                let callee = self.symbol_id(name, place);
                return Ok(Instr {
                    deferred: true,
                    ..Instr::new(Call { callee }, &raw.operands, raw.results)
                });
            }
            "stablehlo.composite" => {
                let Some((Attr::Str(name), _)) = raw.attrs.get("name") else {
                    return self.fail_at(at, "`name` is missing");
                };
                return self.composite(name, &raw.attrs, &raw.operands, raw.results, at);
            }
            "stablehlo.custom_call" => {
                let Some((Attr::Str(target), _)) = raw.attrs.get("call_target_name") else {
                    return self.missing(&raw, "call_target_name");
                };
                return self.custom_call(target, &raw.attrs, &raw.operands, raw.results);
            }
            name if name.starts_with("check.") => {
                return self.check_generic(name, &raw.attrs, raw.operands, at);
            }
            name => return self.unknown(name, at),
        };
        Ok(Instr::new(op, &raw.operands, raw.results))
    }

    pub(super) fn count(&self, raw: &Raw<'s>, n: usize) -> Res<()> {
        if raw.operands.len() == n {
            return Ok(());
        }
        self.fail_at(raw.at, format!("expected {n} operands, found {}", raw.operands.len()))
    }

    // Attributes of a raw operation.

    fn literal(&self, raw: &Raw<'s>) -> Res<Literal> {
        match raw.attrs.get("value") {
            Some((Attr::Dense(literal), _)) => Ok(literal.clone()),
            _ => self.fail_at(raw.at, "`value` is missing or not `dense<...>`"),
        }
    }

    pub(super) fn ints_of(&self, attrs: &Dict<'s>, name: &str) -> Res<Option<Ints>> {
        let Some((value, at)) = attrs.get(name) else { return Ok(None) };
        match value.ints() {
            Some(ints) => Ok(Some(ints.into())),
            None => self.fail_at(at, format!("`{name}` must be a list of integers")),
        }
    }

    pub(super) fn dims_of(&self, attrs: &Dict<'s>, name: &str) -> Res<Option<Dims>> {
        let Some(ints) = self.ints_of(attrs, name)? else { return Ok(None) };
        match ints.iter().map(|&v| usize::try_from(v).ok()).collect() {
            Some(dims) => Ok(Some(dims)),
            None => {
                self.fail_at(attrs.get(name).map_or(0, |v| v.1), format!("`{name}` must not be negative"))
            }
        }
    }

    pub(super) fn size_of(&self, attrs: &Dict<'s>, name: &str) -> Res<Option<usize>> {
        match attrs.get(name) {
            None => Ok(None),
            Some((&Attr::Int(v), _)) if v >= 0 => Ok(Some(v as usize)),
            Some((_, at)) => self.fail_at(at, format!("`{name}` must be an integer that is not negative")),
        }
    }

    /// A flag that is false when absent.
    fn flag(&self, attrs: &Dict<'s>, name: &str) -> Res<bool> {
        match attrs.get(name) {
            None => Ok(false),
            Some((&Attr::Bool(v), _)) => Ok(v),
            Some((Attr::Unit, _)) => Ok(true),
            Some((_, at)) => self.fail_at(at, format!("`{name}` must be true or false")),
        }
    }

    fn enum_word(&self, raw: &Raw<'s>, name: &str) -> Res<Option<&'s str>> {
        match raw.attrs.get(name) {
            None => Ok(None),
            Some((&Attr::Word(word), _)) => Ok(Some(word)),
            Some((_, at)) => self.fail_at(at, format!("`{name}` must be `#stablehlo<... WORD>`")),
        }
    }

    pub(super) fn missing<T>(&self, raw: &Raw<'s>, name: &str) -> Res<T> {
        self.fail_at(raw.at, format!("`{}` needs the attribute `{name}`", raw.name))
    }
    pub(super) fn need_size(&self, raw: &Raw<'s>, name: &str) -> Res<usize> {
        self.size_of(&raw.attrs, name)?.map_or_else(|| self.missing(raw, name), Ok)
    }
    pub(super) fn need_dims(&self, raw: &Raw<'s>, name: &str) -> Res<Dims> {
        self.dims_of(&raw.attrs, name)?.map_or_else(|| self.missing(raw, name), Ok)
    }
    fn need_ints(&self, raw: &Raw<'s>, name: &str) -> Res<Ints> {
        self.ints_of(&raw.attrs, name)?.map_or_else(|| self.missing(raw, name), Ok)
    }

    /// The fields of `#stablehlo.KIND<...>`.
    pub(super) fn fields<'a>(&self, raw: &'a Raw<'s>, name: &str, kind: &str) -> Res<&'a Dict<'s>> {
        match raw.attrs.get(name) {
            Some((Attr::Struct(found, fields), _)) if *found == kind => Ok(fields),
            _ => self.missing(raw, name),
        }
    }

    /// A list in `#stablehlo.KIND<...>`, empty when absent.
    pub(super) fn list(&self, fields: &Dict<'s>, name: &str) -> Res<Dims> {
        Ok(self.dims_of(fields, name)?.unwrap_or_default())
    }

    /// The number of the rematerialised region of a barrier.
    pub(super) fn barrier_region(&self, attrs: &Dict<'s>) -> Res<usize> {
        Ok(self.size_of(attrs, "wengert.region")?.unwrap_or(0))
    }

    // Operations.

    pub(super) fn gather(&self, raw: &Raw<'s>, sizes: Option<Dims>) -> Res<Gather> {
        let d = self.fields(raw, "dimension_numbers", "stablehlo.gather")?;
        Ok(Gather {
            offset_dims: self.list(d, "offset_dims")?,
            collapsed_slice_dims: self.list(d, "collapsed_slice_dims")?,
            operand_batching_dims: self.list(d, "operand_batching_dims")?,
            start_indices_batching_dims: self.list(d, "start_indices_batching_dims")?,
            start_index_map: self.list(d, "start_index_map")?,
            index_vector_dim: self.size_of(d, "index_vector_dim")?.unwrap_or(0),
            slice_sizes: sizes.map_or_else(|| self.need_dims(raw, "slice_sizes"), Ok)?,
            indices_are_sorted: self.flag(&raw.attrs, "indices_are_sorted")?,
        })
    }

    fn scatter(&mut self, mut raw: Raw<'s>) -> Res<Instr> {
        let inputs = raw.operands.len() / 2;
        if raw.operands.len() != 2 * inputs + 1 || inputs == 0 {
            return self.fail_at(raw.at, "expected inputs, the indices and as many updates");
        }
        let d = self.fields(&raw, "scatter_dimension_numbers", "stablehlo.scatter")?;
        let mut op = Scatter {
            update_window_dims: self.list(d, "update_window_dims")?,
            inserted_window_dims: self.list(d, "inserted_window_dims")?,
            input_batching_dims: self.list(d, "input_batching_dims")?,
            scatter_indices_batching_dims: self.list(d, "scatter_indices_batching_dims")?,
            scatter_dims_to_operand_dims: self.list(d, "scatter_dims_to_operand_dims")?,
            index_vector_dim: self.size_of(d, "index_vector_dim")?.unwrap_or(0),
            indices_are_sorted: self.flag(&raw.attrs, "indices_are_sorted")?,
            unique_indices: self.flag(&raw.attrs, "unique_indices")?,
            inputs,
            reducer: Reducer::Assign,
        };
        self.promote(
            &mut raw.operands,
            (0..inputs).chain(inputs + 1..2 * inputs + 1),
            &raw.regions[0],
            "C23",
        )?;
        let (reducer, operands) = self.reducer_of(&mut raw, true)?;
        op.reducer = reducer;
        Ok(Instr { operands, ..Instr::new(op, &raw.operands, raw.results) })
    }

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

    fn generic_reduce(&mut self, mut raw: Raw<'s>) -> Res<Instr> {
        let n = raw.operands.len() / 2;
        if raw.operands.len() != 2 * n || n == 0 {
            return self.fail_at(raw.at, "expected as many initial values as tensors");
        }
        let dims = super::pretty_regions::ascending(self.need_dims(&raw, "dimensions")?);
        self.promote(&mut raw.operands, 0..2 * n, &raw.regions[0], "C6")?;
        let (reducer, operands) = self.reducer_of(&mut raw, false)?;
        let op = Reduce { dims, inputs: n, reducer };
        Ok(Instr { operands, ..Instr::new(op, &raw.operands, raw.results) })
    }

    /// The reducer that the one region spells, and the operands with what it captures.
    pub(super) fn reducer_of(
        &mut self,
        raw: &mut Raw<'s>,
        assign: bool,
    ) -> Res<(Reducer, crate::func::Values)> {
        let plain = || raw.operands.iter().map(|u| u.0).collect();
        let own = raw.operands.first().map(|u| self.value_type(u.0));
        let spelled = raw.regions[0].reducer().filter(|_| own.is_none_or(|ty| raw.regions[0].takes(ty)));
        match spelled {
            Some(Reducer::Assign) if !assign => {}
            Some(reducer) => return Ok((reducer, plain())),
            None => {}
        }
        let operands = self.with_captures(&raw.operands, &raw.captures).into();
        let region = raw.regions.remove(0);
        Ok((Reducer::Func(self.add_region(&raw.captures, region)?), operands))
    }

    /// An algorithm stands alone. It asks for fewer bits than we compute with, so it is not kept.
    pub(super) fn check_plain(&self, precision: [Precision; 2], at: usize) -> Res<()> {
        if precision != [Precision::Default; 2] {
            let message = "stablehlo.dot_general: with an algorithm the precisions must be DEFAULT (C21)";
            return self.fail_at(at, message);
        }
        Ok(())
    }

    fn generic_dot(&self, raw: &Raw<'s>) -> Res<DotGeneral> {
        let d = self.fields(raw, "dot_dimension_numbers", "stablehlo.dot")?;
        let precision = self.precisions(&raw.attrs, raw.name, "C11")?;
        if let Some((Attr::Struct(..), at)) = raw.attrs.get("algorithm") {
            self.check_plain(precision, at)?;
        }
        Ok(DotGeneral {
            lhs_batching_dims: self.list(d, "lhs_batching_dimensions")?,
            rhs_batching_dims: self.list(d, "rhs_batching_dimensions")?,
            lhs_contracting_dims: self.list(d, "lhs_contracting_dimensions")?,
            rhs_contracting_dims: self.list(d, "rhs_contracting_dimensions")?,
            lhs_precision: precision[0],
            rhs_precision: precision[1],
            dtype: self.result_dtype(&raw.results, raw.at)?,
        })
    }
}

/// Whether the name is one that [`Parser::meaning`] knows; asked first, so that an unknown operation is
/// named before anything about its attributes.
fn is_known(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "chlo.constant",
        "chlo.constant_like",
        "chlo.scan",
        "chlo.top_k",
        "func.call",
        "stablehlo.batch_norm_grad",
        "stablehlo.batch_norm_inference",
        "stablehlo.batch_norm_training",
        "stablehlo.bitcast_convert",
        "stablehlo.broadcast_in_dim",
        "stablehlo.case",
        "stablehlo.cholesky",
        "stablehlo.custom_call",
        "stablehlo.fft",
        "stablehlo.triangular_solve",
        "stablehlo.clamp",
        "stablehlo.compare",
        "stablehlo.composite",
        "stablehlo.concatenate",
        "stablehlo.constant",
        "stablehlo.convert",
        "stablehlo.convolution",
        "stablehlo.dot_general",
        "stablehlo.dynamic_slice",
        "stablehlo.dynamic_update_slice",
        "stablehlo.gather",
        "stablehlo.iota",
        "stablehlo.map",
        "stablehlo.optimization_barrier",
        "stablehlo.pad",
        "stablehlo.reduce",
        "stablehlo.reduce_precision",
        "stablehlo.reduce_window",
        "stablehlo.reshape",
        "stablehlo.reverse",
        "stablehlo.rng",
        "stablehlo.rng_bit_generator",
        "stablehlo.scatter",
        "stablehlo.select",
        "stablehlo.select_and_scatter",
        "stablehlo.sort",
        "stablehlo.slice",
        "stablehlo.transpose",
        "stablehlo.while",
    ];
    let family = super::pretty::unary_named(name).is_some() || BinaryOp::parse(name).is_some();
    let prefixed = name.starts_with("check.") || name.starts_with("chlo.broadcast_");
    family || NAMES.contains(&name) || prefixed || is_extended(name) || is_sharding(name)
}
