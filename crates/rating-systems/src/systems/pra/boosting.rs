//! The Boosting System: an additional change for players whose ratings rise or fall throughout a
//! block of games.
//!
//! Source: Tony Berard, *The Performance Rating Algorithm (PRA) and the Tournament App*.

/// The lengths of blocks and the weight of boosts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Blocks {
    /// Games of an early block, which consists of four quarters.
    pub short: u32,
    /// Games of a later block.
    pub long: u32,
    /// Number of a player's games up to which blocks are short and boosts are not damped.
    pub short_until: u32,
    /// Number of a player's games up to which there are blocks.
    pub until: u32,
    /// Factor that reduces later boosts.
    pub damping: f64,
}

/// The state of the Boosting System for one player.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Boosting {
    games: u32,
    /// Number of complete quarters of the block, and games of the next quarter.
    quarters: u8,
    in_quarter: u16,
    /// Games of each quarter of the current block, fixed when the block begins.
    length: u16,
    direction: i8,
    /// Whether every quarter so far is above the previous one, or below it.
    rises: bool,
    falls: bool,
    is_over: bool,
    /// Sum of the ratings (points) after the games of the current quarter.
    sum: f64,
    /// Sum of the ratings of the previous quarter (points).
    quarter: f64,
    /// Highest and lowest rating (points) after a game of the block.
    peak: f64,
    trough: f64,
}

impl Boosting {
    /// Ends all boosts: the player is not boosted again.
    pub fn end(&mut self) {
        self.is_over = true;
    }

    /// Takes the rating (points) after a game, and returns the rating from which to continue. At
    /// the end of a block this can be a boosted rating, which is not a data point of the next
    /// block.
    pub fn after(&mut self, rating: f64, blocks: &Blocks) -> f64 {
        if self.is_over || self.games >= blocks.until {
            return rating;
        }
        let is_short = self.games < blocks.short_until;
        self.games += 1;
        if self.quarters == 0 && self.in_quarter == 0 {
            let block = if is_short { blocks.short } else { blocks.long };
            self.length = (block / 4).max(1).try_into().unwrap_or(u16::MAX);
            (self.rises, self.falls) = (true, true);
            (self.peak, self.trough) = (rating, rating);
        }
        self.peak = self.peak.max(rating);
        self.trough = self.trough.min(rating);
        self.sum += rating;
        self.in_quarter += 1;
        if self.in_quarter < self.length {
            return rating;
        }
        // Quarters have equal lengths, so their sums compare like their means.
        if self.quarters > 0 {
            self.rises &= self.sum > self.quarter;
            self.falls &= self.sum < self.quarter;
        }
        (self.quarter, self.sum) = (self.sum, 0.0);
        self.in_quarter = 0;
        self.quarters += 1;
        if self.quarters < 4 {
            return rating;
        }
        self.quarters = 0;
        let is_first = self.games == 4 * u32::from(self.length);
        self.boosted(rating, if is_short { 1.0 } else { blocks.damping }, is_first)
    }

    /// The rating (points) at the end of a block. `omega` is the weight of the boost.
    fn boosted(&mut self, rating: f64, omega: f64, is_first: bool) -> f64 {
        let sign: i8 = if self.rises {
            1
        } else if self.falls {
            -1
        } else {
            self.direction = 0;
            return rating;
        };
        if is_first {
            self.direction = sign;
        }
        let (factor, next) = match self.direction * sign {
            1 => (2.625, sign),
            0 => (0.875, sign),
            _ => (0.5, 0),
        };
        self.direction = next;
        let step = omega * factor * (self.peak - self.trough);
        if sign > 0 { self.peak + step } else { self.trough - step }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCKS: Blocks =
        Blocks { short: 20, long: 40, short_until: 160, until: 320, damping: 0.15 };

    /// Runs a block whose ratings change by the same step.
    fn block(boosting: &mut Boosting, from: f64, step: f64, games: usize) -> f64 {
        let ratings = (1..=games).map(|game| boosting.after(from + step * game as f64, &BLOCKS));
        ratings.last().unwrap()
    }

    #[test]
    fn a_rising_first_block_has_the_largest_factor() {
        let mut boosting = Boosting::default();
        // Peak 1520, trough 1501.
        assert_eq!(block(&mut boosting, 1500.0, 1.0, 20), 1520.0 + 2.625 * 19.0);
        assert_eq!(boosting.direction, 1);
    }

    #[test]
    fn a_reversal_resets_the_direction() {
        let mut boosting = Boosting::default();
        block(&mut boosting, 1500.0, 1.0, 20);
        // After a rise, a fall has half the step and resets the direction.
        assert_eq!(block(&mut boosting, 1600.0, -1.0, 20), 1580.0 - 0.5 * 19.0);
        assert_eq!(boosting.direction, 0);
        assert_eq!(block(&mut boosting, 1600.0, -1.0, 20), 1580.0 - 0.875 * 19.0);
        assert_eq!(boosting.direction, -1);
        assert_eq!(block(&mut boosting, 1600.0, -1.0, 20), 1580.0 - 2.625 * 19.0);
        // A block without a trend leaves the rating unchanged and resets the direction.
        assert_eq!(block(&mut boosting, 1600.0, 0.0, 20), 1600.0);
        assert_eq!(boosting.direction, 0);
    }

    #[test]
    fn blocks_are_longer_and_damped_after_160_games_and_end_after_320() {
        let mut boosting = Boosting::default();
        for _ in 0..8 {
            block(&mut boosting, 1500.0, 0.0, 20);
        }
        assert_eq!(block(&mut boosting, 1500.0, 1.0, 40), 1540.0 + 0.15 * 0.875 * 39.0);
        for _ in 0..3 {
            block(&mut boosting, 1500.0, 1.0, 40);
        }
        assert_eq!(boosting.games, 320);
        assert_eq!(block(&mut boosting, 1500.0, 1.0, 40), 1540.0);
    }

    #[test]
    fn a_block_keeps_its_initial_length() {
        let blocks = Blocks { short_until: 50, ..BLOCKS };
        let mut boosting = Boosting::default();
        let falling = (1..=60).map(|game| boosting.after(1500.0 - f64::from(game), &blocks));
        // The third block begins with game 41 and ends with game 60, when boosts are already
        // damped.
        assert_eq!(falling.last(), Some(1440.0 - 0.15 * 2.625 * 19.0));
    }

    #[test]
    fn no_boosts_follow_the_end() {
        let mut boosting = Boosting::default();
        block(&mut boosting, 1500.0, 1.0, 19);
        boosting.end();
        assert_eq!(boosting.after(1520.0, &BLOCKS), 1520.0);
    }
}
