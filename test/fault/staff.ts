/**
 * Shared parts of the tests of stopped processes and moved clocks: a child server whose clocks the
 * test controls, and players on every channel to check that their logins work.
 */
import { CHANNELS, type Client, type Params } from '../../bench/client.ts'
import { connect } from '../../bench/clients.ts'
import type { TestDatabase } from '../databases.ts'
import { newName, newPlayer } from '../e2e/wire.ts'
import { type ChildServer, type Settings, startChild } from '../servers.ts'
import { figureOf, sleep } from './program.ts'

const PRELOAD = new URL('./preload.js', import.meta.url).href
export const TICK_MS = 500

/** Starts a child with preload.ts loaded; `settings` are those of preload.ts and the server. */
export const startHeld = (database: TestDatabase, settings: Settings): Promise<ChildServer> =>
  startChild({
    DATABASE_URL: database.url,
    DATABASE_SCHEMA: database.schema(),
    TICK_MS: String(TICK_MS),
    MAX_ENTITIES: '20000',
    LIMITS: 'off',
    WORKERS: '0',
    NODE_OPTIONS: `--import=${PRELOAD}`,
    ...settings,
  })

export interface StaffMember {
  readonly client: Client
  readonly username: string
  readonly playerId: string
}

/** Registers players; the channels are taken in turn. */
export const registerStaff = (
  url: string,
  count: number,
  furtherParams: () => Promise<Params> = async () => ({}),
): Promise<StaffMember[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const client = await connect(url, CHANNELS[i % CHANNELS.length])
      const params = { ...newPlayer(newName()), ...(await furtherParams()) }
      const made = await client.call('register', params)
      if (!made.ok) throw new Error(`register: ${made.code} ${made.message}`)
      const { player_id, player } = made.result
      const playerId = String(player_id ?? (player as Params).id)
      return { client, username: String((params as Params).username), playerId }
    }),
  )

/** Lists players whose connection, session or login has been lost. */
export async function lostLogins(staff: readonly StaffMember[], when: string): Promise<string[]> {
  const answers = await Promise.all(staff.map(({ client }) => client.call('get_status')))
  return answers.flatMap(({ ok, code, message }, i) =>
    ok ? [] : [`${when}: ${staff[i].client.channel}: ${code} ${message}`],
  )
}

interface Cadence {
  readonly ticks: number
  readonly overMs: number
  /** Shortest and longest time between two ticks, averaged where several were seen together. */
  readonly shortestMs: number
  readonly longestMs: number
}

const POLL_MS = 25

/** Polls the current tick for a while. */
export async function watchTicks(url: string, forMs: number): Promise<Cadence> {
  const first = await figureOf(url, 'orrery_tick')
  const since = performance.now()
  const gapsMs: number[] = []
  let [seen, seenAtMs] = [first, 0]
  while (performance.now() - since < forMs) {
    await sleep(POLL_MS)
    const tick = await figureOf(url, 'orrery_tick')
    if (tick === seen) continue
    const now = performance.now()
    if (seenAtMs !== 0) gapsMs.push((now - seenAtMs) / (tick - seen))
    seenAtMs = now
    seen = tick
  }
  const overMs = performance.now() - since
  const [shortestMs, longestMs] = [Math.min(...gapsMs), Math.max(...gapsMs)]
  return { ticks: seen - first, overMs, shortestMs, longestMs }
}

/** Reports a burst of more ticks than were due, or hardly any ticks. */
export function brokenCadence({ ticks, overMs }: Cadence, when: string): string[] {
  const due = overMs / TICK_MS
  const seen = `${when}: ${ticks} ticks in ${Math.round(overMs)} ms`
  // A late tick may come right before the next.
  return ticks > due + 2 || ticks < due / 3 ? [seen] : []
}
