//! Writes the operations that only we have as composites, with decompositions in plain StableHLO.
//!
//! The decomposition is for upstream tools; we never read it back. Where a size is known at run time
//! only, StableHLO has no decomposition and the function is declared without a body.

use crate::array::Literal;
use crate::func::{FuncId, Inst};
use crate::op::*;
use crate::text::lexer::write_symbol;
use crate::text::names::Scope;
use crate::text::printer::{Pending, Printer, body_text};
use crate::text::write_literal;
use crate::types::{DType, DYNAMIC, TensorType, Type};
use std::fmt::Write;

/// The types and the symbol of a function that is written as text.
struct Head<'a> {
    symbol: &'a str,
    operands: &'a [Type],
    results: &'a [Type],
}

fn join<T: std::fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    let mut out = String::new();
    for (k, item) in items.into_iter().enumerate() {
        let _ = write!(out, "{}{item}", if k > 0 { ", " } else { "" });
    }
    out
}

/// `T`, or `(T, U)` unless there is exactly one.
fn result_types(types: &[Type]) -> String {
    if let [one] = types { one.to_string() } else { format!("({})", join(types)) }
}

impl Head<'_> {
    /// `func.func private @symbol(...) -> ...`, with names of parameters if there is a body.
    fn write(&self, out: &mut String, body: bool) {
        out.push_str("  func.func private ");
        write_symbol(out, self.symbol);
        out.push('(');
        for (k, ty) in self.operands.iter().enumerate() {
            let comma = if k > 0 { ", " } else { "" };
            let _ = if body { write!(out, "{comma}%arg{k}: {ty}") } else { write!(out, "{comma}{ty}") };
        }
        out.push(')');
        if !self.results.is_empty() {
            let _ = write!(out, " -> {}", result_types(self.results));
        }
    }

    fn declaration(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, false);
        out.push('\n');
        out
    }

    fn is_static(&self) -> bool {
        let types = self.operands.iter().chain(self.results);
        types.into_iter().all(|t| t.as_tensor().is_none_or(TensorType::is_static))
    }
}

impl Printer<'_> {
    /// `stablehlo.composite "wengert.NAME" ...`, and the functions it needs.
    pub(in crate::text) fn composite(&mut self, scope: &Scope<'_>, inst: &Inst) {
        let operands: Vec<Type> = inst.operands.iter().map(|&v| scope.func.ty(v).clone()).collect();
        let results: Vec<Type> = inst.results.iter().map(|&v| scope.func.ty(v).clone()).collect();
        let (name, attributes, decomposition) = match &inst.op {
            Op::Fma(_) => ("fma", String::new(), self.fma(&operands, &results)),
            Op::Unary(op) => {
                let name = op.name().strip_prefix("wengert.").expect("one of ours");
                (name, String::new(), self.unary(*op, &operands, &results))
            }
            Op::StopGradient(_) => ("stop_gradient", String::new(), self.stop_gradient(&operands, &results)),
            Op::Zero(_) => ("zero", String::new(), self.zero(&operands, &results)),
            Op::Scan(scan) => {
                let symbol = self.numbered("wengert.scan", &["", ".body"]);
                let body = format!("{symbol}.body");
                let length = if scan.length == DYNAMIC { -1 } else { scan.length as i64 };
                let mut text = String::from("body = ");
                write_symbol(&mut text, &body);
                let _ = write!(
                    text,
                    ", carry = {} : i64, consts = {} : i64, length = {length} : i64, reverse = {}",
                    scan.carry, scan.consts, scan.reverse
                );
                let head = Head { symbol: &symbol, operands: &operands, results: &results };
                let decomposition = scan_decomposition(&head, &body, scan);
                self.pending.push_back(Pending::Body(body, scan.body));
                self.pending.push_back(Pending::Text(decomposition));
                ("scan", text, symbol)
            }
            Op::While(w) => {
                let symbol = self.numbered("wengert.while", &["", ".cond", ".body"]);
                let (cond, body) = (format!("{symbol}.cond"), format!("{symbol}.body"));
                let mut text = String::from("body = ");
                write_symbol(&mut text, &body);
                text.push_str(", cond = ");
                write_symbol(&mut text, &cond);
                let _ = write!(
                    text,
                    ", consts = {} : i64, counted = {}, stacks = {} : i64",
                    w.consts, w.counted, w.stacks
                );
                let head = Head { symbol: &symbol, operands: &operands, results: &results };
                let decomposition = while_decomposition(&head, &cond, &body, w);
                self.pending.push_back(Pending::Body(cond, w.cond));
                self.pending.push_back(Pending::Body(body, w.body));
                self.pending.push_back(Pending::Text(decomposition));
                ("while", text, symbol)
            }
            Op::CustomJvp(c) => {
                let (symbol, text) = self.custom(
                    "wengert.custom_jvp",
                    &operands,
                    &results,
                    c.consts,
                    &[("body", c.body), ("rule", c.rule)],
                );
                ("custom_jvp", text, symbol)
            }
            Op::CustomVjp(c) => {
                let parts = [("backward", c.backward), ("body", c.body), ("forward", c.forward)];
                let (symbol, mut text) =
                    self.custom("wengert.custom_vjp", &operands, &results, c.consts, &parts);
                if c.forward_mode {
                    text += ", forward_mode = true";
                }
                ("custom_vjp", text, symbol)
            }
            Op::LinearSolve(op) => {
                let parts = [
                    ("body", op.solve),
                    ("matvec", op.matvec),
                    ("transpose_solve", op.transpose_solve),
                    ("vecmat", op.vecmat),
                ];
                let (symbol, text) =
                    self.custom("wengert.linear_solve", &operands, &results, op.consts, &parts);
                ("linear_solve", text, symbol)
            }
            Op::Root(op) => {
                let parts = [("body", op.solve), ("residual", op.residual), ("tangent", op.tangent)];
                let (symbol, text) = self.custom("wengert.root", &operands, &results, op.consts, &parts);
                ("root", text, symbol)
            }
            Op::Checkpoint(c) => {
                let body = [("body", c.body)];
                let (symbol, text) = self.custom("wengert.checkpoint", &operands, &results, 0, &body);
                let mut all = format!("again = {}, {text}", c.again);
                if let Some(dtype) = c.compress {
                    let _ = write!(all, ", compress = \"{}\"", dtype.name());
                }
                let _ = write!(all, ", keep = \"{}\"", c.keep.name());
                if !c.names.is_empty() {
                    let _ = write!(all, ", names = \"{}\"", c.names);
                }
                let text = all;
                ("checkpoint", text, symbol)
            }
            _ => unreachable!("no composite"),
        };
        if self.options.plain {
            self.out.push_str(if scope.is_region() { "func.call " } else { "call " });
            write_symbol(&mut self.out, &decomposition);
            self.out.push('(');
            self.names(scope, &inst.operands);
            self.out.push(')');
            return self.signature(scope, &inst.operands, &inst.results);
        }
        let _ = write!(self.out, "stablehlo.composite \"wengert.{name}\"");
        if !inst.operands.is_empty() {
            self.out.push(' ');
            self.names(scope, &inst.operands);
        }
        self.out.push_str(" {");
        if !attributes.is_empty() {
            let _ = write!(self.out, "composite_attributes = {{{attributes}}}, ");
        }
        self.out.push_str("decomposition = ");
        write_symbol(&mut self.out, &decomposition);
        self.out.push('}');
        self.signature(scope, &inst.operands, &inst.results);
    }

    /// `BASE.N` with the next N for which it is free together with these endings.
    fn numbered(&mut self, base: &str, endings: &[&str]) -> String {
        loop {
            let symbol = format!("{base}.{}", self.composites);
            self.composites += 1;
            let all: Vec<String> = endings.iter().map(|e| format!("{symbol}{e}")).collect();
            if all.iter().all(|s| !self.taken.contains(s)) {
                self.taken.extend(all);
                return symbol;
            }
        }
    }

    /// A function with a derivative of its own: the symbol of its decomposition, a call of its body, and the attributes.
    fn custom(
        &mut self,
        base: &str,
        operands: &[Type],
        results: &[Type],
        consts: usize,
        parts: &[(&str, FuncId)],
    ) -> (String, String) {
        let endings: Vec<String> =
            std::iter::once(String::new()).chain(parts.iter().map(|(n, _)| format!(".{n}"))).collect();
        let endings: Vec<&str> = endings.iter().map(String::as_str).collect();
        let symbol = self.numbered(base, &endings);
        let mut text = String::new();
        for (name, func) in parts {
            let own = format!("{symbol}.{name}");
            // In alphabetical order, as attributes are.
            if matches!(*name, "forward" | "matvec" | "residual" | "rule") {
                let _ = write!(text, "consts = {consts} : i64, ");
            }
            let _ = write!(text, "{name} = ");
            write_symbol(&mut text, &own);
            text.push_str(", ");
            self.pending.push_back(Pending::Body(own, *func));
        }
        text.truncate(text.len().saturating_sub(2));
        let head = Head { symbol: &symbol, operands, results };
        let mut out = Lines { text: String::new(), indent: 4 };
        head.write(&mut out.text, true);
        out.text.push_str(" {\n");
        let types: Vec<String> = operands.iter().map(Type::to_string).collect();
        let inputs = numbered("arg", operands.len());
        let values = call(&mut out, &format!("{symbol}.body"), &inputs, &types, results);
        out.line(if results.is_empty() {
            "return".into()
        } else {
            format!("return {} : {}", join(values), join(results))
        });
        out.text.push_str("  }\n");
        self.pending.push_back(Pending::Text(out.text));
        (symbol, text)
    }

    /// The decomposition that all operations `kind` of these types share.
    fn shared(
        &mut self,
        kind: &'static str,
        operands: &[Type],
        results: &[Type],
        body: impl Fn(&Type) -> Option<String>,
    ) -> String {
        let key = (kind, join(results));
        if let Some(symbol) = self.shared.get(&key) {
            return symbol.clone();
        }
        let symbol = self.numbered(kind, &[""]);
        let head = Head { symbol: &symbol, operands, results };
        let text = match results.first().and_then(body) {
            Some(body) => {
                let mut text = String::new();
                head.write(&mut text, true);
                text.push_str(" {\n");
                text.push_str(&body);
                text.push_str("  }\n");
                text
            }
            None => head.declaration(),
        };
        self.pending.push_back(Pending::Text(text));
        self.shared.insert(key, symbol.clone());
        symbol
    }

    fn fma(&mut self, operands: &[Type], results: &[Type]) -> String {
        self.shared("wengert.fma", operands, results, |ty| {
            Some(format!(
                "    %0 = stablehlo.multiply %arg0, %arg1 : {ty}\n    \
                 %1 = stablehlo.add %0, %arg2 : {ty}\n    return %1 : {ty}\n"
            ))
        })
    }

    fn unary(&mut self, op: UnaryOp, operands: &[Type], results: &[Type]) -> String {
        self.shared(op.name(), operands, results, |ty| {
            let operand = ty.as_tensor().filter(|t| t.is_static())?;
            Some(body_text(&op.decomposition(operand)?))
        })
    }

    fn stop_gradient(&mut self, operands: &[Type], results: &[Type]) -> String {
        self.shared("wengert.stop_gradient", operands, results, |ty| {
            Some(format!("    return %arg0 : {ty}\n"))
        })
    }

    fn zero(&mut self, operands: &[Type], results: &[Type]) -> String {
        self.shared("wengert.zero", operands, results, |_| None)
    }
}

/// `dense<0> : T`.
fn zeros(ty: &TensorType) -> String {
    let mut out = String::new();
    write_literal::write(&mut out, &Literal::splat_bytes(ty.clone(), &vec![0; ty.dtype.size()]));
    let _ = write!(out, " : {ty}");
    out
}

/// The lines of a function body.
struct Lines {
    text: String,
    indent: usize,
}

impl Lines {
    fn line(&mut self, line: impl AsRef<str>) {
        self.text.extend(std::iter::repeat_n(' ', self.indent));
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }
}

/// `%base0, %base1`.
fn numbered(base: &str, n: usize) -> Vec<String> {
    (0..n).map(|k| format!("%{base}{k}")).collect()
}

/// A `while` that counts, takes rows of xs by `dynamic_slice` and puts rows of ys by
/// `dynamic_update_slice`.
fn scan_decomposition(head: &Head<'_>, body: &str, scan: &Scan) -> String {
    let xs = scan.consts + scan.carry;
    if !head.is_static() || scan.length == DYNAMIC || scan.length == 0 || head.operands.len() < xs {
        return head.declaration();
    }
    let index = "tensor<i64>";
    let tensor = |t: &Type| t.as_tensor().cloned().unwrap_or_else(|| TensorType::scalar(DType::I64));
    let (carry_types, y_types) = head.results.split_at(scan.carry.min(head.results.len()));
    let ys = y_types.len();
    let mut out = Lines { text: String::new(), indent: 4 };
    head.write(&mut out.text, true);
    out.text.push_str(" {\n");
    out.line(format!("%zero = stablehlo.constant dense<0> : {index}"));
    out.line(format!("%one = stablehlo.constant dense<1> : {index}"));
    out.line(format!("%length = stablehlo.constant dense<{}> : {index}", scan.length));
    out.line(format!("%last = stablehlo.constant dense<{}> : {index}", scan.length - 1));
    for (k, ty) in y_types.iter().enumerate() {
        out.line(format!("%empty{k} = stablehlo.constant {}", zeros(&tensor(ty))));
    }
    let state: Vec<&Type> = carry_types.iter().chain(y_types).collect();
    let names = numbered("state", state.len());
    let inits: Vec<String> =
        (scan.consts..xs).map(|k| format!("%arg{k}")).chain((0..ys).map(|k| format!("%empty{k}"))).collect();
    let args = names.iter().zip(&inits).map(|(n, v)| format!("{n} = {v}"));
    let all_types = join(std::iter::once(index.to_owned()).chain(state.iter().map(|t| t.to_string())));
    let total = state.len() + 1;
    let define = if total == 1 { "%loop".to_owned() } else { format!("%loop:{total}") };
    let args = join(std::iter::once("%index = %zero".to_owned()).chain(args));
    out.line(format!("{define} = stablehlo.while({args}) : {all_types}"));
    out.line("cond {");
    out.line(format!(
        "  %more = stablehlo.compare LT, %index, %length, SIGNED : ({index}, {index}) -> tensor<i1>"
    ));
    out.line("  stablehlo.return %more : tensor<i1>");
    out.line("} do {");
    out.indent = 6;
    if scan.reverse {
        out.line(format!("%row = stablehlo.subtract %last, %index : {index}"));
    } else {
        out.line(format!("%row = stablehlo.add %zero, %index : {index}"));
    }
    let mut inputs: Vec<String> = numbered("arg", scan.consts);
    inputs.extend(names[..scan.carry].iter().cloned());
    let mut input_types: Vec<String> = head.operands[..xs].iter().map(Type::to_string).collect();
    for (k, ty) in head.operands[xs..].iter().enumerate() {
        let whole = tensor(ty);
        let row = whole.unstacked();
        let slice = row.stacked(1);
        let starts = join(std::iter::once("%row").chain(row.shape.iter().map(|_| "%zero")));
        let indices = ", tensor<i64>".repeat(whole.rank());
        let sizes = join(&slice.shape);
        let from = xs + k;
        out.line(format!(
            "%slice{k} = stablehlo.dynamic_slice %arg{from}, {starts}, sizes = [{sizes}] : ({whole}{indices}) -> {slice}"
        ));
        out.line(format!("%x{k} = stablehlo.reshape %slice{k} : ({slice}) -> {row}"));
        inputs.push(format!("%x{k}"));
        input_types.push(row.to_string());
    }
    let mut output_types: Vec<Type> = carry_types.to_vec();
    output_types.extend(y_types.iter().map(|t| Type::from(tensor(t).unstacked())));
    let outputs = call(&mut out, body, &inputs, &input_types, &output_types);
    let mut next = vec![String::from("%next")];
    next.extend(outputs[..scan.carry.min(outputs.len())].iter().cloned());
    for (k, ty) in y_types.iter().enumerate() {
        let whole = tensor(ty);
        let row = whole.unstacked();
        let slice = row.stacked(1);
        let starts = join(std::iter::once("%row").chain(row.shape.iter().map(|_| "%zero")));
        let indices = ", tensor<i64>".repeat(whole.rank());
        let (value, old) = (&outputs[scan.carry + k], &names[scan.carry + k]);
        out.line(format!("%update{k} = stablehlo.reshape {value} : ({row}) -> {slice}"));
        out.line(format!(
            "%y{k} = stablehlo.dynamic_update_slice {old}, %update{k}, {starts} : ({whole}, {slice}{indices}) -> {whole}"
        ));
        next.push(format!("%y{k}"));
    }
    out.line(format!("%next = stablehlo.add %index, %one : {index}"));
    out.line(format!("stablehlo.return {} : {all_types}", join(&next)));
    out.indent = 4;
    out.line("}");
    finish(&mut out, head, 1);
    out.text
}

/// `call @symbol(...)` inside a region; the names of its results.
fn call(
    out: &mut Lines,
    symbol: &str,
    inputs: &[String],
    input_types: &[String],
    results: &[Type],
) -> Vec<String> {
    let mut name = String::new();
    write_symbol(&mut name, symbol);
    let define = match results.len() {
        0 => String::new(),
        1 => "%body = ".to_owned(),
        n => format!("%body:{n} = "),
    };
    let (inputs, input_types) = (join(inputs), join(input_types));
    out.line(format!("{define}func.call {name}({inputs}) : ({input_types}) -> {}", result_types(results)));
    match results.len() {
        1 => vec!["%body".to_owned()],
        n => (0..n).map(|k| format!("%body#{k}")).collect(),
    }
}

/// The return of the results of `%loop` from number `first` on, and the end of the function.
fn finish(out: &mut Lines, head: &Head<'_>, first: usize) {
    if head.results.is_empty() {
        out.line("return");
    } else {
        let values = join((0..head.results.len()).map(|k| format!("%loop#{}", k + first)));
        out.line(format!("return {values} : {}", join(head.results)));
    }
    out.text.push_str("  }\n");
}

/// A `while` that also counts its trips. Stacks have no plain form.
fn while_decomposition(head: &Head<'_>, cond: &str, body: &str, w: &While) -> String {
    if !head.is_static() || w.stacks > 0 || !w.counted || head.operands.len() < w.consts {
        return head.declaration();
    }
    let carry_types = &head.operands[w.consts..];
    let names = numbered("state", carry_types.len());
    let mut out = Lines { text: String::new(), indent: 4 };
    head.write(&mut out.text, true);
    out.text.push_str(" {\n");
    out.line("%zero = stablehlo.constant dense<0> : tensor<i64>");
    out.line("%one = stablehlo.constant dense<1> : tensor<i64>");
    let args = names.iter().enumerate().map(|(k, n)| format!("{n} = %arg{}", w.consts + k));
    let args = join(args.chain(std::iter::once("%trips = %zero".to_owned())));
    let all_types = join(carry_types.iter().map(Type::to_string).chain(["tensor<i64>".to_owned()]));
    let total = carry_types.len() + 1;
    // `%loop#0` is a name of a single result too.
    let define = if total == 1 { "%loop".to_owned() } else { format!("%loop:{total}") };
    out.line(format!("{define} = stablehlo.while({args}) : {all_types}"));
    out.line("cond {");
    out.indent = 6;
    let mut inputs = numbered("arg", w.consts);
    inputs.extend(names);
    let input_types: Vec<String> = head.operands.iter().map(Type::to_string).collect();
    let more = [Type::from(TensorType::scalar(DType::I1))];
    let answer = call(&mut out, cond, &inputs, &input_types, &more);
    out.line(format!("stablehlo.return {} : tensor<i1>", join(answer)));
    out.indent = 4;
    out.line("} do {");
    out.indent = 6;
    let mut outputs = call(&mut out, body, &inputs, &input_types, carry_types);
    out.line("%next = stablehlo.add %trips, %one : tensor<i64>");
    outputs.push("%next".to_owned());
    out.line(format!("stablehlo.return {} : {all_types}", join(outputs)));
    out.indent = 4;
    out.line("}");
    finish(&mut out, head, 0);
    out.text
}
