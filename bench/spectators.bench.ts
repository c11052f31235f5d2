/**
 * The public feed on the main thread: the cost of a tick with many readers compared with few, since
 * its bytes are built only once; without sockets.
 */
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { PublicFrame } from '../core/public/frame.ts'
import { parseTopics, type Topic } from '../core/public/topics.ts'
import { createFeed } from '../net/public/feed.ts'
import { applyFrame, type PublicState } from '../net/public/state.ts'
import { createTopics } from '../net/public/topics.ts'
import { type BenchDef, medianOf, type Size } from './bench.ts'

const READERS = { tiny: [4, 16], full: [100, 1_000] }
const SYSTEMS = { tiny: 20, full: 500 }
const TICKS = { tiny: 5, full: 60 }
/** Events per tick, about as many as a busy world publishes. */
const EVENTS = 40
const CHARACTERS = 60

function frameOf(size: Size, tick: number): PublicFrame {
  const systems = SYSTEMS[size]
  const counts = Int32Array.from({ length: 2 * systems }, (_, i) =>
    i % 2 === 0 ? i / 2 : ((i * 7 + tick) % 13) + 1,
  )
  const jumps = Int32Array.from({ length: systems * 5 }, (_, i) =>
    i % 5 === 2 ? tick : i % 5 === 3 ? tick + 3 : i % systems,
  )
  const none = new Int32Array()
  const names = Array.from({ length: systems }, (_, i) => `system_${i}`)
  return {
    tick,
    wallMs: tick * 1_000,
    isFull: tick === 1,
    bytes: 1,
    docs: {},
    turns: [],
    figures: { online: systems, players: systems, systems },
    ...(tick > 1
      ? {}
      : {
          chart: {
            systems: names.map((id) => ({ id, name: id })) as never,
            pois: [],
            empires: [],
          },
        }),
    presence: {
      online: none,
      onlineBySystem: counts,
      named: none,
      namedFlying: none,
      bound: none,
      npcs: none,
    },
    flights: { jumps, local: none },
    heat: counts,
    battles: [],
    events: Array.from({ length: EVENTS }, (_, n) => ({
      type: 'jump' as const,
      data: { player: `${n} ${'x'.repeat(CHARACTERS)}`, to_system_name: names[n % systems] },
      timestamp: '2026-01-01T00:00:00.000000Z',
      tick,
    })),
  }
}

/** Returns the milliseconds per tick, and a hash of what the last reader received. */
async function publishTo(size: Size, readers: number): Promise<{ ms: number; sentHash: string }> {
  const topics = createTopics()
  const clock = { wallMs: () => 0, monoMs: () => performance.now() }
  const error = (fields: object, text: string): void => {
    throw new Error(text, { cause: fields })
  }
  const feed = createFeed(topics, clock, { error })
  const hash = createHash('sha256')
  let state: PublicState | undefined
  const taken: number[] = []
  let writes = 0
  const wanted = parseTopics('feed,map') as ReadonlyMap<string, Topic>
  for (let tick = 1; tick <= TICKS[size] + 1; tick++) {
    const frame = frameOf(size, tick)
    state = applyFrame(state, frame)
    if (!state) throw new Error('the first frame is not self-contained')
    const since = performance.now()
    topics.take(state, frame)
    feed.publish({ ...frame, online: 0, battles: 0 })
    while (tick > 1 && writes < tick) await setImmediate()
    if (tick > 1) {
      taken.push(performance.now() - since)
      continue
    }
    for (let n = 0; n < readers; n++) {
      const isLast = n === readers - 1
      const write = (piece: string | Buffer): boolean => {
        if (!isLast) return true
        // One write on joining, then one per tick.
        writes += 1
        hash.update(piece)
        return true
      }
      feed.join({
        address: `${n}`,
        topics: wanted,
        open: () => ({ write, pending: () => 0, end: () => undefined }),
        cutOff: () => undefined,
        onGone: () => undefined,
      })
    }
  }
  return { ms: medianOf(taken), sentHash: hash.digest('hex') }
}

const nameOf = (readers: number): string =>
  `a public tick, ${readers.toLocaleString('en-US')} readers`

export const bench: BenchDef = {
  name: 'spectators',
  about:
    'A public tick of 500 systems and 40 events to 100 and to 1,000 readers of the feed and the ' +
    'map: what they read is built once, so ten times the readers cost far less than ten times as much.',
  variants: ['few', 'many'],
  lines: [{ of: nameOf(READERS.full[1]), against: nameOf(READERS.full[0]), atMost: 8 }],
  async run(size, variant) {
    const place = variant === 'few' ? 0 : 1
    const { ms, sentHash } = await publishTo(size, READERS[size][place])
    return { medianMs: { [nameOf(READERS.full[place])]: ms }, hash: sentHash }
  },
}
