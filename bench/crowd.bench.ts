/**
 * Crowds: the computing time per mutation, and the memory used, if 10,000, 40,000 or 100,000
 * players send one in every tick in which they have none pending. Source: SCALE 7.
 */
import { setImmediate } from 'node:timers/promises'
import { type BenchDef, medianOf, type Size } from './bench.ts'
import { commandsOf } from './canonical.ts'
import { arrangeLargeWorld } from './large-world.ts'
import { benchWorld } from './worlds.ts'

/** The ticks for warming up give V8 time to compile. */
const TICKS = { tiny: { warmUp: 1, counted: 4 }, full: { warmUp: 3, counted: 12 } }
const ROOM_EACH = 10
const SMALLEST = 60_000
/** Bounds in µs per mutation, by number of acting players. */
const CROWDS = [
  { acting: 10_000, tiny: 40, atMost: 30 },
  { acting: 40_000, tiny: 80, atMost: 40 },
  { acting: 100_000, tiny: 120, atMost: 50 },
] as const
const ACTING_PCT = 100

const named = (acting: number): string => `${acting.toLocaleString('en-US')} acting`

export const bench: BenchDef = {
  name: 'crowd',
  about:
    'Full size: 545 systems; 10,000, 40,000 and 100,000 players who each mine, travel, trade or dock ' +
    'in every tick in which they have nothing pending: computing time per mutation, without sockets ' +
    'and journal; RSS.',
  rounds: 1,
  variants: CROWDS.map(({ acting }) => named(acting)),
  lines: CROWDS.map(({ acting, atMost }) => ({
    of: named(acting),
    unit: 'ns/row' as const,
    atMost: atMost * 1_000,
  })),
  async run(size: Size, variant: string) {
    const crowd = CROWDS.find(({ acting }) => named(acting) === variant)
    if (!crowd) throw new Error(`there is no crowd of ${variant}`)
    const players = size === 'tiny' ? crowd.tiny : crowd.acting
    const { warmUp, counted } = TICKS[size]
    const bench = await benchWorld({
      players,
      maxEntities: Math.max(SMALLEST, players * ROOM_EACH),
    })
    const { world, section } = bench.engine
    const rows = bench.players.map((number) => world.rowOf(world.players, number))
    const cards = arrangeLargeWorld(world, rows, players)
    const turns = new Array<number>(players).fill(0)
    const costs: number[] = []
    let mutations = 0
    for (let tick = 0; tick < warmUp + counted; tick++) {
      await section.settled()
      await setImmediate()
      const sent = commandsOf(bench, cards, turns, ACTING_PCT)
      const tookMs = bench.run(sent)
      if (tick < warmUp || sent.length === 0) continue
      mutations += sent.length
      costs.push(tookMs / sent.length)
    }
    const rssMiB = process.memoryUsage().rss / 2 ** 20
    const hash = bench.hash()
    await bench.close()
    return {
      medianMs: { [variant]: medianOf(costs) },
      rows: 1,
      amounts: { [`RSS, ${variant}`]: { value: rssMiB, unit: 'MiB' } },
      facts: { [`mutations, ${variant}`]: mutations, [`hash, ${variant}`]: hash },
      // Each crowd has a different world, so their hashes cannot be compared.
      hash: 'crowd',
    }
  },
}
