//! What a program says of the parameters and results of its entry, beside its module.

use crate::entity::Entity;
use crate::func::{FuncId, Module, Value};
use crate::sharding::Sharding;
use std::sync::Arc;

/// Attributes by name, as text. Shared, as the parts of a tuple have the same.
pub type Attributes = Arc<[(String, String)]>;

/// The attribute that says how an array lies on a mesh of devices.
pub(crate) const SHARDING: &str = "sdy.sharding";

/// The attributes of what the entry of a program ([`Module::entry`]) takes and gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interface {
    /// The entry.
    pub func: FuncId,
    /// Those of each of its parameters: `tf.aliasing_output` or `jax.buffer_donor` of what is given away, shardings. The parts
    /// of a tuple, which are parameters of their own, have those of the tuple.
    pub params: Vec<Attributes>,
    /// Those of each result: `jax.result_info`.
    pub results: Vec<Attributes>,
    /// How values of the entry lie on a mesh of several devices, in order, where the program wants it so
    /// (`sdy.sharding_constraint`); several are of one value, of which the last one holds.
    pub lying: Vec<(Value, Sharding)>,
}

/// What functions of a text say of how values of theirs lie, with the names of the functions.
pub(crate) type Lying = Vec<(String, Value, Sharding)>;

impl Interface {
    /// Attributes of this function of a module; empty lists say nothing of any parameter or result.
    ///
    /// # Errors
    ///
    /// Lists that are longer or shorter than what the function takes or gives.
    pub(crate) fn new(
        module: &Module,
        func: FuncId,
        params: Vec<Attributes>,
        results: Vec<Attributes>,
        lying: Lying,
    ) -> Result<Self, String> {
        let entry = module.get(func);
        let fitted = |mut list: Vec<Attributes>, n: usize, what: &str| {
            if list.is_empty() {
                list.resize(n, Attributes::default());
            }
            if list.len() != n {
                let name = &entry.name;
                return Err(format!("`@{name}` has {n} {what}, and attributes of {}", list.len()));
            }
            Ok(list)
        };
        let params = fitted(params, entry.params.len(), "parameters")?;
        let results = fitted(results, entry.results.len(), "results")?;
        let own = lying
            .into_iter()
            .filter(|(name, value, _)| *name == entry.name && value.index() < entry.values.len());
        let lying = own.map(|(_, value, sharding)| (value, sharding)).collect();
        Ok(Interface { func, params, results, lying })
    }

    /// The kind of memory that a program wants a parameter or result in, of whose attributes this is: `pinned_host`, say.
    pub fn memory_kind(attributes: &Attributes) -> Option<&str> {
        Self::named(attributes, "mhlo.memory_kind")
    }

    /// How a program wants the dimensions of a parameter or result to lie in memory, of whose attributes this is: `default`,
    /// `auto`, or the dimensions from the innermost outwards, `{0,1}`.
    pub fn layout(attributes: &Attributes) -> Option<&str> {
        Self::named(attributes, "mhlo.layout_mode")
    }

    /// The text that an attribute is.
    fn named<'a>(attributes: &'a Attributes, name: &str) -> Option<&'a str> {
        attributes.iter().find(|(n, _)| n == name).map(|(_, value)| value.trim_matches('"'))
    }

    /// The text of how a parameter or result lies on a mesh of devices, of whose attributes this is, if they say it: what
    /// [`text::sharding`](crate::text::sharding) reads.
    pub fn sharding(attributes: &Attributes) -> Option<&str> {
        attributes.iter().find(|(name, _)| name == SHARDING).map(|(_, text)| &text[..])
    }

    /// The parameters whose memory a caller gives away with a call.
    pub fn donors(&self) -> impl Iterator<Item = usize> {
        let gives = |(name, value): &(String, String)| {
            name == "tf.aliasing_output" || name == "jax.buffer_donor" && value == "true"
        };
        self.params.iter().enumerate().filter(move |(_, list)| list.iter().any(gives)).map(|(k, _)| k)
    }
}
