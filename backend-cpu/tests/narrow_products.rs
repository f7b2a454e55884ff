//! Products of narrow integers, which are products of floats where those hold every sum: to the bit what the interpreter makes of
//! the integers, for elements as large as they can be and sums as long as they may be.

use crate::common::all_ways;
use wengert_ir::array::Array;
use wengert_ir::func::Module;
use wengert_ir::testing::Random;
use wengert_ir::types::{DType, DTypeClass, TensorType};
use wengert_passes::pipeline::Pipeline;

/// What elements are.
#[derive(Clone, Copy)]
enum Elements {
    Any,
    /// All bits of the sign alone, or of a type without one all: as large as there are.
    Largest,
}

fn arguments(types: &[TensorType], elements: Elements, random: &mut Random) -> Vec<Array> {
    let array = |ty: &TensorType| {
        if ty.dtype == DType::I1 {
            let flags: Vec<bool> = (0..ty.elements()).map(|_| random.uniform(0.0, 1.0) < 0.5).collect();
            return Array::new_bool(&ty.shape, &flags);
        }
        let is_signed = ty.dtype.class() == DTypeClass::Signed;
        // Types of fewer bits are in bytes of their own.
        let unused = 8usize.saturating_sub(ty.dtype.bits());
        let byte = |k: usize| {
            let is_last = k % ty.dtype.size() == ty.dtype.size() - 1;
            let byte = match (elements, is_signed) {
                (Elements::Any, _) => random.uniform(0.0, 256.0) as u8,
                (Elements::Largest, false) => 0xff,
                (Elements::Largest, true) => 0x80 * u8::from(is_last),
            };
            if is_signed { (byte as i8 >> unused) as u8 } else { byte >> unused }
        };
        let bytes: Vec<u8> = (0..ty.bytes()).map(byte).collect();
        Array::from_bytes(ty.clone(), &bytes)
    };
    types.iter().map(array).collect()
}

fn parsed(text: &str) -> Module {
    wengert_ir::text::parse(text).unwrap_or_else(|e| panic!("{text}\n{e}"))
}

/// Runs a program in all ways, and says whether floats are in it.
fn agrees(text: &str, elements: Elements) -> bool {
    let module = parsed(text);
    let main = module.find("main").expect("main");
    let types = module.get(main).param_types();
    let types: Vec<TensorType> = types.iter().map(|t| t.tensor().clone()).collect();
    let args = arguments(&types, elements, &mut Random(5));
    let ways = all_ways(&module, main, &args, text);
    for (way, found) in &ways[1..] {
        assert_eq!(found[0].bytes(), ways[0].1[0].bytes(), "{way}\n{text}");
    }
    let mut module = module.clone();
    let main = Pipeline::default().run(&mut module, main, &mut |_| {});
    let (alone, _) = module.reachable(&[main]);
    alone.to_string().contains("f32")
}

fn product([a, b, result]: [&str; 3], [rows, terms, columns]: [usize; 3]) -> String {
    let (x, y) = (format!("tensor<{rows}x{terms}x{a}>"), format!("tensor<{terms}x{columns}x{b}>"));
    let z = format!("tensor<{rows}x{columns}x{result}>");
    format!(
        "func.func public @main(%x: {x}, %y: {y}) -> {z} {{
          %z = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : ({x}, {y}) -> {z}
          return %z : {z}
        }}"
    )
}

#[test]
fn of_every_pair_of_types() {
    for a in ["i8", "ui8", "i4", "ui4"] {
        for b in ["i8", "ui8"] {
            for result in ["i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64"] {
                for elements in [Elements::Any, Elements::Largest] {
                    // Small integers of two signs are no product that there is.
                    let text = product([a, b, result], [12, 70, 13]);
                    if wengert_ir::text::parse(&text).is_ok() {
                        assert!(agrees(&text, elements), "{text}");
                    }
                }
            }
        }
    }
}

#[test]
fn of_sums_as_long_as_they_may_be() {
    let of = |terms| product(["i8", "i8", "i32"], [12, terms, 12]);
    for (terms, floats) in [(1024, true), (1025, true), (16 << 10, true), ((16 << 10) + 1, false)] {
        assert_eq!(agrees(&of(terms), Elements::Largest), floats, "{terms}");
        assert_eq!(agrees(&of(terms), Elements::Any), floats, "{terms}");
    }
    // 255 x 255 x 258 is below 2^24, one more is not.
    for terms in [258, 259, 4128] {
        assert!(agrees(&product(["ui8", "ui8", "i32"], [13, terms, 12]), Elements::Largest), "{terms}");
    }
    assert!(!agrees(&product(["ui8", "ui8", "i32"], [13, 4129, 12]), Elements::Largest));
}

/// Loops would have nothing to lie along.
#[test]
fn of_few_columns() {
    for columns in [2, 5, 11] {
        assert!(agrees(&product(["i8", "ui8", "i32"], [40, 100, columns]), Elements::Any), "{columns}");
    }
    assert!(!agrees(&product(["i8", "ui8", "i32"], [400, 100, 1]), Elements::Any));
}

#[test]
fn others_stay() {
    for text in [
        // Few rows; small; wide elements.
        product(["i8", "i8", "i32"], [11, 100, 64]),
        product(["i8", "i8", "i32"], [8, 8, 8]),
        product(["i16", "i16", "i32"], [16, 64, 16]),
        product(["i32", "i32", "i32"], [16, 64, 16]),
    ] {
        assert!(!agrees(&text, Elements::Any), "{text}");
    }
}

/// Of 8 bits less a zero point, in 32, as quantized programs are.
#[test]
fn of_what_was_narrow() {
    let text = |from: &str, to: &str, zero: i64, op: &str| {
        format!(
            "func.func public @main(%x: tensor<12x300x{from}>, %y: tensor<300x13x{from}>) -> tensor<12x13x{to}> {{
              %z = stablehlo.constant dense<{zero}> : tensor<12x300x{to}>
              %a = stablehlo.convert %x : (tensor<12x300x{from}>) -> tensor<12x300x{to}>
              %b = stablehlo.convert %y : (tensor<300x13x{from}>) -> tensor<300x13x{to}>
              %c = stablehlo.{op} %a, %z : tensor<12x300x{to}>
              %d = stablehlo.dot_general %c, %b, contracting_dims = [1] x [0] : (tensor<12x300x{to}>, tensor<300x13x{to}>) -> tensor<12x13x{to}>
              return %d : tensor<12x13x{to}>
            }}"
        )
    };
    for (from, to, zero, op, floats) in [
        ("i8", "i32", 7, "subtract", true),
        ("i8", "i64", -120, "subtract", true),
        ("ui8", "i32", 128, "subtract", true),
        ("ui8", "ui32", 128, "add", true),
        ("i1", "i32", 3, "add", true),
        // Below zero it wraps.
        ("ui8", "ui32", 128, "subtract", false),
        ("i8", "i32", 1_000_000, "add", false),
        // Signs are lost.
        ("i8", "ui32", 0, "add", false),
        ("i8", "i16", 3, "multiply", false),
    ] {
        for elements in [Elements::Any, Elements::Largest] {
            assert_eq!(agrees(&text(from, to, zero, op), elements), floats, "{from} {to} {zero} {op}");
        }
    }
}

#[test]
fn of_batches_and_several_dimensions() {
    let text = "func.func public @main(%x: tensor<3x12x5x300xi8>, %y: tensor<300x3x5x14xi8>) -> tensor<3x12x14xi32> {
      %z = stablehlo.dot_general %x, %y, batching_dims = [0] x [1], contracting_dims = [2, 3] x [2, 0] : (tensor<3x12x5x300xi8>, tensor<300x3x5x14xi8>) -> tensor<3x12x14xi32>
      return %z : tensor<3x12x14xi32>
    }";
    for elements in [Elements::Any, Elements::Largest] {
        assert!(agrees(text, elements));
    }
}

#[test]
fn of_windows() {
    // Features of the image, of the kernel and of the result; groups of features and of examples; window and padding.
    for ([inputs, of_kernel, outputs], [groups, batches], window, floats) in [
        ([4, 4, 16], [1, 1], "stride = [2, 1], pad = [[1, 1], [0, 1]], rhs_dilate = [1, 2]", true),
        ([300, 300, 8], [1, 1], "pad = [[1, 1], [1, 1]]", true),
        ([16, 8, 16], [2, 1], "pad = [[0, 0], [1, 1]]", true),
        ([4, 4, 16], [1, 2], "lhs_dilate = [2, 2], reverse = [1, 0]", true),
        ([16, 1, 16], [16, 1], "pad = [[1, 1], [1, 1]]", false),
        ([5, 5, 1], [1, 1], "pad = [[1, 1], [1, 1]]", true),
    ] {
        let x = format!("tensor<2x7x8x{inputs}xi8>");
        let w = format!("tensor<3x3x{of_kernel}x{outputs}xi8>");
        let op = format!(
            "stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {{{window}}} \
             {{batch_group_count = {batches} : i64, feature_group_count = {groups} : i64}} : ({x}, {w}) -> "
        );
        // What size the result has is for the operation to say.
        let refused = wengert_ir::text::parse(&format!(
            "func.func public @main(%x: {x}, %w: {w}) -> tensor<1xi32> {{ %y = {op} tensor<1xi32> return %y : tensor<1xi32> }}"
        ));
        let message = refused.map(drop).expect_err("of another size").to_string();
        let y = message
            .split(|c: char| c.is_whitespace() || "(),".contains(c))
            .find(|word| word.starts_with("tensor<") && word.ends_with("xi32>") && *word != "tensor<1xi32>")
            .unwrap_or_else(|| panic!("{message}"))
            .to_owned();
        let text =
            format!("func.func public @main(%x: {x}, %w: {w}) -> {y} {{ %y = {op} {y} return %y : {y} }}");
        for elements in [Elements::Any, Elements::Largest] {
            assert_eq!(agrees(&text, elements), floats, "{text}");
        }
    }
}
