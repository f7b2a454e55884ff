//! Attributes of several fields: `#stablehlo.dot<lhs_batching_dimensions = [0], ...>`. What their fields ask of each
//! other.

use super::attr::{Dict, Value};
use super::fields::fields_of;
use super::parser::{Parser, Res};

/// Ways to multiply that some hardware has: the types that operands are rounded to, that of sums, and how many products are
/// taken. All of one component each.
const ALGORITHMS: &[([&str; 3], &[i64])] = &[
    (["f16", "f16", "f16"], &[1]),
    (["f16", "f16", "f32"], &[1]),
    (["bf16", "bf16", "bf16"], &[1]),
    (["bf16", "bf16", "f32"], &[1, 3, 6, 9]),
    (["tf32", "tf32", "f32"], &[1, 3]),
    (["f32", "f32", "f32"], &[1]),
    (["f64", "f64", "f64"], &[1]),
];

impl<'s> Parser<'s> {
    /// Checks the fields of an attribute that stands at `at`.
    pub(super) fn check_struct(&self, name: &str, fields: &Dict<'s>, at: usize) -> Res<()> {
        let known = fields_of(name).unwrap_or_default();
        for (k, (field, place)) in fields.names().enumerate() {
            if !known.contains(&field) {
                let list = known.join("`, `");
                return self.fail_at(place, format!("`#{name}` has no `{field}`; it has `{list}`"));
            }
            if fields.names().take(k).any(|f| f.0 == field) {
                return self.fail_at(place, format!("`{field}` is there twice"));
            }
        }
        match name {
            "stablehlo.dot_algorithm" => self.check_algorithm(fields, at),
            "stablehlo.result_accuracy" => self.check_accuracy(fields, at),
            _ => Ok(()),
        }
    }

    /// The text of a field's value.
    fn field(&self, fields: &Dict<'s>, name: &str) -> String {
        let text = fields.source(self.src(), name);
        text.split_once('=').map_or(String::new(), |t| t.1.trim().to_owned())
    }

    fn check_algorithm(&self, fields: &Dict<'s>, at: usize) -> Res<()> {
        let count = |name: &str| match fields.get(name) {
            Some((&Value::Int(n), _)) => n,
            _ => 0,
        };
        let counts = [
            ("lhs_component_count", "C22"),
            ("rhs_component_count", "C23"),
            ("num_primitive_operations", "C24"),
        ];
        for (name, label) in counts {
            if count(name) <= 0 {
                let message = format!("stablehlo.dot_general: `{name}` must be above zero ({label})");
                return self.fail_at(at, message);
            }
        }
        let types = ["lhs_precision_type", "rhs_precision_type", "accumulation_type"];
        let types = types.map(|name| self.field(fields, name));
        let imprecise = matches!(fields.get("allow_imprecise_accumulation"), Some((Value::Bool(true), _)));
        let products = count("num_primitive_operations");
        let listed =
            ALGORITHMS.iter().any(|(t, n)| *t == types.each_ref().map(|t| &t[..]) && n.contains(&products));
        // Of 8-bit floats any two, to any sum.
        let eight = types[0].starts_with("f8") && types[1].starts_with("f8") && products == 1;
        let sums = ["f8", "f16", "bf16", "f32"].iter().any(|s| types[2].starts_with(s));
        let simple = count("lhs_component_count") == 1 && count("rhs_component_count") == 1;
        if simple && (listed && !imprecise || eight && sums) {
            return Ok(());
        }
        let [lhs, rhs, sum] = &types;
        let message = format!(
            "stablehlo.dot_general: no hardware is known to multiply {lhs} by {rhs} into {sum} in {products} products of {} \
             and {} components{} (C21)",
            count("lhs_component_count"),
            count("rhs_component_count"),
            if imprecise { ", summed imprecisely" } else { "" }
        );
        self.fail_at(at, message)
    }

    /// Only a tolerance that is asked for has numbers.
    fn check_accuracy(&self, fields: &Dict<'s>, at: usize) -> Res<()> {
        let mode = self.field(fields, "mode");
        let word = mode.split_once('<').map_or(&mode[..], |m| m.1.trim_end_matches('>').trim());
        let zero = |name: &str| match fields.get(name) {
            None | Some((Value::Int(0), _)) => true,
            Some((&Value::Float(v), _)) => v == 0.0,
            Some(_) => false,
        };
        if word != "TOLERANCE" && !(zero("atol") && zero("rtol") && zero("ulps")) {
            let message = format!("the tolerances of a `result_accuracy` with mode {word} must be zero");
            return self.fail_at(at, message);
        }
        Ok(())
    }
}
