//! `#[derive(Tree)]` for structs and enums whose fields are trees.
//!
//! Fields are visited in declaration order. A field marked `#[tree(skip)]` is not a leaf: it is cloned, and must be
//! `Clone + Debug` because its `Debug` text tells compiled variants apart. Which variant an enum is counts as structure: a
//! compiled function is traced anew for each.
//!
//! A type parameter must be a tree if it is in a field that is one, and `Clone + Debug + Send + Sync + 'static` if it is in a
//! skipped field or a `Static`. `#[tree(bound = "T: Tree, U: Clone")]` on the type says it in place of that.

mod bounds;

use proc_macro::TokenStream;
use proc_macro2::{Span, TokenStream as Tokens};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, Ident, Index, Type, parse_macro_input};

/// Implements `wengert::Tree` for a struct or an enum.
#[proc_macro_derive(Tree, attributes(tree))]
pub fn derive_tree(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// A struct, which is its only variant, or a variant of an enum.
struct Variant {
    /// `Self` or `Self::Name`.
    path: Tokens,
    fields: Vec<Field>,
}

struct Field {
    /// `name` or the number, as a constructor and a pattern name it.
    member: Tokens,
    /// What a pattern binds it to.
    bound: Ident,
    /// `.name` as leaf names show it.
    suffix: String,
    skip: bool,
    ty: Type,
    /// Of its type, so that rustc points there where the type is no tree.
    span: Span,
}

impl Variant {
    fn new(path: Tokens, fields: &Fields) -> syn::Result<Self> {
        let fields = fields.iter().enumerate().map(|(k, f)| field(k, f)).collect::<syn::Result<_>>()?;
        Ok(Self { path, fields })
    }

    /// `Self::Name { a: field0, .. }`.
    fn pattern(&self) -> Tokens {
        let path = &self.path;
        let fields = self.fields.iter().map(|Field { member, bound, .. }| quote!(#member: #bound));
        quote!(#path { #(#fields),* })
    }

    /// An arm that does something with every tree, and something else with every skipped field.
    fn arm(&self, tree: impl Fn(&Field) -> Tokens, skipped: impl Fn(&Field) -> Tokens) -> Tokens {
        let pattern = self.pattern();
        let each = self.fields.iter().map(|f| if f.skip { skipped(f) } else { tree(f) });
        quote!(#pattern => { #(#each)* })
    }

    /// An arm that makes the same variant of other trees.
    fn rebuilt(&self) -> Tokens {
        let (pattern, path) = (self.pattern(), &self.path);
        let fields = self.fields.iter().map(|Field { member, bound, skip, span, .. }| match skip {
            true => quote!(#member: ::core::clone::Clone::clone(#bound)),
            false => quote_spanned!(*span=> #member: ::wengert::Tree::map(#bound, f)),
        });
        quote!(#pattern => #path { #(#fields),* })
    }
}

fn expand(input: &DeriveInput) -> syn::Result<Tokens> {
    let variants: Vec<Variant> = match &input.data {
        Data::Struct(data) => vec![Variant::new(quote!(Self), &data.fields)?],
        Data::Enum(data) => {
            let one = |v: &syn::Variant| {
                let name = &v.ident;
                Variant::new(quote!(Self::#name), &v.fields)
            };
            data.variants.iter().map(one).collect::<syn::Result<_>>()?
        }
        Data::Union(_) => {
            return Err(syn::Error::new_spanned(
                &input.ident,
                "Tree can be derived for structs and enums only",
            ));
        }
    };
    if variants.is_empty() {
        return Err(syn::Error::new_spanned(
            &input.ident,
            "Tree cannot be derived for an enum without variants",
        ));
    }
    let name = &input.ident;
    let all = variants.iter().flat_map(|v| &v.fields).map(|f| (&f.ty, f.skip));
    let generics = bounds::bounded(input, all)?;
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();

    let arms = |tree: &dyn Fn(&Field) -> Tokens, skipped: &dyn Fn(&Field) -> Tokens| -> Vec<Tokens> {
        variants.iter().map(|v| v.arm(tree, skipped)).collect()
    };
    let unused = |Field { bound, .. }: &Field| quote!(let _ = #bound;);
    let visit = arms(
        &|Field { bound, span, .. }| quote_spanned!(*span=> ::wengert::Tree::visit(#bound, f);),
        &unused,
    );
    let visit_mut = arms(
        &|Field { bound, span, .. }| quote_spanned!(*span=> ::wengert::Tree::visit_mut(#bound, f);),
        &unused,
    );
    let structure = arms(
        &|Field { bound, span, .. }| quote_spanned!(*span=> ::wengert::Tree::structure(#bound, out);),
        &|Field { bound, .. }| quote!(::wengert::Tree::structure(&::wengert::Static(::core::clone::Clone::clone(#bound)), out);),
    );
    let names = arms(
        &|Field { bound, suffix, span, .. }| quote_spanned!(*span=> ::wengert::Tree::names(#bound, &::std::format!("{prefix}{}", #suffix), out);),
        &unused,
    );
    let rebuilt = variants.iter().map(Variant::rebuilt);
    // A struct's variant is in its type.
    let which = matches!(input.data, Data::Enum(_)).then(|| {
        let numbered = variants.iter().enumerate().map(|(k, v)| {
            let (path, k) = (&v.path, k as u64);
            quote!(#path { .. } => #k)
        });
        quote!(out(match self { #(#numbered),* });)
    });
    Ok(quote! {
        impl #impl_generics ::wengert::Tree for #name #type_generics #where_clause {
            type Over<OverLeaf: ::wengert::Tree> = ::wengert::tree::Leaves<OverLeaf>;
            fn over<OverLeaf: ::wengert::Tree>(&self, f: &mut (impl FnMut(&::wengert::Tensor) -> OverLeaf + ?Sized)) -> ::wengert::tree::Leaves<OverLeaf> {
                ::wengert::tree::Leaves::of(self, f)
            }
            fn visit<'tree>(&'tree self, f: &mut (impl FnMut(&'tree ::wengert::Tensor) + ?Sized)) {
                let _ = &f;
                match self { #(#visit)* }
            }
            fn visit_mut<'tree>(&'tree mut self, f: &mut (impl FnMut(&'tree mut ::wengert::Tensor) + ?Sized)) {
                let _ = &f;
                match self { #(#visit_mut)* }
            }
            fn map(&self, f: &mut (impl FnMut(&::wengert::Tensor) -> ::wengert::Tensor + ?Sized)) -> Self {
                let _ = &f;
                match self { #(#rebuilt),* }
            }
            fn structure(&self, out: &mut (impl FnMut(u64) + ?Sized)) {
                let _ = &out;
                #which
                match self { #(#structure)* }
            }
            fn names(&self, prefix: &str, out: &mut ::std::vec::Vec<::std::string::String>) {
                let _ = (&prefix, &out);
                match self { #(#names)* }
            }
        }
    })
}

fn field(k: usize, field: &syn::Field) -> syn::Result<Field> {
    let mut skip = false;
    for attr in field.attrs.iter().filter(|a| a.path().is_ident("tree")) {
        attr.parse_nested_meta(|meta| {
            if !meta.path.is_ident("skip") {
                return Err(meta.error("the only option of a field is `skip`"));
            }
            skip = true;
            Ok(())
        })?;
    }
    let member = match &field.ident {
        Some(name) => name.to_token_stream(),
        None => Index::from(k).to_token_stream(),
    };
    let (suffix, bound) = (
        format!(".{member}"),
        format_ident!("field{k}", span = field.ty.span().resolved_at(Span::call_site())),
    );
    Ok(Field { suffix, member, bound, skip, ty: field.ty.clone(), span: field.ty.span() })
}
