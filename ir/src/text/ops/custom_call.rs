//! `stablehlo.custom_call`: the operations that JAX spells so, and calls that are not ours.
//!
//! A call that is known by its target, attributes and types becomes an operation; the layouts and aliases that it came with
//! follow from the operation and are written again. Any other call is kept with the text of its attributes.

use super::Form;
use crate::array::Literal;
use crate::func::{Func, FuncId, Inst, Loc, Module, Value};
use crate::host::Host;
use crate::op::*;
use crate::ops::linalg::qr::{Side, apply};
use crate::rules::{Emit, Term};
use crate::text::attr::{Dict, Value as Attr};
use crate::text::lexer::write_symbol;
use crate::text::names::Scope;
use crate::text::parser::{Instr, Parser, Res, Uses};
use crate::text::printer::Printer;
use crate::types::{DType, TensorType, Type};
use smallvec::SmallVec;
use std::fmt::Write;

pub(in crate::text) const FORMS: &[Form] = &[Form::new(
    "stablehlo.custom_call",
    |p, _| p.custom_call_pretty(),
    |p, raw| {
        let Some((Attr::Str(target), _)) = raw.attrs.get("call_target_name") else {
            return p.missing(&raw, "call_target_name");
        };
        p.custom_call(target, &raw.attrs, &raw.operands, raw.results)
    },
)];

impl<'s> Parser<'s> {
    /// `@target(%a, %b) {attributes} : (T, U) -> V`.
    pub(in crate::text) fn custom_call_pretty(&mut self) -> Res<Instr> {
        let target = self.symbol()?;
        self.punct(b'(')?;
        let operands = self.operands()?;
        self.punct(b')')?;
        let attrs = self.optional_dict()?;
        let results = self.typed(&operands)?;
        self.custom_call(&target, &attrs, &operands, results)
    }

    /// The operation that a custom call spells.
    pub(in crate::text) fn custom_call(
        &mut self,
        target: &str,
        attrs: &Dict<'s>,
        operands: &Uses,
        results: Vec<Type>,
    ) -> Res<Instr> {
        if let Some(check) = self.check_call(target, operands, &results)? {
            return Ok(check);
        }
        let types: Vec<Type> = operands.iter().map(|u| self.value_type(u.0).clone()).collect();
        self.check_layouts(attrs, &types, &results)?;
        self.check_aliases(attrs, &types, &results)?;
        self.check_config(attrs)?;
        let has_side_effect = match attrs.get("has_side_effect") {
            None => false,
            Some((&Attr::Bool(v), _)) => v,
            Some((_, at)) => return self.fail_at(at, "`has_side_effect` must be true or false"),
        };
        if super::sharding::is_placement(target) {
            if types != results {
                let message =
                    format!("`@{target}` gives parts of its operands: several devices are not supported");
                return self.fail_at(operands.first().map_or_else(|| self.start(), |u| u.1), message);
            }
            return Ok(Instr::given(operands.iter().map(|u| u.0).collect()));
        }
        // What does more than the operation of that name is not that operation.
        if !has_side_effect && let Some(product) = self.reflected(target, attrs, operands, &results) {
            return Ok(Instr::given(SmallVec::from_slice(&[product])));
        }
        if let Some(op) = known(target, attrs).filter(|_| !has_side_effect) {
            // Where it gives no singular vectors, LAPACK takes memory of any shape for them, and JAX at times that of the thin ones.
            let thin = if let Op::Svd(Svd { mode: SvdMode::Values, driver }) = &op {
                Some(Svd { mode: SvdMode::Thin, driver: *driver }.into())
            } else {
                None
            };
            let fits = |op: &Op| op.infer(&self.module, &types).is_ok_and(|t| t[..] == results[..]);
            if let Some(op) = [Some(op), thin].into_iter().flatten().find(fits) {
                return Ok(Instr::new(op, operands, results));
            }
        }
        if has_side_effect
            && let Some(op) = super::effects::effect(target, attrs, operands.len())
            && op_fits(&op, &self.module, &types, &results)
        {
            return Ok(Instr::new(op, operands, results));
        }
        let mut called_computations = Vec::new();
        if let Some((Attr::Array(items), place)) = attrs.get("called_computations") {
            for item in items {
                let Attr::Symbol(name) = item else {
                    return self.fail_at(place, "`called_computations` must list functions");
                };
                called_computations.push(self.symbol_id(name, place));
            }
        }
        let config = attrs.get("mhlo.backend_config").map(|v| v.0);
        if let ("ApproxTopK", Some(Attr::Dict(config)), [comparator]) =
            (target, config, &called_computations[..])
            && let (Some(k), Some(dim)) = (config.int("top_k"), config.int("reduction_dim"))
        {
            let name = &self.module.funcs[*comparator].name;
            let (gt, lt) = (name.contains("_gt_"), name.contains("_lt_"));
            let op = ApproxTopK {
                k: k.max(0) as usize,
                dim: dim.max(0) as usize,
                largest: gt,
                config: attrs.source(self.src(), "mhlo.backend_config").into(),
                comparator: *comparator,
            };
            if gt != lt && !has_side_effect && op_fits(&op.clone().into(), &self.module, &types, &results) {
                return Ok(Instr { deferred: true, ..Instr::new(op, operands, results) });
            }
        }
        let op = CustomCall {
            target: target.into(),
            attributes: attrs
                .source_without(self.src(), &["call_target_name", "called_computations", "has_side_effect"])
                .into(),
            has_side_effect,
            results: results.clone(),
            called_computations,
            host: Host::default(),
        };
        Ok(Instr { deferred: true, ..Instr::new(op, operands, results) })
    }
}

impl<'s> Parser<'s> {
    /// LAPACK's `ormqr` and `unmqr`, of which JAX gives the reflectors, as the products that they are.
    fn reflected(
        &mut self,
        target: &str,
        attrs: &Dict<'_>,
        operands: &Uses,
        results: &[Type],
    ) -> Option<Value> {
        let routine = target.strip_prefix("lapack_")?.strip_suffix("_ffi")?.get(1..)?;
        let ("ormqr" | "unmqr", &[(packed, _), (taus, _), (c, _)]) = (routine, &operands[..]) else {
            return None;
        };
        let Some((Attr::Dict(config), _)) = attrs.get("mhlo.backend_config") else { return None };
        let flag = |name: &str| match config.get(name)?.0 {
            Attr::Bool(v) => Some(*v),
            _ => None,
        };
        let side = Side { left: flag("left")?, adjoint: flag("transpose")? };
        let is_static = |v| self.value_type(v).as_tensor().is_some_and(TensorType::is_static);
        if ![packed, taus, c].into_iter().all(is_static) || *results != [self.value_type(c).clone()] {
            return None;
        }
        let func = &mut self.frames.last_mut()?.func;
        let mut emitter = Emitter { module: &mut self.module, func };
        match apply(&mut emitter, [packed, taus, c].map(Term::Known), side)? {
            Term::Known(v) | Term::Linear(v) => Some(v),
        }
    }

    /// Operands and results have a layout each, or none has: an order of the dimensions of a tensor. The parts of tuples
    /// count one by one.
    fn check_layouts(&self, attrs: &Dict<'s>, operands: &[Type], results: &[Type]) -> Res<()> {
        let (of, to) = (attrs.get("operand_layouts"), attrs.get("result_layouts"));
        if let (Some((_, at)), None) | (None, Some((_, at))) = (of, to) {
            return self.fail_at(at, "stablehlo.custom_call: layouts of operands and results come together");
        }
        for (layouts, types, what) in [(of, operands, "operands"), (to, results, "results")] {
            let Some((layouts, at)) = layouts else { continue };
            let Attr::Array(layouts) = layouts else { continue };
            if layouts.len() != types.len() {
                let message =
                    format!("stablehlo.custom_call: {} layouts of {} {what}", layouts.len(), types.len());
                return self.fail_at(at, message);
            }
            for (layout, ty) in layouts.iter().zip(types) {
                let Some(mut order) = layout.ints() else { continue };
                let rank = ty.as_tensor().map_or(0, TensorType::rank) as i64;
                let said = format!("{order:?}");
                order.sort_unstable();
                if !order.into_iter().eq(0..rank) && !matches!(ty, Type::Foreign(_)) {
                    let message = format!(
                        "stablehlo.custom_call: the layout {said} of {ty} is no order of {rank} dimensions"
                    );
                    return self.fail_at(at, message);
                }
            }
        }
        Ok(())
    }

    /// A result that shares the memory of an operand has its type.
    fn check_aliases(&self, attrs: &Dict<'s>, operands: &[Type], results: &[Type]) -> Res<()> {
        let Some((Attr::Array(aliases), at)) = attrs.get("output_operand_aliases") else { return Ok(()) };
        for alias in aliases {
            let Attr::Struct(_, fields) = alias else { continue };
            let part = |name: &str| fields.get(name).and_then(|(v, _)| v.ints()).unwrap_or_default();
            // Of tuples the numbers count what we do not see.
            if self.tuple_operand.is_some() || !part("operand_tuple_indices").is_empty() {
                continue;
            }
            let operand = fields.int("operand_index").and_then(|k| operands.get(usize::try_from(k).ok()?));
            let Some(operand) = operand else {
                let message =
                    format!("stablehlo.custom_call: an alias of one of {} operands", operands.len());
                return self.fail_at(at, message);
            };
            let result = match part("output_tuple_indices")[..] {
                [] if results.len() == 1 => results.first(),
                [k] => usize::try_from(k).ok().and_then(|k| results.get(k)),
                _ => None,
            };
            let Some(result) = result else {
                let message = format!("stablehlo.custom_call: an alias of one of {} results", results.len());
                return self.fail_at(at, message);
            };
            if operand != result {
                let message = format!("stablehlo.custom_call: {operand} cannot lie where {result} does");
                return self.fail_at(at, message);
            }
        }
        Ok(())
    }

    /// The version of the interface says how its configuration is written.
    fn check_config(&self, attrs: &Dict<'s>) -> Res<()> {
        match (attrs.int("api_version"), attrs.get("backend_config")) {
            (Some(4), Some((Attr::Str(text), at))) if !text.is_empty() => self.fail_at(
                at,
                "stablehlo.custom_call: `backend_config` must be a dictionary where `api_version` is 4",
            ),
            (Some(version @ 1..=3), Some((Attr::Dict(_), at))) => self.fail_at(
                at,
                format!("stablehlo.custom_call: `backend_config` must be a string where `api_version` is {version}"),
            ),
            _ => Ok(()),
        }
    }
}

/// Appends to a function what mathematics are written with.
struct Emitter<'a> {
    module: &'a mut Module,
    func: &'a mut Func,
}

impl Emitter<'_> {
    fn value(term: Term) -> Value {
        match term {
            Term::Known(v) | Term::Linear(v) => v,
        }
    }
}

impl Emit for Emitter<'_> {
    fn emit(&mut self, op: Op, operands: &[Term]) -> SmallVec<[Term; 2]> {
        let operands: Vec<Value> = operands.iter().map(|&t| Self::value(t)).collect();
        let results = self.func.push(self.module, op, &operands, Loc::Unknown);
        results
            .unwrap_or_else(|e| panic!("types were checked before: {e}"))
            .into_iter()
            .map(Term::Known)
            .collect()
    }
    fn ty(&self, term: Term) -> TensorType {
        self.func.tensor(Self::value(term)).clone()
    }
    fn module(&mut self) -> &mut Module {
        self.module
    }
    fn constant(&self, term: Term) -> Option<Literal> {
        self.func.scalar_constant(Self::value(term))
    }
}

fn op_fits(op: &Op, module: &crate::func::Module, operands: &[Type], results: &[Type]) -> bool {
    op.infer(module, operands).is_ok_and(|t| t[..] == *results)
}

/// The operation of a known target, if its attributes say something that we know.
fn known(target: &str, attrs: &Dict<'_>) -> Option<Op> {
    let generic = CallForm::Generic;
    match target {
        "LuDecomposition" => return Some(Lu { form: generic }.into()),
        "Qr" => return Some(Qr { form: generic }.into()),
        "ProductOfElementaryHouseholderReflectors" => {
            return Some(HouseholderProduct { form: generic }.into());
        }
        "Eigh" => {
            let (Attr::Str(config), _) = attrs.get("backend_config")? else { return None };
            let mut words = config.split(',');
            let mut flag = || match words.next()? {
                "0" => Some(false),
                "1" => Some(true),
                _ => None,
            };
            let (lower, sort) = (flag()?, flag()?);
            return Some(Eigh { lower, vectors: true, form: generic, sort }.into());
        }
        // What portable artifacts have in the place of operations of CHLO; so has JAX 0.8.
        "mhlo.topk" => {
            let (Attr::Dict(given), _) = attrs.get("mhlo.attributes")? else { return None };
            let largest = given.get("largest").is_none_or(|v| matches!(v.0, Attr::Bool(true)));
            return largest
                .then(|| Some(TopK { k: usize::try_from(given.int("k")?).ok()? }.into()))
                .flatten();
        }
        _ => {}
    }
    if let Some(name) = target.strip_prefix("mhlo.") {
        return UnaryOp::parse(&format!("chlo.{name}")).map(Op::from);
    }
    if target == PERTURBED {
        return Some(TridiagonalSolve { perturbed: true }.into());
    }
    let routine = target.strip_prefix("lapack_")?.strip_suffix("_ffi")?;
    if !routine.starts_with(['s', 'd', 'c', 'z']) {
        return None;
    }
    let empty = Dict::default();
    let config = match attrs.get("mhlo.backend_config").or_else(|| attrs.get("backend_config")) {
        Some((Attr::Dict(config), _)) => config,
        _ => &empty,
    };
    let letter = |name: &str| Some(u8::try_from(config.int(name)?).ok()? as char);
    let flag = |name: &str, yes: char, no: char| match letter(name)? {
        c if c == yes => Some(true),
        c if c == no => Some(false),
        _ => None,
    };
    let form = CallForm::Lapack;
    Some(match &routine[1..] {
        "potrf" => Potrf { lower: flag("uplo", 'L', 'U')? }.into(),
        "trsm" => TriangularSolve {
            left_side: flag("side", 'L', 'R')?,
            lower: flag("uplo", 'L', 'U')?,
            unit_diagonal: flag("diag", 'U', 'N')?,
            transpose_a: match letter("trans_x")? {
                'N' => TransposeA::No,
                'T' => TransposeA::Transpose,
                'C' => TransposeA::Adjoint,
                _ => return None,
            },
        }
        .into(),
        "getrf" => Lu { form }.into(),
        "geqrf" => Qr { form }.into(),
        "geqp3" => PivotedQr {}.into(),
        "orgqr" | "ungqr" => HouseholderProduct { form }.into(),
        "syevd" | "heevd" => {
            Eigh { lower: flag("uplo", 'L', 'U')?, vectors: flag("mode", 'V', 'N')?, form, sort: true }.into()
        }
        name @ ("gesdd" | "gesvd") => Svd {
            mode: SvdMode::parse(letter("mode")?.encode_utf8(&mut [0; 4]))?,
            driver: SvdDriver::parse(name)?,
        }
        .into(),
        "geev" => {
            Eig { left: flag("compute_left", 'V', 'N')?, right: flag("compute_right", 'V', 'N')? }.into()
        }
        "gees" if letter("sort")? == 'N' => Schur { vectors: flag("mode", 'V', 'N')? }.into(),
        "gehrd" => Hessenberg {
            low: usize::try_from(config.int("low")?).ok()?,
            high: usize::try_from(config.int("high")?).ok()?,
        }
        .into(),
        "sytrd" | "hetrd" => Tridiagonalize { lower: flag("uplo", 'L', 'U')? }.into(),
        "gtsv" => TridiagonalSolve { perturbed: false }.into(),
        _ => return None,
    })
}

/// The tridiagonal solve with perturbed pivots, which is no routine of LAPACK.
const PERTURBED: &str = "tridiagonal_solve_perturbed_ffi";

/// What a LAPACK call is written with.
struct Call {
    routine: &'static str,
    config: String,
    /// Operand and the result that takes its place; `None` is the only result.
    aliases: Vec<(usize, Option<usize>)>,
}

fn letter(name: &str, c: char) -> String {
    format!("{name} = {} : ui8", c as u32)
}

fn uplo(lower: bool) -> String {
    letter("uplo", if lower { 'L' } else { 'U' })
}

fn vectors(name: &str, wanted: bool) -> String {
    letter(name, if wanted { 'V' } else { 'N' })
}

/// The LAPACK call of an operation, or `None` if it is written otherwise.
fn lapack(op: &Op, complex: bool) -> Option<Call> {
    let call = |routine, config: &[String], aliases: &[(usize, Option<usize>)]| {
        Some(Call { routine, config: config.join(", "), aliases: aliases.to_vec() })
    };
    let first = [(0, Some(0))];
    let choose = |real: &'static str, other: &'static str| if complex { other } else { real };
    match op {
        Op::Potrf(p) => call("potrf", &[uplo(p.lower)], &first),
        Op::Lu(Lu { form: CallForm::Lapack }) => call("getrf", &[], &first),
        Op::Qr(Qr { form: CallForm::Lapack }) => call("geqrf", &[], &first),
        Op::PivotedQr(_) => call("geqp3", &[], &[(0, Some(0)), (1, Some(1))]),
        Op::HouseholderProduct(HouseholderProduct { form: CallForm::Lapack }) => {
            call(choose("orgqr", "ungqr"), &[], &[(0, None)])
        }
        Op::Eigh(h) if h.form == CallForm::Lapack => {
            call(choose("syevd", "heevd"), &[vectors("mode", h.vectors), uplo(h.lower)], &first)
        }
        Op::Svd(s) => {
            let mode = s.mode.name().chars().next().unwrap_or('N');
            call(s.driver.name(), &[letter("mode", mode)], &first)
        }
        Op::Eig(g) => {
            call("geev", &[vectors("compute_left", g.left), vectors("compute_right", g.right)], &[])
        }
        Op::Schur(s) => call("gees", &[vectors("mode", s.vectors), letter("sort", 'N')], &first),
        Op::Hessenberg(h) => {
            call("gehrd", &[format!("high = {} : i32", h.high), format!("low = {} : i32", h.low)], &first)
        }
        Op::Tridiagonalize(t) => call(choose("sytrd", "hetrd"), &[uplo(t.lower)], &first),
        Op::TridiagonalSolve(TridiagonalSolve { perturbed: true }) => call(PERTURBED, &[], &[]),
        Op::TridiagonalSolve(_) => {
            call("gtsv", &[], &[(0, Some(0)), (1, Some(1)), (2, Some(2)), (3, Some(3))])
        }
        _ => None,
    }
}

/// The layout that LAPACK wants: matrices by columns, batches outermost.
fn layout(ty: &TensorType, batch: usize) -> String {
    let rank = ty.rank();
    let mut order: Vec<usize> = (0..rank).rev().collect();
    if rank == batch + 2 {
        order.swap(0, 1);
    }
    let inside = match &order[..] {
        [] => String::new(),
        [one] => one.to_string(),
        all => format!("[{}]", all.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    };
    format!("dense<{inside}> : tensor<{rank}xindex>")
}

impl Printer<'_> {
    pub(in crate::text) fn custom_call(&mut self, scope: &Scope<'_>, inst: &Inst) {
        let (target, attributes) = spelled_call(scope.func, inst, &|f| self.symbols[f].clone());
        self.out.push_str("stablehlo.custom_call ");
        write_symbol(&mut self.out, &target);
        self.out.push('(');
        self.names(scope, &inst.operands);
        self.out.push(')');
        if !attributes.is_empty() {
            let _ = write!(self.out, " {{{attributes}}}");
        }
        self.signature(scope, &inst.operands, &inst.results);
    }
}

/// The target of the custom call that an operation is, and the text of its attributes.
pub(crate) fn spelled_call(func: &Func, inst: &Inst, symbol: &dyn Fn(FuncId) -> String) -> (String, String) {
    let tensor = |v: &crate::func::Value| func.ty(*v).as_tensor();
    let first = inst.operands.first().and_then(tensor);
    let dtype = first.map_or(DType::F64, |t| t.dtype);
    match &inst.op {
        Op::CustomCall(call) => {
            let mut attributes = Vec::new();
            if !call.attributes.is_empty() {
                attributes.push(call.attributes.to_string());
            }
            if !call.called_computations.is_empty() {
                let mut list = String::from("called_computations = [");
                for (k, &f) in call.called_computations.iter().enumerate() {
                    if k > 0 {
                        list.push_str(", ");
                    }
                    write_symbol(&mut list, &symbol(f));
                }
                list.push(']');
                attributes.push(list);
            }
            if call.has_side_effect {
                attributes.push("has_side_effect = true".to_owned());
            }
            (call.target.to_string(), attributes.join(", "))
        }
        Op::ApproxTopK(top) => {
            let mut list = String::from("backend_config = \"\", called_computations = [");
            write_symbol(&mut list, &symbol(top.comparator));
            let _ = write!(list, "], {}", top.config);
            ("ApproxTopK".to_owned(), list)
        }
        Op::Lu(Lu { form: CallForm::Generic }) => {
            ("LuDecomposition".to_owned(), "api_version = 2 : i32, backend_config = \"\"".to_owned())
        }
        Op::Qr(Qr { form: CallForm::Generic }) => ("Qr".to_owned(), "backend_config = \"\"".to_owned()),
        Op::HouseholderProduct(HouseholderProduct { form: CallForm::Generic }) => {
            ("ProductOfElementaryHouseholderReflectors".to_owned(), "backend_config = \"\"".to_owned())
        }
        Op::Eigh(h) if h.form == CallForm::Generic => {
            let (lower, sort) = (h.lower as u8, h.sort as u8);
            ("Eigh".to_owned(), format!("backend_config = \"{lower},{sort},100,1e-6\""))
        }
        op => {
            let Some(call) = lapack(op, dtype.is_complex()) else { unreachable!("a custom call") };
            let letter = match dtype {
                DType::F32 => 's',
                DType::C64 => 'c',
                DType::C128 => 'z',
                _ => 'd',
            };
            // Of the diagonals of `gtsv` the batch is what comes before the last dimension.
            let core = if matches!(op, Op::TridiagonalSolve(_)) { 1 } else { 2 };
            let batch = first.map_or(0, |t| t.rank().saturating_sub(core));
            let layouts = |values: &[crate::func::Value]| {
                let all: Vec<String> = values.iter().filter_map(tensor).map(|t| layout(t, batch)).collect();
                all.join(", ")
            };
            let mut text = format!(
                "backend_config = \"\", mhlo.backend_config = {{{}}}, mhlo.frontend_attributes = \
                 {{num_batch_dims = \"{batch}\"}}, operand_layouts = [{}]",
                call.config,
                layouts(&inst.operands)
            );
            if !call.aliases.is_empty() {
                let one = |&(from, to): &(usize, Option<usize>)| {
                    let to = to.map_or(String::new(), |to| to.to_string());
                    format!(
                        "#stablehlo.output_operand_alias<output_tuple_indices = [{to}], operand_index = {from}, \
                         operand_tuple_indices = []>"
                    )
                };
                let all: Vec<String> = call.aliases.iter().map(one).collect();
                let _ = write!(text, ", output_operand_aliases = [{}]", all.join(", "));
            }
            let _ = write!(text, ", result_layouts = [{}]", layouts(&inst.results));
            let target = match call.routine {
                PERTURBED => PERTURBED.to_owned(),
                routine => format!("lapack_{letter}{routine}_ffi"),
            };
            (target, text)
        }
    }
}
