//! [`SparsePattern`]: the places of a matrix, and how few products with vectors give their values.

use super::Mode;
use super::linear::Linear;
use crate::context::What;
use crate::tensor::Tensor;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use wengert_ir::types::DType;
use wengert_passes::sparsity::{self, Pattern, Recovery, color_acyclic, color_columns, color_star};

/// How few products with vectors give the places of a matrix; see [`SparseJacobian::coloring`](crate::SparseJacobian::coloring).
/// Gebremedhin, Manne, Pothen, "What Color Is Your Jacobian?", SIAM Review 2005.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Coloring {
    /// Columns that meet in no row have one colour; products are those of forward mode.
    Columns,
    /// Rows that meet in no column have one colour; products are those of reverse mode.
    Rows,
    /// Of a Hessian: each place is read in its own row or in that of its mirror image.
    Star,
    /// Of a Hessian: fewest colours, but places are computed from others by subtraction, with the rounding errors that
    /// subtraction has.
    Acyclic,
}

/// The places of a matrix that can be other than zero, and colours for its columns or rows; made by
/// [`SparseJacobian::pattern`](crate::SparseJacobian::pattern).
/// Its `Display` is a summary and, of a small matrix, a picture.
pub struct SparsePattern {
    pattern: Pattern,
    indices: Vec<usize>,
    way: Coloring,
    /// The colour of each column, or row, and how the places follow from the products.
    colors: sparsity::Coloring,
    recovery: Recovery,
    /// Of everything above, to tell programs apart.
    digest: u64,
}

impl SparsePattern {
    fn new(pattern: Pattern, way: Coloring, (colors, recovery): Colored) -> Self {
        let mut digest = DefaultHasher::new();
        (&pattern, &colors.of, way, &recovery).hash(&mut digest);
        let indices = pattern.indices.iter().map(|&c| c as usize).collect();
        Self { pattern, indices, way, colors, recovery, digest: digest.finish() }
    }

    /// Coloured in the way that was asked for, if that can be.
    pub(super) fn in_way(pattern: Pattern, way: Coloring) -> Option<Self> {
        let colored = colored(&pattern, way)?;
        Some(Self::new(pattern, way, colored))
    }

    /// Coloured in the way with fewest colours, of those that the function has a mode for.
    pub(super) fn by_default(pattern: Pattern, symmetric: bool, forward: bool) -> Self {
        let (rows, columns) = (pattern.rows(), pattern.columns);
        // Reverse mode is dearer by a little, and so is reading across the diagonal.
        let ways = [
            forward.then_some(Coloring::Columns),
            (forward && symmetric).then_some(Coloring::Star),
            Some(Coloring::Rows),
        ];
        let all = ways.into_iter().flatten().filter_map(|way| Some((way, colored(&pattern, way)?)));
        let fewest = all.min_by_key(|(_, c)| c.0.colors);
        let (way, colored) = fewest.unwrap_or_else(|| {
            // Nothing to gain: a product for each column, or for each row.
            let by_rows = rows < columns || !forward;
            let (way, n) = if by_rows { (Coloring::Rows, rows) } else { (Coloring::Columns, columns) };
            let each = sparsity::Coloring { of: (0..n as u32).collect(), colors: n };
            (way, direct(&pattern, way, each))
        });
        Self::new(pattern, way, colored)
    }

    pub(super) fn mode(&self) -> Mode {
        match self.way {
            Coloring::Columns | Coloring::Star | Coloring::Acyclic => Mode::Forward,
            Coloring::Rows => Mode::Reverse,
        }
    }

    /// Of everything, to tell programs apart.
    pub(super) fn digest(&self) -> u64 {
        self.digest
    }

    /// Rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.pattern.rows(), self.pattern.columns)
    }

    /// How many places can be other than zero.
    pub fn places(&self) -> usize {
        self.indices.len()
    }

    /// How many products with vectors give the values.
    pub fn colors(&self) -> usize {
        self.colors.colors
    }

    /// The colour of each column, or of each row if products are with rows ([`Coloring::Rows`]): those of one colour are one product.
    pub fn color_of(&self) -> &[u32] {
        &self.colors.of
    }

    /// How they give them.
    pub fn coloring(&self) -> Coloring {
        self.way
    }

    /// Where each row starts in [`SparsePattern::indices`], and after the last where it ends.
    pub fn starts(&self) -> &[usize] {
        &self.pattern.starts
    }

    /// The columns of each row, ascending.
    pub fn indices(&self) -> &[usize] {
        &self.indices
    }

    /// The values of the places: products with the sum of the unit vectors of each colour, from which each place is taken.
    pub(super) fn values(&self, linear: &Linear, what: What) -> Tensor {
        let (colors, of) = (self.colors.colors, &self.colors.of);
        let dtype = linear.to.iter().chain(&linear.from).map(|t| t.dtype).next().unwrap_or(DType::F64);
        if self.places() == 0 {
            linear.act();
            return Tensor::zeros(&[0], dtype);
        }
        // The colour of each element of the vectors, leaf after leaf. Numbers as wide as the elements need no conversion where
        // vectors compare them.
        let number = if dtype.size() == 8 { DType::I64 } else { DType::I32 };
        let mut first = 0;
        let leaves: Vec<Tensor> = (linear.from.iter())
            .map(|ty| {
                let n = ty.elements();
                let of = numbers(of[first..first + n].iter().map(|&c| i64::from(c)), number);
                first += n;
                of
            })
            .collect();
        let images = linear.images(colors, &vec![true; leaves.len()], &|first, count| {
            let color = Tensor::arange(count, number).expand_dims(1) + first.astype(number);
            let all = leaves.iter().zip(&linear.from).map(|(of, ty)| {
                let shape = [&[count][..], &ty.shape].concat();
                let is = color.equal(of.expand_dims(0)).astype(ty.dtype);
                is.reshape_to(shape[..].into(), what.at)
            });
            all.collect()
        });
        let flat = images.into_iter().zip(&linear.to).map(|(t, to)| {
            let shape = [colors, to.elements()];
            t.reshape_to(shape[..].into(), what.at)
        });
        let flat = crate::concatenate(&flat.collect::<Vec<_>>(), 1).flatten();
        let (rows, columns) = self.shape();
        let length = if self.mode() == Mode::Forward { rows } else { columns };
        // Half the memory, where that is enough.
        let most = colors.saturating_mul(length).max(self.recovery.read.len());
        let place = if most < i32::MAX as usize { DType::I32 } else { DType::I64 };
        let at = |&(color, row): &(u32, u32)| color as i64 * length as i64 + i64::from(row);
        let read = |which: &[(u32, u32)]| flat.rows(&numbers(which.iter().map(at), place), 0, what.at);
        if self.recovery.levels.is_empty() {
            let places: Vec<(u32, u32)> =
                self.recovery.unknown.iter().map(|&u| self.recovery.read[u as usize]).collect();
            return read(&places);
        }
        let mut values = read(&self.recovery.read);
        for level in &self.recovery.levels {
            let from = numbers(level.iter().map(|&(_, from)| i64::from(from)), place);
            let to = numbers(level.iter().map(|&(to, _)| i64::from(to)), place);
            let less = -values.rows(&from, 0, what.at);
            values = values.at_rows(&to).add(&less);
        }
        values.rows(&numbers(self.recovery.unknown.iter().map(|&u| i64::from(u)), place), 0, what.at)
    }
}

/// A vector of these numbers, as `i32` or as `i64`.
fn numbers(all: impl Iterator<Item = i64>, dtype: DType) -> Tensor {
    if dtype == DType::I32 {
        return Tensor::from(all.map(|n| n as i32).collect::<Vec<_>>());
    }
    Tensor::from(all.collect::<Vec<_>>())
}

type Colored = (sparsity::Coloring, Recovery);

/// Colours of this kind; `None` where there are none or they are no gain.
fn colored(pattern: &Pattern, way: Coloring) -> Option<Colored> {
    match way {
        Coloring::Columns => color_columns(pattern).map(|c| direct(pattern, way, c)),
        Coloring::Rows => color_columns(&pattern.transposed()).map(|c| direct(pattern, way, c)),
        Coloring::Star => color_star(pattern),
        Coloring::Acyclic => color_acyclic(pattern),
    }
}

fn direct(pattern: &Pattern, way: Coloring, colors: sparsity::Coloring) -> Colored {
    let recovery = match way {
        Coloring::Rows => colors.direct_by_rows(pattern),
        Coloring::Columns | Coloring::Star | Coloring::Acyclic => colors.direct(pattern),
    };
    (colors, recovery)
}

impl fmt::Display for SparsePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, columns) = self.shape();
        let mode = match self.way {
            Coloring::Columns => "by forward mode",
            Coloring::Rows => "by reverse mode",
            Coloring::Star => "of a star colouring by forward mode",
            Coloring::Acyclic => "of an acyclic colouring by forward mode",
        };
        let (places, colors) = (self.places(), self.colors());
        writeln!(f, "{rows} x {columns} with {places} places, {colors} colours {mode}")?;
        if rows > 64 || columns > 100 {
            return Ok(());
        }
        for row in 0..rows {
            let mut line = vec!['.'; columns];
            self.pattern.row(row).iter().for_each(|&c| line[c as usize] = '#');
            writeln!(f, "{}", String::from_iter(line))?;
        }
        Ok(())
    }
}

impl fmt::Debug for SparsePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
