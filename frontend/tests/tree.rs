//! Trees as arguments, results and gradients: order, names, structure, and what makes a function compile anew.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use wengert::{ARG0, ARG1, DType, Static, Tensor, Tree, grad, jacrev, jit, jvp, value_and_grad, vjp};

fn x(v: f64) -> Tensor {
    Tensor::from(v)
}
fn item(t: &Tensor) -> f64 {
    t.item::<f64>()
}

#[derive(Clone, Tree)]
struct Layer {
    w: Tensor,
    b: Option<Tensor>,
}

#[derive(Clone, Tree)]
struct Pair<A, B>(A, B);

#[derive(Clone, Tree)]
struct Model {
    layers: Vec<Layer>,
    scales: [Tensor; 2],
    by_name: BTreeMap<String, Tensor>,
    nested: Box<Pair<Tensor, (Tensor, ())>>,
    steps: Static<usize>,
    #[tree(skip)]
    label: &'static str,
}

#[derive(Clone, Tree)]
struct Empty;

fn model() -> Model {
    Model {
        layers: vec![Layer { w: x(1.0), b: Some(x(2.0)) }, Layer { w: x(3.0), b: None }],
        scales: [x(4.0), x(5.0)],
        by_name: [("b".into(), x(7.0)), ("a".into(), x(6.0))].into(),
        nested: Box::new(Pair(x(8.0), (x(9.0), ()))),
        steps: Static(2),
        label: "m",
    }
}

fn values(tree: &impl Tree) -> Vec<f64> {
    let mut out = Vec::new();
    tree.visit(&mut |t| out.push(item(t)));
    out
}

/// Sum of (position + 1) * leaf^2: the gradient is 2 (position + 1) leaf.
fn weighted(m: Model) -> Tensor {
    let mut sum = x(0.0);
    let mut k = 0.0;
    m.visit(&mut |t| {
        k += 1.0;
        sum += t * t * k;
    });
    sum
}

#[test]
fn leaves_are_visited_in_order_and_named() {
    let m = model();
    assert_eq!(values(&m), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    assert_eq!(m.leaves(), 9);
    let mut names = Vec::new();
    m.names("m", &mut names);
    assert_eq!(
        names,
        [
            "m.layers[0].w",
            "m.layers[0].b",
            "m.layers[1].w",
            "m.scales[0]",
            "m.scales[1]",
            "m.by_name[\"a\"]",
            "m.by_name[\"b\"]",
            "m.nested.0",
            "m.nested.1.0"
        ]
    );
    let doubled = m.map(&mut |t| t * 2.0);
    assert_eq!(values(&doubled), [2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0]);
    assert_eq!((doubled.label, doubled.steps), ("m", Static(2)));
    assert_eq!(Empty.leaves(), 0);
}

#[test]
fn gradients_have_the_arguments_structure() {
    let expected: Vec<f64> = (1..=9).map(|k| 2.0 * k as f64 * k as f64).collect();
    let eager = grad(weighted)(model());
    assert_eq!(values(&eager), expected);
    let compiled = jit(grad(weighted))(model());
    assert_eq!(values(&compiled), expected);
    assert_eq!(compiled.label, "m");
    assert!(compiled.layers[1].b.is_none());
    let (_, tangent) = jvp(weighted, (model(),), (model(),));
    assert_eq!(item(&tangent), expected.iter().zip(1..).map(|(g, k)| g * k as f64).sum::<f64>());
    let (_, pullback) = vjp(|m: Model| m.layers, (model(),));
    let (back,) = pullback.call(model().layers);
    assert_eq!(values(&back), [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn integer_leaves_have_zero_gradients() {
    #[derive(Clone, Tree)]
    struct Counted {
        w: Tensor,
        count: Tensor,
    }
    let f = |c: Counted| (&c.w * &c.w * c.count).sum();
    let c = Counted { w: Tensor::from([1.0, 2.0]), count: Tensor::from([3i32, 4]) };
    let with = grad(f).allow_int();
    for g in [with(c.clone()), jit(with)(c.clone()), value_and_grad(f).allow_int()(c.clone()).1] {
        assert_eq!(g.w.to_vec::<f64>(), [6.0, 16.0]);
        assert_eq!(g.count.to_vec::<i32>(), [0, 0]);
    }
    // Not by accident, as in JAX.
    let error = jit(grad(f)).try_call((c.clone(),)).err().expect("an integer").to_string();
    assert!(error.contains("`arg0.count` is tensor<2xi32>") && error.contains("allow_int"), "{error}");
    let first = |n: Tensor, w: Tensor| (n.astype(DType::F64) * w).sum();
    assert!(jit(jacrev(first)).try_call((c.count.clone(), c.w.clone())).is_err());
    // What is not differentiated may be what it likes.
    let d = grad(first).wrt(ARG1)(c.count, c.w);
    assert_eq!(d.to_vec::<f64>(), [3.0, 4.0]);
}

#[test]
fn results_may_be_trees() {
    let f = jit(|a: Tensor, m: BTreeMap<u8, Tensor>| {
        let sum = m.values().fold(a.clone(), |s, t| s + t);
        (vec![sum, a], Some([m[&2].clone(), m[&1].clone()]), Static("done"))
    });
    let (list, pair, done) = f(x(1.0), [(1, x(10.0)), (2, x(20.0))].into());
    assert_eq!(values(&list), [31.0, 1.0]);
    assert_eq!(values(&pair.expect("some")), [20.0, 10.0]);
    assert_eq!(done, Static("done"));
    let (value, (da, db)) = value_and_grad(|a: (Tensor, Tensor), b: [Tensor; 1]| a.0 * a.1 * &b[0])
        .wrt((ARG0, ARG1))((x(2.0), x(3.0)), [x(5.0)]);
    assert_eq!((item(&value), values(&da), values(&db)), (30.0, vec![15.0, 10.0], vec![6.0]));
}

#[derive(Clone, Tree)]
enum Part {
    None,
    Scale(Tensor),
    Affine {
        w: Tensor,
        b: Arc<Tensor>,
        #[tree(skip)]
        name: &'static str,
    },
    Many(Box<Pair<Tensor, Vec<Part>>>),
}

impl Part {
    fn apply(&self, x: Tensor) -> Tensor {
        match self {
            Part::None => x,
            Part::Scale(s) => x * s,
            Part::Affine { w, b, name } => x * w + &**b * name.len() as f64,
            Part::Many(pair) => pair.1.iter().fold(x * &pair.0, |x, p| p.apply(x)),
        }
    }
}

#[test]
fn enums_are_trees_whose_variant_is_structure() {
    let affine = |name| Part::Affine { w: x(3.0), b: Arc::new(x(5.0)), name };
    let many = Part::Many(Box::new(Pair(x(2.0), vec![affine("ab"), Part::None, Part::Scale(x(7.0))])));
    let mut names = Vec::new();
    many.names("p", &mut names);
    assert_eq!(names, ["p.0.0", "p.0.1[0].w", "p.0.1[0].b", "p.0.1[2].0"]);
    assert_eq!(values(&many), [2.0, 3.0, 5.0, 7.0]);
    // (x * 2 * 3 + 5 * 2) * 7 at x = 1.
    let f = |p: Part, x: Tensor| p.apply(x);
    let compiled = jit(f);
    assert_eq!(item(&compiled(many.clone(), x(1.0))), 112.0);
    for g in [grad(f)(many.clone(), x(1.0)), jit(grad(f))(many.clone(), x(1.0))] {
        assert_eq!(values(&g), [21.0, 14.0, 14.0, 16.0]);
        assert!(matches!(&g, Part::Many(pair) if matches!(pair.1[1], Part::None)));
    }
    for (p, value) in
        [(Part::None, 4.0), (Part::Scale(x(2.0)), 8.0), (affine("abc"), 27.0), (affine("abcd"), 32.0)]
    {
        assert_eq!(item(&compiled(p, x(4.0))), value);
    }
    assert_eq!(compiled.compiled_signatures(), 5);
    let mut changed = many.clone();
    changed.visit_mut(&mut |t| *t = &*t + 1.0);
    assert_eq!((values(&changed), values(&many)), (vec![3.0, 4.0, 6.0, 8.0], vec![2.0, 3.0, 5.0, 7.0]));
}

#[test]
fn hash_maps_are_trees_in_the_order_of_their_keys() {
    type Map = HashMap<String, Tensor>;
    let f = |m: Map| m.iter().fold(x(0.0), |s, (k, t)| s + t * t * k.len() as f64);
    let map = |order: &[usize]| -> Map {
        let all = [("a", 1.0), ("bb", 2.0), ("ccc", 3.0), ("dddd", 4.0)];
        order.iter().map(|&k| (all[k].0.to_owned(), x(all[k].1))).collect()
    };
    let compiled = jit(grad(f));
    for order in [[0, 1, 2, 3], [3, 1, 2, 0], [2, 0, 3, 1]] {
        let m = map(&order);
        assert_eq!(values(&m), [1.0, 2.0, 3.0, 4.0]);
        let mut names = Vec::new();
        m.names("m", &mut names);
        assert_eq!(names, ["m[\"a\"]", "m[\"bb\"]", "m[\"ccc\"]", "m[\"dddd\"]"]);
        for g in [compiled(m.clone()), grad(f)(m.clone())] {
            assert_eq!(values(&g), [2.0, 8.0, 18.0, 32.0]);
        }
        let mut m = m;
        let mut k = 0.0;
        m.visit_mut(&mut |t| {
            k += 1.0;
            *t = x(k * 10.0);
        });
        assert_eq!(values(&m), [10.0, 20.0, 30.0, 40.0]);
    }
    // One program, whatever the order in which they were filled; another for another key.
    assert_eq!(compiled.compiled_signatures(), 1);
    let _ = compiled(map(&[0, 1, 2]));
    assert_eq!(compiled.compiled_signatures(), 2);
}

#[test]
fn structure_decides_what_is_compiled_anew() {
    let traces = Arc::new(AtomicUsize::new(0));
    let counter = traces.clone();
    let f = jit(move |m: Model, shift: Option<Tensor>, power: Static<i32>| {
        counter.fetch_add(1, Ordering::Relaxed);
        let mut sum = shift.unwrap_or(x(0.0));
        m.visit(&mut |t| sum += t.powi(power.0));
        sum * m.steps.0 as f64 + m.label.len() as f64
    });
    let mut count = 0;
    let mut expect = |m: Model, shift: Option<Tensor>, power: i32, value: f64, new: bool| {
        count += new as usize;
        assert_eq!(item(&f(m, shift, Static(power))), value);
        assert_eq!(traces.load(Ordering::Relaxed), count);
    };
    expect(model(), None, 1, 91.0, true);
    expect(model(), None, 1, 91.0, false);
    expect(model().map(&mut |t| t + 1.0), None, 1, 109.0, false);
    // A static value, a skipped field, a variant, a length, a key: each is another program.
    expect(model(), None, 2, 571.0, true);
    expect(Model { steps: Static(3), ..model() }, None, 1, 136.0, true);
    expect(Model { label: "longer", ..model() }, None, 1, 96.0, true);
    expect(model(), Some(x(1.0)), 1, 93.0, true);
    expect(Model { layers: model().layers[..1].to_vec(), ..model() }, None, 1, 85.0, true);
    expect(
        Model { by_name: [("a".into(), x(6.0)), ("c".into(), x(7.0))].into(), ..model() },
        None,
        1,
        91.0,
        true,
    );
    // As many leaves, distributed otherwise.
    let moved = vec![Layer { w: x(1.0), b: None }, Layer { w: x(2.0), b: Some(x(3.0)) }];
    expect(Model { layers: moved, ..model() }, None, 1, 91.0, true);
    // What was compiled before is found again.
    expect(model(), None, 2, 571.0, false);
    assert_eq!(f.compiled_signatures(), count);
}

#[test]
fn element_types_and_shapes_decide_too() {
    let traces = Arc::new(AtomicUsize::new(0));
    let counter = traces.clone();
    let f = jit(move |a: Tensor| {
        counter.fetch_add(1, Ordering::Relaxed);
        a.sum()
    });
    for (a, total) in [
        (Tensor::from([1.0f64, 2.0]), 1),
        (Tensor::from([3.0f64, 4.0]), 1),
        (Tensor::from([3.0f32, 4.0]), 2),
        (Tensor::from([[1.0f64, 2.0]]), 3),
        (Tensor::from([1.0f64, 2.0]), 3),
    ] {
        let _ = f(a);
        assert_eq!(traces.load(Ordering::Relaxed), total);
    }
}

#[test]
fn leaf_names_reach_the_program() {
    let f = jit(|layer: Layer, v: Vec<Tensor>| layer.w * &v[1]);
    let list =
        f.trace((Layer { w: x(1.0), b: Some(x(2.0)) }, vec![x(3.0), x(4.0)])).expect("traced").wengert_list();
    for name in ["arg0.w", "arg0.b", "arg1[0]", "arg1[1]"] {
        assert!(list.contains(name), "{list}");
    }
}

/// What is no tree, but may be part of a program.
#[derive(Clone, Debug, PartialEq)]
enum Act {
    Double,
    Square,
}

/// Parameters of every kind: trees, what is static or skipped, and both.
#[derive(Clone, Tree)]
struct Generic<W, A, M, const N: usize> {
    w: [W; N],
    by_name: BTreeMap<String, Vec<(W, Tensor)>>,
    act: Static<A>,
    acts: Option<Static<Vec<A>>>,
    #[tree(skip)]
    mark: std::marker::PhantomData<M>,
}

trait Family {
    type Weight;
}

#[derive(Clone, Debug)]
struct Plain;

impl Family for Plain {
    type Weight = Tensor;
}

#[derive(Clone, Tree)]
struct OfFamily<F: Family> {
    w: F::Weight,
}

impl<F: Family> OfFamily<F> {
    fn of(w: F::Weight) -> Self {
        Self { w }
    }
}

/// A parameter that is asked for no more than is said.
#[derive(Tree)]
#[tree(bound = "T: Tree, M: 'static")]
struct Said<T, M> {
    t: T,
    #[tree(skip)]
    mark: std::marker::PhantomData<fn() -> M>,
}

impl<T: Clone, M> Clone for Said<T, M> {
    fn clone(&self) -> Self {
        Self { t: self.t.clone(), mark: self.mark }
    }
}

#[derive(Clone, Tree)]
enum List<T> {
    End,
    Node(T, Box<List<T>>),
}

#[test]
fn parameters_are_asked_for_what_fields_need() {
    let generic = |act: Act| Generic::<Tensor, Act, &'static str, 2> {
        w: [x(2.0), x(3.0)],
        by_name: [("a".to_owned(), vec![(x(4.0), x(5.0))])].into(),
        acts: Some(Static(vec![act.clone()])),
        act: Static(act),
        mark: std::marker::PhantomData,
    };
    let f = |g: Generic<Tensor, Act, &'static str, 2>| {
        let sum = g.w[0].clone() * &g.w[1] * &g.by_name["a"][0].0 * &g.by_name["a"][0].1;
        match g.act.0 {
            Act::Double => sum * 2.0,
            Act::Square => sum.square(),
        }
    };
    let compiled = jit(grad(f));
    assert_eq!(values(&compiled(generic(Act::Double))), [120.0, 80.0, 60.0, 48.0]);
    assert_eq!(item(&compiled(generic(Act::Square)).w[0]), 2.0 * 120.0 * 60.0);
    assert_eq!(compiled.compiled_signatures(), 2);

    let g = grad(|o: OfFamily<Plain>| o.w.square())(OfFamily::of(x(3.0)));
    assert_eq!(item(&g.w), 6.0);
    struct NoClone;
    let said = Said::<_, NoClone> { t: (x(3.0), x(4.0)), mark: std::marker::PhantomData };
    assert_eq!(values(&grad(|s: Said<(Tensor, Tensor), NoClone>| s.t.0 * s.t.1)(said)), [4.0, 3.0]);

    let list = List::Node(x(1.0), Box::new(List::Node(x(2.0), Box::new(List::End))));
    let squares = |l: List<Tensor>| {
        let mut sum = x(0.0);
        l.visit(&mut |t| sum += t * t);
        sum
    };
    assert_eq!(values(&jit(grad(squares))(list)), [2.0, 4.0]);
}

#[test]
fn leaves_are_mapped_with_their_paths() {
    let mut seen = Vec::new();
    let mapped = wengert::tree::map_with_path(&model(), |path, t| {
        seen.push(path.to_owned());
        if path.starts_with(".layers") { t * 10.0 } else { t.clone() }
    });
    assert_eq!(seen, wengert::tree::paths(&model()));
    assert_eq!(values(&mapped), [10.0, 20.0, 30.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    let scaled = |m: Model| {
        weighted(wengert::tree::map_with_path(
            &m,
            |path, t| if path == ".scales[1]" { t * 3.0 } else { t.clone() },
        ))
    };
    assert_eq!(values(&jit(grad(scaled))(model()))[4], 2.0 * 5.0 * 5.0 * 9.0);
}
