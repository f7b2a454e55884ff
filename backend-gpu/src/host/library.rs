//! What the host computes for a device, with copies there and back.

use super::{Bound, Frame, Run};
use crate::device::Error;
use wengert_ir::func::Loc;
use wengert_ir::interp::Limits;
use wengert_ir::kernel::product::places;
use wengert_ir::kernel::scalar::{binary, math, math2};
use wengert_ir::kernel::{Access, KBinary, Library, Matrix, Scalar};
use wengert_ir::op::CheckKind;
use wengert_ir::rules::{EvalError, Raised};

/// What the interpreter says that ran an operation.
fn failed(error: EvalError) -> Error {
    match error {
        EvalError::Unsupported(why) => Error::Refused(format!("not executable: {why}")),
        EvalError::Steps(_) => Error::Steps,
        EvalError::Memory(bytes) | EvalError::Unavailable(bytes) => {
            Error::Memory { device: "the host".into(), bytes: bytes as usize }
        }
        EvalError::Check(failure) => {
            let guard = failure.check.kind == CheckKind::Guard;
            Error::Raised(Box::new(Raised { message: failure.to_string(), loc: Loc::Unknown, guard }))
        }
        EvalError::Raised(raised) => Error::Raised(raised),
    }
}

fn word(bytes: &[u8], elem: Scalar, at: usize) -> u64 {
    let (mut word, size) = ([0; 8], elem.size());
    word[..size].copy_from_slice(&bytes[at * size..(at + 1) * size]);
    u64::from_le_bytes(word)
}

impl Run<'_> {
    /// All of a memory from an access on.
    fn all(&self, frame: &Frame, access: &Access) -> Result<(Bound, Vec<u8>), Error> {
        let bound = self.bindings(frame, std::slice::from_ref(access))?[0];
        let mut bytes = vec![0; bound.len * bound.elem.size()];
        self.read(bound, 0, &mut bytes)?;
        Ok((bound, bytes))
    }

    pub(super) fn library(&mut self, frame: &Frame, call: &Library) -> Result<(), Error> {
        match call {
            Library::Gemm { elem, sizes, rows, depth, a, b, c, adds } => {
                let ((_, x), (_, y)) = (self.all(frame, &a.at)?, self.all(frame, &b.at)?);
                let (bound, mut z) = self.all(frame, &c.at)?;
                let [batches, m, columns, k] = *sizes;
                let rows = places(rows, m, [a.row_stride, c.row_stride]);
                let sum_over = places(depth, k, [a.col_stride, b.row_stride]);
                let at = |m: &Matrix, batch: usize, [row, column]: [i64; 2]| {
                    (batch as i64 * m.batch_stride + row + column) as usize
                };
                let size = elem.size();
                for batch in 0..batches {
                    for (row, column) in rows.clone().flat_map(|r| (0..columns as i64).map(move |c| (r, c))) {
                        let to = at(c, batch, [row[1], column * c.col_stride]);
                        let mut sum = if *adds { word(&z, *elem, to) } else { 0 };
                        for k in sum_over.clone() {
                            let p = at(a, batch, [row[0], k[0]]);
                            let q = at(b, batch, [k[1], column * b.col_stride]);
                            let product = binary(KBinary::Mul, *elem, word(&x, *elem, p), word(&y, *elem, q));
                            sum = binary(KBinary::Add, *elem, sum, product);
                        }
                        z[to * size..(to + 1) * size].copy_from_slice(&sum.to_le_bytes()[..size]);
                    }
                }
                self.write(bound, 0, &z)?;
            }
            Library::Tile { f, src, dst, len } => {
                let len = self.extent(frame, *len).max(0) as usize;
                let (from, x) = self.all(frame, src)?;
                let (elem, size) = (from.elem, from.elem.size());
                let words = (0..len).map(|i| math(*f, elem, word(&x, elem, i)));
                let out: Vec<u8> = words.flat_map(|w| w.to_le_bytes().into_iter().take(size)).collect();
                let to = self.bindings(frame, std::slice::from_ref(dst))?[0];
                self.write(to, 0, &out)?;
            }
            Library::Tile2 { f, a, b, dst, len } => {
                let len = self.extent(frame, *len).max(0) as usize;
                let ((from, x), (_, y)) = (self.all(frame, a)?, self.all(frame, b)?);
                let (elem, size) = (from.elem, from.elem.size());
                let words = (0..len).map(|i| math2(*f, elem, word(&x, elem, i), word(&y, elem, i)));
                let out: Vec<u8> = words.flat_map(|w| w.to_le_bytes().into_iter().take(size)).collect();
                let to = self.bindings(frame, std::slice::from_ref(dst))?[0];
                self.write(to, 0, &out)?;
            }
            // Where a clock is read on the CPU.
            Library::Section(_) => {}
            Library::Reference { program, inputs, outputs } => {
                let mut args = Vec::with_capacity(inputs.len());
                for (access, ty) in inputs.iter().zip(program.params()) {
                    let bound = self.bindings(frame, std::slice::from_ref(access))?[0];
                    let mut bytes = vec![0; ty.bytes()];
                    self.read(bound, 0, &mut bytes)?;
                    args.push(bytes);
                }
                let args: Vec<&[u8]> = args.iter().map(Vec::as_slice).collect();
                let results = program.run(&args, &Limits::default()).0.map_err(failed)?;
                for (access, array) in outputs.iter().zip(&results) {
                    let bound = self.bindings(frame, std::slice::from_ref(access))?[0];
                    self.write(bound, 0, array.bytes())?;
                }
            }
        }
        Ok(())
    }
}
