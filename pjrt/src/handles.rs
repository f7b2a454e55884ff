//! What callers hold of our objects.
//!
//! A handle looks like a pointer but is none: it is the place of an object in a table, how often that place has been used before, and
//! the kind of object. So a null pointer, an object that was destroyed, one of another kind and any number at all are
//! told from living objects without anything being read there, and an object that one thread destroys lives on as long
//! as another thread works with it.

use crate::error::{Code, Done, Failure};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// Slots of the first chunk; each chunk has twice as many as the one before.
const FIRST: usize = 64;
/// Chunks, so some 60 million objects.
const CHUNKS: usize = 20;
/// Slots at all.
const MOST: usize = FIRST * ((1 << CHUNKS) - 1);
/// Slots that rest before they are taken again, so that what is older than 65,536 times as many objects is told from living ones.
const RESTING: usize = 256;
/// Bits of a handle that say which kind of object it is, never all zero.
const KIND_BITS: u32 = 5;
/// Bits of the slot's number.
const SLOT_BITS: u32 = 26;
/// Bits of the generation, which counts from 1, so that no small number is a handle. Handles have 47 bits, as addresses of a process
/// do.
const GENERATION_BITS: u32 = 16;

/// An object that callers hold.
pub(crate) trait Object: Send + Sync + Sized + 'static {
    /// What it is to them.
    type Opaque;
    /// Tells it from others, less than 2^5 and not zero.
    const KIND: usize;
    /// What it is called in errors.
    const NAME: &'static str;
    /// All of them.
    fn table() -> &'static Table<Self>;
}

/// Declares what is an [`Object`].
macro_rules! objects {
    ($($object:ty as $opaque:ty = $kind:literal $name:literal;)*) => { $(
        impl $crate::handles::Object for $object {
            type Opaque = $opaque;
            const KIND: usize = $kind;
            const NAME: &'static str = $name;
            fn table() -> &'static $crate::handles::Table<Self> {
                static TABLE: $crate::handles::Table<$object> = $crate::handles::Table::new();
                &TABLE
            }
        }
    )* };
}
pub(crate) use objects;

/// The objects of a kind.
pub(crate) struct Table<T> {
    chunks: [OnceLock<Box<[Slot<T>]>>; CHUNKS],
    /// Numbers of slots that are free, the one that has been for longest first, and how many there are at all. A slot that is
    /// taken again at once would soon have been taken as often as its generation counts.
    free: Mutex<(VecDeque<usize>, usize)>,
}

type Slot<T> = Mutex<(usize, Option<Arc<T>>)>;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

/// The chunk of a slot and its place there.
fn place(number: usize) -> (usize, usize) {
    let chunk = (number / FIRST + 1).ilog2() as usize;
    (chunk, number - FIRST * ((1 << chunk) - 1))
}

impl<T: Object> Table<T> {
    pub(crate) const fn new() -> Self {
        Self { chunks: [const { OnceLock::new() }; CHUNKS], free: Mutex::new((VecDeque::new(), 0)) }
    }

    fn slot(&self, number: usize) -> Option<&Slot<T>> {
        let (chunk, at) = place(number);
        self.chunks.get(chunk)?.get()?.get(at)
    }

    fn insert(&self, object: Arc<T>) -> Done<*mut T::Opaque> {
        let number = {
            let (free, used) = &mut *lock(&self.free);
            // As long as few are free another is made.
            if free.len() >= RESTING || *used >= MOST - 1 { free.pop_front() } else { None }.unwrap_or_else(
                || {
                    *used += 1;
                    *used - 1
                },
            )
        };
        let (chunk, _) = place(number);
        let Some(chunk_slots) = self.chunks.get(chunk) else {
            return Err(Failure::new(Code::ResourceExhausted, format!("too many {}s", T::NAME)));
        };
        chunk_slots.get_or_init(|| (0..FIRST << chunk).map(|_| Mutex::new((1, None))).collect());
        let slot = self.slot(number).expect("a slot of a chunk that was just made");
        let (generation, content) = &mut *lock(slot);
        *content = Some(object);
        let handle = (*generation << SLOT_BITS | number) << KIND_BITS | T::KIND;
        Ok(std::ptr::without_provenance_mut(handle))
    }

    /// The slot of a handle and the generation that it is of.
    fn find(&self, handle: *const T::Opaque) -> Done<(usize, &Slot<T>, usize)> {
        let value = handle.addr();
        let (kind, value) = (value & ((1 << KIND_BITS) - 1), value >> KIND_BITS);
        let (number, generation) = (value & ((1 << SLOT_BITS) - 1), value >> SLOT_BITS);
        let slot = (kind == T::KIND).then(|| self.slot(number)).flatten();
        Ok((number, slot.ok_or_else(|| unknown::<T>(handle))?, generation))
    }

    fn get(&self, handle: *const T::Opaque) -> Done<Arc<T>> {
        let (_, slot, generation) = self.find(handle)?;
        match &*lock(slot) {
            (current, Some(object)) if *current == generation => Ok(object.clone()),
            _ => Err(unknown::<T>(handle)),
        }
    }

    fn remove(&self, handle: *const T::Opaque) -> Done<Arc<T>> {
        let (number, slot, generation) = self.find(handle)?;
        let object = match &mut *lock(slot) {
            (current, content) if *current == generation => {
                let object = content.take().ok_or_else(|| unknown::<T>(handle))?;
                *current = *current % ((1 << GENERATION_BITS) - 1) + 1;
                object
            }
            _ => return Err(unknown::<T>(handle)),
        };
        lock(&self.free).0.push_back(number);
        Ok(object)
    }
}

fn unknown<T: Object>(handle: *const T::Opaque) -> Failure {
    let what = if handle.is_null() { "a null pointer" } else { "another pointer, or one that was destroyed" };
    Failure::invalid(format!("no {}: {what}", T::NAME))
}

/// Gives an object to a caller, who destroys it.
pub(crate) fn insert<T: Object>(object: Arc<T>) -> Done<*mut T::Opaque> {
    T::table().insert(object)
}

/// The object that a caller means.
pub(crate) fn get<T: Object>(handle: *const T::Opaque) -> Done<Arc<T>> {
    T::table().get(handle)
}

/// Takes an object from a caller. A null pointer is destroyed without complaint, as the header says.
pub(crate) fn destroy<T: Object>(handle: *const T::Opaque) -> Done {
    if handle.is_null() {
        return Ok(());
    }
    // What it held is freed when no other thread works with it.
    T::table().remove(handle).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Thing(usize);
    struct Other;
    /// Of another kind, since tests run at the same time: a number that is no handle may be one of theirs.
    struct Many(usize);
    struct Opaque;
    objects! {
        Many as Opaque = 29 "one of many";
        Thing as Opaque = 30 "thing";
        Other as Opaque = 31 "other thing";
    }

    #[test]
    fn only_living_objects_of_the_kind_are_found() {
        let a = insert(Arc::new(Thing(1))).expect("room");
        let other = insert(Arc::new(Other)).expect("room");
        assert_eq!(get::<Thing>(a).map(|t| t.0), Ok(1));
        assert!(get::<Other>(a).is_err() && get::<Thing>(other).is_err() && get::<Other>(other).is_ok());
        let held = get::<Thing>(a).expect("lives");
        assert!(destroy::<Thing>(a).is_ok() && held.0 == 1);
        let again = destroy::<Thing>(a).expect_err("destroyed before");
        assert_eq!(again.message, "no thing: another pointer, or one that was destroyed");
        let b = insert(Arc::new(Thing(2))).expect("room");
        assert!(a != b && get::<Thing>(a).is_err() && get::<Thing>(b).is_ok());
        for garbage in [1usize, 30, 31, 62, usize::MAX, 0x7fff_ffff_ffff, 1 << 46] {
            assert!(get::<Thing>(std::ptr::without_provenance(garbage)).is_err());
        }
        assert!(destroy::<Thing>(std::ptr::null()).is_ok() && get::<Thing>(std::ptr::null()).is_err());
    }

    #[test]
    fn slots_fill_chunk_after_chunk() {
        let (mut chunk, mut at) = (0, 0);
        for number in 0..10_000 {
            assert_eq!(place(number), (chunk, at));
            at += 1;
            if at == FIRST << chunk {
                (chunk, at) = (chunk + 1, 0);
            }
        }
        let many: Vec<_> = (0..1000).map(|k| insert(Arc::new(Many(k))).expect("room")).collect();
        assert!(many.iter().enumerate().all(|(k, &h)| get::<Many>(h).is_ok_and(|t| t.0 == k)));
        assert!(many.iter().all(|&h| destroy::<Many>(h).is_ok()));
    }
}
