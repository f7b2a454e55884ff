//! The workloads: a file per theme, each a table of rows with the functions behind it.
//!
//! A workload is called `family.size.what`. `peers/themes` has the same families in JAX and `peers/loops.c` the small
//! ones in C; they read the inputs that the report writes for them, so all implementations work on the same bits and
//! must give the same check value.

mod adbench;
mod basic;
mod batched;
mod data;
mod dynamics;
mod elementwise;
mod networks;
mod recurrent;
mod scaling;
mod simulations;
mod transformer;
mod transforms;
mod vmap_families;

pub use elementwise::ELEMENTS;
pub use scaling::{LENGTHS, SIZES};
use std::hint::black_box;
use std::sync::Arc;
use wengert::{Args, DType, FloatMode, Func, Tensor, Tree, jit};

/// A workload by name.
pub struct Workload {
    /// `family.size.what`, where `what` is `f` for the function, `vg` for its value and gradient, and so on. Workloads
    /// that differ in the last part only have the same inputs.
    pub name: String,
    make: Box<dyn Fn() -> Case>,
}

/// A thing to time.
pub type Call = Box<dyn FnMut()>;

/// A workload with its inputs, ready to run. Calls panic where the compiler fails.
pub struct Case {
    /// One call of the compiled function; the first compiles it.
    pub compiled: Call,
    /// One call of the function compiled with relaxed arithmetic; the first compiles it.
    pub relaxed: Call,
    /// Gives one call that writes to memory given, with arguments prepared; where programs are native.
    pub prepared: Box<dyn Fn() -> Option<Call>>,
    /// One call without `jit`.
    pub eager: Call,
    /// Trace, passes, lowering and code generation, uncached.
    pub compile: Call,
    /// The program as it was traced.
    pub text: Box<dyn Fn() -> String>,
    /// A number that depends on all results, to compare with other implementations.
    pub check: Box<dyn Fn() -> f64>,
    /// The leaves of the arguments in order.
    pub inputs: Vec<Tensor>,
}

impl Workload {
    /// `f` of `args`; both are made when the workload is.
    fn new<A: Args, F: Func<A>>(
        name: impl Into<String>,
        f: impl Fn() -> F + Copy + 'static,
        args: impl Fn() -> A + 'static,
    ) -> Self {
        Self { name: name.into(), make: Box::new(move || case(f, args())) }
    }

    /// Makes inputs. Nothing is compiled yet.
    pub fn case(&self) -> Case {
        (self.make)()
    }
}

/// All workloads, theme by theme.
pub fn all() -> Vec<Workload> {
    [
        basic::rows(),
        networks::rows(),
        recurrent::rows(),
        transformer::rows(),
        adbench::rows(),
        dynamics::rows(),
        simulations::rows(),
        batched::rows(),
        vmap_families::rows(),
        transforms::rows(),
        elementwise::rows(),
        scaling::rows(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The workload of this name. Panics if there is none.
pub fn find(name: &str) -> Workload {
    all().into_iter().find(|w| w.name == name).unwrap_or_else(|| panic!("no workload is called {name}"))
}

/// The Lorenz states grow apart exponentially: rounding differences show in the check value.
pub fn check_tolerance(name: &str) -> f64 {
    if name.starts_with("lorenz.") { 1e-2 } else { 1e-4 }
}

fn case<A: Args, F: Func<A>>(make: impl Fn() -> F + Copy + 'static, args: A) -> Case {
    let mut inputs = Vec::new();
    args.visit(&mut |t| inputs.push(t.clone()));
    let compiled = Arc::new(jit(make()));
    let relaxed = jit(make()).float_mode(FloatMode::Relaxed);
    let eager = make();
    let [a, b, c, d, e, f, g] = std::array::from_fn(|_| args.clone());
    let (to_check, to_prepare) = (compiled.clone(), compiled.clone());
    Case {
        compiled: Box::new(move || {
            black_box(compiled.call_with(black_box(a.clone())));
        }),
        relaxed: Box::new(move || {
            black_box(relaxed.call_with(black_box(b.clone())));
        }),
        prepared: Box::new(move || {
            let prepared = to_prepare.prepare(&c).ok()?;
            let (args, mut out) = (c.clone(), to_prepare.call_with(c.clone()));
            prepared.call_into(&args, &mut out).ok()?;
            Some(Box::new(move || {
                prepared.call_into(&args, &mut out).expect("as before");
                black_box(&mut out);
            }))
        }),
        eager: Box::new(move || {
            black_box(eager.call_with(black_box(d.clone())));
        }),
        compile: Box::new(move || {
            let compiled = jit(make()).trace(e.clone()).and_then(|t| t.lower()).and_then(|l| l.compile());
            black_box(compiled.unwrap_or_else(|e| panic!("{e}")));
        }),
        text: Box::new(move || {
            let traced = jit(make()).trace(g.clone());
            traced.unwrap_or_else(|e| panic!("{e}")).text(false)
        }),
        check: Box::new(move || check(&to_check.call_with(f.clone()))),
        inputs,
    }
}

/// The sum of the results' absolute values, each weighted by its place and its sign: nothing cancels, and an exchanged
/// or negated element shows.
fn check<R: Tree>(result: &R) -> f64 {
    let mut sum = 0.0;
    result.visit(&mut |t| {
        let values = t.astype(DType::F64).to_vec::<f64>();
        let weight = |(i, x): (usize, &f64)| x.abs() * (1 + i % 7 + if *x < 0.0 { 7 } else { 0 }) as f64;
        sum += values.iter().enumerate().map(weight).sum::<f64>();
    });
    sum
}
