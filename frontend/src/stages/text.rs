//! Programs from text and bytecode, and as text and bytecode: StableHLO, for this compiler and for others.

use crate::deep;
use crate::error::Error;
use crate::program::Traced;
use crate::wengert_list::WengertList;
use wengert_ir::func::{FuncId, FuncKind, Module};
use wengert_ir::types::Type;
use wengert_ir::{bytecode, limits, text};
use wengert_passes::spmd;

impl Traced {
    /// A program from StableHLO: text, a portable artifact (MLIR bytecode), or what `jax.export` serializes; `entry` names
    /// its function, `main` or the only public one if not given.
    ///
    /// Fails with line, column and the offending line if the text is malformed, with the byte or the operation if bytecode
    /// is, if it breaks a rule of an operation, or if there is no such function, and if it takes or gives anything but
    /// tensors that can be computed with.
    ///
    /// ```
    /// use wengert::stages::Traced;
    /// let text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }";
    /// let program = Traced::parse(text, None).unwrap();
    /// let bytes = program.to_bytecode(Some("1.9.0")).unwrap();
    /// assert_eq!(Traced::parse(bytes, None).unwrap().text(false), program.text(false));
    /// ```
    pub fn parse(source: impl AsRef<[u8]>, entry: Option<&str>) -> Result<Self, Error> {
        Self::of(module_of(source.as_ref())?, entry)
    }

    /// As [`Traced::parse`], of a module that has been read.
    pub fn of(module: Module, entry: Option<&str>) -> Result<Self, Error> {
        Self::entry(module, entry)?.of_one_device()?.of_tensors()
    }

    /// What computations for several devices compute together.
    fn of_one_device(self) -> Result<Self, Error> {
        if !spmd::is_needed(&self.module, self.func) {
            return Ok(self);
        }
        let limit = self.limits.check(&self.module, self.func)?;
        deep::run(&self, || {
            let mut module = self.module.clone();
            spmd::globalize(&mut module, self.func)?;
            limits::check(&module, self.func, limit)?;
            Ok(self.made(module, self.func))
        })
    }

    /// As [`Traced::parse`], of a text that is called `file`: what does not say where it comes from gets its line there.
    pub fn parse_placed(source: &str, entry: Option<&str>, file: &str) -> Result<Self, Error> {
        Self::of(text::parse_placed(source, file).map_err(|e| Error::new(e.to_string(), None))?, entry)
    }

    /// As [`Traced::parse`], of a program that may be there to be printed only: its arguments and results may be of any type
    /// that text has, quantized ones for instance.
    pub fn read(source: impl AsRef<[u8]>, entry: Option<&str>) -> Result<Self, Error> {
        Self::entry(module_of(source.as_ref())?, entry)
    }

    fn of_tensors(self) -> Result<Self, Error> {
        let func = self.module.get(self.func);
        let types = func.param_types().into_iter().chain(func.result_types());
        match types.into_iter().find(|ty| ty.as_tensor().is_none()) {
            Some(ty) => Err(Error::new(
                format!("@{} takes or gives {ty}, which is only read and printed", func.name),
                None,
            )),
            None => Ok(self),
        }
    }

    fn entry(module: Module, entry: Option<&str>) -> Result<Self, Error> {
        let publics: Vec<FuncId> =
            module.funcs.iter().filter(|(_, f)| f.kind == FuncKind::Public).map(|(id, _)| id).collect();
        let found = match entry {
            Some(name) => module.find(name),
            None => module.find("main").or(if let [only] = publics[..] { Some(only) } else { None }),
        };
        let found = found.or(match (entry, &publics[..]) {
            (Some("main"), [only]) => Some(*only),
            _ => None,
        });
        let Some(func) = found else {
            let names: Vec<String> = publics.iter().map(|&f| format!("@{}", module.get(f).name)).collect();
            let message = format!(
                " there is no function @{}; the program has {}",
                entry.unwrap_or("main"),
                names.join(", ")
            );
            return Err(Error::new(message, None));
        };
        Ok(Self::new(module, func))
    }

    /// A program from a module that was read.
    pub(crate) fn of_module(module: Module, entry: &str) -> Result<Self, Error> {
        Self::entry(module, Some(entry))?.of_one_device()?.of_tensors()
    }

    /// The program as a portable artifact: MLIR bytecode that JAX and other tools with StableHLO read, at a version of
    /// StableHLO such as `1.9.0`; without one at the version that JAX sends today. What only Wengert has is there under its
    /// name, with what it stands for beside it.
    ///
    /// Fails for what that version does not have, and for operations of CHLO; the error names the operation.
    pub fn to_bytecode(&self, version: Option<&str>) -> Result<Vec<u8>, Error> {
        bytecode::write(&self.module, version).map_err(|e| Error::new(e.to_string(), None))
    }

    /// The program in plain StableHLO and CHLO, for XLA and other compilers: what only Wengert has (scans, multiplications
    /// with additions rounded once) is a call of what it stands for.
    ///
    /// Fails for the reverse mode of a `while` whose number of trips is not known: what it keeps has no static size, which
    /// StableHLO needs. (A loop with a static number of trips is a scan, and is fine.)
    pub fn stablehlo(&self) -> Result<String, Error> {
        for func in self.module.funcs.values() {
            let is_dynamic = |t: &Type| t.as_tensor().is_some_and(|t| !t.is_static());
            if let Some((_, v)) = func.values.iter().find(|(_, v)| is_dynamic(&v.ty)) {
                let message = format!(
                    "no plain StableHLO: the program has a tensor of unknown length ({}), as the reverse mode of a \
                     `while` keeps; give the loop a static number of trips",
                    v.ty
                );
                return Err(Error::new(message, None));
            }
        }
        Ok(text::print(&self.module, &text::PrintOptions { locations: false, plain: true }))
    }

    /// The function as a Wengert list: one line per operation, values numbered in order.
    pub fn wengert_list(&self) -> String {
        WengertList::new(&self.module.get(self.func), 0, &[]).to_string()
    }
}

/// The module that text or bytes are.
fn module_of(source: &[u8]) -> Result<Module, Error> {
    let read = if bytecode::is_binary(source) {
        bytecode::read(source).map_err(|e| e.to_string())
    } else {
        match std::str::from_utf8(source) {
            Ok(source) => text::parse(source).map_err(|e| e.to_string()),
            Err(_) => Err(" neither text in UTF-8 nor bytecode".to_owned()),
        }
    };
    read.map_err(|e| Error::new(e, None))
}
