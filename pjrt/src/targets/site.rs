//! A custom call of a target: what its handlers are given, and how their stages run.

use super::abi::*;
use super::api::api;
use super::attributes::Dictionary;
use super::buffers::Slot;
use super::context::{Call, State};
use super::errors::Failed;
use super::{Target, futures};
use std::ffi::c_void;
use std::sync::Arc;
use wengert::TensorType;
use wengert_ir::array::Array;
use wengert_ir::op::CustomCall;
use wengert_ir::text::{Typed, typed_attributes};

/// The number of the typed interface among a call's attributes; where none is said it is that of the oldest.
const TYPED: i64 = 4;
const ORIGINAL: i64 = 1;

pub(super) struct Site {
    target: Target,
    attributes: Dictionary,
    /// What the first stage made.
    instantiated: Option<Arc<State>>,
    operands: Vec<Slot>,
    results: Vec<Slot>,
    /// The operand in whose place a result lies, for each result.
    aliases: Vec<Option<usize>>,
}

/// What a program says of a call, by name.
struct Said(Vec<(String, Typed)>);

impl Said {
    fn get(&self, name: &str) -> Option<&Typed> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, value)| value)
    }

    fn list(&self, name: &str) -> &[Typed] {
        if let Some(Typed::Array(items)) = self.get(name) { items } else { &[] }
    }

    fn number(&self, name: &str) -> Option<i64> {
        self.get(name).and_then(Typed::integer)
    }

    fn config(&self) -> Option<&[(String, Typed)]> {
        let dictionary =
            |name| if let Some(Typed::Dict(entries)) = self.get(name) { Some(&entries[..]) } else { None };
        ["mhlo.backend_config", "backend_config"].into_iter().find_map(dictionary)
    }

    /// The version of the interface. JAX calls that of handlers by a dictionary beside the configuration alone.
    fn version(&self) -> i64 {
        if let Some(Typed::Dict(_)) = self.get("mhlo.backend_config") {
            return TYPED;
        }
        self.number("api_version").unwrap_or(ORIGINAL)
    }

    /// Operands and results of some types, in the layouts that are said.
    fn slots(&self, types: &[&TensorType], layouts: &str) -> Result<Vec<Slot>, String> {
        let layouts = self.list(layouts);
        let slot = |(k, ty): (usize, &&TensorType)| {
            let order = layouts.get(k).map(Typed::places).unwrap_or_default();
            // What is read has been checked to be an order of the dimensions.
            let is_order = order.len() == ty.rank() && order.iter().all(|&d| d < ty.rank());
            Slot::new(ty, is_order.then_some(&order[..]))
        };
        types.iter().enumerate().map(slot).collect()
    }

    /// The operand in whose place each of so many results lies.
    fn aliases(&self, operands: &[Slot], results: &[Slot]) -> Result<Vec<Option<usize>>, String> {
        let mut aliases = vec![None; results.len()];
        for item in self.list("output_operand_aliases") {
            let Typed::Struct(_, fields) = item else { continue };
            let fields = Said(fields.clone());
            let places = |name: &str| fields.get(name).map(Typed::places).unwrap_or_default();
            let operand = fields.number("operand_index").and_then(|k| usize::try_from(k).ok());
            let (Some(operand), true) = (operand, places("operand_tuple_indices").is_empty()) else {
                return Err("results in the place of parts of tuples are not supported".to_owned());
            };
            let result = places("output_tuple_indices").first().copied().unwrap_or(0);
            let types = [operands.get(operand), results.get(result)].map(|slot| Some(slot?.ty()));
            if types[0].is_none() || types[0] != types[1] {
                return Err(format!("result {result} cannot lie in the place of operand {operand}"));
            }
            aliases[result] = Some(operand);
        }
        Ok(aliases)
    }
}

impl Site {
    /// Fails if the target cannot be called so, or its first stage fails.
    pub(super) fn new(
        call: &CustomCall,
        target: Target,
        operands: Option<&[&TensorType]>,
    ) -> Result<Site, String> {
        let said = Said(typed_attributes(&call.attributes)?);
        let no_tensor = "it takes and gives tensors alone";
        let results: Option<Vec<&TensorType>> = call.results.iter().map(|ty| ty.as_tensor()).collect();
        let (operands, results) = (operands.ok_or(no_tensor)?, results.ok_or(no_tensor)?);
        let operands = said.slots(operands, "operand_layouts")?;
        let results = said.slots(&results, "result_layouts")?;
        let aliases = said.aliases(&operands, &results)?;
        let version = said.version();
        if version != TYPED {
            return Err(format!(
                "it is called by the interface of version {version}; XLA's typed interface ({TYPED}) is what there is"
            ));
        }
        let attributes = Dictionary::new(said.config().unwrap_or(&[]))?;
        let mut site = Site { target, attributes, instantiated: None, operands, results, aliases };
        site.instantiate().map_err(|e| e.to_string())?;
        Ok(site)
    }

    /// Runs the target on the bytes of dense row-major operands and results.
    pub(super) fn run(&self, from: &[&[u8]], to: &mut [&mut [u8]]) -> Result<(), String> {
        let sizes = |slots: &[Slot]| slots.iter().map(|slot| slot.ty().bytes()).collect::<Vec<_>>();
        let is_right = from.iter().map(|b| b.len()).eq(sizes(&self.operands))
            && to.iter().map(|b| b.len()).eq(sizes(&self.results));
        if !is_right {
            return Err("it is called with other operands than it was compiled for".to_owned());
        }
        let copies: Vec<Option<Array>> = self.operands.iter().zip(from).map(|(s, b)| s.given(b)).collect();
        let given: Vec<&[u8]> =
            copies.iter().zip(from).map(|(c, b)| c.as_ref().map_or(*b, Array::bytes)).collect();
        let mut rooms: Vec<Option<Array>> = self.results.iter().zip(&*to).map(|(s, b)| s.room(b)).collect();
        let mut places = Vec::with_capacity(to.len());
        for ((room, bytes), alias) in rooms.iter_mut().zip(&mut *to).zip(&self.aliases) {
            let bytes = room.as_mut().map_or(&mut **bytes, Array::bytes_mut);
            if let Some(operand) = alias {
                bytes.copy_from_slice(given[*operand]);
            }
            places.push(bytes.as_mut_ptr());
        }
        let place = |(k, bytes): (usize, &&[u8])| {
            let result = self.aliases.iter().position(|&operand| operand == Some(k));
            result.map_or(bytes.as_ptr().cast_mut(), |result| places[result])
        };
        let mut args: Vec<Buffer> =
            self.operands.iter().zip(given.iter().enumerate().map(place)).map(|(s, p)| s.buffer(p)).collect();
        let mut rets: Vec<Buffer> = self.results.iter().zip(&places).map(|(s, &p)| s.buffer(p)).collect();
        self.execute(&mut args, &mut rets).map_err(|e| e.to_string())?;
        for ((slot, room), bytes) in self.results.iter().zip(rooms).zip(to) {
            slot.taken(room, bytes);
        }
        Ok(())
    }

    /// The first stage, once for a call site.
    fn instantiate(&mut self) -> Result<(), Failed> {
        if let Some(handler) = self.target.handlers.instantiate {
            let call = Call::new(self.target.minor, None);
            self.stage(handler, Stage::Instantiate, &call, &mut [], &mut [])?;
            self.instantiated = call.instantiated();
        }
        Ok(())
    }

    /// The other stages, for every execution.
    fn execute(&self, args: &mut [Buffer], rets: &mut [Buffer]) -> Result<(), Failed> {
        let call = Call::new(self.target.minor, self.instantiated.clone());
        let stages = [
            (self.target.handlers.prepare, Stage::Prepare),
            (self.target.handlers.initialize, Stage::Initialize),
            (self.target.handlers.execute, Stage::Execute),
        ];
        for (handler, stage) in stages {
            if let Some(handler) = handler {
                self.stage(handler, stage, &call, args, rets)?;
            }
        }
        Ok(())
    }

    fn stage(
        &self,
        handler: Handler,
        stage: Stage,
        call: &Call,
        args: &mut [Buffer],
        rets: &mut [Buffer],
    ) -> Result<(), Failed> {
        let mut types = vec![BUFFER; args.len().max(rets.len())];
        let addresses = |all: &mut [Buffer]| -> Vec<*mut c_void> {
            all.iter_mut().map(|buffer| (&raw mut *buffer).cast()).collect()
        };
        let (mut args, mut rets) = (addresses(args), addresses(rets));
        let mut frame = empty_frame(stage);
        frame.api = api(self.target.minor);
        frame.context = call.handle();
        frame.args = buffers(&mut types, &mut args);
        frame.rets = buffers(&mut types, &mut rets);
        frame.attrs = self.attributes.view();
        // SAFETY: the header's contract: what the frame points to lives until the handler has ended, and its future if it gives one.
        unsafe {
            let failed = Failed::take(handler(&mut frame));
            // Of one that failed too: until then it may write to what the frame points to.
            let later = futures::wait(frame.future);
            failed.and(later)
        }
    }
}

fn buffers(types: &mut [i32], items: &mut [*mut c_void]) -> Buffers {
    Buffers {
        struct_size: size_of::<Buffers>(),
        extension: std::ptr::null_mut(),
        size: items.len() as i64,
        types: types.as_mut_ptr(),
        items: items.as_mut_ptr(),
    }
}

/// A call frame without operands, results and attributes.
pub(super) fn empty_frame(stage: Stage) -> CallFrame {
    let nothing = || buffers(&mut [], &mut []);
    CallFrame {
        struct_size: CALL_FRAME,
        extension: std::ptr::null_mut(),
        api: api(MINOR),
        context: std::ptr::null_mut(),
        stage: stage as i32,
        args: nothing(),
        rets: nothing(),
        attrs: Attributes::NONE,
        future: std::ptr::null_mut(),
    }
}
