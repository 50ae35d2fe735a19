//! Counts every byte that Rust code holds. What SQLite holds is not among them.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static COUNTING: Counting = Counting;

struct Counting;

/// The bytes held now.
pub(crate) fn live() -> usize {
    LIVE.load(Ordering::Relaxed)
}

/// The most that were held at once since this was asked last.
pub(crate) fn peak() -> usize {
    PEAK.swap(live(), Ordering::Relaxed)
}

#[expect(unsafe_code, reason = "only an allocator can count what is allocated")]
// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(live, Ordering::Relaxed);
        // SAFETY: the caller keeps the promises of this method.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the promises of this method.
        unsafe { System.dealloc(pointer, layout) }
    }
}
