//! Loops and choices.

use super::print::{Printer, type_of};
use wengert_ir::kernel::{Block, For, KValue, WhileLoop};

impl Printer<'_> {
    /// Writes to several variables at once.
    fn assign(&mut self, targets: &[String], sources: &[String]) {
        let moves: Vec<(&String, &String)> = targets.iter().zip(sources).filter(|(t, s)| t != s).collect();
        if let [(target, source)] = moves[..] {
            return self.line(format!("{target} = {source};"));
        }
        let kept: Vec<String> = moves.iter().map(|(_, source)| self.keep(source)).collect();
        for ((target, _), kept) in moves.into_iter().zip(kept) {
            self.line(format!("{target} = {kept};"));
        }
    }

    fn carried(&mut self, params: &[KValue], init: &[KValue]) -> Vec<String> {
        let init: Vec<String> = init.iter().map(|&v| self.name(v)).collect();
        params.iter().zip(&init).map(|(&p, init)| self.variable(p, Some(init))).collect()
    }

    /// Lets results be what variables hold at the end of a loop: values from then on.
    fn results(&mut self, results: &[KValue], state: &[String]) {
        for (&r, variable) in results.iter().zip(state) {
            self.define(r, variable);
        }
    }

    pub(super) fn counted(&mut self, f: &For, init: &[KValue], results: &[KValue]) -> Result<(), String> {
        let (start, end) = (self.extent(f.start), self.extent(f.end));
        let state = self.carried(&f.body.params[1..], init);
        let counter = self.variable(f.body.params[0], Some(&start));
        self.open("loop");
        self.line(format!("if ({counter} >= {end}) {{ break; }}"));
        let yields = self.block(&f.body)?;
        self.assign(&state, &yields);
        self.line(format!("{counter} += {}li;", f.step));
        self.close();
        self.results(results, &state);
        Ok(())
    }

    pub(super) fn conditional(
        &mut self,
        w: &WhileLoop,
        init: &[KValue],
        results: &[KValue],
    ) -> Result<(), String> {
        let state = self.carried(&w.cond.params, init);
        for (&p, variable) in w.body.params.iter().zip(&state) {
            self.names[p] = Some(variable.clone());
        }
        self.open("loop");
        let goes_on = self.block(&w.cond)?;
        self.line(format!("if (!{}) {{ break; }}", goes_on[0]));
        let yields = self.block(&w.body)?;
        self.assign(&state, &yields);
        self.close();
        self.results(results, &state);
        Ok(())
    }

    pub(super) fn switch(
        &mut self,
        blocks: &[Block],
        index: KValue,
        results: &[KValue],
    ) -> Result<(), String> {
        let (x, suffix) = (self.name(index), if type_of(self.ty(index)) == "i64" { "li" } else { "u" });
        let targets: Vec<String> = results.iter().map(|&r| self.variable(r, None)).collect();
        for (k, block) in blocks.iter().enumerate() {
            if k + 1 == blocks.len() {
                self.open(if k == 0 { "if (true)" } else { "else" });
            } else {
                let text = format!("if ({x} == {k}{suffix})");
                self.open(&if k == 0 { text } else { format!("else {text}") });
            }
            let yields = self.block(block)?;
            self.assign(&targets, &yields);
            self.close();
        }
        Ok(())
    }
}
