//! How arrays lie on a mesh of devices: what Shardy (`sdy`) says, as plain data. Its text is self-contained: a mesh stands where it
//! is named (`mesh<["x"=2]>`), so that it can be kept as an attribute of one operation. It is read and written in
//! [`crate::text`].

/// Devices along axes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mesh {
    /// The axes and how many devices lie along each, the first the slowest to change.
    pub axes: Vec<(String, usize)>,
    /// The device at each position; none if they are in order.
    pub devices: Vec<usize>,
}

impl Mesh {
    /// How many devices it has, at most what can be counted.
    pub fn size(&self) -> usize {
        self.axes.iter().fold(1, |n, axis| n.saturating_mul(axis.1))
    }

    /// How many places there are along axes together, at most what can be counted.
    pub fn count(&self, axes: &[usize]) -> usize {
        axes.iter().fold(1, |n, &axis| n.saturating_mul(self.axes[axis].1))
    }

    /// The number of an axis.
    pub fn axis(&self, name: &str) -> Option<usize> {
        self.axes.iter().position(|axis| axis.0 == name)
    }

    /// How far apart neighbours along an axis are.
    pub fn stride(&self, axis: usize) -> usize {
        self.axes[axis + 1..].iter().fold(1, |n, axis| n.saturating_mul(axis.1))
    }

    /// The place along an axis of the device at a position.
    pub fn place(&self, position: usize, axis: usize) -> usize {
        position / self.stride(axis) % self.axes[axis].1
    }

    /// The device at a position.
    pub fn device(&self, position: usize) -> usize {
        self.devices.get(position).copied().unwrap_or(position)
    }
}

/// How one array lies on a mesh.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sharding {
    /// The mesh.
    pub mesh: Mesh,
    /// For each dimension the axes of the mesh along which it is cut, the first the slowest to change. Along others the array
    /// is repeated.
    pub dims: Vec<Vec<usize>>,
    /// The axes along which devices have arrays that are the array when they are added up.
    pub unreduced: Vec<usize>,
}

impl Sharding {
    /// Into how many parts a dimension is cut.
    pub fn parts(&self, dim: usize) -> usize {
        self.mesh.count(&self.dims[dim])
    }

    /// Whether each device has all of the array.
    pub fn is_whole(&self) -> bool {
        (0..self.dims.len()).all(|dim| self.parts(dim) == 1) && self.terms() == 1
    }

    /// Of how many arrays it is the sum.
    pub fn terms(&self) -> usize {
        self.mesh.count(&self.unreduced)
    }

    /// Whether devices along an axis have arrays of their own.
    pub fn differs_along(&self, axis: usize) -> bool {
        self.unreduced.contains(&axis) || self.dims.iter().any(|along| along.contains(&axis))
    }

    /// The terms of the sum that it is, as rows in front, one dimension for each axis, cut along that.
    pub fn of_terms(&self) -> Sharding {
        let rows = self.unreduced.iter().map(|&axis| vec![axis]);
        Sharding {
            mesh: self.mesh.clone(),
            dims: rows.chain(self.dims.iter().cloned()).collect(),
            unreduced: Vec::new(),
        }
    }

    /// Which part along a dimension the device at a position of the mesh has.
    pub fn part(&self, dim: usize, position: usize) -> usize {
        self.dims[dim]
            .iter()
            .fold(0, |part, &axis| part * self.mesh.axes[axis].1 + self.mesh.place(position, axis))
    }
}

/// What `sdy.manual_computation` says: a computation that is written for the part that each device has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Manual {
    /// How its operands lie.
    pub inputs: Vec<Sharding>,
    /// How its results lie.
    pub outputs: Vec<Sharding>,
    /// Its mesh.
    pub mesh: Mesh,
    /// The axes along which it is written for one device, in the order of the mesh; along others it is written for all.
    pub axes: Vec<usize>,
}

impl Manual {
    /// The name of the operation.
    pub const NAME: &'static str = "sdy.manual_computation";
}

/// What devices make of the arrays that they have of one shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exchange {
    /// All of a group, one after the other along a dimension.
    AllGather {
        /// The dimension.
        dim: usize,
    },
    /// What they are together.
    AllReduce,
    /// The part that is the device's of what they are together.
    ReduceScatter {
        /// The dimension that has the parts.
        dim: usize,
    },
    /// The parts that are the device's of all of a group, one after the other.
    AllToAll {
        /// The dimension that has the parts.
        split: usize,
        /// The one along which they stand after.
        concat: usize,
    },
    /// What was sent to it; zeros if nothing was.
    Permute,
    /// That of the first of a group; zeros if it is in none.
    Broadcast,
}

/// An operation by which devices communicate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Communication {
    /// What they make.
    pub exchange: Exchange,
    /// The devices that do it together, in their order; of [`Exchange::Permute`] pairs of source and target. None: all of them. Only those
    /// of [`Exchange::AllReduce`] can be of different sizes.
    pub groups: Vec<Vec<usize>>,
}
