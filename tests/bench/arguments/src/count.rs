//! Instructions and allocations of one piece of work.

use std::alloc::{GlobalAlloc, Layout, System};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: all is handed on to the allocator of the system.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Allocations of one piece of work, growing included.
pub fn allocations(work: fn()) -> f64 {
    work();
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    work();
    (ALLOCATIONS.load(Ordering::Relaxed) - before) as f64
}

/// Instructions of one piece of work, as callgrind counts them: those of many without those of few.
pub fn instructions(name: &str) -> f64 {
    const FEW: u64 = 100;
    const MANY: u64 = 1_100;
    let collected = |times: u64| collected(&[name, &times.to_string()]);
    (collected(MANY) - collected(FEW)) / (MANY - FEW) as f64
}

/// Instructions of this program with these arguments.
pub fn collected(arguments: &[&str]) -> f64 {
    let program = std::env::current_exe().expect("the path of this program");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(arguments)
        .output()
        .expect("valgrind has to be installed");
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{log}");
    let collected = log.lines().find_map(|line| line.split("Collected : ").nth(1));
    collected.and_then(|count| count.trim().parse().ok()).unwrap_or_else(|| panic!("{log}"))
}
