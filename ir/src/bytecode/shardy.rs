//! The text of Shardy's attributes (`sdy`): meshes of devices and how arrays lie on them. Facts of Shardy's `bytecode.td`.

use super::cursor::{Cursor, Res};
use super::entries::{Attr, Entries};
use super::spell::write_bytes;
use std::fmt::Write;

/// What stands around an attribute where it is not part of another, by code.
const AROUND: [(&str, &str); 18] = [
    ("#sdy<manual_axes", ">"),
    ("", ""),
    ("#sdy.mesh<", ">"),
    ("#sdy.sub_axis_info<", ">"),
    ("#sdy.axis_ref<", ">"),
    ("#sdy.dim_sharding<", ">"),
    ("#sdy.sharding<", ">"),
    ("#sdy.sharding_per_value<[", "]>"),
    ("#sdy.dim_mapping<", ">"),
    ("#sdy.tensor_mapping<", ">"),
    ("#sdy.op_sharding_rule<", ">"),
    ("#sdy.axis_ref_list<", ">"),
    ("#sdy.list_of_axis_ref_lists<[", "]>"),
    ("#sdy.all_to_all_param<", ">"),
    ("#sdy.all_to_all_param_list<[", "]>"),
    ("#sdy.sharding<", ">"),
    ("#sdy.sharding_per_value<[", "]>"),
    ("#sdy.sharding<", ">"),
];

/// What devices add up with, by number.
const REDUCTIONS: &[&str] = &["sum", "max", "min", "and", "or"];

/// The letters that factors of a rule have: i to z, then numbers.
fn factor(n: i64) -> String {
    match u8::try_from(n) {
        Ok(n) if n < 18 => char::from(b'i' + n).to_string(),
        _ => format!("z_{}", n.saturating_sub(17)),
    }
}

impl<'b> Entries<'b> {
    /// Writes an attribute of Shardy; `depth` is how deep it stands in other attributes.
    pub(super) fn shardy(&mut self, out: &mut String, mut c: Cursor<'b>, depth: usize) -> Res<()> {
        let code = c.clone().index()?;
        let Some((before, after)) = AROUND.get(code) else {
            return c.fail(format!("Shardy has no attribute of code {code} yet"));
        };
        out.push_str(before);
        self.shardy_inside(out, &mut c, depth)?;
        out.push_str(after);
        Ok(())
    }

    /// What stands in an attribute of Shardy.
    fn shardy_inside(&mut self, out: &mut String, c: &mut Cursor<'b>, depth: usize) -> Res<()> {
        self.check_depth(depth)?;
        let from = out.len();
        match c.index()? {
            0 | 11 => self.shardy_list(out, c, ["{", "}"], depth)?,
            1 => {
                self.shardy_string(out, c)?;
                let _ = write!(out, "={}", c.signed()?);
            }
            2 => {
                self.shardy_list(out, c, ["[", "]"], depth)?;
                let devices = c.list(Cursor::signed)?;
                if !devices.is_empty() {
                    let _ = write!(out, ", device_ids={devices:?}");
                }
            }
            3 => {
                let _ = write!(out, ":({}){}", c.signed()?, c.signed()?);
            }
            4 => {
                self.shardy_string(out, c)?;
                if let (k, true) = c.flagged()? {
                    self.shardy_part(out, k, depth)?;
                }
            }
            5 => {
                self.shardy_list(out, c, ["{", ""], depth)?;
                if c.byte()? == 0 {
                    out.push_str(if out.ends_with('{') { "?" } else { ", ?" });
                }
                out.push('}');
                if let (priority, true) = c.flagged()? {
                    let _ = write!(out, "p{priority}");
                }
            }
            code @ (6 | 15 | 17) => {
                let mesh = c.index()?;
                self.shardy_part(out, mesh, depth)?;
                out.push_str(", ");
                self.shardy_list(out, c, ["[", "]"], depth)?;
                self.shardy_list_if(out, c, ", replicated={", depth)?;
                if code != 6 {
                    self.shardy_list_if(out, c, ", unreduced={", depth)?;
                }
                if code == 17 {
                    let reduction = c.signed()?;
                    let word = usize::try_from(reduction).ok().and_then(|k| REDUCTIONS.get(k));
                    let _ = write!(out, ", reduction={}", word.unwrap_or(&"other"));
                }
            }
            7 | 16 => self.shardings(out, c, depth)?,
            8 => c.list(Cursor::signed)?.into_iter().for_each(|n| out.push_str(&factor(n))),
            9 => self.shardy_list(out, c, ["[", "]"], depth)?,
            10 => self.sharding_rule(out, c, depth)?,
            12 | 14 => self.shardy_list(out, c, ["", ""], depth)?,
            13 => {
                self.shardy_list(out, c, ["{", "}"], depth)?;
                let _ = write!(out, ": {}->{}", c.signed()?, c.signed()?);
            }
            code => return c.fail(format!("Shardy has no attribute of code {code} yet")),
        }
        c.end("an attribute of Shardy")?;
        self.spend(out.len() - from)
    }

    fn shardy_string(&self, out: &mut String, c: &mut Cursor<'b>) -> Res<()> {
        write_bytes(out, self.string(c)?);
        Ok(())
    }

    /// An attribute in another: of Shardy's, without what stands around it.
    fn shardy_part(&mut self, out: &mut String, k: usize, depth: usize) -> Res<()> {
        match self.attribute(k)? {
            Attr::Shardy(mut c) => self.shardy_inside(out, &mut c, depth + 1),
            _ => self.attribute_in(out, k, depth + 1),
        }
    }

    fn shardy_list(
        &mut self,
        out: &mut String,
        c: &mut Cursor<'b>,
        [open, close]: [&str; 2],
        depth: usize,
    ) -> Res<()> {
        out.push_str(open);
        for (k, item) in c.list(Cursor::index)?.into_iter().enumerate() {
            out.push_str(if k > 0 { ", " } else { "" });
            self.shardy_part(out, item, depth)?;
        }
        out.push_str(close);
        Ok(())
    }

    /// A list after a word, if there is one.
    fn shardy_list_if(&mut self, out: &mut String, c: &mut Cursor<'b>, open: &str, depth: usize) -> Res<()> {
        let from = out.len();
        self.shardy_list(out, c, [open, "}"], depth)?;
        if out.len() == from + open.len() + 1 {
            out.truncate(from);
        }
        Ok(())
    }

    /// `<@mesh, [{"x"}]>, <@mesh, [{}]>`.
    fn shardings(&mut self, out: &mut String, c: &mut Cursor<'b>, depth: usize) -> Res<()> {
        for (k, item) in c.list(Cursor::index)?.into_iter().enumerate() {
            out.push_str(if k > 0 { ", <" } else { "<" });
            self.shardy_part(out, item, depth)?;
            out.push('>');
        }
        Ok(())
    }

    /// `([i, j])->([k, l], []) {i=3, j=3, k=3, l=3}, custom`.
    fn sharding_rule(&mut self, out: &mut String, c: &mut Cursor<'b>, depth: usize) -> Res<()> {
        let sizes = c.list(Cursor::signed)?;
        self.shardy_list(out, c, ["(", ")"], depth)?;
        self.shardy_list(out, c, ["->(", ")"], depth)?;
        for (k, size) in sizes.iter().enumerate() {
            let open = if k > 0 { ", " } else { " {" };
            let _ = write!(out, "{open}{}={size}", factor(k as i64));
        }
        out.push_str(if sizes.is_empty() { "" } else { "}" });
        for word in ["reduction", "need_replication", "permutation", "blocked_propagation"] {
            let factors: Vec<String> = c.list(Cursor::signed)?.into_iter().map(factor).collect();
            if !factors.is_empty() {
                let _ = write!(out, " {word}={{{}}}", factors.join(", "));
            }
        }
        out.push_str(if c.byte()? != 0 { ", custom" } else { "" });
        Ok(())
    }
}
