//! The plan that packs scratch memory.

use wengert_ir::kernel::Scalar;
use wengert_passes::testing::Memory;

#[test]
fn buffers_with_disjoint_lives_share_bytes() {
    let mut memory = Memory::default();
    let a = memory.scratch(Scalar::F64, &[100]);
    memory.tick();
    memory.touch(a);
    let b = memory.scratch(Scalar::F64, &[100]);
    memory.tick();
    memory.touch(b);
    let c = memory.scratch(Scalar::F64, &[100]);
    memory.tick();
    memory.touch(c);
    assert_eq!(memory.plan(), Some(2 * 832));
    assert_eq!(memory.mems[a].place, memory.mems[c].place);
    assert_ne!(memory.mems[a].place, memory.mems[b].place);
}

#[test]
fn more_than_memory_can_have_has_no_plan() {
    let cases: [[&[usize]; 2]; 2] = [[&[1 << 40, 1 << 40], &[1]], [&[1 << 59], &[1 << 59]]];
    for shapes in cases {
        let mut memory = Memory::default();
        let buffers = shapes.map(|shape| memory.scratch(Scalar::F64, shape));
        memory.tick();
        buffers.iter().for_each(|&mem| memory.touch(mem));
        assert_eq!(memory.plan(), None);
    }
}

#[test]
fn a_loop_keeps_what_it_reads_from_outside() {
    let mut memory = Memory::default();
    let a = memory.scratch(Scalar::F64, &[8]);
    memory.tick();
    memory.enter_loop();
    memory.touch(a);
    memory.tick();
    let b = memory.scratch(Scalar::F64, &[8]);
    memory.tick();
    memory.touch(b);
    memory.leave_loop();
    assert_eq!(memory.plan(), Some(128));
    assert_ne!(memory.mems[a].place, memory.mems[b].place);
}
