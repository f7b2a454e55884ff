//! What the specification asks of communication between devices, checked where it is read: such operations are kept as
//! they are written, and nothing later looks into their attributes.

use crate::array::Literal;
use crate::op::Op;
use crate::text::attr::{Dict, Value as Attr};
use crate::text::generic::Raw;
use crate::text::parser::{Parser, Res};
use crate::types::{DType, DTypeClass, TensorType, Type};

/// The labels under which an operation states what all collective operations ask for.
struct Labels {
    /// Its groups are a matrix.
    matrix: &'static str,
    /// No process is in two groups.
    unique: &'static str,
    /// Every process is in a group.
    all: &'static str,
    /// Global device ids come with a channel.
    channel: &'static str,
}

/// The labels of what operations with a root ask for.
struct Rooted {
    /// Of the types of data and root.
    types: &'static str,
    /// Of the number of results.
    count: &'static str,
    /// Whether results may hold wider elements than the data.
    promotes: bool,
}

/// What may run on its own.
const COLLECTIVES: &[&str] = &[
    "stablehlo.all_gather",
    "stablehlo.all_reduce",
    "stablehlo.all_to_all",
    "stablehlo.collective_broadcast",
    "stablehlo.collective_permute",
    "stablehlo.collective_reduce",
    "stablehlo.reduce_scatter",
];

fn list(types: &[Type]) -> String {
    types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ")
}

/// Whether the one type is the future of these.
fn is_future(one: &[Type], of: &[Type]) -> bool {
    let [Type::Foreign(text)] = one else { return false };
    let inside = text.strip_prefix("!stablehlo.future<").and_then(|t| t.strip_suffix('>'));
    let plain = |s: &str| s.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    inside.is_some_and(|inside| plain(inside) == plain(&list(of)))
}

/// A number of the channel handle.
fn channel_field(raw: &Raw<'_>, name: &str) -> Option<i64> {
    match raw.attrs.get("channel_handle") {
        Some((Attr::Struct(_, fields), _)) => match fields.get(name) {
            Some((&Attr::Int(n), _)) => Some(n),
            _ => None,
        },
        _ => None,
    }
}

impl<'s> Parser<'s> {
    /// Checks a collective operation; others pass.
    pub(in crate::text) fn check_collective(&self, raw: &Raw<'s>) -> Res<()> {
        let named = matrix(raw, "replica_groups").flatten().is_some_and(|groups| !groups.1.is_empty());
        if self.copies > 1 && COLLECTIVES.contains(&raw.name) && raw.short() != "collective_permute" && !named
        {
            let message = format!(
                "`{}` between {} copies of a program: several devices are not supported",
                raw.name, self.copies
            );
            return self.fail_at(raw.at, message);
        }
        let labels = |matrix, unique, all, channel| Labels { matrix, unique, all, channel };
        match raw.short() {
            "all_gather" => {
                self.check_groups(raw, &labels("I3", "C2", "C4", "C5"))?;
                self.check_all_gather(raw)
            }
            "all_reduce" => {
                self.check_groups(raw, &labels("I2", "C1", "C3", "C4"))?;
                self.check_computation(raw, "C5", "C7")?;
                self.check_same_shapes(raw, "C6")
            }
            "reduce_scatter" => {
                self.check_groups(raw, &labels("I3", "C3", "C5", "C6"))?;
                self.check_computation(raw, "C7", "C9")?;
                self.check_reduce_scatter(raw)
            }
            "all_to_all" => {
                self.check_groups(raw, &labels("I5", "C5", "C7", "C7"))?;
                self.check_all_to_all(raw)
            }
            "collective_broadcast" => {
                self.check_groups(raw, &labels("I2", "C1", "C2", "C2"))?;
                self.check_rooted(raw, &|root| Rooted {
                    types: if root { "C4" } else { "C3" },
                    count: "C5",
                    promotes: false,
                })
            }
            "collective_reduce" => {
                self.check_groups(raw, &labels("I2", "C1", "C2", "C2"))?;
                self.check_rooted(raw, &|_| Rooted { types: "C3", count: "C3", promotes: true })?;
                self.check_computation(raw, "C4", "C4")
            }
            "async_start" => self.check_async_start(raw),
            "async_done" => self.check_async_done(raw),
            "infeed" => self.check_layout(raw),
            "send" => self.check_channel(raw, 2),
            "recv" => self.check_channel(raw, 3),
            "collective_permute" => self.check_pairs(raw),
            _ => Ok(()),
        }
    }

    fn broken<T>(&self, raw: &Raw<'s>, label: &str, message: impl std::fmt::Display) -> Res<T> {
        self.fail_at(raw.at, format!("{}: {message} ({label})", raw.name))
    }

    /// `replica_groups`, and what it means for a channel.
    fn check_groups(&self, raw: &Raw<'s>, labels: &Labels) -> Res<()> {
        let global = !matches!(raw.attrs.get("use_global_device_ids"), None | Some((Attr::Bool(false), _)));
        let channel = match raw.attrs.get("channel_handle") {
            Some((Attr::Struct(..), _)) => channel_field(raw, "handle").unwrap_or(0),
            Some((&Attr::Int(handle), _)) => handle,
            Some(_) => 1, // an alias
            None => 0,
        };
        if global && channel <= 0 {
            return self.broken(raw, labels.channel, "global device ids need a channel_id above zero");
        }
        let Some(groups) = matrix(raw, "replica_groups") else { return Ok(()) };
        let Some(groups) = groups else {
            return self.broken(raw, labels.matrix, "`replica_groups` must be a matrix of integers");
        };
        let mut ids: Vec<i64> = groups.1.clone();
        // A group that is shorter than others is filled with -1.
        // (The specification has it for numbers of copies only; XLA and JAX have it for devices too.)
        if matches!(raw.short(), "all_reduce" | "collective_reduce") {
            ids.retain(|&id| id != -1);
        }
        ids.sort_unstable();
        if let Some(pair) = ids.windows(2).find(|p| p[0] == p[1]) {
            return self.broken(raw, labels.unique, format_args!("process {} is in two groups", pair[0]));
        }
        let complete = ids.iter().copied().eq(0..ids.len() as i64);
        if matches!(raw.short(), "collective_broadcast" | "collective_reduce") {
            if ids.first().is_some_and(|&id| id < 0) {
                return self.broken(raw, labels.all, "a process has a negative number");
            }
        } else if !complete {
            let missing = (0..).zip(&ids).find(|(k, id)| *k != **id).map_or(0, |p| p.0);
            return self.broken(raw, labels.all, format_args!("process {missing} is in no group"));
        }
        if groups.1.is_empty() && global {
            return self.broken(raw, labels.all, "`replica_groups` is empty");
        }
        Ok(())
    }

    /// The operands and results that are tensors of known sizes, in pairs.
    fn pairs(&self, raw: &Raw<'s>) -> Vec<(TensorType, TensorType)> {
        let operands = raw.operands.iter().map(|u| self.value_type(u.0).as_tensor());
        let both = operands.zip(raw.results.iter().map(Type::as_tensor));
        both.filter_map(|(a, b)| Some((a?.clone(), b?.clone())))
            .filter(|(a, b)| a.is_static() && b.is_static())
            .collect()
    }

    /// A dimension that operands must have.
    fn dimension(&self, raw: &Raw<'s>, name: &str, label: &str) -> Res<usize> {
        let Some((&Attr::Int(dim), _)) = raw.attrs.get(name) else { return self.missing(raw, name) };
        for (operand, _) in self.pairs(raw) {
            if !(0..operand.rank() as i64).contains(&dim) {
                return self.broken(raw, label, format_args!("{operand} has no dimension {dim}"));
            }
        }
        Ok(dim.max(0) as usize)
    }

    fn check_same_shapes(&self, raw: &Raw<'s>, label: &str) -> Res<()> {
        for (operand, result) in self.pairs(raw) {
            if operand.shape != result.shape {
                return self.broken(raw, label, format_args!("{operand} becomes {result}"));
            }
        }
        Ok(())
    }

    /// The results differ from the operands in the size of some dimensions only.
    fn check_sizes(&self, raw: &Raw<'s>, label: &str, sizes: &dyn Fn(&mut TensorType)) -> Res<()> {
        for (operand, result) in self.pairs(raw) {
            let mut expected = operand.clone();
            sizes(&mut expected);
            expected.dtype = result.dtype;
            if expected != result {
                let message = format_args!("{operand} becomes {expected}, not {result}");
                return self.broken(raw, label, message);
            }
        }
        Ok(())
    }

    fn check_all_gather(&self, raw: &Raw<'s>) -> Res<()> {
        let dim = self.dimension(raw, "all_gather_dim", "C1")?;
        let known = matrix(raw, "replica_groups").flatten().map(|g| g.0[1]);
        for (operand, result) in self.pairs(raw) {
            if operand.dtype != result.dtype {
                return self.broken(raw, "C6", format_args!("{operand} becomes {result}"));
            }
            if operand.shape[dim] == 0 {
                return self.broken(raw, "C6", format_args!("dimension {dim} of {operand} is empty"));
            }
            if operand.rank() != result.rank() {
                return self.broken(raw, "C6", format_args!("{operand} and {result} differ in rank"));
            }
            if !result.shape[dim].is_multiple_of(operand.shape[dim]) {
                let message =
                    format_args!("{} rows cannot come in parts of {}", result.shape[dim], operand.shape[dim]);
                return self.broken(raw, "C6", message);
            }
            let flattened = raw.attrs.get("use_global_device_ids").is_some();
            let grouped =
                known.filter(|&n| n > 0 && (flattened || raw.attrs.get("channel_handle").is_none()));
            let factor = grouped.unwrap_or(result.shape[dim] / operand.shape[dim]);
            self.check_sizes(raw, "C6", &|ty| ty.shape[dim] *= factor)?;
        }
        Ok(())
    }

    fn check_reduce_scatter(&self, raw: &Raw<'s>) -> Res<()> {
        let dim = self.dimension(raw, "scatter_dimension", "C2")?;
        for (operand, result) in self.pairs(raw) {
            if operand.rank() != result.rank() {
                return self.broken(raw, "C8", format_args!("{operand} and {result} differ in rank"));
            }
            let (from, to) = (operand.shape[dim], result.shape[dim]);
            if from == 0 || to == 0 || !from.is_multiple_of(to) {
                return self.broken(raw, "C1", format_args!("{from} rows do not scatter in parts of {to}"));
            }
            self.check_sizes(raw, "C8", &|ty| ty.shape[dim] = to)?;
        }
        Ok(())
    }

    fn check_all_to_all(&self, raw: &Raw<'s>) -> Res<()> {
        let split = self.dimension(raw, "split_dimension", "C1")?;
        let concat = self.dimension(raw, "concat_dimension", "C3")?;
        let Some((&Attr::Int(count), _)) = raw.attrs.get("split_count") else {
            return self.missing(raw, "split_count");
        };
        let Some(count) = usize::try_from(count).ok().filter(|&c| c > 0) else {
            return self.broken(raw, "C4", format_args!("split_count is {count}"));
        };
        if raw.operands.len() != raw.results.len() {
            let message = format_args!("{} operands and {} results", raw.operands.len(), raw.results.len());
            return self.broken(raw, "C9", message);
        }
        for (operand, result) in self.pairs(raw) {
            if !operand.shape[split].is_multiple_of(count) {
                let message = format_args!("dimension {split} of {operand} does not split in {count}");
                return self.broken(raw, "C2", message);
            }
            if operand.dtype != result.dtype {
                return self.broken(raw, "C9", format_args!("{operand} becomes {result}"));
            }
        }
        if let Some(Some(groups)) = matrix(raw, "replica_groups")
            && groups.0[1] != count
        {
            return self.broken(
                raw,
                "C8",
                format_args!("groups of {} for a split_count of {count}", groups.0[1]),
            );
        }
        self.check_sizes(raw, "C9", &|ty| {
            ty.shape[split] /= count;
            ty.shape[concat] = ty.shape[concat].saturating_mul(count);
        })
    }

    /// Data, and a root per datum if the root is not known.
    fn check_rooted(&self, raw: &Raw<'s>, labels: &dyn Fn(bool) -> Rooted) -> Res<()> {
        let root = matches!(raw.attrs.get("has_dynamic_root"), Some((Attr::Bool(true) | Attr::Unit, _)));
        let Rooted { types: label, count, promotes } = labels(root);
        let Some(data) = raw.operands.len().checked_sub(root as usize).filter(|&n| n > 0) else {
            return self.broken(raw, label, "there are no data");
        };
        if raw.results.len() != data {
            return self.broken(raw, count, format_args!("{} results of {data} operands", raw.results.len()));
        }
        for (use_, result) in raw.operands.iter().zip(&raw.results) {
            let operand = self.value_type(use_.0);
            let shape = |ty: &Type| ty.as_tensor().map(|t| t.shape.clone());
            if operand != result && !(promotes && shape(operand) == shape(result)) {
                return self.broken(raw, label, format_args!("{operand} becomes {result}"));
            }
        }
        let wanted: Type = TensorType::new(DType::I32, &[data]).into();
        if let Some(last) = raw.operands.last().filter(|_| root)
            && *self.value_type(last.0) != wanted
        {
            let message = format_args!("the root is {}, not {wanted}", self.value_type(last.0));
            return self.broken(raw, label, message);
        }
        Ok(())
    }

    /// One collective operation or slice, on what the operation is given. A collective of one device is its operands.
    fn check_async_start(&self, raw: &Raw<'s>) -> Res<()> {
        let Some(region) = raw.regions.first() else { return Ok(()) };
        let func = region.func();
        let mut insts = func.insts.values();
        let (first, second) = (insts.next(), insts.next());
        if second.is_some() {
            return self.broken(raw, "C1", "the body must be one operation and a return");
        }
        let starts = |op: &Op| {
            matches!(op, Op::Slice(_) | Op::DynamicSlice(_) | Op::DynamicUpdateSlice(_))
                || matches!(op, Op::Foreign(f) if COLLECTIVES.contains(&&f.name[..]))
        };
        if let Some(inst) = first.filter(|inst| !starts(&inst.op)) {
            let message = format_args!("`{}` is neither a collective operation nor a slice", inst.op.name());
            return self.broken(raw, "C2", message);
        }
        let takes = func.param_types();
        let given: Vec<Type> = raw.operands.iter().map(|u| self.value_type(u.0).clone()).collect();
        if takes.get(raw.captures.values.len()..).unwrap_or(&takes) != given && takes != given {
            let message = format_args!("the body takes {}, not {}", list(&takes), list(&given));
            return self.broken(raw, "C3", message);
        }
        if !is_future(&raw.results, &func.result_types()) {
            let message = format_args!("the body gives {}", list(&func.result_types()));
            return self.broken(raw, "C4", message);
        }
        Ok(())
    }

    fn check_async_done(&self, raw: &Raw<'s>) -> Res<()> {
        let given: Vec<Type> = raw.operands.iter().map(|u| self.value_type(u.0).clone()).collect();
        if !is_future(&given, &raw.results) {
            let message = format_args!("{} does not become {}", list(&given), list(&raw.results));
            return self.broken(raw, "C1", message);
        }
        Ok(())
    }

    /// `layout` lists the order of dimensions of each tensor that comes in.
    fn check_layout(&self, raw: &Raw<'s>) -> Res<()> {
        let Some((layout, at)) = raw.attrs.get("layout") else { return Ok(()) };
        let tensors = raw.results.len().saturating_sub(1);
        let Attr::Array(items) = layout else {
            return self.fail_at(at, "stablehlo.infeed: `layout` must be a list of lists");
        };
        if items.len() != tensors {
            let message = format!("stablehlo.infeed: {} layouts of {tensors} tensors", items.len());
            return self.fail_at(at, message);
        }
        if items.iter().any(|item| item.ints().is_none()) {
            return self.fail_at(at, "stablehlo.infeed: a layout must be a list of integers");
        }
        Ok(())
    }

    /// The kind of channel says who is at the other end: another device, or the host (`host`).
    fn check_channel(&self, raw: &Raw<'s>, host: i64) -> Res<()> {
        let to_host = matches!(raw.attrs.get("is_host_transfer"), Some((Attr::Bool(true) | Attr::Unit, _)));
        let wanted = if to_host { host } else { 1 };
        match channel_field(raw, "type") {
            Some(kind) if kind != wanted => {
                let who = if to_host { "the host" } else { "a device" };
                self.broken(raw, "C5", format_args!("a channel to {who} has type {wanted}, not {kind}"))
            }
            _ => Ok(()),
        }
    }

    fn check_pairs(&self, raw: &Raw<'s>) -> Res<()> {
        let Some(pairs) = matrix(raw, "source_target_pairs") else { return Ok(()) };
        let Some((_, ids)) = pairs.filter(|p| p.0[1] == 2 || p.1.is_empty()) else {
            return self.broken(raw, "C1", "`source_target_pairs` must be a matrix with two columns");
        };
        for (column, label) in [(0, "C2"), (1, "C3")] {
            let mut ids: Vec<i64> = ids.iter().copied().skip(column).step_by(2).collect();
            ids.sort_unstable();
            if let Some(pair) = ids.windows(2).find(|p| p[0] == p[1]) {
                return self.broken(raw, label, format_args!("process {} is there twice", pair[0]));
            }
        }
        if ids.iter().any(|&id| id < 0) {
            return self.broken(raw, "C4", "a process has a negative number");
        }
        for (use_, result) in raw.operands.iter().zip(&raw.results) {
            if self.value_type(use_.0) != result {
                let message = format_args!("{} becomes {result}", self.value_type(use_.0));
                return self.broken(raw, "C5", message);
            }
        }
        Ok(())
    }

    /// The computation takes two scalars and gives one of their type, which holds the operands' elements.
    fn check_computation(&self, raw: &Raw<'s>, label: &str, result: &str) -> Res<()> {
        let Some(region) = raw.regions.first() else { return Ok(()) };
        let func = region.func();
        let (takes, gives) = (func.param_types(), func.result_types());
        let [Type::Tensor(ty)] = &gives[..] else {
            return self.broken(raw, label, format_args!("the computation gives {} values", gives.len()));
        };
        if ty.rank() != 0 || takes.len() != 2 || takes.iter().any(|t| *t != gives[0]) {
            return self.broken(raw, label, format_args!("the computation is ({}) -> {ty}", list(&takes)));
        }
        for (operand, out) in self.pairs(raw) {
            let (a, e) = (operand.dtype, ty.dtype);
            let promotes = a.class() == e.class() && a.bits() <= e.bits() && a.class() != DTypeClass::Bool;
            if a != e && !promotes {
                return self.broken(raw, label, format_args!("the computation of {e} takes no {a}"));
            }
            if out.dtype != e {
                return self.broken(
                    raw,
                    result,
                    format_args!("the result is {out}, the computation gives {e}"),
                );
            }
        }
        Ok(())
    }
}

/// The sizes and numbers of a dense attribute that is there; `Some(None)` if it is no matrix of 64-bit integers.
type Matrix = Option<Option<([usize; 2], Vec<i64>)>>;

fn matrix(raw: &Raw<'_>, name: &str) -> Matrix {
    matrix_of(&raw.attrs, name)
}

pub(in crate::text) fn matrix_of(attributes: &Dict<'_>, name: &str) -> Matrix {
    let Some((Attr::Dense(literal), _)) = attributes.get(name) else { return None };
    let read = |literal: &Literal| {
        let ty = literal.ty();
        if ty.rank() != 2 || ty.dtype != DType::I64 || ty.checked_elements()? > 1 << 20 {
            return None;
        }
        Some(([ty.shape[0], ty.shape[1]], literal.to_array().as_slice::<i64>().to_vec()))
    };
    Some(read(literal))
}
