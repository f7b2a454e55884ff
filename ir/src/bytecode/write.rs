//! Writes modules as portable artifacts.

use super::attributes::{default_value, is_default_value};
use super::error::Error;
use super::operation::{Body, Spelled, spelled};
use super::schema::{self, Schema};
use super::tables::{Out, Res, Tables, minor_of};
use crate::entity::EntityVec;
use crate::func::{Func, FuncId, FuncKind, Inst, Loc, Module, Value};
use crate::op::{CompareType, Op, Reducer};
use crate::text::typed::Typed;
use crate::text::{FLOAT_MODE, as_upstream, mode_name};
use crate::types::{FloatMode, TensorType, Type};
use std::borrow::Cow;

/// Writes a module as a portable artifact of a version of StableHLO, from `1.0.0` on; without one at that which JAX sends.
///
/// What only the tensor IR has is written as text has it: a composite operation with a decomposition in StableHLO. [`super::read`]
/// gives the module back, upstream tools run the decomposition.
///
/// # Errors
///
/// Operations and types that StableHLO does not have at that version; the error names them.
pub fn write(module: &Module, version: Option<&str>) -> Result<Vec<u8>, Error> {
    let minor = version.map_or(Ok(schema::DEFAULT), minor_of)?;
    let module = if module.funcs.values().any(|f| f.insts.values().any(|i| is_ours(&i.op))) {
        Cow::Owned(
            as_upstream(module)
                .map_err(|e| Error { operation: Some(e.marked()), ..Error::new(e.message) })?,
        )
    } else {
        Cow::Borrowed(module)
    };
    let mut writer = Writer { module: &module, tables: Tables::new(minor) };
    let operations = writer.module()?;
    Ok(writer.tables.file(&operations))
}

/// Whether text shows the operation as a composite of ours.
fn is_ours(op: &Op) -> bool {
    match op {
        Op::While(w) => w.counted || w.stacks > 0,
        Op::Zero(z) => !z.ty.is_static(),
        Op::Call(_) | Op::Composite(_) => false,
        op => op.name().starts_with("wengert."),
    }
}

struct Writer<'m> {
    module: &'m Module,
    tables: Tables,
}

/// The values of a region by number.
struct Scope<'f> {
    func: &'f Func,
    numbers: EntityVec<Value, usize>,
}

/// What the mask of an operation says it has.
mod mask {
    pub(super) const ATTRIBUTES: u8 = 1;
    pub(super) const RESULTS: u8 = 2;
    pub(super) const OPERANDS: u8 = 4;
    pub(super) const REGIONS: u8 = 16;
    pub(super) const PROPERTIES: u8 = 64;
}

/// The parts of an operation.
#[derive(Default)]
struct Parts {
    dictionary: Option<usize>,
    properties: Option<usize>,
    results: Vec<usize>,
    operands: Vec<usize>,
}

impl Writer<'_> {
    /// The module as the one operation of a file.
    fn module(&mut self) -> Result<Vec<u8>, Error> {
        let mut functions = Out::default();
        let mut count = 0;
        for func in self.module.funcs.values().filter(|f| f.kind != FuncKind::Region) {
            self.function(&mut functions, func)?;
            count += 1;
        }
        // One block without parameters or values of its own.
        let mut region = Out::default();
        region.index(1);
        region.index(0);
        region.flagged(count, false);
        region.0.extend(functions.0);

        let mut out = Out::default();
        out.flagged(1, false);
        let name = match &self.module.name[..] {
            "" => 0,
            name => self.tables.builtin_text(name) << 1 | 1,
        };
        let mut properties = Out::default();
        properties.index(name);
        properties.index(0);
        let properties = Some(self.tables.properties(properties.0));
        let dictionary = (self.module.mode != FloatMode::Default).then(|| {
            let mode = self.tables.builtin_text(mode_name(self.module.mode));
            self.tables.dictionary(&[(FLOAT_MODE.to_owned(), mode)])
        });
        let parts = Parts { dictionary, properties, ..Parts::default() };
        let loc = self.tables.unknown_location();
        self.head(&mut out, ("builtin", "module"), loc, &parts, true);
        isolated(&mut out, &region);
        Ok(out.0)
    }

    fn function(&mut self, out: &mut Out, func: &Func) -> Result<(), Error> {
        let failed =
            |message: String| Error::new(format!("the function @{} cannot be written: {message}", func.name));
        let mut types = |values: &[Value]| -> Res<Vec<usize>> {
            values.iter().map(|&v| self.tables.ty(func.ty(v))).collect()
        };
        let params = types(&func.params).map_err(failed)?;
        let results = types(&func.results).map_err(failed)?;
        let ty = self.tables.function(&params, &results);
        let empty = self.tables.attribute(&Typed::Array(Vec::new())).map_err(failed)?;
        let visibility = if func.kind == FuncKind::Public { "public" } else { "private" };
        let mut properties = Out::default();
        let ty = self.tables.type_attribute(ty);
        let name = self.tables.text(&func.name);
        let visibility = self.tables.text(visibility);
        [empty, ty, empty, name, visibility].iter().for_each(|&k| properties.index(k));
        let parts = Parts { properties: Some(self.tables.properties(properties.0)), ..Parts::default() };
        let loc = self.tables.unknown_location();
        self.head(out, ("vhlo", "func_v1"), loc, &parts, true);

        let mut numbers = EntityVec::filled(usize::MAX, func.values.len());
        func.params.iter().enumerate().for_each(|(k, &p)| numbers[p] = k);
        let mut scope = Scope { func, numbers };
        let names: Vec<Option<&str>> = (0..params.len())
            .map(|k| func.param_names.get(k).map(String::as_str).filter(|n| !n.is_empty()))
            .collect();
        let mut region = Out::default();
        region.index(1);
        self.block(&mut region, &mut scope, 0, &params, &names)?;
        isolated(out, &region);
        Ok(())
    }

    /// The number of values of a region, and its block. The parameters have their numbers.
    fn block(
        &mut self,
        out: &mut Out,
        scope: &mut Scope<'_>,
        first: usize,
        params: &[usize],
        names: &[Option<&str>],
    ) -> Result<(), Error> {
        let func = scope.func;
        let results: usize = func.insts.values().map(|i| i.results.len()).sum();
        let own = params.len() + results;
        out.index(own);
        out.flagged(func.insts.len() + 1, !params.is_empty());
        self.params(out, params, names);
        let mut next = first + params.len();
        for inst in func.insts.values() {
            for &r in &inst.results {
                scope.numbers[r] = next;
                next += 1;
            }
            self.instruction(out, scope, inst, first + own).map_err(|message| explained(inst, &message))?;
        }
        let operands = func.results.iter().map(|&v| scope.numbers[v]).collect();
        self.end(out, operands);
        Ok(())
    }

    fn params(&mut self, out: &mut Out, params: &[usize], names: &[Option<&str>]) {
        if params.is_empty() {
            return;
        }
        out.index(params.len());
        for (k, &ty) in params.iter().enumerate() {
            let name = names.get(k).copied().flatten();
            out.flagged(ty, name.is_some());
            if let Some(name) = name {
                let loc = self.tables.named_location(name, None);
                out.index(loc);
            }
        }
        out.0.push(0); // no order of uses
    }

    /// The return of a block.
    fn end(&mut self, out: &mut Out, operands: Vec<usize>) {
        let loc = self.tables.unknown_location();
        self.head(out, ("vhlo", "return_v1"), loc, &Parts { operands, ..Parts::default() }, false);
    }

    /// An instruction; `free` is the first number that values of its regions may have.
    fn instruction(&mut self, out: &mut Out, scope: &Scope<'_>, inst: &Inst, free: usize) -> Res<()> {
        let symbol = |f: FuncId| self.module.funcs[f].name.clone();
        let spelled = spelled(scope.func, inst, &symbol)?;
        let (name, dictionary, properties) = self.attributes(&spelled, inst, scope.func)?;
        let mut parts = Parts { dictionary, properties, ..Parts::default() };
        for &r in &inst.results {
            parts.results.push(self.tables.ty(scope.func.ty(r))?);
        }
        parts.operands = inst.operands[spelled.operands.clone()].iter().map(|&v| scope.numbers[v]).collect();
        let loc = self.tables.location(&inst.loc);
        self.head(out, ("vhlo", &name), loc, &parts, !spelled.regions.is_empty());
        if spelled.regions.is_empty() {
            return Ok(());
        }
        out.flagged(spelled.regions.len(), false);
        let captures: Vec<usize> =
            inst.operands[spelled.captures.clone()].iter().map(|&v| scope.numbers[v]).collect();
        for region in &spelled.regions {
            out.index(1);
            match region {
                Body::Func(id) => self.region(out, *id, &captures, free)?,
                Body::Reducer(Reducer::Func(id), _) => self.region(out, *id, &captures, free)?,
                Body::Reducer(Reducer::Assign, types) => {
                    self.small(out, free, &[types.clone(), types.clone()].concat(), None)?;
                    self.end(out, (free + types.len()..free + 2 * types.len()).collect());
                }
                Body::Reducer(Reducer::Op(op), types) => {
                    let n = types.len();
                    self.small(out, free, &[types.clone(), types.clone()].concat(), Some(n))?;
                    for (k, ty) in types.iter().enumerate() {
                        let short = op.name().strip_prefix("stablehlo.").unwrap_or(op.name());
                        let results = vec![self.tables.tensor(ty)?];
                        let parts =
                            Parts { results, operands: vec![free + k, free + n + k], ..Parts::default() };
                        let loc = self.tables.unknown_location();
                        self.head(out, ("vhlo", &format!("{short}_v1")), loc, &parts, false);
                    }
                    self.end(out, (free + 2 * n..free + 3 * n).collect());
                }
                Body::Compare(direction, ty) => {
                    self.small(out, free, &[ty.clone(), ty.clone()], Some(1))?;
                    let kind = CompareType::natural(ty.dtype).name();
                    let mut properties = Out::default();
                    for word in [
                        Typed::word("comparison_type", kind),
                        Typed::word("comparison_direction", direction.name()),
                    ] {
                        let k = self.tables.attribute(&word)?;
                        properties.index(k);
                    }
                    let properties = Some(self.tables.properties(properties.0));
                    let results = vec![self.tables.tensor(&ty.with_dtype(crate::types::DType::I1))?];
                    let parts =
                        Parts { properties, results, operands: vec![free, free + 1], ..Parts::default() };
                    let loc = self.tables.unknown_location();
                    self.head(out, ("vhlo", "compare_v1"), loc, &parts, false);
                    self.end(out, vec![free + 2]);
                }
            }
        }
        Ok(())
    }

    /// The beginning of a block of scalars with a return and one operation per tensor, or none.
    fn small(&mut self, out: &mut Out, _free: usize, types: &[TensorType], ops: Option<usize>) -> Res<()> {
        let ops = ops.unwrap_or(0);
        out.index(types.len() + ops);
        out.flagged(ops + 1, !types.is_empty());
        let params = types.iter().map(|ty| self.tables.tensor(ty)).collect::<Res<Vec<_>>>()?;
        self.params(out, &params, &[]);
        Ok(())
    }

    /// The body of a function whose first parameters are these values.
    fn region(&mut self, out: &mut Out, id: FuncId, captures: &[usize], free: usize) -> Res<()> {
        let func = self.module.get(id);
        let mut numbers = EntityVec::filled(usize::MAX, func.values.len());
        let mut params = Vec::new();
        for (k, &p) in func.params.iter().enumerate() {
            match captures.get(k) {
                Some(&value) => numbers[p] = value,
                None => {
                    numbers[p] = free + params.len();
                    params.push(self.tables.ty(func.ty(p))?);
                }
            }
        }
        let mut scope = Scope { func: &func, numbers };
        self.block(out, &mut scope, free, &params, &[]).map_err(|e| e.message)
    }

    /// The name of an operation at the version, its dictionary and its properties.
    fn attributes(
        &mut self,
        spelled: &Spelled,
        inst: &Inst,
        func: &Func,
    ) -> Res<(String, Option<usize>, Option<usize>)> {
        let minor = self.tables.minor;
        let Some(schema) = schema::written_at(&spelled.name, minor) else {
            let first = schema::forms(&spelled.name).first();
            return Err(match first {
                Some(first) => format!("it needs StableHLO 1.{}.0", first.first),
                None => "StableHLO has no such operation".to_owned(),
            });
        };
        if minor < 5
            && matches!(&spelled.name[..], "all_gather" | "all_reduce" | "all_to_all")
            && spelled.operands.len() != 1
        {
            return Err("of several tensors it needs StableHLO 1.5.0".to_owned());
        }
        if spelled.name == "custom_call" && minor < 3 && is_dict(&spelled.attributes, "backend_config") {
            return Err("a `backend_config` that is a dictionary needs StableHLO 1.3.0".to_owned());
        }
        let mut discardable = Vec::new();
        for (name, value) in &spelled.attributes {
            if schema.attributes.contains(&&name[..]) {
                continue;
            }
            let newer = schema::forms(&spelled.name).iter().find(|s| s.attributes.contains(&&name[..]));
            match newer {
                Some(_) if is_default_value(name, value) => {}
                Some(newer) => return Err(format!("`{name}` needs StableHLO 1.{}.0", newer.first)),
                None => discardable.push((name.clone(), self.tables.attribute(value)?)),
            }
        }
        let dictionary = (!discardable.is_empty()).then(|| self.tables.dictionary(&discardable));
        let properties = self.schema_attributes(schema, spelled, inst, func)?;
        Ok((format!("{}_v{}", schema.name, schema.number), dictionary, properties))
    }

    fn schema_attributes(
        &mut self,
        schema: &Schema,
        spelled: &Spelled,
        inst: &Inst,
        func: &Func,
    ) -> Res<Option<usize>> {
        if schema.attributes.is_empty() {
            return Ok(None);
        }
        let rank = inst.operands.first().and_then(|&v| match func.ty(v) {
            Type::Tensor(ty) => Some(ty.rank()),
            Type::Token | Type::Foreign(_) => None,
        });
        let mut properties = Out::default();
        for name in schema.attributes {
            let given = spelled.attributes.iter().find(|a| a.0 == *name).map(|a| &a.1);
            let default;
            let value = match given {
                Some(Typed::Int(n, _)) if *name == "api_version" => {
                    default = Typed::word("api_version", &n.to_string());
                    &default
                }
                Some(value) => value,
                None => {
                    default = default_value(schema.name, name, rank.unwrap_or(0))
                        .ok_or_else(|| format!("it lacks the attribute `{name}`"))?;
                    &default
                }
            };
            let k = self.tables.attribute(value)?;
            properties.index(k);
        }
        Ok(Some(self.tables.properties(properties.0)))
    }

    /// Everything of an operation but its regions.
    fn head(
        &mut self,
        out: &mut Out,
        (dialect, name): (&'static str, &str),
        loc: usize,
        parts: &Parts,
        regions: bool,
    ) {
        let k = self.tables.name(dialect, name);
        out.index(k);
        let has = |there: bool, bit: u8| if there { bit } else { 0 };
        out.0.push(
            has(parts.dictionary.is_some(), mask::ATTRIBUTES)
                | has(parts.properties.is_some(), mask::PROPERTIES)
                | has(!parts.results.is_empty(), mask::RESULTS)
                | has(!parts.operands.is_empty(), mask::OPERANDS)
                | has(regions, mask::REGIONS),
        );
        out.index(loc);
        [parts.dictionary, parts.properties].into_iter().flatten().for_each(|k| out.index(k));
        for list in [&parts.results, &parts.operands] {
            if !list.is_empty() {
                out.list(list);
            }
        }
    }
}

/// One region that sees nothing outside, in a section of its own.
fn isolated(out: &mut Out, region: &Out) {
    out.flagged(1, true);
    out.section(super::program::IR, &region.0);
}

fn is_dict(attributes: &[(String, Typed)], name: &str) -> bool {
    attributes.iter().any(|a| a.0 == name && matches!(a.1, Typed::Dict(_)))
}

/// The error of an instruction.
fn explained(inst: &Inst, message: &str) -> Error {
    // An error of a region names the operation in it.
    if message.starts_with('`') && message.contains("cannot be written") {
        return Error::new(message);
    }
    let name = match &inst.op {
        Op::Foreign(f) => &f.name,
        op => op.name(),
    };
    let place = match &inst.loc {
        Loc::Unknown => String::new(),
        loc => format!(", written at {}", loc.place()),
    };
    Error::new(format!("`{name}` cannot be written as bytecode: {message}{place}"))
}
