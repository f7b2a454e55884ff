//! C's `fmod` as a Cranelift function, for objects that call nothing: division bit by bit, which is exact.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, Function, InstBuilder, MemFlagsData, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use wengert_ir::kernel::Scalar;

/// Builds `(x, y) -> x - trunc(x / y) * y`, which has the sign of `x`.
pub(crate) fn build(
    ty: Scalar,
    func: &mut Function,
    context: &mut FunctionBuilderContext,
    config: TargetFrontendConfig,
) {
    let (float, int, bits, fraction) = match ty {
        Scalar::F64 => (types::F64, types::I64, 64, 52),
        _ => (types::F32, types::I32, 32, 23),
    };
    // Patterns are of the low bits of a word.
    let sign = 1i64 << (bits - 1);
    let infinity = ((1i64 << (bits - 1 - fraction)) - 1) << fraction;
    let implicit = 1i64 << fraction;
    let mut b = FunctionBuilder::new(func, context);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let (x, y) = (b.block_params(entry)[0], b.block_params(entry)[1]);
    let number = |b: &mut FunctionBuilder<'_>, n: i64| {
        b.ins().iconst(int, if bits == 32 { i64::from(n as u32) } else { n })
    };
    let [sign, infinity, implicit] = [sign, infinity, implicit].map(|n| number(&mut b, n));
    let [zero, one] = [0, 1].map(|n| number(&mut b, n));
    let bits_of = |b: &mut FunctionBuilder<'_>, v| b.ins().bitcast(int, MemFlagsData::new(), v);
    let (ux, uy) = (bits_of(&mut b, x), bits_of(&mut b, y));
    let sign_x = b.ins().band(ux, sign);
    let (ax, ay) = (b.ins().band_not(ux, sign), b.ins().band_not(uy, sign));

    // Of infinity, by zero, or with NaN there is no remainder.
    let (undefined, defined) = (b.create_block(), b.create_block());
    let infinite = b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, ax, infinity);
    let nan = b.ins().icmp(IntCC::UnsignedGreaterThan, ay, infinity);
    let by_zero = b.ins().icmp(IntCC::Equal, ay, zero);
    let wrong = b.ins().bor(infinite, nan);
    let wrong = b.ins().bor(wrong, by_zero);
    b.ins().brif(wrong, undefined, &[], defined, &[]);
    b.switch_to_block(undefined);
    let quiet = b.ins().ishl_imm_u(one, fraction - 1);
    let quiet = b.ins().bor(quiet, infinity);
    let quiet = b.ins().bitcast(float, MemFlagsData::new(), quiet);
    b.ins().return_(&[quiet]);

    b.switch_to_block(defined);
    let (small, divide) = (b.create_block(), b.create_block());
    let less = b.ins().icmp(IntCC::UnsignedLessThan, ax, ay);
    b.ins().brif(less, small, &[], divide, &[]);
    b.switch_to_block(small);
    b.ins().return_(&[x]);

    // Both as a fraction with its leading bit, and an exponent; subnormals are shifted up.
    b.switch_to_block(divide);
    let split = |b: &mut FunctionBuilder<'_>, a| {
        let exponent = b.ins().ushr_imm_u(a, fraction);
        let normal = b.ins().icmp(IntCC::NotEqual, exponent, zero);
        let zeros = b.ins().clz(a);
        let shift = b.ins().iadd_imm_s(zeros, fraction + 1 - bits);
        let raised = b.ins().ishl(a, shift);
        let lowered = b.ins().isub(one, shift);
        let high = b.ins().ishl_imm_u(exponent, fraction);
        let low = b.ins().isub(a, high);
        let full = b.ins().bor(low, implicit);
        (b.ins().select(normal, full, raised), b.ins().select(normal, exponent, lowered))
    };
    let (mx, ex) = split(&mut b, ax);
    let (my, ey) = split(&mut b, ay);
    let (head, step, done) = (b.create_block(), b.create_block(), b.create_block());
    let m = b.append_block_param(head, int);
    let e = b.append_block_param(head, int);
    b.ins().jump(head, &[BlockArg::Value(mx), BlockArg::Value(ex)]);
    b.switch_to_block(head);
    let difference = b.ins().isub(m, my);
    let fits = b.ins().icmp(IntCC::SignedGreaterThanOrEqual, difference, zero);
    let rest = b.ins().select(fits, difference, m);
    let more = b.ins().icmp(IntCC::SignedGreaterThan, e, ey);
    b.ins().brif(more, step, &[], done, &[]);
    b.switch_to_block(step);
    let doubled = b.ins().ishl_imm_u(rest, 1);
    let lower = b.ins().iadd_imm_s(e, -1);
    b.ins().jump(head, &[BlockArg::Value(doubled), BlockArg::Value(lower)]);

    b.switch_to_block(done);
    let (nothing, some) = (b.create_block(), b.create_block());
    let exact = b.ins().icmp(IntCC::Equal, rest, zero);
    b.ins().brif(exact, nothing, &[], some, &[]);
    b.switch_to_block(nothing);
    let signed_zero = b.ins().bitcast(float, MemFlagsData::new(), sign_x);
    b.ins().return_(&[signed_zero]);

    // The leading bit back to its place; below the least exponent the number is subnormal.
    b.switch_to_block(some);
    let zeros = b.ins().clz(rest);
    let shift = b.ins().iadd_imm_s(zeros, fraction + 1 - bits);
    let raised = b.ins().ishl(rest, shift);
    let exponent = b.ins().isub(ey, shift);
    let normal = b.ins().icmp(IntCC::SignedGreaterThan, exponent, zero);
    let low = b.ins().isub(raised, implicit);
    let high = b.ins().ishl_imm_u(exponent, fraction);
    let full = b.ins().bor(low, high);
    let down = b.ins().isub(one, exponent);
    let subnormal = b.ins().ushr(raised, down);
    let magnitude = b.ins().select(normal, full, subnormal);
    let result = b.ins().bor(magnitude, sign_x);
    let result = b.ins().bitcast(float, MemFlagsData::new(), result);
    b.ins().return_(&[result]);
    b.seal_all_blocks();
    b.finalize(config);
}
