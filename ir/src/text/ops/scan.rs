//! `chlo.scan`: a loop over the slices of tensors along one dimension. It is read as [`Scan`], whose rows are of
//! dimension 0; other dimensions are moved there and back.
//!
//! Operands and results are `inputs, inits` and `outputs, carries`; the body takes slices of the inputs, then what is
//! carried, and gives slices of the outputs, then what to carry on.

use crate::func::{Loc, Value, Values};
use crate::op::{Op, Scan, Transpose};
use crate::text::attr::{Dict, Value as Attr};
use crate::text::captures::{Captures, Region};
use crate::text::generic::Raw;
use crate::text::parser::{Instr, Parser, Res, Uses};
use crate::types::{Dims, TensorType, Type};

/// The parts of the operation.
struct Parts<'s> {
    at: usize,
    /// Inputs, then initial values.
    operands: Uses,
    /// How many are inputs.
    inputs: usize,
    dim: i64,
    attrs: Dict<'s>,
    body: Region<'s>,
    captures: Captures,
    results: Vec<Type>,
}

/// The order of dimensions in which `dim` is first.
fn first(dim: usize, rank: usize) -> Dims {
    std::iter::once(dim).chain((0..rank).filter(|&d| d != dim)).collect()
}

impl<'s> Parser<'s> {
    /// `(%x) inits (%c) dimension = 0 attributes {...} { ... } : types`.
    pub(in crate::text) fn scan_pretty(&mut self, at: usize) -> Res<Instr> {
        let group = |p: &mut Self| -> Res<Uses> {
            p.punct(b'(')?;
            let values = p.operands()?;
            p.punct(b')')?;
            Ok(values)
        };
        let mut operands = group(self)?;
        let inputs = operands.len();
        self.word("inits")?;
        operands.extend(group(self)?);
        self.name_of("dimension")?;
        let place = self.start();
        let Attr::Int(dim) = self.attribute()? else { return self.fail_at(place, "expected a dimension") };
        let attrs = if self.eat_word("attributes") { self.dict()? } else { Dict::default() };
        self.captures.push(Captures::default());
        let body = self.block_region()?;
        let captures = self.captures.pop().unwrap_or_default();
        let results = self.typed(&operands)?;
        self.scan(Parts { at, operands, inputs, dim, attrs, body, captures, results })
    }

    /// The operation in generic form.
    pub(in crate::text) fn scan_generic(&mut self, mut raw: Raw<'s>) -> Res<Instr> {
        let Some((&Attr::Int(dim), _)) = raw.attrs.get("dimension") else {
            return self.missing(&raw, "dimension");
        };
        let segments = raw.attrs.get("operandSegmentSizes").and_then(|(v, _)| v.ints());
        let inputs = segments.and_then(|s| usize::try_from(*s.first()?).ok());
        let Some(inputs) = inputs.filter(|&n| n <= raw.operands.len()) else {
            return self.missing(&raw, "operandSegmentSizes");
        };
        let body = raw.regions.remove(0);
        let Raw { at, operands, attrs, captures, results, .. } = raw;
        self.scan(Parts { at, operands, inputs, dim, attrs, body, captures, results })
    }

    fn scan_error<T>(&self, at: usize, message: impl std::fmt::Display) -> Res<T> {
        self.fail_at(at, format!("chlo.scan: {message}"))
    }

    fn scan(&mut self, parts: Parts<'s>) -> Res<Instr> {
        let Parts { at, operands, inputs, dim, attrs, mut body, captures, results } = parts;
        let carry = operands.len() - inputs;
        let flag = |name: &str| matches!(attrs.get(name), Some((Attr::Bool(true) | Attr::Unit, _)));
        let reverse = flag("is_reverse");
        let types: Vec<Type> = operands.iter().map(|u| self.value_type(u.0).clone()).collect();
        let mut lengths = Vec::new();
        let mut taken = Vec::new();
        for (k, ty) in types[..inputs].iter().enumerate() {
            let Some(tensor) = ty.as_tensor().filter(|t| t.is_static()) else {
                return self.scan_error(at, format_args!("operand {k} is {ty}, not a tensor of known sizes"));
            };
            let Some(dim) = usize::try_from(dim).ok().filter(|&d| d < tensor.rank()) else {
                return self.scan_error(at, format_args!("operand {k}, {tensor}, has no dimension {dim}"));
            };
            lengths.push(tensor.shape[dim]);
            let mut row = tensor.clone();
            row.shape.remove(dim);
            taken.push(Type::Tensor(row));
        }
        taken.extend_from_slice(&types[inputs..]);
        let said = match attrs.get("scan_dim_size") {
            Some((&Attr::Int(n), _)) => usize::try_from(n).ok(),
            _ => lengths.first().copied(),
        };
        let Some(length) = said.filter(|n| lengths.iter().all(|m| m == n)) else {
            return self.scan_error(at, format_args!("the inputs have {lengths:?} slices"));
        };
        let (takes, gives) = (body.func().param_types(), body.func().result_types());
        let list = |types: &[Type]| types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ");
        if takes != taken {
            let message = format_args!("the body takes ({}), not ({})", list(&takes), list(&taken));
            return self.scan_error(at, message);
        }
        let Some(outputs) = gives.len().checked_sub(carry).filter(|&n| gives[n..] == types[inputs..]) else {
            let message =
                format_args!("the body gives ({}), which does not end with what it carries", list(&gives));
            return self.scan_error(at, message);
        };
        let at_dim = usize::try_from(dim).unwrap_or(0);
        let mut given = Vec::new();
        for ty in &gives[..outputs] {
            let Some(row) = ty.as_tensor().filter(|t| at_dim <= t.rank()) else {
                return self.scan_error(at, format_args!("{ty} is no slice of dimension {dim}"));
            };
            let mut whole = row.clone();
            whole.shape.insert(at_dim, length);
            given.push(Type::Tensor(whole));
        }
        given.extend_from_slice(&types[inputs..]);
        if given != results {
            return self.scan_error(at, format_args!("gives ({}), not ({})", list(&given), list(&results)));
        }
        // Ours takes and gives what is carried first.
        body.rotate(inputs, outputs);
        let consts = captures.values.len();
        let mut all: Values = captures.values.iter().copied().collect();
        let body = self.add_region(&captures, body)?;
        all.extend(operands[inputs..].iter().map(|u| u.0));
        for (u, ty) in operands[..inputs].iter().zip(&types) {
            all.push(self.with_dimension_first(at, u.0, ty, at_dim)?);
        }
        let op: Op = Scan { body, consts, carry, reverse, length }.into();
        let moved = |ty: &Type| {
            let ty = ty.tensor();
            let shape: Dims = first(at_dim, ty.rank()).iter().map(|&d| ty.shape[d]).collect();
            Type::Tensor(TensorType { dtype: ty.dtype, shape })
        };
        let out: Vec<Type> =
            given[outputs..].iter().cloned().chain(given[..outputs].iter().map(moved)).collect();
        let made = self.frame().func.push_typed(op, &all, out, Loc::Unknown);
        let mut values = Values::new();
        for (&y, ty) in made[carry..].iter().zip(&given) {
            let rank = ty.tensor().rank();
            values.push(if at_dim == 0 {
                y
            } else {
                let back: Dims =
                    (0..rank).map(|d| if d == at_dim { 0 } else { d + usize::from(d < at_dim) }).collect();
                self.emit(at, Transpose { perm: back }, &[y])?
            });
        }
        values.extend_from_slice(&made[..carry]);
        Ok(Instr::given(values))
    }

    fn with_dimension_first(&mut self, at: usize, x: Value, ty: &Type, dim: usize) -> Res<Value> {
        if dim == 0 {
            return Ok(x);
        }
        self.emit(at, Transpose { perm: first(dim, ty.tensor().rank()) }, &[x])
    }
}
