//! Random programs with nested control flow: derivatives against those of the same program run by Rust's own control
//! flow, which eager differentiation records without loops.

use wengert::{DType, ScanOptions, Tensor, cond, fori_loop, grad, jit, jvp, scan_with, while_loop};

/// Numbers from a seed (SplitMix64).
struct Random(u64);
impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// A statement over three registers.
#[derive(Clone, Debug)]
enum Statement {
    /// `r[to] = function(r[a], r[b])`.
    Set { to: usize, function: usize, a: usize, b: usize },
    /// Which block runs depends on a register.
    If { on: usize, yes: Vec<Statement>, no: Vec<Statement> },
    /// Runs while a register is below a bound, at most four times.
    While { on: usize, bound: f64, body: Vec<Statement> },
    /// Runs a number of times that a register decides.
    For { on: usize, body: Vec<Statement> },
    /// Runs once per row; its rows are the argument times 1, 2, 3; what it gives is added up.
    Scan { on: usize, reverse: bool, body: Vec<Statement> },
}

fn block(random: &mut Random, depth: usize) -> Vec<Statement> {
    (0..1 + random.below(3))
        .map(|_| {
            let on = random.below(3);
            match if depth == 0 { 0 } else { random.below(7) } {
                3 => Statement::If { on, yes: block(random, depth - 1), no: block(random, depth - 1) },
                4 => Statement::While {
                    on,
                    bound: random.below(5) as f64 * 0.5 - 0.5,
                    body: block(random, depth - 1),
                },
                5 => Statement::For { on, body: block(random, depth - 1) },
                6 => Statement::Scan { on, reverse: random.below(2) == 1, body: block(random, depth - 1) },
                _ => Statement::Set {
                    to: on,
                    function: random.below(6),
                    a: random.below(3),
                    b: random.below(3),
                },
            }
        })
        .collect()
}

type Registers = Vec<Tensor>;

/// How often a `for` runs: 0, 1 or 2.
fn trips(r: &Tensor) -> Tensor {
    (r.sin() * 1.5 + 1.5).floor().astype(DType::I32)
}

/// Runs a block; `native` with Rust's control flow. `x` is captured from outside.
fn run(block: &[Statement], mut r: Registers, x: &Tensor, native: bool) -> Registers {
    for statement in block {
        r = step(statement, r, x, native);
    }
    r
}

fn holds(t: &Tensor) -> bool {
    t.item::<bool>()
}

fn step(statement: &Statement, mut r: Registers, x: &Tensor, native: bool) -> Registers {
    match statement {
        Statement::Set { to, function, a, b } => {
            let (p, q) = (&r[*a], &r[*b]);
            r[*to] = match function {
                0 => p.sin() * q,
                1 => p + q * 0.5,
                2 => p.tanh() * x,
                3 => (-(p * p)).exp() + q,
                4 => p / (q * q + 1.0),
                _ => p.cos() - x * q * 0.3,
            };
            r
        }
        Statement::If { on, yes, no } => {
            let which = r[*on].less(0.4);
            match native {
                true => run(if holds(&which) { yes } else { no }, r, x, native),
                false => cond(&which, |r: Registers| run(yes, r, x, native), |r| run(no, r, x, native), r),
            }
        }
        Statement::While { on, bound, body } => {
            if native {
                for _ in 0..4 {
                    if !holds(&r[*on].less(*bound)) {
                        break;
                    }
                    r = run(body, r, x, native);
                }
                return r;
            }
            let more = |(r, n): (Registers, Tensor)| r[*on].less(*bound).logical_and(n.less(4i64));
            while_loop(more, |(r, n)| (run(body, r, x, native), n + 1), (r, Tensor::from(0i32))).0
        }
        Statement::For { on, body } => {
            let n = trips(&r[*on]);
            if native {
                for _ in 0..n.item::<i32>() {
                    r = run(body, r, x, native);
                }
                return r;
            }
            fori_loop(0, n, |_, r| run(body, r, x, native), r)
        }
        Statement::Scan { on, reverse, body } => {
            let trip = |mut r: Registers, row: &Tensor| {
                r[*on] = &r[*on] * 0.5 + row;
                let r = run(body, r, x, native);
                let y = r[(*on + 1) % 3].sin();
                (r, y)
            };
            if native {
                let mut sum = Tensor::zeros(&[], x.dtype());
                for k in 0..3 {
                    let row = if *reverse { 3 - k } else { k + 1 };
                    let y;
                    (r, y) = trip(r, &(x * row as i64));
                    sum += y;
                }
                r[*on] = sum;
                return r;
            }
            let rows = x * Tensor::arange(3, x.dtype()) + x;
            let options = ScanOptions { reverse: *reverse, ..ScanOptions::default() };
            let (mut r, ys) = scan_with(|r, row: Tensor| trip(r, &row), r, rows, options);
            r[*on] = ys.sum();
            r
        }
    }
}

fn program(block: Vec<Statement>, native: bool) -> impl Fn(Tensor) -> Tensor + Clone + Send + Sync + 'static {
    move |x: Tensor| {
        let r = run(&block, vec![x.clone(), x.cos(), x.full_like(0.7)], &x, native);
        &r[0] + r[1].sin() + &r[2] * &r[0]
    }
}

fn check(seed: u64, dtype: DType, depth: usize, second: bool) {
    let block = block(&mut Random(seed), depth);
    let (ours, native) = (program(block.clone(), false), program(block.clone(), true));
    let tolerance = if dtype == DType::F64 { 1e-9 } else { 2e-3 };
    for at in [0.35, -0.8] {
        let x = || Tensor::from(at).astype(dtype);
        let number = |t: Tensor| t.astype(DType::F64).item::<f64>();
        let close = |what: &str, a: f64, b: f64| {
            let same =
                a == b || (a - b).abs() <= tolerance * (1.0 + b.abs()) || !b.is_finite() || b.abs() > 1e6;
            assert!(same, "{what} at {at} of seed {seed}: {a} is not {b}\n{block:#?}");
        };
        close("value", number(ours(x())), number(native(x())));
        close("compiled value", number(jit(ours.clone())(x())), number(native(x())));
        let d = number(grad(native.clone())(x()));
        close("gradient", number(grad(ours.clone())(x())), d);
        close("compiled gradient", number(jit(grad(ours.clone()))(x())), d);
        close("forward derivative", number(jvp(ours.clone(), (x(),), (x().ones_like(),)).1), d);
        if second {
            let d2 = number(grad(grad(native.clone()))(x()));
            close("second derivative", number(jit(grad(grad(ours.clone())))(x())), d2);
            close("forward over reverse", number(jvp(grad(ours.clone()), (x(),), (x().ones_like(),)).1), d2);
        }
    }
}

#[test]
fn shallow_programs_in_double_precision() {
    (0..24).for_each(|seed| check(seed, DType::F64, 1, true));
}

#[test]
fn deep_programs_in_double_precision() {
    (100..112).for_each(|seed| check(seed, DType::F64, 3, false));
}

#[test]
fn second_derivatives_of_nested_programs() {
    (200..208).for_each(|seed| check(seed, DType::F64, 2, true));
}

#[test]
fn programs_in_single_precision() {
    (300..312).for_each(|seed| check(seed, DType::F32, 2, false));
}
