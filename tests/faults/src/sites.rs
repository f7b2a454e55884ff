//! Where a fault can be put into a file, and by which edits of its text. Edits insert or replace inside of a line's tokens and add no
//! line, so what the compiler says of the edited file is true of the original's lines.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A piece of text that replaces `from..to` of the original; at one place, what ends there goes before what begins.
#[derive(Clone, Debug)]
pub struct Edit {
    pub from: usize,
    pub to: usize,
    pub ends: bool,
    pub text: String,
}

/// One possible fault. `@` stands for its number in the edits.
#[derive(Clone, Debug)]
pub struct Site {
    pub file: String,
    pub line: usize,
    pub what: String,
    pub edits: Vec<Edit>,
}

impl std::fmt::Display for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}\t{}", self.file, self.line, self.what)
    }
}

/// All sites of a file, in the order of the walk: an outer expression before those in it.
pub fn of_file(name: &str, text: &str) -> Result<Vec<Site>, syn::Error> {
    let file = syn::parse_file(text)?;
    let mut finder = Finder { file: name.to_owned(), text, sites: Vec::new() };
    finder.visit_file(&file);
    Ok(finder.sites)
}

struct Finder<'a> {
    file: String,
    text: &'a str,
    sites: Vec<Site>,
}

fn range(span: Span) -> (usize, usize) {
    let r = span.byte_range();
    (r.start, r.end)
}

impl Finder<'_> {
    fn push(&mut self, at: Span, what: &str, edits: Vec<Edit>) {
        let (from, to) = range(at);
        let shown: String = self.text[from..to].split_whitespace().collect::<Vec<_>>().join(" ");
        let shown: String = shown.chars().take(90).collect();
        self.sites.push(Site { file: self.file.clone(), line: at.start().line, what: format!("{what}: {shown}"), edits });
    }

    /// `before` and `after` around a node.
    fn around(&self, span: Span, before: &str, after: &str) -> Vec<Edit> {
        let (from, to) = range(span);
        vec![
            Edit { from, to: from, ends: false, text: before.to_owned() },
            Edit { from: to, to, ends: true, text: after.to_owned() },
        ]
    }

    /// `l op r` becomes a call.
    fn binary(&mut self, e: &syn::ExprBinary, name: &str, by_reference: bool) {
        let r = if by_reference { "&(" } else { "(" };
        let mut edits = self.around(e.span(), &format!("::wengert_fault::{name}(@u32, {r}"), "))");
        let (from, to) = range(e.op.span());
        edits.push(Edit { from, to, ends: true, text: format!("), {r}") });
        self.push(e.span(), name, edits);
    }

    fn negate(&mut self, cond: &syn::Expr) {
        if matches!(cond, syn::Expr::Let(_)) || matches!(cond, syn::Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_))) {
            return; // chains of `let`, and the operands of `&&` are sites themselves
        }
        let edits = self.around(cond.span(), "((", ") != ::wengert_fault::on(@u32))");
        self.push(cond.span(), "negated", edits);
    }
}

fn is_test(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|a| a.path().is_ident("test") || (a.path().is_ident("cfg") && quoted(a).contains("test")))
}

fn quoted(a: &syn::Attribute) -> String {
    a.meta.require_list().map(|l| l.tokens.to_string()).unwrap_or_default()
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_mod(&mut self, m: &'ast syn::ItemMod) {
        if !is_test(&m.attrs) {
            visit::visit_item_mod(self, m);
        }
    }
    fn visit_item_fn(&mut self, f: &'ast syn::ItemFn) {
        if !is_test(&f.attrs) && f.sig.constness.is_none() {
            self.visit_block(&f.block);
        }
    }
    fn visit_impl_item_fn(&mut self, f: &'ast syn::ImplItemFn) {
        if f.sig.constness.is_none() {
            self.visit_block(&f.block);
        }
    }
    fn visit_trait_item_fn(&mut self, f: &'ast syn::TraitItemFn) {
        if f.sig.constness.is_none() {
            if let Some(block) = &f.default {
                self.visit_block(block);
            }
        }
    }
    // What is computed by the compiler, or is no expression.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_expr_repeat(&mut self, e: &'ast syn::ExprRepeat) {
        self.visit_expr(&e.expr);
    }

    fn visit_expr_binary(&mut self, e: &'ast syn::ExprBinary) {
        use syn::BinOp::*;
        match e.op {
            Lt(_) => self.binary(e, "lt", true),
            Le(_) => self.binary(e, "le", true),
            Gt(_) => self.binary(e, "gt", true),
            Ge(_) => self.binary(e, "ge", true),
            Eq(_) => self.binary(e, "eq", true),
            Ne(_) => self.binary(e, "ne", true),
            Add(_) => self.binary(e, "add", false),
            Sub(_) => self.binary(e, "sub", false),
            Mul(_) => self.binary(e, "mul", false),
            Div(_) => self.binary(e, "div", false),
            Rem(_) => self.binary(e, "rem", false),
            Shl(_) => self.binary(e, "shl", false),
            Shr(_) => self.binary(e, "shr", false),
            BitAnd(_) => self.binary(e, "and", false),
            BitOr(_) => self.binary(e, "or", false),
            BitXor(_) => self.binary(e, "xor", false),
            And(_) | Or(_) => {
                let (what, after) = match e.op {
                    And(_) => ("not asked", ") || ::wengert_fault::on(@u32))"),
                    _ => ("not asked", ") && !::wengert_fault::on(@u32))"),
                };
                for side in [&e.left, &e.right] {
                    let inner = matches!(&**side, syn::Expr::Let(_))
                        || matches!(&**side, syn::Expr::Binary(b) if matches!(b.op, And(_) | Or(_)));
                    if !inner {
                        let edits = self.around(side.span(), "((", after);
                        self.push(side.span(), what, edits);
                    }
                }
            }
            _ => {}
        }
        visit::visit_expr_binary(self, e);
    }

    fn visit_expr_if(&mut self, e: &'ast syn::ExprIf) {
        self.negate(&e.cond);
        visit::visit_expr_if(self, e);
    }
    fn visit_expr_while(&mut self, e: &'ast syn::ExprWhile) {
        self.negate(&e.cond);
        visit::visit_expr_while(self, e);
    }
    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if let Some((_, guard)) = &arm.guard {
            self.negate(guard);
        }
        visit::visit_arm(self, arm);
    }

    fn visit_stmt(&mut self, stmt: &'ast syn::Stmt) {
        use syn::Expr::*;
        if let syn::Stmt::Expr(e, Some(_)) = stmt {
            let assigns = matches!(e, Binary(b) if matches!(b.op,
                syn::BinOp::AddAssign(_) | syn::BinOp::SubAssign(_) | syn::BinOp::MulAssign(_) | syn::BinOp::DivAssign(_)
                | syn::BinOp::BitOrAssign(_) | syn::BinOp::BitAndAssign(_) | syn::BinOp::BitXorAssign(_)
                | syn::BinOp::ShlAssign(_) | syn::BinOp::ShrAssign(_) | syn::BinOp::RemAssign(_)));
            if assigns || matches!(e, MethodCall(_) | Call(_) | Assign(_) | Continue(_) | Try(_)) {
                let edits = self.around(stmt.span(), "if !::wengert_fault::on(@u32) { ", " }");
                self.push(stmt.span(), "left out", edits);
            }
        }
        visit::visit_stmt(self, stmt);
    }

    fn visit_expr_lit(&mut self, e: &'ast syn::ExprLit) {
        match &e.lit {
            syn::Lit::Int(_) => {
                let edits = self.around(e.span(), "::wengert_fault::number(@u32, ", ")");
                self.push(e.span(), "one more", edits);
            }
            syn::Lit::Bool(_) => {
                let edits = self.around(e.span(), "(", " != ::wengert_fault::on(@u32))");
                self.push(e.span(), "the other", edits);
            }
            _ => {}
        }
    }

    fn visit_expr_call(&mut self, e: &'ast syn::ExprCall) {
        if matches!(&*e.func, syn::Expr::Path(p) if p.path.is_ident("Some")) {
            let edits = self.around(e.span(), "(if ::wengert_fault::on(@u32) { None } else { ", " })");
            self.push(e.span(), "none", edits);
        }
        visit::visit_expr_call(self, e);
    }

    fn visit_expr_method_call(&mut self, e: &'ast syn::ExprMethodCall) {
        let name = e.method.to_string();
        if e.args.len() == 1 && e.turbofish.is_none() && ["min", "max", "any", "all"].contains(&name.as_str()) {
            let (from, _) = range(e.receiver.span());
            let (dot, _) = range(e.dot_token.span());
            let open = e.paren_token.span.open().byte_range().end;
            let edits = vec![
                Edit { from, to: from, ends: false, text: format!("::wengert_fault::{name}(@u32, ") },
                Edit { from: dot, to: open, ends: true, text: ", ".into() },
            ];
            self.push(e.span(), &name, edits);
        }
        visit::visit_expr_method_call(self, e);
    }
}
