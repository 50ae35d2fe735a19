//! How often a host may be asked: a few at once, then in steps; and not at all while it wants to be left alone.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A host that wants to be left alone for longer is asked again after this: it may have been mended meanwhile.
const LONGEST_REST: Duration = Duration::from_secs(10 * 60);

#[derive(Debug)]
pub(crate) struct Pace {
    burst: u32,
    step: Duration,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// When the last turn that was given would come if turns came in steps from the beginning.
    last: Instant,
    rests_until: Option<Instant>,
}

/// Why there is no turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoTurn {
    /// Too many want one; the next is so far away.
    Crowded(Duration),
    /// The host wants to be left alone for so long.
    Resting(Duration),
}

impl Pace {
    /// So many at once, and one more with each step.
    pub(crate) fn new(burst: u32, step: Duration, now: Instant) -> Self {
        Self { burst: burst.max(1), step, state: Mutex::new(State { last: now, rests_until: None }) }
    }

    /// How long to wait for a turn, which is taken; none is taken where that would be too long.
    pub(crate) fn turn(&self, now: Instant, patience: Duration) -> Result<Duration, NoTurn> {
        let mut state = self.state();
        if let Some(until) = state.rests_until.filter(|until| *until > now) {
            return Err(NoTurn::Resting(until - now));
        }
        let last = state.last.max(now) + self.step;
        let wait = last.saturating_duration_since(now + self.step * self.burst);
        if wait > patience {
            return Err(NoTurn::Crowded(wait));
        }
        state.last = last;
        Ok(wait)
    }

    /// The host wants to be left alone.
    pub(crate) fn rest(&self, now: Instant, wanted: Duration) {
        self.state().rests_until = Some(now + wanted.min(LONGEST_REST));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: Duration = Duration::from_millis(500);
    const LONG: Duration = Duration::from_secs(10);

    #[test]
    fn a_few_go_at_once_and_the_rest_in_steps() {
        let now = Instant::now();
        let pace = Pace::new(3, STEP, now);
        let waits: Vec<_> = (0..5).map(|_| pace.turn(now, LONG).unwrap()).collect();
        assert_eq!(waits, [Duration::ZERO, Duration::ZERO, Duration::ZERO, STEP, STEP * 2]);
        assert_eq!(pace.turn(now, STEP), Err(NoTurn::Crowded(STEP * 3)), "nobody waits in vain");
        assert_eq!(pace.turn(now + STEP * 2, LONG), Ok(STEP), "who did not wait took no turn");
        assert_eq!(pace.turn(now + LONG, LONG), Ok(Duration::ZERO));
    }

    #[test]
    fn a_host_that_wants_rest_gets_it_but_not_for_ever() {
        let now = Instant::now();
        let pace = Pace::new(3, STEP, now);
        pace.rest(now, STEP);
        assert_eq!(pace.turn(now, LONG), Err(NoTurn::Resting(STEP)));
        assert_eq!(pace.turn(now + STEP, LONG), Ok(Duration::ZERO));
        pace.rest(now, Duration::from_secs(u64::from(u32::MAX)));
        assert_eq!(pace.turn(now + LONGEST_REST, LONG), Ok(Duration::ZERO));
    }
}
