//! `memory_budget`: plans that print, gradients that do not change, errors that name the smallest budget, which is then reachable.
use super::*;
use wengert::{
    ARG0, ARG1, DType, MemoryPlan, Tensor, grad, jacrev, jit, scan, value_and_grad, vjp, vmap, while_loop,
};

// A network of eight layers on 64 examples of 32 numbers.
fn deep(ws: Vec<Tensor>, x: Tensor) -> Tensor {
    ws.iter().fold(x, |x, w| x.matmul(w).tanh().sin() + &x * 0.5).square().mean()
}
fn weights() -> Vec<Tensor> {
    (0..8).map(|k| noise_of(&[32, 32], k) * 0.3).collect()
}
fn long(x: Tensor, a: Tensor) -> Tensor {
    scan(|c: Tensor, k: Tensor| ((&c * &a).sin() + c * k, ()), x, Tensor::linspace(0.1, 0.2, 500, DType::F64))
        .0
        .square()
        .sum()
}
/// Whole numbers in a text, with units as well: "1.5 MB" may be 1500000 or 1572864.
fn numbers(text: &str) -> Vec<u64> {
    let words: Vec<String> = text
        .split(|c: char| c.is_whitespace() || c == '(' || c == ')' || c == ';' || c == ':')
        .map(|w| w.trim_end_matches([',', '.']).replace(['_', ','], ""))
        .collect();
    let mut out = vec![];
    for (k, w) in words.iter().enumerate() {
        if let Ok(x) = w.parse::<f64>() {
            out.push(x as u64);
            let unit = words.get(k + 1).map(String::as_str).unwrap_or("");
            for (name, size) in
                [("KB", 1e3), ("kB", 1e3), ("KiB", 1024.0), ("MB", 1e6), ("MiB", 1048576.0), ("GB", 1e9)]
            {
                if unit == name {
                    out.push((x * size).ceil() as u64);
                }
            }
        }
    }
    out
}
fn show(name: &str, plan: &MemoryPlan) {
    let text = plan.to_string();
    yes(&format!("{name}: the plan prints"), text.lines().count() >= 2, &text);
    yes(
        &format!("{name}: the plan says its peak in words"),
        text.to_lowercase().contains("peak") || text.contains("bytes") || text.contains("B"),
        &text,
    );
}

#[test]
fn all() {
    let (ws, x) = (weights(), noise_of(&[64, 32], 99));
    let flat = |g: &[Tensor]| g.iter().flat_map(v).collect::<Vec<f64>>();
    let want = flat(&grad(deep)(ws.clone(), x.clone()));
    case("network", || {
        let like = || {
            (
                weights().iter().map(|w| Tensor::placeholder(w.shape(), w.dtype())).collect::<Vec<_>>(),
                Tensor::placeholder(&[64, 32], DType::F64),
            )
        };
        let unlimited = grad(deep).memory_budget(u64::MAX).plan(like()).unwrap_or_else(|e| panic!("{e}"));
        show("no limit", &unlimited);
        let peak = unlimited.peak();
        close("without a limit it takes no longer", &[unlimited.time_ratio()], &[1.0], 1e-9);
        let least = match grad(deep).memory_budget(1).plan(like()) {
            Ok(_) => panic!("one byte is enough?"),
            Err(e) => {
                names("too small", &e.to_string(), &["smallest|least|at least"]);
                let found: Vec<u64> = numbers(&e.to_string())
                    .into_iter()
                    .filter(|&n| n > 1000 && n <= peak && grad(deep).memory_budget(n).plan(like()).is_ok())
                    .collect();
                yes("the smallest budget that is named can be met", !found.is_empty(), e.to_string());
                found.into_iter().min().unwrap_or(peak)
            }
        };
        yes(
            "less than the smallest cannot",
            grad(deep).memory_budget(least - 1).plan(like()).is_err(),
            "a plan",
        );
        for part in [0.9, 0.7, 0.5, 0.0] {
            let budget = least + ((peak - least) as f64 * part) as u64;
            let limited = grad(deep).memory_budget(budget);
            let plan = limited.plan(like()).unwrap_or_else(|e| panic!("{e}"));
            yes(&format!("{part}: peak within {budget}"), plan.peak() <= budget, plan.peak());
            same(&format!("{part}: the plan knows its budget"), plan.budget, budget);
            yes(
                &format!("{part}: something is computed again"),
                budget >= peak || !plan.recomputed.is_empty(),
                format!("{plan}"),
            );
            yes(&format!("{part}: time is not less"), plan.time_ratio() > 0.95, plan.time_ratio());
            if part == 0.5 {
                show("half", &plan);
                yes(
                    "lines of the user's",
                    plan.kept.iter().chain(&plan.recomputed).any(|e| e.line.contains("budget")),
                    format!("{:?}", plan.kept.first().map(|e| e.line.clone())),
                );
            }
            closet(
                &format!("{part}: gradient"),
                &Tensor::from(flat(&limited(ws.clone(), x.clone()))),
                &want,
                1e-11,
            );
            closet(
                &format!("{part}: under jit"),
                &Tensor::from(flat(&jit(limited.clone())(ws.clone(), x.clone()))),
                &want,
                1e-11,
            );
        }
        let (value, g) = jit(value_and_grad(deep).memory_budget(least))(ws.clone(), x.clone());
        closet("value with it", &value, &v(&deep(ws.clone(), x.clone())), 1e-13);
        closet("value_and_grad", &Tensor::from(flat(&g)), &want, 1e-11);
        let by_x = grad(deep).memory_budget(peak).wrt(ARG1);
        yes("wrt has a plan", by_x.plan(like()).is_ok(), "none");
        closet("wrt", &by_x(ws.clone(), x.clone()), &v(&grad(deep).wrt(ARG1)(ws.clone(), x.clone())), 1e-11);
        let both = grad(deep).memory_budget(peak * 2).wrt((ARG0, ARG1));
        closet(
            "wrt both",
            &both(ws.clone(), x.clone()).1,
            &v(&grad(deep).wrt(ARG1)(ws.clone(), x.clone())),
            1e-11,
        );
        fails(
            "a call with too small a budget",
            || grad(deep).memory_budget(1000)(ws.clone(), x.clone()),
            &["1000|1 kB|1.0 kB|budget", "smallest|least"],
        );
        fails_with(
            "under jit too",
            jit(grad(deep).memory_budget(1000)).try_call((ws.clone(), x.clone())),
            &["budget", "smallest|least"],
        );
        fails("no budget has no plan", || grad(deep).plan((ws.clone(), x.clone())).unwrap(), &["budget"]);
    });
    case("smaller types", || {
        // Sums of a thousand numbers, made so small that no slope is rounding alone.
        let f = |x: Tensor| {
            let y = (0..6).fold(x, |y, _| ((y.sin() * 1.5).exp().cumsum(0) * 5e-4).tanh());
            y.square().sum()
        };
        let x = (noise_of(&[2000], 5)).astype(DType::F32);
        let exact: Vec<f64> = grad(f)(x.astype(DType::F64)).to_vec();
        let unlimited = grad(f).memory_budget(u64::MAX).plan((x.clone(),)).unwrap().peak();
        for part in [0.8, 0.6] {
            let budget = (unlimited as f64 * part) as u64;
            let g = value_and_grad(f).memory_budget(budget).compress(DType::BF16);
            match g.plan((x.clone(),)) {
                Ok(p) => {
                    yes(&format!("compressed {part}: within"), p.peak() <= budget, p.peak());
                    let (value, d) = g(x.clone());
                    close(
                        &format!("compressed {part}: value"),
                        &[value.item::<f32>() as f64],
                        &[jit(f)(x.clone()).item::<f32>() as f64],
                        1e-6,
                    );
                    let off = d
                        .to_vec::<f32>()
                        .iter()
                        .zip(&exact)
                        .map(|(a, b)| (*a as f64 - b).abs())
                        .fold(0.0, f64::max);
                    let size = exact.iter().fold(0.0f64, |m, e| m.max(e.abs()));
                    yes(&format!("compressed {part}: slopes that are not nothing"), size > 1e-3, size);
                    yes(
                        &format!("compressed {part}: gradient nearly"),
                        off <= 0.05 * size,
                        format!("{off} of {size}"),
                    );
                }
                Err(e) => names(&format!("compressed {part}"), &e.to_string(), &["smallest|least"]),
            }
        }
        fails(
            "compress to integers",
            || grad(f).memory_budget(1 << 20).compress(DType::I32)(x.clone()),
            &["float|i32"],
        );
    });
    case("loops", || {
        let (x, a) = (noise_of(&[200], 3), noise_of(&[200], 4));
        let want = grad(long).wrt((ARG0, ARG1))(x.clone(), a.clone());
        let unlimited = grad(long).memory_budget(u64::MAX).plan((x.clone(), a.clone())).unwrap().peak();
        for divide in [2, 5, 8] {
            let g = grad(long).memory_budget(unlimited / divide).wrt((ARG0, ARG1));
            let plan =
                g.plan((x.clone(), a.clone())).unwrap_or_else(|e| panic!("a {divide}th of {unlimited}: {e}"));
            yes(&format!("a {divide}th: within"), plan.peak() <= unlimited / divide, plan.peak());
            yes(
                &format!("a {divide}th: in segments"),
                !plan.loops.is_empty() || !plan.recomputed.is_empty(),
                format!("{plan}"),
            );
            yes(
                &format!("a {divide}th: at most three times the time"),
                plan.time_ratio() < 3.0,
                plan.time_ratio(),
            );
            let (dx, da) = jit(g)(x.clone(), a.clone());
            closet(&format!("a {divide}th: by x"), &dx, &v(&want.0), 1e-10);
            closet(&format!("a {divide}th: by a"), &da, &v(&want.1), 1e-10);
        }
        let many = |x: Tensor| {
            scan(|c: Tensor, k: Tensor| (c.sin() * k + 0.1, ()), x, Tensor::ones(&[100_000], DType::F32))
                .0
                .sum()
        };
        let plan = grad(many)
            .memory_budget(64 << 20)
            .plan((Tensor::placeholder(&[1000], DType::F32),))
            .unwrap_or_else(|e| panic!("{e}"));
        show("100,000 steps of 1,000 numbers", &plan);
        yes("64 MB", plan.peak() <= 64 << 20, plan.peak());
        yes("at most 3 times the time", plan.time_ratio() <= 3.0, plan.time_ratio());
        let unknown =
            |x: Tensor| while_loop(|x: Tensor| x.sum().less(100.0), |x: Tensor| x * 1.1 + 0.1, x).sum();
        // Its steps have one slope, so nothing of them is kept.
        let bounded = grad(unknown).memory_budget(1 << 30);
        closet(
            "a loop of which nothing is kept",
            &bounded(t(&[1.0, 2.0])),
            &v(&grad(unknown)(t(&[1.0, 2.0]))),
            1e-14,
        );
        let bent = |x: Tensor| {
            while_loop(|x: Tensor| x.sum().less(100.0), |x: Tensor| x.sin() + &x * 1.1 + 0.6, x).sum()
        };
        fails(
            "a loop of unknown length",
            || grad(bent).memory_budget(1 << 30)(t(&[1.0, 2.0])),
            &["number of steps", "budget"],
        );
    });
    case("pullbacks and combinations", || {
        let f = |x: Tensor| (0..6).fold(x, |y, _| (y.sin() * 1.5).exp().cumsum(0).tanh());
        let x = noise_of(&[300], 5);
        let (_, pull) = vjp(f, (x.clone(),));
        let ct = noise_of(&[300], 6);
        let want = v(&pull.call(ct.clone()).0);
        let small = pull.clone().memory_budget(100_000);
        closet("pullback within a budget", &small.call(ct.clone()).0, &want, 1e-11);
        let again = jit(vmap(move |c: Tensor| small.call(c).0));
        closet("under jit of vmap", &again(wengert::stack(&[ct.clone(), &ct * 2.0], 0)).get(0), &want, 1e-11);
        fails(
            "a pullback's budget too small",
            || pull.memory_budget(100).call(ct.clone()),
            &["budget", "smallest|least"],
        );
        // A batch of gradients with a budget each, and derivatives of one.
        let total = move |x: Tensor| f(x).square().sum();
        let g = grad(total).memory_budget(1 << 20);
        let xs = noise_of(&[3, 300], 8);
        let each: Vec<f64> = (0..3).flat_map(|i| v(&grad(total)(xs.get(i)))).collect();
        closet("vmap of a limited gradient", &jit(vmap(g.clone()))(xs), &each, 1e-10);
        let x5 = noise_of(&[5], 9);
        closet(
            "jacrev of a limited gradient",
            &jit(jacrev(g.clone()))(x5.clone()),
            &v(&wengert::hessian(total)(x5.clone())),
            1e-9,
        );
        let g2 = g.clone();
        closet(
            "grad of a limited gradient",
            &jit(grad(move |x: Tensor| g2(x).sum()))(x5.clone()),
            &v(&wengert::hessian(total)(x5).sum_axis(0)),
            1e-9,
        );
        let aux = value_and_grad(move |x: Tensor| (f(x.clone()).square().sum(), x.sum()))
            .aux()
            .memory_budget(1 << 20);
        let ((_, sum), _) = jit(aux)(x.clone());
        closet("aux with a budget", &sum, &[v(&x).iter().sum()], 1e-12);
    });
    finish();
}
