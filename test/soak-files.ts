/** What `npm run soak` runs, under dist/test. */

/** Runs that wait for time to pass, servers to die and seeds to play. */
const ONLY_SOAKED = [
  'bench/bots.soak.test.js',
  'bench/fleets.soak.test.js',
  'bench/load.soak.test.js',
  'fault/database.soak.test.js',
  'e2e/hour.soak.test.js',
  'fault/old-folder.soak.test.js',
  'fault/refused-start.soak.test.js',
  'fault/vanish.soak.test.js',
  'fault/waiting.soak.test.js',
  'fault/world-thread.soak.test.js',
  'fuzz/cases.soak.test.js',
  'fuzz/injection.soak.test.js',
  'fuzz/repeat.soak.test.js',
  'fuzz/scripts.soak.test.js',
  'sim/more-seeds.soak.test.js',
  'sim/nodes.soak.test.js',
]

/** Runs of `npm test` with more of the same: larger counts, seeds of the day (soak-mode.ts). */
const LONGER = [
  'bench/bench.test.js',
  'e2e/fork.test.js',
  'fault/attack.test.js',
  'fault/bus-away.test.js',
  'fault/gateway-kill.test.js',
  'fault/kill.test.js',
  'fault/past-kill.test.js',
  'fault/two-logins.test.js',
  'fuzz/fuzz.test.js',
  'fuzz/scan.test.js',
  'fuzz/sequences.test.js',
  'past/past.test.js',
  'readme/npm-run.test.js',
  'sim/twins.test.js',
]

export const SOAK_FILES: readonly string[] = [...ONLY_SOAKED, ...LONGER]

/** How many days it takes until each has had its turn in `--short`. */
const SHARES = 3

/** Returns every third file, starting with another one each day: shares of about the same time. */
export const shareOf = (files: readonly string[], day: number): readonly string[] =>
  files.filter((_, index) => index % SHARES === day % SHARES)
