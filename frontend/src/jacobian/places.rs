//! Where Jacobians can be other than zero, and their colours, found once for each program: an eager call records the same
//! program every time.
//!
//! The cache is keyed by what was recorded, to the last constant, and by the elements of what it captures, so that an answer is
//! what would be found again. It is of its thread and bounded, in entries and bytes; when full it starts anew.

use super::pattern::{Coloring, SparsePattern};
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_passes::error::TransformError;
use wengert_passes::sparsity::{self, Pattern};

/// How the places of a matrix shall be coloured.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Way {
    /// With fewest colours; of a symmetric matrix also across its diagonal.
    Fewest {
        /// Whether the matrix is one of second derivatives: it is symmetric if its places are.
        symmetric: bool,
        /// Whether the function has a forward mode: without one products are those of reverse mode.
        forward: bool,
    },
    /// In the way that was asked for.
    Asked(Coloring),
}

/// The places of a Jacobian, and those colourings of them that were asked for.
pub(super) struct Places {
    pattern: Pattern,
    is_symmetric: OnceCell<bool>,
    colored: RefCell<FxHashMap<Way, Option<Arc<SparsePattern>>>>,
}

impl Places {
    fn new(pattern: Pattern) -> Self {
        Self { pattern, is_symmetric: OnceCell::new(), colored: RefCell::default() }
    }

    /// The places with colours; `None` if there are none of the kind that is asked for, or they are no gain.
    pub(super) fn colored(&self, way: Way) -> Option<Arc<SparsePattern>> {
        let is_symmetric = || *self.is_symmetric.get_or_init(|| self.pattern == self.pattern.transposed());
        let way = match way {
            Way::Fewest { symmetric, forward } => {
                Way::Fewest { symmetric: symmetric && is_symmetric(), forward }
            }
            Way::Asked(_) => way,
        };
        let mut colored = self.colored.borrow_mut();
        let made = colored.entry(way).or_insert_with(|| {
            let pattern = self.pattern.clone();
            let made = match way {
                Way::Fewest { symmetric, forward } => {
                    Some(SparsePattern::by_default(pattern, symmetric, forward))
                }
                Way::Asked(way) => SparsePattern::in_way(pattern, way),
            };
            made.map(Arc::new)
        });
        made.clone()
    }
}

/// What was recorded, by which parameters it is differentiated, and the elements of those whose values are known.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    module: Module,
    func: FuncId,
    by: Vec<bool>,
    known: Vec<Option<Known>>,
}

struct Known(Array);

impl PartialEq for Known {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&self.0, &other.0);
        a.ty() == b.ty() && (Arc::ptr_eq(a.shared(), b.shared()) || a.bytes() == b.bytes())
    }
}
impl Eq for Known {}

impl Hash for Known {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0.ty(), self.0.bytes()).hash(state);
    }
}

/// Most entries of the cache.
const CAPACITY: usize = 64;

/// Most bytes of known elements and of places in it; what is larger alone is not kept.
const BYTES: usize = 256 << 20;

/// About how much a place takes, with how its value is found: its column twice, a colour and an element of a product.
const PLACE: usize = 32;

#[derive(Default)]
struct Cache {
    entries: FxHashMap<Key, Rc<Places>>,
    bytes: usize,
}

thread_local! {
    static CACHE: RefCell<Cache> = RefCell::default();
}

/// Where the Jacobian of a function by the marked parameters can be other than zero, for all their values.
pub(super) fn places(
    m: &mut Module,
    func: FuncId,
    by: &[bool],
    known: Vec<Option<Array>>,
) -> Result<Rc<Places>, TransformError> {
    let (module, entries) = m.reachable(&[func]);
    let bytes_known: usize = known.iter().flatten().map(|array| array.bytes().len()).sum();
    let key = Key {
        module,
        func: entries[0],
        by: by.to_vec(),
        known: known.iter().cloned().map(|array| array.map(Known)).collect(),
    };
    if let Some(hit) = CACHE.with_borrow(|c| c.entries.get(&key).cloned()) {
        return Ok(hit);
    }
    let results = vec![true; m.get(func).results.len()];
    let pattern = sparsity::pattern(m, func, by, &results, &known)?;
    let bytes = bytes_known + pattern.indices.len() * PLACE;
    let found = Rc::new(Places::new(pattern));
    CACHE.with_borrow_mut(|c| {
        if bytes > BYTES {
            return;
        }
        if c.entries.len() >= CAPACITY || c.bytes + bytes > BYTES {
            *c = Cache::default();
        }
        c.bytes += bytes;
        c.entries.insert(key, found.clone());
    });
    Ok(found)
}
