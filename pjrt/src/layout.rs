//! In which order the dimensions of an array lie in memory. Arrays have neither tiles nor gaps, so that is all that a layout says;
//! its text is XLA's, the innermost dimension first: `{1,0}` is row-major.

use crate::blob;
use crate::error::{Done, Failure};
use crate::ffi::*;
use crate::handles::{self, objects};
use crate::strides;
use std::ops::Deref;
use std::sync::Arc;
use wengert::TensorType;

objects! { Layout as PJRT_Layouts_MemoryLayout = 10 "layout"; }

/// The dimensions of an array from the innermost outwards.
#[derive(Clone, Debug)]
pub(crate) enum Order {
    /// The last dimension is the innermost, and so on: a list that is always there, as nearly every array has it.
    RowMajor(&'static [i64]),
    Other(Arc<[i64]>),
}

/// The first so many dimensions in descending order are the end of this.
static DESCENDING: [i64; 64] = {
    let (mut order, mut k) = ([0; 64], 0);
    while k < 64 {
        order[k] = 63 - k as i64;
        k += 1;
    }
    order
};

impl Deref for Order {
    type Target = [i64];
    fn deref(&self) -> &[i64] {
        match self {
            Order::RowMajor(list) => list,
            Order::Other(list) => list,
        }
    }
}

impl PartialEq for Order {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Order {}

impl Order {
    /// That of row-major arrays of a rank.
    pub(crate) fn row_major(rank: usize) -> Self {
        match DESCENDING.len().checked_sub(rank) {
            Some(from) => Order::RowMajor(&DESCENDING[from..]),
            None => Order::Other((0..rank as i64).rev().collect()),
        }
    }

    /// The order that a list says, of an array of so many dimensions. Fails if it does not have each of them once.
    pub(crate) fn new(innermost_first: &[i64], rank: usize) -> Done<Self> {
        let row_major = Self::row_major(rank);
        if *innermost_first == *row_major {
            return Ok(row_major);
        }
        let mut sorted = innermost_first.to_vec();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(0..rank as i64) {
            return Err(Failure::invalid(format!("no order of {rank} dimensions: {innermost_first:?}")));
        }
        Ok(Order::Other(innermost_first.into()))
    }

    /// The order that a text of XLA's says: `{0,1}`, maybe with the bits of an element (`{0,1:E(4)}`), which lie here as they always do.
    pub(crate) fn parse(text: &str, rank: usize) -> Done<Self> {
        let malformed = || Failure::invalid(format!("no layout of {rank} dimensions: {text:?}"));
        let inner = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).ok_or_else(malformed)?;
        let (list, rest) = inner.split_once(':').unwrap_or((inner, ""));
        let bits = rest.strip_prefix("E(").and_then(|rest| rest.strip_suffix(')'));
        if !rest.is_empty() && bits.is_none_or(|bits| bits.parse::<u8>().is_err()) {
            return Err(Failure::unimplemented(format!(
                "the layout {text}: arrays have the order of their dimensions chosen here, not tiles or the like"
            )));
        }
        let numbers = list.split(',').filter(|_| !list.is_empty()).map(|k| k.trim().parse().ok());
        Self::new(&numbers.collect::<Option<Vec<i64>>>().ok_or_else(malformed)?, rank)
    }

    /// The order that the other way around is said so: dimensions from the outermost inwards.
    pub(crate) fn outermost_first(dims: impl DoubleEndedIterator<Item = usize>) -> Self {
        let list: Vec<i64> = dims.rev().map(|d| d as i64).collect();
        let row_major = Self::row_major(list.len());
        if *list == *row_major { row_major } else { Order::Other(list.into()) }
    }

    /// The dimensions from the outermost inwards.
    pub(crate) fn inwards(&self) -> impl DoubleEndedIterator<Item = usize> {
        self.iter().rev().map(|&d| d as usize)
    }

    /// Bytes between neighbours along each dimension.
    pub(crate) fn strides(&self, ty: &TensorType) -> Vec<i64> {
        strides::in_order(ty, self.iter().map(|&d| d as usize))
    }

    /// Whether an array lies the same in both orders: nobody walks along a dimension of one.
    pub(crate) fn lies_as(&self, other: &Order, ty: &TensorType) -> bool {
        self == other || ty.bytes() == 0 || {
            let walked = |order: &Order| order.inwards().filter(|&d| ty.shape[d] != 1).collect::<Vec<_>>();
            walked(self) == walked(other)
        }
    }

    /// What XLA writes.
    fn text(&self) -> String {
        let list: Vec<String> = self.iter().map(i64::to_string).collect();
        format!("{{{}}}", list.join(","))
    }
}

/// A layout as callers hold it.
pub(crate) struct Layout(String);

impl Layout {
    /// The bytes of its text, as [`blob::give`] gives them.
    pub(crate) fn bytes<T>(&self) -> Done<(*const u8, usize, *mut T)> {
        blob::give(self.0.clone().into_bytes())
    }
}

/// Gives a caller a layout.
pub(crate) fn give(order: &Order) -> Done<*mut PJRT_Layouts_MemoryLayout> {
    handles::insert(Arc::new(Layout(order.text())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wengert::DType;

    #[test]
    fn texts_are_read_as_they_are_written() {
        for (text, rank) in [("{}", 0), ("{0}", 1), ("{1,0}", 2), ("{0,1}", 2), ("{1,2,0}", 3)] {
            assert_eq!(Order::parse(text, rank).map(|order| order.text()), Ok(text.to_owned()));
        }
        assert_eq!(Order::parse("{0,1:E(4)}", 2), Order::parse("{0,1}", 2));
        assert!(Order::parse("{1,0}", 2).is_ok_and(|order| matches!(order, Order::RowMajor(_))));
        for text in ["", "{", "1,0", "{1}", "{1,1}", "{2,0}", "{-1,0}", "{1,0,2}", "{a,0}", "{0,,1}"] {
            assert!(Order::parse(text, 2).is_err_and(|e| e.message.contains("dimensions")), "{text}");
        }
        for text in ["{1,0:T(8,128)}", "{1,0:E(x)}", "{1,0:T(8,128)E(4)}"] {
            assert!(Order::parse(text, 2).is_err_and(|e| e.message.contains("tiles")), "{text}");
        }
        assert_eq!(Order::row_major(70).len(), 70);
    }

    #[test]
    fn dimensions_of_one_lie_anywhere() {
        let [rows, columns] = ["{1,0}", "{0,1}"].map(|text| Order::parse(text, 2).expect("a layout"));
        let lies = |shape: &[usize]| rows.lies_as(&columns, &TensorType::new(DType::F32, shape));
        assert!(lies(&[3, 1]) && lies(&[1, 3]) && lies(&[0, 3]) && !lies(&[2, 3]));
        assert_eq!(columns.strides(&TensorType::new(DType::F32, &[2, 3])), [4, 8]);
        assert_eq!(Order::outermost_first([1, 0].into_iter()), columns);
    }
}
