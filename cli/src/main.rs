//! The `wengert` command: runs, differentiates, inspects and times StableHLO programs.

mod args;
mod arrays;
mod bench;
mod build;
mod check;
mod devices;
mod emit;
mod files;
mod opt;
mod out;
mod run;

use clap::Parser;
use out::outln;
use std::io::BufRead;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// A failure, in one line (or a few, when it shows source text).
pub(crate) type Result<T> = std::result::Result<T, String>;

/// Bytes of stack: programs nest, and what reads, prints and changes them recurses. They are taken only as they are used.
const STACK: usize = 1 << 28;

fn main() -> ExitCode {
    let work = || out::flush(dispatch(std::env::args_os()));
    let status = match std::thread::Builder::new().stack_size(STACK).spawn(work) {
        // A panic has been printed.
        Ok(thread) => thread.join().unwrap_or(101),
        Err(e) => {
            out::fail(&format!("no thread: {e}"));
            1
        }
    };
    ExitCode::from(status)
}

/// Runs one command line: 0 on success, 1 on failure, 2 for wrong usage.
fn dispatch(words: impl IntoIterator<Item = std::ffi::OsString>) -> u8 {
    let cli = match args::Cli::try_parse_from(words) {
        Ok(cli) => cli,
        Err(e) => {
            let status = if e.use_stderr() { 2 } else { 0 };
            return match e.print() {
                Err(e) if status == 0 => out::unwritten(&e),
                Err(_) | Ok(()) => status,
            };
        }
    };
    let result = match &cli.command {
        args::Command::Run(a) => run::run(a),
        args::Command::Grad(a) => run::grad(a),
        args::Command::Vjp(a) => run::vjp(a),
        args::Command::Jvp(a) => run::jvp(a),
        args::Command::Jet(a) => run::jet(a),
        args::Command::Opt(a) => opt::opt(a),
        args::Command::Emit(a) => emit::emit(a),
        args::Command::Explain(a) => emit::explain(a),
        args::Command::Build(a) => build::build(a),
        args::Command::Bench(a) => bench::bench(a),
        args::Command::Check(a) => check::check(a),
        args::Command::Devices => devices::devices(),
        args::Command::Loop => serve(),
    };
    match result {
        Ok(()) => 0,
        Err(message) => {
            out::fail(&message);
            1
        }
    }
}

/// Reads command lines from standard input and answers each with its exit status.
fn serve() -> Result<()> {
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|e| format!("standard input: {e}"))?;
        let words = split_words(&line);
        let words = std::iter::once("wengert".to_owned()).chain(words).map(Into::into);
        // One line that panics, which has been printed, is not the end of the others.
        let status = catch_unwind(AssertUnwindSafe(|| dispatch(words))).unwrap_or(101);
        outln!("{status}");
    }
    Ok(())
}

/// Splits as a shell does: blanks separate, single and double quotes and backslashes keep.
fn split_words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut open, mut started) = (Vec::new(), String::new(), None, false);
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (open, c) {
            (Some(q), c) if c == q => open = None,
            (Some('"') | None, '\\') => {
                word.extend(chars.next());
                started = true;
            }
            (Some(_), c) => word.push(c),
            (None, '\'' | '"') => {
                open = Some(c);
                started = true;
            }
            (None, c) if c.is_whitespace() => {
                if started || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                started = false;
            }
            (None, c) => word.push(c),
        }
    }
    if started || !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_split_as_in_a_shell() {
        assert_eq!(super::split_words(r#"run 'a b' "c d" e\ f '' g"#), ["run", "a b", "c d", "e f", "", "g"]);
    }
}
