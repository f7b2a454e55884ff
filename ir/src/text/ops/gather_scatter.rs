//! `gather` and `scatter`, which print in generic form.

use super::Form;
use crate::func::Inst;
use crate::op::*;
use crate::text::generic::Raw;
use crate::text::names::{Name, Scope};
use crate::text::parser::{Instr, Parser, Res};
use crate::text::printer::Printer;
use crate::types::{Dims, TensorType};
use std::fmt::Write;

pub(super) const FORMS: &[Form] = &[
    Form::generic("stablehlo.gather", |p, raw| {
        let op = p.gather(&raw, None)?;
        Ok(raw.is(op))
    }),
    Form::generic("stablehlo.scatter", |p, raw| p.scatter(raw)).regions(1),
];

impl<'s> Parser<'s> {
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
}

impl Printer<'_> {
    pub(super) fn gather(&mut self, scope: &Scope<'_>, inst: &Inst, g: &Gather) {
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

    pub(super) fn scatter(&mut self, scope: &Scope<'_>, inst: &Inst, s: &Scatter) {
        let n = s.inputs;
        let (operands, captures) = inst.taken_and_captured();
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
}
