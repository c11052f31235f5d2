/**
 * The rows of the release check: what each runs, how often, and what it needs. A row's runner is a
 * file below dist/ that takes a count and a seed, exits with 0 when all went well, and prints what
 * it did as its last line. Source: RELIABILITY 5.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What the machine must offer to run a row. */
type Need = 'root' | 'libfaketime'

export interface Check {
  readonly id: string
  readonly what: string
  /** Count that a release asks for. */
  readonly asked: number
  /** Weight of the row when the minutes are shared out. */
  readonly share: number
  /** Count of the first run; later ones last about CHUNK_S. */
  readonly first: number
  /** Smallest count of a run. */
  readonly min?: number
  /** Counts a minute, roughly. Set where only the longest run counts, as for a soak. */
  readonly perMinute?: number
  /** True where a run of n uses n seeds. */
  readonly isSeedEach?: true
  readonly needs?: readonly Need[]
  /** File below dist/, and its arguments. */
  readonly file: string
  args(count: number, seed: number): string[]
}

type Row = Pick<Check, 'id' | 'what' | 'asked' | 'share'> & Partial<Check> & { file: string }

const counted = (count: number, seed: number): string[] => [
  ...['--count', String(count)],
  ...['--seed', String(seed)],
]

const runner = (row: Row): Check => ({ first: 1, args: counted, ...row })

/** Makes the check of a load profile; its count is of runs, minutes or ticks. */
const load = (row: Omit<Row, 'file'>, minutesOf?: (count: number) => number): Check => ({
  first: 1,
  ...row,
  file: 'bench/load.js',
  args: (count) => [
    ...['--profile', row.id, '--judge'],
    ...(minutesOf ? ['--minutes', String(minutesOf(count))] : []),
  ],
})

const same = (minutes: number): number => minutes
const TICKS_A_MINUTE = 100

const LOAD: readonly Check[] = [
  load({ id: 'L7', what: 'cold starts and recoveries', asked: 1, share: 3 }),
  load({ id: 'L6', what: 'floods of connects', asked: 1, share: 3 }),
  load({ id: 'L5', what: 'overloads', asked: 1, share: 4 }),
  load(
    { id: 'L2', what: 'ticks of the canonical world', asked: 1_000, share: 5, perMinute: 250 },
    (ticks) => ticks / TICKS_A_MINUTE,
  ),
  load(
    { id: 'L3', what: 'minutes of pushes to 5,000 sockets', asked: 3, share: 4, perMinute: 0.7 },
    same,
  ),
  load({ id: 'L1', what: 'minutes of 2,220 players', asked: 10, share: 26, perMinute: 0.85 }, same),
  load({ id: 'L4', what: 'minutes of soak', asked: 60, share: 10, perMinute: 0.95 }, same),
]

const fault = (row: Omit<Row, 'file'>, name: string): Check =>
  runner({ ...row, file: `test/fault/${name}.js` })

const flagged =
  (...flags: string[]) =>
  (count: number, seed: number): string[] => [...counted(count, seed), ...flags]

const FAULTS: readonly Check[] = [
  fault(
    {
      id: 'A1-A3',
      what: 'minutes of attacks together',
      asked: 1,
      share: 2,
      args: (minutes) => ['--what', 'chunks,batches,pings', '--seconds', String(60 * minutes)],
    },
    'attack',
  ),
  fault({ id: 'F11', what: 'second servers on one world', asked: 3, share: 1 }, 'two-servers'),
  fault({ id: 'F13', what: 'old data folders', asked: 1, share: 1 }, 'old-folder'),
  fault({ id: 'F9', what: 'stopped and blocked servers', asked: 5, share: 3 }, 'stall'),
  fault({ id: 'F12', what: 'SIGTERM under load', asked: 5, share: 3 }, 'stop'),
  fault(
    {
      id: 'F8',
      what: 'jumps of the wall clock',
      asked: 8,
      share: 4,
      needs: ['libfaketime'],
      args: flagged('--faketime', '1'),
    },
    'clock',
  ),
  fault(
    {
      id: 'F6',
      what: 'half-open sockets',
      asked: 3,
      share: 5,
      needs: ['root'],
      args: flagged('--netns', '1'),
    },
    'half-open',
  ),
  fault({ id: 'F5', what: 'crowds of slow readers', asked: 5, share: 5 }, 'slow'),
  fault(
    {
      id: 'F4',
      what: 'full disks',
      asked: 10,
      share: 5,
      needs: ['root'],
      args: flagged('--form', 'tmpfs'),
    },
    'disk-full',
  ),
  fault(
    {
      id: 'F3',
      what: 'absences of the database',
      asked: 12,
      share: 18,
      min: 4,
      args: flagged('--seconds', '1,10,60,300'),
    },
    'database-away',
  ),
  fault({ id: 'F2', what: 'kill -9 of the database', asked: 100, share: 8 }, 'database-kill'),
  fault({ id: 'F10', what: 'damaged bytes', asked: 20_000, share: 6, first: 200 }, 'damage'),
  fault(
    { id: 'F7', what: 'world and kernel threads ended, each way', asked: 50, share: 20, first: 2 },
    'world-thread',
  ),
  fault(
    {
      id: 'F15',
      what: 'leaders killed, frozen and cut off',
      asked: 90,
      share: 12,
      first: 3,
      min: 3,
    },
    'failover',
  ),
  fault(
    { id: 'F16', what: 'prunes, forks and exports killed', asked: 40, share: 8, first: 4 },
    'past-kill',
  ),
  fault(
    {
      id: 'F17',
      what: 'absences of NATS',
      asked: 3,
      share: 3,
      first: 3,
      min: 3,
      args: flagged('--seconds', '1,10,60'),
    },
    'bus-away',
  ),
  fault(
    { id: 'F18', what: 'races of two logins at two gateways', asked: 200, share: 2, first: 40 },
    'two-logins',
  ),
  fault({ id: 'F20', what: 'gateways killed', asked: 200, share: 12, first: 10 }, 'gateway-kill'),
  fault(
    {
      id: 'F19',
      what: 'worlds of older releases taken over',
      asked: 30,
      share: 5,
      first: 3,
      min: 3,
    },
    'upgrade-paths',
  ),
  runner({
    id: 'past',
    what: 'six hours of 300 bots, their past and its forks',
    asked: 1,
    share: 8,
    file: 'test/past/run.js',
    args: (_: number, seed: number) => ['--seed', String(seed)],
  }),
  fault({ id: 'F14', what: 'clients that vanish', asked: 5_000, share: 5, first: 100 }, 'vanish'),
  fault({ id: 'F1', what: 'kill -9 under load', asked: 500, share: 25, first: 10, min: 2 }, 'kill'),
]

const fuzz = (row: Omit<Row, 'file'>, name: string): Check =>
  runner({ ...row, file: `test/fuzz/${name}.js` })

/** Makes the check of a row that has no larger count than in CI: it runs the tests once more. */
const tested = (row: Omit<Row, 'file' | 'asked'>, name: string): Check => ({
  first: 1,
  asked: 1,
  ...row,
  file: 'test/release/tests-run.js',
  args: () => [name],
})

/** Requests a scan sends in a minute, with and without the pauses in which it measures. */
const SCANNED_A_MINUTE = 165_000
const SENT_A_MINUTE = 200_000

const scanned = (count: number, seed: number): string[] => [
  ...counted(count, seed),
  ...['--minutes', String(count / SENT_A_MINUTE)],
]

const INPUT: readonly Check[] = [
  tested({ id: 'B3, B4, B5, B7', what: 'rounds of all cases', share: 3 }, 'fuzz/cases'),
  tested({ id: 'B10', what: 'injection texts in every field', share: 2 }, 'fuzz/injection'),
  fuzz({ id: 'B6', what: 'user names', asked: 200_000, share: 2, first: 20_000 }, 'usernames-run'),
  fuzz({ id: 'B8', what: 'drone scripts', asked: 100_000, share: 4, first: 2_000 }, 'scripts-run'),
  fuzz(
    { id: 'B9', what: 'sequences against the model', asked: 10_000, share: 12, first: 20 },
    'sequences-run',
  ),
  fuzz(
    {
      id: 'scan',
      what: 'requests of a scanner',
      asked: 1_000_000,
      share: 14,
      perMinute: SCANNED_A_MINUTE,
      min: 5_000,
      args: scanned,
    },
    'scan',
  ),
  fuzz(
    {
      id: 'B1, B2',
      what: 'hostile frames and requests',
      asked: 1_500_000,
      share: 25,
      first: 5_000,
      min: 1_000,
    },
    'run',
  ),
]

const MODELS: readonly Check[] = [
  runner({
    id: 'M1',
    what: 'market operations against the model',
    asked: 300_000,
    share: 4,
    first: 5_000,
    file: 'test/property/market-random.js',
  }),
  runner({
    id: 'M2',
    what: 'rows of a storm of orders',
    asked: 1_000_000,
    share: 4,
    first: 10_000,
    file: 'test/property/market-storm-run.js',
  }),
  runner({
    id: 'sim',
    what: 'seeds of 500 ticks',
    asked: 20_000,
    share: 25,
    first: 2,
    isSeedEach: true as const,
    file: 'test/sim/run.js',
    args: (seeds, seed) => ['--seeds', String(seeds), '--seed', String(seed), '--ticks', '500'],
  }),
  runner({
    id: 'nodes',
    what: 'seeds of a world of three nodes',
    asked: 2_000,
    share: 20,
    first: 5,
    isSeedEach: true,
    file: 'test/sim/run.js',
    args(seeds, seed) {
      const counts = ['--seeds', String(seeds), '--seed', String(seed), '--ticks', '20']
      return ['--nodes', '3', ...counts]
    },
  }),
]

/** Quick rows come first: what they leave of their share goes to the others. */
export const CHECKS: readonly Check[] = [...FAULTS, ...INPUT, ...MODELS, ...LOAD]

/* ---- what a row needs ---- */

/** Returns whether the library is installed; its folder may be named after the architecture. */
function hasLibfaketime(): boolean {
  const roots = ['/usr/lib', '/usr/lib64', '/usr/local/lib']
  return roots
    .filter(existsSync)
    .some((root) =>
      [root, ...readdirSync(root).map((name) => join(root, name))].some((folder) =>
        existsSync(join(folder, 'faketime', 'libfaketime.so.1')),
      ),
    )
}

const MISSING: Readonly<Record<Need, () => string | undefined>> = {
  root: () => (process.getuid?.() === 0 ? undefined : 'it needs root'),
  libfaketime: () => (hasLibfaketime() ? undefined : 'libfaketime is not installed'),
}

const DIST = new URL('../../', import.meta.url).pathname

export const fileOf = ({ file }: Pick<Check, 'file'>): string => join(DIST, file)

/** Returns why a row cannot run here; undefined when it can. */
export function hindrance(check: Check): string | undefined {
  if (!existsSync(fileOf(check))) return `dist/${check.file} is not there`
  for (const need of check.needs ?? []) {
    const missing = MISSING[need]()
    if (missing !== undefined) return missing
  }
  return undefined
}
