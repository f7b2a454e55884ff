//! The parser's state: tokens, scopes, symbols, and how an instruction gets into a function.

use super::aliases::Locations;
use super::captures::{Captures, Region};
use super::error::ParseError;
pub(super) use super::frame::{Frame, Instr, NamedMesh, Res, Said, Symbol, Use, Uses};
use super::frame::{Name, Shape, Signature};
use super::labels::result_label;
use super::lexer::{Lexer, Tok, unescape};
use super::lines::Lines;
use crate::entity::EntityVec;
use crate::func::{Def, Func, FuncId, FuncKind, InstId, Loc, Module, Value, ValueData, Values};
use crate::interface::Lying;
use crate::op::Op;
use crate::types::Type;
use smallvec::SmallVec;
use std::collections::HashMap;
use std::sync::Arc;

/// How deep regions, lists and dictionaries may nest together.
const MAX_NESTING: usize = 256;

/// How many bytes of meshes may stand in place of their names: in any text, and for each of its bytes.
const MIN_MESHES: usize = 1 << 16;
const MESHES_PER_BYTE: usize = 4;

/// How many captured values even a short text may have.
const MIN_CAPTURES: usize = 1 << 16;

/// Reads one text.
pub(super) struct Parser<'s> {
    pub(super) lexer: Lexer<'s>,
    pub(super) locations: Locations<'s>,
    /// All functions: symbols get an id at their first mention, regions when they are complete.
    pub(super) module: Module,
    /// Ids of symbols.
    pub(super) symbols: HashMap<String, FuncId>,
    /// What is known of the function of each id; of a region, nothing.
    pub(super) known: EntityVec<FuncId, Symbol>,
    /// How many sequences of random numbers the text has drawn from so far.
    pub(super) streams: usize,
    /// Symbols in the order of their definitions.
    pub(super) order: Vec<FuncId>,
    /// What functions say of what they take and give, if it is asked for.
    pub(super) interfaces: Option<HashMap<String, Said>>,
    /// How values of public functions lie, if that is asked for too.
    pub(super) lying: Lying,
    /// The function being read and the regions open in it, outermost first.
    pub(super) frames: Vec<Frame<'s>>,
    /// The captures of the operation that each open region belongs to; one entry less than `frames`
    /// while instructions are read.
    pub(super) captures: Vec<Captures>,
    /// Instructions to check at the end.
    pub(super) deferred: Vec<(FuncId, InstId, usize)>,
    /// Programs that are fed: what each `infeed` of theirs gives, in order.
    pub(super) fed: Vec<(FuncId, Vec<FuncId>)>,
    /// Meshes of devices by name.
    pub(super) meshes: HashMap<String, Arc<NamedMesh>>,
    /// Those of the whole text, found when one is named that is not among `meshes` yet.
    pub(super) meshes_below: Option<HashMap<String, Arc<NamedMesh>>>,
    /// How many bytes of meshes may still stand in place of their names.
    pub(super) meshes_left: usize,
    /// How many copies of the program run at once, as its module says.
    pub(super) copies: i64,
    /// Whether composites of ours stay composites.
    pub(super) keep_composites: bool,
    depth: usize,
    /// Where lines start, found when first asked for.
    pub(super) lines: Option<Lines>,
    /// The name of the text, for instructions that do not say where they come from; without it they stay so.
    pub(super) file: Option<&'s str>,
    /// How the results of the last type list are built; empty if it has no tuple.
    pub(super) result_shapes: Vec<Shape>,
    /// The tuple among the operands read last.
    pub(super) tuple_operand: Option<(usize, Shape)>,
    /// How many parameters may still be made for captured values. A capture that passes through many regions
    /// is a parameter of each, so a text could otherwise ask for much more memory than its length.
    captures_left: usize,
}

impl<'s> Parser<'s> {
    /// A parser at the start of a text.
    pub(super) fn new(src: &'s str) -> Self {
        Self {
            lexer: Lexer::new(src),
            locations: Locations::new(src),
            module: Module::default(),
            symbols: HashMap::new(),
            known: EntityVec::new(),
            streams: 0,
            order: Vec::new(),
            interfaces: None,
            lying: Lying::new(),
            frames: Vec::new(),
            captures: Vec::new(),
            deferred: Vec::new(),
            fed: Vec::new(),
            meshes: HashMap::new(),
            meshes_below: None,
            meshes_left: MIN_MESHES + MESHES_PER_BYTE * src.len(),
            copies: 1,
            keep_composites: false,
            depth: 0,
            lines: None,
            file: None,
            result_shapes: Vec::new(),
            tuple_operand: None,
            captures_left: MIN_CAPTURES + src.len(),
        }
    }

    /// The parser of a text that is called `file`: an instruction without a location is at its place in it.
    pub(super) fn placed(src: &'s str, file: &'s str) -> Self {
        Self { file: Some(file), ..Self::new(src) }
    }

    // Tokens.

    pub(super) fn src(&self) -> &'s str {
        self.lexer.src
    }
    pub(super) fn tok(&self) -> Tok<'s> {
        self.lexer.tok
    }
    pub(super) fn start(&self) -> usize {
        self.lexer.start
    }
    pub(super) fn end(&self) -> usize {
        self.lexer.pos
    }
    pub(super) fn bump(&mut self) {
        self.lexer.advance();
    }
    pub(super) fn jump(&mut self, at: usize) {
        self.lexer.jump(at);
    }
    pub(super) fn skip_blank(&self, at: usize) -> usize {
        self.lexer.skip_blank(at)
    }

    pub(super) fn fail_at<T>(&self, at: usize, message: impl Into<String>) -> Res<T> {
        Err(ParseError::new(self.src(), at, message))
    }
    pub(super) fn fail<T>(&self, message: impl Into<String>) -> Res<T> {
        self.fail_at(self.start(), message)
    }
    pub(super) fn expected<T>(&self, what: &str) -> Res<T> {
        self.fail(format!("expected {what}, found {}", self.tok().describe()))
    }

    /// Goes past a sign if it is there.
    pub(super) fn eat(&mut self, sign: u8) -> bool {
        let there = self.tok() == Tok::Punct(sign);
        if there {
            self.bump();
        }
        there
    }
    pub(super) fn punct(&mut self, sign: u8) -> Res<()> {
        if self.eat(sign) { Ok(()) } else { self.expected(&format!("`{}`", sign as char)) }
    }
    pub(super) fn arrow(&mut self) -> Res<()> {
        if self.tok() == Tok::Arrow {
            self.bump();
            Ok(())
        } else {
            self.expected("`->`")
        }
    }
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let there = self.tok() == Tok::Ident(word);
        if there {
            self.bump();
        }
        there
    }
    pub(super) fn word(&mut self, word: &str) -> Res<()> {
        if self.eat_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }
    /// `@name`, without the sign.
    pub(super) fn symbol(&mut self) -> Res<String> {
        let Tok::Symbol(raw) = self.tok() else { return self.expected("a symbol, `@name`") };
        self.bump();
        Ok(match raw.strip_prefix('"').and_then(|r| r.strip_suffix('"')) {
            Some(quoted) => unescape(quoted),
            None => raw.to_owned(),
        })
    }

    /// Runs `f` one level deeper.
    pub(super) fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        if self.depth == MAX_NESTING {
            return self.fail(format!("nested more than {MAX_NESTING} deep"));
        }
        self.depth += 1;
        let out = f(self);
        self.depth -= 1;
        out
    }

    // Scopes.

    /// The innermost function under construction. There is one wherever instructions are read.
    pub(super) fn frame(&mut self) -> &mut Frame<'s> {
        self.frames.last_mut().expect("instructions are read inside a function")
    }

    /// Type of a value of the innermost function.
    pub(super) fn value_type(&self, value: Value) -> &Type {
        self.frames.last().expect("instructions are read inside a function").func.ty(value)
    }

    /// `%name` as an operand.
    pub(super) fn operand(&mut self) -> Res<Use> {
        let at = self.start();
        let Tok::Value(name, k) = self.tok() else { return self.expected("a value, `%name`") };
        let Some(value) = self.visible((name, k.unwrap_or(0))) else {
            return self.fail(format!("undefined value {}", self.tok().describe()));
        };
        self.bump();
        Ok((value, at))
    }

    /// What `%name#k` is in the innermost function.
    fn visible(&mut self, key: Name<'s>) -> Option<Value> {
        let top = self.frames.len() - 1;
        let (found, value) = (0..=top).rev().find_map(|j| Some((j, *self.frames[j].names.get(&key)?)))?;
        let value = self.captured(value, found);
        if found < top {
            self.frames[top].names.insert(key, value);
        }
        Some(value)
    }

    /// What a value of frame `found` is in the innermost one.
    fn captured(&mut self, mut value: Value, found: usize) -> Value {
        // Each region between the definition and the use captures it.
        for j in found + 1..self.frames.len() {
            let ty = self.frames[j - 1].func.ty(value).clone();
            self.captures[j - 1].add(value, &ty);
            let frame = &mut self.frames[j];
            value = *frame.outer.entry(value).or_insert_with(|| {
                // Region::close makes it a parameter.
                frame.func.values.push(ValueData { ty, def: Def::Param(u32::MAX) })
            });
        }
        value
    }

    /// An operand, or all values of a tuple.
    fn operand_into(&mut self, out: &mut Uses) -> Res<()> {
        let at = self.start();
        if let Tok::Value(name, k) = self.tok()
            && self.tuple_into((name, k.unwrap_or(0)), at, out)
        {
            self.bump();
            return Ok(());
        }
        let operand = self.operand()?;
        out.push(operand);
        Ok(())
    }

    /// The values of a tuple, if `%name#k` is one.
    fn tuple_into(&mut self, key: Name<'s>, at: usize, out: &mut Uses) -> bool {
        let found = (0..self.frames.len())
            .rev()
            .find(|&j| self.frames[j].names.contains_key(&key) || self.frames[j].tuples.contains_key(&key));
        if let Some(j) = found
            && let Some((values, shape)) = self.frames[j].tuples.get(&key).cloned()
        {
            self.tuple_operand = Some((out.len(), shape));
            for value in values {
                let value = self.captured(value, j);
                out.push((value, at));
            }
            return true;
        }
        false
    }

    /// An operand by its name, or all values of a tuple.
    pub(super) fn named_into(&mut self, key: Name<'s>, at: usize, out: &mut Uses) -> Res<()> {
        if self.tuple_into(key, at, out) {
            return Ok(());
        }
        match self.visible(key) {
            Some(value) => out.push((value, at)),
            None => return self.fail_at(at, "an operand that is not defined here"),
        }
        Ok(())
    }

    /// `%a, %b` up to something that is not a comma and a value.
    pub(super) fn operands(&mut self) -> Res<Uses> {
        let mut out = Uses::new();
        self.tuple_operand = None;
        if !matches!(self.tok(), Tok::Value(..)) {
            return Ok(out);
        }
        loop {
            self.operand_into(&mut out)?;
            // The comma may belong to an attribute.
            let mut ahead = self.lexer.clone();
            if ahead.tok != Tok::Punct(b',') {
                return Ok(out);
            }
            ahead.advance();
            if !matches!(ahead.tok, Tok::Value(..)) {
                return Ok(out);
            }
            self.lexer = ahead;
        }
    }

    /// Makes `%name` visible.
    pub(super) fn bind(&mut self, name: &'s str, k: u32, value: Value, at: usize) -> Res<()> {
        if self.frame().names.insert((name, k), value).is_some() {
            return self.fail_at(at, format!("`%{name}` is defined twice"));
        }
        Ok(())
    }

    /// `%name: type` with what may follow it, as a parameter of the innermost function.
    pub(super) fn parameter(&mut self) -> Res<()> {
        let at = self.start();
        let Tok::Value(name, None) = self.tok() else { return self.expected("a parameter, `%name`") };
        self.bump();
        self.punct(b':')?;
        let mut types = Vec::new();
        let shape = self.type_into(&mut types)?;
        let values: Vec<Value> = types.into_iter().map(|ty| self.frame().func.param(ty)).collect();
        self.bind_shape(name, 0, &values, &shape, at)
    }

    /// Makes `%name#k` visible as what it is built of.
    pub(super) fn bind_shape(
        &mut self,
        name: &'s str,
        k: u32,
        values: &[Value],
        shape: &Shape,
        at: usize,
    ) -> Res<()> {
        match (shape, values) {
            (Shape::Leaf, [value]) => self.bind(name, k, *value, at),
            _ => self.bind_tuple(name, k, values.to_vec(), shape.clone(), at),
        }
    }

    /// Makes `%name` visible as a tuple.
    fn bind_tuple(&mut self, name: &'s str, k: u32, values: Vec<Value>, shape: Shape, at: usize) -> Res<()> {
        let frame = self.frame();
        if frame.names.contains_key(&(name, k)) || frame.tuples.insert((name, k), (values, shape)).is_some() {
            return self.fail_at(at, format!("`%{name}` is defined twice"));
        }
        Ok(())
    }

    // Symbols.

    /// The id of a function by name, which may not be defined yet.
    pub(super) fn symbol_id(&mut self, name: &str, at: usize) -> FuncId {
        if let Some(&id) = self.symbols.get(name) {
            return id;
        }
        let id = self.module.add(Func::new(name, FuncKind::Private));
        self.known.push(Symbol { used: at, ..Symbol::default() });
        self.symbols.insert(name.to_owned(), id);
        id
    }

    /// Adds a complete region to the module.
    pub(super) fn add_region(&mut self, captures: &Captures, region: Region<'s>) -> Res<FuncId> {
        let Some(left) = self.captures_left.checked_sub(captures.values.len()) else {
            return self.fail("the regions of this program capture too many values");
        };
        self.captures_left = left;
        let (func, deferred) = region.close(captures);
        let id = self.module.add(func);
        self.known.push(Symbol::default());
        self.deferred.extend(deferred.into_iter().map(|(inst, at)| (id, inst, at)));
        Ok(id)
    }

    // Instructions.

    /// Checks that operands have the types that the text says.
    pub(super) fn check_operands(&self, operands: &[Use], types: &[Type], at: usize) -> Res<()> {
        if operands.len() != types.len() {
            return self
                .fail_at(at, format!("{} operands but {} operand types", operands.len(), types.len()));
        }
        for (&(value, place), said) in operands.iter().zip(types) {
            let actual = self.value_type(value);
            if actual != said {
                return self.fail_at(place, format!("this value has type {actual}, used here as {said}"));
            }
        }
        Ok(())
    }

    /// A signature whose operand types are checked; gives the result types. A bare type is that of all
    /// operands and of the one result.
    pub(super) fn typed(&mut self, operands: &Uses) -> Res<Vec<Type>> {
        let at = self.start();
        match self.signature()? {
            Signature::Function(types, results) | Signature::Arrow(types, results) => {
                self.check_operands(operands, &types, at)?;
                Ok(results)
            }
            Signature::Bare(types) if types.len() == 1 => {
                let all = vec![types[0].clone(); operands.len()];
                self.check_operands(operands, &all, at)?;
                Ok(types)
            }
            Signature::Bare(_) => {
                self.fail_at(at, "expected one type, or operand types, `->` and result types")
            }
        }
    }

    /// Reads one instruction or the terminator of a region; `true` for the latter.
    pub(super) fn instruction(&mut self) -> Res<bool> {
        // Names of results: `%a, %b:2 =`.
        let mut names: SmallVec<[(&'s str, usize, usize); 2]> = SmallVec::new();
        let mut named = 0usize;
        if matches!(self.tok(), Tok::Value(..)) {
            loop {
                let at = self.start();
                let Tok::Value(name, None) = self.tok() else { return self.expected("the name of a result") };
                self.bump();
                let mut count = 1;
                if self.eat(b':') {
                    let Tok::Number(text) = self.tok() else { return self.expected("a number of results") };
                    count = match text.parse::<u16>() {
                        Ok(n) if n > 0 => n as usize,
                        _ => return self.expected("a number of results"),
                    };
                    self.bump();
                }
                names.push((name, count, at));
                named += count;
                if !self.eat(b',') {
                    break;
                }
            }
            self.punct(b'=')?;
        }
        let at = self.start();
        let (name, generic) = match self.tok() {
            Tok::Ident(name) => (name, false),
            Tok::Str(name) => (name, true),
            _ => return self.expected("an operation"),
        };
        self.bump();
        if matches!(name, "return" | "func.return" | "stablehlo.return" | "sdy.return") {
            if !names.is_empty() {
                return self.fail_at(at, "a return has no results");
            }
            self.terminator(generic)?;
            return Ok(true);
        }
        self.result_shapes.clear();
        let instr = if generic { self.generic(name, at)? } else { self.pretty(name, at)? };
        let shapes = std::mem::take(&mut self.result_shapes);
        let mut loc = self.location()?;
        // A failed check shows its line, whatever the text is called.
        if loc == Loc::Unknown && (self.file.is_some() || matches!(instr.op, Op::Check(_) | Op::Assert(_))) {
            loc = self.place(at);
        }
        let results = self.push(instr, at, loc)?;
        if shapes.iter().any(|s| *s != Shape::Leaf) {
            return self.bind_shapes(&names, &shapes, &results).map(|()| false);
        }
        if named != results.len() && !names.is_empty() {
            let plural = if results.len() == 1 { "" } else { "s" };
            return self
                .fail_at(names[0].2, format!("`{name}` has {} result{plural}, not {named}", results.len()));
        }
        let mut results = results.into_iter();
        for (name, count, at) in names {
            for k in 0..count {
                let value = results.next().expect("counted above");
                self.bind(name, k as u32, value, at)?;
            }
        }
        Ok(false)
    }

    /// Gives names to results of which some are tuples.
    fn bind_shapes(
        &mut self,
        names: &[(&'s str, usize, usize)],
        shapes: &[Shape],
        results: &[Value],
    ) -> Res<()> {
        let mut shapes = shapes.iter();
        let mut rest = results;
        for &(name, count, at) in names {
            for k in 0..count {
                let Some((shape, part)) =
                    shapes.next().and_then(|s| Some((s, rest.split_at_checked(s.len())?)))
                else {
                    return self.fail_at(at, "more names than results");
                };
                rest = part.1;
                self.bind_shape(name, k as u32, part.0, shape, at)?;
            }
        }
        Ok(())
    }

    /// What follows the word `return`.
    fn terminator(&mut self, generic: bool) -> Res<()> {
        let at = self.start();
        let operands;
        if generic {
            self.punct(b'(')?;
            operands = self.operands()?;
            self.punct(b')')?;
            self.optional_dict()?;
            let types = match self.signature()? {
                Signature::Function(types, results) if results.is_empty() => types,
                _ => return self.fail_at(at, "a return has operand types and no results"),
            };
            self.check_operands(&operands, &types, at)?;
        } else {
            operands = self.operands()?;
            if !operands.is_empty() {
                self.punct(b':')?;
                let types = self.type_list()?;
                self.check_operands(&operands, &types, at)?;
            }
        }
        self.location_text()?;
        self.frame().func.results = operands.iter().map(|u| u.0).collect();
        Ok(())
    }

    /// Appends an instruction to the innermost function.
    pub(super) fn push(&mut self, instr: Instr, at: usize, loc: Loc) -> Res<Values> {
        let Instr { op, operands, results, deferred, given } = instr;
        if let Some(values) = given {
            return Ok(values);
        }
        let frame = self.frames.last_mut().expect("instructions are read inside a function");
        if op.is_open(operands.iter().map(|&v| frame.func.ty(v)).chain(&results)) {
            // What it gives is only known with the sizes.
            return Ok(frame.func.push_typed(op, &operands, results, loc));
        }
        if deferred {
            frame.deferred.push((frame.func.insts.next_key(), at));
            return Ok(frame.func.push_typed(op, &operands, results, loc));
        }
        let types: SmallVec<[Type; 4]> = operands.iter().map(|&v| frame.func.ty(v).clone()).collect();
        match op.infer(&self.module, &types) {
            Ok(inferred) if inferred[..] == results[..] => {
                Ok(frame.func.push_typed(op, &operands, results, loc))
            }
            Ok(inferred) => self.fail_at(at, mismatch(op.name(), &inferred, &results)),
            Err(e) => self.fail_at(at, e.to_string()),
        }
    }

    /// Takes the frame of a complete function and keeps what must be checked later.
    pub(super) fn pop_frame(&mut self) -> Frame<'s> {
        self.frames.pop().expect("pushed by the caller")
    }
}

/// The message for result types that differ from what the operation gives.
pub(super) fn mismatch(name: &str, inferred: &[Type], said: &[Type]) -> String {
    let list = |types: &[Type]| types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ");
    let label = result_label(name, inferred, said).map_or(String::new(), |label| format!(" ({label})"));
    format!("`{name}` gives ({}), but the text says ({}){label}", list(inferred), list(said))
}
