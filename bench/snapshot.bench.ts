/**
 * Snapshots of the large world: how long one blocks the world thread, compared with a copy of as
 * many bytes and with packing rows as objects.
 */
import { Packr } from 'msgpackr'
import type { ColumnArray } from '../core/columns.ts'
import { forgetHashes, stateHash } from '../core/hash.ts'
import { captureWorld, createImageMemory } from '../core/image.ts'
import { runImmediates } from '../core/tick.ts'
import type { Eid, JournalInput, Store, World } from '../core/types.ts'
import { packImage } from '../storage/snapshot-format.ts'
import { Ship } from '../systems/ship/state.ts'
import { type BenchDef, measure, medianOf, type Sample, type Size } from './bench.ts'
import { EMPIRES } from './client.ts'
import { arrangeLargeWorld } from './large-world.ts'
import { benchEngine } from './worlds.ts'

const SIZES = {
  tiny: { ships: 200, acting: 20, maxEntities: 20_000 },
  full: { ships: 100_000, acting: 10_000, maxEntities: 1_000_000 },
}
const BATCH = 500
const WALL_MS = 1_800_000_000_000
/** Row objects take seconds, so a few runs are enough. */
const ROW_RUNS = 3
const BLOCKED_MS_MAX = 25

/** Creates the world of DESIGN 6 in this process. */
async function largeWorld(size: Size): Promise<World> {
  const { ships, acting, maxEntities } = SIZES[size]
  const { world, ...engine } = await benchEngine({ maxEntities })
  for (let from = 0; from < ships; from += BATCH) {
    const inputs = Array.from({ length: Math.min(BATCH, ships - from) }, (_, i): JournalInput => {
      const empire = EMPIRES[(from + i) % EMPIRES.length]
      const params = { username: `Bench ${from + i}`, empire }
      return { ref: i + 1, player: 0, command: 'internal:register', params, framing: 'ws1' }
    })
    runImmediates({ ...engine, world }, inputs, WALL_MS)
  }
  const players: Eid[] = Array.from({ length: ships }, (_, i) => i + 1)
  arrangeLargeWorld(world, players, acting)
  world.recycle()
  return world
}

const savedBytes = (image: ReturnType<typeof captureWorld>): number =>
  image.tables.flatMap(({ columns }) => columns).reduce((sum, { bytes }) => sum + bytes.length, 0)

/** Returns the longest time for which packing blocks the world thread. */
function longestStep(image: ReturnType<typeof captureWorld>): number {
  const packing = packImage(image)
  let longest = 0
  for (;;) {
    const since = performance.now()
    const { done } = packing.next()
    longest = Math.max(longest, performance.now() - since)
    if (done) return longest
  }
}

async function captured(size: Size): Promise<Sample> {
  const world = await largeWorld(size)
  const memory = createImageMemory()
  const image = captureWorld(world, memory)
  const bytes = savedBytes(image)
  const from = new Uint8Array(new SharedArrayBuffer(bytes)).fill(1)
  const to = new Uint8Array(new SharedArrayBuffer(bytes))
  const medianMs = await measure(size, {
    memcpy: () => to.set(from),
    // As in a server, where the tick of a snapshot has already been hashed.
    capture: () => {
      captureWorld(world, memory)
    },
    'capture and hash of everything': () => {
      forgetHashes(world)
      captureWorld(world, memory)
    },
  })
  const steps = Array.from({ length: ROW_RUNS }, () => longestStep(image))
  return {
    medianMs: { ...medianMs, 'longest step of packing': medianOf(steps) },
    facts: { ships: world.countOf(Ship), MiB: Math.round(bytes / 2 ** 20) },
    hash: stateHash(world),
  }
}

/** Returns each row in use as an object, as a server without columns would save it. */
function rowObjects({ def, columns, high }: Store): object[] {
  const saved = Object.entries(def.columns).flatMap(([name, { derived, width }]) =>
    derived ? [] : [{ name, width, column: columns[name] as ColumnArray }],
  )
  const rows: object[] = []
  for (let row = 1; row <= high; row++) {
    if (columns.alive[row] === 0) continue
    const made: Record<string, unknown> = { row }
    for (const { name, width, column } of saved) {
      made[name] = width === 1 ? column[row] : [...column.subarray(row * width, (row + 1) * width)]
    }
    rows.push(made)
  }
  return rows
}

async function asRows(
  size: Size,
  name: string,
  encode: (rows: object[]) => number,
): Promise<Sample> {
  const world = await largeWorld(size)
  const times: number[] = []
  let bytes = 0
  for (let i = 0; i < ROW_RUNS; i++) {
    const since = performance.now()
    bytes = 0
    for (const store of world.stores.values()) bytes += encode(rowObjects(store))
    times.push(performance.now() - since)
  }
  return {
    medianMs: { [name]: medianOf(times) },
    amounts: { [`bytes of ${name}`]: { value: bytes / 2 ** 20, unit: 'MiB' } },
    hash: stateHash(world),
  }
}

const VARIANTS: Readonly<Record<string, (size: Size) => Promise<Sample>>> = {
  columns: captured,
  msgpackr: (size) => {
    const packr = new Packr({ useRecords: true })
    return asRows(size, 'msgpackr of row objects', (rows) => packr.pack(rows).length)
  },
  JSON: (size) => asRows(size, 'JSON of row objects', (rows) => JSON.stringify(rows).length),
}

export const bench: BenchDef = {
  name: 'snapshot',
  about:
    'The world of 545 systems and 100,000 ships: how long capturing it blocks the world thread, compared ' +
    'with a copy of as many bytes, and with row objects packed by msgpackr (records) and JSON.',
  rounds: 3,
  variants: Object.keys(VARIANTS),
  lines: [
    { of: 'capture', atMost: BLOCKED_MS_MAX, ofMemory: true },
    { of: 'capture', against: 'memcpy' },
    { of: 'longest step of packing', atMost: BLOCKED_MS_MAX },
    { of: 'msgpackr of row objects', against: 'capture' },
    { of: 'JSON of row objects', against: 'capture' },
  ],
  run: (size, variant) => VARIANTS[variant](size),
}
