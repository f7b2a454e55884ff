//! Machine code and what it refers to, kept apart until it is linked: so code can be compiled on several threads, kept in
//! files, and is the same bytes whenever and wherever it is compiled.
//!
//! Code refers to other functions of its program by number, and to everything else by [`Address`]: such a reference is
//! a relocation of the name space [`OUTSIDE`], whose number stands for an entry of [`Outside`].

use crate::options::CompileError;
use crate::runtime::data::{Address, Data};
use crate::runtime::product::Product;
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::ir::{ExternalName, Function, GlobalValue, GlobalValueData, UserExternalName};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module, ModuleReloc, ModuleRelocTarget};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use wengert_ir::kernel::reference::Reference;
use wengert_ir::kernel::{KOp, Library, Program};

/// The name space of references to what is not code of the program; Cranelift's modules use 0 and 1.
pub(crate) const OUTSIDE: u32 = 2;

/// A function in machine code, not yet at its place.
#[derive(Clone)]
pub(crate) struct Code {
    pub(crate) bytes: Vec<u8>,
    pub(crate) align: u64,
    pub(crate) relocs: Vec<ModuleReloc>,
}

/// What the code of one program refers to, each once, in the order in which code came to need it.
#[derive(Clone, Default, Debug)]
pub(crate) struct Outside {
    addresses: Vec<Address>,
    numbers: FxHashMap<Address, u32>,
    products: Vec<Product>,
    references: Vec<Arc<Reference>>,
}

impl Outside {
    pub(crate) fn new(program: &Program) -> Self {
        Self { references: references(program), ..Self::default() }
    }

    /// As it was, from its parts.
    pub(crate) fn restored(program: &Program, addresses: Vec<Address>, products: Vec<Product>) -> Self {
        Self { addresses, products, ..Self::new(program) }
    }

    pub(crate) fn addresses(&self) -> &[Address] {
        &self.addresses
    }

    pub(crate) fn products(&self) -> &[Product] {
        &self.products
    }

    /// How many reference programs there are.
    pub(crate) fn references(&self) -> usize {
        self.references.len()
    }

    /// The symbol by which a function refers to an address.
    pub(crate) fn symbol(&mut self, address: Address, func: &mut Function) -> GlobalValue {
        let addresses = &mut self.addresses;
        let number = *self.numbers.entry(address).or_insert_with(|| {
            addresses.push(address);
            addresses.len() as u32 - 1
        });
        let name =
            func.declare_imported_user_function(UserExternalName { namespace: OUTSIDE, index: number });
        func.create_global_value(GlobalValueData::Symbol {
            name: ExternalName::user(name),
            offset: 0.into(),
            colocated: false,
            tls: false,
        })
    }

    pub(crate) fn product(&mut self, product: Product) -> Address {
        let known = self.products.iter().position(|p| *p == product);
        Address::Product(known.unwrap_or_else(|| {
            self.products.push(product);
            self.products.len() - 1
        }) as u32)
    }

    pub(crate) fn reference(&self, program: &Arc<Reference>) -> Address {
        let is = |known: &Arc<Reference>| Arc::ptr_eq(known, program) || known == program;
        let number = self.references.iter().position(is).expect("a reference of the program");
        Address::Reference(number as u32)
    }
}

/// The reference programs that a program uses, each once, in order of its kernels.
fn references(program: &Program) -> Vec<Arc<Reference>> {
    let mut all: Vec<Arc<Reference>> = Vec::new();
    for kernel in program.kernels.values() {
        kernel.body.visit(&mut |inst| {
            if let KOp::Library(library) = &inst.op
                && let Library::Reference { program, .. } = &**library
                && !all.iter().any(|known| Arc::ptr_eq(known, program) || known == program)
            {
                all.push(program.clone());
            }
        });
    }
    all
}

/// A compiled program that is not at its place yet.
#[derive(Clone)]
pub(crate) struct Image {
    /// Functions in order of their numbers.
    pub(crate) codes: Vec<Code>,
    /// Number of the function that is the program.
    pub(crate) entry: u32,
    pub(crate) outside: Outside,
    /// Arguments with the result that may have their memory.
    pub(crate) donations: Vec<(u32, u32)>,
}

impl Image {
    /// Bytes of machine code.
    pub(crate) fn code_size(&self) -> usize {
        self.codes.iter().map(|code| code.bytes.len()).sum()
    }

    /// Places the code in executable memory; every function is declared in the module. Gives the entry, and what the code
    /// refers to, which has to live as long.
    pub(crate) fn link(
        self,
        program: &Program,
        module: &mut JITModule,
    ) -> Result<(*const u8, Data), CompileError> {
        let plain = |message: String| CompileError { kernel: None, message };
        let Outside { addresses, products, references, .. } = self.outside;
        let data = Data::new(program, products, references);
        for (number, mut code) in self.codes.into_iter().enumerate() {
            let mut wrong = false;
            code.relocs.retain(|reloc| {
                let ModuleRelocTarget::User { namespace: OUTSIDE, index } = reloc.name else { return true };
                let at = reloc.offset as usize;
                let place = code.bytes.get_mut(at..at + 8);
                match (reloc.kind, addresses.get(index as usize), place) {
                    (Reloc::Abs8, Some(&address), Some(place)) => {
                        let value = (data.address(address) as u64).wrapping_add_signed(reloc.addend);
                        place.copy_from_slice(&value.to_ne_bytes());
                    }
                    _ => wrong = true,
                }
                false
            });
            if wrong {
                return Err(plain("an address that code refers to in an unknown way".to_owned()));
            }
            let id = FuncId::from_u32(number as u32);
            let defined = module.define_function_bytes(id, code.align, &code.bytes, &code.relocs);
            defined.map_err(|e| plain(e.to_string()))?;
        }
        module.finalize_definitions().map_err(|e| plain(e.to_string()))?;
        Ok((module.get_finalized_function(FuncId::from_u32(self.entry)), data))
    }
}
