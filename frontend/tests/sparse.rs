//! Sparse Jacobians and Hessians are the dense ones, and as sparse as the program is.

#![allow(clippy::reversed_empty_ranges, reason = "ranges to the last but one")]

use std::sync::Arc;
use wengert::{
    ARG0, ARG1, ARG2, Coloring, DType, SparseJacobian, Tensor, Tree, concatenate, cond, custom_jvp,
    custom_vjp, fori_loop, grad, hessian, jacrev, jit, linalg, map, nn, scan, sparse_hessian,
    sparse_jacobian, tree, vmap, while_loop,
};

fn v(values: &[f64]) -> Tensor {
    Tensor::from(values)
}

fn at(n: usize) -> Tensor {
    let numbers: Vec<f64> = (0..n).map(|k| ((k * 37 % 23) as f64 - 10.5) / 7.0).collect();
    Tensor::from(numbers)
}

#[track_caller]
fn close(got: &Tensor, want: &Tensor, what: &str) {
    assert_eq!((got.shape(), got.dtype()), (want.shape(), want.dtype()), "{what}");
    for (x, y) in got.to_vec::<f64>().iter().zip(want.to_vec::<f64>()) {
        assert!((x - y).abs() <= 1e-10 * (1.0 + y.abs()), "{what}: {got} is not {want}");
    }
}

type One = fn(Tensor) -> Tensor;

/// Rounded, with the derivative of what is not.
fn straight_through(x: &Tensor) -> Tensor {
    custom_jvp(|x: Tensor| x.round() + x.flip(0) * 0.0, |(x,), (t,)| (x.round() + x.flip(0) * 0.0, t))(
        x.clone(),
    )
}

/// Functions of twelve numbers, how many places their Jacobians have, and how many colours these take.
fn functions() -> Vec<(&'static str, One, usize, usize)> {
    vec![
        ("elementwise", |x| x.sin() * &x, 12, 1),
        ("constant", |x| x.ones_like(), 0, 0),
        ("three diagonals", |x| x.get(2..) - x.get(1..-1) * 2.0 + x.get(..-2).square(), 30, 3),
        ("with a rule", |x| (x.get(1..) + 3.0).powi(-2) * x.get(..-1), 22, 2),
        ("with a rule that says less", |x| straight_through(&x) * 2.0, 12, 1),
        (
            "with a rule of what it captures",
            |x| {
                let y = x.clone();
                custom_jvp(
                    move |x: Tensor| &x * &y,
                    |(x,): (Tensor,), (t,): (Tensor,)| (x.square(), t * x * 2.0),
                )(x)
            },
            12,
            1,
        ),
        ("turned", |x| x.flip(0) * x.get(0), 23, 2),
        ("sum", |x| x.square().sum(), 12, 1),
        ("sum of rows", |x| x.reshape(&[3, 4]).square().sum_axes(&[1]), 12, 1),
        ("sum of columns", |x| x.reshape(&[3, 4]).square().sum_axes(&[0]), 12, 1),
        ("all", |x| &x * x.sum(), 144, 12),
        ("padded", |x| x.pad(&[(2, 1)], 0.5).square(), 12, 1),
        ("joined", |x| concatenate(&[x.get(6..), &x.get(..6) * x.get(6..)], 0), 18, 2),
        ("taken", |x| x.take(&Tensor::from([3i64, 0, 0, 11]), 0).sin(), 4, 1),
        ("taken by value", |x| x.take(&x.argsort(0), 0), 144, 12),
        ("updated", |x| x.at(1).set(x.get(3) * x.get(4)), 13, 2),
        (
            "added to places",
            |x| Tensor::zeros(&[3], DType::F64).at_rows(&Tensor::from([0i64, 2, 2, 0])).add(x.get(..4).exp()),
            4,
            1,
        ),
        (
            "masked",
            |x| &x * x.roll(1, 0) * v(&[1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0]),
            12,
            1,
        ),
        ("chosen", |x| Tensor::from(&[true, false, true][..]).select(x.get(..3), x.get(3..6).cos()), 3, 1),
        (
            "banded product",
            |x| {
                let band = Tensor::eye(12, DType::F64) + Tensor::eye(12, DType::F64).roll(1, 1) * 2.0;
                band.matmul(&x).tanh()
            },
            24,
            2,
        ),
        (
            "batch of products",
            |x| {
                let x = x.reshape(&[3, 2, 2]);
                x.matmul(&x)
            },
            3 * 12,
            4,
        ),
        ("softmax of rows", |x| nn::softmax(&x.reshape(&[4, 3]), 1), 36, 3),
        ("running sum", |x| x.get(..5).cumsum(0), 15, 5),
        ("scan", |x| scan(|c: Tensor, x: Tensor| (x.sin(), c * x), Tensor::from(1.0f64), x).1, 23, 2),
        ("map", |x| map(|row: Tensor| row.square().sum(), x.reshape(&[6, 2])), 12, 1),
        ("loop", |x| fori_loop(0, 2, |_, x: Tensor| (x.get(1..).pad(&[(0, 1)], 0.0) + &x).sin(), x), 33, 3),
        (
            "loop that depends",
            |x| while_loop(|x: Tensor| x.square().sum().less(90.0), |x| &x * 1.5, x),
            12,
            1,
        ),
        (
            "loop that couples neighbours more with each trip",
            |x| while_loop(|x: Tensor| x.square().sum().less(90.0), |x| &x + x.roll(1, 0) * 0.5, x),
            144,
            12,
        ),
        (
            "loop that couples pairs, with a number that it counts",
            |x| {
                let turn =
                    |(k, x): (Tensor, Tensor)| (&k + 1.0, x.reshape(&[6, 2]).flip(1).flatten() * 1.1 + &k);
                let go = |(_, x): (Tensor, Tensor)| x.square().sum().less(5000.0);
                while_loop(go, turn, (Tensor::from(0.0f64), x)).1
            },
            24,
            2,
        ),
        (
            "many trips",
            |x| {
                let step = |c: Tensor, k: Tensor| ((&c * 0.9999 + &k).sin(), (c.get(..2) * k));
                let (last, all) = scan(step, x, Tensor::linspace(0.0, 1.0, 20_000, DType::F64));
                concatenate(&[last, all.get(19_998..).flatten()], 0)
            },
            16,
            1,
        ),
        (
            "branches",
            |x| cond(&x.sum().greater(0.0), |x: Tensor| x.exp(), |x: Tensor| x.roll(1, 0).cos(), x),
            24,
            2,
        ),
        ("mapped", |x| vmap(|r: Tensor| r.prod() + r.get(0))(x.reshape(&[4, 3])), 12, 1),
        (
            "solved",
            |x| {
                linalg::solve(&(x.get(..4).reshape(&[2, 2]) + Tensor::eye(2, DType::F64) * 4.0), &x.get(4..6))
            },
            12,
            2,
        ),
    ]
}

#[test]
fn sparse_is_dense() {
    let mut differ = String::new();
    for (what, f, places, colors) in functions() {
        let x = at(12);
        let got = sparse_jacobian(f)(x.clone());
        let want = jacrev(f)(x.clone());
        let (rows, columns) = got.shape();
        let want = want.reshape(&[rows as isize, columns as isize]);
        close(&got.to_dense(), &want, what);
        close(&jit(sparse_jacobian(f))(x.clone()).to_dense(), &want, what);
        close(&got.matvec(&x), &want.matmul(&x), what);
        let pattern = got.pattern();
        if (pattern.places(), pattern.colors()) != (places, colors) {
            differ += &format!("{what}: {places} places and {colors} colours expected: {pattern}\n");
        }
    }
    // More places than one could do with make it slower, not wrong: but then this table is to be changed with thought.
    assert!(differ.is_empty(), "{differ}");
}

#[test]
fn second_derivatives() {
    let functions: [(&str, One, usize); 5] = [
        (
            "rosenbrock",
            |x| ((x.get(1..) - x.get(..-1).square()).square() * 100.0 + (1.0 - x.get(..-1)).square()).sum(),
            34,
        ),
        ("separable", |x| x.powi(4).sum(), 12),
        ("linear", |x| x.sum() * 3.0, 0),
        ("products", |x| (x.get(..6) * x.get(6..)).sum(), 12),
        (
            "of a scan",
            |x| scan(|c: Tensor, x: Tensor| (&x * &x * x, c), Tensor::from(0.0f64), x).1.square().sum(),
            12,
        ),
    ];
    for (what, f, places) in functions {
        let want = hessian(f)(at(12));
        let got = jit(sparse_hessian(f))(at(12));
        close(&got.to_dense(), &want, what);
        assert_eq!(got.pattern().places(), places, "{what}: {}", got.pattern());
        let ways = [Coloring::Columns, Coloring::Rows, Coloring::Star, Coloring::Acyclic];
        for way in ways {
            let other = jit(sparse_hessian(f).coloring(way))(at(12));
            assert_eq!(other.pattern().coloring(), way);
            close(&other.to_dense(), &want, &format!("{what}, {way:?}"));
            assert!(got.pattern().colors() <= other.pattern().colors() || way == Coloring::Acyclic, "{what}");
        }
    }
}

/// On a grid, where each point is coupled to its four neighbours, colourings of symmetric matrices take fewer products.
#[test]
fn colours_of_symmetric_matrices() {
    let energy = |u: Tensor| {
        let u = u.reshape(&[20, 20]);
        let across = (u.get((.., 1..)) - u.get((.., ..-1))).square();
        let down = (u.get((1.., ..)) - u.get((..-1, ..))).square();
        across.exp().sum() + down.exp().sum()
    };
    let colors = |way| sparse_hessian(energy).coloring(way).pattern(&(at(400),)).colors();
    let all = [Coloring::Columns, Coloring::Star, Coloring::Acyclic].map(colors);
    assert!(all[1] <= all[0] && all[2] <= all[1] && all[2] <= 4, "{all:?}");
    let dense = jit(sparse_hessian(energy).coloring(Coloring::Columns))(at(400));
    for way in [Coloring::Star, Coloring::Acyclic] {
        let got = jit(sparse_hessian(energy).coloring(way))(at(400));
        close(got.values(), dense.values(), &format!("{way:?}"));
    }
    assert_eq!(sparse_hessian(energy).pattern(&(at(400),)).colors(), all[0].min(all[1]));
}

/// Columns of one colour have no row together, in which one product could not tell them apart.
#[test]
fn columns_of_one_colour_do_not_meet() {
    let heat = |u: Tensor| {
        let u = u.reshape(&[9, 7]);
        (u.roll(1, 0) + u.roll(-1, 0) + u.roll(1, 1) + u.roll(-1, 1) - &u * 4.0).flatten()
    };
    let pattern = sparse_jacobian(heat).coloring(Coloring::Columns).pattern(&(at(63),));
    let (of, starts) = (pattern.color_of(), pattern.starts());
    assert_eq!((of.len(), 1 + *of.iter().max().unwrap() as usize), (63, pattern.colors()));
    for row in starts.windows(2) {
        let mut colors: Vec<u32> = pattern.indices()[row[0]..row[1]].iter().map(|&c| of[c]).collect();
        colors.sort_unstable();
        colors.dedup();
        assert_eq!(colors.len(), row[1] - row[0]);
    }
}

/// What a loop of unknown trips gives for reverse mode (its count, what it saved on each trip) has no part in places.
#[test]
fn second_derivatives_of_loops() {
    let end = |x: Tensor| {
        let step = |x: Tensor| &x * 1.2 + x.square() * x.roll(1, 0) * 0.01;
        while_loop(|x: Tensor| x.square().sum().less(90.0), step, x).sin().sum()
    };
    let several = |x: Tensor| fori_loop(0, 3, |_, x: Tensor| (&x * 1.1).sin(), x).square().sum();
    for f in [end as fn(Tensor) -> Tensor, several] {
        let got = sparse_hessian(f)(at(6));
        close(&got.to_dense(), &hessian(f)(at(6)), "a loop");
        close(&jit(sparse_hessian(f))(at(6)).to_dense(), &hessian(f)(at(6)), "a compiled loop");
    }
    assert_eq!(sparse_hessian(several).pattern(&(at(6),)).places(), 6);
}

/// The derivative of a rule of the user's can be anything, and what it makes need not be symmetric.
#[test]
fn rules_of_users_are_not_taken_for_symmetric() {
    // The derivative of x0 * x1 is said to be (x1, 3 x0).
    let odd = custom_jvp(
        |x: Tensor| (x.get(..1) * x.get(1..)).sum(),
        |(x,): (Tensor,), (t,): (Tensor,)| {
            let y = (x.get(..1) * x.get(1..)).sum();
            (y, (x.get(1..) * t.get(..1) + x.get(..1) * t.get(1..) * 3.0).sum())
        },
    );
    let x = v(&[2.0, 5.0]);
    let got = sparse_hessian(odd.clone())(x.clone());
    close(&got.to_dense(), &hessian(odd)(x), "a rule");
    assert_eq!(got.pattern().coloring(), Coloring::Columns);
}

#[test]
fn colourings_that_do_not_fit() {
    let refused = |j: SparseJacobian<(Tensor,), Tensor>, x: Tensor| {
        jit(move |x: Tensor| j(x).values().clone()).try_call((x,)).unwrap_err().to_string()
    };
    let error = refused(sparse_jacobian(|x: Tensor| x.sin()).coloring(Coloring::Star), at(3));
    assert!(error.contains("symmetric matrices: ask for a `sparse_hessian`"), "{error}");
    let chain = |x: Tensor| (x.get(1..) * x.get(..-1)).square().sum();
    let error = refused(sparse_hessian(chain).coloring(Coloring::Acyclic), at(200));
    assert!(error.contains("no colouring of kind Acyclic"), "{error}");
}

/// A pattern of 10,000 million places is refused while it is made, and takes no memory of that size.
#[test]
fn patterns_that_are_not_sparse() {
    let dense = sparse_jacobian(|x: Tensor| &x * x.sum());
    let x = Tensor::zeros(&[100_000], DType::F64);
    let error = jit(move |x: Tensor| dense(x).values().clone()).try_call((x,)).unwrap_err().to_string();
    assert!(error.contains("too many places that may not be zero"), "{error}");
    assert!(error.contains("capture those that do not change"), "{error}");
}

#[test]
fn of_trees_and_constants() {
    #[derive(Clone, Tree)]
    struct Model {
        a: Tensor,
        b: Vec<Tensor>,
    }
    let captured = at(40);
    let f = move |m: Model, s: Tensor| {
        (
            &m.a * &s,
            vec![m.b[0].matmul(&captured.get(..3)), (&m.a * &m.a).sum()],
            &captured.get(..2) * m.b[0].get((0, 0)),
        )
    };
    let m = Model { a: at(4), b: vec![at(6).reshape(&[2, 3])] };
    let got = jit(sparse_jacobian(f.clone()))(m.clone(), Tensor::from(2.0f64));
    assert_eq!(got.shape(), (4 + 2 + 1 + 2, 4 + 6));
    let dense = jacrev(f).wrt(ARG0)(m, Tensor::from(2.0f64));
    let rows = [dense.0, dense.1[0].clone(), dense.1[1].clone(), dense.2].map(|of| {
        let blocks: Vec<Tensor> =
            [(of.a, 4), (of.b[0].clone(), 6)].into_iter().map(|(t, n)| t.reshape(&[-1, n])).collect();
        concatenate(&blocks, 1)
    });
    close(&got.to_dense(), &concatenate(&rows, 0), "a tree");
    assert_eq!(got.pattern().places(), 4 + 6 + 4 + 2, "{}", got.pattern());
}

#[test]
fn large_and_under_other_transforms() {
    // A grid of 300 x 300: five places in a row, and few colours.
    let heat = |u: Tensor| {
        let u = u.reshape(&[300, 300]);
        let inner = u.get((1..-1, 1..-1));
        let around = u.get((..-2, 1..-1)) + u.get((2.., 1..-1)) + u.get((1..-1, ..-2)) + u.get((1..-1, 2..));
        around - &inner * 4.0 + inner.powi(3)
    };
    let j = sparse_jacobian(heat);
    let pattern = j.pattern(&(at(90_000),));
    assert_eq!((pattern.shape(), pattern.places()), ((298 * 298, 90_000), 298 * 298 * 5));
    assert!(pattern.colors() <= 9, "{pattern}");
    let j = jit(sparse_jacobian(heat).with_pattern(pattern.clone()));
    let (a, x) = (j(at(90_000)), at(90_000).sin());
    let want = wengert::jvp(heat, (at(90_000),), (x.clone(),)).1.flatten();
    close(&a.matvec(&x), &want, "heat");
    assert!(Arc::ptr_eq(a.pattern(), &pattern));

    // A sparse matrix is a tree: returned, passed, differentiated.
    let f = |x: Tensor| x.get(1..) * x.get(..-1).exp();
    let norm = move |x: Tensor| sparse_jacobian(f)(x).values().square().sum();
    let dense = move |x: Tensor| jacrev(f)(x).square().sum();
    close(&jit(grad(norm))(at(7)), &grad(dense)(at(7)), "the derivative of a Jacobian");
    let twice = jit(move |x: Tensor| tree::map(&sparse_jacobian(f)(x), |t| t * 2.0));
    close(&twice(at(7)).to_dense(), &(jacrev(f)(at(7)) * 2.0), "a tree");
    let rows =
        vmap(move |x: Tensor| sparse_jacobian(f)(x).values().clone())(tree::stack(&[at(7), at(7).cos()]));
    close(&rows.get(1), sparse_jacobian(f)(at(7).cos()).values(), "of a batch");
    assert_eq!(sparse_jacobian(|x: Tensor| x.sin())(v(&[])).shape(), (0, 0));
}

/// Patterns with as many places in each row, in different columns, are different programs for one `jit`.
#[test]
fn patterns_are_told_apart() {
    let orders: [One; 3] = [|x| x.sin(), |x| x.flip(0).sin(), |x| x.roll(1, 0).sin()];
    let product = jit(|a: wengert::Csr, x: Tensor| a.matvec(&x));
    for _ in 0..2 {
        for f in orders {
            let (a, x) = (sparse_jacobian(f)(at(5)), at(5).cos());
            close(&product(a, x.clone()), &jacrev(f)(at(5)).matmul(&x), "a product");
        }
    }
}

#[test]
fn what_cannot_be() {
    let said = |f: &dyn Fn()| {
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).expect_err("it fails");
        caught.downcast::<String>().map_or("?".into(), |s| *s)
    };
    let mixed = said(&|| drop(sparse_jacobian(|x: Tensor| (x.astype(DType::F32), x))(at(3))));
    assert!(mixed.contains("one element type") && mixed.contains("sparse.rs"), "{mixed}");
    let integers = said(&|| drop(sparse_jacobian(|x: Tensor| x.argmax(0))(at(3))));
    assert!(integers.contains("i32") || integers.contains("i64"), "{integers}");
    let pattern = sparse_jacobian(|x: Tensor| x.sin()).pattern(&(at(3),));
    let other = said(&|| drop(sparse_jacobian(|x: Tensor| x.sin()).with_pattern(pattern.clone())(at(4))));
    assert!(other.contains("3 x 3") && other.contains("4 x 4"), "{other}");
    let two = |x: Tensor, y: Tensor| x * y;
    let twice = said(&|| drop(sparse_jacobian(two).wrt((ARG1, ARG1))(at(3), at(3))));
    assert!(twice.contains("argument 1 is chosen twice") && twice.contains("sparse.rs"), "{twice}");
    let integer = said(&|| {
        drop(sparse_hessian(|x: Tensor, n: Tensor| (x * n).sum()).wrt(ARG1)(at(3), at(3).argsort(0)))
    });
    assert!(integer.contains("`arg1` is tensor<3xi32>") && integer.contains("sparse.rs"), "{integer}");
    let long = said(&|| drop(sparse_jacobian(|x: Tensor| x.sin())(at(4)).matvec(&at(3))));
    assert!(long.contains("4 x 4"), "{long}");
}

/// The columns of a Jacobian, and of a Hessian the rows too, are those of what is chosen, in the order of the choice.
#[test]
fn by_other_arguments() {
    let f = |x: Tensor, n: Tensor, (w, b): (Tensor, Tensor)| {
        let y = &x * w.get(..4) * n.astype(DType::F64);
        (y.get(1..) * &b, vec![b.square().sum()])
    };
    let args = || (at(4), Tensor::from(3i32), (at(6).cos(), at(1).sin()));
    let (x, n, p) = args();
    let flat = |t: &Tensor, columns: isize| t.reshape(&[-1, columns]);
    let blocks = jacrev(f).wrt((ARG2, ARG0))(x.clone(), n.clone(), p.clone());
    let row =
        |((w, b), x): &((Tensor, Tensor), Tensor)| concatenate(&[flat(w, 6), flat(b, 1), flat(x, 4)], 1);
    let want = concatenate(&[row(&blocks.0), row(&blocks.1[0])], 0);
    let j = sparse_jacobian(f).wrt((ARG2, ARG0));
    assert_eq!(j.pattern(&args()).shape(), (4, 11));
    let got = j(x.clone(), n.clone(), p.clone());
    close(&got.to_dense(), &want, "two arguments");
    // A row of products with a weight, a number and an element; of the last one, what it is the square of.
    assert_eq!(got.pattern().places(), 3 * 3 + 1, "{}", got.pattern());
    close(&jit(j)(x.clone(), n.clone(), p.clone()).to_dense(), &want, "compiled");
    let one = sparse_jacobian(f).wrt(ARG0).coloring(Coloring::Rows)(x.clone(), n.clone(), p.clone());
    assert_eq!(one.pattern().coloring(), Coloring::Rows);
    close(&one.to_dense(), &want.get((.., 7..)), "one argument");
    close(&sparse_jacobian(f)(x.clone(), n.clone(), p.clone()).to_dense(), &one.to_dense(), "the first");

    let f = |x: Tensor, w: Tensor| (x.square() * &w).sum() + (w.get(1..) * w.get(..-1)).sum();
    let args = || (at(4), at(4).cos());
    let ((ww, wx), (xw, xx)) = hessian(f).wrt((ARG1, ARG0))(args().0, args().1);
    let rows = [concatenate(&[ww.clone(), wx], 1), concatenate(&[xw, xx], 1)];
    let h = sparse_hessian(f).wrt((ARG1, ARG0));
    let got = h(args().0, args().1);
    close(&got.to_dense(), &concatenate(&rows, 0), "a Hessian");
    let by_w = jit(sparse_hessian(f).wrt(ARG1).coloring(Coloring::Star))(args().0, args().1);
    close(&by_w.to_dense(), &ww, "a Hessian by one");
    assert_eq!(by_w.pattern().places(), 6, "{}", by_w.pattern());
    let batch = vmap(move |x: Tensor, w: Tensor| sparse_hessian(f).wrt(ARG1)(x, w).values().clone());
    let both = tree::stack(&[args(), (at(4).sin(), at(4))]);
    close(&batch(both.0, both.1).get(0), by_w.values(), "of a batch");
}

/// In chunks of any size the values are the same, and no value of the program is of more vectors.
#[test]
fn in_chunks() {
    let f = |x: Tensor| x.get(2..) * x.get(1..-1).sin() - x.get(..-2).square();
    let want = sparse_jacobian(f)(at(12));
    assert_eq!(want.pattern().colors(), 3);
    for chunk in [1, 2, 3, 7] {
        close(sparse_jacobian(f).chunk_size(chunk)(at(12)).values(), want.values(), "chunks");
        close(jit(sparse_jacobian(f).chunk_size(chunk))(at(12)).values(), want.values(), "chunks, compiled");
    }
    let text = |chunk| jit(sparse_jacobian(f).chunk_size(chunk)).trace((at(12),)).unwrap().to_string();
    assert!(text(2).contains("tensor<2x12xf64>") && !text(2).contains("tensor<3x12xf64>"), "{}", text(2));
    assert!(text(3).contains("tensor<3x12xf64>"));
    let energy = |x: Tensor| (x.get(1..) * x.get(..-1)).exp().sum();
    let want = sparse_hessian(energy)(at(9));
    close(sparse_hessian(energy).chunk_size(1)(at(9)).values(), want.values(), "a Hessian");
    let said = std::panic::catch_unwind(|| sparse_hessian(energy).chunk_size(0)).err().expect("it fails");
    assert!(said.downcast_ref::<&str>().is_some_and(|s| s.contains("at least one vector")));
}

/// Eager calls find places and colours once for a program, and anew for another, also one that only captures other numbers.
#[test]
fn places_are_kept() {
    let f = |mask: Tensor| move |x: Tensor| &x * x.roll(1, 0) * &mask;
    let many = |zero: usize| {
        let numbers: Vec<f64> = (0..40).map(|k| if k == zero { 0.0 } else { 1.0 + k as f64 }).collect();
        Tensor::from(numbers)
    };
    let j = sparse_jacobian(f(many(3)));
    let (first, second) = (j(at(40)), j(at(40).cos()));
    assert!(Arc::ptr_eq(first.pattern(), second.pattern()));
    assert!(Arc::ptr_eq(first.pattern(), &j.pattern(&(at(40).sin(),))));
    // The elements count, not who holds them.
    assert!(Arc::ptr_eq(first.pattern(), sparse_jacobian(f(many(3)))(at(40)).pattern()));
    let other = sparse_jacobian(f(many(5)))(at(40));
    assert!(!Arc::ptr_eq(first.pattern(), other.pattern()));
    let rows = |j: &wengert::Csr| j.starts().windows(2).position(|w| w[0] == w[1]);
    assert_eq!((rows(&first), rows(&other)), (Some(3), Some(5)));
    close(&other.to_dense(), &jacrev(f(many(5)))(at(40)), "another mask");
    // Arguments of another size are another program, and so is another colouring.
    assert_eq!(sparse_jacobian(|x: Tensor| x.sin())(at(5)).shape(), (5, 5));
    assert_eq!(sparse_jacobian(|x: Tensor| x.sin())(at(6)).shape(), (6, 6));
    let rows = j.clone().coloring(Coloring::Rows)(at(40));
    assert_eq!(rows.pattern().coloring(), Coloring::Rows);
    close(&rows.to_dense(), &first.to_dense(), "by rows");
    // Of a Hessian it depends on rules of users' which colours there may be, whatever was asked for before.
    let energy = |x: Tensor| (x.get(1..).square() * x.get(..1)).sum();
    let h = sparse_hessian(energy);
    assert!(Arc::ptr_eq(h(at(50)).pattern(), h(at(50).cos()).pattern()));
    assert_eq!(h(at(50)).pattern().coloring(), Coloring::Star);
    let rule = custom_jvp(|x: Tensor| x.sum(), |(x,): (Tensor,), (t,): (Tensor,)| (x.sum(), t.sum()));
    let with_rule = move |x: Tensor| rule((x.get(1..).square() * x.get(..1)).reshape(&[-1]));
    let by_rule = sparse_hessian(with_rule)(at(50));
    assert_eq!(by_rule.pattern().coloring(), Coloring::Columns);
    close(&by_rule.to_dense(), &h(at(50)).to_dense(), "a rule");
}

/// The parts of a matrix are what others make theirs of, without a change.
#[test]
fn others_take_the_parts() {
    let f = |x: Tensor| concatenate(&[x.get(1..) * x.get(..-1).sin(), Tensor::zeros(&[1], DType::F64)], 0);
    let (a, x) = (sparse_jacobian(f)(at(7)), at(7).cos().to_vec::<f64>());
    let (rows, columns) = a.shape();
    let values = a.values().to_vec::<f64>();
    let want = jacrev(f)(at(7));

    let theirs = sprs::CsMat::new(a.shape(), a.starts().to_vec(), a.indices().to_vec(), values.clone());
    let mut product = vec![0.0; rows];
    sprs::prod::mul_acc_mat_vec_csr(theirs.view(), &x[..], &mut product[..]);
    close(&v(&product), &want.matmul(&v(&x)), "sprs");

    let places =
        faer::sparse::SymbolicSparseRowMatRef::new_checked(rows, columns, a.starts(), None, a.indices());
    let theirs = faer::sparse::SparseRowMatRef::new(places, &values[..]);
    let dense = (0..rows * columns).map(|k| theirs.get(k / columns, k % columns).copied().unwrap_or(0.0));
    close(&Tensor::from(dense.collect::<Vec<f64>>()), &want.flatten(), "faer");
}

/// Patterns are asked for of arguments without elements.
#[test]
fn of_shapes() {
    let f = |x: Tensor, w: Tensor| x.get(1..) * x.get(..-1) * w.get(0);
    let shapes = (Tensor::placeholder(&[5], DType::F64), Tensor::placeholder(&[1], DType::F64));
    let j = sparse_jacobian(f).wrt((ARG0, ARG1));
    let pattern = j.pattern(&shapes);
    let got = j(at(5), at(1));
    assert_eq!((pattern.shape(), pattern.places()), ((4, 6), 12));
    assert!(Arc::ptr_eq(got.pattern(), &pattern));
    let energy = |x: Tensor| (x.get(1..) * x.get(..-1)).square().sum();
    assert_eq!(sparse_hessian(energy).pattern(&(Tensor::placeholder(&[9], DType::F64),)).places(), 25);
}

/// A rule for reverse mode alone leaves rows; which places it fills is not known.
#[test]
fn functions_without_a_forward_mode_are_taken_by_rows() {
    let cut = custom_vjp(
        |x: Tensor| x.sin(),
        |(x,)| (x.sin(), x),
        |x: Tensor, g: Tensor| ((g * x.cos()).clip(-10.0, 10.0),),
    );
    let f = move |x: Tensor| cut(x.get(1..) * x.get(..-1));
    let x = Tensor::linspace(0.1, 0.9, 30, DType::F64);
    let j = sparse_jacobian(f.clone());
    let pattern = j.pattern(&(x.clone(),));
    assert_eq!((pattern.coloring(), pattern.colors(), pattern.places()), (Coloring::Rows, 29, 29 * 30));
    close(&j(x.clone()).to_dense(), &jacrev(f)(x), "rows");
}
