//! Calls of programs.
//!
//! A program that takes no longer than it takes to hand it to another thread runs in the caller's, if its arguments are there;
//! others run on the device's stream, and their results are buffers that will be ready. An argument that is given away is
//! deleted at once; its memory becomes a result's if the compiled program allows that and nobody else holds it when it runs.

use crate::buffer::Buffer;
use crate::data::{Cell, Data};
use crate::device::Device;
use crate::duration::Duration;
use crate::entry;
use crate::error::{Code, Done, Failure};
use crate::event::{self, Completion};
use crate::executable::{Executable, Loaded};
use crate::ffi::*;
use crate::handles::{self, objects};
use crate::program::Slot;
use smallvec::SmallVec;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;
use wengert_ir::array::Bytes;

objects! { Context as PJRT_ExecuteContext = 11 "execute context"; }

/// What a caller gives with a call: there is nothing that it could give yet.
pub(crate) struct Context;

/// `PJRT_ExecuteContext_Create`.
pub(crate) fn create_context(a: &mut PJRT_ExecuteContext_Create_Args) -> Done {
    a.context = handles::insert(Arc::new(Context))?;
    Ok(())
}

/// `PJRT_ExecuteContext_Destroy`.
pub(crate) fn destroy_context(a: &mut PJRT_ExecuteContext_Destroy_Args) -> Done {
    handles::destroy::<Context>(a.context)
}

/// A call, all of whose parts are there.
struct Call {
    executable: Arc<Executable>,
    /// Data of the tensors among the arguments, in order, and whether it is given away.
    args: SmallVec<[(Option<Arc<Cell>>, bool); 8]>,
    /// Arguments that are tokens: to be waited for.
    tokens: Vec<Arc<Cell>>,
}

/// Results, tokens left out.
type Results = SmallVec<[Data; 4]>;

impl Call {
    /// What has to be waited for.
    fn missing(&self) -> SmallVec<[Arc<Completion>; 4]> {
        let cells = self.args.iter().filter_map(|(cell, _)| cell.as_ref()).chain(&self.tokens);
        cells.filter(|cell| !cell.is_settled()).map(|cell| cell.completion().clone()).collect()
    }

    /// Runs it. Nothing is missing, unless the caller has asked to wait for everything.
    fn run(mut self) -> Done<Results> {
        let program = &self.executable.program;
        for cell in &self.tokens {
            cell.wait()?;
        }
        for (cell, _) in &self.args {
            cell.as_ref().expect("not taken yet").wait()?;
        }
        let mut taken: SmallVec<[(usize, Bytes); 2]> = SmallVec::new();
        let mut pairs: SmallVec<[(u32, u32); 2]> = SmallVec::new();
        for &(argument, result) in program.donations() {
            let (cell, given) = &mut self.args[argument as usize];
            if *given && let Some(whole) = cell.take() {
                match whole.take() {
                    Ok(bytes) => {
                        taken.push((result as usize, bytes));
                        pairs.push((argument, result));
                    }
                    Err(shared) => *cell = Some(shared),
                }
            }
        }
        let mut results: SmallVec<[Bytes; 4]> = SmallVec::new();
        for (k, ty) in program.tensor_outputs().enumerate() {
            results.push(match taken.iter().position(|(result, _)| *result == k) {
                Some(at) => taken.swap_remove(at).1,
                None => Bytes::try_take(ty.bytes()).ok_or_else(|| {
                    Failure::new(Code::ResourceExhausted, format!("no memory for result {k} ({ty})"))
                })?,
            });
        }
        {
            let mut args: SmallVec<[&[u8]; 8]> = SmallVec::new();
            for (cell, _) in &self.args {
                args.push(match cell {
                    Some(cell) => cell.wait()?,
                    None => &[],
                });
            }
            let mut slices: SmallVec<[&mut [u8]; 4]> = results.iter_mut().map(|bytes| &mut **bytes).collect();
            program.call(&args, &mut slices, &pairs)?;
        }
        Ok(results.into_iter().map(Data::owned).collect())
    }

    /// Runs it and remembers how long that took, if that is not known otherwise.
    fn run_timed(self, duration: &Duration) -> Done<Results> {
        if !self.executable.program.cost.at_least {
            return self.run();
        }
        let start = Instant::now();
        let results = self.run();
        duration.was(start.elapsed());
        results
    }
}

/// `PJRT_LoadedExecutable_Execute`.
pub(crate) fn execute(a: &mut PJRT_LoadedExecutable_Execute_Args) -> Done {
    let loaded = handles::get::<Loaded>(a.executable)?;
    let (executable, program) = (&loaded.executable, &loaded.executable.program);
    if loaded.is_deleted.load(Relaxed) {
        return Err(Failure::invalid(format!("the executable {} has been deleted", program.name)));
    }
    if a.num_devices != 1 {
        return Err(Failure::unimplemented(format!("a call on {} devices at once", a.num_devices)));
    }
    let device = match (&loaded.device, a.execute_device.is_null()) {
        (_, false) => handles::get::<Device>(a.execute_device)?,
        (Some(device), true) => device.clone(),
        (None, true) => {
            return Err(Failure::invalid("the program is for any device, and the call does not say which"));
        }
    };
    // SAFETY: the header's contract: there is a list of arguments for the device.
    let (options, given) = unsafe {
        let list = if a.num_args == 0 {
            &[][..]
        } else {
            entry::list("arguments", entry::list("argument_lists", a.argument_lists, 1)?[0], a.num_args)?
        };
        (entry::read(a.options)?, list)
    };
    if options.num_send_ops != 0 || options.num_recv_ops != 0 {
        return Err(Failure::unimplemented("send and receive callbacks"));
    }
    // SAFETY: the header's contract.
    let kept = unsafe {
        entry::list(
            "non_donatable_input_indices",
            options.non_donatable_input_indices,
            options.num_non_donatable_input_indices,
        )?
    };
    let buffers =
        given.iter().map(|&b| handles::get::<Buffer>(b)).collect::<Done<SmallVec<[Arc<Buffer>; 8]>>>()?;
    let donors: SmallVec<[usize; 4]> =
        program.donors.iter().copied().filter(|&d| !kept.contains(&(d as i64))).collect();
    let call = prepare(executable, &buffers, &donors)?;
    // SAFETY: the header's contract: there is a list of places for the results of the device.
    let places = unsafe {
        match program.outputs.len() {
            0 => std::ptr::null_mut(),
            count => {
                let places = entry::list("output_lists", a.output_lists, 1)?[0];
                entry::list("outputs", places.cast_const(), count)?;
                places
            }
        }
    };
    for &donor in &donors {
        buffers[donor].delete();
    }
    drop(buffers);
    let missing = call.missing();
    let is_long =
        !loaded.synchronous && (!missing.is_empty() || loaded.duration.is_long(&executable.program.cost));
    let (cells, completion) =
        if is_long { hand_over(&loaded, &device, &missing, call) } else { run_here(&loaded, call)? };
    let mut cells = cells.into_iter();
    for (k, slot) in program.outputs.iter().enumerate() {
        let buffer = match slot {
            Slot::Tensor(ty) => {
                let cell = cells.next().expect("a cell for each tensor");
                let memory = device.memory_of_kind(program.output_kinds[k]);
                Buffer::new(ty.clone(), cell, device.clone(), memory)
            }
            Slot::Token => Buffer::token(token(&completion), device.clone()),
        };
        // SAFETY: there are as many places as results.
        unsafe { places.add(k).write(handles::insert(buffer)?) };
    }
    if !a.device_complete_events.is_null() {
        // SAFETY: the header's contract: a place for each device.
        unsafe { a.device_complete_events.write(event::give(completion)?) };
    }
    Ok(())
}

/// A cell that is settled when the program has run.
fn token(completion: &Arc<Completion>) -> Arc<Cell> {
    let cell = Cell::pending();
    let settled = cell.clone();
    completion.then(move |outcome| match outcome {
        Ok(()) => settled.fill(Data::owned(Bytes::take(0))),
        Err(e) => settled.fail(e.clone()),
    });
    cell
}

/// The arguments of a call, checked.
fn prepare(executable: &Arc<Executable>, buffers: &[Arc<Buffer>], donors: &[usize]) -> Done<Call> {
    let program = &executable.program;
    if buffers.len() != program.inputs.len() {
        return Err(Failure::invalid(format!(
            "{}: {} arguments for {}",
            program.name,
            buffers.len(),
            program.inputs.len()
        )));
    }
    let mut call = Call { executable: executable.clone(), args: SmallVec::new(), tokens: Vec::new() };
    for (k, (buffer, slot)) in buffers.iter().zip(&program.inputs).enumerate() {
        let cell = buffer.cell().map_err(|e| Failure { message: format!("argument {k}: {e}"), ..e })?;
        match slot {
            // JAX gives arrays without elements for tokens: what counts is that they are there.
            Slot::Token => call.tokens.push(cell),
            Slot::Tensor(ty) if !buffer.is_token() && buffer.ty == *ty => {
                call.args.push((Some(cell), donors.contains(&k)));
            }
            Slot::Tensor(ty) => {
                return Err(Failure::invalid(format!(
                    "{}: argument {k} is {}, the program takes {ty}",
                    program.name, buffer.ty
                )));
            }
        }
    }
    for &donor in donors {
        let again = (0..buffers.len()).find(|&k| k != donor && Arc::ptr_eq(&buffers[k], &buffers[donor]));
        if let Some(k) = again {
            let what = if donors.contains(&k) {
                "donate the same buffer twice"
            } else {
                "use a buffer that is donated"
            };
            return Err(Failure::invalid(format!(
                "{}: attempt to {what} (arguments {donor} and {k})",
                program.name
            )));
        }
    }
    Ok(call)
}

/// Where the results are or will be, and when the program has run.
type Started = (SmallVec<[Arc<Cell>; 4]>, Arc<Completion>);

fn run_here(loaded: &Loaded, call: Call) -> Done<Started> {
    let results = call.run_timed(&loaded.duration)?;
    Ok((results.into_iter().map(Cell::ready).collect(), Completion::done()))
}

fn hand_over(loaded: &Arc<Loaded>, device: &Device, missing: &[Arc<Completion>], call: Call) -> Started {
    let completion: Arc<Completion> = Arc::default();
    let cells: SmallVec<[Arc<Cell>; 4]> =
        call.executable.program.tensor_outputs().map(|_| Cell::pending()).collect();
    let (loaded, to_fill, to_set) = (loaded.clone(), cells.clone(), completion.clone());
    let task = move || {
        let name = "PJRT_LoadedExecutable_Execute";
        let outcome = entry::guarded(name, || call.run_timed(&loaded.duration));
        match outcome {
            Ok(results) => {
                to_fill.into_iter().zip(results).for_each(|(cell, data)| cell.fill(data));
                to_set.set(Ok(()));
            }
            Err(e) => {
                to_fill.iter().for_each(|cell| cell.fail(e.clone()));
                to_set.set(Err(e));
            }
        }
    };
    device.stream.submit(missing, Box::new(task));
    (cells, completion)
}
