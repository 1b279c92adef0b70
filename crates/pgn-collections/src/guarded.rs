//! Code of libraries that may panic on damaged files.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many guards are at work: while there are any, panics are not told on the terminal, since
/// whoever guards tells them.
static GUARDS: AtomicUsize = AtomicUsize::new(0);

/// Runs what reads a file; where it panics, what the panic says. What it was changing is then to be
/// thrown away.
pub fn guarded<T>(act: impl FnOnce() -> T) -> Result<T, String> {
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
    outcome.map_err(|payload| said(&*payload))
}

fn said(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("it is damaged");
    text.lines().next().unwrap_or_default().chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_with_its_words() {
        assert_eq!(guarded(|| 1), Ok(1));
        let told = guarded(|| -> u8 { panic!("page {} ends early", 3) });
        assert_eq!(told, Err("page 3 ends early".to_owned()));
    }
}
