//! The printer: modules, entries, names, blocks.

use super::Class;
use crate::expand::{Means, expand};
use crate::launches::{launched, stored};
use std::fmt::Write;
use wengert_ir::entity::EntityVec;
use wengert_ir::kernel::{
    Axis, Block, Extent, KInst, KOp, KValue, Kernel, KernelId, MemKind, MemRef, Program, Scalar,
};

/// The text of a program's kernels, and what is in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    /// PTX.
    pub text: String,
    /// Its entries, in order.
    pub entries: Vec<Entry>,
}

/// A kernel in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Which.
    pub kernel: KernelId,
    /// Its symbol.
    pub name: String,
}

/// The module of all that a program launches.
///
/// # Errors
/// What a kernel does that there is no PTX for.
pub fn module(program: &Program) -> Result<Module, String> {
    let mut text = String::from(HEADER);
    let mut entries = Vec::new();
    for launch in launched(program) {
        let (id, kernel) = (launch.kernel, &program.kernels[launch.kernel]);
        let name = symbol(id, &kernel.name);
        text += &entry_text(kernel, &name, launch.block)?;
        entries.push(Entry { kernel: id, name });
    }
    Ok(Module { text, entries })
}

/// What every module begins with.
pub(super) const HEADER: &str = "//\n// Made by wengert\n//\n.version 6.4\n.target sm_75\n.address_size 64\n";

/// A kernel's name as PTX takes it.
fn symbol(id: KernelId, name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("{id}_{plain}")
}

/// The text of one entry for blocks of these sizes. Its parameters are the addresses of the kernel's memories, in
/// the order of their numbers, and then its scalars.
///
/// # Errors
/// What the kernel does that there is no PTX for.
pub fn entry_text(kernel: &Kernel, name: &str, block: [u32; 3]) -> Result<String, String> {
    let expanded = expand(kernel, Means::default());
    let mut printer = Printer::new(&expanded, block);
    printer.memories()?;
    printer.scalars();
    let body = &expanded.body;
    printer.insts(&body.insts)?;
    printer.line("ret;");
    Ok(printer.finish(name))
}

pub(super) struct Printer<'k> {
    pub(super) kernel: &'k Kernel,
    /// Threads of a block.
    pub(super) block_sizes: [u32; 3],
    /// What each value is written as: a register or an immediate.
    pub(super) names: EntityVec<KValue, Option<String>>,
    /// The register that holds where each memory starts, and its state space.
    pub(super) bases: EntityVec<MemRef, (String, &'static str)>,
    header: String,
    params: Vec<String>,
    pub(super) body: String,
    /// One more than the highest register.
    registers: usize,
    labels: usize,
}

impl<'k> Printer<'k> {
    fn new(kernel: &'k Kernel, block_sizes: [u32; 3]) -> Self {
        Self {
            kernel,
            block_sizes,
            names: EntityVec::filled(None, kernel.values.len()),
            bases: EntityVec::filled((String::new(), ""), kernel.mems.len()),
            header: String::new(),
            params: Vec::new(),
            body: String::new(),
            registers: kernel.values.len(),
            labels: 0,
        }
    }

    fn finish(self, name: &str) -> String {
        let Self { header, params, body, registers, block_sizes: [x, y, z], .. } = self;
        let params = params.join(",\n");
        format!(
            "\n.visible .entry {name}(\n{params}\n)\n.reqntid {x}, {y}, {z}\n{{\n\t.reg .pred %p<{registers}>;\n\t\
             .reg .b32 %r<{registers}>;\n\t.reg .b64 %q<{registers}>;\n{header}{body}}}\n"
        )
    }

    pub(super) fn line(&mut self, text: impl AsRef<str>) {
        let _ = writeln!(self.body, "\t{}", text.as_ref());
    }

    pub(super) fn label(&mut self) -> String {
        self.labels += 1;
        format!("$L{}", self.labels)
    }

    pub(super) fn place(&mut self, label: &str) {
        let _ = writeln!(self.body, "{label}:");
    }

    /// A register that no value has.
    pub(super) fn fresh(&mut self, class: Class) -> String {
        self.registers += 1;
        register(class, self.registers - 1)
    }

    pub(super) fn ty(&self, v: KValue) -> Scalar {
        self.kernel.values[v]
    }

    /// Gives a value a register of its own.
    pub(super) fn define(&mut self, v: KValue) -> String {
        use wengert_ir::entity::Entity;
        let name = register(class(self.ty(v)), v.index());
        self.names[v] = Some(name.clone());
        name
    }

    /// A value as it is written where it is read.
    pub(super) fn name(&self, v: KValue) -> String {
        self.names[v].clone().expect("values are defined before they are used")
    }

    /// A value in a register: truth values are never written as numbers where they are read.
    pub(super) fn extent(&self, extent: Extent) -> String {
        match extent {
            Extent::Const(n) => n.to_string(),
            Extent::Value(v) => self.name(v),
        }
    }

    /// Addresses of memories.
    fn memories(&mut self) -> Result<(), String> {
        let count = self.kernel.mems.values().filter(|m| matches!(m.kind, MemKind::Param(_))).count();
        for k in 0..count {
            self.params.push(format!("\t.param .u64 m{k}"));
        }
        let stored = stored(self.kernel);
        for (m, def) in self.kernel.mems.iter() {
            let base = self.fresh(Class::Quad);
            let bytes = (def.len * def.elem.size()).max(1);
            let space = match def.kind {
                MemKind::Param(k) => {
                    self.line(format!("ld.param.u64 {base}, [m{k}];"));
                    self.line(format!("cvta.to.global.u64 {base}, {base};"));
                    // What no thread writes may come through the cache that nobody keeps up to date.
                    if stored[m] { "global" } else { "global.nc" }
                }
                MemKind::Local => {
                    let name = m.to_string().replace('%', "local_");
                    let _ = writeln!(self.header, "\t.local .align 16 .b8 {name}[{bytes}];");
                    self.line(format!("mov.u64 {base}, {name};"));
                    "local"
                }
                MemKind::Workgroup => {
                    let name = m.to_string().replace('%', "shared_");
                    let _ = writeln!(self.header, "\t.shared .align 16 .b8 {name}[{bytes}];");
                    self.line(format!("mov.u64 {base}, {name};"));
                    "shared"
                }
                MemKind::Program(_) => {
                    return Err(format!("kernel `{}` names memory of the program", self.kernel.name));
                }
            };
            self.bases[m] = (base, space);
        }
        Ok(())
    }

    fn scalars(&mut self) {
        for (k, &v) in self.kernel.body.params.iter().enumerate() {
            let name = self.define(v);
            let (ty, load) = match class(self.ty(v)) {
                Class::Pred => ("u8", self.fresh(Class::Word)),
                Class::Word => ("b32", name.clone()),
                Class::Quad => ("b64", name.clone()),
            };
            self.params.push(format!("\t.param .{ty} s{k}"));
            self.line(format!("ld.param.{ty} {load}, [s{k}];"));
            if load != name {
                self.line(format!("setp.ne.u32 {name}, {load}, 0;"));
            }
        }
    }

    pub(super) fn insts(&mut self, insts: &[KInst]) -> Result<(), String> {
        insts.iter().try_for_each(|inst| self.inst(inst))
    }

    /// The instructions of a block whose parameters have names; what it yields, as written.
    pub(super) fn block(&mut self, block: &Block) -> Result<Vec<String>, String> {
        self.insts(&block.insts)?;
        Ok(block.yields.iter().map(|&v| self.name(v)).collect())
    }

    fn inst(&mut self, inst: &KInst) -> Result<(), String> {
        let x: Vec<String> = inst.operands.iter().map(|&v| self.name(v)).collect();
        let ty = inst.operands.first().map(|&v| self.ty(v));
        match &inst.op {
            KOp::Const(word) => self.constant(inst.results[0], *word),
            KOp::Unary(op) => {
                let d = self.define(inst.results[0]);
                self.unary(*op, ty.expect("one operand"), &d, &x[0]);
            }
            KOp::Binary(op) => {
                let d = self.define(inst.results[0]);
                self.binary(*op, ty.expect("two operands"), &d, &x[0], &x[1])?;
            }
            KOp::Compare(direction, kind) => {
                let d = self.define(inst.results[0]);
                self.compare(*direction, *kind, ty.expect("two operands"), &d, &x[0], &x[1]);
            }
            KOp::Select => {
                let d = self.define(inst.results[0]);
                self.select(self.ty(inst.results[0]), &d, &x[0], &x[1], &x[2]);
            }
            KOp::Fma => {
                let d = self.define(inst.results[0]);
                let f = float(ty.expect("three operands"));
                self.line(format!("fma.rn.{f} {d}, {}, {}, {};", x[0], x[1], x[2]));
            }
            KOp::Cast(kind) => {
                let (from, to) = (ty.expect("one operand"), self.ty(inst.results[0]));
                let d = self.define(inst.results[0]);
                self.cast(*kind, from, to, &d, &x[0]);
            }
            KOp::Load(access) => {
                let d = self.define(inst.results[0]);
                self.load(access, &d);
            }
            KOp::Store(access) => self.store(access, &x[0]),
            KOp::For(f) => self.counted(f, &inst.operands, &inst.results)?,
            KOp::While(w) => self.conditional(w, &inst.operands, &inst.results)?,
            KOp::Switch(blocks) => self.switch(blocks, inst.operands[0], &inst.results)?,
            KOp::ThreadId(axis) => self.number_of(inst.results[0], "tid", *axis),
            KOp::BlockId(axis) => self.number_of(inst.results[0], "ctaid", *axis),
            KOp::Barrier => self.line("bar.sync 0;"),
            KOp::Shuffle(mask) => {
                let d = self.define(inst.results[0]);
                self.shuffle(ty.expect("one operand"), &d, &x[0], *mask);
            }
            // Runs on a device are bounded by their driver.
            KOp::Steps(_) => {}
            KOp::Math(_) | KOp::Math2(_) => unreachable!("expanded"),
            KOp::Call { .. }
            | KOp::Parallel { .. }
            | KOp::Launch { .. }
            | KOp::Library(_)
            | KOp::Reserve(_) => {
                return Err(format!("kernel `{}` calls what no kernel of a device calls", self.kernel.name));
            }
        }
        Ok(())
    }
}

impl Printer<'_> {
    fn number_of(&mut self, result: KValue, of: &str, axis: Axis) {
        let axis = match axis {
            Axis::X => 'x',
            Axis::Y => 'y',
            Axis::Z => 'z',
        };
        let (narrow, d) = (self.fresh(Class::Word), self.define(result));
        self.line(format!("mov.u32 {narrow}, %{of}.{axis};"));
        self.line(format!("cvt.u64.u32 {d}, {narrow};"));
    }

    /// What another thread of the warp has, by registers of 32 bits.
    fn shuffle(&mut self, ty: Scalar, d: &str, x: &str, mask: u32) {
        let members = self.members();
        match class(ty) {
            Class::Pred => {
                let word = self.number(x);
                self.line(format!("shfl.sync.bfly.b32 {word}, {word}, {mask}, 0x1f, {members};"));
                self.line(format!("setp.ne.u32 {d}, {word}, 0;"));
            }
            Class::Word => self.line(format!("shfl.sync.bfly.b32 {d}, {x}, {mask}, 0x1f, {members};")),
            Class::Quad => {
                let [low, high] = [self.fresh(Class::Word), self.fresh(Class::Word)];
                let upper = self.fresh(Class::Quad);
                self.line(format!("shr.u64 {upper}, {x}, 32;"));
                self.line(format!("cvt.u32.u64 {low}, {x};"));
                self.line(format!("cvt.u32.u64 {high}, {upper};"));
                self.line(format!("shfl.sync.bfly.b32 {low}, {low}, {mask}, 0x1f, {members};"));
                self.line(format!("shfl.sync.bfly.b32 {high}, {high}, {mask}, 0x1f, {members};"));
                self.line(format!("cvt.u64.u32 {d}, {low};"));
                self.line(format!("cvt.u64.u32 {upper}, {high};"));
                self.line(format!("shl.b64 {upper}, {upper}, 32;"));
                self.line(format!("or.b64 {d}, {d}, {upper};"));
            }
        }
    }

    /// The mask of the threads of this warp that there are; the last warp of a block may have fewer.
    fn members(&mut self) -> String {
        let [x, y, z] = self.block_sizes;
        let threads = x * y * z;
        let last = match threads % 32 {
            0 => return u32::MAX.to_string(),
            n => (1u32 << n) - 1,
        };
        if threads < 32 {
            return last.to_string();
        }
        let [n, other, at] = [(); 3].map(|()| self.fresh(Class::Word));
        self.line(format!("mov.u32 {n}, %tid.x;"));
        for (axis, size) in [('y', x), ('z', x * y)] {
            self.line(format!("mov.u32 {other}, %tid.{axis};"));
            self.line(format!("mad.lo.s32 {n}, {other}, {size}, {n};"));
        }
        let is_last = self.fresh(Class::Pred);
        self.line(format!("setp.ge.u32 {is_last}, {n}, {};", threads / 32 * 32));
        self.line(format!("selp.b32 {at}, {last}, {}, {is_last};", u32::MAX));
        at
    }
}

/// The class of the registers of a type.
pub(super) fn class(ty: Scalar) -> Class {
    match ty {
        Scalar::I1 => Class::Pred,
        Scalar::F32 | Scalar::I32 | Scalar::I16 | Scalar::I8 => Class::Word,
        Scalar::F64 | Scalar::I64 => Class::Quad,
    }
}

/// The suffix of a float type.
pub(super) fn float(ty: Scalar) -> &'static str {
    if ty == Scalar::F64 { "f64" } else { "f32" }
}

/// The width of the registers of a type that is not a truth value.
pub(super) fn bits(ty: Scalar) -> u32 {
    if class(ty) == Class::Quad { 64 } else { 32 }
}

pub(super) fn register(class: Class, number: usize) -> String {
    let letter = match class {
        Class::Pred => 'p',
        Class::Word => 'r',
        Class::Quad => 'q',
    };
    format!("%{letter}{number}")
}
