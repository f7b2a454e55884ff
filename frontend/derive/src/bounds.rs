//! What is asked of the type parameters of a derived tree: as little as its fields need.
//!
//! A parameter in a field that is a tree is a tree; one that is only in what is cloned and never looked at, a skipped field or a
//! `Static`, is what that asks for. `#[tree(bound = "..")]` says it in other words.

use proc_macro2::{Ident, TokenStream as Tokens, TokenTree};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{DeriveInput, Generics, Token, Type, WherePredicate};

/// What a field does with the parameters in its type.
#[derive(Default)]
struct Uses {
    /// Parameters that must be trees.
    trees: Vec<Ident>,
    /// Parameters whose values are part of the program.
    statics: Vec<Ident>,
    /// Associated types of parameters, which must be trees.
    associated: Vec<(Ident, Tokens)>,
}

/// The generics of an implementation: those of the type with bounds for its fields, whose types come with whether they are
/// skipped.
pub(crate) fn bounded<'a>(
    input: &DeriveInput,
    fields: impl Iterator<Item = (&'a Type, bool)>,
) -> syn::Result<Generics> {
    let mut generics = input.generics.clone();
    let wanted = match said(input)? {
        Some(said) => said,
        None => {
            let params: Vec<&Ident> = input.generics.type_params().map(|p| &p.ident).collect();
            let mut uses = Uses::default();
            for (ty, skipped) in fields {
                uses.add(ty, skipped, &params);
            }
            uses.predicates()
        }
    };
    if !wanted.is_empty() {
        generics.make_where_clause().predicates.extend(wanted);
    }
    Ok(generics)
}

/// What `#[tree(bound = "..")]` of the type says.
fn said(input: &DeriveInput) -> syn::Result<Option<Vec<WherePredicate>>> {
    let mut found = None;
    for attr in input.attrs.iter().filter(|a| a.path().is_ident("tree")) {
        attr.parse_nested_meta(|meta| {
            if !meta.path.is_ident("bound") {
                return Err(meta.error("the only option of a type is `bound = \"T: Tree\"`"));
            }
            let text: syn::LitStr = meta.value()?.parse()?;
            let all = text.parse_with(Punctuated::<WherePredicate, Token![,]>::parse_terminated)?;
            found = Some(all.into_iter().collect());
            Ok(())
        })?;
    }
    Ok(found)
}

impl Uses {
    fn add(&mut self, ty: &Type, skipped: bool, params: &[&Ident]) {
        let mut tokens = Vec::new();
        flatten(ty.to_token_stream(), &mut tokens);
        let is = |k: usize, c: char| matches!(tokens.get(k), Some(TokenTree::Punct(p)) if p.as_char() == c);
        let is_path = |k: usize| is(k, ':') && is(k + 1, ':');
        // How many `<` are open inside of a `Static`, its own among them.
        let mut open = 0;
        for (k, token) in tokens.iter().enumerate() {
            if open > 0 {
                open += is(k, '<') as usize;
                open -= (is(k, '>') && !(k > 0 && is(k - 1, '-'))) as usize;
            } else if k > 0 && is(k, '<') && matches!(&tokens[k - 1], TokenTree::Ident(i) if i == "Static") {
                open = 1;
            }
            let TokenTree::Ident(ident) = token else { continue };
            let is_other = k > 0 && is(k - 1, '\'') || k > 1 && is_path(k - 2);
            if is_other || !params.contains(&ident) {
                continue;
            }
            if skipped || open > 0 {
                self.statics.push(ident.clone());
            } else if let (true, Some(name)) = (is_path(k + 1), tokens.get(k + 3)) {
                self.associated.push((ident.clone(), quote!(#ident::#name)));
            } else {
                self.trees.push(ident.clone());
            }
        }
    }

    fn predicates(self) -> Vec<WherePredicate> {
        let mut all: Vec<Tokens> = Vec::new();
        let mut add = |predicate: Tokens| {
            if !all.iter().any(|known| known.to_string() == predicate.to_string()) {
                all.push(predicate);
            }
        };
        for param in self.trees {
            add(quote!(#param: ::wengert::Tree));
        }
        for (param, ty) in self.associated {
            add(quote!(#ty: ::wengert::Tree));
            add(quote!(#param: ::core::clone::Clone + ::core::marker::Send + ::core::marker::Sync + 'static));
        }
        for param in self.statics {
            add(quote! {
                #param: ::core::clone::Clone + ::core::fmt::Debug + ::core::marker::Send + ::core::marker::Sync + 'static
            });
        }
        all.into_iter().map(|predicate| syn::parse_quote!(#predicate)).collect()
    }
}

/// The tokens of a type, those in brackets of any kind among them.
fn flatten(tokens: Tokens, out: &mut Vec<TokenTree>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => flatten(group.stream(), out),
            token @ (TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_)) => out.push(token),
        }
    }
}
