//! Writes modules, functions and regions.

use super::lexer::{write_quoted, write_symbol};
use super::module::{FLOAT_MODE, mode_name};
use super::names::{Counters, Name, Scope};
use crate::entity::EntityVec;
use crate::func::{Func, FuncId, FuncKind, Inst, Loc, Module, Value};
use crate::op::Op;
use crate::types::{FloatMode, Type};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::fmt::Write;
use std::sync::Arc;

/// How to print.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PrintOptions {
    /// Whether instructions show `loc(...)` where it is known.
    pub locations: bool,
    /// Whether operations that only we have are calls of what they stand for, instead of composites. Such a text is
    /// plain StableHLO and CHLO, and reads back as the longer program.
    pub plain: bool,
}

/// The text of a module: every function that is not a region, and the functions that its composite
/// operations need.
pub fn print(module: &Module, options: &PrintOptions) -> String {
    let mut printer = Printer::new(module, *options);
    printer.module();
    printer.out
}

/// The text of one function with everything it reaches.
pub fn print_func(module: &Module, func: FuncId, options: &PrintOptions) -> String {
    let (mut part, roots) = module.reachable(&[func]);
    let root = roots[0];
    if part.funcs[root].kind == FuncKind::Region {
        let mut shown = Func::clone(&part.funcs[root]);
        shown.kind = FuncKind::Private;
        part.funcs[root] = Arc::new(shown);
    }
    print(&part, options)
}

/// The lines of a function that refers to no other, as a decomposition has them.
pub(super) fn body_text(func: &Func) -> String {
    let module = Module::default();
    let mut printer = Printer::new(&module, PrintOptions::default());
    let mut counters = Counters::default();
    let params: Vec<Name> = func.params.iter().map(|_| counters.arg()).collect();
    printer.body(&Scope::new(func, &params, counters, 4));
    printer.out
}

/// A function that a composite operation needs, printed after the module's own.
pub(super) enum Pending {
    /// The body of an operation, under a symbol.
    Body(String, FuncId),
    /// A decomposition.
    Text(String),
}

/// Writes one module.
pub(super) struct Printer<'m> {
    pub(super) module: &'m Module,
    pub(super) options: PrintOptions,
    pub(super) out: String,
    /// The symbol of each function, unique.
    pub(super) symbols: EntityVec<FuncId, String>,
    /// Which functions are printed under their symbol.
    shown: EntityVec<FuncId, bool>,
    /// All symbols given out.
    pub(super) taken: HashSet<String>,
    pub(super) pending: VecDeque<Pending>,
    /// Decompositions that serve every operation of a type.
    pub(super) shared: BTreeMap<(&'static str, String), String>,
    /// Number of the next composite operation that needs functions of its own.
    pub(super) composites: usize,
}

impl<'m> Printer<'m> {
    fn new(module: &'m Module, options: PrintOptions) -> Self {
        let mut printer = Printer {
            module,
            options,
            out: String::new(),
            symbols: EntityVec::new(),
            shown: EntityVec::new(),
            taken: HashSet::new(),
            pending: VecDeque::new(),
            shared: BTreeMap::new(),
            composites: 0,
        };
        // What is called needs a symbol, whatever its kind; what is only a body is shown where it is used.
        let mut called = EntityVec::<FuncId, bool>::filled(false, module.funcs.len());
        let mut body = called.clone();
        for inst in module.funcs.values().flat_map(|f| f.insts.values()) {
            let is_call = matches!(inst.op, Op::Call(_) | Op::Composite(_));
            for callee in inst.op.callees() {
                if is_call { called[callee] = true } else { body[callee] = true }
            }
        }
        for (id, func) in module.funcs.iter() {
            let shown = match func.kind {
                FuncKind::Public => true,
                FuncKind::Private => called[id] || !body[id],
                FuncKind::Region => called[id],
            };
            printer.shown.push(shown);
            let symbol = if shown { printer.fresh(&func.name) } else { String::new() };
            printer.symbols.push(symbol);
        }
        printer
    }

    /// A symbol that is not taken: the name itself if possible.
    pub(super) fn fresh(&mut self, name: &str) -> String {
        let name = if name.is_empty() { "func" } else { name };
        let mut symbol = name.to_owned();
        let mut k = 0;
        while !self.taken.insert(symbol.clone()) {
            symbol = format!("{name}_{k}");
            k += 1;
        }
        symbol
    }

    fn module(&mut self) {
        self.out.push_str("module ");
        if !self.module.name.is_empty() {
            write_symbol(&mut self.out, &self.module.name);
            self.out.push(' ');
        }
        if self.module.mode != FloatMode::Default {
            let _ = write!(self.out, "attributes {{{FLOAT_MODE} = \"{}\"}} ", mode_name(self.module.mode));
        }
        self.out.push_str("{\n");
        for (id, func) in self.module.funcs.iter() {
            if self.shown[id] {
                let symbol = self.symbols[id].clone();
                self.function(func, &symbol, func.kind);
            }
        }
        while let Some(next) = self.pending.pop_front() {
            match next {
                Pending::Body(symbol, id) => {
                    self.function(&self.module.funcs[id], &symbol, FuncKind::Private);
                }
                Pending::Text(text) => self.out.push_str(&text),
            }
        }
        self.out.push_str("}\n");
    }

    fn function(&mut self, func: &Func, symbol: &str, kind: FuncKind) {
        let visibility = if kind == FuncKind::Public { "public" } else { "private" };
        let _ = write!(self.out, "  func.func {visibility} ");
        write_symbol(&mut self.out, symbol);
        self.out.push('(');
        let mut counters = Counters::default();
        let params: Vec<Name> = func.params.iter().map(|_| counters.arg()).collect();
        for (k, (&p, name)) in func.params.iter().zip(&params).enumerate() {
            self.comma(k);
            let _ = write!(self.out, "{name}: {}", func.ty(p));
            if let Some(name) = func.param_names.get(k).filter(|n| !n.is_empty() && self.options.locations) {
                self.out.push_str(" loc(");
                write_quoted(&mut self.out, name);
                self.out.push(')');
            }
        }
        self.out.push(')');
        if !func.results.is_empty() {
            self.out.push_str(" -> ");
            self.results(func.results.iter().map(|&r| func.ty(r)));
        }
        self.out.push_str(" {\n");
        let scope = Scope::new(func, &params, counters, 4);
        self.body(&scope);
        self.out.push_str("  }\n");
    }

    /// `, ` before all but the first.
    pub(super) fn comma(&mut self, k: usize) {
        if k > 0 {
            self.out.push_str(", ");
        }
    }

    pub(super) fn spaces(&mut self, n: usize) {
        self.out.extend(std::iter::repeat_n(' ', n));
    }

    /// `T`, or `(T, U)` unless there is exactly one.
    pub(super) fn results<'a>(&mut self, types: impl ExactSizeIterator<Item = &'a Type>) {
        let one = types.len() == 1;
        if !one {
            self.out.push('(');
        }
        for (k, ty) in types.enumerate() {
            self.comma(k);
            let _ = write!(self.out, "{ty}");
        }
        if !one {
            self.out.push(')');
        }
    }

    /// The instructions of a function or region, with the return.
    pub(super) fn body(&mut self, scope: &Scope<'_>) {
        for inst in scope.func.insts.values() {
            self.spaces(scope.indent);
            self.result_names(scope, inst);
            self.op(scope, inst);
            if self.options.locations && inst.loc != Loc::Unknown {
                let _ = write!(self.out, " loc({})", inst.loc);
            }
            self.out.push('\n');
        }
        self.spaces(scope.indent);
        self.out.push_str(scope.end);
        if !scope.func.results.is_empty() {
            self.out.push(' ');
            self.names(scope, &scope.func.results);
            self.out.push_str(" : ");
            self.types(scope, &scope.func.results);
        }
        self.out.push('\n');
    }

    fn result_names(&mut self, scope: &Scope<'_>, inst: &Inst) {
        match &inst.results[..] {
            [] => return,
            [r] => {
                let _ = write!(self.out, "{}", scope.name(*r));
            }
            many => match scope.name(many[0]) {
                // Each has a name of its own.
                Name::Word(_) | Name::WordN(..) => {
                    for (k, &v) in many.iter().enumerate() {
                        self.comma(k);
                        let _ = write!(self.out, "{}", scope.name(v));
                    }
                }
                Name::Part(n, _) => {
                    let _ = write!(self.out, "%{n}:{}", many.len());
                }
                other => {
                    let _ = write!(self.out, "{other}:{}", many.len());
                }
            },
        }
        self.out.push_str(" = ");
    }

    /// `%a, %b`.
    pub(super) fn names(&mut self, scope: &Scope<'_>, values: &[Value]) {
        for (k, &v) in values.iter().enumerate() {
            self.comma(k);
            let _ = write!(self.out, "{}", scope.name(v));
        }
    }

    /// `T, U`.
    pub(super) fn types(&mut self, scope: &Scope<'_>, values: &[Value]) {
        for (k, &v) in values.iter().enumerate() {
            self.comma(k);
            let _ = write!(self.out, "{}", scope.func.ty(v));
        }
    }

    /// ` : (T, U) -> V`.
    pub(super) fn signature(&mut self, scope: &Scope<'_>, operands: &[Value], results: &[Value]) {
        self.out.push_str(" : (");
        self.types(scope, operands);
        self.out.push_str(") -> ");
        self.results(results.iter().map(|&r| scope.func.ty(r)));
    }

    /// ` : T` if all operands and results have that type, else the whole signature.
    pub(super) fn short_signature(&mut self, scope: &Scope<'_>, inst: &Inst) {
        let mut types = inst.operands.iter().chain(&inst.results).map(|&v| scope.func.ty(v));
        match types.next() {
            Some(first) if types.all(|t| t == first) => {
                let _ = write!(self.out, " : {first}");
            }
            _ => self.signature(scope, &inst.operands, &inst.results),
        }
    }

    /// The body of a region and its closing brace; the opening one is the caller's. The first parameters
    /// of the function are captures and take the names of `captures`; the others are called `args`.
    pub(super) fn region(
        &mut self,
        scope: &Scope<'_>,
        func: FuncId,
        captures: &[Value],
        args: &[Name],
        counters: Counters,
    ) {
        self.region_of(scope, func, captures, args, counters, "stablehlo.return");
    }

    /// As [`Printer::region`], of an operation whose dialect ends regions in a way of its own.
    pub(super) fn region_of(
        &mut self,
        scope: &Scope<'_>,
        func: FuncId,
        captures: &[Value],
        args: &[Name],
        counters: Counters,
        end: &'static str,
    ) {
        let params: Vec<Name> = captures.iter().map(|&v| scope.name(v)).chain(args.iter().copied()).collect();
        let func = self.module.get(func);
        let mut inner = Scope::new(&func, &params, counters, scope.indent + 2);
        inner.end = end;
        self.body(&inner);
        self.spaces(scope.indent);
        self.out.push('}');
    }
}
