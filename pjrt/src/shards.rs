//! Arrays that lie on several devices, a part on each.
//!
//! A program for several devices is compiled as one program of whole arrays (`wengert_passes::spmd`), and all devices are this
//! machine: what lies in parts is put together before it runs, and cut after it has run.

use crate::error::{Code, Done, Failure};
use crate::layout::Order;
use crate::orders;
use crate::protobuf;
use wengert::TensorType;
use wengert_ir::array::Bytes;
use wengert_ir::sharding::Sharding;

/// How an array lies on the devices of a program. One that is a sum over devices is the array of its terms, each of which is a part.
pub(crate) struct Shards {
    /// The array.
    whole: TensorType,
    /// What each device has of it: to callers, and with the dimensions of the array.
    pub(crate) part: TensorType,
    shape: Vec<usize>,
    /// Of each device which part it has along each dimension.
    places: Vec<Vec<usize>>,
    /// Into how many parts each dimension is cut.
    parts: Vec<usize>,
    /// How many of the first dimensions are those of terms.
    terms: usize,
    /// The dimensions as they lie in memory, from the outermost inwards: those of terms, then those of the array in its order.
    lying: Vec<usize>,
}

impl Shards {
    /// Of an array, or of the terms of one, on so many devices; none if each of them has all of it. Its dimensions lie in this
    /// order, in the parts too.
    pub(crate) fn new(
        whole: &TensorType,
        said: &Sharding,
        devices: usize,
        order: &Order,
    ) -> Done<Option<Self>> {
        let (terms, sharding) = (said.unreduced.len(), &said.of_terms());
        if sharding.dims.len() != whole.shape.len() {
            return Err(Failure::invalid(format!("the sharding {sharding} of {whole}")));
        }
        if sharding.is_whole() && terms == 0 {
            return Ok(None);
        }
        let mesh = &sharding.mesh;
        if mesh.size() != devices {
            return Err(Failure::unimplemented(format!("an array on {} of {devices} devices", mesh.size())));
        }
        let parts: Vec<usize> = (0..whole.shape.len()).map(|d| sharding.parts(d)).collect();
        let mut shape = whole.shape.clone();
        for (size, parts) in shape.iter_mut().zip(&parts) {
            if !size.is_multiple_of(*parts) {
                return Err(Failure::unimplemented(format!(
                    "{whole} in parts of different sizes: {sharding}"
                )));
            }
            *size /= parts;
        }
        let mut places = vec![Vec::new(); devices];
        for position in 0..devices {
            let slot = places.get_mut(mesh.device(position));
            let slot = slot
                .ok_or_else(|| Failure::invalid(format!("a mesh with numbers of other devices: {mesh}")))?;
            *slot = (0..shape.len()).map(|d| sharding.part(d, position)).collect();
        }
        let part = whole.with_shape(&shape[terms..]);
        let lying = orders::outwards(order, terms);
        if lying.len() != shape.len() {
            return Err(Failure::invalid(format!("an order of {} dimensions for {part}", order.len())));
        }
        Ok(Some(Self { part, shape: shape.to_vec(), whole: whole.clone(), places, parts, terms, lying }))
    }

    /// Calls `f` with where bytes lie in the array and in the part of a device, and how many.
    fn runs(&self, device: usize, mut f: impl FnMut(usize, usize, usize)) {
        let lying = |all: &[usize]| self.lying.iter().map(|&d| all[d]).collect::<Vec<usize>>();
        let (whole, part, place) =
            (lying(&self.whole.shape), lying(&self.shape), lying(&self.places[device]));
        let length = self.part.bytes();
        if length == 0 {
            return;
        }
        // Behind the last dimension that is cut all lies together.
        let cut = (0..part.len()).rev().find(|&d| part[d] != whole[d]).unwrap_or(0);
        let run = part[cut..].iter().product::<usize>() * self.part.dtype.size();
        for (k, at) in (0..length).step_by(run).enumerate() {
            let (mut rest, mut from, mut stride) = (k, 0, self.part.dtype.size());
            stride *= whole[cut + 1..].iter().product::<usize>();
            from += place[cut] * part[cut] * stride;
            for d in (0..cut).rev() {
                stride *= whole[d + 1];
                from += (place[d] * part[d] + rest % part[d]) * stride;
                rest /= part[d];
            }
            f(from, at, run);
        }
    }

    /// The array, out of what each device has.
    pub(crate) fn join(&self, parts: &[&[u8]]) -> Done<Bytes> {
        let mut whole = room(&self.whole)?;
        for (device, part) in parts.iter().enumerate() {
            let is_new = !self.places[..device].contains(&self.places[device]);
            if is_new {
                self.runs(device, |from, at, run| {
                    whole[from..from + run].copy_from_slice(&part[at..at + run])
                });
            }
        }
        Ok(whole)
    }

    /// What a device has of the array.
    pub(crate) fn cut(&self, device: usize, whole: &[u8]) -> Done<Bytes> {
        let mut part = room(&self.part)?;
        self.runs(device, |from, at, run| part[at..at + run].copy_from_slice(&whole[from..from + run]));
        Ok(part)
    }

    /// An `OpSharding` of XLA: into how many parts dimensions are cut, of how many terms these are, and which devices have them.
    pub(crate) fn proto(&self) -> Vec<u8> {
        /// The kinds of sharding, and of the dimensions behind those of the array.
        const OTHER: u8 = 3;
        const UNREDUCED: usize = 6;
        const REPLICATED: usize = 0;
        let (terms, parts) = self.parts.split_at(self.terms);
        let (terms, count): (usize, usize) = (terms.iter().product(), parts.iter().product());
        let copies = self.places.len() / (count * terms).max(1);
        if count * copies == 1 {
            return vec![0x08, UNREDUCED as u8];
        }
        // Parts come first, then terms.
        let number = |device: &usize| {
            let dims = (self.terms..self.parts.len()).chain(0..self.terms);
            dims.fold(0, |n, d| n * self.parts[d] + self.places[*device][d])
        };
        let mut devices: Vec<usize> = (0..self.places.len()).collect();
        devices.sort_by_key(number);
        let mut dims = parts.to_vec();
        dims.extend([terms, copies].into_iter().filter(|&n| n > 1));
        // type, tile_assignment_dimensions, tile_assignment_devices, replicate_on_last_tile_dim or last_tile_dims
        let mut out = vec![0x08, OTHER];
        protobuf::push_packed(&mut out, 3, &dims);
        protobuf::push_packed(&mut out, 4, &devices);
        match (terms > 1, copies > 1) {
            (false, false) => {}
            (false, true) => out.extend([0x30, 1]),
            (true, false) => protobuf::push_packed(&mut out, 8, &[UNREDUCED]),
            (true, true) => protobuf::push_packed(&mut out, 8, &[UNREDUCED, REPLICATED]),
        }
        out
    }
}

fn room(ty: &TensorType) -> Done<Bytes> {
    Bytes::try_take(ty.bytes())
        .ok_or_else(|| Failure::new(Code::ResourceExhausted, format!("no memory for {ty}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wengert::DType;
    use wengert_ir::text;

    fn shards(shape: &[usize], text: &str, devices: usize) -> Option<Shards> {
        let sharding = text::sharding(text).expect("a sharding");
        let order = Order::row_major(shape.len());
        Shards::new(&TensorType::new(DType::U8, shape), &sharding, devices, &order).expect("fits")
    }

    /// Numbers that tell where they were.
    fn whole(shape: &[usize]) -> Vec<u8> {
        (0..shape.iter().product::<usize>()).map(|k| k as u8).collect()
    }

    #[test]
    fn what_is_cut_is_put_together_again() {
        let mesh = "mesh<[\"x\"=2, \"y\"=3]>";
        let permuted = "mesh<[\"x\"=2, \"y\"=3], device_ids=[5, 3, 1, 0, 2, 4]>";
        for (shape, dims) in [
            (&[4, 6, 5][..], "[{\"x\"}, {\"y\"}, {}]"),
            (&[4, 6, 5], "[{}, {\"y\"}, {}]"),
            (&[6, 1, 4], "[{\"y\"}, {}, {\"x\"}]"),
            (&[12, 3], "[{\"y\", \"x\"}, {}]"),
            (&[2, 3], "[{\"x\"}, {\"y\"}]"),
            (&[6], "[{\"x\", \"y\"}]"),
        ] {
            for mesh in [mesh, permuted] {
                let shards = shards(shape, &format!("<{mesh}, {dims}>"), 6).expect("in parts");
                let all = whole(shape);
                let parts: Vec<Bytes> = (0..6).map(|d| shards.cut(d, &all).expect("memory")).collect();
                let slices: Vec<&[u8]> = parts.iter().map(|part| &**part).collect();
                assert_eq!(*shards.join(&slices).expect("memory"), all[..], "{dims} on {mesh}");
            }
        }
        let shards = shards(&[2, 6], &format!("<{permuted}, [{{}}, {{\"y\"}}]>"), 6).expect("in parts");
        assert_eq!(*shards.cut(5, &whole(&[2, 6])).expect("memory"), [0, 1, 6, 7]);
        assert_eq!(*shards.cut(4, &whole(&[2, 6])).expect("memory"), [4, 5, 10, 11]);
        // Devices 0 and 5 have the first columns, 2 and 3 the next, 1 and 4 the last.
        assert_eq!(shards.proto(), [8, 3, 0x1a, 3, 1, 3, 2, 0x22, 6, 0, 5, 2, 3, 1, 4, 0x30, 1]);
    }

    #[test]
    fn terms_are_rows() {
        let sharding =
            text::sharding("<mesh<[\"x\"=2, \"y\"=2]>, [{\"y\"}], unreduced={\"x\"}>").expect("a sharding");
        let new = |shape: &[usize], sharding: &Sharding, devices: usize| {
            Shards::new(
                &TensorType::new(DType::U8, shape),
                sharding,
                devices,
                &Order::row_major(shape.len() - 1),
            )
        };
        let shards = new(&[2, 4], &sharding, 4).expect("fits").expect("in parts");
        assert_eq!(shards.part.shape[..], [2]);
        let parts: Vec<Bytes> = (0..4).map(|d| shards.cut(d, &whole(&[2, 4])).expect("memory")).collect();
        assert_eq!([&parts[1][..], &parts[2][..]], [&[2, 3][..], &[4, 5]]);
        let slices: Vec<&[u8]> = parts.iter().map(|part| &**part).collect();
        assert_eq!(*shards.join(&slices).expect("memory"), whole(&[2, 4])[..]);
        assert_eq!(shards.proto(), [8, 3, 0x1a, 2, 2, 2, 0x22, 4, 0, 2, 1, 3, 0x42, 1, 6]);
        let all = text::sharding("<mesh<[\"x\"=4]>, [], unreduced={\"x\"}>").expect("a sharding");
        let shards = new(&[4], &all, 4).expect("fits").expect("in terms");
        assert_eq!(shards.proto(), [8, 6]);
    }

    #[test]
    fn parts_lie_in_the_order_of_the_array() {
        let sharding = text::sharding("<mesh<[\"x\"=2, \"y\"=2]>, [{\"x\"}, {\"y\"}]>").expect("a sharding");
        let ty = TensorType::new(DType::U8, &[2, 6]);
        let columns = Order::new(&[0, 1], 2).expect("an order");
        let shards = Shards::new(&ty, &sharding, 4, &columns).expect("fits").expect("in parts");
        let rows = Shards::new(&ty, &sharding, 4, &Order::row_major(2)).expect("fits").expect("in parts");
        // Column by column: element (i, j) is at 2 j + i, and has that number. The last device has row 1 of columns 3 to 5.
        let all = whole(&[12]);
        let parts: Vec<Bytes> = (0..4).map(|d| shards.cut(d, &all).expect("memory")).collect();
        assert_eq!(*parts[3], [7, 9, 11]);
        let slices: Vec<&[u8]> = parts.iter().map(|part| &**part).collect();
        assert_eq!(*shards.join(&slices).expect("memory"), all[..]);
        assert_eq!((shards.proto(), &shards.part), (rows.proto(), &rows.part));
    }

    #[test]
    fn what_all_have_is_not_in_parts() {
        assert!(shards(&[4], "<mesh<[\"x\"=1, \"y\"=2]>, [{\"x\"}]>", 2).is_none());
        assert!(shards(&[4], "<mesh<[]>, [{}]>", 2).is_none());
        let uneven = text::sharding("<mesh<[\"x\"=2]>, [{\"x\"}]>").expect("a sharding");
        for (shape, devices) in [(&[3][..], 2), (&[4], 4), (&[4, 4], 2)] {
            let order = Order::row_major(shape.len());
            assert!(Shards::new(&TensorType::new(DType::F32, shape), &uneven, devices, &order).is_err());
        }
    }
}
