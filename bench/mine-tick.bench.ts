/** A tick in which everyone mines: its parallel section on the world thread alone, and on two. */
import { type BenchDef, medianOf } from './bench.ts'
import { benchWorld, flyToBelts } from './worlds.ts'

const PLAYERS = { tiny: 50, full: 5_000 }
/** Ticks before and while measuring are counted, so that every variant ends on the same state. */
const TICKS = { tiny: 2, full: 12 }

export const bench: BenchDef = {
  name: 'mine-tick',
  about:
    'Full size: 5,000 players at the belts of five start systems, all of whom mine in each tick: a tick with ' +
    'the kernel on the world thread alone, with one kernel thread by the break-even rule, and shared always.',
  variants: ['inline', 'workers', 'shared'],
  lines: [
    { of: 'inline', against: 'workers' },
    { of: 'inline', against: 'shared' },
  ],
  async run(size, variant) {
    const world = await benchWorld({
      players: PLAYERS[size],
      workers: variant === 'inline' ? 0 : 1,
      ...(variant === 'shared' ? { breakEvenNs: 0 } : {}),
    })
    await flyToBelts(world)
    const times: number[] = []
    for (let i = 0; i < TICKS[size]; i++) {
      await world.engine.section.settled()
      const since = performance.now()
      world.tick(world.players, 'mine')
      times.push(performance.now() - since)
    }
    const hash = world.hash()
    await world.close()
    // The first ticks warm up.
    const kept = times.slice(Math.floor(TICKS[size] / 3))
    return { medianMs: { [variant]: medianOf(kept) }, rows: PLAYERS[size], hash }
  },
}
