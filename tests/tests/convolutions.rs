//! Random convolutions of all kinds as text, and programs around them.

use wengert::{DType, TensorType};
use wengert_ir::testing::Random;

pub(crate) const TYPES: [DType; 2] = [DType::F32, DType::F64];

/// Features of results: whole vectors, and some more.
pub(crate) const OUTPUTS: [usize; 12] = [8, 9, 12, 16, 17, 24, 33, 40, 48, 64, 65, 70];

/// Groups of features and of batches.
pub(crate) const GROUPS: [[usize; 2]; 10] =
    [[1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [2, 1], [4, 1], [1, 2], [1, 2]];

/// How windows lie along one spatial dimension.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Along {
    pub(crate) size: usize,
    pub(crate) window: usize,
    pub(crate) stride: usize,
    pub(crate) padding: [i64; 2],
    /// Dilation of the image.
    pub(crate) spread: usize,
    /// Dilation of the window.
    pub(crate) dilation: usize,
    pub(crate) reversed: bool,
}

impl Along {
    pub(crate) fn plain(size: usize, window: usize) -> Along {
        Along { size, window, stride: 1, padding: [0; 2], spread: 1, dilation: 1, reversed: false }
    }

    /// Any, for a convolution of so many spatial dimensions: smaller where there are more.
    pub(crate) fn any(random: &mut Random, spatial: usize) -> Along {
        let (least, most, window) = [(24, 90, 7), (5, 18, 5), (4, 9, 3)][spatial - 1];
        Along {
            size: least + random.below(most - least + 1),
            window: if random.chance(10) { 1 } else { 2 + random.below(window - 1) },
            stride: random.pick(&[1, 1, 2, 3]),
            padding: [random.below(5) as i64 - 1, random.below(5) as i64 - 1],
            spread: if random.chance(15) { 2 } else { 1 },
            dilation: if random.chance(25) { 2 } else { 1 },
            reversed: random.chance(20),
        }
    }

    /// How many windows there are.
    pub(crate) fn count(&self) -> usize {
        let padded = (self.size as i64 - 1) * self.spread as i64 + 1 + self.padding[0] + self.padding[1];
        let reach = (self.window as i64 - 1) * self.dilation as i64 + 1;
        if padded < reach { 0 } else { (padded - reach) as usize / self.stride + 1 }
    }
}

/// A convolution of an image with a kernel.
#[derive(Clone, Debug)]
pub(crate) struct Conv {
    pub(crate) dtype: DType,
    pub(crate) along: Vec<Along>,
    pub(crate) orders: Orders,
    pub(crate) batch: usize,
    /// Of the image, and of the result.
    pub(crate) features: [usize; 2],
    pub(crate) feature_groups: usize,
    pub(crate) batch_groups: usize,
}

/// Where image, kernel and result have their dimensions: batch (the kernel its input features), features, then the spatial ones.
pub(crate) type Orders = [Vec<usize>; 3];

/// `[b, 0, 1, f]` with `[0, 1, i, o]`.
pub(crate) fn features_last(spatial: usize) -> Orders {
    let image: Vec<usize> = [0, spatial + 1].into_iter().chain(1..=spatial).collect();
    let kernel = [spatial, spatial + 1].into_iter().chain(0..spatial).collect();
    [image.clone(), kernel, image]
}

/// `[b, f, 0, 1]` with `[o, i, 0, 1]`.
pub(crate) fn features_first(spatial: usize) -> Orders {
    let image: Vec<usize> = (0..spatial + 2).collect();
    let kernel = [1, 0].into_iter().chain(2..spatial + 2).collect();
    [image.clone(), kernel, image]
}

pub(crate) fn shuffled(random: &mut Random, rank: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rank).collect();
    for k in (1..rank).rev() {
        let other = random.below(k + 1);
        order.swap(k, other);
    }
    order
}

/// Dimensions by the names of the first two and the numbers of the others, each where it lies.
pub(crate) fn labels(order: &[usize], names: [&str; 2]) -> String {
    let spatial = (0..order.len() - 2).map(|k| k.to_string());
    let mut words = vec![String::new(); order.len()];
    for (&d, word) in order.iter().zip(names.map(str::to_owned).into_iter().chain(spatial)) {
        words[d] = word;
    }
    format!("[{}]", words.join(", "))
}

impl Conv {
    /// Two images with square windows of stride 1, features last.
    pub(crate) fn plain(dtype: DType, size: usize, window: usize, features: [usize; 2]) -> Conv {
        let along = vec![Along::plain(size, window); 2];
        let orders = features_last(2);
        Conv { dtype, along, orders, batch: 2, features, feature_groups: 1, batch_groups: 1 }
    }

    pub(crate) fn padded(mut self, padding: [i64; 2]) -> Conv {
        self.along.iter_mut().for_each(|a| a.padding = padding);
        self
    }

    /// The one of a seed, of no more than so many multiply-adds, and so many rows that it may be one product of windows. Of
    /// seeds in turn some have one, most two and some three spatial dimensions, and every second is of `f64`.
    pub(crate) fn drawn(seed: u64, most: usize) -> Conv {
        let mut random = Random(seed);
        let (dtype, spatial) = (TYPES[seed as usize % 2], [2, 2, 1, 2, 3][seed as usize % 5]);
        loop {
            let c = Conv::any(&mut random, dtype, spatial);
            if c.rows() >= 16 && c.work() <= most {
                return c;
            }
        }
    }

    pub(crate) fn any(random: &mut Random, dtype: DType, spatial: usize) -> Conv {
        let along = (0..spatial).map(|_| Along::any(random, spatial)).collect();
        let orders = match random.below(3) {
            0 => features_last(spatial),
            1 => features_first(spatial),
            _ => [(); 3].map(|()| shuffled(random, spatial + 2)),
        };
        let [feature_groups, batch_groups] = random.pick(&GROUPS);
        let groups = feature_groups * batch_groups;
        let output = random.pick(&OUTPUTS) / groups * groups;
        let input = feature_groups * (1 + random.below(20 / feature_groups));
        let batch = batch_groups * (1 + random.below(2));
        Conv { dtype, along, orders, batch, features: [input, output], feature_groups, batch_groups }
    }

    /// Whether it is one product with nothing else to it.
    pub(crate) fn is_ungrouped(&self) -> bool {
        self.feature_groups == 1 && self.batch_groups == 1
    }

    /// Image, kernel and result.
    pub(crate) fn types(&self) -> [TensorType; 3] {
        let [input, output] = self.features;
        let of = |k: usize, named: [usize; 2], spatial: fn(&Along) -> usize| {
            let sizes = named.into_iter().chain(self.along.iter().map(spatial));
            let mut shape = vec![0; self.along.len() + 2];
            self.orders[k].iter().zip(sizes).for_each(|(&d, size)| shape[d] = size);
            TensorType::new(self.dtype, &shape)
        };
        [
            of(0, [self.batch, input], |a| a.size),
            of(1, [input / self.feature_groups, output], |a| a.window),
            of(2, [self.batch / self.batch_groups, output], Along::count),
        ]
    }

    /// Windows in all images.
    pub(crate) fn rows(&self) -> usize {
        self.types()[2].elements() / self.features[1]
    }

    /// Multiply-adds.
    pub(crate) fn work(&self) -> usize {
        self.rows() * self.types()[1].elements()
    }

    /// The instruction, with the names of the result, the image and the kernel.
    pub(crate) fn line(&self, [to, image, kernel]: [&str; 3]) -> String {
        let [x, w, y] = self.types();
        let [a, b, c] = &self.orders;
        let (a, b, c) = (labels(a, ["b", "f"]), labels(b, ["i", "o"]), labels(c, ["b", "f"]));
        let list = |of: fn(&Along) -> usize| self.along.iter().map(of).collect::<Vec<_>>();
        let (strides, spread) = (list(|a| a.stride), list(|a| a.spread));
        let dilation = list(|a| a.dilation);
        let padding: Vec<[i64; 2]> = self.along.iter().map(|a| a.padding).collect();
        let reversed: Vec<bool> = self.along.iter().map(|a| a.reversed).collect();
        format!(
            "%{to} = stablehlo.convolution(%{image}, %{kernel}) dim_numbers = {a}x{b}->{c}, \
             window = {{stride = {strides:?}, pad = {padding:?}, lhs_dilate = {spread:?}, \
             rhs_dilate = {dilation:?}, reverse = {reversed:?}}} \
             {{batch_group_count = {} : i64, feature_group_count = {} : i64}} : ({x}, {w}) -> {y}\n",
            self.batch_groups, self.feature_groups
        )
    }

    /// A program that does nothing else.
    pub(crate) fn text(&self) -> String {
        let [x, w, y] = self.types();
        text(&[("x", &x), ("w", &w)], &self.line(["y", "x", "w"]), &[("y", &y)])
    }
}

/// A program of these parameters, lines and results.
pub(crate) fn text(params: &[(&str, &TensorType)], lines: &str, results: &[(&str, &TensorType)]) -> String {
    let params: Vec<String> = params.iter().map(|(name, ty)| format!("%{name}: {ty}")).collect();
    let names: Vec<String> = results.iter().map(|(name, _)| format!("%{name}")).collect();
    let types: Vec<String> = results.iter().map(|(_, ty)| ty.to_string()).collect();
    let (params, names, types) = (params.join(", "), names.join(", "), types.join(", "));
    format!("func.func @main({params}) -> ({types}) {{\n{lines}return {names} : {types}\n}}")
}
