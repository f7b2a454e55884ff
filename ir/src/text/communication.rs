//! What an operation of StableHLO by which devices communicate says, out of the attributes that it is kept with.

use super::attr::Value as Attr;
use super::ops::matrix_of;
use super::parser::Parser;
use crate::op::Foreign;
use crate::sharding::{Communication, Exchange};

/// [`Communication::of`].
pub(crate) fn communication(op: &Foreign) -> Result<Option<Communication>, String> {
    let short = op.name.strip_prefix("stablehlo.").unwrap_or_default();
    let text = format!("{{{}}}", op.attributes);
    let mut parser = Parser::new(&text);
    let known = [
        "all_gather",
        "all_reduce",
        "all_to_all",
        "collective_broadcast",
        "collective_permute",
        "reduce_scatter",
    ];
    if !known.contains(&short) {
        return Ok(None);
    }
    let attributes = parser.dict().map_err(|e| e.message)?;
    let dimension = |name: &str| match attributes.get(name) {
        Some((&Attr::Int(n), _)) => usize::try_from(n).map_err(|_| format!("`{name}` is negative")),
        _ => Err(format!("`{}` needs the attribute `{name}`", op.name)),
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
        _ => Exchange::ReduceScatter { dim: dimension("scatter_dimension")? },
    };
    let name = if exchange == Exchange::Permute { "source_target_pairs" } else { "replica_groups" };
    let Some(Some(([_, length], all))) = matrix_of(&attributes, name) else {
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
