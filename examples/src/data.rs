//! The handwritten digits: 1797 images of 8 x 8 pixels with their labels, from a NumPy archive.
//!
//! Nothing of the file is trusted: what is wrong with it is said in one line.

use std::fmt;
use std::io::Read;
use std::path::Path;
use wengert::{DType, Tensor};

/// Pixels of an image.
pub const PIXELS: usize = 64;
/// Different digits.
pub const CLASSES: usize = 10;
/// The darkest pixel.
pub const DARKEST: u8 = 16;

/// Images, a row of pixels each, and the digit in each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Digits {
    /// Pixels in 0..=16, row by row.
    pub images: Vec<[u8; PIXELS]>,
    /// Digits in 0..=9.
    pub labels: Vec<u8>,
}

/// Why a file is not the data set, in one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataError(String);

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
impl std::error::Error for DataError {}

impl Digits {
    /// Reads an archive with `images` (`ui8[n, 8, 8]`, 0 to 16) and `labels` (`ui8[n]`, 0 to 9).
    pub fn load(path: &Path) -> Result<Self, DataError> {
        let within = |e: &dyn fmt::Display| DataError(format!("{}: {e}", path.display()));
        let file = std::fs::File::open(path).map_err(|e| within(&e))?;
        let mut archive = zip::ZipArchive::new(file).map_err(|e| within(&e))?;
        let mut array = |name: &str| {
            let entry = archive.by_name(name).map_err(|_| within(&format!("has no {name}")))?;
            let mut bytes = Vec::new();
            // The data set has 115 kB; a small archive may not unpack to a large one.
            entry.take(1 << 26).read_to_end(&mut bytes).map_err(|e| within(&e))?;
            Tensor::from_npy(&bytes).map_err(|e| within(&format!("{name}: {e}")))
        };
        let (images, labels) = (array("images.npy")?, array("labels.npy")?);
        Self::new(&images, &labels).map_err(|e| within(&e))
    }

    /// Checks and takes the arrays.
    pub fn new(images: &Tensor, labels: &Tensor) -> Result<Self, DataError> {
        let error = |message: String| Err(DataError(message));
        let count = match (images.dtype(), images.shape()) {
            (DType::U8, &[n, 8, 8]) => n,
            _ => return error(format!("images must be tensor<nx8x8xui8>, they are {}", images.ty())),
        };
        if (labels.dtype(), labels.shape()) != (DType::U8, &[count]) {
            return error(format!(
                "labels must be tensor<{count}xui8> for {count} images, they are {}",
                labels.ty()
            ));
        }
        let (pixels, labels) = (images.to_array(), labels.to_array());
        let images: Vec<[u8; PIXELS]> = pixels.bytes().as_chunks::<PIXELS>().0.to_vec();
        let labels = labels.bytes().to_vec();
        for (i, image) in images.iter().enumerate() {
            if let Some(p) = image.iter().position(|&p| p > DARKEST) {
                return error(format!(
                    "image {i}, row {}, column {}: {} is more than {DARKEST}",
                    p / 8,
                    p % 8,
                    image[p]
                ));
            }
        }
        match labels.iter().position(|&l| l as usize >= CLASSES) {
            Some(i) => error(format!("label {i}: {} is not a digit", labels[i])),
            None => Ok(Self { images, labels }),
        }
    }

    /// How many images there are.
    pub fn len(&self) -> usize {
        self.images.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.images.is_empty()
    }

    /// The images at `indices` as `f32[n, 64]` in 0..=1, and their labels as `i32[n]`.
    pub fn batch(&self, indices: &[usize]) -> (Tensor, Tensor) {
        let pixels: Vec<f32> =
            indices.iter().flat_map(|&i| self.images[i].map(|p| p as f32 / DARKEST as f32)).collect();
        let labels: Vec<i32> = indices.iter().map(|&i| self.labels[i] as i32).collect();
        (Tensor::new(&[indices.len(), PIXELS], &pixels), Tensor::from(labels))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn path() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("data/digits.npz")
    }

    /// An unsigned-byte array, through the text that NumPy writes.
    fn bytes(shape: &str, data: &[u8]) -> Tensor {
        let header = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}, }}\n");
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend((header.len() as u16).to_le_bytes());
        file.extend(header.bytes());
        file.extend(data);
        Tensor::from_npy(&file).expect("a .npy file")
    }

    #[test]
    fn the_data_set_is_whole() {
        let digits = Digits::load(&path()).expect("the data set");
        assert_eq!(digits.len(), 1797);
        assert_eq!(digits.labels[..10], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(digits.images[0][..8], [0, 0, 5, 13, 9, 1, 0, 0]);
        let (x, y) = digits.batch(&[0, 3]);
        assert_eq!(x.to_vec::<f32>()[3], 13.0 / 16.0);
        assert_eq!(y.to_vec::<i32>(), [0, 3]);
    }

    #[test]
    fn wrong_data_is_explained_in_one_line() {
        let one_line = |e: DataError, part: &str| {
            let text = e.to_string();
            assert!(text.contains(part) && !text.contains('\n'), "{text}");
        };
        let mut pixels = [3; 128];
        let good = bytes("(2, 8, 8)", &pixels);
        pixels[64 + 17] = 17;
        let dark = bytes("(2, 8, 8)", &pixels);
        let labels = |v: [u8; 2]| bytes("(2,)", &v);
        assert!(Digits::new(&good, &labels([0, 9])).is_ok());
        one_line(
            Digits::new(&dark, &labels([0, 9])).unwrap_err(),
            "image 1, row 2, column 1: 17 is more than 16",
        );
        one_line(Digits::new(&good, &labels([0, 10])).unwrap_err(), "label 1: 10 is not a digit");
        one_line(Digits::new(&good, &bytes("(3,)", &[1; 3])).unwrap_err(), "tensor<2xui8>");
        one_line(Digits::new(&bytes("(2, 64)", &pixels), &labels([0, 1])).unwrap_err(), "tensor<2x64xui8>");
        one_line(Digits::load(Path::new("absent.npz")).unwrap_err(), "absent.npz");
        one_line(Digits::load(&path().with_file_name("README.md")).unwrap_err(), "README.md");
    }
}
