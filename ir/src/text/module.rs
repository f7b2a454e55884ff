//! Modules and functions; and what can only be done when the whole text is known.

use super::attr::{Dict, Value as AttrValue};
use super::error::ParseError;
use super::lexer::{Tok, unescape};
use super::parser::{Frame, Parser, Res, mismatch};
use crate::entity::{Entity, EntityVec};
use crate::func::{Func, FuncId, FuncKind, InstId, Loc, Module};
use crate::interface::{Attributes, Interface};
use crate::op::{Call, Op};
use crate::types::{FloatMode, Type};
use crate::verify::cycle;
use std::collections::HashMap;
use std::sync::Arc;

/// The module attribute that holds the [`FloatMode`].
pub(crate) const FLOAT_MODE: &str = "wengert.float_mode";

/// The spelling of a float mode.
pub(crate) fn mode_name(mode: FloatMode) -> &'static str {
    match mode {
        FloatMode::Exact => "exact",
        FloatMode::Default => "default",
        FloatMode::Relaxed => "relaxed",
    }
}

impl<'s> Parser<'s> {
    /// The whole text: a module, or functions that make one.
    pub(super) fn module(mut self) -> Res<Module> {
        self.read()?;
        self.finish()
    }

    /// The whole text, and what it says of the parameters and results of its entry.
    pub(super) fn module_and_interface(mut self) -> Res<(Module, Option<Interface>)> {
        self.interfaces = Some(HashMap::new());
        self.read()?;
        let mut interfaces = self.interfaces.take().unwrap_or_default();
        let (src, lying) = (self.src(), std::mem::take(&mut self.lying));
        let module = self.finish()?;
        let mut interface = None;
        if let Some(func) = module.entry() {
            let (at, params, results) = interfaces.remove(&module.get(func).name).unwrap_or_default();
            let found = Interface::new(&module, func, params, results, lying);
            interface = Some(found.map_err(|e| ParseError::new(src, at, e))?);
        }
        Ok((module, interface))
    }

    fn read(&mut self) -> Res<()> {
        self.skip_aliases()?;
        if self.eat_word("module") || self.eat_word("builtin.module") {
            if let Tok::Symbol(_) = self.tok() {
                self.module.name = self.symbol()?;
            }
            if self.eat_word("attributes") {
                let attributes = self.dict()?;
                self.module_attributes(&attributes)?;
            }
            self.punct(b'{')?;
            self.symbols_of_module()?;
            self.end_of_module()?;
        } else if self.tok() == Tok::Str("builtin.module") {
            self.bump();
            self.module_generic()?;
            self.end_of_module()?;
        } else {
            while self.tok() != Tok::End {
                self.top_level()?;
                self.skip_aliases()?;
            }
        }
        Ok(())
    }

    /// Notes what a function says of what it takes and gives, if that is asked for.
    fn say(&mut self, name: &str, at: usize, params: Vec<Attributes>, results: Vec<Attributes>) {
        if let Some(interfaces) = &mut self.interfaces {
            interfaces.insert(name.to_owned(), (at, params, results));
        }
    }

    /// The text of attributes, once for each of these values, if it is asked for.
    fn texts(&mut self, out: &mut Vec<Attributes>, attributes: &Dict<'s>, values: usize) -> Res<()> {
        if self.interfaces.is_some() {
            let texts = self.attributes_with_meshes(attributes.texts(self.src()))?;
            out.extend(std::iter::repeat_n(texts, values));
        }
        Ok(())
    }

    /// The dictionaries of `arg_attrs` or `res_attrs`.
    fn listed(&mut self, attributes: &Dict<'s>, name: &str) -> Res<Vec<Attributes>> {
        let Some((AttrValue::Array(items), _)) = attributes.get(name) else { return Ok(Vec::new()) };
        let mut texts = |item: &AttrValue<'s>| match item {
            AttrValue::Dict(dict) => self.attributes_with_meshes(dict.texts(self.src())),
            _ => Ok(Attributes::default()),
        };
        items.iter().map(&mut texts).collect()
    }

    /// `"builtin.module"() <{sym_name = "m"}> ({ ... }) {attributes} : () -> ()`, after the name.
    fn module_generic(&mut self) -> Res<()> {
        self.punct(b'(')?;
        self.punct(b')')?;
        let properties = self.properties()?;
        self.module_attributes(&properties)?;
        self.punct(b'(')?;
        self.punct(b'{')?;
        if let Tok::Caret(_) = self.tok() {
            self.bump();
            self.punct(b':')?;
        }
        self.symbols_of_module()?;
        self.punct(b')')?;
        let attributes = self.optional_dict()?;
        self.module_attributes(&attributes)?;
        self.signature()?;
        Ok(())
    }

    /// What a module holds, and the brace that closes it.
    fn symbols_of_module(&mut self) -> Res<()> {
        while self.tok() != Tok::Punct(b'}') {
            self.top_level()?;
        }
        self.bump();
        Ok(())
    }

    fn end_of_module(&mut self) -> Res<()> {
        self.location_text()?;
        self.skip_aliases()?;
        if self.tok() != Tok::End {
            return self.expected("the end of the text after the module");
        }
        Ok(())
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

    pub(super) fn module_attributes(&mut self, dict: &Dict<'s>) -> Res<()> {
        if let Some((AttrValue::Str(name), _)) = dict.get("sym_name") {
            self.module.name = name.clone();
        }
        self.copies = dict.int("mhlo.num_replicas").unwrap_or(self.copies);
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

    /// What stands in a module: a function, or a mesh of devices.
    fn top_level(&mut self) -> Res<()> {
        let start = self.start();
        let read: fn(&mut Self, usize) -> Res<()> = match self.tok() {
            Tok::Ident("func.func") => Self::function,
            Tok::Str("func.func") => Self::function_generic,
            Tok::Ident("sdy.mesh") => |p, _| p.mesh_pretty(),
            Tok::Str("sdy.mesh") => |p, _| p.mesh_generic(),
            Tok::Ident(name) | Tok::Str(name) => {
                return self
                    .fail(format!("unknown operation `{name}` at module level; expected `func.func`"));
            }
            _ => return self.expected("`func.func`"),
        };
        self.bump();
        read(self, start)
    }

    /// `public @name(...) -> ... { ... }`, after `func.func`.
    fn function(&mut self, start: usize) -> Res<()> {
        let mut kind = FuncKind::Public;
        if self.eat_word("private") {
            kind = FuncKind::Private;
        } else if !self.eat_word("public") {
            self.eat_word("nested");
        }
        let at = self.start();
        let name = self.symbol()?;
        let id = self.declare(&name, kind, start, at)?;
        self.punct(b'(')?;
        let params_said = self.function_params()?;
        let results_at = self.start();
        let mut results_said = Vec::new();
        let results = if self.tok() == Tok::Arrow {
            self.bump();
            self.result_types(&mut results_said)?
        } else {
            Vec::new()
        };
        self.say(&name, at, params_said, results_said);
        if self.eat_word("attributes") {
            self.dict()?;
        }
        if self.eat(b'{') {
            self.function_body(id, &name, &results, results_at)?;
        }
        self.location_text()?;
        self.define(id);
        Ok(())
    }

    /// `() <{function_type = ..., sym_name = "name"}> ({ ... }) {attributes} : () -> ()`, after `"func.func"`. The attributes
    /// may stand behind the body (before MLIR had properties), and it is read with them: so first over it, then back.
    fn function_generic(&mut self, start: usize) -> Res<()> {
        self.punct(b'(')?;
        self.punct(b')')?;
        let mut attrs = self.properties()?;
        let body = self.lexer.clone();
        if self.tok() != Tok::Punct(b'(') {
            return self.expected("the body of a function, `({ ... })`");
        }
        self.skip_balanced()?;
        attrs.extend(self.optional_dict()?);
        self.signature()?;
        self.location_text()?;
        let end = self.lexer.clone();

        let Some((AttrValue::Str(name), at)) = attrs.get("sym_name") else {
            return self.fail_at(start, "`func.func` needs the attribute `sym_name`");
        };
        let Some((_, type_at)) = attrs.get("function_type") else {
            return self.fail_at(start, "`func.func` needs the attribute `function_type`");
        };
        let kind = match attrs.get("sym_visibility") {
            Some((AttrValue::Str(word), _)) if word == "private" => FuncKind::Private,
            _ => FuncKind::Public,
        };
        let name = name.clone();
        let id = self.declare(&name, kind, start, at)?;
        if self.interfaces.is_some() {
            let (params, results) = (self.listed(&attrs, "arg_attrs")?, self.listed(&attrs, "res_attrs")?);
            self.say(&name, at, params, results);
        }
        self.jump(type_at);
        self.word("function_type")?;
        self.punct(b'=')?;
        let params = self.types_in_parens()?;
        self.arrow()?;
        let results = self.types_in_parens()?;

        self.lexer = body;
        self.punct(b'(')?;
        self.punct(b'{')?;
        let params_at = self.start();
        if self.eat(b'}') {
            params.into_iter().for_each(|ty| {
                self.frame().func.param(ty); // of a declaration
            });
        } else {
            if let Tok::Caret(_) = self.tok() {
                self.bump();
                if self.eat(b'(') {
                    self.function_params()?;
                }
                self.punct(b':')?;
            }
            let actual = self.frame().func.param_types();
            if actual != params {
                return self.fail_at(params_at, mismatch(&format!("@{name}"), &actual, &params));
            }
            self.function_body(id, &name, &results, type_at)?;
        }
        self.lexer = end;
        self.define(id);
        Ok(())
    }

    /// Opens the frame of a function.
    pub(super) fn declare(&mut self, name: &str, kind: FuncKind, start: usize, at: usize) -> Res<FuncId> {
        let id = self.symbol_id(name, at);
        if self.known[id].defined.is_some() {
            return self.fail_at(at, format!("function `@{name}` is defined twice"));
        }
        self.known[id].defined = Some(start);
        self.order.push(id);
        self.frames.push(Frame::new(name, kind));
        Ok(id)
    }

    /// `%x: T {attributes} loc("x"), ...)`, or types alone: the parameters of the innermost function.
    fn function_params(&mut self) -> Res<Vec<Attributes>> {
        let (mut names, mut said) = (Vec::new(), Vec::new());
        while self.tok() != Tok::Punct(b')') {
            let before = self.frame().func.params.len();
            if let Tok::Value(..) = self.tok() {
                self.parameter()?;
            } else {
                for ty in self.types_in_parens()? {
                    self.frame().func.param(ty); // of a declaration
                }
            }
            let attributes = self.optional_dict()?;
            let values = self.frame().func.params.len() - before;
            self.texts(&mut said, &attributes, values)?;
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
        Ok(said)
    }

    /// The instructions of a function, and the brace that closes it.
    fn function_body(&mut self, id: FuncId, name: &str, results: &[Type], results_at: usize) -> Res<()> {
        self.deeper(|p| {
            while !p.instruction()? {}
            p.punct(b'}')
        })?;
        self.check_results(id, name, results, results_at)
    }

    /// Notes that the innermost function is complete, and checks that it gives what it says.
    pub(super) fn check_results(&mut self, id: FuncId, name: &str, results: &[Type], at: usize) -> Res<()> {
        let actual = self.frame().func.result_types();
        if actual != results {
            return self.fail_at(at, mismatch(&format!("@{name}"), &actual, results));
        }
        self.known[id].has_body = true;
        Ok(())
    }

    /// Closes the frame of a function.
    pub(super) fn define(&mut self, id: FuncId) {
        let (func, _, deferred) = self.pop_frame().finish();
        self.deferred.extend(deferred.into_iter().map(|(inst, at)| (id, inst, at)));
        self.module.funcs[id] = Arc::new(func);
    }

    /// `T` or `(T {attributes}, ...)`.
    fn result_types(&mut self, said: &mut Vec<Attributes>) -> Res<Vec<Type>> {
        let mut out = Vec::new();
        if !self.eat(b'(') {
            self.type_into(&mut out)?;
            return Ok(out);
        }
        while self.tok() != Tok::Punct(b')') {
            let before = out.len();
            self.type_into(&mut out)?;
            let attributes = self.optional_dict()?;
            self.texts(said, &attributes, out.len() - before)?;
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
    pub(super) fn finish(mut self) -> Res<Module> {
        for (id, func) in self.module.funcs.iter().filter(|(_, f)| f.kind != FuncKind::Region) {
            if self.known[id].defined.is_none() {
                let message = format!("function `@{}` is not defined", func.name);
                return self.fail_at(self.known[id].used, message);
            }
        }
        self.feed();
        self.name_composites();
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
        let mut out = Module { name: self.module.name, mode: self.module.mode, ..Module::default() };
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
