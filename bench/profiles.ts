/**
 * The load table as profiles of `npm run load -- --profile L1`: each starts what it needs, runs its
 * load and prints its figures with their bounds. Source: RELIABILITY 5 (L1-L7).
 */
import { runCanonical } from './canonical.ts'
import { exitCodeOf, holds, judgeTable } from './judge.ts'
import type { Profile } from './profile.ts'
import { connectFlood, fullHouse, soak } from './profiles-play.ts'
import { coldStart, manySockets, overload } from './profiles-server.ts'
import { machine, scalesText } from './report.ts'
import { NOT_JUDGED, notJudgedText } from './scale.ts'
import { measureScales } from './triad.bench.ts'

const CANONICAL_TICKS_PER_MINUTE = 100
const NPCS_PER_PLAYER = 0.5

const PROFILES: readonly Profile[] = [
  {
    id: 'L1',
    minutes: 10,
    players: 2_220,
    run: fullHouse,
    what: 'players on all channels at 1 s ticks: a mutation per tick, a query every 2 s',
  },
  {
    id: 'L2',
    minutes: 10,
    players: 10_000,
    what: `the canonical world without sockets; ${CANONICAL_TICKS_PER_MINUTE} ticks per "minute"`,
    run: ({ minutes, players, print }) =>
      runCanonical({
        players,
        npcs: players * NPCS_PER_PLAYER,
        print,
        ticks: Math.ceil(minutes * CANONICAL_TICKS_PER_MINUTE),
      }),
  },
  {
    id: 'L3',
    minutes: 3,
    players: 5_000,
    run: manySockets,
    what: 'many sockets, with a push of 1 KiB to all every second',
  },
  {
    id: 'L4',
    minutes: 60,
    players: 500,
    run: soak,
    what: 'soak: players who come and go at 1 s ticks',
  },
  {
    id: 'L5',
    minutes: 3,
    players: 400,
    run: overload,
    what: 'overload: ticks made to overrun their length for a while',
  },
  {
    id: 'L6',
    minutes: 0.5,
    players: 2_000,
    run: connectFlood,
    what: '10,000 connections from one address in 10 s while players act; limits on',
  },
  {
    id: 'L7',
    minutes: 0.6,
    players: 2_000,
    run: coldStart,
    what: 'cold start; recovery of the canonical world and at least 30 ticks',
  },
]

export const profileIds = (): string[] => PROFILES.map(({ id }) => id)

/** Returns the profiles as lines for --help. */
export const profileLines = (): string[] =>
  PROFILES.map(
    ({ id, what, minutes, players }) =>
      `                    ${id}: ${what} (${players} players, ${minutes} min)`,
  )

interface ProfileOptions {
  /** Undefined: as in the table. */
  readonly minutes: number | undefined
  readonly players: number | undefined
  /** Whether a figure that exceeds its bound is a failure. */
  readonly isJudged: boolean
  readonly json: boolean
  print(line: string): void
}

/** Returns the profile with this id. */
export function profileOf(id: string): Profile {
  const profile = PROFILES.find((one) => one.id === id)
  if (!profile) throw new Error(`there is no profile ${id}`)
  return profile
}

/** Runs a profile; resolves with the exit code. */
export async function runProfile(profile: Profile, options: ProfileOptions): Promise<0 | 1> {
  const { id } = profile
  const { print, isJudged } = options
  const minutes = options.minutes ?? profile.minutes
  const players = options.players ?? profile.players
  const { cpu, cores, node, load } = machine()
  print(`${id}: ${profile.what}`)
  print(`${cores} x ${cpu}, Node ${node}, load ${load.toFixed(2)}`)
  const isScaled = minutes < profile.minutes || players < profile.players
  if (isScaled) {
    const full = `${profile.players} players, ${profile.minutes} min`
    print(`SCALED DOWN to ${players} players, ${minutes} min; the table has ${full}`)
  }
  const scales = await measureScales()
  const rows = await profile.run({ minutes, players, print })
  print('')
  for (const line of judgeTable(rows, scales)) print(line)
  print(`${scalesText(scales)}; load now ${machine().load.toFixed(2)}`)
  const isUnjudged = rows.some((row) => holds(row, scales) === NOT_JUDGED)
  if (isUnjudged) print(notJudgedText(scales))
  const over = rows.filter((row) => holds(row, scales) === false).map((row) => row.figure)
  const code = exitCodeOf(rows, scales, isJudged)
  const held = isUnjudged ? 'no judged figure is over its bound' : 'all bounds held'
  const kept = over.length === 0 ? held : `OVER: ${over.join(', ')}`
  print(`${id} ${code === 0 ? 'passed' : 'FAILED'}${isScaled ? ' (scaled down)' : ''}: ${kept}`)
  if (options.json) print(JSON.stringify({ id, minutes, players, isScaled, scales, rows, code }))
  return code
}
