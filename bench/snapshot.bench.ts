/** Capturing a world for a snapshot, which blocks the world thread, against copying its bytes. */
import { captureWorld, createImageMemory } from '../core/image.ts'
import { type BenchDef, measure } from './bench.ts'
import { benchWorld } from './worlds.ts'

const PLAYERS = { tiny: 50, full: 20_000 }

export const bench: BenchDef = {
  name: 'snapshot',
  about:
    'Full size: a world of 20,000 players: what a snapshot blocks the world thread for (columns copied into ' +
    'kept memory, records and texts listed), against one copy of as many bytes.',
  variants: ['all'],
  lines: [{ of: 'capture', against: 'memcpy' }],
  async run(size) {
    const { engine, hash, close } = await benchWorld({ players: PLAYERS[size] })
    const memory = createImageMemory()
    const image = captureWorld(engine.world, memory)
    const bytes = image.tables
      .flatMap((table) => table.columns)
      .reduce((sum, column) => sum + column.bytes.length, 0)
    const from = new Uint8Array(new SharedArrayBuffer(bytes)).fill(1)
    const to = new Uint8Array(new SharedArrayBuffer(bytes))
    const medianMs = await measure(size, {
      memcpy: () => to.set(from),
      capture: () => {
        captureWorld(engine.world, memory)
      },
    })
    await close()
    return { medianMs, facts: { MiB: Math.round(bytes / 2 ** 20) }, hash: hash() }
  },
}
