//! Scatters of every form, combined by a function for which the order matters: the interpreter and compiled code against plain
//! loops, values of integers to the bit, derivatives of `f64` against differences of the plain loops.

use crate::common::{Random, all_ways};
use wengert_ir::array::Array;
use wengert_ir::func::Module;
use wengert_passes::ad;

const SHAPE: [usize; 3] = [3, 4, 2];
/// Updates for each window's place: the shape of the indices but for the dimension of the index vectors.
const BATCH: [usize; 2] = [3, 2];

/// Dimension numbers of a scatter into [`SHAPE`].
#[derive(Debug)]
struct Form {
    /// The operand's dimensions that an index moves along, in the order of the index vector.
    moved: Vec<usize>,
    /// Those that windows do not have.
    inserted: Vec<usize>,
    /// Where the windows' dimensions are among those of updates.
    window: Vec<usize>,
    /// Where index vectors are among the dimensions of the indices.
    vector: usize,
}

fn numbers(list: &[usize]) -> String {
    list.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

/// Sublists of `0..n`.
fn subsets(n: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..1usize << n).map(move |bits| (0..n).filter(|k| bits >> k & 1 == 1).collect())
}

impl Form {
    /// All, or the first of every `share`.
    fn every(share: usize) -> Vec<Form> {
        let mut all = Vec::new();
        for moved in subsets(3).filter(|m| !m.is_empty()) {
            let mut reversed = moved.clone();
            reversed.reverse();
            let orders = if moved.len() > 1 { vec![moved, reversed] } else { vec![moved] };
            for moved in orders {
                for inserted in subsets(3) {
                    let rank = BATCH.len() + 3 - inserted.len();
                    for window in subsets(rank).filter(|w| w.len() == 3 - inserted.len()) {
                        let vector = all.len() % (BATCH.len() + 1);
                        let (moved, inserted) = (moved.clone(), inserted.clone());
                        all.push(Form { moved, inserted, window, vector });
                    }
                }
            }
        }
        all.into_iter().step_by(share).collect()
    }

    /// The operand's dimensions that windows have.
    fn kept(&self) -> Vec<usize> {
        (0..3).filter(|d| !self.inserted.contains(d)).collect()
    }

    /// Windows leave room to move, and one place where they do not fit.
    fn window_size(&self, dim: usize) -> usize {
        if self.moved.contains(&dim) { SHAPE[dim] - 1 } else { SHAPE[dim] }
    }

    fn updates(&self) -> Vec<usize> {
        let mut kept = self.kept().into_iter();
        let mut batch = BATCH.iter();
        (0..BATCH.len() + self.window.len())
            .map(|d| match self.window.contains(&d) {
                true => self.window_size(kept.next().expect("a dimension of windows")),
                false => *batch.next().expect("a dimension of places"),
            })
            .collect()
    }

    fn indices(&self) -> Vec<usize> {
        let mut shape = BATCH.to_vec();
        shape.insert(self.vector, self.moved.len());
        shape
    }

    fn text(&self, dtype: &str, combine: &str) -> String {
        let tensor = |shape: &[usize], ty: &str| {
            format!("tensor<{}{ty}>", shape.iter().map(|n| format!("{n}x")).collect::<String>())
        };
        let (x, i, u) =
            (tensor(&SHAPE, dtype), tensor(&self.indices(), "i32"), tensor(&self.updates(), dtype));
        format!(
            "func.func @main(%x: {x}, %u: {u}, %i: {i}) -> {x} {{\n  \
             %0 = \"stablehlo.scatter\"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<\
             update_window_dims = [{}], inserted_window_dims = [{}], scatter_dims_to_operand_dims = [{}], \
             index_vector_dim = {}>}}> ({{\n  \
             ^bb0(%a: tensor<{dtype}>, %b: tensor<{dtype}>):\n{combine}    stablehlo.return %c : tensor<{dtype}>\n  \
             }}) : ({x}, {i}, {u}) -> {x}\n  return %0 : {x}\n}}",
            numbers(&self.window),
            numbers(&self.inserted),
            numbers(&self.moved),
            self.vector
        )
    }

    /// What it computes, window after window, in the order of places.
    fn plain<T: Copy>(&self, x: &[T], u: &[T], i: &[i32], combine: impl Fn(T, T) -> T) -> Vec<T> {
        let mut out = x.to_vec();
        let at = |shape: &[usize], index: &[usize]| index.iter().zip(shape).fold(0, |at, (k, n)| at * n + k);
        let (indices, updates, kept) = (self.indices(), self.updates(), self.kept());
        let sizes: Vec<usize> =
            (0..3).map(|d| if self.inserted.contains(&d) { 1 } else { self.window_size(d) }).collect();
        for place in (0..BATCH[0]).flat_map(|a| (0..BATCH[1]).map(move |b| [a, b])) {
            let mut start = [0i64; 3];
            for (k, &d) in self.moved.iter().enumerate() {
                let mut index = place.to_vec();
                index.insert(self.vector, k);
                start[d] = i64::from(i[at(&indices, &index)]);
            }
            if (0..3).any(|d| start[d] < 0 || start[d] as usize + sizes[d] > SHAPE[d]) {
                continue;
            }
            for flat in 0..sizes.iter().product::<usize>() {
                let offset = [flat / (sizes[1] * sizes[2]), flat / sizes[2] % sizes[1], flat % sizes[2]];
                let to: Vec<usize> = (0..3).map(|d| start[d] as usize + offset[d]).collect();
                let (mut places, mut windows) = (place.iter(), kept.iter().map(|&d| offset[d]));
                let from: Vec<usize> = (0..updates.len())
                    .map(|d| match self.window.contains(&d) {
                        true => windows.next().expect("a window's dimension"),
                        false => *places.next().expect("a place's dimension"),
                    })
                    .collect();
                let to = at(&SHAPE, &to);
                out[to] = combine(out[to], u[at(&updates, &from)]);
            }
        }
        out
    }

    /// Places of windows: most inside, many equal, some where they do not fit.
    fn places(&self, random: &mut Random) -> Vec<i32> {
        let n = self.indices().iter().product::<usize>();
        (0..n).map(|_| [0, 1, 0, 1, 1, 0, 2, -1][random.next() as usize % 8]).collect()
    }
}

fn parsed(text: &str) -> Module {
    wengert_ir::text::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// `3 a + b` is another number when updates come in another order.
#[test]
fn updates_are_combined_one_window_after_the_other() {
    let mut random = Random(7);
    let combine = "    %t = stablehlo.constant dense<3> : tensor<i32>\n    \
                   %m = stablehlo.multiply %a, %t : tensor<i32>\n    %c = stablehlo.add %m, %b : tensor<i32>\n";
    for form in Form::every(5) {
        let module = parsed(&form.text("i32", combine));
        let main = module.find("main").expect("main");
        let mut ints = |n: usize| -> Vec<i32> { (0..n).map(|_| random.next() as i32).collect() };
        let (x, u) = (ints(24), ints(form.updates().iter().product()));
        let i = form.places(&mut random);
        let expected = form.plain(&x, &u, &i, |a, b| a.wrapping_mul(3).wrapping_add(b));
        let args = [Array::new(&SHAPE, &x), Array::new(&form.updates(), &u), Array::new(&form.indices(), &i)];
        for (way, found) in all_ways(&module, main, &args, "scatter") {
            assert_eq!(found[0].as_slice::<i32>(), expected, "{way}: {form:?}");
        }
    }
}

/// Of `a b + a`: what comes first is multiplied by all that follows.
#[test]
fn derivatives_are_of_updates_in_their_order() {
    let mut random = Random(8);
    let combine =
        "    %m = stablehlo.multiply %a, %b : tensor<f64>\n    %c = stablehlo.add %m, %a : tensor<f64>\n";
    for form in Form::every(23) {
        let mut module = parsed(&form.text("f64", combine));
        let main = module.find("main").expect("main");
        let mut floats =
            |n: usize| -> Vec<f64> { (0..n).map(|_| (random.next() % 2001) as f64 / 1000.0 - 1.0).collect() };
        let n = form.updates().iter().product();
        let (x, u, dx, du, ct) = (floats(24), floats(n), floats(24), floats(n), floats(24));
        let i = form.places(&mut random);
        let moved = |h: f64| {
            let by = |v: &[f64], d: &[f64]| v.iter().zip(d).map(|(v, d)| v + h * d).collect::<Vec<_>>();
            form.plain(&by(&x, &dx), &by(&u, &du), &i, |a, b| a * b + a)
        };
        let h = 1e-6;
        let slope: Vec<f64> = moved(h).iter().zip(moved(-h)).map(|(a, b)| (a - b) / (2.0 * h)).collect();
        let [x, dx, ct_of] = [&x, &dx, &ct].map(|v| Array::new(&SHAPE, v));
        let [u, du_of] = [&u, &du].map(|v| Array::new(&form.updates(), v));
        let places = Array::new(&form.indices(), &i);

        let jvp =
            ad::jvp(&mut module, main, &[true, true, false]).unwrap_or_else(|e| panic!("{form:?}: {e}"));
        let args = [x.clone(), u.clone(), places.clone(), dx.clone(), du_of];
        for (way, found) in all_ways(&module, jvp, &args, "scatter") {
            let found = found[1].as_slice::<f64>();
            let far =
                found.iter().zip(&slope).map(|(a, b)| (a - b).abs() / (1.0 + b.abs())).fold(0.0, f64::max);
            assert!(far < 1e-7, "forward, {way}: {far:e}, {form:?}");
        }
        let vjp = ad::vjp(&mut module, main, &[true, true, false], &[true]).expect("reverse mode");
        let pushed: f64 = slope.iter().zip(&ct).map(|(a, b)| a * b).sum();
        for (way, found) in all_ways(&module, vjp, &[x, u, places, ct_of], "scatter") {
            let dot =
                |a: &Array, b: &[f64]| a.as_slice::<f64>().iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let [.., by_x, by_u] = &found[..] else { panic!("two cotangents") };
            let pulled = dot(by_x, dx.as_slice::<f64>()) + dot(by_u, &du);
            assert!((pushed - pulled).abs() < 1e-6 * (1.0 + pushed.abs()), "reverse, {way}: {form:?}");
        }
    }
}
