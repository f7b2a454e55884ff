//! Sets of columns, one for each element of a value.

/// Most columns of all sets of a value together, but for those of its last element: beyond, sets stay empty, and whoever made them
/// refuses the value.
pub(super) const MOST: usize = 1 << 26;

/// For each element of a value, in row-major order, the columns that it depends on, ascending.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sets {
    starts: Vec<usize>,
    columns: Vec<u32>,
}

impl Sets {
    /// Element `e` depends on column `first + e`.
    pub(super) fn units(first: u32, elements: usize) -> Self {
        Self { starts: (0..=elements).collect(), columns: (first..first + elements as u32).collect() }
    }

    /// No elements yet.
    pub(super) fn new() -> Self {
        Self { starts: vec![0], columns: Vec::new() }
    }

    /// What element `e` depends on.
    pub(super) fn of(&self, e: usize) -> &[u32] {
        &self.columns[self.starts[e]..self.starts[e + 1]]
    }

    /// How many elements there are.
    pub(super) fn elements(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many columns in all sets together.
    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    /// One element more.
    pub(super) fn push(&mut self, set: &[u32]) {
        if self.len() <= MOST {
            self.columns.extend_from_slice(set);
        }
        self.starts.push(self.columns.len());
    }

    /// One element more, which depends on what any of `sets` has.
    pub(super) fn push_union<'a>(&mut self, sets: impl Iterator<Item = &'a [u32]>, union: &mut Union) {
        if self.len() > MOST {
            return self.push(&[]);
        }
        let mut sets = sets.filter(|s| !s.is_empty());
        let (Some(first), second) = (sets.next(), sets.next()) else { return self.push(&[]) };
        let Some(second) = second else { return self.push(first) };
        if first == second {
            // Usual: two values that were computed from one.
            let mut rest = sets.skip_while(|s| *s == first).peekable();
            if rest.peek().is_none() {
                return self.push(first);
            }
            return self.push(union.of([first].into_iter().chain(rest)));
        }
        self.push(union.of([first, second].into_iter().chain(sets)));
    }
}

/// Where unions are made: a mark for each column, which is good for one union.
pub(super) struct Union {
    marks: Vec<u32>,
    mark: u32,
    made: Vec<u32>,
}

impl Union {
    pub(super) fn new() -> Self {
        Self { marks: Vec::new(), mark: 0, made: Vec::new() }
    }

    /// What any of the sets has, ascending.
    pub(super) fn of<'a>(&mut self, sets: impl Iterator<Item = &'a [u32]>) -> &[u32] {
        self.made.clear();
        if self.mark == u32::MAX {
            self.marks.fill(0);
            self.mark = 0;
        }
        self.mark += 1;
        for &c in sets.flatten() {
            if self.marks.len() <= c as usize {
                self.marks.resize(c as usize + 1, 0);
            }
            let mark = &mut self.marks[c as usize];
            if *mark != self.mark {
                *mark = self.mark;
                self.made.push(c);
            }
        }
        self.made.sort_unstable();
        &self.made
    }
}
