//! How a file holds code: everything as numbers, lowest byte first, under a keyed checksum (BLAKE3's keyed mode).

use super::key::Key;
use super::secret::Secret;
use crate::codegen::link::{Code, Image, Outside};
use crate::runtime::data::Address;
use crate::runtime::entry::Routine;
use crate::runtime::product::{Levels, Product};
use blake3::Hash;
use cranelift_codegen::binemit::Reloc;
use cranelift_module::{ModuleReloc, ModuleRelocTarget};
use wengert_ir::entity::Entity;
use wengert_ir::kernel::{Mem, Place, Program, Scalar};
use wengert_ir::math::{MathFn, MathFn2};

/// How files begin; the number at its end is that of the format.
const MAGIC: [u8; 8] = *b"wgtcode4";
/// Bytes before what the checksum is of.
const HEADER: usize = 8 + blake3::OUT_LEN;

/// A file, or `None` if the code refers to something that files have no form for.
pub(super) fn encode(key: &Key, image: &Image, secret: &Secret) -> Option<Vec<u8>> {
    let mut out = Writer(vec![0; HEADER]);
    out.bytes(&key.0);
    out.word(image.entry);
    out.word(image.codes.len() as u32);
    for code in &image.codes {
        out.word(u32::try_from(code.align).ok()?);
        out.bytes(&code.bytes);
        out.word(code.relocs.len() as u32);
        for reloc in &code.relocs {
            let ModuleRelocTarget::User { namespace, index } = reloc.name else { return None };
            if reloc.kind != Reloc::Abs8 {
                return None;
            }
            [reloc.offset, namespace, index].into_iter().for_each(|word| out.word(word));
            out.long(reloc.addend as u64);
        }
    }
    out.word(image.outside.addresses().len() as u32);
    for &address in image.outside.addresses() {
        let [tag, number, scalar] = address_words(address);
        [tag, number, scalar].into_iter().for_each(|word| out.word(word));
    }
    out.word(image.outside.products().len() as u32);
    for p in image.outside.products() {
        out.word(scalar_word(p.elem));
        [p.batch, p.m, p.n, p.k].into_iter().for_each(|n| out.long(n as u64));
        [p.a, p.b, p.c].into_iter().flatten().for_each(|stride| out.long(stride as u64));
        for levels in [p.rows, p.depth] {
            levels.extents.into_iter().for_each(|n| out.long(n as u64));
            levels.strides.into_iter().flatten().for_each(|stride| out.long(stride as u64));
        }
        out.word(p.adds.into());
    }
    out.word(image.donations.len() as u32);
    for &(argument, result) in &image.donations {
        [argument, result].into_iter().for_each(|word| out.word(word));
    }
    let mut file = out.0;
    file[..8].copy_from_slice(&MAGIC);
    let seal = seal(&file[HEADER..], secret);
    file[8..HEADER].copy_from_slice(seal.as_bytes());
    Some(file)
}

/// What a file holds, if this user wrote it, it is whole, for this key, and refers to nothing that the program does not have.
pub(super) fn decode(file: &[u8], key: &Key, program: &Program, secret: &Secret) -> Option<Image> {
    let content = file.get(HEADER..)?;
    let sealed = Hash::from_slice(&file[8..HEADER]).ok()?;
    if file[..8] != MAGIC || seal(content, secret) != sealed {
        return None;
    }
    let mut from = Reader(content);
    if from.bytes()? != key.0 {
        return None;
    }
    let entry = from.word()?;
    let functions = from.count(12)?;
    let mut codes = Vec::with_capacity(functions);
    for _ in 0..functions {
        let align = u64::from(from.word()?);
        let bytes = from.bytes()?.to_vec();
        let relocs = (0..from.count(20)?)
            .map(|_| {
                let (offset, namespace, index) = (from.word()?, from.word()?, from.word()?);
                let addend = from.long()? as i64;
                let fits = (offset as usize).checked_add(8)? <= bytes.len();
                let name = ModuleRelocTarget::User { namespace, index };
                fits.then_some(ModuleReloc { offset, kind: Reloc::Abs8, name, addend })
            })
            .collect::<Option<Vec<_>>>()?;
        codes.push(Code { bytes, align: align.is_power_of_two().then_some(align)?, relocs });
    }
    let addresses = (0..from.count(12)?)
        .map(|_| address_from([from.word()?, from.word()?, from.word()?]))
        .collect::<Option<Vec<_>>>()?;
    let products = (0..from.count(256)?)
        .map(|_| {
            let elem = scalar_from(from.word()?)?;
            let mut long = || from.long();
            let sizes = [long()?, long()?, long()?, long()?].map(|n| n as usize);
            let matrices =
                [[long()?, long()?, long()?], [long()?, long()?, long()?], [long()?, long()?, long()?]]
                    .map(|strides| strides.map(|stride| stride as isize));
            let mut levels = || {
                let extents = [long()?, long()?, long()?].map(|n| n as usize);
                let strides = [[long()?, long()?], [long()?, long()?], [long()?, long()?]];
                Some(Levels { extents, strides: strides.map(|pair| pair.map(|stride| stride as isize)) })
            };
            let (rows, depth) = (levels()?, levels()?);
            let adds = match from.word()? {
                0 => false,
                1 => true,
                _ => return None,
            };
            Some(Product::with_levels(elem, sizes, [rows, depth], matrices, adds))
        })
        .collect::<Option<Vec<_>>>()?;
    let donations = (0..from.count(8)?)
        .map(|_| {
            let (argument, result) = (from.word()?, from.word()?);
            let from = program.params.get(argument as usize)?;
            let to = program.results.get(result as usize)?;
            (from.bytes() == to.bytes()).then_some((argument, result))
        })
        .collect::<Option<Vec<_>>>()?;
    if !from.0.is_empty() || entry as usize >= functions {
        return None;
    }
    let outside = Outside::restored(program, addresses, products);
    let is_there = |address: &Address| match *address {
        Address::Routine(_) => true,
        Address::Constant(mem) => {
            program.mems.get(mem).is_some_and(|m| matches!(m.place, Place::Constant(_)))
        }
        Address::Product(number) => (number as usize) < outside.products().len(),
        Address::Reference(number) => (number as usize) < outside.references(),
    };
    let known = |reloc: &ModuleReloc| match reloc.name {
        ModuleRelocTarget::User { namespace: 0, index } => (index as usize) < functions,
        ModuleRelocTarget::User { namespace: crate::codegen::link::OUTSIDE, index } => {
            (index as usize) < outside.addresses().len()
        }
        _ => false,
    };
    let right =
        outside.addresses().iter().all(is_there) && codes.iter().all(|code| code.relocs.iter().all(known));
    right.then_some(Image { codes, entry, outside, donations })
}

/// What only who knows the secret can make from the content; compared in constant time.
fn seal(content: &[u8], secret: &Secret) -> Hash {
    blake3::keyed_hash(secret, content)
}

const SCALARS: [Scalar; 7] =
    [Scalar::F64, Scalar::F32, Scalar::I64, Scalar::I32, Scalar::I16, Scalar::I8, Scalar::I1];

fn scalar_word(scalar: Scalar) -> u32 {
    SCALARS.iter().position(|&s| s == scalar).expect("one of all") as u32
}

fn scalar_from(word: u32) -> Option<Scalar> {
    SCALARS.get(word as usize).copied()
}

/// A tag, a number and a type. Numbers of functions are those of this version's lists; a key says which version.
fn address_words(address: Address) -> [u32; 3] {
    let one = |f: MathFn| MathFn::ALL.iter().position(|&g| g == f).expect("one of all") as u32;
    let two = |f: MathFn2| MathFn2::ALL.iter().position(|&g| g == f).expect("one of all") as u32;
    match address {
        Address::Constant(mem) => [0, mem.index() as u32, 0],
        Address::Product(number) => [1, number, 0],
        Address::Reference(number) => [2, number, 0],
        Address::Routine(routine) => match routine {
            Routine::Math(f, ty) => [3, one(f), scalar_word(ty)],
            Routine::Math2(f, ty) => [4, two(f), scalar_word(ty)],
            Routine::Remainder(ty) => [5, 0, scalar_word(ty)],
            Routine::NextAfter(ty) => [6, 0, scalar_word(ty)],
            Routine::Tile(f, ty) => [7, one(f), scalar_word(ty)],
            Routine::Tile2(f, ty) => [8, two(f), scalar_word(ty)],
            Routine::Product => [9, 0, 0],
            Routine::Parallel => [10, 0, 0],
            Routine::Reference => [11, 0, 0],
            Routine::Grow => [12, 0, 0],
            Routine::Section => [13, 0, 0],
            Routine::Eight(f, ty) => [14, one(f), scalar_word(ty)],
        },
    }
}

fn address_from([tag, number, scalar]: [u32; 3]) -> Option<Address> {
    let ty = scalar_from(scalar)?;
    let one = || MathFn::ALL.get(number as usize).copied();
    let two = || MathFn2::ALL.get(number as usize).copied();
    Some(match tag {
        0 => Address::Constant(Mem::from_index(number as usize)),
        1 => Address::Product(number),
        2 => Address::Reference(number),
        3 => Address::Routine(Routine::Math(one()?, ty)),
        4 => Address::Routine(Routine::Math2(two()?, ty)),
        5 => Address::Routine(Routine::Remainder(ty)),
        6 => Address::Routine(Routine::NextAfter(ty)),
        7 => Address::Routine(Routine::Tile(one()?, ty)),
        8 => Address::Routine(Routine::Tile2(two()?, ty)),
        9 => Address::Routine(Routine::Product),
        10 => Address::Routine(Routine::Parallel),
        11 => Address::Routine(Routine::Reference),
        12 => Address::Routine(Routine::Grow),
        13 => Address::Routine(Routine::Section),
        14 => Address::Routine(Routine::Eight(one()?, ty)),
        _ => return None,
    })
}

/// Numbers, lowest byte first.
struct Writer(Vec<u8>);

impl Writer {
    fn word(&mut self, word: u32) {
        self.0.extend_from_slice(&word.to_le_bytes());
    }

    fn long(&mut self, long: u64) {
        self.0.extend_from_slice(&long.to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.long(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }
}

/// What is left of a file.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn word(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn long(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.long()?).ok()?;
        self.take(length)
    }

    /// How many things follow that take at least `size` bytes each: no more than there is room for.
    fn count(&mut self, size: usize) -> Option<usize> {
        let count = self.word()? as usize;
        (count.checked_mul(size)? <= self.0.len()).then_some(count)
    }
}
