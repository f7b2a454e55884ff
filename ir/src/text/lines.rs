//! Where a byte of a text is, in lines and columns.

/// Most bytes that are counted to find a column. A line may be as long as the text, and have all instructions.
const STEP: usize = 256;

/// Where lines start, and how many characters stand before every [`STEP`]th byte.
pub(super) struct Lines {
    starts: Vec<usize>,
    characters: Vec<usize>,
}

impl Lines {
    pub(super) fn new(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|b| b.1 == b'\n').map(|(k, _)| k + 1);
        let (mut characters, mut sum) = (vec![0], 0);
        for bytes in text.as_bytes().chunks(STEP) {
            sum += begun(bytes);
            characters.push(sum);
        }
        Self { starts: std::iter::once(0).chain(breaks).collect(), characters }
    }

    /// Line and column of a byte, both from 1.
    pub(super) fn place(&self, text: &str, at: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|&start| start <= at);
        (line, self.before(text, at) - self.before(text, self.starts[line - 1]) + 1)
    }

    /// How many characters stand before a byte.
    fn before(&self, text: &str, at: usize) -> usize {
        let step = at / STEP;
        self.characters[step] + begun(&text.as_bytes()[step * STEP..at])
    }
}

/// How many characters begin among these bytes.
fn begun(bytes: &[u8]) -> usize {
    // The bits of all others begin with 10.
    bytes.iter().filter(|&&b| b & 0xC0 != 0x80).count()
}
