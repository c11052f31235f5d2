/**
 * A child server whose clocks a test holds, and a staff of players on every channel who are asked
 * whether all is well: what tests of stopped processes and moved clocks share.
 */
import { CHANNELS, type Client, type Params } from '../../bench/client.ts'
import { connect } from '../../bench/clients.ts'
import type { TestDatabase } from '../databases.ts'
import { newName, newPlayer } from '../e2e/wire.ts'
import { type ChildServer, type Settings, startChild } from '../servers.ts'
import { figureOf, sleep } from './program.ts'

const PRELOAD = new URL('./preload.js', import.meta.url).href
export const TICK_MS = 500

/** Starts a child with preload.ts loaded; `more` holds its settings and those of the server. */
export const startHeld = (database: TestDatabase, more: Settings): Promise<ChildServer> =>
  startChild({
    DATABASE_URL: database.url,
    DATABASE_SCHEMA: database.schema(),
    TICK_MS: String(TICK_MS),
    MAX_ENTITIES: '20000',
    LIMITS: 'off',
    WORKERS: '0',
    NODE_OPTIONS: `--import=${PRELOAD}`,
    ...more,
  })

export interface Hand {
  readonly client: Client
  readonly username: string
  readonly playerId: string
}

/** Players, the channels in turn. */
export const hire = (
  url: string,
  count: number,
  more: () => Promise<Params> = async () => ({}),
): Promise<Hand[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const client = await connect(url, CHANNELS[i % CHANNELS.length])
      const params = { ...newPlayer(newName()), ...(await more()) }
      const made = await client.call('register', params)
      if (!made.ok) throw new Error(`register: ${made.code} ${made.message}`)
      const { player_id, player } = made.result
      const playerId = String(player_id ?? (player as Params).id)
      return { client, username: String((params as Params).username), playerId }
    }),
  )

/** Lists players whose connection, session or login is gone. */
export async function lostOf(hands: readonly Hand[], when: string): Promise<string[]> {
  const answers = await Promise.all(hands.map(({ client }) => client.call('get_status')))
  return answers.flatMap(({ ok, code, message }, i) =>
    ok ? [] : [`${when}: ${hands[i].client.channel}: ${code} ${message}`],
  )
}

interface Cadence {
  readonly ticks: number
  readonly overMs: number
  /** Shortest and longest time between two ticks, as far as they were seen one by one. */
  readonly shortestMs: number
  readonly longestMs: number
}

const LOOK_MS = 25

/** Looks at the tick for a while. */
export async function watchTicks(url: string, forMs: number): Promise<Cadence> {
  const first = await figureOf(url, 'orrery_tick')
  const since = performance.now()
  const gapsMs: number[] = []
  let [seen, seenAtMs] = [first, 0]
  while (performance.now() - since < forMs) {
    await sleep(LOOK_MS)
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

/** Reports a burst, which is more ticks than time has passed for, or hardly any ticks. */
export function brokenCadence({ ticks, overMs }: Cadence, when: string): string[] {
  const due = overMs / TICK_MS
  const seen = `${when}: ${ticks} ticks in ${Math.round(overMs)} ms`
  // One that was late may come right before the next.
  return ticks > due + 2 || ticks < due / 3 ? [seen] : []
}
