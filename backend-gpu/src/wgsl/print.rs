//! The printer: shaders, bindings, blocks.

use crate::expand::{Means, expand};
use crate::launches::{launched, stored};
use std::fmt::Write;
use wengert_ir::entity::{Entity, EntityVec};
use wengert_ir::kernel::{
    Axis, Block, Extent, KInst, KOp, KValue, Kernel, KernelId, MemKind, MemRef, Program, Scalar,
};

/// A kernel as a shader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shader {
    /// Which.
    pub kernel: KernelId,
    /// WGSL; its entry is `main`.
    pub text: String,
    /// Memories that it is bound to, in order; `args` is the binding after them.
    pub mems: usize,
    /// Whether each scalar parameter, in order, has 64 bits.
    pub wide: Vec<bool>,
    /// What the device must have.
    pub needs: super::Needs,
}

/// The shaders of all that a program launches.
///
/// # Errors
/// What a kernel does that there is no WGSL for.
pub fn module(program: &Program, means: Means) -> Result<Vec<Shader>, String> {
    let means = Means { plain_f64: true, ..means };
    let shader = |launch: crate::launches::Launched| {
        let kernel = expand(&program.kernels[launch.kernel], means);
        let text = Printer::new(&kernel, launch.block).print()?;
        let params = kernel.mems.values().filter(|m| matches!(m.kind, MemKind::Param(_)));
        let wide = |&v: &KValue| matches!(kernel.values[v], Scalar::F64 | Scalar::I64);
        Ok(Shader {
            kernel: launch.kernel,
            text,
            mems: params.count(),
            wide: kernel.body.params.iter().map(wide).collect(),
            needs: super::needs(&kernel),
        })
    };
    launched(program).into_iter().map(shader).collect()
}

pub(super) struct Printer<'k> {
    pub(super) kernel: &'k Kernel,
    block_sizes: [u32; 3],
    /// What each value is written as.
    pub(super) names: EntityVec<KValue, Option<String>>,
    /// Which memories are stored to: what is packed in them needs atomic operations.
    pub(super) stored: EntityVec<MemRef, bool>,
    header: String,
    pub(super) body: String,
    depth: usize,
    fresh: usize,
    /// Types whose values threads exchange.
    exchanged: Vec<&'static str>,
}

/// The WGSL type of a value.
pub(super) fn type_of(ty: Scalar) -> &'static str {
    match ty {
        Scalar::F64 => "f64",
        Scalar::F32 => "f32",
        Scalar::I64 => "i64",
        Scalar::I32 | Scalar::I16 | Scalar::I8 => "u32",
        Scalar::I1 => "bool",
    }
}

/// How an element of the memory of one block lies: a word each.
fn element_of(ty: Scalar) -> &'static str {
    if ty == Scalar::I1 { "u32" } else { type_of(ty) }
}

/// Whether elements of a buffer share words.
pub(super) fn is_packed(ty: Scalar) -> bool {
    ty.size() < 4
}

impl<'k> Printer<'k> {
    fn new(kernel: &'k Kernel, block_sizes: [u32; 3]) -> Self {
        Self {
            kernel,
            block_sizes,
            names: EntityVec::filled(None, kernel.values.len()),
            stored: stored(kernel),
            header: String::new(),
            body: String::new(),
            depth: 1,
            fresh: 0,
            exchanged: Vec::new(),
        }
    }

    fn print(mut self) -> Result<String, String> {
        let params = self.kernel.mems.values().filter(|m| matches!(m.kind, MemKind::Param(_))).count();
        self.line("let zero = args[3];");
        let kernel = self.kernel;
        if super::needs(kernel).f64 {
            self.line("let zero64 = u64(zero);");
        }
        for (m, def) in self.kernel.mems.iter() {
            let (name, len) = (memory_name(m), def.len.max(1));
            match def.kind {
                MemKind::Param(k) => {
                    let elem = match (is_packed(def.elem), self.stored[m]) {
                        (true, true) => "atomic<u32>",
                        (true, false) => "u32",
                        (false, _) => type_of(def.elem),
                    };
                    let _ = writeln!(
                        self.header,
                        "@group(0) @binding({k}) var<storage, read_write> {name}: array<{elem}>;"
                    );
                    self.line(format!("let {name}_at = i64(args[{}] / {}u);", 4 + k, def.elem.size()));
                }
                MemKind::Workgroup => {
                    let elem = element_of(def.elem);
                    let _ = writeln!(self.header, "var<workgroup> {name}: array<{elem}, {len}>;");
                }
                MemKind::Local => self.line(format!("var {name}: array<{}, {len}>;", element_of(def.elem))),
                MemKind::Program(_) => {
                    return Err(format!("kernel `{}` names memory of the program", self.kernel.name));
                }
            }
        }
        let _ =
            writeln!(self.header, "@group(0) @binding({params}) var<storage, read_write> args: array<u32>;");
        for (k, &v) in self.kernel.body.params.iter().enumerate() {
            let (low, high) =
                (format!("args[{}]", 4 + params + 2 * k), format!("args[{}]", 5 + params + 2 * k));
            let text = match self.kernel.values[v] {
                Scalar::I1 => format!("({low} != 0u)"),
                Scalar::F32 => format!("bitcast<f32>({low})"),
                Scalar::I32 | Scalar::I16 | Scalar::I8 => low,
                Scalar::I64 => format!("bitcast<i64>(u64({low}) | (u64({high}) << 32u))"),
                Scalar::F64 => format!("bitcast<f64>(u64({low}) | (u64({high}) << 32u))"),
            };
            self.define(v, text);
        }
        self.insts(&self.kernel.body.insts)?;
        let Self { header, body, block_sizes: [x, y, z], exchanged, .. } = self;
        let threads = u64::from(x) * u64::from(y) * u64::from(z);
        let mut text = header;
        for ty in exchanged {
            let _ = writeln!(text, "var<workgroup> exchange_{ty}: array<{ty}, {threads}>;");
        }
        let _ = write!(
            text,
            "\n@compute @workgroup_size({x}, {y}, {z})\nfn main(@builtin(local_invocation_id) thread: vec3<u32>, \
             @builtin(workgroup_id) block: vec3<u32>) {{\n{body}}}\n"
        );
        Ok(text)
    }

    pub(super) fn line(&mut self, text: impl AsRef<str>) {
        let _ = writeln!(self.body, "{}{}", "  ".repeat(self.depth), text.as_ref());
    }

    /// Opens a block of text, and closes the innermost.
    pub(super) fn open(&mut self, text: &str) {
        self.line(format!("{text} {{"));
        self.depth += 1;
    }

    pub(super) fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    pub(super) fn ty(&self, v: KValue) -> Scalar {
        self.kernel.values[v]
    }

    pub(super) fn name(&self, v: KValue) -> String {
        self.names[v].clone().expect("values are defined before they are used")
    }

    pub(super) fn define(&mut self, v: KValue, text: impl AsRef<str>) {
        let name = format!("v{}", v.index());
        self.line(format!("let {name} = {};", text.as_ref()));
        self.names[v] = Some(name);
    }

    /// A value that changes.
    pub(super) fn variable(&mut self, v: KValue, init: Option<&str>) -> String {
        let (name, ty) = (format!("v{}", v.index()), type_of(self.ty(v)));
        match init {
            Some(init) => self.line(format!("var {name}: {ty} = {init};")),
            None => self.line(format!("var {name}: {ty};")),
        }
        self.names[v] = Some(name.clone());
        name
    }

    /// A name that no value has, for this.
    pub(super) fn keep(&mut self, text: impl AsRef<str>) -> String {
        self.fresh += 1;
        let name = format!("t{}", self.fresh);
        self.line(format!("let {name} = {};", text.as_ref()));
        name
    }

    pub(super) fn extent(&self, extent: Extent) -> String {
        match extent {
            Extent::Const(n) => scalar_literal(n),
            Extent::Value(v) => self.name(v),
        }
    }

    pub(super) fn insts(&mut self, insts: &[KInst]) -> Result<(), String> {
        insts.iter().try_for_each(|inst| self.inst(inst))
    }

    pub(super) fn block(&mut self, block: &Block) -> Result<Vec<String>, String> {
        self.insts(&block.insts)?;
        Ok(block.yields.iter().map(|&v| self.name(v)).collect())
    }

    fn inst(&mut self, inst: &KInst) -> Result<(), String> {
        let x: Vec<String> = inst.operands.iter().map(|&v| self.name(v)).collect();
        let ty = inst.operands.first().map(|&v| self.ty(v));
        let text = match &inst.op {
            KOp::Const(word) => {
                let ty = self.ty(inst.results[0]);
                self.constant(ty, *word)
            }
            KOp::Unary(op) => self.unary(*op, ty.expect("one operand"), &x[0])?,
            KOp::Binary(op) => self.binary(*op, ty.expect("two operands"), &x[0], &x[1])?,
            KOp::Compare(direction, kind) => {
                self.compare(*direction, *kind, ty.expect("two operands"), &x[0], &x[1])
            }
            KOp::Select => format!("select({}, {}, {})", x[2], x[1], x[0]),
            KOp::Fma => {
                Self::opaque(ty.expect("three operands"), &format!("fma({}, {}, {})", x[0], x[1], x[2]))
            }
            KOp::Cast(kind) => {
                let (from, to) = (ty.expect("one operand"), self.ty(inst.results[0]));
                self.cast(*kind, from, to, &x[0])
            }
            KOp::Load(access) => self.load(access),
            KOp::Store(access) => {
                self.store(access, &x[0]);
                return Ok(());
            }
            KOp::For(f) => return self.counted(f, &inst.operands, &inst.results),
            KOp::While(w) => return self.conditional(w, &inst.operands, &inst.results),
            KOp::Switch(blocks) => return self.switch(blocks, inst.operands[0], &inst.results),
            KOp::ThreadId(axis) => format!("i64(thread.{})", letter(*axis)),
            KOp::BlockId(axis) => {
                format!("i64(block.{} + args[{}])", letter(*axis), *axis as usize)
            }
            KOp::Barrier => {
                self.line("workgroupBarrier();");
                self.line("storageBarrier();");
                return Ok(());
            }
            KOp::Shuffle(mask) => self.shuffle(ty.expect("one operand"), &x[0], *mask),
            KOp::Steps(_) => return Ok(()),
            KOp::Math(_) | KOp::Math2(_) => unreachable!("expanded"),
            KOp::Call { .. }
            | KOp::Parallel { .. }
            | KOp::Launch { .. }
            | KOp::Library(_)
            | KOp::Reserve(_) => {
                return Err(format!("kernel `{}` calls what no kernel of a device calls", self.kernel.name));
            }
        };
        self.define(inst.results[0], text);
        Ok(())
    }

    /// By memory that the block shares: not every device has subgroups of the size that is needed.
    fn shuffle(&mut self, ty: Scalar, x: &str, mask: u32) -> String {
        let [sx, sy, _] = self.block_sizes;
        let elem = element_of(ty);
        if !self.exchanged.contains(&elem) {
            self.exchanged.push(elem);
        }
        let at = self.keep(format!("thread.x + {sx}u * (thread.y + {sy}u * thread.z)"));
        self.line("workgroupBarrier();");
        let value = if ty == Scalar::I1 { format!("u32({x})") } else { x.to_owned() };
        self.line(format!("exchange_{elem}[{at}] = {value};"));
        self.line("workgroupBarrier();");
        let found = format!("exchange_{elem}[{at} ^ {mask}u]");
        if ty == Scalar::I1 { format!("{found} != 0u") } else { found }
    }
}

fn letter(axis: Axis) -> char {
    match axis {
        Axis::X => 'x',
        Axis::Y => 'y',
        Axis::Z => 'z',
    }
}

pub(super) fn memory_name(m: MemRef) -> String {
    format!("m{}", m.index())
}

/// A number of 64 bits; the least is none that the text has.
pub(super) fn scalar_literal(n: i64) -> String {
    if n == i64::MIN { format!("(-{}li - 1li)", i64::MAX) } else { format!("{n}li") }
}
