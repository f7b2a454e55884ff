//! Memory, held out: budgets, policies and places on functions that were chosen after all was written. Each beside the same
//! without.

use crate::common;

use common::{close, numbers};
use wengert::{
    ARG1, Keep, Save, ScanOptions, Tensor, checkpoint, checkpoint_name, fori_loop, grad, hvp, jacrev, jit,
    scan, scan_with, switch, value_and_grad, vmap, while_loop_with,
};

/// The peak without a budget, and the least.
fn peaks<F>(f: F, args: (Tensor, Tensor)) -> (u64, u64)
where
    F: Fn(Tensor, Tensor) -> Tensor + Copy + Send + Sync + 'static,
{
    let e = value_and_grad(f).memory_budget(1).plan(args.clone()).expect_err("too small").to_string();
    let found = e.split("that can be met is ").nth(1).and_then(|t| t.split(" bytes").next()).expect("named");
    let least = found.rsplit(['(', ' ']).next().and_then(|n| n.parse().ok()).expect("a number");
    let all = value_and_grad(f).memory_budget(u64::MAX).plan(args).expect("a plan").peak();
    (all, least)
}

fn held<F>(name: &str, f: F, args: (Tensor, Tensor))
where
    F: Fn(Tensor, Tensor) -> Tensor + Copy + Send + Sync + 'static,
{
    let (all, least) = peaks(f, args.clone());
    let (u, want) = jit(value_and_grad(f))(args.0.clone(), args.1.clone());
    for part in [0, 1, 3] {
        let budget = least + (all - least) * part / 4;
        let limited = jit(value_and_grad(f).memory_budget(budget));
        // Traced once: its plan takes longer than all else.
        let program = limited.trace(args.clone()).expect("traces").lower().expect("lowers");
        assert!(program.program().memory() <= budget, "{name}");
        let (w, x) = args.clone();
        let results = program.compile().and_then(|compiled| compiled.call(&[w, x])).expect("runs");
        close(&results[0], &u, name);
        close(&results[1], &want, name);
    }
}

#[test]
fn an_lstm_like_recurrence() {
    let f = |w: Tensor, xs: Tensor| {
        let step = |(h, c): (Tensor, Tensor), x: Tensor| {
            let gate = (h.matmul(&w) + &x).sigmoid();
            let c = &c * &gate + (h + x).sin() * (1.0 - &gate);
            (((&c * &gate).cos(), c.clone()), c.sum())
        };
        let ((h, _), all) = scan(step, (xs.get(0), xs.get(1)), xs.clone());
        h.sum() + all.square().mean()
    };
    held("recurrence", f, (numbers(&[16, 16]) * 0.2, numbers(&[60, 16])));
}

#[test]
fn a_branch_for_each_layer() {
    let f = |w: Tensor, x: Tensor| {
        let layer = |k: i32, y: Tensor| {
            let branches: [&dyn Fn(Tensor) -> Tensor; 3] =
                [&|y| y.sin(), &|y| y.cos().exp(), &|y| y.square().log1p()];
            switch(&Tensor::from(k), &branches, y.matmul(&w))
        };
        (0..7).fold(x, |x, k| layer(k % 3, x)).mean()
    };
    held("branches", f, (numbers(&[24, 24]) * 0.2, numbers(&[48, 24])));
}

#[test]
fn sorting_and_gathering_between_layers() {
    let f = |w: Tensor, x: Tensor| {
        let layer = |y: Tensor| {
            let y = y.matmul(&w).sin();
            let order = y.sum_axes(&[1]).argsort(0);
            y.take(&order, 0).cumsum(0) * 0.1
        };
        (0..5).fold(x, |x, _| layer(x)).square().mean()
    };
    held("sorted", f, (numbers(&[20, 20]) * 0.2, numbers(&[40, 20])));
}

#[test]
fn a_loop_in_a_loop() {
    let f = |w: Tensor, x: Tensor| {
        let inner = |y: Tensor| fori_loop(0, 5, |_, y: Tensor| y.matmul(&w).sin(), y);
        fori_loop(0, 9, |_, y: Tensor| inner(y).cos(), x).sum()
    };
    held("nested", f, (numbers(&[12, 12]) * 0.3, numbers(&[30, 12])));
}

#[test]
fn budgets_beside_policies() {
    let f = |w: Tensor, x: Tensor| {
        let layer = |w: Tensor, x: Tensor| checkpoint_name(x.matmul(&w), "product").sin().exp();
        let layer = checkpoint(layer).keep_names(["product"]);
        let loose = |w: &Tensor, x: Tensor| x.matmul(w).cos();
        (0..4).fold(x, |x, _| loose(&w, layer(w.clone(), x) * 0.2)).sum()
    };
    held("policies", f, (numbers(&[16, 16]) * 0.2, numbers(&[32, 16])));
}

#[test]
fn places_in_a_batch_of_jacobians() {
    let f = |save: Save| {
        move |w: Tensor| {
            let options = ScanOptions { length: Some(17), save, ..ScanOptions::default() };
            scan_with(|c: Tensor, ()| ((&c * &w).sin() + &c * 0.5, c.sum()), w.cos(), (), options).1
        }
    };
    let x = || numbers(&[3]);
    close(&jit(jacrev(f(Save::Slots(4))))(x()), &jacrev(f(Save::EachStep))(x()), "rows");
    let each = |save: Save| vmap(jacrev(f(save)));
    close(&jit(each(Save::Slots(2)))(numbers(&[4, 3])), &each(Save::EachStep)(numbers(&[4, 3])), "batch");
    let sum = |save: Save| move |w: Tensor| f(save)(w).sum();
    let product = |save: Save| hvp(sum(save), (x(),), (numbers(&[3]) * 0.3,));
    let (a, b) = (product(Save::Slots(3)), product(Save::EachStep));
    close(&a.0, &b.0, "product with the Hessian");
}

#[test]
fn places_of_a_loop_in_a_checkpoint() {
    let f = |save: Option<Save>| {
        move |w: Tensor, x: Tensor| {
            let run = move |w: Tensor, x: Tensor| {
                let small = |c: Tensor| c.square().sum().less(400.0);
                let step = |c: Tensor| c.sinh() * 0.4 + &c * &w + 0.5;
                while_loop_with(small, step, x, save.unwrap_or_default())
            };
            match save {
                Some(_) => checkpoint(run).keep(Keep::Contractions)(w, x).log1p().sum(),
                None => run(w, x).log1p().sum(),
            }
        }
    };
    let args = || (numbers(&[3]).abs(), numbers(&[3]).abs() * 0.1);
    for slots in [1, 3, 30] {
        let (some, none) = (f(Some(Save::Slots(slots))), f(None));
        close(&jit(grad(some))(args().0, args().1), &grad(none)(args().0, args().1), "by what is captured");
        close(
            &grad(some).wrt(ARG1)(args().0, args().1),
            &grad(none).wrt(ARG1)(args().0, args().1),
            "by the start",
        );
    }
}
