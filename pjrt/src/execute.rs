//! Calls of programs.
//!
//! A program that takes no longer than it takes to hand it to another thread runs in the caller's, if its arguments are there;
//! others run on the device's stream, and their results are buffers that will be ready. An argument that is given away is
//! deleted at once; its memory becomes a result's if the compiled program allows that and nobody else holds it when it runs.
//!
//! A program for several devices runs once, on the stream of the first of them, on whole arrays: see [`crate::shards`].

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
use crate::layout::Order;
use crate::strides;
use crate::types::Slot;
use smallvec::SmallVec;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;
use wengert::TensorType;
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
    let devices = devices(&loaded, a)?;
    // SAFETY: the header's contract.
    let options = unsafe { entry::read(a.options) }?;
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
    let given = arguments(a, devices.len())?;
    if devices.len() > 1 {
        for (device, buffers) in devices.iter().zip(&given) {
            if let Some(k) = buffers.iter().position(|buffer| buffer.device_id() != device.id) {
                let (found, wanted) = (buffers[k].device_id(), device.id);
                return Err(Failure::invalid(format!(
                    "argument {k} of device {wanted} lies on device {found}"
                )));
            }
        }
    }
    let donors: SmallVec<[usize; 4]> =
        program.donors.iter().copied().filter(|&d| !kept.contains(&(d as i64))).collect();
    let call = prepare(executable, &devices[0], &given, &donors)?;
    let places = places(a, devices.len(), program.outputs.len())?;
    for buffers in &given {
        donors.iter().for_each(|&donor| buffers[donor].delete());
    }
    drop(given);
    let missing = call.missing();
    let is_long =
        !loaded.synchronous && (!missing.is_empty() || loaded.duration.is_long(&executable.program.cost));
    let (cells, completion) =
        if is_long { hand_over(&loaded, &devices[0], &missing, call) } else { run_here(&loaded, call)? };
    for (number, (device, &places)) in devices.iter().zip(&places).enumerate() {
        let mut cells = cells.iter();
        for (k, slot) in program.outputs.iter().enumerate() {
            let memory = device.memory_of_kind(program.output_kinds[k]);
            let order = || program.orders.outputs[k].clone();
            let buffer = match (slot, &program.output_shards[k]) {
                (Slot::Tensor(_), Some(shards)) => {
                    let whole = cells.next().expect("a cell for each tensor");
                    let part = part_of(executable, k, number, whole);
                    Buffer::new(shards.part.clone(), order(), part, device.clone(), memory)
                }
                (Slot::Tensor(ty), None) => {
                    let cell = cells.next().expect("a cell for each tensor");
                    Buffer::new(ty.clone(), order(), cell.clone(), device.clone(), memory)
                }
                (Slot::Token, _) => Buffer::token(token(&completion), device.clone()),
            };
            // SAFETY: there are as many places as results.
            unsafe { places.add(k).write(handles::insert(buffer)?) };
        }
        if !a.device_complete_events.is_null() {
            // SAFETY: the header's contract: a place for each device.
            unsafe { a.device_complete_events.add(number).write(event::give(completion.clone())?) };
        }
    }
    Ok(())
}

/// The devices of a call, of which there is one at least.
fn devices(loaded: &Loaded, a: &PJRT_LoadedExecutable_Execute_Args) -> Done<SmallVec<[Arc<Device>; 1]>> {
    let devices: SmallVec<[Arc<Device>; 1]> = match (&loaded.on[..], a.execute_device.is_null()) {
        ([], true) => {
            return Err(Failure::invalid("the program is for any device, and the call does not say which"));
        }
        ([] | [_], false) => SmallVec::from_elem(handles::get::<Device>(a.execute_device)?, 1),
        (_, false) => {
            return Err(Failure::unimplemented("a call on one of the devices of a program for several"));
        }
        (all, true) => all.iter().cloned().collect(),
    };
    if a.num_devices != devices.len() {
        let (given, count) = (a.num_devices, devices.len());
        return Err(Failure::invalid(format!("a call on {given} devices of a program for {count}")));
    }
    Ok(devices)
}

/// What the devices are given.
type Given = SmallVec<[SmallVec<[Arc<Buffer>; 8]>; 1]>;

fn arguments(a: &PJRT_LoadedExecutable_Execute_Args, devices: usize) -> Done<Given> {
    if a.num_args == 0 {
        return Ok(SmallVec::from_elem(SmallVec::new(), devices));
    }
    // SAFETY: the header's contract: there is a list of arguments for each device.
    let lists = unsafe { entry::list("argument_lists", a.argument_lists, devices) }?;
    let list = |&list: &*const *mut PJRT_Buffer| {
        // SAFETY: as above.
        let given = unsafe { entry::list("arguments", list, a.num_args) }?;
        given.iter().map(|&b| handles::get::<Buffer>(b)).collect()
    };
    lists.iter().map(list).collect()
}

/// Where the results of each device go.
type Places = SmallVec<[*mut *mut PJRT_Buffer; 1]>;

fn places(a: &PJRT_LoadedExecutable_Execute_Args, devices: usize, count: usize) -> Done<Places> {
    if count == 0 {
        return Ok(SmallVec::from_elem(std::ptr::null_mut(), devices));
    }
    // SAFETY: the header's contract: there is a list of places for the results of each device.
    let lists = unsafe { entry::list("output_lists", a.output_lists, devices) }?;
    for &list in lists {
        // SAFETY: as above.
        unsafe { entry::list("outputs", list.cast_const(), count) }?;
    }
    Ok(SmallVec::from_slice(lists))
}

/// What a device has of a result that lies in parts.
fn part_of(executable: &Arc<Executable>, result: usize, device: usize, whole: &Arc<Cell>) -> Arc<Cell> {
    let part = Cell::pending();
    let (to_fill, executable, source) = (part.clone(), executable.clone(), whole.clone());
    whole.completion().then(move |outcome| {
        let cut = entry::guarded("PJRT_LoadedExecutable_Execute", || {
            outcome.clone()?;
            let shards = executable.program.output_shards[result].as_ref();
            shards
                .ok_or_else(|| Failure::internal("a result that is not in parts"))?
                .cut(device, source.wait()?)
        });
        match cut {
            Ok(bytes) => to_fill.fill(Data::owned(bytes)),
            Err(e) => to_fill.fail(e),
        }
    });
    part
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
fn prepare(executable: &Arc<Executable>, device: &Device, given: &Given, donors: &[usize]) -> Done<Call> {
    let program = &executable.program;
    if given[0].len() != program.inputs.len() {
        return Err(Failure::invalid(format!(
            "{}: {} arguments for {}",
            program.name,
            given[0].len(),
            program.inputs.len()
        )));
    }
    let mut call = Call { executable: executable.clone(), args: SmallVec::new(), tokens: Vec::new() };
    for (k, slot) in program.inputs.iter().enumerate() {
        let mut parts: SmallVec<[Arc<Cell>; 1]> = SmallVec::new();
        let shards = &program.input_shards[k];
        for buffers in given {
            let buffer = &buffers[k];
            let cell = buffer.cell().map_err(|e| Failure { message: format!("argument {k}: {e}"), ..e })?;
            let Slot::Tensor(whole) = slot else {
                parts.push(cell);
                continue;
            };
            let ty = shards.as_ref().map_or(whole, |shards| &shards.part);
            if buffer.is_token() || buffer.ty != *ty {
                return Err(Failure::invalid(format!(
                    "{}: argument {k} is {}, the program takes {ty}",
                    program.name, buffer.ty
                )));
            }
            parts.push(lying(cell, ty, &buffer.order, &program.orders.inputs[k]));
        }
        match (slot, shards) {
            // JAX gives arrays without elements for tokens: what counts is that they are there.
            (Slot::Token, _) => call.tokens.extend(parts),
            (Slot::Tensor(_), Some(_)) => call.args.push((Some(joined(executable, device, k, parts)), false)),
            // What all devices have is taken from the first; a copy of it that another has is not looked at.
            (Slot::Tensor(_), None) => {
                let is_given = donors.contains(&k) && parts.len() == 1;
                call.args.push((parts.into_iter().next(), is_given));
            }
        }
    }
    for buffers in given {
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
    }
    Ok(call)
}

/// An argument in the order in which the program takes it: if its dimensions lie in another, a copy in that one, once it is there.
fn lying(cell: Arc<Cell>, ty: &TensorType, from: &Order, to: &Order) -> Arc<Cell> {
    if from.lies_as(to, ty) {
        return cell;
    }
    let copy = Cell::pending();
    let (to_fill, ty, from, to) = (copy.clone(), ty.clone(), from.strides(ty), to.strides(ty));
    cell.completion().clone().then(move |outcome| {
        let copied = entry::guarded("PJRT_LoadedExecutable_Execute", || {
            outcome.clone()?;
            strides::copied(&ty, cell.wait()?, &from, &to)
        });
        match copied {
            Ok(bytes) => to_fill.fill(Data::owned(bytes)),
            Err(e) => to_fill.fail(e),
        }
    });
    copy
}

/// An argument that lies in parts, which is there when they are.
fn joined(
    executable: &Arc<Executable>,
    device: &Device,
    argument: usize,
    parts: SmallVec<[Arc<Cell>; 1]>,
) -> Arc<Cell> {
    let whole = Cell::pending();
    let (to_fill, executable) = (whole.clone(), executable.clone());
    let missing: Vec<Arc<Completion>> =
        parts.iter().filter(|part| !part.is_settled()).map(|part| part.completion().clone()).collect();
    let join = move || {
        let joined = entry::guarded("PJRT_LoadedExecutable_Execute", || {
            let slices = parts.iter().map(|part| Ok(&part.wait()?[..])).collect::<Done<Vec<&[u8]>>>()?;
            let shards = executable.program.input_shards[argument].as_ref();
            shards.ok_or_else(|| Failure::internal("an argument that is not in parts"))?.join(&slices)
        });
        match joined {
            Ok(bytes) => to_fill.fill(Data::owned(bytes)),
            Err(e) => to_fill.fail(e),
        }
    };
    if missing.is_empty() {
        join()
    } else {
        device.stream.submit(&missing, Box::new(join))
    }
    whole
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
