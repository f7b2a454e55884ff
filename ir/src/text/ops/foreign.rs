//! Operations that are kept as they are written: [`crate::op::Foreign`].

use crate::func::Inst;
use crate::op::Foreign;
use crate::text::generic::Raw;
use crate::text::names::{Name, Scope};
use crate::text::parser::{Instr, Parser, Res};
use crate::text::printer::Printer;

/// The operations that may stay as they are written.
const NAMES: &[&str] = &[
    "after_all",
    "all_gather",
    "all_reduce",
    "all_to_all",
    "async_done",
    "async_start",
    "collective_broadcast",
    "collective_permute",
    "collective_reduce",
    "create_token",
    "cross-replica-sum",
    "dynamic_broadcast_in_dim",
    "dynamic_conv",
    "dynamic_gather",
    "dynamic_iota",
    "dynamic_pad",
    "dynamic_reshape",
    "get_dimension_size",
    "infeed",
    "outfeed",
    "partition_id",
    "real_dynamic_slice",
    "recv",
    "reduce_scatter",
    "replica_id",
    "send",
    "set_dimension_size",
    "uniform_dequantize",
    "uniform_quantize",
];

/// Whether an operation may stay as it is written.
pub(in crate::text) fn is_foreign(name: &str) -> bool {
    name == "chlo.ragged_dot" || name.strip_prefix("stablehlo.").is_some_and(|n| NAMES.contains(&n))
}

impl<'s> Parser<'s> {
    /// The operation as it is written.
    pub(in crate::text) fn foreign(&mut self, raw: Raw<'s>) -> Res<Instr> {
        let operands = self.with_captures(&raw.operands, &raw.captures);
        let mut regions = Vec::new();
        for region in raw.regions {
            regions.push(self.add_region(&raw.captures, region)?);
        }
        let op = Foreign {
            name: raw.name.into(),
            attributes: raw.text.into(),
            regions,
            captures: raw.captures.values.len(),
            results: raw.results.clone(),
        };
        Ok(Instr { operands: operands.into(), ..Instr::new(op, &raw.operands, raw.results) })
    }
}

impl Printer<'_> {
    pub(in crate::text) fn foreign(&mut self, scope: &Scope<'_>, inst: &Inst, foreign: &Foreign) {
        let (operands, captures) = inst.taken_and_captured();
        self.generic(scope, &foreign.name, operands);
        if !foreign.attributes.is_empty() {
            self.out.push_str(" <{");
            self.out.push_str(&foreign.attributes);
            self.out.push_str("}>");
        }
        if !foreign.regions.is_empty() {
            self.out.push_str(" (");
            for (k, &region) in foreign.regions.iter().enumerate() {
                self.comma(k);
                self.out.push_str("{\n");
                let func = self.module.get(region);
                let mut counters = scope.counters;
                let params = func.params.get(captures.len()..).unwrap_or(&[]);
                let args: Vec<Name> = params.iter().map(|_| counters.arg()).collect();
                if !args.is_empty() {
                    self.spaces(scope.indent);
                    self.out.push_str("^bb0(");
                    for (k, (name, &p)) in args.iter().zip(params).enumerate() {
                        self.comma(k);
                        self.out.push_str(&format!("{name}: {}", func.ty(p)));
                    }
                    self.out.push_str("):\n");
                }
                let is_sharding = foreign.name.starts_with("sdy.");
                let end = if is_sharding { "sdy.return" } else { "stablehlo.return" };
                self.region_of(scope, region, captures, &args, counters, end);
            }
            self.out.push(')');
        }
        self.signature(scope, operands, &inst.results);
    }
}
