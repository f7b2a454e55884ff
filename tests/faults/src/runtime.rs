//! What instrumented code calls: is fault `id` the one that is on? This file becomes a crate of its own beside the copy of the tree.

use std::io::Write;
use std::ops::*;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

const UNKNOWN: u32 = u32::MAX;
const WATCH: u32 = u32::MAX - 1;
static ON: AtomicU32 = AtomicU32::new(UNKNOWN);
static SEEN: [AtomicU8; 1 << 16] = [const { AtomicU8::new(0) }; 1 << 16];
static FILE: OnceLock<std::fs::File> = OnceLock::new();

/// Whether fault `id` is on (`WENGERT_FAULT`); with `WENGERT_FAULT_SEEN=FILE` none is, and those that are asked for are written there.
#[inline]
pub fn on(id: u32) -> bool {
    let state = ON.load(Relaxed);
    state == id || (state >= WATCH && slow(id))
}

#[cold]
fn slow(id: u32) -> bool {
    if ON.load(Relaxed) == UNKNOWN {
        let asked = std::env::var("WENGERT_FAULT").ok().and_then(|v| v.parse().ok());
        let watch = std::env::var("WENGERT_FAULT_SEEN").ok();
        if let Some(path) = &watch {
            let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
            let _ = FILE.set(file.expect("WENGERT_FAULT_SEEN is a file"));
        }
        ON.store(if watch.is_some() { WATCH } else { asked.unwrap_or(0) }, Relaxed);
        return on(id);
    }
    if SEEN[id as usize].swap(1, Relaxed) == 0 {
        if let Some(mut file) = FILE.get() {
            let _ = file.write_all(format!("{id}\n").as_bytes());
        }
    }
    false
}

macro_rules! compares {
    ($($name:ident $as_is:tt $fault:tt $bound:ident)*) => { $(
        #[inline]
        pub fn $name<A: $bound<B> + ?Sized, B: ?Sized>(id: u32, a: &A, b: &B) -> bool {
            if on(id) { a $fault b } else { a $as_is b }
        }
    )* };
}
compares! { lt < <= PartialOrd le <= < PartialOrd gt > >= PartialOrd ge >= > PartialOrd eq == != PartialEq ne != == PartialEq }

macro_rules! arithmetic {
    ($($name:ident $as_is:tt $trait:ident $fault:tt $other:ident)*) => { $(
        #[inline]
        pub fn $name<A: $trait<B> + $other<B, Output = <A as $trait<B>>::Output>, B>(id: u32, a: A, b: B) -> <A as $trait<B>>::Output {
            if on(id) { a $fault b } else { a $as_is b }
        }
    )* };
}
arithmetic! { add + Add - Sub sub - Sub + Add mul * Mul + Add div / Div * Mul rem % Rem / Div
    shl << Shl >> Shr shr >> Shr << Shl and & BitAnd | BitOr or | BitOr & BitAnd xor ^ BitXor | BitOr }

/// Numbers, of which a fault takes the next.
pub trait Number: Sized {
    fn next(self) -> Self;
    fn least(a: Self, b: Self) -> Self;
    fn most(a: Self, b: Self) -> Self;
}
macro_rules! numbers {
    ($one:literal $($t:ty)*) => { $( impl Number for $t {
        fn next(self) -> Self { self + $one }
        fn least(a: Self, b: Self) -> Self { a.min(b) }
        fn most(a: Self, b: Self) -> Self { a.max(b) }
    } )* };
}
numbers! { 1 u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }
numbers! { 1.0 f32 f64 }

#[inline]
pub fn number<T: Number>(id: u32, n: T) -> T {
    if on(id) { n.next() } else { n }
}
#[inline]
pub fn min<T: Number>(id: u32, a: T, b: T) -> T {
    if on(id) { T::most(a, b) } else { T::least(a, b) }
}
#[inline]
pub fn max<T: Number>(id: u32, a: T, b: T) -> T {
    if on(id) { T::least(a, b) } else { T::most(a, b) }
}
#[inline]
pub fn any<I: Iterator>(id: u32, mut i: I, f: impl FnMut(I::Item) -> bool) -> bool {
    if on(id) { i.all(f) } else { i.any(f) }
}
#[inline]
pub fn all<I: Iterator>(id: u32, mut i: I, f: impl FnMut(I::Item) -> bool) -> bool {
    if on(id) { i.any(f) } else { i.all(f) }
}
