/** Hashing the whole state, compared with a loop that only reads it. */
import { columnsOf } from '../core/columns.ts'
import { forgetHashes, stateHash } from '../core/hash.ts'
import type { World } from '../core/types.ts'
import { type BenchDef, measure } from './bench.ts'
import { benchWorld } from './worlds.ts'

const PLAYERS = { tiny: 50, full: 20_000 }

/** Returns everything that is hashed, as 32-bit words. */
function savedWords(world: World): Uint32Array[] {
  const words: Uint32Array[] = []
  for (const store of world.stores.values()) {
    for (const [name, def] of columnsOf(store.def)) {
      if (def.derived) continue
      const column = store.columns[name]
      const bytes = (store.high + 1) * def.width * column.BYTES_PER_ELEMENT
      words.push(new Uint32Array(world.buffer, column.byteOffset, Math.ceil(bytes / 4)))
    }
  }
  return words
}

function sumWords(columns: readonly Uint32Array[]): number {
  let sum = 0
  for (const words of columns) for (let i = 0; i < words.length; i++) sum = (sum + words[i]) | 0
  return sum
}

export const bench: BenchDef = {
  name: 'state-hash',
  about:
    'Full size: a world of 20,000 players: the hash of all of it with nothing cached, and with everything ' +
    'cached, compared with a loop that sums the same words.',
  rounds: 3,
  variants: ['all'],
  lines: [
    { of: 'hash', against: 'raw loop' },
    { of: 'hash, nothing written', against: 'raw loop' },
  ],
  async run(size) {
    const { engine, hash, close } = await benchWorld({ players: PLAYERS[size] })
    const { world } = engine
    const columns = savedWords(world)
    let seen = 0
    const medianMs = await measure(size, {
      'raw loop': () => {
        seen ^= sumWords(columns)
      },
      hash: () => {
        forgetHashes(world)
        stateHash(world)
      },
      'hash, nothing written': () => {
        stateHash(world)
      },
    })
    const bytes = columns.reduce((sum, words) => sum + words.byteLength, 0)
    await close()
    return {
      medianMs,
      facts: { MiB: Math.round(bytes / 2 ** 20), read: String(seen !== 1) },
      hash: hash(),
    }
  },
}
