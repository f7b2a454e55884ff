//! What an operation of StableHLO by which devices communicate says, out of the attributes that it is kept with.

use super::collectives::matrix_of;
use crate::op::Foreign;
use crate::sharding::{Communication, Exchange};
use crate::text::attr::Value as Attr;
use crate::text::parser::Parser;

/// Reads what an operation says that is kept as it is written; nothing if devices do not communicate by it.
///
/// # Errors
///
/// Attributes that it must have and has not, and groups of different sizes but for [`Exchange::AllReduce`].
pub fn communication(op: &Foreign) -> Result<Option<Communication>, String> {
    let Some(short) = op.name.strip_prefix("stablehlo.") else { return Ok(None) };
    let text = format!("{{{}}}", op.attributes);
    let attributes = || Parser::new(&text).dict().map_err(|e| e.message);
    let dimension = |name: &str| {
        let found = attributes()?.int(name).and_then(|n| usize::try_from(n).ok());
        found.ok_or_else(|| format!("`{}` needs the attribute `{name}`, a dimension", op.name))
    };
    let exchange = match short {
        "all_gather" => Exchange::AllGather { dim: dimension("all_gather_dim")? },
        "all_reduce" => Exchange::AllReduce,
        "all_to_all" => Exchange::AllToAll {
            split: dimension("split_dimension")?,
            concat: dimension("concat_dimension")?,
        },
        "collective_broadcast" => Exchange::Broadcast,
        "collective_permute" => Exchange::Permute,
        "reduce_scatter" => Exchange::ReduceScatter { dim: dimension("scatter_dimension")? },
        _ => return Ok(None),
    };
    let name = if exchange == Exchange::Permute { "source_target_pairs" } else { "replica_groups" };
    let attributes = attributes()?;
    // No pairs and no groups are empty lists, which are left out where a program is read from bytecode.
    let is_empty = match attributes.get(name) {
        Some((Attr::Dense(all), _)) => all.ty().shape.contains(&0),
        Some(_) => false,
        None => true,
    };
    let found = matrix_of(&attributes, name).flatten().or(is_empty.then(|| ([0, 0], Vec::new())));
    let Some(([_, length], all)) = found else {
        return Err(format!("`{}` needs `{name}`, a matrix of integers", op.name));
    };
    // A group that is shorter than others is filled with -1.
    let group = |ids: &[i64]| ids.iter().filter_map(|&id| usize::try_from(id).ok()).collect();
    let groups: Vec<Vec<usize>> = all.chunks(length.max(1)).map(group).collect();
    if groups.iter().any(|group| group.len() != length) && exchange != Exchange::AllReduce {
        return Err(format!("`{}` has groups of different sizes", op.name));
    }
    Ok(Some(Communication { exchange, groups }))
}
