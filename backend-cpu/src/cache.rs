//! Machine code kept in files, so that a program is compiled once for all processes: [`CodeCache`], a folder that a user
//! asks for.
//!
//! A file holds code as it is before it is linked (no address of any process), under a key that is everything the code
//! depends on: the kernel IR, the options, this machine's instructions, and the sources of this compiler. The
//! contents of constants are not part of it; each process has its own. A file is used if its checksum, its key in full,
//! and every number in it are right, and is as good as absent otherwise. Files are written beside their place and
//! renamed, so a reader sees a whole one or none; when the folder outgrows its limit the oldest go.
//!
//! What this cannot detect is somebody who may write to the folder and means harm: the folder is made for its owner
//! alone, and one that others may write to is refused.

use crate::codegen::link::{Address, Code, Image, Outside};
use crate::codegen::{Options, isa};
use crate::runtime::entry::Routine;
use crate::runtime::gemm::Product;
use cranelift_codegen::binemit::Reloc;
use cranelift_module::{ModuleReloc, ModuleRelocTarget};
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use wengert_ir::entity::Entity;
use wengert_ir::kernel::{Mem, Place, Program, Scalar};
use wengert_ir::math::{MathFn, MathFn2};

/// How files begin; the number at its end is that of the format.
const MAGIC: [u8; 8] = *b"wgtcode2";
/// Bytes before what the checksum is of.
const HEADER: usize = 16;
/// How files are called.
const EXTENSION: &str = "wgtcode";
/// Bytes that a folder may hold unless its user says otherwise.
const MOST_BYTES: u64 = 256 << 20;

/// A folder of compiled programs.
#[derive(Clone, Debug)]
pub struct CodeCache {
    folder: Arc<Path>,
    most_bytes: u64,
    counts: Arc<Counts>,
}

#[derive(Default, Debug)]
struct Counts {
    loaded: AtomicU64,
    stored: AtomicU64,
}

impl CodeCache {
    /// The cache in a folder, which is made if it is missing.
    ///
    /// Fails if it cannot be made, or if others than its owner may write to it: code in it is executed.
    pub fn open(folder: impl Into<PathBuf>) -> io::Result<Self> {
        let folder: PathBuf = folder.into();
        make_private(&folder)?;
        Ok(Self { folder: folder.into(), most_bytes: MOST_BYTES, counts: Arc::default() })
    }

    /// The same with another limit on what the files take together; 256 MiB without.
    pub fn most_bytes(self, most_bytes: u64) -> Self {
        Self { most_bytes, ..self }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How many programs were taken from the folder through this value and its clones.
    pub fn loaded(&self) -> u64 {
        self.counts.loaded.load(Relaxed)
    }

    /// How many programs were compiled and added to the folder through this value and its clones.
    pub fn stored(&self) -> u64 {
        self.counts.stored.load(Relaxed)
    }

    /// The code kept under a key, if there is any and nothing is wrong with it.
    pub(crate) fn load(&self, key: &Key, program: &Program) -> Option<Image> {
        let file = File::open(self.path(key)).ok()?;
        let length = file.metadata().ok()?.len();
        if length > self.most_bytes {
            return None;
        }
        let mut bytes = Vec::with_capacity(usize::try_from(length).ok()?);
        file.take(length).read_to_end(&mut bytes).ok()?;
        let image = decode(&bytes, key, program)?;
        self.counts.loaded.fetch_add(1, Relaxed);
        Some(image)
    }

    /// Keeps code. Whatever goes wrong, the next process compiles again.
    pub(crate) fn store(&self, key: &Key, image: &Image) {
        let Some(bytes) = encode(key, image).filter(|bytes| bytes.len() as u64 <= self.most_bytes) else {
            return;
        };
        if self.write(key, &bytes).is_ok() {
            self.counts.stored.fetch_add(1, Relaxed);
        }
        self.evict();
    }

    fn path(&self, key: &Key) -> PathBuf {
        self.folder.join(format!("{:016x}.{EXTENSION}", digest(&key.0)))
    }

    fn write(&self, key: &Key, bytes: &[u8]) -> io::Result<()> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Relaxed);
        let beside = self.folder.join(format!("{}-{number}.new", std::process::id()));
        let written = File::create_new(&beside)
            .and_then(|mut file| file.write_all(bytes))
            .and_then(|()| fs::rename(&beside, self.path(key)));
        if written.is_err() {
            let _ = fs::remove_file(&beside);
        }
        written
    }

    /// Removes the oldest files until what is left fits.
    fn evict(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let ours = entries.flatten().map(|entry| entry.path());
        let ours = ours.filter(|path| path.extension().is_some_and(|e| e == EXTENSION || e == "new"));
        let mut files: Vec<_> = ours
            .filter_map(|path| {
                let data = fs::metadata(&path).ok()?;
                Some((data.modified().ok()?, path, data.len()))
            })
            .collect();
        let mut total: u64 = files.iter().map(|(_, _, length)| length).sum();
        files.sort();
        for (_, path, length) in files {
            if total <= self.most_bytes {
                return;
            }
            if fs::remove_file(path).is_ok() {
                total -= length;
            }
        }
    }
}

#[cfg(unix)]
fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let mode = fs::metadata(folder)?.permissions().mode();
    if mode & 0o022 != 0 {
        let message = format!(
            "others may write to {} (mode {:o}), and code in it is executed",
            folder.display(),
            mode & 0o777
        );
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
    }
    Ok(())
}

#[cfg(not(unix))]
fn make_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// Everything that the code of a program depends on, as bytes; equal keys mean equal code.
pub(crate) struct Key(Vec<u8>);

impl Key {
    pub(crate) fn new(program: &Program, options: &Options, host: &isa::Host) -> Self {
        let mut bytes = Collected(Vec::new());
        let Program { name: _, mode, params, results, mems, kernels, entry, scratch } = program;
        (env!("CARGO_PKG_VERSION"), env!("WENGERT_SOURCES"), cranelift_codegen::VERSION).hash(&mut bytes);
        let target = &host.balanced;
        (target.triple().to_string(), target.flags().to_string()).hash(&mut bytes);
        target.isa_flags().iter().for_each(|flag| flag.to_string().hash(&mut bytes));
        (options, options.wide()).hash(&mut bytes);
        (mode, params, results, kernels, entry, scratch).hash(&mut bytes);
        mems.len().hash(&mut bytes);
        for def in mems.values() {
            (def.elem, &def.shape, std::mem::discriminant(&def.place)).hash(&mut bytes);
            match &def.place {
                Place::Param(n) | Place::Result(n) => n.hash(&mut bytes),
                Place::Scratch(at) => at.hash(&mut bytes),
                Place::Constant(content) => content.len().hash(&mut bytes),
                Place::Stack => {}
            }
        }
        Self(bytes.0)
    }
}

/// Keeps what is hashed instead of hashing it.
struct Collected(Vec<u8>);

impl Hasher for Collected {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        unreachable!("the bytes are wanted, not a hash of them")
    }
}

/// A number that differs when bytes differ by accident: names files, where the key in full decides, and tells damaged ones.
fn digest(bytes: &[u8]) -> u64 {
    // Its keys are fixed. If another version of Rust hashes otherwise, what is kept is found no more and compiled anew.
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

/// A file, or `None` if the code refers to something that files have no form for.
fn encode(key: &Key, image: &Image) -> Option<Vec<u8>> {
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
        out.word(p.adds.into());
    }
    out.word(image.donations.len() as u32);
    for &(argument, result) in &image.donations {
        [argument, result].into_iter().for_each(|word| out.word(word));
    }
    let mut file = out.0;
    let sum = digest(&file[HEADER..]);
    file[..8].copy_from_slice(&MAGIC);
    file[8..HEADER].copy_from_slice(&sum.to_le_bytes());
    Some(file)
}

/// What a file holds, if it is whole, for this key, and refers to nothing that the program does not have.
fn decode(file: &[u8], key: &Key, program: &Program) -> Option<Image> {
    let content = file.get(HEADER..)?;
    if file[..8] != MAGIC || file[8..HEADER] != digest(content).to_le_bytes() {
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
    let products = (0..from.count(112)?)
        .map(|_| {
            let elem = scalar_from(from.word()?)?;
            let mut long = || from.long();
            let [batch, m, n, k] = [long()?, long()?, long()?, long()?].map(|n| n as usize);
            let [a, b, c] =
                [[long()?, long()?, long()?], [long()?, long()?, long()?], [long()?, long()?, long()?]]
                    .map(|strides| strides.map(|stride| stride as isize));
            let adds = match from.word()? {
                0 => false,
                1 => true,
                _ => return None,
            };
            Some(Product { elem, batch, m, n, k, a, b, c, adds })
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
