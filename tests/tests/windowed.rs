//! Convolutions, whose windows are multiplied where they lie: of all kinds, among neighbours, in loops and batches, with their
//! derivatives, in object files, they are what the interpreter of tensor IR says, and the same bits on any number of threads.

use crate::convolutions::{Conv, TYPES, features_first, features_last, text};
use wengert::{ConvOptions, DType, FloatMode, Tensor, TensorType, Traced, conv_general, jit, vmap};
use wengert_ir::array::Array;
use wengert_ir::kernel::{interp as machine, text as kernel_text};
use wengert_ir::testing::{Random, floats, numbers};
use wengert_tests::random::agreement::agree;

/// How far results may be from the interpreter's, relative to the largest element: of `f64`, and of `f32`.
const BOUND: [f64; 2] = [1e-12, 1e-5];

/// Most multiply-adds of a random convolution: the interpreter takes its time for each.
const MOST: usize = 1_500_000;

/// How often loops run.
const TRIPS: f64 = 4.0;

/// A program in the exact mode, and in the default one.
fn both(text: &str) -> [Traced; 2] {
    [FloatMode::Exact, FloatMode::Default].map(|mode| {
        let mut module = wengert_ir::text::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        module.mode = mode;
        Traced::of(module, None).unwrap_or_else(|e| panic!("{e}\n{text}"))
    })
}

/// The derivatives of the first result by some arguments.
fn derivatives(programs: [Traced; 2], wrt: &[usize]) -> [Traced; 2] {
    programs.map(|p| p.vjp(wrt, &[0]).unwrap_or_else(|e| panic!("{e}\n{p}")))
}

/// Floats between -1 and 1, and for what is an integer how often loops run.
fn arguments(program: &Traced, seed: u64) -> Vec<Array> {
    let mut random = Random(seed);
    let range = |ty: &TensorType| if ty.dtype.is_float() { (-1.0, 1.0) } else { (TRIPS, TRIPS + 0.5) };
    let types = program.param_types();
    types.iter().map(|ty| random.array(ty, range(ty).0, range(ty).1)).collect()
}

fn tensors(arrays: &[Array]) -> Vec<Tensor> {
    arrays.iter().cloned().map(Tensor::from).collect()
}

fn arrays(tensors: Vec<Tensor>) -> Vec<Array> {
    tensors.iter().map(Tensor::to_array).collect()
}

fn interpreted(what: &str, program: &Traced, args: &[Array]) -> Vec<Array> {
    arrays(program.interpret(&tensors(args)).unwrap_or_else(|e| panic!("{e}\n{what}")))
}

/// How many of a program's products are of windows where they lie, and how many there are.
fn products(program: &Traced) -> [usize; 2] {
    let kernels = program.lower().unwrap_or_else(|e| panic!("{e}\n{program}")).to_string();
    let all: Vec<&str> = kernels.lines().filter(|line| line.contains("library.gemm")).collect();
    let levels = |line: &&&str| line.contains(" rows [") || line.contains(" sum [");
    [all.iter().filter(levels).count(), all.len()]
}

/// How many of a program's products are of windows where they lie.
fn windowed(program: &Traced) -> usize {
    products(program)[0]
}

#[track_caller]
fn all_agree(what: &str, found: &[Array], want: &[Array], bound: Option<[f64; 2]>) {
    assert_eq!(found.len(), want.len(), "{what}");
    for (k, (found, want)) in found.iter().zip(want).enumerate() {
        if let Err(e) = agree(found, want, bound) {
            panic!("result {k}: {e}\n{what}");
        }
    }
}

/// Compiled code gives what is wanted, and the same bits on so many threads.
#[track_caller]
fn gives(what: &str, program: &Traced, args: &[Array], want: &[Array], threads: &[usize]) {
    let code = program.lower().and_then(|l| l.compile()).unwrap_or_else(|e| panic!("{e}\n{what}"));
    let args = tensors(args);
    let run = |&threads: &usize| {
        wengert_cpu::set_threads(threads);
        arrays(code.call(&args).unwrap_or_else(|e| panic!("{e}\n{what}")))
    };
    let found: Vec<Vec<Array>> = threads.iter().map(run).collect();
    for (others, threads) in found.iter().zip(threads) {
        all_agree(&format!("{threads} threads\n{what}"), others, &found[0], None);
    }
    all_agree(what, &found[0], want, Some(BOUND));
}

/// Compiled code of either mode gives what the interpreter does, on one thread and on three.
#[track_caller]
fn check(what: &str, programs: &[Traced; 2], seed: u64) {
    let args = arguments(&programs[0], seed);
    let want = interpreted(what, &programs[0], &args);
    for (mode, program) in ["exact", "default"].iter().zip(programs) {
        gives(&format!("{mode}\n{what}"), program, &args, &want, &[1, 3]);
    }
}

/// The same of a text, in which so many products are known to be of windows.
#[track_caller]
fn check_windowed(text: &str, seed: u64, least: usize) {
    let programs = both(text);
    check(text, &programs, seed);
    let count = windowed(&programs[1]);
    assert!(count >= least, "{count} products of windows, where {least} are to be tested\n{text}");
}

/// Seeds of convolutions; the even ones are of `f32`.
const SEEDS: std::ops::Range<u64> = 0..60;

#[test]
fn convolutions_of_f32() {
    for seed in SEEDS.step_by(2) {
        let text = Conv::drawn(seed, MOST).text();
        check(&text, &both(&text), seed);
    }
}

#[test]
fn convolutions_of_f64() {
    for seed in SEEDS.skip(1).step_by(2) {
        let text = Conv::drawn(seed, MOST).text();
        check(&text, &both(&text), seed);
    }
}

/// Else the tests here would be of something else.
#[test]
fn most_are_products_of_windows() {
    let convs = SEEDS.map(|seed| Conv::drawn(seed, MOST));
    let all: Vec<Conv> = convs.filter(|c| c.along.len() == 2 && c.is_ungrouped()).collect();
    // (One of spread elements is several, of the windows that meet others.)
    for c in all.iter().filter(|c| c.along.iter().all(|along| along.spread == 1)) {
        let [_, count] = products(&both(&c.text())[1]);
        assert!(count <= 1, "a convolution is computed {count} times: {c:#?}");
    }
    let is_other = |c: &&Conv| windowed(&both(&c.text())[1]) == 0;
    let others: Vec<&Conv> = all.iter().filter(is_other).collect();
    assert!(all.len() >= 15, "only {} plain convolutions of two dimensions are drawn", all.len());
    assert!(
        3 * others.len() <= all.len(),
        "{} of {} plain convolutions have no `library.gemm` with `rows [..]` or `sum [..]`, so these tests hardly test them: is \
         the plan for other sizes now, or not taken?\n{others:#?}",
        others.len(),
        all.len()
    );
}

#[test]
fn derivatives_by_image_and_kernel() {
    for seed in 100..120 {
        let c = Conv::drawn(seed, 300_000);
        let programs = derivatives(both(&c.text()), &[0, 1]);
        check(&format!("derivatives of {}", c.text()), &programs, seed);
    }
}

/// The kernels read back from their text say the same to the interpreter of kernels, which watches over bounds and overlaps, in
/// whatever order.
#[test]
fn kernels_as_they_are_printed() {
    let mut levels = 0;
    for seed in 200..212 {
        let text = Conv::drawn(seed, 40_000).text();
        let program = &both(&text)[1];
        let args = arguments(program, seed);
        let want = interpreted(&text, program, &args);
        let kernels = program.lower().unwrap_or_else(|e| panic!("{e}\n{text}")).to_string();
        levels += kernels.matches(" rows [").count() + kernels.matches(" sum [").count();
        let read = kernel_text::parse(&kernels).unwrap_or_else(|e| panic!("{e}\n{kernels}"));
        for options in [
            machine::Options::default(),
            machine::Options { piece: Some(7), backwards: true, ..Default::default() },
        ] {
            let found = machine::run_with(&read, &args, options).unwrap_or_else(|e| panic!("{e}\n{kernels}"));
            all_agree(&format!("{options:?}\n{text}\n{kernels}"), &found, &want, Some(BOUND));
        }
    }
    assert!(levels >= 12, "only {levels} lists of levels were printed");
}

/// `relu` before, a bias and `relu` after.
fn layer(c: &Conv) -> String {
    let [x, w, y] = c.types();
    let bias = TensorType::new(c.dtype, &[c.features[1]]);
    let lines = format!(
        "%zero = stablehlo.constant dense<0.0> : {x}
         %r = stablehlo.maximum %x, %zero : {x}
         {}%s = stablehlo.broadcast_in_dim %b, dims = [{}] : ({bias}) -> {y}
         %a = stablehlo.add %c, %s : {y}
         %none = stablehlo.constant dense<0.0> : {y}
         %y = stablehlo.maximum %a, %none : {y}\n",
        c.line(["c", "r", "w"]),
        c.orders[2][1]
    );
    text(&[("x", &x), ("w", &w), ("b", &bias)], &lines, &[("y", &y)])
}

#[test]
fn layers() {
    for (k, dtype) in (0..).zip(TYPES) {
        for orders in [features_last(2), features_first(2)] {
            let c = Conv { orders, ..Conv::plain(dtype, 9, 3, [5, 17]).padded([1, 2]) };
            check_windowed(&layer(&c), k, 1);
        }
    }
    // Of `f64`, so that both see the same signs.
    let text = layer(&Conv::plain(DType::F64, 8, 3, [5, 17]).padded([1, 0]));
    check(&text, &derivatives(both(&text), &[0, 1, 2]), 2);
}

/// Vectors lie along the rows of an image of few features, or along many that are summed; windows that are apart are copied.
#[test]
fn few_features() {
    for (k, dtype) in (0..).zip(TYPES) {
        for features in [[1, 2], [1, 4], [2, 3], [3, 7]] {
            let mut c = Conv { orders: features_first(2), ..Conv::plain(dtype, 24, 3, features) };
            check_windowed(&c.text(), k, 1);
            check_windowed(&c.clone().padded([1, 2]).text(), k, 1);
            check(&c.text(), &derivatives(both(&c.text()), &[0, 1]), k);
            c.along.iter_mut().for_each(|a| a.stride = 2);
            check(&c.text(), &both(&c.text()), k);
        }
        check_windowed(&Conv::plain(dtype, 8, 3, [64, 3]).padded([1, 1]).text(), k, 1);
    }
}

/// One image under windows of two sizes, and read by itself.
#[test]
fn an_image_that_is_read_twice() {
    for (k, dtype) in (0..).zip(TYPES) {
        let (c, d) = (Conv::plain(dtype, 10, 3, [6, 16]), Conv::plain(dtype, 10, 5, [6, 9]));
        let padded = (c.clone().padded([1, 1]), d.clone().padded([2, 2]));
        for (c, d) in [(c, d), padded] {
            let ([x, v, a], [_, w, b]) = (c.types(), d.types());
            let square = format!("%p = stablehlo.multiply %x, %x : {x}\n");
            let lines = c.line(["a", "x", "v"]) + &d.line(["b", "x", "w"]) + &square;
            let results = [("a", &a), ("b", &b), ("p", &x)];
            check_windowed(&text(&[("x", &x), ("v", &v), ("w", &w)], &lines, &results), k, 2);
        }
    }
}

/// A convolution of a convolution, whose image is summed up.
#[test]
fn convolutions_in_a_chain() {
    for (k, dtype) in (0..).zip(TYPES) {
        let (c, d) = (Conv::plain(dtype, 10, 3, [4, 12]), Conv::plain(dtype, 8, 3, [12, 20]));
        let ([x, v, a], [_, w, b]) = (c.types(), d.types());
        let sums = TensorType::new(dtype, &[2, 20]);
        let lines = format!(
            "{}%zero = stablehlo.constant dense<0.0> : {a}
             %r = stablehlo.maximum %a, %zero : {a}
             {}%z = stablehlo.constant dense<0.0> : tensor<{dtype}>
             %s = stablehlo.reduce(%b init: %z) applies stablehlo.add across dimensions = [1, 2] : ({b}, tensor<{dtype}>) -> {sums}\n",
            c.line(["a", "x", "v"]),
            d.line(["b", "r", "w"])
        );
        let text = text(&[("x", &x), ("v", &v), ("w", &w)], &lines, &[("s", &sums)]);
        check_windowed(&text, k, 2);
        if dtype == DType::F64 {
            check(&text, &derivatives(both(&text), &[0, 1, 2]), k);
        }
    }
}

/// What the argument is, and how it becomes `%x`.
const VIEWS: [(&[usize], &str); 7] = [
    (&[3, 12, 11, 7], "stablehlo.slice %v [0:2, 1:10, 2:11, 1:6]"),
    (&[2, 20, 20, 5], "stablehlo.slice %v [0:2, 1:19:2, 0:18:2, 0:5]"),
    (&[5, 9, 9, 2], "stablehlo.transpose %v, dims = [3, 1, 2, 0]"),
    (&[2, 9, 9, 5], "stablehlo.transpose %v, dims = [0, 2, 1, 3]"),
    (&[2, 81, 5], "stablehlo.reshape %v"),
    (&[9, 5], "stablehlo.broadcast_in_dim %v, dims = [2, 3]"),
    (&[2, 9, 5, 9], "stablehlo.transpose %v, dims = [0, 1, 3, 2]"),
];

#[test]
fn images_that_are_views() {
    for (k, (shape, view)) in VIEWS.into_iter().enumerate() {
        for padding in [[0, 0], [1, 0]] {
            let c = Conv::plain(TYPES[k % 2], 9, 3, [5, 12]).padded(padding);
            let [x, w, y] = c.types();
            let v = TensorType::new(c.dtype, shape);
            let lines = format!("%x = {view} : ({v}) -> {x}\n{}", c.line(["y", "x", "w"]));
            let text = text(&[("v", &v), ("w", &w)], &lines, &[("y", &y)]);
            check(&text, &both(&text), k as u64);
        }
    }
}

/// Convolutions with as many results as elements of the image, which is padded or is not.
fn round(dtype: DType) -> [Conv; 2] {
    [Conv::plain(dtype, 8, 3, [9, 16]), Conv::plain(dtype, 6, 3, [16, 16]).padded([1, 1])]
}

/// How the result `%c` becomes `%t`, of the type of the image `%v`: in its place at once, by way of something else, with the image.
fn tails(c: &Conv) -> [String; 3] {
    let [x, _, y] = c.types();
    let shaped = |to: &str| format!("%{to} = stablehlo.reshape %c : ({y}) -> {x}\n");
    [
        shaped("t"),
        shaped("h") + &format!("%t = stablehlo.tanh %h : {x}\n"),
        shaped("h") + &format!("%t = stablehlo.add %h, %v : {x}\n"),
    ]
}

/// A loop whose image becomes the next one, so many times as the program or an argument says.
fn looped(c: &Conv, tail: &str, counted: bool) -> String {
    let ([x, w, _], int) = (c.types(), TensorType::scalar(DType::I32));
    let trips = format!("%trips = stablehlo.constant dense<{TRIPS:.0}> : {int}\n");
    let lines = format!(
        "{}%zero = stablehlo.constant dense<0> : {int}
         %one = stablehlo.constant dense<1> : {int}
         %tenth = stablehlo.constant dense<0.1> : {w}
         %u = stablehlo.multiply %w, %tenth : {w}
         %r:2 = stablehlo.while(%i = %zero, %v = %x) : {int}, {x}
         cond {{
           %more = stablehlo.compare LT, %i, %trips, SIGNED : ({int}, {int}) -> tensor<i1>
           stablehlo.return %more : tensor<i1>
         }} do {{
           %next = stablehlo.add %i, %one : {int}
           {}{tail}stablehlo.return %next, %t : {int}, {x}
         }}\n",
        if counted { trips.as_str() } else { "" },
        c.line(["c", "v", "u"])
    );
    let params = [("x", &x), ("w", &w), ("trips", &int)];
    text(&params[..if counted { 2 } else { 3 }], &lines, &[("r#1", &x)])
}

#[test]
fn images_that_become_the_next_ones() {
    for (k, dtype) in TYPES.into_iter().enumerate() {
        for c in round(dtype) {
            for (j, tail) in tails(&c).iter().enumerate() {
                check_windowed(&looped(&c, tail, (k + j).is_multiple_of(2)), k as u64, 1);
            }
        }
    }
    let [c, _] = round(DType::F64);
    let text = looped(&c, &tails(&c)[1], true);
    check(&text, &derivatives(both(&text), &[0, 1]), 5);
}

/// A result in the memory of the image is never written over what windows have yet to read.
#[test]
fn an_image_whose_memory_is_given_away() {
    let mut donated_at_all = 0;
    for (k, dtype) in TYPES.into_iter().enumerate() {
        for c in round(dtype) {
            for tail in tails(&c) {
                let [x, w, _] = c.types();
                let text = text(&[("v", &x), ("w", &w)], &(c.line(["c", "v", "w"]) + &tail), &[("t", &x)]);
                let [_, program] = both(&text);
                let args = arguments(&program, k as u64);
                let want = interpreted(&text, &program, &args);
                let code =
                    program.lower().and_then(|l| l.compile()).unwrap_or_else(|e| panic!("{e}\n{text}"));
                let given = code.donations();
                assert!(given.iter().all(|&pair| pair == (0, 0)), "{given:?}\n{text}");
                donated_at_all += given.len();
                for donated in [&[][..], given] {
                    let mut out = args[0].clone();
                    let bytes: Vec<&[u8]> = args.iter().map(Array::bytes).collect();
                    code.call_in(&bytes, &mut [out.bytes_mut()], donated)
                        .unwrap_or_else(|e| panic!("{e}\n{text}"));
                    all_agree(&format!("given: {donated:?}\n{text}"), &[out], &want, Some(BOUND));
                }
            }
        }
    }
    assert!(donated_at_all > 0, "no image's memory was given away");
}

fn convolved(x: Tensor, w: Tensor) -> Tensor {
    let options = ConvOptions {
        padding: [(1, 2), (0, 1)].into(),
        dimension_numbers: Some(["NHWC", "HWIO", "NHWC"]),
        ..ConvOptions::default()
    };
    conv_general(&x, &w, &options)
}

/// Examples that have images, kernels or both of their own.
#[test]
fn batches_of_convolutions() {
    let shape = |axis: Option<isize>, one: &[usize]| match axis {
        Some(_) => [&[3], one].concat(),
        None => one.to_vec(),
    };
    for (k, axes) in [[Some(0), Some(0)], [Some(0), None], [None, Some(0)]].into_iter().enumerate() {
        let shapes = [shape(axes[0], &[2, 7, 8, 4]), shape(axes[1], &[3, 2, 4, 11])];
        let [x, w] = shapes.map(|shape| Tensor::zeros(&shape, TYPES[k % 2]));
        let programs = [FloatMode::Exact, FloatMode::Default].map(|mode| {
            let batched = jit(vmap(convolved).in_axes(axes)).float_mode(mode);
            batched.trace((x.clone(), w.clone())).unwrap_or_else(|e| panic!("{e}"))
        });
        check(&format!("{axes:?}\n{}", programs[1]), &programs, k as u64);
        assert!(windowed(&programs[1]) > 0, "{axes:?} are no products of windows\n{}", programs[1]);
    }
}

/// In the exact mode infinities and NaN are where the interpreter has them: what is padded is zeros, and zeros of the kernel are
/// multiplied too.
#[test]
fn what_is_not_finite_stays_where_it_is() {
    let mut found = [0; 2];
    for seed in 300..320 {
        let text = Conv::drawn(seed, 200_000).text();
        let [program, _] = both(&text);
        let args = arguments(&program, seed);
        let mut random = Random(seed);
        let mut image = floats(&args[0]);
        // In the corners, which are under most of the padding, and inside.
        for at in [0, image.len() - 1, random.below(image.len())] {
            if random.chance(60) {
                image[at] = random.pick(&[f64::INFINITY, f64::NEG_INFINITY, f64::NAN]);
            }
        }
        let kernel = floats(&args[1]).into_iter().map(|x| if x.abs() < 0.2 { 0.0 } else { x });
        let args = [numbers(args[0].ty(), image), numbers(args[1].ty(), kernel)];
        let want = interpreted(&text, &program, &args);
        floats(&want[0]).iter().for_each(|x| found[usize::from(x.is_finite())] += 1);
        gives(&text, &program, &args, &want, &[1, 3]);
    }
    assert!(found.iter().all(|&n| n > 500), "{found:?} results are not finite and are");
}

/// Products that are worth several threads: of many rows, and with a long sum.
#[test]
fn threads_share_them_and_keep_their_bits() {
    for (k, dtype) in TYPES.into_iter().enumerate() {
        for c in [Conv::plain(dtype, 32, 3, [12, 40]), Conv::plain(dtype, 8, 3, [256, 33])] {
            let text = Conv { batch: 1, ..c }.text();
            let [_, program] = both(&text);
            assert!(windowed(&program) > 0, "no product of windows\n{text}");
            let args = arguments(&program, k as u64);
            let want = interpreted(&text, &program, &args);
            gives(&text, &program, &args, &want, &[1, 2, 3, 7, 3]);
        }
    }
}

/// In object files products are loops.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod objects {
    use super::*;
    use crate::objects::called_from_c;
    use wengert::object::{Calls, Cpu};

    #[test]
    fn c_gets_what_the_interpreter_gives() {
        let convs: Vec<Conv> = (400..410).map(|seed| Conv::drawn(seed, 60_000)).collect();
        let (mut params, mut results, mut lines) = (Vec::new(), Vec::new(), String::new());
        for (k, c) in convs.iter().enumerate() {
            let [x, w, y] = c.types();
            let names = ["y", "x", "w"].map(|name| format!("{name}{k}"));
            lines += &c.line([&names[0], &names[1], &names[2]]);
            let [to, image, kernel] = names;
            params.extend([(image, x), (kernel, w)]);
            results.push((to, y));
        }
        let text = text(&named(&params), &lines, &named(&results));
        let [_, program] = both(&text);
        assert!(windowed(&program) >= 2, "hardly a product of windows\n{text}");
        let args = arguments(&program, 400);
        let want = interpreted(&text, &program, &args);
        for cpu in [Cpu::Baseline, Cpu::Native] {
            let found = called_from_c("windowed", &[(program.clone(), args.clone())], cpu, Calls::C);
            all_agree(&format!("{cpu:?}\n{text}"), &found[0], &want, Some(BOUND));
        }
    }

    fn named(list: &[(String, TensorType)]) -> Vec<(&str, &TensorType)> {
        list.iter().map(|(name, ty)| (&name[..], ty)).collect()
    }
}
