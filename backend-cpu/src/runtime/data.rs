//! What generated code refers to by address: constants, descriptions of matrix products, reference programs.

use super::buffer::{self, Buffer};
use super::entry::Routine;
use super::product::Product;
use super::stacks::Stack;
use std::sync::Arc;
use wengert_ir::bytes::ALIGN;
use wengert_ir::entity::Entity;
use wengert_ir::kernel::reference::Reference;
use wengert_ir::kernel::{Mem, Place, Program};

/// What code refers to besides code of its program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Address {
    /// A routine of the runtime.
    Routine(Routine),
    /// The first byte of a constant of the program.
    Constant(Mem),
    /// A description of a matrix product, by its number among those of the program.
    Product(u32),
    /// A program for the reference interpreter, by its number among those of the program.
    Reference(u32),
}

/// Owned by the executable whose code refers to it.
#[derive(Debug)]
pub(crate) struct Data {
    constants: Option<Buffer>,
    /// Offset of each memory that is a constant.
    offsets: Vec<usize>,
    products: Box<[Product]>,
    references: Vec<Arc<Reference>>,
    /// Bytes of a row of each stack.
    stacks: Vec<usize>,
}

impl Data {
    /// Copies the constants of a program to aligned memory.
    pub(crate) fn new(program: &Program, products: Vec<Product>, references: Vec<Arc<Reference>>) -> Self {
        let (mut offsets, mut stacks, mut end) = (vec![0; program.mems.len()], Vec::new(), 0usize);
        for (mem, def) in program.mems.iter() {
            match &def.place {
                Place::Constant(bytes) => {
                    offsets[mem.index()] = end;
                    end = (end + bytes.len()).next_multiple_of(ALIGN);
                }
                Place::Stack => stacks.push(def.bytes()),
                Place::Param(_) | Place::Result(_) | Place::Scratch(_) => {}
            }
        }
        let constants = (end > 0).then(|| {
            let mut buffer = buffer::take(end).unwrap_or_else(|| panic!("no memory for {end} bytes"));
            for (mem, def) in program.mems.iter() {
                if let Place::Constant(bytes) = &def.place {
                    let at = offsets[mem.index()];
                    buffer[at..at + bytes.len()].copy_from_slice(bytes);
                }
            }
            buffer
        });
        Self { constants, offsets, products: products.into(), references, stacks }
    }

    /// Where something is that code refers to; fixed as long as this lives.
    pub(crate) fn address(&self, address: Address) -> usize {
        match address {
            Address::Routine(routine) => routine.address(),
            Address::Constant(mem) => {
                self.constants.as_ref().map_or(ALIGN, |c| c.as_ptr() as usize + self.offsets[mem.index()])
            }
            Address::Product(number) => &raw const self.products[number as usize] as usize,
            Address::Reference(number) => Arc::as_ptr(&self.references[number as usize]) as usize,
        }
    }

    /// Empty stacks for a call.
    pub(crate) fn stacks(&self) -> Vec<Stack> {
        self.stacks.iter().map(|&row_bytes| Stack::new(row_bytes)).collect()
    }
}
