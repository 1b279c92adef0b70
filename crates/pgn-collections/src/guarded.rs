//! Runs code of libraries that may panic on damaged files.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

use thiserror::Error;

/// Number of guards that are active. While there are any, panics are not printed on the terminal,
/// because the caller of the guard reports them.
static GUARDS: AtomicUsize = AtomicUsize::new(0);

/// A library panicked. The text is the first line of the panic's message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct LibraryPanic(pub String);

/// Runs a closure that reads a file, and turns a panic into an error.
///
/// After a panic the caller must discard the values that the closure was changing.
///
/// # Errors
///
/// Returns an error if the closure panics.
pub fn guarded<T>(act: impl FnOnce() -> T) -> Result<T, LibraryPanic> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if GUARDS.load(Ordering::SeqCst) == 0 {
                usual(info);
            }
        }));
    });
    GUARDS.fetch_add(1, Ordering::SeqCst);
    let outcome = panic::catch_unwind(AssertUnwindSafe(act));
    GUARDS.fetch_sub(1, Ordering::SeqCst);
    outcome.map_err(|payload| LibraryPanic(first_line(&*payload)))
}

/// The first line of a panic's message, at most 200 characters.
fn first_line(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("it is damaged");
    text.lines().next().unwrap_or_default().chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_with_its_message() {
        assert_eq!(guarded(|| 1), Ok(1));
        let outcome = guarded(|| -> u8 { panic!("page {} ends early", 3) });
        assert_eq!(outcome, Err(LibraryPanic("page 3 ends early".to_owned())));
    }
}
