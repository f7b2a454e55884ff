//! `#[derive(Tree)]` for structs whose fields are trees.
//!
//! Fields are visited in declaration order. A field marked `#[tree(skip)]` is not a leaf: it is cloned, and must be
//! `Clone + Debug` because its `Debug` text tells compiled variants apart.

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, Index, parse_macro_input};

/// Implements `wengert::Tree` for a struct.
#[proc_macro_derive(Tree, attributes(tree))]
pub fn derive_tree(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

struct Field {
    /// `self.name` without `self.`.
    member: Tokens,
    /// `.name` as leaf names show it.
    suffix: String,
    skip: bool,
}

fn expand(input: &DeriveInput) -> syn::Result<Tokens> {
    let Data::Struct(data) = &input.data else {
        return Err(syn::Error::new_spanned(&input.ident, "Tree can be derived for structs only"));
    };
    let fields: Vec<Field> =
        data.fields.iter().enumerate().map(|(k, f)| field(k, f)).collect::<syn::Result<_>>()?;
    let name = &input.ident;
    let mut generics = input.generics.clone();
    for param in generics.type_params_mut() {
        param.bounds.push(syn::parse_quote!(::wengert::Tree));
    }
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();

    let trees: Vec<&Field> = fields.iter().filter(|f| !f.skip).collect();
    let members: Vec<&Tokens> = trees.iter().map(|f| &f.member).collect();
    let suffixes: Vec<&String> = trees.iter().map(|f| &f.suffix).collect();
    let skipped: Vec<&Tokens> = fields.iter().filter(|f| f.skip).map(|f| &f.member).collect();
    let built = fields.iter().map(|f| {
        let member = &f.member;
        if f.skip {
            quote!(#member: ::core::clone::Clone::clone(&self.#member))
        } else {
            quote!(#member: ::wengert::Tree::map(&self.#member, f))
        }
    });
    Ok(quote! {
        impl #impl_generics ::wengert::Tree for #name #type_generics #where_clause {
            fn visit<'tree>(&'tree self, f: &mut (impl FnMut(&'tree ::wengert::Tensor) + ?Sized)) {
                let _ = &f;
                #(::wengert::Tree::visit(&self.#members, f);)*
            }
            fn visit_mut<'tree>(&'tree mut self, f: &mut (impl FnMut(&'tree mut ::wengert::Tensor) + ?Sized)) {
                let _ = &f;
                #(::wengert::Tree::visit_mut(&mut self.#members, f);)*
            }
            fn map(&self, f: &mut (impl FnMut(&::wengert::Tensor) -> ::wengert::Tensor + ?Sized)) -> Self {
                let _ = &f;
                Self { #(#built),* }
            }
            fn structure(&self, out: &mut (impl FnMut(u64) + ?Sized)) {
                let _ = &out;
                #(::wengert::Tree::structure(&self.#members, out);)*
                #(::wengert::Tree::structure(&::wengert::Static(::core::clone::Clone::clone(&self.#skipped)), out);)*
            }
            fn names(&self, prefix: &str, out: &mut ::std::vec::Vec<::std::string::String>) {
                let _ = (&prefix, &out);
                #(::wengert::Tree::names(&self.#members, &::std::format!("{prefix}{}", #suffixes), out);)*
            }
        }
    })
}

fn field(k: usize, field: &syn::Field) -> syn::Result<Field> {
    let mut skip = false;
    for attr in field.attrs.iter().filter(|a| a.path().is_ident("tree")) {
        attr.parse_nested_meta(|meta| {
            if !meta.path.is_ident("skip") {
                return Err(meta.error("the only option is `skip`"));
            }
            skip = true;
            Ok(())
        })?;
    }
    let member = match &field.ident {
        Some(name) => name.to_token_stream(),
        None => Index::from(k).to_token_stream(),
    };
    Ok(Field { suffix: format!(".{member}"), member, skip })
}
