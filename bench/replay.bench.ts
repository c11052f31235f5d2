/**
 * Replays the journal of active players as `orrery replay --at` does: rows are decoded and checked,
 * run and compared, on a thread that has not run another world.
 */
import { Worker } from 'node:worker_threads'
import { stateHash } from '../core/hash.ts'
import { captureWorld, createImageMemory } from '../core/image.ts'
import { moduleUrl } from '../core/module-url.ts'
import type { JournalRow } from '../core/ports.ts'
import { rowOfBatch } from '../core/wire/describe.ts'
import { compressRows } from '../storage/journal-blocks.ts'
import { CHAIN_START, type EncodedRow, encodeJournalRow } from '../storage/journal-row.ts'
import { type BenchDef, medianOf } from './bench.ts'
import { commandsOf } from './canonical.ts'
import { arrangeLargeWorld } from './large-world.ts'
import type { Journal, Replayed } from './replayed.ts'
import { benchWorld } from './worlds.ts'

/** The measured ticks include warming up, as any replay of an hour does. */
const SIZES = {
  tiny: { players: 20, ticks: 10, maxEntities: 60_000 },
  full: { players: 1_000, ticks: 360, maxEntities: 200_000 },
}
const HASH_EVERY = 10
const SNAPSHOT_EVERY = 30
const TIMES_MIN = 100
const ACTING_PCT = 100

/**
 * Returns the bytes of the journal, raw and compressed; the rows between two snapshots are one
 * block.
 */
function bytesOf(rows: readonly EncodedRow[]): readonly [raw: number, packed: number] {
  let [raw, packed] = [0, 0]
  for (let from = 0; from < rows.length; from += SNAPSHOT_EVERY) {
    const { rawBytes, body } = compressRows(rows.slice(from, from + SNAPSHOT_EVERY))
    raw += rawBytes
    packed += body.length
  }
  return [raw, packed]
}

/** Replays a journal on a separate thread. */
function replayOnThread(journal: Journal): Promise<Replayed> {
  const file = new URL(moduleUrl(import.meta.url, './replayed').href)
  const worker = new Worker(file, { workerData: journal })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

export const bench: BenchDef = {
  name: 'replay',
  about:
    'An hour of ticks of 10 s in 545 systems, with 1,000 players who each mine, travel, trade or ' +
    'dock in every tick in which they have nothing pending: how many times faster than real time it ' +
    'is replayed, including the first ticks before code is compiled',
  rounds: 3,
  variants: ['all'],
  lines: [
    { of: 'times real time', atLeast: TIMES_MIN },
    { of: 'tick replayed', unit: 'ms' },
  ],
  async run(size) {
    const { players, ticks, maxEntities } = SIZES[size]
    const rows: EncodedRow[] = []
    let chain = CHAIN_START
    const bench = await benchWorld({
      players,
      maxEntities,
      checkEvery: HASH_EVERY,
      ran(run) {
        // The world already has the number of this batch.
        const row: JournalRow = { ...rowOfBatch(world, run, 0), batch: world.batch }
        const encoded = encodeJournalRow(row, chain)
        chain = encoded.checksum
        rows.push(encoded)
      },
    })
    const { world, section } = bench.engine
    const numbers = bench.players.map((number) => world.rowOf(world.players, number))
    const cards = arrangeLargeWorld(world, numbers, players)
    const turns = new Array<number>(players).fill(0)
    const image = captureWorld(world, createImageMemory())
    let commands = 0
    for (let tick = 0; tick < ticks; tick++) {
      await section.settled()
      const sent = commandsOf(bench, cards, turns, ACTING_PCT)
      bench.run(sent)
      commands += sent.length
    }
    await section.settled()
    const hash = stateHash(world)
    const { ms, cpuMs, hash: replayed } = await replayOnThread({ image, rows, maxEntities })
    if (replayed !== hash) throw new Error(`the replay ends with ${replayed}, not ${hash}`)
    await bench.close()
    const [raw, packed] = bytesOf(rows)
    const wholeMs = ms.reduce((sum, one) => sum + one, 0)
    return {
      medianMs: { 'tick replayed': medianOf(ms) },
      amounts: {
        'times real time': { value: (ticks * world.tickMs) / wholeMs, unit: 'times' },
        // Less affected by other load on the machine.
        'times real time, by processor time': {
          value: (ticks * world.tickMs) / cpuMs,
          unit: 'times',
        },
      },
      facts: {
        'mutations a tick': Math.round(commands / ticks),
        'bytes of journal a tick': Math.round(raw / ticks),
        'of them compressed': Math.round(packed / ticks),
      },
      hash,
    }
  },
}
