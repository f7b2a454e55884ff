//! Trains a network to read handwritten digits: `cargo run --release --example digits`.
//!
//! One function says what the loss is. `value_and_grad` differentiates it, Adam moves the parameters, and `jit` compiles the
//! whole step to native code. Written to `target/digits/`: the loss curve with some images, and the program before
//! and after optimization.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example talks to a person")]

use indicatif::{ProgressBar, ProgressStyle};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use wengert::{DType, Tensor, Tree, jit, random, value_and_grad};
use wengert_examples::data::{CLASSES, Digits, PIXELS};
use wengert_examples::picture::{Reading, Run, draw};

const HELP: &str = "\
Trains a network to read handwritten digits.

Usage: cargo run --release --example digits -- [OPTIONS]

  --quick        fewer passes over the data, for tests
  --data FILE    another data set: an .npz with images (ui8[n, 8, 8], 0 to 16) and labels (ui8[n])
  --out DIR      where to write (default: target/digits)
  --help         this text";

/// One layer: `x w + b`.
#[derive(Clone, Tree)]
struct Layer {
    w: Tensor,
    b: Tensor,
}

impl Layer {
    fn new(key: &Tensor, inputs: usize, outputs: usize) -> Self {
        let scale = (2.0 / inputs as f64).sqrt();
        Self {
            w: random::normal(key, &[inputs, outputs], DType::F32) * scale,
            b: Tensor::zeros(&[outputs], DType::F32),
        }
    }
    fn apply(&self, x: &Tensor) -> Tensor {
        x.matmul(&self.w) + &self.b
    }
}

/// The network: 64-128-64-10.
#[derive(Clone, Tree)]
struct Network {
    layers: [Layer; 3],
}

impl Network {
    fn new(key: &Tensor) -> Self {
        let keys = random::split(key, 3);
        let sizes = [PIXELS, 128, 64, CLASSES];
        Self { layers: std::array::from_fn(|i| Layer::new(&keys[i], sizes[i], sizes[i + 1])) }
    }
    /// How much the images look like each digit.
    fn logits(&self, images: &Tensor) -> Tensor {
        let [first, second, last] = &self.layers;
        last.apply(&second.apply(&first.apply(images).relu()).relu())
    }
}

/// Mean cross-entropy.
fn loss(network: Network, images: Tensor, labels: Tensor) -> Tensor {
    let log_p = network.logits(&images).log_softmax(-1);
    -(log_p * labels.one_hot(CLASSES, DType::F32)).sum_axis(-1).mean()
}

/// What training carries from step to step.
#[derive(Clone, Tree)]
struct Training {
    network: Network,
    /// Adam's moving averages of the gradient and of its square.
    mean: Network,
    square: Network,
    step: Tensor,
}

impl Training {
    fn new(network: Network) -> Self {
        let zeros = network.map(&mut |t| t.zeros_like());
        Self { network, mean: zeros.clone(), square: zeros, step: Tensor::from(0f32) }
    }
}

/// Applies `f` to the leaves of trees of one structure.
fn combine<T: Tree, const N: usize>(trees: [&T; N], f: impl Fn([&Tensor; N]) -> Tensor) -> T {
    let leaves = trees.map(|tree| {
        let mut leaves = Vec::new();
        tree.visit(&mut |t| leaves.push(t));
        leaves
    });
    let mut k = 0;
    trees[0].map(&mut |_| {
        k += 1;
        f(std::array::from_fn(|i| leaves[i][k - 1]))
    })
}

/// One step of Adam (Kingma and Ba, 2015); gives the loss too.
fn train_step(state: Training, images: Tensor, labels: Tensor) -> (Training, Tensor) {
    let (rate, keep_mean, keep_square, epsilon) = (3e-3, 0.9, 0.999, 1e-8);
    let (value, gradient) = value_and_grad(loss)(state.network.clone(), images, labels);
    let step = state.step + 1.0;
    let mean = combine([&state.mean, &gradient], |[m, g]| m * keep_mean + g * (1.0 - keep_mean));
    let square =
        combine([&state.square, &gradient], |[s, g]| s * keep_square + g.square() * (1.0 - keep_square));
    // Both averages start at zero; what that takes from them is given back.
    let corrected = |keep: f64| 1.0 - (&step * keep.ln()).exp();
    let (a, b) = (corrected(keep_mean), corrected(keep_square));
    let network = combine([&state.network, &mean, &square], |[p, m, s]| {
        p - m / &a * rate / ((s / &b).sqrt() + epsilon)
    });
    (Training { network, mean, square, step }, value)
}

/// `0..n` in random order: by sorting random words.
fn permutation(key: &Tensor, n: usize) -> Vec<usize> {
    let words = random::bits(key, &[n], DType::U32).to_vec::<u32>();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&i| (words[i], i));
    order
}

struct Options {
    quick: bool,
    data: PathBuf,
    out: PathBuf,
}

fn options() -> Result<Option<Options>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut options =
        Options { quick: false, data: root.join("data/digits.npz"), out: root.join("../target/digits") };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut path = || args.next().map(PathBuf::from).ok_or(format!("{arg} needs a path"));
        match arg.as_str() {
            "--quick" => options.quick = true,
            "--data" => options.data = path()?,
            "--out" => options.out = path()?,
            "--help" | "-h" => return Ok(None),
            _ => return Err(format!("{arg} is not an option; --help lists them")),
        }
    }
    Ok(Some(options))
}

fn main() -> ExitCode {
    let outcome = match options() {
        Ok(Some(options)) => run(&options),
        Ok(None) => {
            println!("{HELP}");
            Ok(())
        }
        Err(e) => Err(e.into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    const BATCH: usize = 64;
    let digits = Digits::load(&options.data)?;
    let epochs = if options.quick { 6 } else { 40 };
    let wanted = if options.quick { 90.0 } else { 96.0 };
    let [split_key, network_key, order_key] = &random::split(&random::key(0), 3)[..] else { unreachable!() };

    // A fifth of the images is kept for the test.
    let order = permutation(split_key, digits.len());
    let (test, train) = order.split_at(digits.len() / 5);
    if train.len() < BATCH || test.is_empty() {
        return Err(format!("{} images are too few to train on", digits.len()).into());
    }
    println!(
        "{} images to train on, {} to test with; 64-128-64-10 network, Adam, f32",
        train.len(),
        test.len()
    );

    let step = jit(train_step);
    let mut state = Training::new(Network::new(network_key));
    let (x, y) = digits.batch(&train[..BATCH]);
    let start = Instant::now();
    let _ = step(state.clone(), x.clone(), y.clone());
    println!("traced, differentiated, optimized, compiled and first run in {:.1?}", start.elapsed());

    let steps_per_epoch = train.len() / BATCH;
    let bar = ProgressBar::new((epochs * steps_per_epoch) as u64);
    bar.set_style(ProgressStyle::with_template(
        "{bar:40.blue} step {pos}/{len}, {per_sec}, loss {msg}, {eta} left",
    )?);
    let mut losses: Vec<f32> = Vec::new();
    for epoch in 0..epochs {
        let order = permutation(&random::fold_in(order_key, epoch), train.len());
        let order: Vec<usize> = order.into_iter().map(|i| train[i]).collect();
        // A last batch that is not full would be another shape to compile for.
        for batch in order.chunks_exact(BATCH) {
            let (x, y) = digits.batch(batch);
            let value;
            (state, value) = step(state, x, y);
            losses.push(value.item());
            bar.inc(1);
        }
        bar.set_message(format!("{:.4}", losses[losses.len() - 1]));
    }
    bar.finish();

    let predict = jit(|network: Network, images: Tensor| network.logits(&images).argmax(-1));
    let (x, y) = digits.batch(test);
    let (predicted, labels) = (predict(state.network.clone(), x).to_vec::<i32>(), y.to_vec::<i32>());
    let right = predicted.iter().zip(&labels).filter(|(p, l)| p == l).count();
    let accuracy = 100.0 * right as f64 / test.len() as f64;
    println!("test accuracy: {accuracy:.1} % ({right} of {})", test.len());

    std::fs::create_dir_all(&options.out)?;
    let out = options.out.canonicalize()?;
    let write = |name: &str, text: String| std::fs::write(out.join(name), text);
    let readings = readings(&digits, test, &predicted);
    draw(
        &out.join("training.svg"),
        &Run { losses: &losses, steps_per_epoch, accuracy, readings: &readings },
    )?;
    let (x, y) = digits.batch(&train[..BATCH]);
    let traced = step.trace((state.clone(), x.clone(), y.clone()))?;
    write("traced.mlir", traced.to_string())?;
    write("optimized.mlir", traced.optimize()?.to_string())?;

    let repeats = if options.quick { 5 } else { 50 };
    let compiled = time(repeats, || step(state.clone(), x.clone(), y.clone()));
    let eager = time(repeats.min(10), || train_step(state.clone(), x.clone(), y.clone()));
    let (micros, ratio) = (|t: Duration| t.as_secs_f64() * 1e6, eager.as_secs_f64() / compiled.as_secs_f64());
    println!("\n| one training step | time (µs) | |\n|---|---:|---:|");
    println!("| compiled | {:.0} | 1.0 |\n| eager | {:.0} | {ratio:.1} |", micros(compiled), micros(eager));
    println!("\nloss curve   {}", out.join("training.svg").display());
    println!("program      {}", out.join("traced.mlir").display());
    println!("optimized    {}", out.join("optimized.mlir").display());
    if accuracy < wanted {
        return Err(format!("test accuracy {accuracy:.1} % is below {wanted} %").into());
    }
    Ok(())
}

/// Median time of `f`, after one run to compile what it needs.
fn time<R>(repeats: usize, f: impl Fn() -> R) -> Duration {
    let _ = f();
    let mut times: Vec<Duration> = (0..repeats)
        .map(|_| {
            let start = Instant::now();
            let _ = f();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

/// Images to show: those read wrong first.
fn readings(digits: &Digits, test: &[usize], predicted: &[i32]) -> Vec<Reading> {
    let mut all: Vec<Reading> = test
        .iter()
        .zip(predicted)
        .map(|(&i, &p)| Reading { pixels: digits.images[i], label: digits.labels[i], predicted: p as u8 })
        .collect();
    all.sort_by_key(|r| r.label == r.predicted);
    all
}
