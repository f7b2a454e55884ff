//! Tapes in files: what is written is read as it was, and what is not a tape is refused with a reason.

use std::collections::{BTreeMap, HashMap};
use wengert::tape::Tape;
use wengert::{Error, Static, Tensor, Tree, grad, jit, tree};

type One = Tape<(Tensor,), Tensor>;

fn x(v: f64) -> Tensor {
    Tensor::from(v)
}

/// Newton's iteration for a root of two, as long as it takes.
fn root(a: Tensor) -> Tensor {
    let mut y = a.clone();
    while (&y * &y - &a).abs().greater(1e-6).item::<bool>() {
        y = (&y + &a / &y) * 0.5;
    }
    y
}

fn tape() -> One {
    Tape::record(root, (x(2.0),)).1
}

#[test]
fn what_is_written_is_read() {
    let tape = tape();
    let text = tape.to_text().expect("it has values");
    let read = One::parse(&text).expect("our own text");
    assert_eq!(read.to_text().expect("it has values"), text);
    for v in [2.0, 2.1, 1.9] {
        let (a, b) = (tape.replay((x(v),)).expect("as often"), read.replay((x(v),)).expect("as often"));
        assert_eq!(a.item::<f64>(), b.item::<f64>());
        assert_eq!(grad(tape.clone())(x(v)).item::<f64>(), grad(read.clone())(x(v)).item::<f64>());
        assert_eq!(jit(grad(tape.clone()))(x(v)).item::<f64>(), jit(grad(read.clone()))(x(v)).item::<f64>());
    }
    let error = read.replay((x(100.0),)).unwrap_err();
    // The line is in the message: a file has no `Location`.
    assert!(
        error.is_guard() && error.to_string().contains("read at \"frontend/tests/tape_files.rs\":16:"),
        "{error}"
    );
    let compiled = read.jit().try_call((x(100.0),)).unwrap_err();
    assert_eq!((compiled.is_guard(), compiled.message()), (true, error.message()));
    assert_eq!(read.inputs()[0].name, "arg0");
    assert_eq!(read.arguments().0.item::<f64>(), 2.0);
    assert_eq!(read.guards().len(), tape.guards().len());
    // Values are not written; they follow.
    assert_eq!(read.saved_bytes(), 0);
    let full = read.with_values().expect("runs");
    assert_eq!(
        full.outputs()[0].value.as_ref().map(Tensor::item::<f64>),
        tape.outputs()[0].value.as_ref().map(Tensor::item)
    );
}

#[test]
fn a_gradient_is_written_as_any_tape() {
    let gradient = tape().grad();
    let read = One::parse(&gradient.to_text().expect("it has values")).expect("our own text");
    assert_eq!(
        read.replay((x(2.1),)).expect("as often").item::<f64>(),
        gradient.replay((x(2.1),)).expect("as often").item::<f64>()
    );
    assert!(read.replay((x(100.0),)).unwrap_err().is_guard());
}

#[test]
fn captures_and_functions_are_written_too() {
    let table = Tensor::from((0..40).map(f64::from).collect::<Vec<_>>());
    let inner = jit(|x: Tensor| x.sin() * 2.0);
    let f = move |x: Tensor, k: Tensor| {
        let y = wengert::cond(&k.greater(0), |x: Tensor| x.exp(), |x: Tensor| x.cos(), x);
        ((&table * inner(y)).sum(), k)
    };
    let (_, tape) = Tape::record(f, (x(0.5), Tensor::from(3i32)));
    let text = tape.to_text().expect("it has values");
    let read = Tape::<(Tensor, Tensor), (Tensor, Tensor)>::parse(&text).expect("our own text");
    for (v, k) in [(0.5, 1), (0.7, -1)] {
        let args = || (x(v), Tensor::from(k));
        let (a, b) = (tape.replay(args()).expect("no guards"), read.replay(args()).expect("no guards"));
        assert_eq!((a.0.item::<f64>(), a.1.item::<i32>()), (b.0.item::<f64>(), b.1.item::<i32>()));
    }
    assert!(read.captured().is_empty(), "they are constants");
}

#[test]
fn files() {
    let path = std::env::temp_dir().join(format!("wengert-tape-{}.mlir", std::process::id()));
    tape().save(&path).expect("a file");
    let read = One::load(&path).expect("it was written");
    assert_eq!(read.replay((x(2.0),)).expect("the same").item::<f64>(), root(x(2.0)).item::<f64>());
    std::fs::write(&path, b"\xff\xfe").expect("a file");
    assert!(One::load(&path).is_err(), "not UTF-8");
    std::fs::remove_file(&path).expect("our own");
    let error = One::load(&path).unwrap_err().to_string();
    assert!(error.contains("wengert-tape-"), "{error}");
    assert!(tape().save(std::env::temp_dir()).is_err(), "a folder");
}

/// The disk is full after a part of the text: a process of our own may write no longer files.
#[cfg(unix)]
#[test]
fn a_save_that_fails_leaves_what_was_there() {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};
    let table = Tensor::from((0..400).map(|k| f64::from(k).sqrt()).collect::<Vec<_>>());
    let tape: One = Tape::record(move |v: Tensor| (&table * v).sum(), (x(2.0),)).1;
    if let Ok(path) = std::env::var("WENGERT_TEST_SAVE") {
        for name in ["old.mlir", "new.mlir"] {
            let error = tape.save(format!("{path}/{name}")).expect_err("there is no room").to_string();
            assert!(error.contains(name) && !error.contains(".new"), "{error}");
        }
        return;
    }
    let text = tape.to_text().expect("it has values");
    assert!(text.len() > 2048, "longer than the files of the process below");
    let folder = std::env::temp_dir().join(format!("wengert-tapes-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let (old, link) = (folder.join("old.mlir"), folder.join("link.mlir"));
    fs::write(&old, "before").expect("a file");
    let names = || {
        let entries = fs::read_dir(&folder).expect("a folder").flatten();
        let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    // One block, of 512 or of 1024 bytes; without the signal a write that is too long is an error.
    let ran = std::process::Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "sh"])
        .arg(std::env::current_exe().expect("this program"))
        .args(["--exact", "tape_files::a_save_that_fails_leaves_what_was_there", "--test-threads", "1"])
        .env("WENGERT_TEST_SAVE", &folder)
        .env_remove("WENGERT_CODE_CACHE")
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success() && said.contains("1 passed"), "{said}");
    assert_eq!(fs::read(&old).expect("a file"), b"before");
    assert_eq!(names(), ["old.mlir"]);
    // One that does not fail keeps permissions and links.
    fs::set_permissions(&old, Permissions::from_mode(0o640)).expect("set");
    symlink("old.mlir", &link).expect("a link");
    tape.save(&link).expect("there is room");
    assert_eq!(fs::read_to_string(&old).expect("a file"), text);
    assert_eq!(fs::metadata(&old).expect("a file").permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
    assert_eq!(names(), ["link.mlir", "old.mlir"]);
    fs::remove_dir_all(folder).expect("our own");
}

#[test]
fn no_path_of_this_machine_is_in_a_file() {
    let text = tape().to_text().expect("it has values");
    assert!(!text.contains("loc(\"/") && !text.contains(env!("CARGO_MANIFEST_DIR")), "{text}");
}

const HEAD: &str = "// wengert tape, version 1\n";
const RECORDED: &str = "func.func private @recorded() -> tensor<f64> {
  %0 = stablehlo.constant dense<2.0> : tensor<f64>
  return %0 : tensor<f64>
}\n";
const MAIN: &str = "func.func public @main(%x: tensor<f64>) -> tensor<f64> {
  %y = stablehlo.sine %x : tensor<f64>
  return %y : tensor<f64>
}\n";

#[track_caller]
fn refused(text: &str, said: &str) {
    let error: Error = One::parse(text).expect_err(text);
    assert!(error.to_string().contains(said), "{error}");
}

#[test]
fn what_is_not_a_tape_says_so() {
    assert!(One::parse(&format!("{HEAD}{MAIN}{RECORDED}")).is_ok());
    refused("", "not a tape");
    refused(MAIN, "not a tape: it does not begin with `// wengert tape, version 1`");
    refused("// wengert tape, version 2\n", "a tape of version 2; this program reads version 1");
    refused(HEAD, "no function @recorded");
    refused(&format!("{HEAD}{RECORDED}"), "there is no function @main");
    refused(&format!("{HEAD}{MAIN}"), "no function @recorded");
    refused(&format!("{HEAD}{}{RECORDED}", MAIN.replace("sine", "sin")), "sin");
    refused(
        &format!("{HEAD}{}{RECORDED}", MAIN.replace("f64", "f32")),
        "@recorded gives (tensor<f64>), and @main takes (tensor<f32>)",
    );
    refused(&format!("{HEAD}{MAIN}{}", RECORDED.replace("constant dense<2.0>", "iota dim = 0")), "");
    let computed = RECORDED.replace("return %0", "%1 = stablehlo.add %0, %0 : tensor<f64>\n  return %1");
    refused(&format!("{HEAD}{MAIN}{computed}"), "@recorded may only give constants");
    let taking = RECORDED.replace("@recorded()", "@recorded(%a: tensor<f64>)");
    refused(&format!("{HEAD}{MAIN}{taking}"), "@recorded may only give constants");
    let none = "func.func private @recorded() {\n  return\n}\n";
    refused(&format!("{HEAD}{MAIN}{none}"), "@recorded gives (), and @main takes (tensor<f64>)");
    let open = MAIN.replace("tensor<f64>", "tensor<?xf64>");
    refused(&format!("{HEAD}{open}{RECORDED}"), "sizes that are not known");
    // A small text for a large argument.
    let huge = |s: &str| s.replace("tensor<f64>", "tensor<1000000000000xf64>");
    refused(&format!("{HEAD}{}{}", huge(MAIN), huge(RECORDED)), "bytes");
    let error = Tape::<(Tensor, Tensor), Tensor>::parse(&format!("{HEAD}{MAIN}{RECORDED}")).unwrap_err();
    assert!(
        error.to_string().contains("the tape has 1 arguments, which do not make a (Tensor, Tensor)"),
        "{error}"
    );
    let error = Tape::<(Tensor,), [Tensor; 2]>::parse(&format!("{HEAD}{MAIN}{RECORDED}")).unwrap_err();
    assert!(error.to_string().contains("the tape has 1 results, which do not make a [Tensor; 2]"), "{error}");
}

#[test]
fn every_damage_is_an_error_or_a_tape() {
    let text = tape().to_text().expect("it has values");
    let mut tapes = 0;
    for k in (0..text.len()).step_by(7) {
        for change in ["", "\0", "<", "9", "\""] {
            let mut damaged = text.clone();
            damaged.replace_range(k..=k, change);
            if let Ok(tape) = One::parse(&damaged) {
                tapes += 1;
                // What it computes is another thing; it does not panic.
                let _ = (tape.replay((x(2.0),)), tape.to_string(), tape.to_text(), tape.guards());
            }
        }
        assert!(One::parse(&text[..k]).is_err(), "{}", &text[..k]);
    }
    assert!(tapes > 0);
}

#[test]
fn a_guard_in_a_file_may_say_anything() {
    let with =
        |line: &str| format!("{HEAD}{}{RECORDED}", MAIN.replace("  return", &format!("  {line}\n  return")));
    let two = |line: &str| with(&format!("%c = stablehlo.constant dense<0.5> : tensor<f64>\n  {line}"));
    // Of the argument, and of what is no constant.
    let tape = One::parse(&two("check.guard %x, %c : tensor<f64>")).expect("a guard");
    assert_eq!(tape.guards()[0].value.item::<f64>(), 0.5);
    assert!(tape.replay((x(0.5),)).is_ok() && tape.replay((x(0.25),)).unwrap_err().is_guard());
    assert!(tape.with_values().unwrap_err().is_guard(), "it does not hold where it says it was recorded");
    let tape = One::parse(&with("check.guard %x, %y : tensor<f64>")).expect("a guard");
    assert!(tape.guards().is_empty() && tape.replay((x(0.0),)).is_ok() && tape.replay((x(1.0),)).is_err());
    // As a custom call, and in the generic form.
    let tape =
        One::parse(&two("stablehlo.custom_call @check.guard(%x, %c) : (tensor<f64>, tensor<f64>) -> ()"))
            .expect("a guard");
    assert_eq!(tape.guards().len(), 1);
    let tape =
        One::parse(&two("\"check.guard\"(%x, %c) : (tensor<f64>, tensor<f64>) -> ()")).expect("a guard");
    assert_eq!(tape.guards().len(), 1);
    let error = One::parse(&with(
        "%c = stablehlo.constant dense<0.5> : tensor<f32>\n  check.guard %x, %c : tensor<f64>",
    ))
    .unwrap_err();
    assert!(error.to_string().contains("f32"), "{error}");
}

#[derive(Clone, Debug, Tree)]
struct Layer {
    w: Tensor,
    b: Option<Tensor>,
}

#[derive(Clone, Tree)]
enum Head {
    Sum,
    Scaled(Tensor),
}

#[derive(Clone, Tree)]
struct Net {
    layers: Vec<Layer>,
    by_name: HashMap<String, Tensor>,
    head: Head,
    steps: Static<usize>,
}

type Out = BTreeMap<&'static str, (Tensor, Option<Layer>)>;

fn net() -> Net {
    Net {
        layers: vec![
            Layer { w: Tensor::from([1.0f64, 2.0]), b: Some(x(0.5)) },
            Layer { w: Tensor::from([3.0f64, 4.0]), b: None },
        ],
        by_name: [("shift".to_owned(), x(0.25)), ("gain".to_owned(), x(2.0))].into(),
        head: Head::Scaled(x(3.0)),
        steps: Static(2),
    }
}

/// A function of a user's types that goes its way by what it reads.
fn apply(net: Net, at: Tensor) -> Out {
    let mut y = at;
    for layer in &net.layers {
        y = (&layer.w * y).sum() + layer.b.clone().unwrap_or(x(0.0));
        if y.greater(100.0).item::<bool>() {
            y = y.log();
        }
    }
    y = y * &net.by_name["gain"] + &net.by_name["shift"];
    if let Head::Scaled(by) = &net.head {
        y *= by;
    }
    [("half", (&y * 0.5, None)), ("whole", (y, net.layers.first().cloned()))].into()
}

fn recorded() -> (Out, Tape<(Net, Tensor), Out>) {
    Tape::record(apply, (net(), x(1.5)))
}

#[test]
fn tapes_of_users_types_are_read_again() {
    let (out, tape) = recorded();
    let text = tape.to_text().expect("it has values");
    let args = (net(), x(0.0));
    let read = Tape::parse_like(&text, &args, &out).expect("our own text");
    assert_eq!(read.to_text().expect("it has values"), text);
    assert_eq!(read.arguments().1.item::<f64>(), 1.5, "what was recorded, not the example");
    for v in [1.5, 2.0] {
        let (a, b) = (tape.replay((net(), x(v))).unwrap(), read.replay((net(), x(v))).unwrap());
        assert_eq!(tree::structure(&a), tree::structure(&b));
        assert_eq!(a["whole"].0.item::<f64>(), b["whole"].0.item::<f64>());
    }
    assert!(read.replay((net(), x(100.0))).unwrap_err().is_guard());
    let loss = |tape: Tape<(Net, Tensor), Out>| {
        jit(grad(move |n: Net| tape.call_with_net(n)))(net()).by_name["gain"].item::<f64>()
    };
    assert_eq!(loss(tape.clone()), loss(read.clone()));

    let path = std::env::temp_dir().join(format!("wengert-tape-like-{}.mlir", std::process::id()));
    tape.save(&path).expect("a file");
    let loaded = Tape::load_like(&path, &args, &out).expect("it was written");
    assert_eq!(loaded.to_text().unwrap(), text);
    let error = Tape::load_like(&path, &(x(1.0),), &out).unwrap_err().to_string();
    assert!(error.contains("wengert-tape-like-") && error.contains("the example is"), "{error}");
    std::fs::remove_file(&path).expect("our own");
    assert!(Tape::load_like(&path, &args, &out).unwrap_err().to_string().contains("wengert-tape-like-"));
}

/// Calls a tape of a network at one point.
trait CallWithNet {
    fn call_with_net(&self, net: Net) -> Tensor;
}

impl CallWithNet for Tape<(Net, Tensor), Out> {
    fn call_with_net(&self, net: Net) -> Tensor {
        use wengert::Func;
        self.call_with((net, x(1.5)))["whole"].0.clone()
    }
}

#[test]
fn another_structure_or_type_is_refused() {
    let (out, tape) = recorded();
    let text = tape.to_text().expect("it has values");
    let at = || x(0.0);
    #[track_caller]
    fn refused<A: wengert::Args, R: Tree>(text: &str, args: &A, out: &R, said: &[&str]) {
        let error = Tape::parse_like(text, args, out).expect_err("it is another").to_string();
        said.iter().for_each(|s| assert!(error.contains(s), "{s}: {error}"));
    }
    // A length, an option, a key, a variant, a static value: each is another structure.
    let short = Net { layers: net().layers[..1].to_vec(), ..net() };
    let words = [
        "the tape has arguments {.0.layers[0].w, .0.layers[0].b, .0.layers[1].w,",
        "and the example is {.0.layers[0].w, .0.layers[0].b, .0.by_name",
    ];
    refused(&text, &(short, at()), &out, &words);
    let mut other = net();
    other.layers[1].b = Some(x(0.0));
    refused(&text, &(other, at()), &out, &["the example is", ".0.layers[1].b"]);
    let mut other = net();
    other.by_name = [("shift".to_owned(), x(0.0)), ("scale".to_owned(), x(0.0))].into();
    refused(&text, &(other, at()), &out, &["by_name[\"gain\"]", "by_name[\"scale\"]"]);
    refused(
        &text,
        &(Net { head: Head::Sum, ..net() }, at()),
        &out,
        &["the tape has arguments", "the example is"],
    );
    let other = Net { steps: Static(3), ..net() };
    refused(&text, &(other, at()), &out, &["with other lengths, variants or static values"]);
    refused(&text, &(net(), at(), at()), &out, &["{.0.layers", ".1}, and the example is", ".1, .2}"]);
    refused(
        &text,
        &(net(), at()),
        &at(),
        &["the tape has a result {[\"half\"].0, ", "and the example is {}"],
    );
    // Types of leaves.
    let mut other = net();
    other.layers[1].w = Tensor::from([3.0f64, 4.0, 5.0]);
    let words = ["argument `arg0.layers[1].w` is tensor<2xf64> in the tape and tensor<3xf64> in the example"];
    refused(&text, &(other, at()), &out, &words);
    refused(
        &text,
        &(net(), Tensor::from(0.0f32)),
        &out,
        &["argument `arg1` is tensor<f64> in the tape and tensor<f32>"],
    );
    let mut other = out.clone();
    other.get_mut("half").unwrap().0 = Tensor::from([0.0f64]);
    refused(
        &text,
        &(net(), at()),
        &other,
        &["result `[\"half\"].0` is tensor<f64> in the tape and tensor<1xf64>"],
    );
    let plain = format!("{HEAD}{MAIN}{RECORDED}");
    refused(
        &plain,
        &(at(),),
        &Tensor::from(0.0f32),
        &["the result is tensor<f64> in the tape and tensor<f32>"],
    );
    // Without a structure a text is known by its leaves.
    assert!(Tape::parse_like(&plain, &(at(),), &at()).is_ok());
    assert!(Tape::parse_like(&plain, &(vec![at()],), &Layer { w: at(), b: None }).is_ok());
    refused(
        &plain,
        &(at(), at()),
        &at(),
        &["the arguments of the tape have 1 leaves, those of the example 2"],
    );
    refused(&plain, &(at(),), &(), &["the results of the tape have 1 leaves, those of the example 0"]);
}

#[test]
fn damaged_tapes_of_users_types_are_refused() {
    let (out, tape) = recorded();
    let text = tape.to_text().expect("it has values");
    let args = (net(), x(1.5));
    let mut tapes = 0;
    for k in (0..text.len()).step_by(11) {
        for change in ["", "\0", "<", "9", "\n"] {
            let mut damaged = text.clone();
            damaged.replace_range(k..=k, change);
            if let Ok(tape) = Tape::parse_like(&damaged, &args, &out) {
                tapes += 1;
                let _ = (tape.replay(args.clone()), tape.to_text(), tape.guards());
            }
        }
        let is_whole = text[k..].trim().is_empty();
        assert!(is_whole || Tape::parse_like(&text[..k], &args, &out).is_err(), "{}", &text[..k]);
    }
    assert!(tapes > 0);
    let lines: Vec<&str> = text.lines().collect();
    let without = |k: usize| [&lines[..k], &lines[k + 1..]].concat().join("\n");
    let swapped = |a: usize, b: usize| {
        let mut lines = lines.clone();
        lines.swap(a, b);
        lines.join("\n")
    };
    assert!(lines[1].starts_with("// arguments {.0.layers[0].w") && lines[2].starts_with("// result {"));
    // Without its structure it is known by its leaves.
    for text in [without(1), without(2), swapped(1, 2)] {
        assert!(Tape::parse_like(&text, &args, &out).is_ok());
    }
    let hash = lines[1].rsplit_once(' ').unwrap().1;
    let error = Tape::parse_like(&text.replace(hash, "no number"), &args, &out).unwrap_err().to_string();
    assert!(error.contains("the tape has arguments"), "{error}");
}
