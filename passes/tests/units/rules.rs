//! The shapes and rules of functions that JAX differentiates by rules of its own: that they can be read, and are of any dimensions.

use wengert_ir::func::{Func, Module};
use wengert_ir::op::{Op, Reducer};
use wengert_ir::{ops_of, text, verify};
use wengert_passes::testing::{KNOWN, LANES};

/// Whether every operation of a function, regions included, is one that can be made for tensors of other dimensions.
fn is_elementwise(library: &Module, f: &Func) -> bool {
    f.insts.values().all(|inst| match &inst.op {
        Op::Unary(_) | Op::Binary(_) | Op::Compare(_) | Op::Select(_) | Op::Clamp(_) | Op::Convert(_) => true,
        Op::BitcastConvert(_) => true,
        Op::Constant(c) => c.value.as_splat().is_some() || c.value.ty().shape[..] != [LANES],
        // Coefficients, not elements.
        Op::Reshape(_) | Op::Slice(_) => {
            let all = inst.operands.iter().chain(&inst.results);
            all.copied().all(|v| f.ty(v).as_tensor().is_some_and(|t| t.shape[..] != [LANES]))
        }
        Op::BroadcastInDim(b) => b.dims.is_empty() || b.shape[..] == [LANES],
        Op::Reduce(r) => matches!(r.reducer, Reducer::Op(_)) && r.inputs == 1 && r.dims[..] == [0],
        Op::While(w) => [w.cond, w.body].iter().all(|&c| is_elementwise(library, &library.funcs[c])),
        ops_of!(source)
        | ops_of!(elementwise)
        | ops_of!(movement)
        | ops_of!(update)
        | ops_of!(contraction)
        | ops_of!(library)
        | ops_of!(call)
        | ops_of!(control)
        | ops_of!(mark)
        | ops_of!(opaque) => false,
    })
}

#[test]
fn shapes_are_read_and_of_operations_that_take_any_dimensions() {
    for known in &KNOWN {
        let library = known.library();
        assert!(library.shapes.len() >= 2, "{}: one per element type", known.name);
        let written = text::parse(known.source).expect(known.name);
        verify::verify(&written).unwrap_or_else(|e| panic!("{}: {e:?}", known.name));
        for shape in &library.shapes {
            let (reached, _) = written.reachable(&[written.find(&shape.func.name).expect("a shape")]);
            let insts = || reached.funcs.values().flat_map(|f| f.insts.values());
            let has_sign = |sign: &Op| insts().any(|i| i.op == *sign);
            assert!(known.signs.iter().all(has_sign), "{} without its signs", known.name);
            for func in [&shape.func, &shape.rule] {
                assert!(is_elementwise(&library.module, func), "{}: {}", known.name, func.name);
            }
        }
    }
}
