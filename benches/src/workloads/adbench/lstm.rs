//! The loss of a recurrent network of long short-term memory with diagonal weights, which predicts a text's next
//! character from the last.

use super::Numbers;
use crate::workloads::Workload;
use crate::workloads::data::uniform;
use wengert::{ARG0, ARG1, DType, Tensor, scan, stack, value_and_grad};

/// How many characters there are.
const WIDTH: usize = 14;

pub(super) fn rows() -> Vec<Workload> {
    let mut rows = Vec::new();
    for layers in [2, 4] {
        let args = move || data(layers, 1024);
        rows.push(Workload::new(format!("lstm.l{layers}_c1024.f"), || loss, args));
        rows.push(Workload::new(
            format!("lstm.l{layers}_c1024.vg"),
            || value_and_grad(loss).wrt((ARG0, ARG1)),
            args,
        ));
    }
    rows
}

/// Weights and biases of four gates `[layers, 2, 4, width]`; scale of the input, scale and bias of the output
/// `[3, width]`; hidden and cell states `[layers, 2, width]`; the text `[characters, width]`.
fn data(layers: usize, characters: usize) -> (Tensor, Tensor, Tensor, Tensor) {
    let shapes: [&[usize]; 4] =
        [&[layers, 2, 4, WIDTH], &[3, WIDTH], &[layers, 2, WIDTH], &[characters, WIDTH]];
    let mut file = Numbers::read(&format!("lstm/lstm_l{layers}_c{characters}.txt"));
    if let Some(file) = &mut file {
        let _sizes = [file.count(), file.count(), file.count()];
    }
    let mut seed = 0;
    let [main, extra, state, text] = shapes.map(|shape| {
        seed += 1;
        match &mut file {
            Some(file) => file.tensor(shape),
            None => uniform(seed, shape, 0.0, 1.0, DType::F64),
        }
    });
    (main, extra, state, text)
}

fn loss(main: Tensor, extra: Tensor, state: Tensor, text: Tensor) -> Tensor {
    let layers = main.shape()[0];
    let predictions = text.shape()[0] - 1;
    let step = move |state: Tensor, (x, next): (Tensor, Tensor)| {
        let mut h = x * extra.get(0);
        let mut states = Vec::new();
        for i in 0..layers {
            let gate = |k: usize, x: &Tensor| x * main.get((i, 0, k)) + main.get((i, 1, k));
            let (hidden, cell) = (state.get((i, 0)), state.get((i, 1)));
            let (forget, ingate, outgate) =
                (gate(0, &h).sigmoid(), gate(1, &hidden).sigmoid(), gate(2, &h).sigmoid());
            let cell = cell * forget + ingate * gate(3, &hidden).tanh();
            h = outgate * cell.tanh();
            states.push(stack(&[h.clone(), cell], 0));
        }
        let predicted = h * extra.get(1) + extra.get(2);
        let normalizer = (predicted.exp().sum() + 2.0).log();
        (stack(&states, 0), ((predicted - normalizer) * next).sum())
    };
    let (_, losses) = scan(step, state, (text.get(..-1), text.get(1..)));
    -losses.sum() / (predictions * WIDTH) as f64
}
