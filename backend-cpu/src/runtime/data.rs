//! What generated code refers to by address: constants and descriptions of matrix products.

use super::alloc::{ALIGN, Buffer};
use super::gemm::Product;
use super::stacks::Stack;
use std::sync::Arc;
use wengert_ir::entity::Entity;
use wengert_ir::kernel::reference::Reference;
use wengert_ir::kernel::{Mem, Place, Program};

/// Owned by the executable whose code refers to it.
#[derive(Debug)]
pub(crate) struct Data {
    constants: Option<Buffer>,
    /// Offset of each memory that is a constant.
    offsets: Vec<usize>,
    /// Boxed so that growing the list moves no description.
    #[allow(clippy::vec_box, reason = "code refers to the boxes' addresses")]
    products: Vec<Box<Product>>,
    references: Vec<Arc<Reference>>,
    /// Memories that are stacks, in order, with bytes of a row.
    stacks: Vec<(Mem, usize)>,
}

impl Data {
    /// Copies the constants of a program to aligned memory.
    pub(crate) fn new(program: &Program) -> Self {
        let (mut offsets, mut stacks, mut end) = (vec![0; program.mems.len()], Vec::new(), 0usize);
        for (mem, def) in program.mems.iter() {
            match &def.place {
                Place::Constant(bytes) => {
                    offsets[mem.index()] = end;
                    end = (end + bytes.len()).next_multiple_of(ALIGN);
                }
                Place::Stack => stacks.push((mem, def.shape.iter().product::<usize>() * def.elem.size())),
                Place::Param(_) | Place::Result(_) | Place::Scratch(_) => {}
            }
        }
        let constants = (end > 0).then(|| {
            let mut buffer =
                Buffer::take(end).expect("memory for the constants of a program that fits in memory");
            for (mem, def) in program.mems.iter() {
                if let Place::Constant(bytes) = &def.place {
                    let at = offsets[mem.index()];
                    buffer.as_mut_slice()[at..at + bytes.len()].copy_from_slice(bytes);
                }
            }
            buffer
        });
        Self { constants, offsets, products: Vec::new(), references: Vec::new(), stacks }
    }

    /// Where a constant lies.
    pub(crate) fn constant_address(&self, mem: Mem) -> usize {
        self.constants.as_ref().map_or(ALIGN, |c| c.as_ptr() as usize + self.offsets[mem.index()])
    }

    /// Keeps a description at a fixed address.
    pub(crate) fn keep(&mut self, product: Product) -> usize {
        self.products.push(Box::new(product));
        &raw const **self.products.last().expect("just added") as usize
    }

    /// Keeps a reference program; gives its fixed address.
    pub(crate) fn keep_reference(&mut self, program: Arc<Reference>) -> usize {
        let address = Arc::as_ptr(&program) as usize;
        self.references.push(program);
        address
    }

    /// Which of the program's stacks a memory is.
    pub(crate) fn stack_number(&self, mem: Mem) -> usize {
        self.stacks.iter().position(|&(stack, _)| stack == mem).expect("a stack of the program")
    }

    /// Empty stacks for a call.
    pub(crate) fn stacks(&self) -> Vec<Stack> {
        self.stacks.iter().map(|&(_, row_bytes)| Stack::new(row_bytes)).collect()
    }
}
