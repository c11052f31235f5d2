/** The cost of an idle server: a tick of a world without players, and the memory used. */
import { setTimeout as sleep } from 'node:timers/promises'
import { forgetHashes, stateHash } from '../core/hash.ts'
import { createRegistry } from '../core/registry.ts'
import { runTick } from '../core/tick.ts'
import { newWorld, openEngine } from '../engine/start.ts'
import { DOMAINS } from '../systems/registry.ts'
import { type BenchDef, medianOf } from './bench.ts'
import { withServer } from './live.ts'

const TICKS = { tiny: 4, full: 600 }
/** Long enough that each thread is considered idle (engine/collect.ts). */
const IDLE_MS = { tiny: 1_000, full: 45_000 }
const TICK_MS = 10_000
const WALL_MS = 1_800_000_000_000
const MIB = 2 ** 20

/** Measures a tick without players, and for comparison a hash of the same world. */
async function emptyTicks(ticks: number) {
  const registry = createRegistry(DOMAINS)
  const world = newWorld({ registry, seed: 1, tickMs: TICK_MS, maxEntities: 1_000_000 })
  const engine = await openEngine(world, registry, { checksWrites: false })
  const tickMs: number[] = []
  const hashMs: number[] = []
  let hash = ''
  for (let i = 0; i < ticks; i++) {
    const startedMs = performance.now()
    runTick(engine, [], WALL_MS + i * TICK_MS)
    const ranMs = performance.now()
    forgetHashes(world)
    const hashingMs = performance.now()
    hash = stateHash(world)
    tickMs.push(ranMs - startedMs)
    hashMs.push(performance.now() - hashingMs)
  }
  // The first half is for warming up.
  const half = Math.floor(ticks / 2)
  return { tick: medianOf(tickMs.slice(half)), hashing: medianOf(hashMs.slice(half)), hash }
}

const residentBytes = async (url: string): Promise<number> =>
  Number(
    /^process_resident_memory_bytes (\S+)$/m.exec(
      await (await fetch(`${url}/metrics`)).text(),
    )?.[1],
  )

export const bench: BenchDef = {
  name: 'idle',
  about:
    'A new world of 545 systems without players: a tick, compared with a hash of all its state, and the ' +
    'resident memory of its server after 45 s without requests.',
  rounds: 1,
  variants: ['all'],
  lines: [{ of: 'empty tick', against: 'hash of its state' }, { of: 'resident, idle server' }],
  async run(size) {
    const { tick, hashing, hash } = await emptyTicks(TICKS[size])
    const settings = { TICK_MS: String(TICK_MS) }
    const resident = await withServer({ settings }, async (url) => {
      await sleep(IDLE_MS[size])
      return residentBytes(url)
    })
    return {
      medianMs: { 'empty tick': tick, 'hash of its state': hashing },
      amounts: { 'resident, idle server': { value: resident / MIB, unit: 'MiB' } },
      hash,
    }
  },
}
