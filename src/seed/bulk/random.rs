//! Numbers that look random and are the same for the same seed, on every machine
//! and with every version of this program: whole numbers only.

use anyhow::Context;

/// What numbers are drawn for, so that one thing more of one kind changes
/// nothing of the others.
#[derive(Debug, Clone, Copy)]
pub enum Stream {
    Times = 1,
    Comments = 2,
    People = 3,
    Bodies = 4,
    Remarks = 5,
    Reactions = 6,
    Posts = 7,
    Threads = 8,
}

/// `SplitMix64` (Steele, Lea, Flood 2014).
pub struct Random(u64);

impl Random {
    /// The numbers for the thing with this number.
    pub fn of(seed: u16, stream: Stream, number: usize) -> Self {
        let number = u64::try_from(number).unwrap_or(u64::MAX);
        let mut start = Self((u64::from(seed) << 48) ^ ((stream as u64) << 40) ^ number);
        Self(start.draw())
    }

    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to `end` without it; 0 if there is nothing.
    pub fn below(&mut self, end: usize) -> usize {
        let scaled = u128::from(self.draw()) * u128::try_from(end).unwrap_or_default();
        usize::try_from(scaled >> 64).unwrap_or_default()
    }

    /// As [`Random::below`], low numbers far more often than high ones.
    pub fn low(&mut self, end: usize) -> usize {
        let middle = self.below(end) + 1;
        let lower = self.below(middle) + 1;
        self.below(lower)
    }

    /// From 1 to `cap`; half of all are 1 or 2, one in a hundred is above 100.
    pub fn heavy(&mut self, cap: usize) -> usize {
        cap / (self.below(cap) + 1)
    }

    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// # Errors
    /// There is nothing to choose from.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> anyhow::Result<&'a T> {
        from.get(self.below(from.len())).context("nothing to choose from")
    }

    /// One of the first far more often than one of the last.
    ///
    /// # Errors
    /// As [`Random::pick`].
    pub fn pick_early<'a, T>(&mut self, from: &'a [T]) -> anyhow::Result<&'a T> {
        from.get(self.low(from.len())).context("nothing to choose from")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_never_change() {
        let mut random = Random::of(1, Stream::Posts, 7);
        let drawn: Vec<_> = (0..6).map(|_| random.below(1000)).collect();
        assert_eq!(drawn, [974, 14, 213, 634, 702, 986]);
    }

    #[test]
    fn they_stay_in_bounds_and_are_spread_as_promised() {
        let mut random = Random::of(2, Stream::Times, 0);
        let mut counts = [0; 10];
        let mut high = 0;
        for _ in 0..10_000 {
            counts[random.low(10)] += 1;
            let heavy = random.heavy(1000);
            assert!((1..=1000).contains(&heavy));
            high += usize::from(heavy > 2);
        }
        assert!(counts.is_sorted_by(|a, b| a > b), "{counts:?}");
        assert!((3000..3700).contains(&high), "{high}");
        assert_eq!((random.below(0), random.below(1), random.low(1)), (0, 0, 0));
    }
}
