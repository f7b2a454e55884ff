//! Operations that are read, checked and printed only. They can make and join tokens, and feed out to nobody.

use crate::array::Array;
use crate::ensure;
use crate::func::Module;
use crate::op::{Effect, Foreign};
use crate::rules::{Emit, EvalError, Evaluate, Jvp, OpDef, Tangents, TypeError, Types};
use crate::types::{DType, TensorType, Type};

impl Foreign {
    /// Whether it only makes or joins tokens. Nobody takes what one device feeds out.
    pub fn is_token(&self) -> bool {
        matches!(&self.name[..], "stablehlo.after_all" | "stablehlo.create_token" | "stablehlo.outfeed")
    }

    /// Whether it is the number of a device or of a copy of the program: 0 on one device.
    pub fn is_number(&self) -> bool {
        matches!(&self.name[..], "stablehlo.partition_id" | "stablehlo.replica_id")
    }

    /// What is wrong with running it.
    pub fn refused(&self) -> EvalError {
        EvalError::Unsupported(format!("`{}` on one device with static shapes", self.name))
    }

    /// What talks to the host or to other devices keeps its place.
    pub(crate) fn effect(&self) -> Effect {
        match &self.name[..] {
            "stablehlo.send" | "stablehlo.recv" | "stablehlo.infeed" | "stablehlo.outfeed" => Effect::Ordered,
            _ => Effect::Pure,
        }
    }
}

impl OpDef for Foreign {
    fn infer(&self, module: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        ensure!(
            self.captures <= operands.len(),
            "I1",
            "{} captures among {} operands",
            self.captures,
            operands.len()
        );
        let (operands, captures) = operands.split_at(operands.len() - self.captures);
        for &region in &self.regions {
            let Some(func) = module.funcs.get(region) else {
                return Err(TypeError::new("region", format!("there is no function {region}")));
            };
            let types = func.param_types();
            ensure!(
                types.len() >= captures.len() && types[..captures.len()] == *captures,
                "region",
                "a region of {} does not take what it captures",
                self.name
            );
        }
        let token = |ty: &Type| *ty == Type::Token;
        match &self.name[..] {
            "stablehlo.after_all" | "stablehlo.create_token" => {
                ensure!(operands.iter().all(token), "I1", "{}: every operand must be a token", self.name);
                ensure!(
                    self.results[..] == [Type::Token],
                    "O1",
                    "{}: the result must be one token",
                    self.name
                );
            }
            "stablehlo.send" | "stablehlo.outfeed" => {
                ensure!(
                    operands.last().is_some_and(token),
                    "I2",
                    "{}: the last operand must be a token",
                    self.name
                );
                ensure!(
                    self.results[..] == [Type::Token],
                    "O1",
                    "{}: the result must be one token",
                    self.name
                );
            }
            "stablehlo.recv" | "stablehlo.infeed" => {
                ensure!(
                    operands.len() == 1 && token(&operands[0]),
                    "I1",
                    "{}: the operand must be one token",
                    self.name
                );
                let last = self.results.last();
                ensure!(last.is_some_and(token), "C1", "{}: the last result must be a token", self.name);
                let (_, others) = self.results.split_last().unwrap_or((&Type::Token, &[]));
                ensure!(!others.iter().any(token), "C2", "{}: only the last result is a token", self.name);
            }
            _ => {}
        }
        Ok(self.results.iter().cloned().collect())
    }

    fn eval(&self, _: &mut dyn Evaluate, _: &[Array]) -> Result<Vec<Array>, EvalError> {
        if self.is_token() {
            return Ok(vec![Array::zeros(TensorType::scalar(DType::I1))]);
        }
        if self.is_number() {
            return Ok(vec![Array::scalar(0u32)]);
        }
        Err(self.refused())
    }

    fn differentiable(&self, _: &[bool]) -> Result<(), &'static str> {
        Err("it is not computed here")
    }

    fn jvp(&self, _: &mut dyn Emit, x: Jvp<'_>) -> Tangents {
        x.results.iter().map(|_| None).collect()
    }
}
