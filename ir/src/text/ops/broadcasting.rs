//! CHLO operations that are others in short: those that broadcast their operands, and constants by example.

use crate::array::Literal;
use crate::func::Loc;
use crate::op::*;
use crate::text::attr::{Dict, Value as Attr};
use crate::text::literal;
use crate::text::parser::{Instr, Parser, Res, Uses};
use crate::types::{Dims, TensorType, Type};

impl<'s> Parser<'s> {
    /// `%x {value = 1.0 : f32} : T -> U`: a splat of the result's type.
    pub(super) fn constant_like(&mut self, at: usize) -> Res<Instr> {
        let operands = self.some_operands(1, at)?;
        let attrs = self.optional_dict()?;
        let results = self.typed(&operands)?;
        self.constant_of(&attrs, &results, at)
    }

    /// The splat that the attribute `value` stands for.
    pub(super) fn constant_of(&mut self, attrs: &Dict<'s>, results: &[Type], at: usize) -> Res<Instr> {
        let Some((_, place)) = attrs.get("value") else { return self.fail_at(at, "`value` is missing") };
        let ty = self.one_tensor(results, at)?;
        // The attribute's text is read as the one element.
        let back = self.start();
        self.jump(place);
        self.bump();
        self.punct(b'=')?;
        let from = self.start();
        let to = self.end();
        self.jump(back);
        let scalar = TensorType::scalar(ty.dtype);
        let one = literal::parse(self.src(), from, to, &scalar).or_else(|e| self.fail_at(e.at, e.message))?;
        let value = Literal::splat_bytes(ty.clone(), one.stored_bytes());
        Ok(Instr::new(Constant { value }, &Uses::new(), vec![ty.into()]))
    }

    /// `chlo.broadcast_NAME %a, %b {broadcast_dimensions = ...} : (T, U) -> V`.
    pub(super) fn broadcasting(&mut self, name: &'s str, at: usize) -> Res<Instr> {
        let operands = self.operands()?;
        let attrs = self.optional_dict()?;
        let results = self.typed(&operands)?;
        self.broadcast_operands(name, &attrs, &operands, results, at)
    }

    /// The operation on operands that are first stretched to the result's shape.
    pub(super) fn broadcast_operands(
        &mut self,
        name: &str,
        attrs: &Dict<'s>,
        operands: &Uses,
        results: Vec<Type>,
        at: usize,
    ) -> Res<Instr> {
        let ty = self.one_tensor(&results, at)?;
        let short = name.strip_prefix("chlo.broadcast_").unwrap_or(name);
        let op: Op = match short {
            "compare" => {
                let word = |name: &str| match attrs.get(name) {
                    Some((&Attr::Word(word), _)) => Some(word),
                    _ => None,
                };
                let Some(direction) = word("comparison_direction").and_then(Direction::parse) else {
                    return self.fail_at(at, "`comparison_direction` is missing or unknown");
                };
                let natural = match operands.first().map(|u| self.value_type(u.0)) {
                    Some(Type::Tensor(t)) => CompareType::natural(t.dtype),
                    Some(Type::Token | Type::Foreign(_)) | None => {
                        return self.fail_at(at, "expected two tensors");
                    }
                };
                let kind = word("compare_type").and_then(CompareType::parse).unwrap_or(natural);
                Compare { direction, kind }.into()
            }
            "select" => Select {}.into(),
            _ => {
                let both = ["stablehlo.", "chlo."].map(|dialect| format!("{dialect}{short}"));
                match both.iter().find_map(|name| BinaryOp::parse(name)) {
                    Some(op) => op.into(),
                    None => return self.unknown(name, at),
                }
            }
        };
        let given: Option<Dims> = match attrs.get("broadcast_dimensions") {
            None => None,
            Some((value, place)) => {
                let dims = value.ints().and_then(|v| v.iter().map(|&d| usize::try_from(d).ok()).collect());
                match dims {
                    Some(dims) => Some(dims),
                    None => return self.fail_at(place, "`broadcast_dimensions` must list dimensions"),
                }
            }
        };
        let mut stretched = Uses::new();
        for &(value, place) in operands {
            let Type::Tensor(own) = self.value_type(value).clone() else {
                return self.fail_at(place, "expected a tensor");
            };
            let rank = own.rank();
            if own.shape == ty.shape || (short == "select" && rank == 0 && stretched.is_empty()) {
                stretched.push((value, place));
                continue;
            }
            // The operand of lower rank goes where the attribute says, by default to the last dimensions.
            let dims = match &given {
                Some(dims) if dims.len() == rank => dims.clone(),
                _ if rank <= ty.rank() => (ty.rank() - rank..ty.rank()).collect(),
                _ => return self.fail_at(place, format!("{own} does not broadcast to {ty}")),
            };
            let spread = BroadcastInDim { shape: ty.shape.clone(), dims };
            let uses: Uses = [(value, place)].into_iter().collect();
            let instr = Instr::new(spread, &uses, vec![own.with_shape(&ty.shape).into()]);
            stretched.push((self.push(instr, at, Loc::Unknown)?[0], place));
        }
        Ok(Instr::new(op, &stretched, results))
    }
}
