//! How much the reverse pass of a loop keeps.

/// What the reverse pass of a loop keeps of its steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Save {
    /// What each step needs of it: most memory, least time.
    #[default]
    EachStep,
    /// What is carried into every so many steps. Those are computed again, one segment at a time, before their reverse pass: the
    /// memory is that of the segments and of the steps of one, for about one run of the loop more.
    Every(usize),
    /// As with segments of the square root of the number of steps, which take least (Chen et al., *Training Deep Nets with
    /// Sublinear Memory Cost*, 2016): of 100,000 steps some 600 are kept at a time. Where the number is not known, segments
    /// become longer by a step each.
    Root,
    /// What is carried at no more than so many places at a time, the first step included, chosen so that the fewest steps are
    /// made again (Griewank and Walther, *Algorithm 799: Revolve*, 2000): of `l` steps with `s` places `t l - C(s + t, t - 1)`,
    /// where `t` is the least with `C(s + t, s) >= l`. The memory is that of the places and of one step.
    Slots(usize),
}

impl Save {
    /// How many of `steps` steps a segment has.
    pub(super) fn segment(self, steps: usize) -> usize {
        match self {
            Save::EachStep | Save::Slots(_) => steps,
            Save::Every(segment) => segment.max(1),
            Save::Root => steps.isqrt().max(1),
        }
    }
}
