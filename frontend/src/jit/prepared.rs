//! [`Prepared`]: a function for one signature, called without a look-up.

use super::{Entry, Slices, concrete_bytes, reserve};
use crate::call::Args;
use crate::error::Error;
use crate::tensor::PLACEHOLDER;
use crate::tree::Tree;
use std::marker::PhantomData;
use std::sync::Arc;

/// A function compiled for one signature: see [`Jit::prepare`](super::Jit::prepare).
pub struct Prepared<A, R> {
    entry: Arc<Entry<R>>,
    args: PhantomData<fn(&A)>,
}

impl<A: Args, R: Tree> Prepared<A, R> {
    pub(super) fn new(entry: Arc<Entry<R>>) -> Self {
        Self { entry, args: PhantomData }
    }

    /// Gathers the arguments' bytes, captures first; `false` if they have another signature.
    #[inline(always)]
    fn gather<'a>(&'a self, args: &'a A, all: &mut Slices<'a>) -> bool {
        let signature = &self.entry.signature;
        reserve(all, self.entry.captures.len() + signature.leaves.len());
        // Pushed: `extend` is a call.
        self.entry.captures.iter().for_each(|t| all.push(concrete_bytes(t)));
        let (mut leaves, mut same) = (signature.leaves.iter(), true);
        args.visit(&mut |t| {
            same &= leaves.next().is_some_and(|ty| t.has_value_of(ty));
            all.push(concrete_bytes(t));
        });
        same && leaves.next().is_none() && signature.has_structure_of(args)
    }

    /// Calls the function. Fails if the arguments have another signature than it was prepared for.
    pub fn call(&self, args: &A) -> Result<R, Error> {
        let mut all = Slices::new();
        if !self.gather(args, &mut all) {
            return Err(self.other_signature(args));
        }
        self.entry.results(&all)
    }

    /// Calls the function and writes the results into `out`, a result of an earlier call: its memory is used again
    /// where no other tensor shares it. Fails as [`Self::call`] does, or if `out` has other types than the results.
    pub fn call_into(&self, args: &A, out: &mut R) -> Result<(), Error> {
        let mut all = Slices::new();
        if !self.gather(args, &mut all) {
            return Err(self.other_signature(args));
        }
        self.entry.compiled.run_into(&all, out)
    }

    /// What is wrong with arguments that do not fit.
    #[cold]
    fn other_signature(&self, args: &A) -> Error {
        let signature = &self.entry.signature;
        let (names, mut k, mut wrong) = (args.leaf_names(), 0, None);
        args.visit(&mut |t| {
            let name = names.get(k).map_or("an argument", |n| n);
            let found = match signature.leaves.get(k) {
                _ if t.is_placeholder() => Some(format!("`{name}`: {PLACEHOLDER}")),
                _ if !t.is_concrete() => Some(format!(
                    "`{name}` ({}) is traced and has no value: a prepared function runs at once. Inside a transform call the \
                     `jit` that it was prepared from",
                    t.ty()
                )),
                Some(ty) if t.has_type(ty) => None,
                Some(ty) => Some(format!("`{name}` is {}, and it was prepared for {ty}", t.ty())),
                None => Some(format!("there are more than the {} leaves it was prepared for", signature.leaves.len())),
            };
            wrong = wrong.take().or(found);
            k += 1;
        });
        let why = wrong.unwrap_or_else(|| match k == signature.leaves.len() {
            true => "the structure or a static value is another".into(),
            false => format!("{k} leaves, and it was prepared for {}", signature.leaves.len()),
        });
        Error::new(
            format!("the arguments do not have the signature this function was prepared for: {why}"),
            None,
        )
    }
}
