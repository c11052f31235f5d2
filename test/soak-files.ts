/** The files below dist/test that `npm run soak` runs. */

/** Files that `npm test` leaves out, because they take minutes. */
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

/** Files of `npm test` that a soak runs with larger counts and other seeds (soak-mode.ts). */
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

/** Days until `--short` has run every file. */
const SHARES = 6

/** Returns every sixth file, starting at another one each day. */
export const shareOf = (files: readonly string[], day: number): readonly string[] =>
  files.filter((_, index) => index % SHARES === day % SHARES)
