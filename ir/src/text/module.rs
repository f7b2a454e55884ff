//! Modules and functions; and what can only be done when the whole text is known.

use super::attr::Value as AttrValue;
use super::lexer::{Tok, unescape};
use super::parser::{Frame, Parser, Res, mismatch};
use crate::entity::{Entity, EntityVec};
use crate::func::{Func, FuncId, FuncKind, InstId, Loc, Module};
use crate::op::{Call, Op};
use crate::types::{FloatMode, Type};
use crate::verify::cycle;
use std::sync::Arc;

/// The module attribute that holds the [`FloatMode`].
pub(super) const FLOAT_MODE: &str = "wengert.float_mode";

/// The spelling of a float mode.
pub(super) fn mode_name(mode: FloatMode) -> &'static str {
    match mode {
        FloatMode::Exact => "exact",
        FloatMode::Default => "default",
        FloatMode::Relaxed => "relaxed",
    }
}

impl<'s> Parser<'s> {
    /// The whole text: a module, or functions that make one.
    pub(super) fn module(mut self) -> Res<Module> {
        self.skip_aliases()?;
        if self.eat_word("module") || self.eat_word("builtin.module") {
            if let Tok::Symbol(_) = self.tok() {
                self.module.name = self.symbol()?;
            }
            if self.eat_word("attributes") {
                self.module_attributes()?;
            }
            self.punct(b'{')?;
            while self.tok() != Tok::Punct(b'}') {
                self.function()?;
            }
            self.bump();
            self.location_text()?;
            self.skip_aliases()?;
            if self.tok() != Tok::End {
                return self.expected("the end of the text after the module");
            }
        } else {
            while self.tok() != Tok::End {
                self.function()?;
                self.skip_aliases()?;
            }
        }
        self.finish()
    }

    /// `#name = ...` lines between and after functions. Locations were collected before; others are not ours.
    fn skip_aliases(&mut self) -> Res<()> {
        while let Tok::Hash(_) = self.tok() {
            self.bump();
            self.punct(b'=')?;
            if self.location_text()?.is_none() {
                self.attribute()?;
            }
        }
        Ok(())
    }

    fn module_attributes(&mut self) -> Res<()> {
        let dict = self.dict()?;
        if let Some((value, at)) = dict.get(FLOAT_MODE) {
            let modes = [FloatMode::Exact, FloatMode::Default, FloatMode::Relaxed];
            let found = match value {
                AttrValue::Str(text) => modes.into_iter().find(|&m| mode_name(m) == text),
                _ => None,
            };
            match found {
                Some(mode) => self.module.mode = mode,
                None => return self.fail_at(at, "expected \"exact\", \"default\" or \"relaxed\""),
            }
        }
        Ok(())
    }

    /// `func.func public @name(...) -> ... { ... }`.
    fn function(&mut self) -> Res<()> {
        let start = self.start();
        if !self.eat_word("func.func") {
            return match self.tok() {
                Tok::Ident(name) | Tok::Str(name) => {
                    self.fail(format!("unknown operation `{name}` at module level; expected `func.func`"))
                }
                _ => self.expected("`func.func`"),
            };
        }
        let mut kind = FuncKind::Public;
        if self.eat_word("private") {
            kind = FuncKind::Private;
        } else if !self.eat_word("public") {
            self.eat_word("nested");
        }
        let at = self.start();
        let name = self.symbol()?;
        let id = self.symbol_id(&name, at);
        if self.known[id].defined.is_some() {
            return self.fail_at(at, format!("function `@{name}` is defined twice"));
        }
        self.known[id].defined = Some(start);
        self.order.push(id);
        self.frames.push(Frame::new(&name, kind));
        let mut names = Vec::new();
        self.punct(b'(')?;
        while self.tok() != Tok::Punct(b')') {
            if let Tok::Value(..) = self.tok() {
                self.parameter()?;
            } else {
                for ty in self.types_in_parens()? {
                    self.frame().func.param(ty); // of a declaration
                }
            }
            self.optional_dict()?;
            let name = self.location_text()?.and_then(|t| t.strip_prefix('"')?.strip_suffix('"'));
            names.push(name.filter(|n| !n.contains('"')).map(unescape).unwrap_or_default());
            if !self.eat(b',') {
                break;
            }
        }
        self.punct(b')')?;
        while names.last().is_some_and(String::is_empty) {
            names.pop();
        }
        self.frame().func.param_names = names;
        let results_at = self.start();
        let results = if self.tok() == Tok::Arrow {
            self.bump();
            self.result_types()?
        } else {
            Vec::new()
        };
        if self.eat_word("attributes") {
            self.dict()?;
        }
        if self.eat(b'{') {
            self.deeper(|p| {
                while !p.instruction()? {}
                p.punct(b'}')
            })?;
            let func = &self.frame().func;
            let actual = func.result_types();
            if actual != results {
                return self.fail_at(results_at, mismatch(&format!("@{name}"), &actual, &results));
            }
            self.known[id].has_body = true;
        }
        self.location_text()?;
        let (func, _, deferred) = self.pop_frame().finish();
        self.deferred.extend(deferred.into_iter().map(|(inst, at)| (id, inst, at)));
        self.module.funcs[id] = Arc::new(func);
        Ok(())
    }

    /// `T` or `(T {attributes}, ...)`.
    fn result_types(&mut self) -> Res<Vec<Type>> {
        let mut out = Vec::new();
        if !self.eat(b'(') {
            self.type_into(&mut out)?;
            return Ok(out);
        }
        while self.tok() != Tok::Punct(b')') {
            self.type_into(&mut out)?;
            self.optional_dict()?;
            if !self.eat(b',') {
                break;
            }
        }
        self.punct(b')')?;
        Ok(out)
    }

    /// Makes each `infeed` of a program that is fed the call of what it gives; it hands its token on.
    fn feed(&mut self) {
        for (program_id, queues) in std::mem::take(&mut self.fed) {
            let mut queues = queues.into_iter();
            let places: Vec<InstId> = (self.module.funcs[program_id].insts.iter())
                .filter(|(_, inst)| matches!(&inst.op, Op::Foreign(f) if &*f.name == "stablehlo.infeed"))
                .map(|(place, _)| place)
                .collect();
            for (place, queue) in places.into_iter().zip(&mut queues) {
                let types = self.module.funcs[queue].result_types();
                let name = self.module.fresh_name("infeed");
                let mut give = Func::new(name.clone(), FuncKind::Private);
                let token = give.param(Type::Token);
                let given = give.push_typed(Op::from(Call { callee: queue }), &[], types, Loc::Unknown);
                give.results = given.iter().copied().chain([token]).collect();
                let callee = self.symbol_id(&name, 0);
                self.module.funcs[callee] = Arc::new(give);
                self.known[callee].defined = Some(0);
                self.known[callee].has_body = true;
                self.order.push(callee);
                let program = Arc::make_mut(&mut self.module.funcs[program_id]);
                program.insts[place].op = Call { callee }.into();
                // Its types are those of the text, which the function may not have.
                self.deferred.push((program_id, place, self.known[queue].used));
            }
        }
    }

    /// Drops decompositions, checks what refers to functions by symbol, and puts functions in order:
    /// those with symbols as in the text, then regions.
    fn finish(mut self) -> Res<Module> {
        for (id, func) in self.module.funcs.iter().filter(|(_, f)| f.kind != FuncKind::Region) {
            if self.known[id].defined.is_none() {
                let message = format!("function `@{}` is not defined", func.name);
                return self.fail_at(self.known[id].used, message);
            }
        }
        self.feed();
        let mut live = EntityVec::<FuncId, bool>::filled(false, self.module.funcs.len());
        let is_root = |id: &FuncId| !self.known[*id].decomposition && self.known[*id].body_of.is_none();
        let mut work: Vec<FuncId> = self.order.iter().copied().filter(is_root).collect();
        while let Some(id) = work.pop() {
            if std::mem::replace(&mut live[id], true) {
                continue;
            }
            let symbol = &self.known[id];
            if let Some(at) = symbol.defined
                && !symbol.has_body
            {
                return self.fail_at(at, "a function without a body is not supported here");
            }
            for inst in self.module.funcs[id].insts.values() {
                if let Op::Call(call) = &inst.op
                    && let Some(at) = self.known[call.callee].body_of
                {
                    return self.fail_at(at, "the body of a composite operation is also called");
                }
                work.extend(inst.op.callees());
            }
        }
        if let Some(id) = cycle(&self.module) {
            let at = self.known[id].defined.or(self.known[id].body_of).unwrap_or(0);
            return self.fail_at(at, "this function calls itself, directly or through others");
        }
        for &(func, inst, at) in self.deferred.iter().filter(|d| live[d.0]) {
            let func = &self.module.funcs[func];
            let inst = &func.insts[inst];
            if inst.op.is_open(inst.operands.iter().chain(&inst.results).map(|&v| func.ty(v))) {
                continue;
            }
            let operands: Vec<Type> = inst.operands.iter().map(|&v| func.ty(v).clone()).collect();
            let said: Vec<Type> = inst.results.iter().map(|&v| func.ty(v).clone()).collect();
            match inst.op.infer(&self.module, &operands) {
                Ok(types) if types[..] == said[..] => {}
                Ok(types) => return self.fail_at(at, mismatch(inst.op.name(), &types, &said)),
                Err(e) => return self.fail_at(at, e.to_string()),
            }
        }

        let symbols = self.order.iter().copied().filter(|&id| self.known[id].body_of.is_none());
        let regions = live
            .keys()
            .filter(|&id| self.known[id].body_of.is_some() || self.module.funcs[id].kind == FuncKind::Region);
        let order: Vec<FuncId> = symbols.chain(regions).filter(|&id| live[id]).collect();
        let mut new = EntityVec::<FuncId, FuncId>::filled(FuncId::from_index(0), self.module.funcs.len());
        for (k, &id) in order.iter().enumerate() {
            new[id] = FuncId::from_index(k);
        }
        let mut funcs: Vec<Option<Arc<Func>>> =
            std::mem::take(&mut self.module.funcs).values().cloned().map(Some).collect();
        let mut out = Module { name: self.module.name, mode: self.module.mode, funcs: EntityVec::new() };
        for id in order {
            let Some(func) = funcs[id.index()].take() else { continue };
            let mut func = Arc::try_unwrap(func).unwrap_or_else(|shared| Func::clone(&shared));
            if self.known[id].body_of.is_some() {
                func.kind = FuncKind::Region;
                func.name.clear();
                func.param_names.clear();
            }
            for inst in func.insts.values_mut() {
                inst.op.map_callees(&mut |c| new[c]);
            }
            out.add(func);
        }
        Ok(out)
    }
}
