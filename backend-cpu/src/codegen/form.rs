//! In what form a loop is compiled, and why not in a better one: what [`survey`](super::survey) shows to people.

use super::Options;
use super::lanes::unrolls;
use super::refusal::Refusal;
use super::simd;
use super::variation::variation;
use super::vector::width;
use crate::options::Wide;
use std::fmt;
use wengert_ir::kernel::{For, KValue, Kernel, LoopKind, Scalar};

/// How the iterations of an innermost loop run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Form {
    /// One at a time.
    Scalar,
    /// Written out: few.
    Unrolled,
    /// In vectors of 128 bits; what has no instruction there, lane by lane.
    Bits128,
    /// In vectors of 256 bits.
    Bits256,
    /// In vectors of 512 bits.
    Bits512,
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Form::Scalar => "scalar",
            Form::Unrolled => "unrolled",
            Form::Bits128 => "128-bit",
            Form::Bits256 => "256-bit",
            Form::Bits512 => "512-bit",
        })
    }
}

/// The form of an innermost loop of a kernel, and why it is no better; `known` gives constants.
pub(crate) fn form(
    l: &For,
    kernel: &Kernel,
    known: &dyn Fn(KValue) -> Option<u64>,
    trips: Option<i64>,
    options: &Options,
) -> (Form, Option<Refusal>) {
    let (combines, unrolled): (&[_], bool) = match &l.kind {
        LoopKind::Sequential => return (Form::Scalar, Some(Refusal::InOrder)),
        LoopKind::Vector => (&[], false),
        LoopKind::Lanes(combines) => (combines, unrolls(l, trips)),
    };
    if unrolled && !simd::has_math(l) {
        return (Form::Unrolled, None);
    }
    let variation = variation(l);
    let names = (&kernel.mems, &kernel.values);
    let refused = match options.wide() {
        None => Refusal::Off,
        Some(wide) => match simd::ready(l, &variation, trips, wide, names, known, combines) {
            Ok(_) if wide == Wide::Zmm => return (Form::Bits512, None),
            Ok(_) => return (Form::Bits256, None),
            Err(refused) => refused,
        },
    };
    if unrolled {
        return (Form::Unrolled, None);
    }
    let number = |ty| matches!(ty, Scalar::F64 | Scalar::F32 | Scalar::I64 | Scalar::I32);
    if let Some(&v) = l.body.params[1..].iter().find(|&&v| !number(kernel.values[v])) {
        let ty = kernel.values[v];
        return (Form::Scalar, Some(if ty == Scalar::I1 { refused } else { Refusal::Type(ty) }));
    }
    let lanes_too_few = !combines.is_empty() && trips.is_some_and(|n| n < wengert_ir::kernel::LANES as i64);
    let form =
        if !lanes_too_few && width(l, kernel, trips, options).is_ok() { Form::Bits128 } else { Form::Scalar };
    (form, Some(refused))
}
