//! Trees: derived types of every kind, mapped, raveled, batched with axes for each leaf, differentiated by.
use super::*;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use wengert::{
    DType, Static, Tensor, Tree, grad, hessian, jacfwd, jacrev, jit, scan, tree, value_and_grad, vmap,
};

#[derive(Clone, Debug, PartialEq)]
enum Act {
    Tanh,
    Linear,
}
#[derive(Clone, Tree)]
struct Dense<W, A> {
    w: W,
    bias: Option<W>,
    act: Static<A>,
}
#[derive(Clone, Tree)]
enum Block {
    Plain(Dense<Tensor, Act>),
    Scaled { by: Box<Tensor>, inner: Arc<Dense<Tensor, Act>> },
    Nothing,
}
#[derive(Clone, Tree)]
struct Net {
    blocks: Vec<Block>,
    head: BTreeMap<String, Tensor>,
    #[tree(skip)]
    label: &'static str,
}
fn dense(d: &Dense<Tensor, Act>, x: &Tensor) -> Tensor {
    let mut y = d.w.matmul(x);
    if let Some(b) = &d.bias {
        y += b;
    }
    if d.act.0 == Act::Tanh { y.tanh() } else { y }
}
fn forward(net: &Net, x: Tensor) -> Tensor {
    let mut x = x;
    for b in &net.blocks {
        x = match b {
            Block::Plain(d) => dense(d, &x),
            Block::Scaled { by, inner } => dense(inner, &x) * &**by,
            Block::Nothing => x,
        };
    }
    net.head["w"].dot(&x) + &net.head["b"]
}
fn loss(net: Net, x: Tensor, y: Tensor) -> Tensor {
    (forward(&net, x) - y).square()
}
fn net() -> Net {
    let layer = |k: u64, act: Act, bias: bool| Dense {
        w: noise_of(&[3, 3], k),
        bias: bias.then(|| noise_of(&[3], k + 50)),
        act: Static(act),
    };
    let blocks = vec![
        Block::Plain(layer(1, Act::Tanh, true)),
        Block::Nothing,
        Block::Scaled { by: Box::new(s(0.7)), inner: Arc::new(layer(2, Act::Linear, false)) },
        Block::Plain(layer(3, Act::Tanh, true)),
    ];
    let head = [("w".to_owned(), noise_of(&[3], 9)), ("b".to_owned(), s(0.1))].into();
    Net { blocks, head, label: "net" }
}

#[test]
fn all() {
    case("structure", || {
        let n = net();
        let paths = tree::paths(&n);
        same("leaves and paths", tree::leaves(&n).len(), paths.len());
        same("number of leaves", paths.len(), 8);
        yes(
            "paths of fields",
            paths.iter().any(|p| p.contains("blocks[0]") && p.ends_with("w")),
            format!("{paths:?}"),
        );
        let st = tree::structure(&n);
        yes(
            "display has the paths",
            st.to_string().contains(".blocks[0]") && st.to_string().contains("head"),
            st.to_string(),
        );
        yes("same structure", st == tree::structure(&tree::map(&n, |t| t * 2.0)), "not equal");
        let mut other = net();
        other.blocks[0] = Block::Nothing;
        yes("another variant", st != tree::structure(&other), "equal");
        let mut linear = net();
        if let Block::Plain(d) = &mut linear.blocks[0] {
            d.act = Static(Act::Linear);
        }
        yes("another static value", st != tree::structure(&linear), "equal");
        let (leaves, st) = tree::flatten(&n);
        let back = st.unflatten(leaves.iter().map(|t| t * 3.0)).unwrap();
        closet("unflatten", &back.head["b"], &[0.3], 1e-15);
        same("label stays", back.label, "net");
        fails_with("too few leaves", st.unflatten(leaves.into_iter().skip(1)), &["7", "8"]);
        let (vector, unravel) = tree::ravel(&n);
        same("ravel length", vector.len(), 9 + 3 + 1 + 9 + 9 + 3 + 3 + 1);
        closet("unravel", &tree::ravel(&unravel.call(&(&vector * 2.0))).0, &v(&(&vector * 2.0)), 0.0);
        fails("unravel of another length", || unravel.call(&t(&[1.0])), &["1|38"]);
        let sum = tree::map_n(&[&n, &back, &n], |x| x[0] + x[1] + x[2]);
        closet("map_n", &sum.head["b"], &[0.5], 1e-15);
        fails("map2 of other structures", || tree::map2(&n, &other, |a, b| a + b), &["blocks"]);
        let mixed = (Tensor::from([1i32, 2]), s(0.5), Tensor::from([1.5f32]));
        let (vec, un) = tree::ravel(&mixed);
        same("ravel promotes", vec.dtype(), DType::F64);
        same("unravel gives back types", un.call(&vec).0.to_vec::<i32>(), vec![1, 2]);
    });
    case("gradients", || {
        let (n, x, y) = (net(), noise_of(&[3], 30), s(0.4));
        let g = grad(loss)(n.clone(), x.clone(), y.clone());
        let (flat, unravel) = tree::ravel(&n);
        let (xx, yy, un) = (x.clone(), y.clone(), unravel.clone_of());
        let d = differences(|p| vec![loss(un(&t(p)), xx.clone(), yy.clone()).item::<f64>()], &v(&flat));
        closet("gradient of a net", &tree::ravel(&g).0, &d, 1e-6);
        closet(
            "jit value_and_grad",
            &tree::ravel(&jit(value_and_grad(loss))(n.clone(), x.clone(), y.clone()).1).0,
            &d,
            1e-6,
        );
        same("gradient keeps the label", g.label, "net");
        yes("gradient keeps the structure", tree::structure(&g) == tree::structure(&n), "another");
        let f = jit(loss);
        let a = f(n.clone(), x.clone(), y.clone()).item::<f64>();
        let mut other = n.clone();
        if let Block::Plain(d) = &mut other.blocks[3] {
            d.act = Static(Act::Linear);
        }
        let b = f(other.clone(), x.clone(), y.clone()).item::<f64>();
        close(
            "jit of another static value",
            &[a, b],
            &[loss(n.clone(), x.clone(), y.clone()).item(), loss(other, x.clone(), y.clone()).item()],
            1e-12,
        );
        same("two programs", f.compiled_signatures(), 2);
        // Examples share the net; then nets share the example; then both.
        let (xs, ys) = (noise_of(&[3, 3], 31), noise_of(&[3], 32));
        let each = jit(vmap(grad(loss)).in_axes([None, Some(0), Some(0)]))(n.clone(), xs.clone(), ys.clone());
        for i in 0..3 {
            let one = grad(loss)(n.clone(), xs.get(i), ys.get(i));
            closet(
                &format!("per-example gradient {i}"),
                &tree::ravel(&tree::unstack(&each)[i]).0,
                &v(&tree::ravel(&one).0),
                1e-11,
            );
        }
        let nets: Vec<Net> = (0..3).map(|i| tree::map(&n, |t| t * (1.0 + i as f64 * 0.1))).collect();
        let batch = tree::stack(&nets);
        let all = vmap(vmap(loss).in_axes([None, Some(0), Some(0)])).in_axes([Some(0), None, None]);
        let want: Vec<f64> = nets
            .iter()
            .flat_map(|n| {
                (0..3).map(|i| loss(n.clone(), xs.get(i), ys.get(i)).item::<f64>()).collect::<Vec<_>>()
            })
            .collect();
        closet("nets by examples", &all(batch, xs.clone(), ys.clone()), &want, 1e-12);
        // Only biases differ.
        let by = vmap(loss).in_axes_by(|leaf| if leaf.ends_with("bias") { Some(0) } else { None });
        let biases = tree::map_with_path(&n, |p, t| {
            if p.ends_with("bias") { wengert::stack(&[t.clone(), t * 2.0], 0) } else { t.clone() }
        });
        let doubled = tree::map_with_path(&n, |p, t| if p.ends_with("bias") { t * 2.0 } else { t.clone() });
        let want =
            [loss(n.clone(), x.clone(), y.clone()).item::<f64>(), loss(doubled, x.clone(), y.clone()).item()];
        closet("axes by name", &jit(by)(biases, x.clone(), y.clone()), &want, 1e-12);
    });
    case("jacobians of trees", || {
        let f = |m: HashMap<String, Tensor>, x: Tensor| {
            (m["a"].matmul(&x), vec![m["b"].square().sum(), x.sum() * m["b"].get(0)])
        };
        let m =
            || HashMap::from([("a".to_owned(), noise_of(&[2, 3], 1)), ("b".to_owned(), noise_of(&[2], 2))]);
        let x = || noise_of(&[3], 3);
        let (ja, jb) = jacfwd(f)(m(), x());
        let (ka, kb) = jit(jacrev(f))(m(), x());
        same("shape of a block", ja["a"].shape().to_vec(), vec![2, 2, 3]);
        closet("dy/da", &ja["a"], &v(&ka["a"]), 1e-12);
        let xs = v(&x());
        closet("dy/da closed form", &ja["a"], &[&xs[..], &[0.0; 6], &xs[..]].concat(), 1e-12);
        closet("dy/db is zero", &ka["b"], &[0.0; 4], 0.0);
        closet("db", &jb[0]["b"], &v(&(&m()["b"] * 2.0)), 1e-12);
        closet("db second", &kb[1]["b"], &[xs.iter().sum::<f64>(), 0.0], 1e-12);
        let h = jit(hessian(|(p, q): (Tensor, (Tensor, [Tensor; 2]))| (&p * &q.0).sum() * &q.1[0] * &q.1[1]));
        let at = (t(&[1.0, 2.0]), (t(&[3.0, 4.0]), [s(5.0), s(6.0)]));
        let hh = h(at);
        closet("hessian block p,q", &hh.0.1.0, &[30.0, 0.0, 0.0, 30.0], 1e-13);
        closet("hessian block of arrays", &hh.1.1[0].1.1[1], &[11.0], 1e-13);
        closet("hessian block of arrays, same", &hh.1.1[0].1.1[0], &[0.0], 1e-13);
    });
    case("options and axes", || {
        let f = |(a, o): (Tensor, Option<Tensor>), x: Tensor| match o {
            Some(o) => (&a * &x + o, x.sum()),
            None => (a * &x, x.sum()),
        };
        let x = noise_of(&[2, 3], 4);
        for n in [0usize, 1, 3] {
            let a = noise_of(&[n], 5);
            let g = vmap(f)
                .leaf_axes(0, [Some(0), None])
                .in_axes([Some(0), Some(-1)])
                .out_leaf_axes([Some(1), Some(0)]);
            let xs = x.get((.., ..n));
            let (y, sums) = jit(g)((a.clone(), Some(t(&[1.0, -1.0]))), xs.clone());
            same(&format!("leaf axes shape {n}"), y.shape().to_vec(), vec![2, n]);
            let (av, xv) = (v(&a), v(&xs));
            let want: Vec<f64> = (0..2)
                .flat_map(|r| {
                    (0..n)
                        .map(|i| av[i] * xv[r * n + i] + if r == 0 { 1.0 } else { -1.0 })
                        .collect::<Vec<_>>()
                })
                .collect();
            closet(&format!("leaf axes {n}"), &y, &want, 1e-14);
            same(&format!("leaf axes sums {n}"), sums.shape().to_vec(), vec![n]);
        }
        let (y, _) = vmap(f).in_axes([None, Some(0)])((s(2.0), None), t(&[1.0, 2.0]));
        closet("no optional leaf", &y, &[2.0, 4.0], 0.0);
        let many = vmap(|n: Net| forward(&n, t(&[1.0, 0.0, 0.0]))).in_axes([None]).axis_size(2);
        same("axis_size", many(net()).shape().to_vec(), vec![2]);
        // Trees in a loop, mapped and differentiated.
        let walk = |start: BTreeMap<&'static str, Tensor>| {
            let step = |c: BTreeMap<&'static str, Tensor>, k: Tensor| {
                let next =
                    BTreeMap::from([("p", &c["p"] + &c["v"] * 0.1), ("v", &c["v"] - c["p"].sin() * k)]);
                (next, c["p"].clone())
            };
            scan(step, start, t(&[0.1, 0.2, 0.3])).0["p"].clone()
        };
        let at = |p: f64, w: f64| BTreeMap::from([("p", s(p)), ("v", s(w))]);
        let batch = tree::stack(&[at(0.5, 1.0), at(-1.0, 0.2)]);
        let g = jit(vmap(grad(walk)))(batch);
        for (i, (p, w)) in [(0.5, 1.0), (-1.0, 0.2)].into_iter().enumerate() {
            let d = differences(|q| vec![walk(at(q[0], q[1])).item::<f64>()], &[p, w]);
            close(&format!("map in a loop {i}"), &[v(&g["p"])[i], v(&g["v"])[i]], &d, 1e-7);
        }
    });
    finish();
}

/// A function of what `ravel` gives.
trait CloneOf<T> {
    fn clone_of(self) -> Box<dyn Fn(&Tensor) -> T>;
}
impl<T: Tree> CloneOf<T> for tree::Unravel<T> {
    fn clone_of(self) -> Box<dyn Fn(&Tensor) -> T> {
        Box::new(move |x| self.call(x))
    }
}
