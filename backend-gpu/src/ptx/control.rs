//! Loops and choices as labels and branches.

use super::Class;
use super::print::{Printer, class};
use wengert_ir::kernel::{Block, For, KValue, Scalar, WhileLoop};

impl Printer<'_> {
    /// Writes to several registers at once: what is read after it was written is kept first.
    fn assign(&mut self, targets: &[(String, Scalar)], sources: &[String]) {
        let mut sources = sources.to_vec();
        for k in 0..targets.len() {
            let is_read_later = sources[k + 1..].contains(&targets[k].0);
            if is_read_later && sources[k] != targets[k].0 {
                let kept = self.fresh(class(targets[k].1));
                self.copy(targets[k].1, &kept, &targets[k].0.clone());
                for source in &mut sources[k + 1..] {
                    if *source == targets[k].0 {
                        source.clone_from(&kept);
                    }
                }
            }
            if sources[k] != targets[k].0 {
                self.copy(targets[k].1, &targets[k].0.clone(), &sources[k].clone());
            }
        }
    }

    /// Registers of what a loop carries, with their first values.
    fn carried(&mut self, params: &[KValue], init: &[KValue]) -> Vec<(String, Scalar)> {
        let sources: Vec<String> = init.iter().map(|&v| self.name(v)).collect();
        let targets: Vec<_> = params.iter().map(|&p| (self.define(p), self.ty(p))).collect();
        self.assign(&targets, &sources);
        targets
    }

    pub(super) fn counted(&mut self, f: &For, init: &[KValue], results: &[KValue]) -> Result<(), String> {
        let (start, end) = (self.extent(f.start), self.extent(f.end));
        let counter = self.define(f.body.params[0]);
        let state = self.carried(&f.body.params[1..], init);
        let (head, done) = (self.label(), self.label());
        self.line(format!("mov.b64 {counter}, {start};"));
        let over = self.fresh(Class::Pred);
        self.place(&head);
        self.line(format!("setp.ge.s64 {over}, {counter}, {end};"));
        self.line(format!("@{over} bra {done};"));
        let yields = self.block(&f.body)?;
        self.assign(&state, &yields);
        self.line(format!("add.s64 {counter}, {counter}, {};", f.step));
        self.line(format!("bra {head};"));
        self.place(&done);
        self.rename(results, &state);
        Ok(())
    }

    pub(super) fn conditional(
        &mut self,
        w: &WhileLoop,
        init: &[KValue],
        results: &[KValue],
    ) -> Result<(), String> {
        let state = self.carried(&w.cond.params, init);
        self.rename(&w.body.params, &state);
        let (head, done) = (self.label(), self.label());
        self.place(&head);
        let goes_on = self.block(&w.cond)?;
        self.line(format!("@!{} bra {done};", goes_on[0]));
        let yields = self.block(&w.body)?;
        self.assign(&state, &yields);
        self.line(format!("bra {head};"));
        self.place(&done);
        self.rename(results, &state);
        Ok(())
    }

    pub(super) fn switch(
        &mut self,
        blocks: &[Block],
        index: KValue,
        results: &[KValue],
    ) -> Result<(), String> {
        let (x, wide) = (self.name(index), if self.ty(index) == Scalar::I64 { 64 } else { 32 });
        let targets: Vec<_> = results.iter().map(|&r| (self.define(r), self.ty(r))).collect();
        let done = self.label();
        for (k, block) in blocks.iter().enumerate() {
            let is_last = k + 1 == blocks.len();
            let next = if is_last { done.clone() } else { self.label() };
            if !is_last {
                let other = self.fresh(Class::Pred);
                self.line(format!("setp.ne.s{wide} {other}, {x}, {k};"));
                self.line(format!("@{other} bra {next};"));
            }
            let yields = self.block(block)?;
            self.assign(&targets, &yields);
            if !is_last {
                self.line(format!("bra {done};"));
                self.place(&next);
            }
        }
        self.place(&done);
        Ok(())
    }

    /// Lets values be what registers hold.
    fn rename(&mut self, values: &[KValue], registers: &[(String, Scalar)]) {
        for (&v, (register, _)) in values.iter().zip(registers) {
            self.names[v] = Some(register.clone());
        }
    }
}
