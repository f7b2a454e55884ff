//! Kernel IR: what backends compile.
//!
//! A [`Program`] is memory (parameters, results, constants, planned scratch, growable stacks) and
//! [`Kernel`]s: structured SSA over scalars, with loops, control flow, loads and stores at affine
//! positions, and library calls. The entry kernel is the whole program, control flow included; other
//! kernels are outlined loops, emitted once and called, possibly in parallel.
//!
//! Names in text follow MLIR's `func`, `scf`, `memref`, `arith`, `math` and `vector` dialects.
//!
//! # Reductions
//!
//! A float sum or product over `n` elements has one defined order, whatever the schedule: elements are
//! cut into blocks of [`BLOCK`] in row-major order of the reduced dimensions; within a block element `i`
//! goes to lane `i % LANES`, lanes accumulate in order from the identity (-0.0 for a sum, 1 for a
//! product), then combine pairwise: `w = LANES/2, LANES/4, .. 1: lane[l] = lane[l] + lane[l + w]`; blocks
//! combine likewise over the next power of two (missing ones are the identity); the initial value is
//! added last: `init + total`.
//!
//! # Launches
//!
//! A program for a GPU launches kernels ([`KOp::Launch`]). Its entry kernel is the host's program: scalar arithmetic and control
//! flow on the host, launches, library calls; there `memref.load` reads an element back from the device and `memref.store`
//! writes one to it, and local memories are the host's. Launches run one after the other. A launched kernel says what one
//! thread does; see [`launch`] for what may be in one.

pub mod build;
pub mod count;
pub mod formula;
pub mod interp;
pub mod launch;
mod lex;
mod parse;
mod parse_inst;
mod parts;
mod print;
pub mod product;
pub mod reference;
pub mod scalar;
pub mod sections;
pub mod text;
pub mod verify;
mod words;

use crate::entity::{EntityVec, entity};
use crate::math::{MathFn, MathFn2};
use crate::op::{CompareType, Direction};
use crate::types::{Dims, FloatMode, TensorType};
use product::Levels;
use smallvec::SmallVec;
use std::sync::Arc;

/// Lanes of a reduction; see the module's documentation.
pub const LANES: usize = 16;
/// Elements of one block of a reduction, and of one tile of wide routines.
pub const BLOCK: usize = 512;

/// Bounds of loops lie between this number and its negative, so that no counter wraps: nothing counts so far in years.
pub const MOST_COUNTER: i64 = 1 << 60;
/// Steps of loops and grains of parallel ones are no longer than this.
pub const MOST_STEP: i64 = 1 << 32;
/// Bytes that the local memories of a kernel and of the kernels it is called by take together at most: they lie on the stack of
/// a thread.
pub const MOST_LOCAL: usize = 256 << 10;
/// Threads of a block of a launch at most, the product of its three sizes.
pub const MOST_THREADS: u32 = 1024;
/// Bytes that the workgroup memories of a kernel take together at most, each begun at a multiple of 64.
pub const MOST_WORKGROUP: usize = 48 << 10;
/// Threads that exchange values by [`KOp::Shuffle`] lie in groups of so many at most.
pub const MOST_SHUFFLED: u32 = 32;
/// Blocks nest no deeper than this.
pub const MOST_NESTED: usize = 256;

entity! {
    /// Memory of a program.
    Mem, "mem"
}
entity! {
    /// A kernel of a program.
    KernelId, "kernel"
}
entity! {
    /// An SSA scalar of one kernel.
    KValue, "%"
}
entity! {
    /// A memory as one kernel sees it.
    MemRef, "%m"
}

/// Type of a scalar, and of an element of memory. Integers carry no sign; operations do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scalar {
    /// binary64.
    F64,
    /// binary32.
    F32,
    /// 64 bits.
    I64,
    /// 32 bits.
    I32,
    /// 16 bits.
    I16,
    /// 8 bits.
    I8,
    /// A truth value; one byte of 0 or 1 in memory.
    I1,
}

/// Where a memory lives.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// Argument number `.0` of the program; read-only.
    Param(u32),
    /// Result number `.0` of the program.
    Result(u32),
    /// Constant bytes, row-major; 64-byte aligned when loaded.
    Constant(Arc<[u8]>),
    /// At this byte offset (a multiple of 64) of the scratch memory.
    Scratch(usize),
    /// A stack of rows that grows at run time ([`KOp::Reserve`]); `shape` is that of one row.
    Stack,
}

/// A memory of a program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MemDef {
    /// Element type.
    pub elem: Scalar,
    /// Shape, row-major and dense.
    pub shape: Dims,
    /// Where it lives.
    pub place: Place,
}

impl MemDef {
    /// Bytes, of a stack those of a row; `None` if they are more than [`MAX_BYTES`](crate::types::MAX_BYTES), which the
    /// verifier refuses.
    pub fn checked_bytes(&self) -> Option<usize> {
        crate::types::checked_bytes(self.elem.size(), &self.shape)
    }

    /// Bytes. Panics where [`Self::checked_bytes`] is `None`.
    pub fn bytes(&self) -> usize {
        self.checked_bytes().expect("the verifier refuses larger memories")
    }

    /// Elements, of a stack those of a row. Panics as [`Self::bytes`] does.
    pub fn elements(&self) -> usize {
        self.bytes() / self.elem.size()
    }
}

/// A compiled program in kernel form.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Program {
    /// Its symbol.
    pub name: String,
    /// The float mode it was lowered under.
    pub mode: FloatMode,
    /// Tensor types of the arguments.
    pub params: Vec<TensorType>,
    /// Tensor types of the results.
    pub results: Vec<TensorType>,
    /// All memory. Results never overlap parameters unless a caller donates.
    pub mems: EntityVec<Mem, MemDef>,
    /// All kernels.
    pub kernels: EntityVec<KernelId, Kernel>,
    /// The kernel that is the program. Its memrefs are all [`MemKind::Program`] or [`MemKind::Local`].
    pub entry: KernelId,
    /// Bytes of scratch memory.
    pub scratch: usize,
}

impl Program {
    /// Bytes that it needs whatever its arguments are: arguments, results, constants and scratch memory.
    pub fn memory(&self) -> u64 {
        let tensors = self.params.iter().chain(&self.results).map(|t| t.bytes() as u64);
        let constants = self.mems.values().map(|m| match &m.place {
            Place::Constant(bytes) => bytes.len() as u64,
            Place::Param(_) | Place::Result(_) | Place::Scratch(_) | Place::Stack => 0,
        });
        tensors.chain(constants).fold(self.scratch as u64, u64::saturating_add)
    }
}

/// What a kernel's memref is bound to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemKind {
    /// A memory of the program.
    Program(Mem),
    /// Argument number `.0` of the kernel.
    Param(u32),
    /// A small buffer on the machine stack, 64-byte aligned, undefined at entry. In a launched kernel each thread has its own.
    Local,
    /// Memory that the threads of a block share, 64-byte aligned, undefined when a block begins. Of launched kernels only.
    Workgroup,
}

/// An axis of a launch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Axis {
    /// The first; neighbours along it are neighbours in a warp.
    X,
    /// The second.
    Y,
    /// The third.
    Z,
}

/// A memory as one kernel sees it. Distinct memrefs of one kernel do not overlap, unless none is stored to.
/// In the entry kernel scratch memories may share bytes when their lifetimes, in program order, take turns.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MemRefDef {
    /// Element type.
    pub elem: Scalar,
    /// Number of elements that may be accessed; of a stack, elements of one row.
    pub len: usize,
    /// What it is bound to.
    pub kind: MemKind,
}

/// A function over memrefs and scalars; gives nothing.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Kernel {
    /// Its symbol.
    pub name: String,
    /// Its memrefs.
    pub mems: EntityVec<MemRef, MemRefDef>,
    /// Types of its scalars.
    pub values: EntityVec<KValue, Scalar>,
    /// Body; its parameters are the kernel's scalar parameters, it yields nothing.
    pub body: Block,
}

/// A list of instructions with parameters and yielded values.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Block {
    /// Values defined on entry.
    pub params: SmallVec<[KValue; 2]>,
    /// Instructions, in order.
    pub insts: Vec<KInst>,
    /// Values given to whoever runs the block.
    pub yields: SmallVec<[KValue; 2]>,
}

/// An instruction.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct KInst {
    /// What it does.
    pub op: KOp,
    /// What it reads.
    pub operands: SmallVec<[KValue; 3]>,
    /// What it defines.
    pub results: SmallVec<[KValue; 1]>,
}

/// A position in memory, in elements: `offset + sum of value * stride`. Values are `I64`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// Which memory.
    pub mem: MemRef,
    /// Constant part.
    pub offset: i64,
    /// Variable part: loop counters and computed indices, each at most once.
    pub terms: SmallVec<[(KValue, i64); 4]>,
}

/// A bound of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extent {
    /// Known now.
    Const(i64),
    /// An `I64` value.
    Value(KValue),
}

/// What may be assumed of the iterations of a loop.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LoopKind {
    /// In order.
    Sequential,
    /// Independent: any order, any number at a time; nothing is carried.
    Vector,
    /// A reduction in the defined order of the module's documentation, within one block: carry `k`
    /// starts from the identity of `.0[k]`, iteration `i` updates lane `(i - start) / step % LANES`, and the
    /// loop gives the lanes combined. Nothing else is carried; iterations are otherwise independent.
    Lanes(SmallVec<[Combine; 2]>),
}

/// A monoid. Float minimum and maximum propagate NaN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Combine {
    /// Sum; identity -0.0 or 0.
    Add,
    /// Product; identity 1.
    Mul,
    /// Minimum of floats or signed integers; identity +inf or the largest.
    Min,
    /// Maximum of floats or signed integers; identity -inf or the smallest.
    Max,
    /// Minimum of unsigned integers.
    MinU,
    /// Maximum of unsigned integers.
    MaxU,
    /// Bitwise; identity all ones.
    And,
    /// Bitwise; identity 0.
    Or,
    /// Bitwise; identity 0.
    Xor,
}

/// A counted loop `for i in (start..end).step_by(step)`. The body takes `i: I64` and what is carried, and
/// yields what is carried; operands of the instruction are the initial values, its results the final ones.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct For {
    /// First value of the counter.
    pub start: Extent,
    /// Bound of the counter, exclusive.
    pub end: Extent,
    /// Step, at least 1.
    pub step: i64,
    /// What may be assumed.
    pub kind: LoopKind,
    /// The body.
    pub body: Block,
}

/// A loop while `cond` (which takes what is carried) yields true. `body` takes and yields what is carried.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct WhileLoop {
    /// Yields one `I1`.
    pub cond: Block,
    /// One trip.
    pub body: Block,
}

/// Operations of one scalar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KUnary {
    /// Float: flips the sign. Integer: wraps.
    Neg,
    /// Float: clears the sign. Integer: wraps.
    Abs,
    /// Correctly rounded square root.
    Sqrt,
    /// Towards negative infinity.
    Floor,
    /// Towards positive infinity.
    Ceil,
    /// To nearest, ties to even.
    Nearest,
    /// Bitwise; logical for `I1`.
    Not,
    /// Number of set bits.
    Popcnt,
    /// Number of leading zeros.
    Clz,
}

/// Operations of two scalars of one type. None traps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KBinary {
    /// Sum; integers wrap.
    Add,
    /// Difference; integers wrap.
    Sub,
    /// Product; integers wrap.
    Mul,
    /// Float quotient, or signed towards zero (x/0 = -1, MIN/-1 = MIN).
    Div,
    /// Unsigned quotient (x/0 = all ones).
    DivU,
    /// Float remainder as C's `fmod`, or signed with the dividend's sign (x%0 = x, MIN%-1 = 0).
    Rem,
    /// Unsigned remainder (x%0 = x).
    RemU,
    /// Float with NaN from either side, or signed.
    Min,
    /// Unsigned.
    MinU,
    /// Float with NaN from either side, or signed.
    Max,
    /// Unsigned.
    MaxU,
    /// Bitwise.
    And,
    /// Bitwise.
    Or,
    /// Bitwise.
    Xor,
    /// Left shift; 0 when the amount, read as unsigned, is not less than the width.
    Shl,
    /// Arithmetic right shift; the sign everywhere when the amount is too large.
    Shr,
    /// Logical right shift; 0 when the amount is too large.
    ShrU,
    /// The float after the first towards the second.
    NextAfter,
}

/// Conversions; source and target types are those of operand and result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KCast {
    /// Between floats (round to nearest even), floats and signed integers (towards zero, saturating,
    /// NaN to 0), and signed integers (sign extension, truncation). To `I1`: not equal to zero.
    Signed,
    /// The same with unsigned integers; `I1` is 0 or 1.
    Unsigned,
    /// The same bits.
    Bits,
}

/// A matrix in memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Matrix {
    /// Its first element.
    pub at: Access,
    /// Elements from one row to the next.
    pub row_stride: i64,
    /// Elements from one column to the next.
    pub col_stride: i64,
    /// Elements from one batch to the next.
    pub batch_stride: i64,
}

/// Routines of the runtime library.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Library {
    /// `c[b] = a[b] * b[b]` for each batch, or `c[b] += ..`; `a` is m x k, `b` k x n, `c` m x n. Floats only.
    ///
    /// Rows, and what is summed over, may have further dimensions, so that a matrix need not walk memory evenly: the windows of an
    /// image do not ([`product`]). With any, the columns of `c` lie together. Threads write its elements at the same time: along each
    /// dimension `c` steps over all that those with shorter steps reach.
    Gemm {
        /// Element type.
        elem: Scalar,
        /// Batches, rows, columns, contraction: of the innermost dimensions.
        sizes: [usize; 4],
        /// Further dimensions of the rows of `a` and `c`, outermost first.
        rows: Levels,
        /// Further dimensions of the columns of `a` and the rows of `b`, outermost first.
        depth: Levels,
        /// Left factor.
        a: Matrix,
        /// Right factor.
        b: Matrix,
        /// Product.
        c: Matrix,
        /// Whether it is added to what `c` holds.
        adds: bool,
    },
    /// `dst[i] = f(src[i])` for `len` contiguous elements; in place is allowed.
    Tile {
        /// The function.
        f: MathFn,
        /// Contiguous source.
        src: Access,
        /// Contiguous target.
        dst: Access,
        /// How many.
        len: Extent,
    },
    /// `dst[i] = f(a[i], b[i])` for `len` contiguous elements; `dst` may be `a` or `b`, but not overlap one otherwise.
    Tile2 {
        /// The function.
        f: MathFn2,
        /// Contiguous source.
        a: Access,
        /// Contiguous source.
        b: Access,
        /// Contiguous target.
        dst: Access,
        /// How many.
        len: Extent,
    },
    /// Runs a tensor program in the reference interpreter: operations that have no kernel code of their own.
    Reference {
        /// The program; its function takes the inputs and gives the outputs.
        program: Arc<reference::Reference>,
        /// Dense arguments, in order; each the whole tensor from its first element on.
        inputs: Vec<Access>,
        /// Dense results, in order.
        outputs: Vec<Access>,
    },
    /// Does nothing but say that the time from here on belongs to this section. Only where time is measured; see [`sections`].
    Section(u32),
}

/// What an instruction does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum KOp {
    /// The scalar with these bits (low bits of the word).
    Const(u64),
    /// One operand, result of its type.
    Unary(KUnary),
    /// Two operands, result of their type.
    Binary(KBinary),
    /// Two operands; gives `I1`.
    Compare(Direction, CompareType),
    /// `pred ? a : b`.
    Select,
    /// `a * b + c` rounded once.
    Fma,
    /// Conversion.
    Cast(KCast),
    /// A function of the math library.
    Math(MathFn),
    /// A function of the math library.
    Math2(MathFn2),
    /// Reads an element.
    Load(Access),
    /// Writes its operand.
    Store(Access),
    /// A counted loop.
    For(Box<For>),
    /// A conditional loop.
    While(Box<WhileLoop>),
    /// Operand: an `I32` or `I64` index. Runs the block of that number, the last one if out of range; results are
    /// what it yields.
    Switch(Vec<Block>),
    /// Calls a kernel with these memories (their first accessible element) and the operands as scalars.
    Call {
        /// Which.
        kernel: KernelId,
        /// For each of its memref parameters, in order.
        mems: Vec<Access>,
    },
    /// Calls a kernel over the range `0..extent`, possibly cut into pieces that run on several threads. Its first two
    /// scalar parameters are the bounds of a piece (multiples of `grain` but for the last), the operands follow.
    Parallel {
        /// Which.
        kernel: KernelId,
        /// For each of its memref parameters, in order.
        mems: Vec<Access>,
        /// The whole range.
        extent: Extent,
        /// Pieces are multiples of this; also how much is worth a thread's while.
        grain: i64,
    },
    /// Runs a kernel on a device, once for each thread of each block of a grid, and in no order; the operands are its scalar
    /// parameters. A grid without blocks runs nothing.
    Launch {
        /// Which.
        kernel: KernelId,
        /// For each of its memref parameters, in order.
        mems: Vec<Access>,
        /// Blocks along x, y and z.
        grid: [Extent; 3],
        /// Threads of a block along x, y and z; the same in every launch of a kernel.
        block: [u32; 3],
    },
    /// In a launched kernel: which thread of its block this is, along an axis; `I64`.
    ThreadId(Axis),
    /// In a launched kernel: which block of the grid this is, along an axis; `I64`.
    BlockId(Axis),
    /// In a launched kernel, where all threads of a block come: waits for them. What they wrote before it, all of them read after.
    Barrier,
    /// In a launched kernel, where all threads of a block come: the operand that the thread has whose number in the block
    /// (`x + y * threads x + ..`) differs from this one's by exclusive or with `.0`, which is less than [`MOST_SHUFFLED`]. The
    /// threads of a block are a multiple of the next power of two.
    Shuffle(u32),
    /// A call to the runtime library.
    Library(Box<Library>),
    /// Makes room for at least as many rows as the operand (`I64`) says in a stack. Rows keep their content.
    Reserve(MemRef),
    /// So much work, times the operand (`I64`) if there is one, comes now: a run that has fewer
    /// [steps](crate::limits) left, of [`WORK`](crate::limits::WORK) each, ends. Only where steps are counted; see [`count`].
    Steps(u64),
}

impl Scalar {
    /// Bytes in memory.
    pub const fn size(self) -> usize {
        match self {
            Scalar::F64 | Scalar::I64 => 8,
            Scalar::F32 | Scalar::I32 => 4,
            Scalar::I16 => 2,
            Scalar::I8 | Scalar::I1 => 1,
        }
    }

    /// Whether it is a float.
    pub const fn is_float(self) -> bool {
        matches!(self, Scalar::F64 | Scalar::F32)
    }

    /// How kernels compute with an element type, or `None` if they do not: legalization rewrites those.
    pub const fn of(dtype: crate::types::DType) -> Option<Scalar> {
        use crate::types::DType as D;
        Some(match dtype {
            D::F64 => Scalar::F64,
            D::F32 => Scalar::F32,
            D::I64 | D::U64 => Scalar::I64,
            D::I32 | D::U32 => Scalar::I32,
            D::I16 | D::U16 => Scalar::I16,
            D::I8 | D::U8 => Scalar::I8,
            D::I1 => Scalar::I1,
            _ => return None,
        })
    }

    /// How memory holds an element type, and how many of these an element takes: a complex number is two
    /// floats; what kernels do not compute with is its bits.
    pub fn stored(dtype: crate::types::DType) -> (Scalar, usize) {
        use crate::types::DType as D;
        match (dtype, Scalar::of(dtype)) {
            (_, Some(scalar)) => (scalar, 1),
            (D::C64, _) => (Scalar::F32, 2),
            (D::C128, _) => (Scalar::F64, 2),
            _ if dtype.size() == 2 => (Scalar::I16, 1),
            _ => (Scalar::I8, 1),
        }
    }

    /// How memory holds a tensor: its element type and shape there.
    pub fn held(ty: &TensorType) -> (Scalar, Dims) {
        let (elem, each) = Scalar::stored(ty.dtype);
        let mut shape = ty.shape.clone();
        if each > 1 {
            shape.push(each);
        }
        (elem, shape)
    }
}

/// The pattern of kernel operations that neither touch memory nor hold blocks nor call. One list, so that exhaustive
/// matches that treat them alike stay so.
#[macro_export]
macro_rules! scalar_ops {
    () => {
        $crate::kernel::KOp::Const(_)
            | $crate::kernel::KOp::Unary(_)
            | $crate::kernel::KOp::Binary(_)
            | $crate::kernel::KOp::Compare(..)
            | $crate::kernel::KOp::Select
            | $crate::kernel::KOp::Fma
            | $crate::kernel::KOp::Cast(_)
            | $crate::kernel::KOp::Math(_)
            | $crate::kernel::KOp::Math2(_)
    };
}

/// The pattern of kernel operations that are in launched kernels only: they hold no blocks and access no memory.
#[macro_export]
macro_rules! device_ops {
    () => {
        $crate::kernel::KOp::ThreadId(_)
            | $crate::kernel::KOp::BlockId(_)
            | $crate::kernel::KOp::Barrier
            | $crate::kernel::KOp::Shuffle(_)
    };
}

/// The pattern of kernel operations that only programs for a GPU have.
#[macro_export]
macro_rules! launch_ops {
    () => {
        $crate::kernel::KOp::Launch { .. } | $crate::device_ops!()
    };
}
