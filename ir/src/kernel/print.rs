//! The printer of the kernel IR; see [`super::text`] for the language.

use super::product::Level;
use super::words::{
    AXES, BINARY, CASTS, COMBINES, FLOAT_BINARY, FLOAT_UNARY, MODES, UNARY, spell, spell_for,
};
use super::{
    Access, Block, Extent, For, KInst, KOp, KValue, Kernel, KernelId, Library, LoopKind, Matrix, MemKind,
    Place, Program, Scalar, scalar,
};
use crate::entity::EntityVec;
use std::fmt::{self, Write};

/// The text of a program.
pub fn print(program: &Program) -> String {
    let mut out = String::new();
    Printer { program, out: &mut out }.program().expect("writing to a string does not fail");
    out
}

/// A symbol after `@`: bare if it is a word, else quoted.
struct Symbol<'a>(&'a str);
impl fmt::Display for Symbol<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
        let first = self.0.chars().next();
        if first.is_some_and(|c| !c.is_ascii_digit()) && self.0.chars().all(bare) {
            return write!(f, "@{}", self.0);
        }
        f.write_str("@\"")?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                '\n' => f.write_str("\\n")?,
                c => f.write_char(c)?,
            }
        }
        f.write_str("\"")
    }
}

/// Items with commas between them.
struct List<'a, T>(&'a [T]);
impl<T: fmt::Display> fmt::Display for List<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(k, x)| write!(f, "{}{x}", if k > 0 { ", " } else { "" }))
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[", self.mem)?;
        let mut plus = "";
        for &(value, stride) in &self.terms {
            write!(f, "{plus}{value}")?;
            if stride != 1 {
                write!(f, " * {stride}")?;
            }
            plus = " + ";
        }
        if self.offset != 0 || self.terms.is_empty() {
            write!(f, "{plus}{}", self.offset)?;
        }
        f.write_str("]")
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Extent::Const(n) => n.fmt(f),
            Extent::Value(v) => v.fmt(f),
        }
    }
}

/// `(8, 3712, 64)`: indices, and what a step is in the two matrices.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}, {})", self.extent, self.strides[0], self.strides[1])
    }
}

impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}, {}, {})", self.at, self.row_stride, self.col_stride, self.batch_stride)
    }
}

/// A constant as one reads it where that loses no bit, else as bits.
struct Number(Scalar, u64);
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Number(ty, word) = *self;
        let canonical = scalar::truncate(ty, word) == word;
        let float = match ty {
            Scalar::F64 => f64::from_bits(word),
            Scalar::F32 => f32::from_bits(word as u32) as f64,
            Scalar::I64 | Scalar::I32 | Scalar::I16 | Scalar::I8 | Scalar::I1 => 0.0,
        };
        match ty {
            _ if !canonical || !float.is_finite() => write!(f, "{word:#x}"),
            Scalar::F64 => write!(f, "{float:?}"),
            Scalar::F32 => write!(f, "{:?}", f32::from_bits(word as u32)),
            Scalar::I1 => write!(f, "{}", word != 0),
            Scalar::I64 | Scalar::I32 | Scalar::I16 | Scalar::I8 => write!(f, "{}", scalar::signed(ty, word)),
        }
    }
}

struct Printer<'a> {
    program: &'a Program,
    out: &'a mut String,
}

impl<'a> Printer<'a> {
    fn program(&mut self) -> fmt::Result {
        let p = self.program;
        write!(self.out, "program {}({}) -> ({})", Symbol(&p.name), List(&p.params), List(&p.results))?;
        let entry = p.kernels.get(p.entry).map_or("", |k| &k.name);
        writeln!(
            self.out,
            " mode {} scratch {} entry {} {{",
            spell(MODES, p.mode),
            p.scratch,
            Symbol(entry)
        )?;
        for (id, mem) in p.mems.iter() {
            write!(self.out, "  {id} = ")?;
            match &mem.place {
                Place::Param(k) => write!(self.out, "param {k}")?,
                Place::Result(k) => write!(self.out, "result {k}")?,
                Place::Constant(bytes) => {
                    self.out.write_str("constant \"0x")?;
                    bytes.iter().try_for_each(|b| write!(self.out, "{b:02x}"))?;
                    self.out.write_str("\"")?;
                }
                Place::Scratch(offset) => write!(self.out, "scratch {offset}")?,
                Place::Stack => self.out.write_str("stack")?,
            }
            self.out.write_str(" : memref<")?;
            mem.shape.iter().try_for_each(|d| write!(self.out, "{d}x"))?;
            writeln!(self.out, "{}>", mem.elem)?;
        }
        p.kernels.values().try_for_each(|k| self.kernel(k))?;
        self.out.write_str("}\n")
    }

    fn kernel(&mut self, k: &'a Kernel) -> fmt::Result {
        write!(self.out, "\n  func {}(", Symbol(&k.name))?;
        for (n, &v) in k.body.params.iter().enumerate() {
            write!(self.out, "{}{v}: {}", if n > 0 { ", " } else { "" }, k.values[v])?;
        }
        self.out.write_str(") {\n")?;
        for (id, m) in k.mems.iter() {
            write!(self.out, "    {id} = ")?;
            match m.kind {
                MemKind::Program(mem) => write!(self.out, "program {mem}")?,
                MemKind::Param(n) => write!(self.out, "param {n}")?,
                MemKind::Local => self.out.write_str("local")?,
                MemKind::Workgroup => self.out.write_str("workgroup")?,
            }
            writeln!(self.out, " : memref<{}x{}>", m.len, m.elem)?;
        }
        let mut defined: EntityVec<KValue, bool> = EntityVec::filled(false, k.values.len());
        mark_defined(&k.body, &mut defined);
        for (v, _) in defined.iter().filter(|(_, defined)| !**defined) {
            writeln!(self.out, "    {v} = unused : {}", k.values[v])?;
        }
        self.insts(k, &k.body, 4)?;
        self.out.write_str("  }\n")
    }

    /// The instructions of a block, and what it yields, at an indentation.
    fn insts(&mut self, k: &'a Kernel, block: &'a Block, indent: usize) -> fmt::Result {
        for inst in &block.insts {
            write!(self.out, "{:indent$}", "")?;
            if !inst.results.is_empty() {
                write!(self.out, "{} = ", List(&inst.results))?;
            }
            self.inst(k, inst, indent)?;
            self.out.write_str("\n")?;
        }
        if !block.yields.is_empty() {
            writeln!(self.out, "{:indent$}scf.yield {}", "", List(&block.yields))?;
        }
        Ok(())
    }

    /// A block in braces.
    fn block(&mut self, k: &'a Kernel, block: &'a Block, indent: usize) -> fmt::Result {
        self.out.write_str("{\n")?;
        self.insts(k, block, indent + 2)?;
        write!(self.out, "{:indent$}}}", "")
    }

    fn symbol(&self, kernel: KernelId) -> Symbol<'a> {
        Symbol(self.program.kernels.get(kernel).map_or("", |k| &k.name))
    }

    fn types(&self, k: &Kernel, values: &[KValue]) -> String {
        let types: Vec<Scalar> = values.iter().map(|&v| k.values[v]).collect();
        format!("({})", List(&types))
    }

    fn inst(&mut self, k: &'a Kernel, inst: &'a KInst, indent: usize) -> fmt::Result {
        let operands = List(&inst.operands);
        // Types of the first operand and of the first result, for operations that have them.
        let from = || k.values[inst.operands[0]];
        let to = || k.values[inst.results[0]];
        match &inst.op {
            KOp::Const(word) => write!(self.out, "arith.constant {} : {}", Number(to(), *word), to()),
            KOp::Unary(op) => {
                let name = spell_for(FLOAT_UNARY, UNARY, from().is_float(), *op);
                write!(self.out, "{name} {operands} : {}", to())
            }
            KOp::Binary(op) => {
                let name = spell_for(FLOAT_BINARY, BINARY, from().is_float(), *op);
                write!(self.out, "{name} {operands} : {}", to())
            }
            KOp::Compare(direction, kind) => {
                write!(self.out, "arith.cmp {}, {}, {operands} : {}", direction.name(), kind.name(), from())
            }
            KOp::Select => write!(self.out, "arith.select {operands} : {}", to()),
            KOp::Fma => write!(self.out, "math.fma {operands} : {}", to()),
            KOp::Cast(kind) => {
                write!(self.out, "{} {operands} : {} to {}", spell(CASTS, *kind), from(), to())
            }
            KOp::Math(f) => write!(self.out, "{} {operands} : {}", f.name(), to()),
            KOp::Math2(f) => write!(self.out, "{} {operands} : {}", f.name(), to()),
            KOp::Load(access) => write!(self.out, "memref.load {access} : {}", to()),
            KOp::Store(access) => write!(self.out, "memref.store {operands}, {access} : {}", from()),
            KOp::For(f) => self.counted(k, f, inst, indent),
            KOp::While(w) => {
                self.out.write_str("scf.while (")?;
                self.carried(&w.cond.params, &inst.operands)?;
                write!(self.out, ") -> {} ", self.types(k, &inst.results))?;
                self.block(k, &w.cond, indent)?;
                write!(self.out, " do ({}) ", List(&w.body.params))?;
                self.block(k, &w.body, indent)
            }
            KOp::Switch(blocks) => {
                write!(self.out, "scf.index_switch {operands} -> {}", self.types(k, &inst.results))?;
                for block in blocks {
                    self.out.write_str(" ")?;
                    self.block(k, block, indent)?;
                }
                Ok(())
            }
            KOp::Call { kernel, mems } => {
                write!(self.out, "func.call {}({}; {operands})", self.symbol(*kernel), List(mems))
            }
            KOp::Parallel { kernel, mems, extent, grain } => {
                let symbol = self.symbol(*kernel);
                write!(
                    self.out,
                    "scf.parallel {symbol} to {extent} grain {grain} ({}; {operands})",
                    List(mems)
                )
            }
            KOp::Launch { kernel, mems, grid, block } => {
                let symbol = self.symbol(*kernel);
                write!(self.out, "gpu.launch {symbol} blocks({}) threads({})", List(grid), List(block))?;
                write!(self.out, " ({}; {operands})", List(mems))
            }
            KOp::ThreadId(axis) => write!(self.out, "gpu.thread_id {} : {}", spell(AXES, *axis), to()),
            KOp::BlockId(axis) => write!(self.out, "gpu.block_id {} : {}", spell(AXES, *axis), to()),
            KOp::Barrier => self.out.write_str("gpu.barrier"),
            KOp::Shuffle(mask) => write!(self.out, "gpu.shuffle xor {operands}, {mask} : {}", to()),
            KOp::Library(call) => match &**call {
                Library::Gemm { elem, sizes, rows, depth, a, b, c, adds } => {
                    write!(self.out, "library.gemm {elem} [{}] {a} {b} {c}", List(sizes))?;
                    for (word, levels) in [("rows", rows), ("sum", depth)] {
                        if !levels.is_empty() {
                            write!(self.out, " {word} [{}]", List(levels))?;
                        }
                    }
                    self.out.write_str(if *adds { " adds" } else { "" })
                }
                Library::Tile { f, src, dst, len } => {
                    write!(self.out, "library.tile {} {src} to {dst} len {len}", f.name())
                }
                Library::Tile2 { f, a, b, dst, len } => {
                    write!(self.out, "library.tile2 {} {a}, {b} to {dst} len {len}", f.name())
                }
                Library::Reference { program, inputs, outputs } => {
                    self.out.write_str("library.reference ")?;
                    crate::text::write_quoted(self.out, program.text());
                    write!(self.out, " ({}) to ({})", List(inputs), List(outputs))
                }
                Library::Section(number) => write!(self.out, "library.section {number}"),
            },
            KOp::Reserve(m) => write!(self.out, "memref.reserve {m}, {operands}"),
            KOp::Steps(work) if inst.operands.is_empty() => write!(self.out, "wengert.steps {work}"),
            KOp::Steps(work) => write!(self.out, "wengert.steps {work}, {operands}"),
        }
    }

    fn counted(&mut self, k: &'a Kernel, f: &'a For, inst: &KInst, indent: usize) -> fmt::Result {
        let (counter, carried) = f.body.params.split_first().expect("a loop's body takes its counter");
        let kind = match &f.kind {
            LoopKind::Sequential => "scf.for".to_owned(),
            LoopKind::Vector => "scf.for vector".to_owned(),
            LoopKind::Lanes(combines) => {
                let words: Vec<&str> = combines.iter().map(|&c| spell(COMBINES, c)).collect();
                format!("scf.for lanes({})", List(&words))
            }
        };
        write!(self.out, "{kind} {counter} = {} to {} step {} ", f.start, f.end, f.step)?;
        if !carried.is_empty() {
            self.out.write_str("iter(")?;
            match f.kind {
                LoopKind::Lanes(_) | LoopKind::Vector => write!(self.out, "{}", List(carried))?,
                LoopKind::Sequential => self.carried(carried, &inst.operands)?,
            }
            write!(self.out, ") -> {} ", self.types(k, &inst.results))?;
        }
        self.block(k, &f.body, indent)
    }

    /// `%param = %initial` for each carried value.
    fn carried(&mut self, params: &[KValue], initial: &[KValue]) -> fmt::Result {
        let pairs: Vec<String> = params.iter().zip(initial).map(|(p, i)| format!("{p} = {i}")).collect();
        write!(self.out, "{}", List(&pairs))
    }
}

/// Marks the values that a block and the blocks in it define.
fn mark_defined(block: &Block, defined: &mut EntityVec<KValue, bool>) {
    block.params.iter().for_each(|&v| defined[v] = true);
    for inst in &block.insts {
        inst.results.iter().for_each(|&v| defined[v] = true);
        inst.op.blocks().for_each(|b| mark_defined(b, defined));
    }
}
