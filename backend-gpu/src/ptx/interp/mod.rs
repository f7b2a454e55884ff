//! A reader and interpreter of the PTX that we print: the device that is always there.
//!
//! It takes the text that a driver would be given and nothing else of the compiler, and knows only what the printer
//! writes, so that what it runs is what a GPU would. Results that PTX leaves open (division by zero, a shift of
//! NaN to an integer) are errors; an access outside of a buffer, or one that is not aligned, is an error that names it.
//! Threads of a block run one after the other from barrier to barrier; a barrier that some threads miss is an error.

mod parse;
mod pure;
mod run;

pub use parse::{Code, Entry};
pub use run::{Counts, Launch, run};

/// Memory of the device: buffers far apart from each other.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    buffers: Vec<Option<Vec<u8>>>,
}

/// Bits of an address that are a place in a buffer.
const PLACE: u32 = 40;

impl Memory {
    /// A new buffer of undefined bytes; its address.
    pub fn allocate(&mut self, bytes: usize) -> u64 {
        self.buffers.push(Some(vec![wengert_ir::kernel::interp::UNDEFINED; bytes]));
        (self.buffers.len() as u64) << PLACE
    }

    /// Frees the buffer at an address; false if there is none.
    pub fn free(&mut self, address: u64) -> bool {
        self.buffer(address).is_some_and(|slot| slot.take().is_some())
    }

    fn buffer(&mut self, address: u64) -> Option<&mut Option<Vec<u8>>> {
        let number = (address >> PLACE).checked_sub(1)?;
        self.buffers.get_mut(usize::try_from(number).ok()?)
    }

    /// So many bytes at an address.
    ///
    /// # Errors
    /// If they are not all in one buffer.
    pub fn bytes(&mut self, address: u64, count: usize) -> Result<&mut [u8], String> {
        let place = (address & ((1 << PLACE) - 1)) as usize;
        let buffer = self.buffer(address).and_then(Option::as_mut);
        let bytes = buffer.and_then(|b| b.get_mut(place..place.checked_add(count)?));
        bytes.ok_or_else(|| format!("{count} bytes at {address:#x} are in no buffer"))
    }
}
