//! Functions of the host in traced functions: they are called in order or not at all, batched, named in errors, registered for files,
//! and of each program its own.

use crate::effects::{Of, lines, noted, s, said};
use std::sync::{Arc, Mutex};
use wengert::effects::{callback_of_batches, ffi, prints_of};
use wengert::{
    CodeCache, DType, Tensor, TensorType, Traced, callback, check, checkpoint, cond, custom_jvp,
    debug_callback, debug_print, grad, io_callback, jit, object, scan, sow, stop_gradient, value_and_grad,
    vjp, vmap,
};

/// Two ordered calls never swap, whatever is fused and shared between them.
#[test]
fn calls_keep_their_order_among_kernels() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let note = {
        let seen = seen.clone();
        move |k: usize, x: &Tensor| {
            let seen = seen.clone();
            let f = move |x: Tensor| {
                seen.lock().unwrap().push((k, x.get(0).item::<f32>()));
                &x + 1.0
            };
            io_callback(f, x, (stop_gradient(x),))
        }
    };
    let f = move |x: Tensor| {
        let early = (&x * 2.0).sin();
        let a = note(0, &x);
        let b = note(1, &(&a * 0.0 + &early.sum()));
        // Of the space of `early`, but ready after `b` only.
        let late = (&early + &b).cos();
        let c = note(2, &(&late * 0.0 + 7.0));
        let (sum, ()) = scan(
            |c: Tensor, v: Tensor| (c + note(3, &v).sum(), ()),
            s(0.0).astype(DType::F32),
            stack2(&a, &c),
        );
        note(4, &late);
        (early * late * c).sum() + sum
    };
    let x = Tensor::full(&[4096], 0.25, DType::F32);
    let plain = f(x.clone()).item::<f32>();
    let want = std::mem::take(&mut *seen.lock().unwrap());
    assert_eq!(want.iter().map(|w| w.0).collect::<Vec<_>>(), [0, 1, 2, 3, 3, 4]);
    for run in [0, 1, 2] {
        let y = match run {
            0 => jit(f.clone())(x.clone()),
            1 => jit(value_and_grad(f.clone()))(x.clone()).0,
            _ => value_and_grad(f.clone())(x.clone()).0,
        };
        assert!((y.item::<f32>() - plain).abs() < 1e-3 * plain.abs(), "{run}");
        assert_eq!(std::mem::take(&mut *seen.lock().unwrap()), want, "{run}");
    }
}

fn stack2(a: &Tensor, b: &Tensor) -> Tensor {
    wengert::stack(&[a.clone(), b.clone()], 0)
}

#[test]
fn pure_functions_of_the_host() {
    let f = |x: Tensor| callback(|x: Tensor| x.map_items(f64::sin), &x, (x.clone(),)) * 2.0;
    let want = [2.0 * 0.5f64.sin(), 2.0 * 1.5f64.sin()];
    let x = || Tensor::from([0.5f64, 1.5]);
    assert_eq!(f(x()).to_vec::<f64>(), want);
    assert_eq!(jit(f)(x()).to_vec::<f64>(), want);
    assert_eq!(vmap(f)(x()).to_vec::<f64>(), want);
    assert_eq!(jit(vmap(f))(x()).to_vec::<f64>(), want);
    // Without a rule there is no derivative; with one there is.
    let e = jit(grad(move |x: Tensor| f(x).sum())).try_call((x(),)).unwrap_err();
    assert!(e.message().contains("custom_jvp") && e.location().unwrap().file() == file!(), "{e}");
    let ruled = custom_jvp(f, move |(x,), (dx,)| (f(x.clone()), dx * x.cos() * 2.0));
    let d = jit(grad(move |x: Tensor| ruled(x).sum()))(x());
    assert_eq!(d.to_vec::<f64>(), [2.0 * 0.5f64.cos(), 2.0 * 1.5f64.cos()]);
    assert_eq!(jit(grad(move |x: Tensor| (f(stop_gradient(&x)) * x).sum()))(x()).to_vec::<f64>(), want);
}

trait Items {
    fn map_items(&self, f: fn(f64) -> f64) -> Tensor;
}
impl Items for Tensor {
    fn map_items(&self, f: fn(f64) -> f64) -> Tensor {
        let all: Vec<f64> = self.to_vec::<f64>().into_iter().map(f).collect();
        let shape: Vec<isize> = self.shape().iter().map(|&n| n as isize).collect();
        Tensor::from(all).reshape(&shape)
    }
}

#[test]
fn batches_as_a_whole() {
    let calls = Arc::new(Mutex::new(0));
    let f = {
        let calls = calls.clone();
        move |x: Tensor, y: Tensor| {
            let calls = calls.clone();
            let product = move |x: Tensor, y: Tensor| {
                *calls.lock().unwrap() += 1;
                &x * &y
            };
            callback_of_batches(product, &x, (x.clone(), y))
        }
    };
    let both = jit(vmap(vmap(f)).in_axes([Some(1), None]));
    let x = Tensor::from([[1.0f64, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    let out = both(x, Tensor::from([10.0f64, 100.0]));
    assert_eq!(out.to_vec::<f64>(), [10.0, 400.0, 20.0, 500.0, 30.0, 600.0]);
    assert_eq!(*calls.lock().unwrap(), 1);
}

#[test]
fn a_pure_call_nobody_needs_is_not_made() {
    let calls = Arc::new(Mutex::new(0));
    let c = calls.clone();
    let f = jit(move |x: Tensor| {
        let c = c.clone();
        let count = move |x: Tensor| {
            *c.lock().unwrap() += 1;
            x
        };
        callback(count, &x, (x.clone(),));
        x
    });
    f(s(1.0));
    assert_eq!(*calls.lock().unwrap(), 0);
}

#[test]
fn callbacks_may_use_tensors_and_transforms() {
    let f = |x: Tensor| {
        let inner = |x: Tensor| {
            debug_print!("inside");
            let g = grad(|x: Tensor| cond(&x.greater(0.0), |x: Tensor| &x * &x, |x: Tensor| x, x));
            jit(g)(x)
        };
        let y = io_callback(inner, &x, (stop_gradient(&x),));
        &x * y
    };
    let want = ["inside"];
    assert_eq!(lines(|| assert_eq!(jit(f)(s(3.0)).item::<f64>(), 18.0)), want);
    assert_eq!(lines(|| assert_eq!(grad(f)(s(3.0)).item::<f64>(), 6.0)), want);
    assert_eq!(lines(|| assert_eq!(grad(grad(f))(s(3.0)).item::<f64>(), 0.0)), want);
    assert_eq!(lines(|| assert_eq!(jit(grad(f))(s(3.0)).item::<f64>(), 6.0)), want);
}

#[test]
fn what_an_ordered_call_gives_is_used_by_derivatives() {
    // A counter: the derivative must see what the forward pass saw.
    let make = || {
        let n = Arc::new(Mutex::new(0.0));
        let next = move |_: Tensor| {
            let mut n = n.lock().unwrap();
            *n += 1.0;
            Tensor::from(*n)
        };
        move |x: Tensor| {
            let next = next.clone();
            let step = move |c: Tensor, _: Tensor| {
                let k = io_callback(next.clone(), &s(0.0), (stop_gradient(&c),));
                (c * k, ())
            };
            scan(step, x, Tensor::from([0i32, 0, 0])).0
        }
    };
    assert_eq!(grad(make())(s(1.0)).item::<f64>(), 6.0);
    assert_eq!(jit(grad(make()))(s(1.0)).item::<f64>(), 6.0);
    assert_eq!(jit(grad(checkpoint(make())))(s(1.0)).item::<f64>(), 6.0);
    assert_eq!(grad(checkpoint(make()))(s(1.0)).item::<f64>(), 6.0);
    let (y, back) = vjp(make(), (s(1.0),));
    assert_eq!((y.item::<f64>(), back.call(s(1.0)).0.item::<f64>()), (6.0, 6.0));
    assert_eq!(back.call(s(2.0)).0.item::<f64>(), 12.0);
}

#[test]
fn failures_name_the_line_and_end_the_program() {
    let broken = |x: Tensor| {
        debug_print!("before");
        let y = callback(|_: Tensor| -> Tensor { panic!("out of paper") }, &x, (x.clone(),)); // HERE
        debug_print!("after");
        y
    };
    let line = include_str!("effects_of_the_host.rs").lines().position(|l| l.ends_with("// HERE")).unwrap()
        as u32
        + 1;
    let f = jit(broken);
    let (e, printed) = prints_of(|| f.try_call((s(1.0),)).unwrap_err());
    assert!(e.message().contains("wengert.callback") && e.message().contains("out of paper"), "{e}");
    assert_eq!((e.location().unwrap().line(), printed), (line, vec!["before".to_owned()]));
    // In a loop, and eagerly.
    let looped =
        jit(move |x: Tensor| scan(move |c: Tensor, _: Tensor| (broken(c), ()), x, Tensor::from([1, 2])).0);
    let e = looped.try_call((s(1.0),)).unwrap_err();
    assert_eq!(e.location().unwrap().line(), line);
    let text = said(|| drop(grad(broken)(s(1.0))));
    assert!(
        text.contains("out of paper") && text.contains(&format!("effects_of_the_host.rs:{line}")),
        "{text}"
    );
    // Wrong types.
    let f = jit(|x: Tensor| callback(|x: Tensor| x.astype(DType::F32), &x, (x.clone(),)));
    let e = f.try_call((s(1.0),)).unwrap_err();
    assert!(e.message().contains("it gave (tensor<f32>), and said to give (tensor<f64>)"), "{e}");
}

#[test]
fn files_and_texts() {
    // An object file cannot call this process.
    for (name, f) in [
        ("wengert.print", (|x| noted(x, "a")) as Of),
        ("@wengert.callback", |x| callback(|x: Tensor| x, &x, (x.clone(),))),
        ("wengert.assert", |x| {
            check!(x.greater(0.0), "no");
            x
        }),
    ] {
        let lowered = jit(f).trace((s(1.0),)).unwrap().lower().unwrap();
        let options = object::ObjectOptions {
            triple: "x86_64-unknown-linux-gnu".parse().unwrap(),
            cpu: object::Cpu::Common,
            symbol: "f".into(),
            calls: object::Calls::C,
        };
        let e = lowered.object(&options).unwrap_err();
        assert!(e.message().contains(name) && e.message().contains("object file"), "{e}");
    }
    // What is printed and asserted is in the text; a function of the host is not.
    let f = |x: Tensor| {
        debug_print!("x = {}, {{}}, \"{}\"", x, x.sin());
        check!(x.greater(0.0), "{} is not positive", x);
        sow("name", &x)
    };
    let text = jit(vmap(f)).trace((Tensor::from([1.0f64, -1.0]),)).unwrap().to_string();
    let again = Traced::parse(&text, None).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(again.to_string(), text);
    for program in [again.clone(), again.optimize().unwrap()] {
        let (out, printed) = prints_of(|| program.interpret(&[Tensor::from([1.0f64, -1.0])]));
        assert_eq!(printed, ["x = 1.0, {}, \"0.8414709848078965\"", "x = -1.0, {}, \"-0.8414709848078965\""]);
        let message = "-1.0 is not positive (example 1); at \"-\":";
        assert!(out.unwrap_err().message().starts_with(message));
    }
    let ordered = |x: Tensor| io_callback(|x: Tensor| x, &x, (x.clone(),));
    let text = jit(ordered).trace((s(1.0),)).unwrap().to_string();
    let e = Traced::parse(&text, None).unwrap().interpret(&[s(1.0)]).unwrap_err();
    assert!(e.message().contains("`@wengert.io_callback`, which is not known here"), "{e}");
}

#[test]
fn registered_functions() {
    ffi::register("tests.twice", |x: &[Tensor]| Ok(vec![&x[0] * 2.0])).unwrap();
    ffi::register("tests.fails", |_: &[Tensor]| Err("not today".into())).unwrap();
    let text = |target: &str| {
        format!(
            "func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> {{
               %0 = stablehlo.custom_call @{target}(%x) {{has_side_effect = true}} : (tensor<3xf64>) -> tensor<3xf64>
               return %0 : tensor<3xf64>
             }}"
        )
    };
    let x = || Tensor::from([1.0f64, 2.0, 3.0]);
    let program = Traced::parse(text("tests.twice"), None).unwrap();
    assert_eq!(program.interpret(&[x()]).unwrap()[0].to_vec::<f64>(), [2.0, 4.0, 6.0]);
    let compiled = program.lower().unwrap().compile().unwrap();
    assert_eq!(compiled.call(&[x()]).unwrap()[0].to_vec::<f64>(), [2.0, 4.0, 6.0]);
    let compiled = Traced::parse(text("tests.fails"), None).unwrap().lower().unwrap().compile().unwrap();
    assert!(compiled.call(&[x()]).unwrap_err().message().contains("not today"));
    let f =
        jit(vmap(|x: Tensor| ffi::call("tests.twice", &[&x], &[TensorType::scalar(DType::F64)]).remove(0)));
    assert_eq!(f(x()).to_vec::<f64>(), [2.0, 4.0, 6.0]);
    let e = Traced::parse(text("tests.unknown"), None).unwrap().lower().err().expect("refused");
    assert!(e.message().contains("tests.unknown"), "{e}");
}

/// Cached code knows no function: each program calls its own.
#[test]
fn code_in_files_calls_the_right_function() {
    let folder = std::env::temp_dir().join(format!("wengert-effects-{}", std::process::id()));
    let cache = CodeCache::open(&folder).expect("a folder of one's own");
    for k in 1..4 {
        let f = jit(move |x: Tensor| callback(move |x: Tensor| x * k as f64, &x, (x.clone(),)) + 1.0);
        assert_eq!(f.code_cache(&cache)(s(10.0)).item::<f64>(), 10.0 * k as f64 + 1.0);
    }
    let f = || jit(|x: Tensor| noted(x, "cached")).code_cache(&cache);
    assert_eq!(lines(|| (f()(s(1.0)), f()(s(1.0)))), ["cached 1.0", "cached 1.0"]);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn debug_callbacks_see_examples() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let f = {
        let seen = seen.clone();
        move |x: Tensor| {
            let seen = seen.clone();
            debug_callback(move |x: Tensor| seen.lock().unwrap().push(x.item::<f64>()), (x.clone(),));
            x
        }
    };
    jit(vmap(grad(f)))(Tensor::from([3.0f64, 1.0, 2.0]));
    assert_eq!(*seen.lock().unwrap(), [3.0, 1.0, 2.0]);
}
