//! Tapes in files: StableHLO text that a person can read, with a version.
//!
//! The text is a module of two functions. `@main` is the program, from the leaves of the arguments to those of the result; what it
//! captured are constants, and each guard is a `check.guard` with the line of the read. `@recorded` gives the arguments of the
//! recording; values of a tape follow from them and are not kept. Two comments in the head say what trees arguments and result are,
//! so that they are read again as the same. Reading checks everything and runs nothing.

use super::{Inner, Tape};
use crate::call::Args;
use crate::context::What;
use crate::error::Error;
use crate::import::Results;
use crate::outputs;
use crate::program::Traced;
use crate::tensor::Tensor;
use crate::tree::{self, Tree};
use crate::wengert_list::relative;
use std::fs;
use std::panic::Location;
use std::path::Path;
use std::sync::Arc;
use wengert_ir::array::Literal;
use wengert_ir::entity::Entity;
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use wengert_ir::op::{Constant, Op};
use wengert_ir::text;
use wengert_ir::types::TensorType;
use wengert_passes::refine;

/// How every file begins.
const HEADER: &str = "// wengert tape, version ";
/// The version that is written, and the only one that is read.
const VERSION: &str = "1";
/// Before the structure of the arguments, which has a line of its own.
const ARGUMENTS: &str = "// arguments ";
/// Before that of the result.
const RESULT: &str = "// result ";
/// The function that gives the arguments of the recording.
const RECORDED: &str = "recorded";
/// Most bytes of arguments that a text may stand for.
const MAX_BYTES: usize = 1 << 30;

impl<A: Args, R: Tree> Tape<A, R> {
    /// The tape as text that [`Tape::parse`] reads. Lines of files elsewhere on the machine are kept by the name of the file.
    ///
    /// ```
    /// use wengert::{Tensor, tape::Tape};
    /// let f = |x: Tensor| if x.less(0.0).item::<bool>() { -x } else { &x * &x };
    /// let (_, tape) = Tape::record(f, (Tensor::from(3.0f64),));
    /// let text = tape.to_text()?;
    /// assert!(text.starts_with("// wengert tape, version 1\n") && text.contains("check.guard"));
    /// let read = Tape::<(Tensor,), Tensor>::parse(&text)?;
    /// assert_eq!(read.replay((Tensor::from(5.0f64),))?.item::<f64>(), 25.0);
    /// assert!(read.replay((Tensor::from(-5.0f64),)).unwrap_err().is_guard());
    /// # Ok::<(), wengert::Error>(())
    /// ```
    ///
    /// Fails if the tape has no values to write: it was recorded under `jit`.
    pub fn to_text(&self) -> Result<String, Error> {
        let i = &self.inner;
        let (mut module, func) = (i.program.module.clone(), i.program.func);
        let old = module.get(func);
        for name in ["main", RECORDED] {
            rename(&mut module, name);
        }
        let mut main = Func::new("main", FuncKind::Public);
        let mut args: Vec<Value> = Vec::new();
        for (k, &p) in old.params.iter().enumerate() {
            args.push(match i.captures.get(k) {
                Some(capture) => {
                    let known = i.values.get(p.index()).cloned().flatten();
                    constant(&mut main, known.as_ref().unwrap_or(capture))?
                }
                None => main.param(old.ty(p).clone()),
            });
        }
        main.param_names = old.param_names.iter().skip(i.captures.len()).cloned().collect();
        main.results = main.inline(&old, &args);
        let mut recorded = Func::new(RECORDED, FuncKind::Private);
        let mut leaves = Vec::new();
        i.args.visit(&mut |t| leaves.push(t.clone()));
        recorded.results = leaves.iter().map(|t| constant(&mut recorded, t)).collect::<Result<_, _>>()?;
        module.funcs[func] = Arc::new(main);
        let recorded = module.add(recorded);
        let (mut module, _) = module.reachable(&[func, recorded]);
        module.name = "tape".into();
        for func in module.funcs.values_mut() {
            let func = Arc::make_mut(func);
            for inst in func.insts.values_mut() {
                if let Loc::Rust(l) = inst.loc {
                    let file = relative(l.file()).replace(['"', '\\'], "/");
                    inst.loc = Loc::Text(format!("\"{file}\":{}:{}", l.line(), l.column()).into());
                }
            }
        }
        let options = text::PrintOptions { locations: true, plain: false };
        let (args, result) = (structure(&i.args), structure(&i.skeleton));
        let head = format!("{HEADER}{VERSION}\n{ARGUMENTS}{args}\n{RESULT}{result}\n");
        Ok(head + &text::print(&module, &options))
    }

    /// Writes [`Tape::to_text`] to a file, whole or not at all.
    ///
    /// Fails as that does, or if the file cannot be written; what was there before stays as it was then.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        outputs::save(path.as_ref(), self.to_text()?.as_bytes())
    }

    /// A tape from text whose arguments and result are trees like these, of any types: structs, maps, nests. Of the examples,
    /// structure and types are looked at.
    ///
    /// ```
    /// use wengert::{Tensor, Tree, tape::Tape};
    /// #[derive(Clone, Tree)]
    /// struct Line { slope: Tensor, start: Tensor }
    /// let f = |l: Line, x: Tensor| Line { slope: &l.slope * &x, start: l.start + x };
    /// let at = |v: f64| Tensor::from(v);
    /// let args = (Line { slope: at(2.0), start: at(1.0) }, at(3.0));
    /// let (y, tape) = Tape::record(f, args.clone());
    /// let read = Tape::parse_like(&tape.to_text()?, &args, &y)?;
    /// assert_eq!(read.replay(args.clone())?.slope.item::<f64>(), 6.0);
    /// let error = Tape::parse_like(&tape.to_text()?, &args, &(at(0.0), at(0.0))).unwrap_err();
    /// assert_eq!(error.message(), "the tape has a result {.slope, .start}, and the example is {.0, .1}");
    /// # Ok::<(), wengert::Error>(())
    /// ```
    ///
    /// Fails as [`Tape::parse`] does, or if the tape was recorded with arguments or a result of another structure, or with leaves
    /// of other types. Nothing is run.
    #[track_caller]
    pub fn parse_like(text: &str, args: &A, result: &R) -> Result<Self, Error> {
        read_like(text, args, result, Location::caller())
    }

    /// A tape from a file that [`Tape::save`] wrote, whose arguments and result are trees like these: see [`Tape::parse_like`].
    ///
    /// Fails as that does, or if the file cannot be read.
    #[track_caller]
    pub fn load_like(path: impl AsRef<Path>, args: &A, result: &R) -> Result<Self, Error> {
        let (path, at) = (path.as_ref(), Location::caller());
        let text = fs::read_to_string(path).map_err(|e| in_file(path, e))?;
        read_like(&text, args, result, at).map_err(|e| in_file(path, e.message()))
    }
}

impl<A: Args + Results, R: Results> Tape<A, R> {
    /// A tape from text. Its arguments and its result are tensors, or tuples, arrays or `Vec`s of tensors, whose leaves in order
    /// are those of the tape; [`Tape::parse_like`] reads tapes of other trees.
    ///
    /// Fails, with line and column where there are any, if the text is not a tape, is of another version, or is malformed, or if
    /// the tape has other numbers of leaves than the types. Nothing is run.
    #[track_caller]
    pub fn parse(text: &str) -> Result<Self, Error> {
        read(text, Location::caller())
    }

    /// A tape from a file that [`Tape::save`] wrote.
    ///
    /// Fails as [`Tape::parse`] does, or if the file cannot be read.
    #[track_caller]
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        let (path, at) = (path.as_ref(), Location::caller());
        let text = fs::read_to_string(path).map_err(|e| in_file(path, e))?;
        read(&text, at).map_err(|e| in_file(path, e.message()))
    }
}

fn refuse<T>(message: impl Into<String>) -> Result<T, Error> {
    Err(Error::new(message, None))
}

/// What went wrong with a file.
fn in_file(path: &Path, what: impl std::fmt::Display) -> Error {
    Error::new(format!("{}: {what}", path.display()), None)
}

/// The structure of a tree in one line: the paths to its leaves, and a number that stands for lengths, variants and static
/// values.
fn structure<T: Tree>(tree: &T) -> String {
    let structure = tree::structure(tree);
    let shown = structure.to_string().replace(['\n', '\r'], " ");
    format!("{shown} {:016x}", structure.fingerprint())
}

fn read_like<A: Args, R: Tree>(
    text: &str,
    args: &A,
    result: &R,
    at: &'static Location<'static>,
) -> Result<Tape<A, R>, Error> {
    let File { mut program, inputs } = File::read(text)?;
    let head = text.lines().take_while(|line| line.starts_with("//"));
    let said = |prefix| head.clone().find_map(|line| line.strip_prefix(prefix));
    same_structure("arguments", said(ARGUMENTS), args)?;
    same_structure("a result", said(RESULT), result)?;
    same_types("argument", &args.leaf_names(), &tree::types(args), &program.param_types())?;
    same_types("result", &tree::paths(result), &tree::types(result), &program.result_types())?;
    // Names with quotes in them, as keys of maps have, are not read from text.
    Arc::make_mut(&mut program.module.funcs[program.func]).param_names = args.leaf_names();
    let args = tree::with_leaves(args, inputs);
    let skeleton = result.map(&mut |_| Tensor::from(0f32));
    Ok(tape(program, args, skeleton, at))
}

/// Fails if a tree has not the structure that a tape says; one that was written before tapes said it is known by its leaves.
fn same_structure<T: Tree>(what: &str, said: Option<&str>, example: &T) -> Result<(), Error> {
    let (Some(said), found) = (said, structure(example)) else { return Ok(()) };
    if said == found {
        return Ok(());
    }
    let shown = |line: &str| line.rsplit_once(' ').map_or(line, |(paths, _)| paths).to_owned();
    let (said, found) = (shown(said), shown(&found));
    let more = if said == found { ", with other lengths, variants or static values" } else { "" };
    refuse(format!("the tape has {what} {said}, and the example is {found}{more}"))
}

/// Fails if leaves have other types than those of a tape, or another number.
fn same_types(
    what: &str,
    names: &[String],
    found: &[TensorType],
    wanted: &[TensorType],
) -> Result<(), Error> {
    if found.len() != wanted.len() {
        return refuse(format!(
            "the {what}s of the tape have {} leaves, those of the example {}",
            wanted.len(),
            found.len()
        ));
    }
    match found.iter().zip(wanted).position(|(found, wanted)| found != wanted) {
        None => Ok(()),
        Some(k) => {
            let leaf = match names.get(k).filter(|name| !name.is_empty()) {
                Some(name) => format!("{what} `{name}`"),
                None => format!("the {what}"),
            };
            refuse(format!("{leaf} is {} in the tape and {} in the example", wanted[k], found[k]))
        }
    }
}

/// What is in a file.
struct File {
    program: Traced,
    /// The arguments of the recording, of the types that the program takes.
    inputs: Vec<Tensor>,
}

impl File {
    fn read(text: &str) -> Result<Self, Error> {
        let first = text.lines().next().unwrap_or_default();
        match first.strip_prefix(HEADER) {
            Some(VERSION) => {}
            Some(other) => {
                return refuse(format!("a tape of version {other}; this program reads version {VERSION}"));
            }
            None => return refuse(format!("not a tape: it does not begin with `{HEADER}{VERSION}`")),
        }
        let module = text::parse(text).map_err(|e| Error::new(e.to_string(), None))?;
        let Some(recorded) = module.find(RECORDED) else {
            return refuse(format!(
                "not a tape: it has no function @{RECORDED} that gives the recorded arguments"
            ));
        };
        let inputs = constants(&module, recorded)?;
        let program = Traced::of_module(module, "main")?;
        if refine::is_open(&program.module, program.func) {
            return refuse("the program of a tape has sizes that are not known");
        }
        let types = program.param_types();
        let given: Vec<_> = inputs.iter().map(|l| l.ty().clone()).collect();
        if given != types {
            let list = |ts: &[TensorType]| ts.iter().map(|t| t.to_string()).collect::<Vec<_>>().join(", ");
            let (given, taken) = (list(&given), list(&types));
            return refuse(format!("@{RECORDED} gives ({given}), and @main takes ({taken})"));
        }
        let bytes = types.iter().try_fold(0usize, |sum, ty| sum.checked_add(ty.checked_bytes()?));
        if bytes.is_none_or(|bytes| bytes > MAX_BYTES) {
            return refuse(format!("the recorded arguments have more than {MAX_BYTES} bytes"));
        }
        let inputs = inputs.iter().map(|l| Tensor::from_array(l.to_array())).collect();
        Ok(Self { program, inputs })
    }
}

fn read<A: Args + Results, R: Results>(
    text: &str,
    at: &'static Location<'static>,
) -> Result<Tape<A, R>, Error> {
    let File { program, inputs } = File::read(text)?;
    let counts = (inputs.len(), program.result_types().len());
    let make = "which do not make a";
    let Some(args) = A::from_leaves(inputs) else {
        return refuse(format!("the tape has {} arguments, {make} {}", counts.0, short_name::<A>()));
    };
    let Some(skeleton) = R::from_leaves((0..counts.1).map(|_| Tensor::from(0f32)).collect()) else {
        return refuse(format!("the tape has {} results, {make} {}", counts.1, short_name::<R>()));
    };
    Ok(tape(program, args, skeleton, at))
}

fn tape<A: Args, R: Tree>(
    program: Traced,
    args: A,
    skeleton: R,
    at: &'static Location<'static>,
) -> Tape<A, R> {
    let what = What { name: "tape", at };
    Tape::new(Inner { what, program, captures: Vec::new(), args, skeleton, values: Vec::new() })
}

fn short_name<T>() -> String {
    std::any::type_name::<T>().replace("wengert::tensor::", "")
}

/// What a function of nothing but constants gives.
fn constants(module: &Module, func: FuncId) -> Result<Vec<Literal>, Error> {
    let func = module.get(func);
    if !func.params.is_empty() || func.insts.values().any(|i| !matches!(i.op, Op::Constant(_))) {
        return refuse(format!("@{RECORDED} may only give constants"));
    }
    Ok(func.results.iter().map(|&r| func.constant(r).expect("there is nothing else").clone()).collect())
}

fn constant(func: &mut Func, t: &Tensor) -> Result<Value, Error> {
    let Some(array) = t.array() else {
        return refuse(
            "the tape was recorded under `jit` or of values that a transform has not, so there is nothing to write for them",
        );
    };
    let (value, ty) = (Literal::from_array(&array), array.ty().clone());
    Ok(func.push_typed(Constant { value }.into(), &[], [ty.into()], Loc::Unknown)[0])
}

/// Gives a function that has this name another one.
fn rename(module: &mut Module, name: &str) {
    while let Some(id) = module.find(name) {
        let fresh = module.fresh_name(name);
        Arc::make_mut(&mut module.funcs[id]).name = fresh;
    }
}
