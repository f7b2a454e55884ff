//! Text of operations with windows: `convolution`, `reduce_window`, `select_and_scatter`; and of `map` and
//! batch normalization, which are written in generic form like them.

use super::Form;
use crate::array::Literal;
use crate::func::{Inst, Value};
use crate::op::*;
use crate::text::attr::{Dict, Value as Attr};
use crate::text::dimension_labels::Labels;
use crate::text::generic::Raw;
use crate::text::names::{Name, Scope};
use crate::text::parser::{Instr, Parser, Res};
use crate::text::pretty::Ints;
use crate::text::printer::Printer;
use crate::types::{DType, Dims, TensorType};
use smallvec::SmallVec;
use std::fmt::Write;

pub(in crate::text) const FORMS: &[Form] = &[
    Form::new(
        "stablehlo.convolution",
        |p, _| p.convolution(),
        |p, raw| {
            p.count(&raw, 2)?;
            let op = p.generic_convolution(&raw)?;
            Ok(raw.is(op))
        },
    ),
    Form::generic("stablehlo.reduce_window", |p, raw| p.reduce_window(raw)).regions(1),
    Form::generic("stablehlo.select_and_scatter", |p, raw| p.select_and_scatter(raw)).regions(2),
    Form::generic("stablehlo.map", |p, raw| p.map(raw)).regions(1),
    Form::generic("stablehlo.batch_norm_training", |p, raw| {
        let (epsilon, feature_index) = p.batch_norm(&raw)?;
        Ok(raw.is(BatchNormTraining { epsilon, feature_index }))
    }),
    Form::generic("stablehlo.batch_norm_inference", |p, raw| {
        let (epsilon, feature_index) = p.batch_norm(&raw)?;
        Ok(raw.is(BatchNormInference { epsilon, feature_index }))
    }),
    Form::generic("stablehlo.batch_norm_grad", |p, raw| {
        let (epsilon, feature_index) = p.batch_norm(&raw)?;
        Ok(raw.is(BatchNormGrad { epsilon, feature_index }))
    }),
];

impl<'s> Parser<'s> {
    /// `stablehlo.convolution(%x, %w) dim_numbers = ..., window = {...} {...} : types`.
    pub(in crate::text) fn convolution(&mut self) -> Res<Instr> {
        let at = self.start();
        self.punct(b'(')?;
        let operands = self.some_operands(2, at)?;
        self.punct(b')')?;
        self.eat(b',');
        self.word("dim_numbers")?;
        self.punct(b'=')?;
        let labels = self.conv_labels()?;
        self.punct(b',')?;
        self.word("window")?;
        self.punct(b'=')?;
        let window = self.dict()?;
        let attrs = self.optional_dict()?;
        let results = self.typed(&operands)?;
        let names = ["stride", "pad", "lhs_dilate", "rhs_dilate", "reverse"];
        let op = self.convolution_of(&labels, &window, names, &attrs, &results, at)?;
        Ok(Instr::new(op, &operands, results))
    }

    /// The same in generic form.
    pub(in crate::text) fn generic_convolution(&self, raw: &Raw<'s>) -> Res<Convolution> {
        let Some((Attr::Conv(labels), _)) = raw.attrs.get("dimension_numbers") else {
            return self.fail_at(raw.at, "`dimension_numbers = #stablehlo.conv<...>` is missing");
        };
        let names = ["window_strides", "padding", "lhs_dilation", "rhs_dilation", "window_reversal"];
        self.convolution_of(labels, &raw.attrs, names, &raw.attrs, &raw.results, raw.at)
    }

    fn convolution_of(
        &self,
        [input, kernel, output]: &[Labels; 3],
        window: &Dict<'s>,
        [stride, pad, lhs_dilate, rhs_dilate, reverse]: [&str; 5],
        attrs: &Dict<'s>,
        results: &[crate::types::Type],
        at: usize,
    ) -> Res<Convolution> {
        let n = input.spatial.len();
        let ones = |name: &str| Ok(self.dims_of(window, name)?.unwrap_or_else(|| SmallVec::from_elem(1, n)));
        let (padding_low, padding_high) = self.pairs_of(window, pad, n)?;
        let window_reversal = match window.get(reverse) {
            None => SmallVec::from_elem(false, n),
            Some((value, place)) => match value.flags() {
                Some(flags) => flags,
                None => return self.fail_at(place, format!("`{reverse}` must be a list of true and false")),
            },
        };
        let group = |name: &str| Ok(self.size_of(attrs, name)?.unwrap_or(1));
        let [lhs_precision, rhs_precision] = self.precisions(attrs, "stablehlo.convolution", "C24")?;
        Ok(Convolution {
            window_strides: ones(stride)?,
            padding_low,
            padding_high,
            lhs_dilation: ones(lhs_dilate)?,
            rhs_dilation: ones(rhs_dilate)?,
            window_reversal,
            input_batch_dimension: input.first,
            input_feature_dimension: input.second,
            input_spatial_dimensions: input.spatial.clone(),
            kernel_input_feature_dimension: kernel.first,
            kernel_output_feature_dimension: kernel.second,
            kernel_spatial_dimensions: kernel.spatial.clone(),
            output_batch_dimension: output.first,
            output_feature_dimension: output.second,
            output_spatial_dimensions: output.spatial.clone(),
            feature_group_count: group("feature_group_count")?,
            batch_group_count: group("batch_group_count")?,
            lhs_precision,
            rhs_precision,
            dtype: self.result_dtype(results, at)?,
        })
    }

    /// `precision_config` of an operation, of two words; `label` is that of the constraint that says so.
    pub(in crate::text) fn precisions(
        &self,
        attrs: &Dict<'s>,
        name: &str,
        label: &str,
    ) -> Res<[Precision; 2]> {
        let mut out = [Precision::Default; 2];
        let Some((value, at)) = attrs.get("precision_config") else { return Ok(out) };
        let Attr::Array(items) = value else { return self.fail_at(at, "`precision_config` must be a list") };
        if items.len() > 2 {
            return self.fail_at(at, format!("{name}: `precision_config` must have 2 entries ({label})"));
        }
        for (p, item) in out.iter_mut().zip(items) {
            *p = match item {
                Attr::Word(word) => match Precision::parse(word) {
                    Some(p) => p,
                    None => return self.fail_at(at, "`precision_config` must list DEFAULT, HIGH or HIGHEST"),
                },
                _ => return self.fail_at(at, "`precision_config` must list DEFAULT, HIGH or HIGHEST"),
            };
        }
        Ok(out)
    }

    /// The pairs (low, high) of a padding, zeros when absent.
    fn pairs_of(&self, attrs: &Dict<'s>, name: &str, n: usize) -> Res<(Ints, Ints)> {
        let Some((value, at)) = attrs.get(name) else {
            return Ok((SmallVec::from_elem(0, n), SmallVec::from_elem(0, n)));
        };
        match value.pairs() {
            Some(pairs) => Ok(pairs.into_iter().map(|[a, b]| (a, b)).unzip()),
            None => self.fail_at(at, format!("`{name}` must be a list of pairs of integers")),
        }
    }

    /// The lists of `reduce_window` and `select_and_scatter`.
    fn window_lists(&self, raw: &Raw<'s>) -> Res<([Dims; 4], Ints, Ints)> {
        let Some(window) = self.dims_of(&raw.attrs, "window_dimensions")? else {
            return self.fail_at(raw.at, format!("`{}` needs the attribute `window_dimensions`", raw.name));
        };
        let n = window.len();
        let ones =
            |name: &str| Ok(self.dims_of(&raw.attrs, name)?.unwrap_or_else(|| SmallVec::from_elem(1, n)));
        let (low, high) = self.pairs_of(&raw.attrs, "padding", n)?;
        let lists = [window, ones("window_strides")?, ones("base_dilations")?, ones("window_dilations")?];
        Ok((lists, low, high))
    }

    pub(in crate::text) fn reduce_window(&mut self, mut raw: Raw<'s>) -> Res<Instr> {
        let n = raw.operands.len() / 2;
        if raw.operands.len() != 2 * n || n == 0 {
            return self.fail_at(raw.at, "expected as many initial values as tensors");
        }
        let (lists, padding_low, padding_high) = self.window_lists(&raw)?;
        let [window_dimensions, window_strides, base_dilations, window_dilations] = lists;
        self.promote(&mut raw.operands, 0..2 * n, &raw.regions[0], "C13")?;
        let (reducer, operands) = self.reducer_of(&mut raw, false)?;
        let op = ReduceWindow {
            window_dimensions,
            window_strides,
            base_dilations,
            window_dilations,
            padding_low,
            padding_high,
            inputs: n,
            reducer,
        };
        Ok(Instr { operands, ..Instr::new(op, &raw.operands, raw.results) })
    }

    pub(in crate::text) fn select_and_scatter(&mut self, mut raw: Raw<'s>) -> Res<Instr> {
        if raw.operands.len() != 3 {
            return self.fail_at(raw.at, format!("expected 3 operands, found {}", raw.operands.len()));
        }
        let (lists, padding_low, padding_high) = self.window_lists(&raw)?;
        let [window_dimensions, window_strides, ..] = lists;
        let compared = self.value_type(raw.operands[0].0).clone();
        if raw.regions[0].selector().is_some_and(|_| raw.regions[0].takes(&compared)) {
            // Wider values compare in the same way.
            self.promote(&mut raw.operands, 0..3, &raw.regions[1], "C10")?;
        }
        let (second, first) = (raw.regions.pop(), raw.regions.pop());
        let (Some(first), Some(second)) = (first, second) else {
            return self.fail_at(raw.at, "expected 2 regions");
        };
        let own = self.value_type(raw.operands[0].0).clone();
        let mut captured = false;
        let select = match first.selector().filter(|_| first.takes(&compared)) {
            Some(select) => select,
            None => {
                captured = true;
                Selector::Func(self.add_region(&raw.captures, first)?)
            }
        };
        let scatter = match second.reducer().filter(|_| second.takes(&own)) {
            Some(reducer) => reducer,
            None => {
                captured = true;
                Reducer::Func(self.add_region(&raw.captures, second)?)
            }
        };
        let operands = if captured {
            self.with_captures(&raw.operands, &raw.captures).into()
        } else {
            raw.operands.iter().map(|u| u.0).collect()
        };
        let op = SelectAndScatter {
            window_dimensions,
            window_strides,
            padding_low,
            padding_high,
            select,
            scatter,
        };
        Ok(Instr { operands, ..Instr::new(op, &raw.operands, raw.results) })
    }

    pub(in crate::text) fn map(&mut self, mut raw: Raw<'s>) -> Res<Instr> {
        let Some(dimensions) = self.dims_of(&raw.attrs, "dimensions")? else {
            return self.fail_at(raw.at, "`stablehlo.map` needs the attribute `dimensions`");
        };
        let operands = self.with_captures(&raw.operands, &raw.captures).into();
        let region = raw.regions.remove(0);
        let computation = self.add_region(&raw.captures, region)?;
        let op = Map { dimensions, inputs: raw.operands.len(), computation };
        Ok(Instr { operands, ..Instr::new(op, &raw.operands, raw.results) })
    }

    /// `epsilon` and `feature_index`.
    pub(in crate::text) fn batch_norm(&self, raw: &Raw<'s>) -> Res<(Literal, usize)> {
        let value = match raw.attrs.get("epsilon") {
            Some((&Attr::Float(v), _)) => v as f32,
            Some((&Attr::Int(bits), _)) => f32::from_bits(bits as u32), // hexadecimal
            Some((_, at)) => return self.fail_at(at, "`epsilon` must be a number"),
            None => return self.fail_at(raw.at, format!("`{}` needs the attribute `epsilon`", raw.name)),
        };
        let Some(feature) = self.size_of(&raw.attrs, "feature_index")? else {
            return self.fail_at(raw.at, format!("`{}` needs the attribute `feature_index`", raw.name));
        };
        Ok((Literal::splat_bytes(TensorType::scalar(DType::F32), &value.to_le_bytes()), feature))
    }
}

impl Attr<'_> {
    /// A list of pairs of integers: `dense<[[0, 1]]> : tensor<1x2xi64>` or `[[0, 1]]`.
    fn pairs(&self) -> Option<Vec<[i64; 2]>> {
        match self {
            Attr::Array(items) => items
                .iter()
                .map(|item| match item.ints()?[..] {
                    [a, b] => Some([a, b]),
                    _ => None,
                })
                .collect(),
            Attr::Dense(literal) => {
                let ty = literal.ty();
                if ty.dtype != DType::I64 || ty.rank() != 2 || ty.shape[1] != 2 || ty.shape[0] > 64 {
                    return None;
                }
                let array = literal.to_array();
                Some(array.as_slice::<i64>().chunks_exact(2).map(|p| [p[0], p[1]]).collect())
            }
            _ => None,
        }
    }

    /// A list of flags: `[true, false]`, `array<i1: true, false>`, `dense<false> : tensor<2xi1>`.
    fn flags(&self) -> Option<SmallVec<[bool; 4]>> {
        match self {
            Attr::Array(items) => items
                .iter()
                .map(|item| match item {
                    Attr::Bool(b) => Some(*b),
                    Attr::Int(v) => Some(*v != 0),
                    _ => None,
                })
                .collect(),
            Attr::Ints(v) => Some(v.iter().map(|&v| v != 0).collect()),
            Attr::Dense(literal) if literal.ty().dtype == DType::I1 && literal.ty().rank() == 1 => {
                (literal.ty().shape[0] <= 64)
                    .then(|| literal.to_array().bytes().iter().map(|&b| b != 0).collect())
            }
            _ => None,
        }
    }
}

impl Printer<'_> {
    pub(in crate::text) fn convolution(&mut self, scope: &Scope<'_>, inst: &Inst, c: &Convolution) {
        self.out.push_str("stablehlo.convolution(");
        self.names(scope, &inst.operands);
        self.out.push_str(") dim_numbers = ");
        self.labels(
            ["b", "f"],
            c.input_batch_dimension,
            c.input_feature_dimension,
            &c.input_spatial_dimensions,
        );
        self.out.push('x');
        self.labels(
            ["i", "o"],
            c.kernel_input_feature_dimension,
            c.kernel_output_feature_dimension,
            &c.kernel_spatial_dimensions,
        );
        self.out.push_str("->");
        self.labels(
            ["b", "f"],
            c.output_batch_dimension,
            c.output_feature_dimension,
            &c.output_spatial_dimensions,
        );
        self.out.push_str(", window = {");
        if !c.window_strides.is_empty() {
            self.list("stride = ", &c.window_strides);
            let pairs = c.padding_low.iter().zip(&c.padding_high);
            let pairs: Vec<String> = pairs.map(|(a, b)| format!("[{a}, {b}]")).collect();
            self.list(", pad = ", &pairs);
            self.list(", lhs_dilate = ", &c.lhs_dilation);
            self.list(", rhs_dilate = ", &c.rhs_dilation);
            self.list(", reverse = ", &c.window_reversal);
        }
        let _ = write!(
            self.out,
            "}} {{batch_group_count = {} : i64, feature_group_count = {} : i64, precision_config = \
             [#stablehlo<precision {}>, #stablehlo<precision {}>]}}",
            c.batch_group_count,
            c.feature_group_count,
            c.lhs_precision.name(),
            c.rhs_precision.name()
        );
        self.signature(scope, &inst.operands, &inst.results);
    }

    fn labels(&mut self, names: [&str; 2], first: usize, second: usize, spatial: &[usize]) {
        let mut labels = vec![String::new(); spatial.len() + 2];
        for (k, &d) in spatial.iter().enumerate() {
            labels[d] = k.to_string();
        }
        labels[first] = names[0].into();
        labels[second] = names[1].into();
        self.list("", &labels);
    }

    /// `padding = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>`.
    fn padding(&mut self, low: &[i64], high: &[i64]) {
        let values: Vec<i64> = low.iter().zip(high).flat_map(|(&a, &b)| [a, b]).collect();
        // As many as there are of both: what is not verified is printed too.
        let literal = Literal::from_array(&crate::array::Array::new(&[values.len() / 2, 2], &values));
        self.out.push_str("padding = ");
        crate::text::write_literal::write(&mut self.out, &literal);
        let _ = write!(self.out, " : {}", literal.ty());
    }

    /// `, name = array<i64: ...>`.
    fn named_array(&mut self, name: &str, items: &[usize]) {
        let _ = write!(self.out, "{name} = ");
        self.int_array(items);
    }

    pub(in crate::text) fn reduce_window(&mut self, scope: &Scope<'_>, inst: &Inst, r: &ReduceWindow) {
        let n = r.inputs;
        let (operands, captures) = inst.taken_and_captured();
        self.generic(scope, "stablehlo.reduce_window", operands);
        self.out.push_str(" <{");
        self.named_array("base_dilations", &r.base_dilations);
        self.out.push_str(", ");
        self.padding(&r.padding_low, &r.padding_high);
        self.named_array(", window_dilations", &r.window_dilations);
        self.named_array(", window_dimensions", &r.window_dimensions);
        self.named_array(", window_strides", &r.window_strides);
        self.out.push_str("}> ({\n");
        let mut counters = scope.counters;
        let args: Vec<Name> = (0..2 * n).map(|_| counters.arg()).collect();
        let types = self.scalars(scope, &operands[..n.min(operands.len())]);
        self.block(scope, &args, types.iter().chain(&types));
        self.reducer(scope, r.reducer, captures, &args, counters, &types);
        self.out.push(')');
        self.signature(scope, operands, &inst.results);
    }

    fn scalars(&self, scope: &Scope<'_>, values: &[Value]) -> Vec<TensorType> {
        values.iter().map(|&v| TensorType::scalar(scope.func.tensor(v).dtype)).collect()
    }

    pub(in crate::text) fn select_and_scatter(
        &mut self,
        scope: &Scope<'_>,
        inst: &Inst,
        s: &SelectAndScatter,
    ) {
        let (operands, captures) = inst.taken_and_captured();
        self.generic(scope, "stablehlo.select_and_scatter", operands);
        self.out.push_str(" <{");
        self.padding(&s.padding_low, &s.padding_high);
        self.named_array(", window_dimensions", &s.window_dimensions);
        self.named_array(", window_strides", &s.window_strides);
        self.out.push_str("}> ({\n");
        let mut counters = scope.counters;
        let args = [counters.arg(), counters.arg()];
        let ty = TensorType::scalar(scope.func.tensor(operands[0]).dtype);
        let types = [ty.clone(), ty.clone()];
        self.block(scope, &args, types.iter());
        match s.select {
            Selector::Func(func) => self.region(scope, func, captures, &args, counters),
            Selector::Compare(direction) => {
                let name = { counters }.result();
                let (a, b) = (args[0], args[1]);
                let kind = CompareType::natural(ty.dtype).name();
                self.spaces(scope.indent + 2);
                let direction = direction.name();
                let _ = writeln!(
                    self.out,
                    "{name} = stablehlo.compare {direction}, {a}, {b}, {kind} : ({ty}, {ty}) -> tensor<i1>"
                );
                self.spaces(scope.indent + 2);
                let _ = writeln!(self.out, "stablehlo.return {name} : tensor<i1>");
                self.spaces(scope.indent);
                self.out.push('}');
            }
        }
        self.out.push_str(", {\n");
        self.block(scope, &args, types.iter());
        self.reducer(scope, s.scatter, captures, &args, counters, &types[..1]);
        self.out.push(')');
        self.signature(scope, operands, &inst.results);
    }

    pub(in crate::text) fn map(&mut self, scope: &Scope<'_>, inst: &Inst, m: &Map) {
        let (operands, captures) = inst.taken_and_captured();
        self.generic(scope, "stablehlo.map", operands);
        self.out.push_str(" <{");
        self.named_array("dimensions", &m.dimensions);
        self.out.push_str("}> ({\n");
        let mut counters = scope.counters;
        let args: Vec<Name> = operands.iter().map(|_| counters.arg()).collect();
        let types = self.scalars(scope, operands);
        self.block(scope, &args, types.iter());
        self.region(scope, m.computation, captures, &args, counters);
        self.out.push(')');
        self.signature(scope, operands, &inst.results);
    }

    pub(in crate::text) fn batch_norm(
        &mut self,
        scope: &Scope<'_>,
        inst: &Inst,
        epsilon: &Literal,
        feature: usize,
    ) {
        self.generic(scope, inst.op.name(), &inst.operands);
        self.out.push_str(" <{epsilon = ");
        let mut text = String::new();
        crate::text::write_literal::write(&mut text, epsilon);
        self.out.push_str(text.strip_prefix("dense<").and_then(|t| t.strip_suffix('>')).unwrap_or(&text));
        let _ = write!(self.out, " : f32, feature_index = {feature} : i64}}>");
        self.signature(scope, &inst.operands, &inst.results);
    }
}
