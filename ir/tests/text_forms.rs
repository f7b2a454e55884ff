//! Forms that the corpus does not have: generic spellings, composites, locations, limits and errors.

use wengert_ir::func::{Func, FuncKind, Loc, Module};
use wengert_ir::op::*;
use wengert_ir::text::{PrintOptions, parse, parse_placed, print, print_func, same};
use wengert_ir::types::{DType, DYNAMIC, Dims, FloatMode, TensorType, Type};
use wengert_ir::verify::verify;

fn read(text: &str) -> Module {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    if let Err(errors) = verify(&module) {
        panic!("{}", errors[0]);
    }
    module
}

/// Prints, reads again and compares; gives the text.
fn survives(module: &Module) -> String {
    if let Err(errors) = verify(module) {
        panic!("{}", errors[0]);
    }
    let text = module.to_string();
    let again = read(&text);
    assert!(same(module, &again), "changed:\n{text}\n{again}");
    assert_eq!(text, again.to_string());
    text
}

/// Both spellings are one program.
fn equal(a: &str, b: &str) {
    let wrap = |body: &str| {
        format!(
            "func.func public @main(%a: tensor<2x3xf32>, %i: tensor<i32>, %p: tensor<i1>) {{\n{body}\nreturn\n}}"
        )
    };
    let (x, y) = (read(&wrap(a)), read(&wrap(b)));
    assert!(same(&x, &y), "{x}\n{y}");
    survives(&x);
}

#[test]
fn generic_forms_equal_pretty_ones() {
    equal(
        "%0 = stablehlo.add %a, %a : tensor<2x3xf32>",
        r#"%0 = "stablehlo.add"(%a, %a) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>"#,
    );
    equal(
        "%0 = stablehlo.constant dense<1.0> : tensor<f32>",
        r#"%0 = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>"#,
    );
    equal(
        "%0 = stablehlo.iota dim = 1 : tensor<2x3xi32>",
        r#"%0 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<2x3xi32>"#,
    );
    equal(
        "%0 = stablehlo.compare  LT,  %a, %a : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>",
        r#"%0 = "stablehlo.compare"(%a, %a) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>"#,
    );
    equal(
        "%0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>",
        r#"%0 = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>"#,
    );
    equal(
        "%0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>",
        r#"%0 = "stablehlo.transpose"(%a) {permutation = dense<[1, 0]> : tensor<2xi64>} : (tensor<2x3xf32>) -> tensor<3x2xf32>"#,
    );
    equal(
        "%0 = stablehlo.slice %a [0:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<2x2xf32>",
        r#"%0 = "stablehlo.slice"(%a) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 2, 3>, strides = array<i64: 1, 2>} : (tensor<2x3xf32>) -> tensor<2x2xf32>"#,
    );
    equal(
        "%z = stablehlo.constant dense<0.0> : tensor<f32>\n%0 = stablehlo.pad %a, %z, low = [0, -1], high = [1, 0], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x4xf32>",
        r#"%z = stablehlo.constant dense<0.0> : tensor<f32> %0 = "stablehlo.pad"(%a, %z) {edge_padding_low = array<i64: 0, -1>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x4xf32>"#,
    );
    equal(
        "%0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 3] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>",
        r#"%0 = "stablehlo.dynamic_slice"(%a, %i, %i) {slice_sizes = array<i64: 1, 3>} : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>"#,
    );
    equal(
        "%0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [1], precision = [HIGH, DEFAULT] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>",
        r#"%0 = "stablehlo.dot_general"(%a, %a) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>"#,
    );
    equal(
        "%z = stablehlo.constant dense<0.0> : tensor<f32> %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>",
        r#"%z = stablehlo.constant dense<0.0> : tensor<f32>
           %0 = "stablehlo.reduce"(%a, %z) <{dimensions = array<i64: 0>}> ({
           ^bb0(%x: tensor<f32>, %y: tensor<f32>):
             %s = stablehlo.add %x, %y : tensor<f32>
             "stablehlo.return"(%s) : (tensor<f32>) -> ()
           }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>"#,
    );
    equal(
        "%0 = stablehlo.select %p, %a, %a : tensor<i1>, tensor<2x3xf32>",
        "%0 = stablehlo.select %p, %a, %a : (tensor<i1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>",
    );
}

#[test]
fn a_generic_while_captures_like_a_pretty_one() {
    equal(
        "%r:2 = stablehlo.while(%x = %a, %k = %i) : tensor<2x3xf32>, tensor<i32>
         cond {
           stablehlo.return %p : tensor<i1>
         } do {
           %1 = stablehlo.add %k, %i : tensor<i32>
           stablehlo.return %x, %1 : tensor<2x3xf32>, tensor<i32>
         }",
        r#"%r, %s = "stablehlo.while"(%a, %i) ({
         ^bb0(%x: tensor<2x3xf32>, %k: tensor<i32>):
           stablehlo.return %p : tensor<i1>
         }, {
         ^bb0(%x: tensor<2x3xf32>, %k: tensor<i32>):
           %1 = stablehlo.add %k, %i : tensor<i32>
           stablehlo.return %x, %1 : tensor<2x3xf32>, tensor<i32>
         }) : (tensor<2x3xf32>, tensor<i32>) -> (tensor<2x3xf32>, tensor<i32>)"#,
    );
}

#[test]
fn nested_regions_capture_through_each_other() {
    let m = read(
        r#"module @nest {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<f64>, %arg2: tensor<f64>) -> tensor<f64> {
    %0 = "stablehlo.case"(%arg0) ({
      %1 = "stablehlo.case"(%arg0) ({
        %2 = stablehlo.add %arg2, %arg1 : tensor<f64>
        stablehlo.return %2 : tensor<f64>
      }) : (tensor<i32>) -> tensor<f64>
      stablehlo.return %1 : tensor<f64>
    }, {
      stablehlo.return %arg1 : tensor<f64>
    }) : (tensor<i32>) -> tensor<f64>
    return %0 : tensor<f64>
  }
}"#,
    );
    // First use: %arg0 by the inner index, then %arg2, then %arg1.
    let main = &m.funcs[m.find("main").expect("main")];
    let (_, case) = main.def(main.results[0]).expect("defined by the case");
    assert_eq!(case.operands[..], [main.params[0], main.params[0], main.params[2], main.params[1]]);
    insta::assert_snapshot!(survives(&m));
}

#[test]
fn reducers_of_every_kind() {
    let m = read(
        r#"func.func public @main(%x: tensor<4xf32>, %i: tensor<4xi32>, %k: tensor<f32>) -> (tensor<f32>, tensor<i32>, tensor<f32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %k), (%i init: %c) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>)  {
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    %2 = stablehlo.minimum %p, %q : tensor<i32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
  }
  %3 = stablehlo.reduce(%x init: %k) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>)  {
    %1 = stablehlo.multiply %a, %k : tensor<f32>
    %2 = stablehlo.add %1, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  return %0#0, %0#1, %3 : tensor<f32>, tensor<i32>, tensor<f32>
}"#,
    );
    let reducers: Vec<&Reducer> = m
        .funcs
        .values()
        .flat_map(|f| f.insts.values())
        .filter_map(|i| if let Op::Reduce(r) = &i.op { Some(&r.reducer) } else { None })
        .collect();
    assert!(matches!(reducers[0], Reducer::Func(_)));
    assert!(matches!(reducers[1], Reducer::Func(_)));
    insta::assert_snapshot!(survives(&m));
}

#[test]
fn names_and_symbols() {
    let m = read(
        "module @\"a b\" attributes {wengert.float_mode = \"exact\", mhlo.num_replicas = 1 : i32} {
           func.func public @\"<lambda>\"(%arg0: tensor<f32> {tf.aliasing_output = 0 : i32}) -> (tensor<f32> {jax.result_info = \"r\"}) {
             %0 = call @later(%arg0) : (tensor<f32>) -> tensor<f32> // -----
             return %0 : tensor<f32>
           }
           func.func private @later(%arg0: tensor<f32>) -> tensor<f32> {
             return %arg0 : tensor<f32>
           }
         }",
    );
    assert_eq!(m.mode, FloatMode::Exact);
    let text = survives(&m);
    assert!(text.starts_with(
        "module @\"a b\" attributes {wengert.float_mode = \"exact\"} {\n  func.func public @\"<lambda>\"("
    ));
}

/// Every character that a name can have comes back, whatever follows it: `f` after an escape could be taken for its second digit.
#[test]
fn names_of_any_character() {
    for c in (0..0x80u8).map(char::from).chain(['\u{80}', 'é', '\u{2028}', '🦀']) {
        for name in [format!("{c}"), format!("{c}f"), format!("a{c}0")] {
            let mut m = read(
                "func.func public @main(%arg0: tensor<f32>) -> tensor<f32> { return %arg0 : tensor<f32> }",
            );
            let id = m.find("main").unwrap();
            let mut f = wengert_ir::func::Func::clone(&m.get(id));
            f.name.clone_from(&name);
            m.funcs[id] = std::sync::Arc::new(f);
            let text = m.to_string();
            assert!(read(&text).find(&name).is_some(), "{name:?}: {text}");
        }
    }
}

#[test]
fn locations_are_kept_on_request() {
    let m = read(
        "#loc1 = loc(\"w\")
         module {
           func.func public @main(%arg0: tensor<f32> loc(\"w\")) -> tensor<f32> {
             %0 = stablehlo.sine %arg0 : tensor<f32> loc(#loc3)
             %1 = stablehlo.sine %0 : tensor<f32> loc(\"f.rs\":12:3)
             return %1 : tensor<f32> loc(#loc)
           } loc(#loc2)
         } loc(#loc)
#loc = loc(unknown)
#loc2 = loc(\"file.py\":1083:30 to :34)
#loc3 = loc(\"jit(f)/sin\"(callsite(#loc2 at #loc)))
",
    );
    let options = PrintOptions { locations: true, plain: false };
    let text = print(&m, &options);
    insta::assert_snapshot!(text);
    assert_eq!(print(&read(&text), &options), text);
    assert!(!m.to_string().contains("loc("));
    let main = &m.funcs[m.find("main").expect("main")];
    assert_eq!(main.insts.values().last().expect("two").loc, Loc::Text("\"f.rs\":12:3".into()));
    assert_eq!(main.param_names, ["w"]);
}

/// A text may be one line of any length. The place of an operation is asked for after those of what is in its regions.
#[test]
fn columns_of_a_long_line() {
    use std::fmt::Write;
    let head = "// é\n";
    let mut text =
        format!("{head}func.func public @\"é🦀\"(%0: tensor<f32>, %i: tensor<i32>) -> tensor<f32> {{ ");
    let (count, mut starts) = (20_000, Vec::new());
    for k in 0..count {
        if k % 100 == 50 {
            starts.push(text.len());
            text.push_str("\"stablehlo.case\"(%i) ({ %r = ");
            starts.push(text.len());
            text.push_str("stablehlo.sine %0 : tensor<f32> stablehlo.return }) : (tensor<i32>) -> () ");
        }
        let _ = write!(text, "%{} = ", k + 1);
        // Characters of several bytes, wherever they fall.
        if k % 7 != 3 {
            starts.push(text.len());
        }
        let _ = write!(text, "stablehlo.sine %{k} : tensor<f32> ");
        if k % 7 == 3 {
            text.push_str("loc(\"é🦀\") ");
        }
    }
    let _ = write!(text, "return %{count} : tensor<f32> }}");
    let module = parse_placed(&text, "f.mlir").unwrap_or_else(|e| panic!("{e}"));
    let all = module.funcs.values().flat_map(|f| f.insts.values().map(|i| i.loc.clone()).collect::<Vec<_>>());
    let found: std::collections::HashSet<String> = all
        .filter_map(|loc| match loc {
            Loc::Text(text) => Some(text.to_string()),
            Loc::Unknown | Loc::Rust(_) => None,
        })
        .collect();
    // One more for those that say where they come from.
    assert_eq!(found.len(), starts.len() + 1);
    // The definition walks through the whole line.
    for &at in starts.iter().take(200).chain(starts.iter().step_by(197)).chain(starts.last()) {
        let place = format!("\"f.mlir\":2:{}", text[head.len()..at].chars().count() + 1);
        assert!(found.contains(&place), "{place}");
    }
}

fn f64s(shape: &[usize]) -> Type {
    TensorType::new(DType::F64, shape).into()
}

/// A module with a scan that carries a sum and gives rows, over `length` rows.
fn scan_module(length: usize, reverse: bool) -> Module {
    let mut m = Module::new("scan");
    let mut body = Func::new("", FuncKind::Region);
    let (w, c, x) = (body.param(f64s(&[])), body.param(f64s(&[2])), body.param(f64s(&[2])));
    let w = body
        .push(
            &m,
            BroadcastInDim { shape: Dims::from_slice(&[2]), dims: Dims::new() }.into(),
            &[w],
            Loc::Unknown,
        )
        .expect("fits")[0];
    let wx = body.push(&m, BinaryOp::Multiply.into(), &[w, x], Loc::Unknown).expect("fits")[0];
    let y = body.push(&m, BinaryOp::Add.into(), &[c, wx], Loc::Unknown).expect("fits")[0];
    let flag = body.push(&m, UnaryOp::IsFinite.into(), &[y], Loc::Unknown).expect("fits")[0];
    body.results = vec![y, wx, flag];
    let body = m.add(body);
    let mut main = Func::new("main", FuncKind::Public);
    let mut operands = Vec::new();
    if length == DYNAMIC {
        operands.push(main.param(TensorType::scalar(DType::I64)));
    }
    operands.extend([main.param(f64s(&[])), main.param(f64s(&[2])), main.param(f64s(&[length, 2]))]);
    let scan = Scan { body, consts: 1, carry: 1, reverse, length };
    main.results = main.push(&m, scan.into(), &operands, Loc::Unknown).expect("fits").to_vec();
    m.add(main);
    m
}

#[test]
fn scans_are_composites() {
    insta::assert_snapshot!("scan", survives(&scan_module(5, true)));
    survives(&scan_module(5, false));
    survives(&scan_module(0, false));
    let text = survives(&scan_module(DYNAMIC, false));
    assert!(text.contains("func.func private @wengert.scan.0(tensor<i64>, tensor<f64>, tensor<2xf64>, tensor<?x2xf64>) -> (tensor<2xf64>, tensor<?x2xf64>, tensor<?x2xi1>)\n"), "{text}");
}

/// A scan of a fixed number of trips takes as many rows.
#[test]
fn a_scan_takes_a_row_for_each_trip() {
    let m = scan_module(5, false);
    let main = m.get(m.find("main").expect("is there"));
    let scan = &main.insts.values().next().expect("a scan").op;
    for rows in [0, 1, 4, 6, DYNAMIC] {
        let operands = [f64s(&[]), f64s(&[2]), f64s(&[rows, 2])].map(Type::from);
        let error = scan.infer(&m, &operands).expect_err("too few or too many");
        assert!(error.to_string().contains("not a tensor of 5 rows"), "{error}");
    }
}

#[test]
fn whiles_with_counts_and_stacks_are_composites() {
    for stacks in [0, 1] {
        let mut m = Module::new("while");
        let mut cond = Func::new("", FuncKind::Region);
        let (limit, x) = (cond.param(f64s(&[])), cond.param(f64s(&[])));
        let less = Compare { direction: Direction::Lt, kind: CompareType::Float };
        cond.results = cond.push(&m, less.into(), &[x, limit], Loc::Unknown).expect("fits").to_vec();
        let cond = m.add(cond);
        let mut body = Func::new("", FuncKind::Region);
        let (limit, x) = (body.param(f64s(&[])), body.param(f64s(&[])));
        let y = body.push(&m, BinaryOp::Add.into(), &[x, limit], Loc::Unknown).expect("fits")[0];
        body.results = if stacks == 1 { vec![y, x] } else { vec![y] };
        let body = m.add(body);
        let mut main = Func::new("main", FuncKind::Public);
        let (limit, x) = (main.param(f64s(&[])), main.param(f64s(&[])));
        let op = While { cond, body, consts: 1, stacks, counted: true };
        main.results = main.push(&m, op.into(), &[limit, x], Loc::Unknown).expect("fits").to_vec();
        m.add(main);
        let text = survives(&m);
        if stacks == 0 {
            insta::assert_snapshot!("counted_while", text);
        }
    }
}

#[test]
fn small_operations_of_ours_are_composites() {
    let mut m = Module::new("small");
    let mut main = Func::new("main", FuncKind::Public);
    let x = main.param(f64s(&[3]));
    let y = main.push(&m, Fma {}.into(), &[x, x, x], Loc::Unknown).expect("fits")[0];
    let z = main.push(&m, Fma {}.into(), &[x, x, y], Loc::Unknown).expect("fits")[0];
    let log = main.push(&m, UnaryOp::Log2.into(), &[z], Loc::Unknown).expect("fits")[0];
    let power = main.push(&m, UnaryOp::Exp2.into(), &[log], Loc::Unknown).expect("fits")[0];
    let stopped = main.push(&m, StopGradient {}.into(), &[power], Loc::Unknown).expect("fits")[0];
    let ty = TensorType::new(DType::F64, &[DYNAMIC, 3]);
    let zero = main.push(&m, Zero { ty }.into(), &[], Loc::Unknown).expect("fits")[0];
    let plain = main
        .push(&m, Zero { ty: TensorType::new(DType::F64, &[3]) }.into(), &[], Loc::Unknown)
        .expect("fits")[0];
    let kept =
        main.push(&m, OptimizationBarrier { region: 2 }.into(), &[plain], Loc::Unknown).expect("fits")[0];
    main.results = vec![stopped, zero, kept];
    let main = m.add(main);
    insta::assert_snapshot!(survives(&m));
    assert_eq!(print_func(&m, main, &PrintOptions::default()), m.to_string());
}

#[test]
fn a_body_prints_alone() {
    let m = scan_module(5, false);
    let body = m.funcs.keys().next().expect("the body");
    let text = print_func(&m, body, &PrintOptions::default());
    assert!(text.contains("func.func private @func(%arg0: tensor<f64>"), "{text}");
    read(&text);
}

/// MLIR's three words for who sees a function, and none, in both spellings.
#[test]
fn who_sees_a_function() {
    for (word, kind) in [
        ("", FuncKind::Public),
        ("public", FuncKind::Public),
        ("nested", FuncKind::Public),
        ("private", FuncKind::Private),
    ] {
        let pretty =
            format!("func.func {word} @f(%a: tensor<f32>) -> tensor<f32> {{\n  return %a : tensor<f32>\n}}");
        let said = if word.is_empty() { String::new() } else { format!(", sym_visibility = \"{word}\"") };
        let generic = format!(
            "\"func.func\"() <{{function_type = (tensor<f32>) -> tensor<f32>, sym_name = \"f\"{said}}}> ({{\n\
             ^bb0(%a: tensor<f32>):\n  \"func.return\"(%a) : (tensor<f32>) -> ()\n}}) : () -> ()"
        );
        let (a, b) = (read(&pretty), read(&generic));
        assert!(same(&a, &b), "{a}\n{b}");
        assert_eq!(a.get(a.find("f").expect("is there")).kind, kind, "{word}");
    }
}

#[test]
fn foreign_composites_stay() {
    let m = read(
        r#"func.func public @main(%a: tensor<f32>) -> tensor<f32> {
             %0 = stablehlo.composite "somebody.op" %a {composite_attributes = {n = 1 : i64}, decomposition = @impl, version = 1 : i32} : (tensor<f32>) -> tensor<f32>
             return %0 : tensor<f32>
           }
           func.func private @impl(%a: tensor<f32>) -> tensor<f32> {
             return %a : tensor<f32>
           }"#,
    );
    let text = survives(&m);
    assert!(
        text.contains("composite_attributes = {n = 1 : i64}, decomposition = @impl, version = 1 : i32}"),
        "{text}"
    );
}

/// The decomposition, which only others read, does what the composite does.
#[test]
fn decompositions_compute_the_same() {
    use wengert_ir::array::Array;
    use wengert_ir::interp::{Limits, run};
    let limits = Limits::default();
    for reverse in [false, true] {
        let m = scan_module(3, reverse);
        let text = m.to_string();
        let main = text.find("  func.func public").expect("main");
        let rest = text[main..].find("  func.func private").expect("the body") + main;
        let plain = read(&format!("{}{}", &text[..main], &text[rest..]));
        let args = [
            Array::scalar(0.5f64),
            Array::new(&[2], &[1.0f64, 2.0]),
            Array::new(&[3, 2], &[1.0f64, 2.0, 3.0, f64::INFINITY, 5.0, 6.0]),
        ];
        let direct = run(&m, m.find("main").expect("main"), &args, &limits).expect("runs");
        let other = run(&plain, plain.find("wengert.scan.0").expect("it"), &args, &limits).expect("runs");
        assert_eq!(direct, other);
    }
}

/// What the generic form says of its operands is compared with what they are.
#[test]
fn operand_types_of_the_generic_form_are_checked() {
    for (operands, said, why) in [
        (
            "%a, %a",
            "tensor<2x3xf32>, tensor<3x2xf32>",
            "this value has type tensor<2x3xf32>, used here as tensor<3x2xf32>",
        ),
        ("%a, %a", "tensor<2x3xf32>", "2 operands but 1 operand types"),
        ("%a", "tensor<2x3xf32>, tensor<2x3xf32>", "1 operands but 2 operand types"),
    ] {
        let text = format!(
            "func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {{\n  %0 = \"stablehlo.add\"({operands}) : ({said}) -> \
             tensor<2x3xf32>\n  return %0 : tensor<2x3xf32>\n}}"
        );
        let error = parse(&text).expect_err("it must be refused").to_string();
        assert!(error.contains(why), "{error}\n{text}");
    }
}
