//! Programs that no text says, made by damaging one that is right: the verifier refuses them.

use super::{ALL, read, verify};
use wengert_ir::entity::Entity;
use wengert_ir::kernel::{
    Block, Extent, For, KInst, KOp, KValue, LoopKind, MOST_NESTED, Place, Program, Scalar,
};

/// Changes the `at`-th instruction of a block, an outer one before those inside it; what is left of `at` if there are fewer.
fn at(block: &mut Block, mut at: usize, change: &mut dyn FnMut(&mut KInst)) -> Option<usize> {
    for inst in &mut block.insts {
        if at == 0 {
            change(inst);
            return None;
        }
        at -= 1;
        for block in inst.op.blocks_mut() {
            at = self::at(block, at, change)?;
        }
    }
    Some(at)
}

/// The program once for each of its instructions, which is changed.
fn each(program: &Program, change: &mut dyn FnMut(&mut KInst)) -> Vec<Program> {
    let mut all = Vec::new();
    for id in program.kernels.keys() {
        let mut count = 0;
        program.kernels[id].body.visit(&mut |_| count += 1);
        for k in 0..count {
            let mut damaged = program.clone();
            assert!(at(&mut damaged.kernels[id].body, k, change).is_none());
            all.push(damaged);
        }
    }
    all
}

fn refused(program: &Program) -> String {
    verify(program).expect_err("it is damaged").join("\n")
}

#[test]
fn instructions_have_so_many_operands_and_results() {
    let program = read(ALL);
    verify(&program).unwrap();
    let mut damaged = 0;
    // One more, the last twice, one less.
    for what in 0..3 {
        let mut change = |inst: &mut KInst| {
            let last = inst.operands.last().copied();
            if matches!(inst.op, KOp::Steps(_)) {
                // They are so much work, or so much times an operand.
            } else if what == 0 {
                inst.operands.push(last.unwrap_or(KValue::from_index(0)));
            } else if what == 1 {
                inst.operands.extend(inst.operands.clone());
            } else {
                inst.operands.pop();
            }
        };
        for program in each(&program, &mut change).iter().filter(|p| **p != program) {
            refused(program);
            damaged += 1;
        }
    }
    // A result is taken away, where nobody reads it the instruction still says that it has one.
    for program in each(&program, &mut |inst| inst.results.clear()).iter().filter(|p| **p != program) {
        refused(program);
        damaged += 1;
    }
    assert!(damaged > 150, "{damaged}");
}

#[test]
fn values_have_types() {
    let mut program = read(ALL);
    let id = program.entry;
    let kernel = &mut program.kernels[id];
    let last = kernel.values.len() - 1;
    kernel.values = kernel.values.values().copied().take(last).collect();
    let error = refused(&program);
    assert!(error.contains(&format!("{} has no type", KValue::from_index(last))), "{error}");
}

#[test]
fn constants_fill_their_memory() {
    let whole = read(ALL);
    let mut damaged = 0;
    for id in whole.mems.keys() {
        for longer in [false, true] {
            let mut program = whole.clone();
            let Place::Constant(bytes) = &mut program.mems[id].place else { continue };
            let mut other = bytes.to_vec();
            other.resize(if longer { other.len() + 1 } else { other.len() - 1 }, 0);
            *bytes = other.into();
            let error = refused(&program);
            assert!(error.contains("bytes of constant where"), "{error}");
            damaged += 1;
        }
    }
    assert!(damaged > 0);
}

#[test]
fn blocks_nest_so_deep_and_no_deeper() {
    let program = read("program @p() -> () mode exact scratch 0 entry @main { func @main() { } }");
    let id = program.entry;
    let nested = |depth: usize| {
        let mut program = program.clone();
        let mut body = Block::default();
        for _ in 0..depth {
            let counter = program.kernels[id].values.push(Scalar::I64);
            let (start, end) = (Extent::Const(0), Extent::Const(2));
            let op = For { start, end, step: 1, kind: LoopKind::Sequential, body };
            body = Block::default();
            body.insts.push(KInst {
                op: KOp::For(Box::new(op)),
                operands: Default::default(),
                results: Default::default(),
            });
            let KOp::For(op) = &mut body.insts[0].op else { unreachable!("just made") };
            op.body.params.push(counter);
        }
        program.kernels[id].body.insts = body.insts;
        program
    };
    verify(&nested(MOST_NESTED)).unwrap_or_else(|e| panic!("{}", e.join("\n")));
    let error = refused(&nested(MOST_NESTED + 1));
    assert!(error.contains("blocks nest deeper than 256"), "{error}");
}
