//! A function `(block, trips)` around a body: it runs it `trips` times, as many iterations at a time as a vector has
//! lanes, the last ones under a mask.

use super::asm::{Masking, Place, RDI, RSI, Rm};
use super::body::{Body, Size, Src};
use super::emit::{Emit, FREE_POINTERS, LESS_EQUAL, POINTERS, TAIL, full_store, most_carried};
use super::enc;
use super::layout::Layout;
use crate::options::Wide;

/// Machine code and how much memory it needs.
pub(super) struct Code {
    pub(super) bytes: Vec<u8>,
    /// Bytes of the block.
    pub(super) block: usize,
}

const GREATER: u8 = 0x8f;
const EQUAL: u8 = 0x84;

/// What a loop is made of.
#[derive(Clone, Copy)]
pub(super) struct Loop<'a> {
    /// A round.
    pub(super) single: &'a Body,
    /// A round of more iterations.
    pub(super) wide: Option<&'a Body>,
    /// What makes one number of each accumulator.
    pub(super) totals: &'a Body,
    /// The bits that each lane of an accumulator starts with, by its number.
    pub(super) starts: &'a [u64],
    /// How many pointers are given.
    pub(super) pointers: usize,
    /// Iterations, if known.
    pub(super) trips: Option<i64>,
}

/// Assembles a loop: rounds of `wide`, if there is one, as long as there are that many iterations, then rounds of
/// `single`, then the rest under a mask, then the totals. Whole vectors are stored past the caches through the
/// pointers of `streams`, which are then multiples of 64. `None` if the body needs more masks or accumulators than there
/// are.
pub(super) fn assemble(l: Loop<'_>, streams: &[u32], layout: Layout) -> Option<Code> {
    let Loop { single, wide, totals, starts, pointers, trips } = l;
    if single.carried.len() > most_carried(single.wide) {
        return None;
    }
    let has_tail = trips.is_none_or(|n| n % i64::from(single.width) != 0);
    let registers = usize::from(single.wide.registers());
    let tail_needs = if has_tail { pressure(single, layout, true)? } else { 0 };
    let totals_need = pressure(totals, layout, false)?;
    let needed = pressure(single, layout, false)?.max(tail_needs).max(totals_need);
    let wide = wide.and_then(|body| Some((body, pressure(body, layout, false)?)));
    let wide = wide.filter(|(_, n)| *n <= registers);
    let (busiest, taken) = wide.map_or((single, needed), |(body, n)| (body, n.max(needed)));
    let mut e = Emit::new(single, layout);
    e.streams = streams;
    // A register for a constant pays when it is read more often than it is filled.
    if trips.is_none_or(|n| n >= 4 * i64::from(busiest.width)) {
        e.pin(busiest, registers.saturating_sub(taken));
    }
    for (k, &register) in POINTERS.iter().enumerate().take(pointers) {
        if k >= FREE_POINTERS {
            e.asm.store(register, RDI, layout.saved + 8 * (k - FREE_POINTERS) as i32);
        }
        e.asm.load(register, RDI, 8 * k as i32);
    }
    spread_uniforms(&mut e, &[single, totals], layout);
    for k in 0..e.pinned.len() {
        let (size, x, r) = e.pinned[k];
        e.load_into(r, x, size);
    }
    for (k, carried) in single.carried.iter().enumerate() {
        e.load_into(k as u8, Src::Number(starts[carried.number]), carried.size);
    }
    e.asm.raw(&[0x31, 0xc0]); // xor eax, eax
    let mut left = trips;
    for body in wide.map(|(body, _)| body).into_iter().chain([single]) {
        let width = body.width;
        let done = wide.is_some_and(|(wide, _)| wide.width == width && !std::ptr::eq(wide, body));
        if !done && left.is_none_or(|n| n >= i64::from(width)) {
            e.asm.raw(&[0x48, 0x83, 0xee, width]); // sub rsi, width
            // Of an unknown number of trips there may be fewer.
            let skip = left.is_none().then(|| {
                e.asm.raw(&[0x48, 0x39, 0xf0]); // cmp rax, rsi
                e.asm.jump_ahead(GREATER)
            });
            let top = e.asm.position();
            e.round(body, false)?;
            e.asm.raw(&[0x48, 0x83, 0xc0, width]); // add rax, width
            e.asm.raw(&[0x48, 0x39, 0xf0]); // cmp rax, rsi
            e.asm.jump_back(LESS_EQUAL, top);
            if let Some(skip) = skip {
                e.asm.land(skip);
            }
            e.asm.raw(&[0x48, 0x83, 0xc6, width]); // add rsi, width
            left = left.map(|n| n % i64::from(width));
        }
    }
    if left != Some(0) {
        e.asm.raw(&[0x48, 0x29, 0xc6]); // sub rsi, rax
        let skip = left.is_none().then(|| e.asm.jump_ahead(EQUAL));
        tail_masks(&mut e, single, layout);
        e.round(single, true)?;
        if let Some(skip) = skip {
            e.asm.land(skip);
        }
    }
    e.round(totals, false)?;
    for (k, carried) in single.carried.iter().enumerate().filter(|(_, c)| c.part == 0) {
        let place = Place::At { base: RDI, index: None, offset: layout.carried + 64 * k as i32 };
        e.asm.vector(
            full_store(carried.size),
            k as u8,
            0,
            Rm::Mem(place, single.wide.bytes()),
            Masking::None,
            None,
        );
    }
    for (k, &register) in POINTERS.iter().enumerate().take(pointers).skip(FREE_POINTERS) {
        e.asm.load(register, RDI, layout.saved + 8 * (k - FREE_POINTERS) as i32);
    }
    if !streams.is_empty() {
        // What other threads are told afterwards comes after it.
        e.asm.raw(&[0x0f, 0xae, 0xf8]); // sfence
    }
    e.asm.raw(&[0xc5, 0xf8, 0x77, 0xc3]); // vzeroupper; ret
    let block = layout.spills as usize + 64 * e.spills as usize;
    Some(Code { bytes: e.asm.finish(&e.constants), block })
}

/// Whether a body has more vectors at once than there are registers.
pub(super) fn spills(body: &Body, layout: Layout) -> bool {
    pressure(body, layout, false).is_none_or(|n| n > body.wide.registers().into())
}

/// Fills in the masks of the last round: the lanes below the number of iterations left, which is in `RSI`.
fn tail_masks(e: &mut Emit<'_>, body: &Body, layout: Layout) {
    let spare = e.spare_register();
    let bytes = body.wide.bytes();
    match body.wide {
        Wide::Zmm => {
            e.asm.vector(enc::FROM_GPR32, spare, 0, Rm::Reg(RSI), Masking::None, None);
            let iota = Rm::Mem(Place::Constant(e.iota(4, 0)), bytes);
            e.asm.vector(enc::COMPARE_U[0], TAIL[0], spare, iota, Masking::None, Some(6));
            e.asm.shift_mask(TAIL[1], TAIL[0], 8);
        }
        Wide::Ymm => {
            for (at, size) in [4, 8].into_iter().enumerate() {
                for part in 0..body.width / (bytes / size) {
                    e.spread(spare, RSI, size);
                    let iota = Place::Constant(e.iota(size, (part * (bytes / size)).into()));
                    let greater = enc::GREATER[at];
                    e.asm.vector(greater, spare, spare, Rm::Mem(iota, bytes), Masking::None, None);
                    let mask = Place::At { base: RDI, index: None, offset: layout.mask(size, part) };
                    e.asm.vector(enc::STORE32, spare, 0, Rm::Mem(mask, bytes), Masking::None, None);
                }
            }
        }
    }
}

/// Makes vectors of the uniforms that 256-bit code reads: its instructions do not repeat a number.
fn spread_uniforms(e: &mut Emit<'_>, bodies: &[&Body], layout: Layout) {
    let mut read: Vec<(u32, Size)> = Vec::new();
    for body in bodies.iter().filter(|body| body.wide == Wide::Ymm) {
        for inst in &body.insts {
            inst.constants(&mut |size, x| match x {
                Src::Uniform(k) => read.push((k, size)),
                Src::V(_) | Src::Number(_) | Src::Iota(_) => {}
            });
        }
    }
    read.sort_unstable();
    read.dedup();
    let spare = e.spare_register();
    for (k, size) in read {
        let from = Place::At { base: RDI, index: None, offset: layout.uniforms + 8 * k as i32 };
        let each = if size == 4 { enc::BROADCAST32 } else { enc::EACH64 };
        e.asm.vector(each, spare, 0, Rm::Mem(from, size), Masking::None, None);
        let to = Place::At { base: RDI, index: None, offset: layout.uniform(k, size) };
        e.asm.vector(enc::STORE32, spare, 0, Rm::Mem(to, Wide::Ymm.bytes()), Masking::None, None);
    }
}

/// Most registers that a body needs at once, under the masks of the tail or not; more than there are if it spills.
fn pressure(body: &Body, layout: Layout, tail: bool) -> Option<usize> {
    let mut e = Emit::new(body, layout);
    e.round(body, tail)?;
    Some(if e.spills > 0 { usize::from(body.wide.registers()) + 1 } else { e.most })
}
