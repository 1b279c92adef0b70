//! `cargo xtask torture`: tries random sequences of commands and faults, and checks after each step
//! what must hold always.
//!
//! Model: the testing of SQLite and of FoundationDB. A sequence follows from its seed and number,
//! so a failure can be repeated, except where it depends on time: at which moment a signal arrives,
//! and which thread makes the call that fails. Steps that it does not need are removed before it is
//! printed.

mod collection;
mod fault;
mod invariants;
mod side_input;
mod step;
mod workshop;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use step::Step;
use workshop::Workshop;

/// Try random sequences of commands and faults, and check what must hold always
///
/// After each step: no panic, a whole archive or none, counts that add up, no NaN and no control
/// character in any file, nothing left behind; a build with a cache and any number of threads gives
/// the files of a build without either. A failing sequence is shortened and printed with the
/// command that repeats it.
#[derive(Debug, Args)]
pub struct Torture {
    /// How long to try
    #[arg(long, value_name = "MINUTES", default_value_t = 10.0)]
    minutes: f64,
    /// Seed of the sequences
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Perform only the sequence with this number
    #[arg(long, value_name = "NUMBER")]
    sequence: Option<u64>,
    /// Keep only these steps of the sequence, counted from 0
    #[arg(long, value_name = "STEPS", value_delimiter = ',', requires = "sequence")]
    keep: Vec<usize>,
    /// The program [default: `greatness` next to this one]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

/// The numbers of steps of a sequence.
const STEPS: std::ops::RangeInclusive<usize> = 4..=12;

impl Torture {
    pub fn run(self) -> anyhow::Result<()> {
        let program = match &self.program {
            Some(program) => program.clone(),
            None => std::env::current_exe()?.with_file_name("greatness"),
        };
        let program = program.canonicalize().with_context(|| {
            format!("{} does not exist; build it first, or name it", program.display())
        })?;
        let workshop = Workshop { program, can_inject: fault::can_be_injected() };
        if !workshop.can_inject {
            eprintln!("without strace, no system call fails");
        }
        let mut tried: BTreeMap<&'static str, usize> = BTreeMap::new();
        let end = Instant::now() + Duration::from_secs_f64(60.0 * self.minutes);
        let numbers = self.sequence.map_or(0..=u64::MAX, |number| number..=number);
        let mut sequences = 0;
        for number in numbers {
            if self.sequence.is_none() && Instant::now() >= end {
                break;
            }
            let steps = sequence(self.seed, number);
            let kept: Vec<usize> =
                if self.keep.is_empty() { (0..steps.len()).collect() } else { self.keep.clone() };
            for place in &kept {
                *tried.entry(steps[*place].word()).or_default() += 1;
            }
            sequences += 1;
            if let Err(failure) = workshop.perform(&steps, &kept) {
                return self.report(&workshop, number, &steps, kept, &failure);
            }
        }
        println!("{sequences} sequences of seed {}, no failure", self.seed);
        for (word, number) in tried {
            println!("{number:>7}  {word}");
        }
        Ok(())
    }

    /// Shortens a failing sequence and prints it.
    fn report(
        &self,
        workshop: &Workshop,
        number: u64,
        steps: &[Step],
        mut kept: Vec<usize>,
        failure: &anyhow::Error,
    ) -> anyhow::Result<()> {
        eprintln!("sequence {number} failed: {failure:#}\nremoving steps that it does not need");
        let mut reason = format!("{failure:#}");
        for place in (0..steps.len()).rev() {
            let fewer: Vec<usize> = kept.iter().copied().filter(|kept| *kept != place).collect();
            if fewer.len() == kept.len() || fewer.is_empty() {
                continue;
            }
            if let Err(failure) = workshop.perform(steps, &fewer) {
                kept = fewer;
                reason = format!("{failure:#}");
            }
        }
        for place in &kept {
            eprintln!("  {place}: {:?}", steps[*place]);
        }
        let keep: Vec<String> = kept.iter().map(usize::to_string).collect();
        bail!(
            "{reason}\nrepeat it with: cargo xtask torture --seed {} --sequence {number} --keep {}",
            self.seed,
            keep.join(",")
        )
    }
}

/// The steps of a sequence. The first one writes a collection.
fn sequence(seed: u64, number: u64) -> Vec<Step> {
    // The bits of the number and of the seed are spread, so that neighbours have other sequences.
    let spread = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed.rotate_left(32);
    let mut random = Pcg64Mcg::seed_from_u64(spread);
    let length = random.random_range(STEPS);
    let mut steps = vec![Step::Write(random.random())];
    steps.extend((1..length).map(|_| Step::random(&mut random)));
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_follows_from_its_seed_and_number() {
        let texts = |seed, number| format!("{:?}", sequence(seed, number));
        assert_eq!(texts(1, 7), texts(1, 7));
        assert_ne!(texts(1, 7), texts(1, 8));
        assert_ne!(texts(1, 7), texts(2, 7));
        assert!((0..100).all(|number| matches!(sequence(1, number)[0], Step::Write(_))));
    }
}
