/**
 * The public side of the large world: how long the world thread takes to build a public frame, how
 * many bytes go to the main thread, how long that takes to apply them and to build what is read in
 * each tick, and how many bytes a reader of the map receives. Source: WEB 6.
 */
import { createHash } from 'node:crypto'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import { gzipSync } from 'node:zlib'
import { assert } from '../core/assert.ts'
import { fail } from '../core/errors.ts'
import { type PackedFrame, packFrame, unpackFrame } from '../core/public/crossing.ts'
import { parseTopics } from '../core/public/topics.ts'
import type { World } from '../core/types.ts'
import { watchGc } from '../engine/gc.ts'
import { makeBody } from '../net/public/bodies.ts'
import { createFeed } from '../net/public/feed.ts'
import type { PublicInfo } from '../net/public/row.ts'
import { applyFrame, type PublicState } from '../net/public/state.ts'
import { PUBLIC_ROWS } from '../net/public/table.ts'
import { createTopics } from '../net/public/topics.ts'
import { Player } from '../systems/account/state.ts'
import { createProjection } from '../systems/spectator/frame-views.ts'
import type { BenchDef, Sample, Size } from './bench.ts'
import { type Card, stepsOf } from './crowd.ts'
import { quantile, sorted } from './figures.ts'
import { arrangeLargeWorld } from './large-world.ts'
import { type BenchWorld, benchWorld } from './worlds.ts'

const SIZES = {
  full: { ships: 100_000, acting: 10_000, maxEntities: 1_000_000, ticks: 160 },
  tiny: { ships: 200, acting: 40, maxEntities: 20_000, ticks: 6 },
}
/** Ticks that are not measured, while V8 still compiles: code that runs once a tick, late. */
const WARM_UP_TICKS = 80
const PAUSES_TOLD_MS = 50
/** What the map view reads first, and again after changes. */
const FIRST_VIEW = ['/api/stats', '/api/map', '/api/map/activity', '/api/map/territory']
/** What readers request in each tick. */
const READ_EACH_TICK = ['/api/stats', '/api/map/activity']

const INFO: PublicInfo = {
  version: '1',
  epoch: 'e',
  delay: 2,
  tickMs: 10_000,
  showsNames: true,
  wallMs: () => 0,
  forum: async () => ({ threads: 0, replies: 0 }),
}

/** Returns the response body of a path. */
async function bodyOf(state: PublicState, path: string): Promise<Buffer> {
  const row = PUBLIC_ROWS.find((publicRow) => publicRow.path === path)
  assert(row?.source === 'frame', `${path} is made of the frame`)
  const context = {
    params: {},
    query: {},
    archive: { read: async () => fail('not_found') },
    about: INFO,
  }
  const made = await row.body(state, context as never)
  assert(made.ok, `${path} cannot be made`)
  return makeBody(JSON.stringify(made.result)).plain
}

/** Begin and end of a piece of work, ms of `performance.now()`. */
type Span = readonly [from: number, to: number]

interface Built {
  readonly frame: PackedFrame
  readonly ms: number
  readonly steps: readonly Span[]
}

function build(
  world: World,
  projection: ReturnType<typeof createProjection>,
  isFull: boolean,
): Built {
  const work = projection.build(world, isFull)
  const steps: Span[] = []
  for (;;) {
    const since = performance.now()
    const step = work.next()
    const frame = step.done ? packFrame(step.value) : undefined
    steps.push([since, performance.now()])
    if (frame) return { frame, steps, ms: steps.reduce((sum, [from, to]) => sum + to - from, 0) }
  }
}

/** Watches the pauses of the collector; the function it returns stops, and lists them. */
function watchPauses(): () => Promise<Span[]> {
  const pauses: Span[] = []
  const stop = watchGc((_, startMs, ms) => pauses.push([startMs, startMs + ms]))
  return async () => {
    // Pauses are told in a later turn of the event loop.
    await setTimeout(PAUSES_TOLD_MS)
    stop()
    return pauses
  }
}

/** Returns the ms of a step less the pauses in it: the collector comes when it comes. */
const ownMs = ([from, to]: Span, pauses: readonly Span[]): number =>
  pauses
    .filter((pause) => pause[0] < to && pause[1] > from)
    .reduce((ms, pause) => ms - Math.min(to, pause[1]) + Math.max(from, pause[0]), to - from)

const longest = (steps: readonly Span[], pauses: readonly Span[]): number =>
  steps.reduce((ms, step) => Math.max(ms, ownMs(step, pauses)), 0)

const at = (list: readonly number[], share: number) => quantile(sorted(list), share)

/** Returns the bytes, compressed, of what the map view reads first. */
async function firstViewBytes(state: PublicState): Promise<number> {
  let bytes = 0
  for (const path of FIRST_VIEW) bytes += gzipSync(await bodyOf(state, path)).byteLength
  return bytes
}

/** Creates a feed; `join` adds a reader of feed and map, whose bytes are collected in `sent`. */
function watcher(topics: ReturnType<typeof createTopics>) {
  const clock = { wallMs: () => 0, monoMs: () => performance.now() }
  const error = (fields: object, text: string): void => {
    throw new Error(text, { cause: fields })
  }
  const feed = createFeed(topics, clock, { error })
  const sent: Buffer[] = []
  return {
    feed,
    sent,
    join: () => {
      const write = (piece: string | Buffer): boolean => sent.push(Buffer.from(piece)) > 0
      const refused = feed.join({
        address: '',
        topics: parseTopics('feed,map') ?? new Map(),
        open: () => ({ write, pending: () => 0, end: () => undefined }),
        cutOff: () => undefined,
        onGone: () => undefined,
      })
      assert(refused === undefined, 'the reader is accepted')
    },
  }
}

async function openWorld(size: Size, ran: Parameters<typeof benchWorld>[0]['ran']) {
  const { ships, acting, maxEntities } = SIZES[size]
  const bench = await benchWorld({ players: ships, maxEntities, ...(ran ? { ran } : {}) })
  const { world } = bench.engine
  const rows = bench.players.map((player) => world.rowOf(world.players, player))
  const cards = arrangeLargeWorld(world, rows, acting)
  const { bound } = world.write(Player)
  for (const row of rows.slice(0, acting)) bound[row] = 1
  return { bench, cards }
}

function commandsOf({ players }: BenchWorld, cards: readonly Card[], turn: number) {
  return cards.map((card, index) => {
    const [command, params = {}] = stepsOf(card)(turn)
    return { player: players[index], command, params }
  })
}

async function watchWorld(size: Size): Promise<Sample> {
  const projection = createProjection()
  let observedMs = 0
  const { bench, cards } = await openWorld(size, (run) => {
    const since = performance.now()
    projection.observe(bench.engine.world, run.outbox)
    observedMs += performance.now() - since
  })
  const { world } = bench.engine
  const topics = createTopics()
  const { feed, sent, join } = watcher(topics)
  const taken = { build: [] as number[], steps: [] as Span[], cross: [] as number[] }
  const stopWatching = watchPauses()
  const main = { apply: [] as number[], bodies: [] as number[], feed: [] as number[] }
  const watched: number[] = []
  let state: PublicState | undefined
  const hash = createHash('sha256')
  const { ticks } = SIZES[size]
  for (let turn = 0; turn <= ticks; turn++, observedMs = 0) {
    bench.run(commandsOf(bench, cards, turn))
    await bench.engine.section.settled()
    const { frame, ms, steps } = build(world, projection, turn === 0)
    const crossing = serialize(frame)
    const packed = deserialize(crossing) as PackedFrame
    const since = performance.now()
    const arrived = unpackFrame(packed)
    state = applyFrame(state, arrived)
    assert(state, 'the first frame is self-contained')
    const applied = performance.now()
    for (const path of READ_EACH_TICK) hash.update(await bodyOf(state, path))
    const made = performance.now()
    topics.take(state, arrived)
    feed.publish({ ...arrived, online: 0, battles: 0 })
    const published = performance.now()
    if (turn === 0) join()
    // A long write is continued in the next turn of the event loop.
    await setImmediate()
    const bytes = sent.splice(0).reduce((sum, piece) => sum + piece.byteLength, 0)
    if (turn < Math.min(WARM_UP_TICKS, ticks - 2)) continue
    taken.build.push(ms + observedMs)
    taken.steps.push(...steps)
    taken.cross.push(crossing.byteLength)
    main.apply.push(applied - since)
    main.bodies.push(made - applied)
    main.feed.push(published - made)
    watched.push(bytes)
  }
  assert(state, 'there were ticks')
  const pauses = await stopWatching()
  const first = await firstViewBytes(state)
  await bench.close()
  const inMain = main.apply.map((ms, n) => ms + main.bodies[n] + main.feed[n])
  return {
    medianMs: {
      'frame, world thread': at(taken.build, 0.5),
      'frame, main': at(inMain, 0.5),
    },
    amounts: {
      'frame, longest step': { value: longest(taken.steps, pauses), unit: 'ms' },
      'frame, longest step with its collections': { value: longest(taken.steps, []), unit: 'ms' },
      'frame, world thread p99': { value: at(taken.build, 0.99), unit: 'ms' },
      'frame, main p99': { value: at(inMain, 0.99), unit: 'ms' },
      'crossing p99': { value: at(taken.cross, 0.99) / 1024, unit: 'KiB' },
      'reader of the map, a tick p95': { value: at(watched, 0.95) / 1024, unit: 'KiB' },
      'first view, gzip': { value: first / 1000, unit: 'KB' },
    },
    facts: { players: state.figures.players, online: state.figures.online },
    hash: hash.digest('hex'),
  }
}

export const bench: BenchDef = {
  name: 'projection',
  about:
    'The public frame of 545 systems, 100,000 ships and 10,000 players who act each tick: built, ' +
    'sent to the main thread, applied there, and sent to a reader of the map.',
  rounds: 1,
  variants: ['all'],
  lines: [
    { of: 'frame, world thread', atMost: 4 },
    { of: 'frame, longest step', atMost: 5 },
    { of: 'crossing p99', atMost: 256 },
    { of: 'frame, main', atMost: 6 },
    { of: 'reader of the map, a tick p95', atMost: 12 },
    { of: 'first view, gzip', atMost: 250 },
  ],
  run: watchWorld,
}
