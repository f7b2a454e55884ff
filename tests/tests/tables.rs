//! Tables of small numbers and of truth values: elements at computed places, of memories that end anywhere, are the interpreter's, and
//! are gathered as vectors.

use crate::vector_code::{has_512_bits, parsed, slow};
use wengert::{DType, Tensor};

/// How many elements are looked up: enough for a kernel of its own.
const MANY: usize = 100_003;

fn lookup(entries: usize, dtype: &str) -> String {
    format!(
        "func.func @main(%t: tensor<{entries}x{dtype}>, %i: tensor<{MANY}xi32>) -> tensor<{MANY}x{dtype}> {{
    %0 = stablehlo.reshape %i : (tensor<{MANY}xi32>) -> tensor<{MANY}x1xi32>
    %1 = \"stablehlo.gather\"(%t, %0) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}}> : (tensor<{entries}x{dtype}>, tensor<{MANY}x1xi32>) -> tensor<{MANY}x{dtype}>
    return %1 : tensor<{MANY}x{dtype}>
}}"
    )
}

#[test]
fn small_numbers() {
    let types =
        [(DType::I8, "i8"), (DType::U8, "ui8"), (DType::I16, "i16"), (DType::U16, "ui16"), (DType::I1, "i1")];
    for (dtype, name) in types {
        for entries in [1, 3, 4, 7, 8, 9, 15, 256, 1001] {
            // Every entry, the last ones among them, and places that are none.
            let places: Vec<i32> = (0..MANY as i32).map(|k| k * 7 % (entries as i32 + 4) - 2).collect();
            let numbers: Vec<f64> = (0..entries).map(|k| (k * 37 % 251) as f64).collect();
            let numbers = Tensor::new(&[entries], &numbers);
            let table = match dtype {
                DType::I1 => numbers.greater(100.0),
                _ => numbers.astype(dtype),
            };
            let args = [table, Tensor::new(&[MANY], &places)];
            let program = parsed(&lookup(entries, name));
            let compiled =
                program.lower().and_then(|l| l.compile()).and_then(|c| c.call(&args)).expect("it runs");
            let interpreted = program.interpret(&args).expect("it runs");
            let wide = |t: &Tensor| t.astype(DType::F64).to_vec::<f64>();
            assert_eq!(wide(&compiled[0]), wide(&interpreted[0]), "{name}, {entries} entries");
        }
    }
}

#[test]
fn tables_are_gathered() {
    if has_512_bits() {
        for name in ["i8", "ui8", "i16", "i1", "f32", "f64"] {
            let program = parsed(&lookup(256, name));
            assert_eq!(slow(&program), Vec::<String>::new(), "{name}");
        }
    }
}
