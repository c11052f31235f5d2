/** I14: saving and loading is the identity, for every column, text, record and counter declared. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { columnsOf } from '../../core/columns.ts'
import { forgetHashes, stateHash } from '../../core/hash.ts'
import { captureWorld, createImageMemory, restoreWorld } from '../../core/image.ts'
import type { WorldImage } from '../../core/ports.ts'
import { createRegistry } from '../../core/registry.ts'
import { hash32 } from '../../core/rng.ts'
import type { Store, World } from '../../core/types.ts'
import { emptyWorld } from '../../engine/start.ts'
import {
  chunksOf,
  createPartReader,
  packImageAtOnce,
  packManifest,
  unpackManifest,
} from '../../storage/snapshot-format.ts'
import { DOMAINS } from '../../systems/registry.ts'

const ROWS_MAX = 20
/** Rows of each table left free, to be taken after loading. */
const ROWS_LEFT = 3
const registry = createRegistry(DOMAINS)

const empty = (seed: number): World =>
  emptyWorld({ registry, seed, tickMs: 1_000, maxEntities: 100 })

/** Fills every table and record with random values that can be saved without loss. */
function scribble(world: World, seed: number, rows: number): void {
  let drawn = 0
  const draw = (): number => hash32(seed, ++drawn)
  for (const { def, rowsMax } of world.stores.values()) {
    for (let i = 0; i < Math.min(rows, rowsMax - ROWS_LEFT) && !def.of; i++) world.take(def)
  }
  for (const store of world.stores.values()) {
    for (const [name, def] of columnsOf(store.def)) {
      if (name === 'alive' || name === 'seq') continue
      const column = store.columns[name]
      for (let row = 1; row <= store.high; row++) {
        if (def.text) world.setText(store.def, name, row, draw() % 3 === 0 ? '' : `ö𝄞 ${draw()}`)
        else
          for (let i = 0; i < def.width; i++)
            column[row * def.width + i] = numberFor(draw, def.kind)
      }
    }
  }
  for (const { def, high } of world.stores.values()) {
    for (let row = 1; row <= high && !def.of; row++) {
      if (draw() % 3 === 0) world.release(def, row)
    }
    if (draw() % 2 === 0) world.recycle()
  }
  for (const def of registry.records) {
    const records = world.records(def)
    for (let i = 0; i < Math.min(rows, def.rowsMax - records.size); i++)
      records.set(`key ${draw() % rows}`, { values: [draw(), 'ß', null] })
    records.delete(`key ${draw() % rows}`)
    world.nextNumber(`number ${draw() % rows}`)
  }
}

const numberFor = (draw: () => number, kind: string): number =>
  kind === 'f64' ? (draw() % 0x1fffff) * 0x100000000 + draw() : draw()

/** Passes an image through the bytes that storage keeps. */
function throughStorage(image: WorldImage): WorldImage {
  const packed = packImageAtOnce(image)
  const reader = createPartReader(unpackManifest(packManifest(packed.manifest)))
  for (const chunk of chunksOf(packed)) reader.add(Uint8Array.from(chunk))
  return reader.finish()
}

const rowsOf = ({ high, nextSeq, free, freed, count, bySeq, columns }: Store) => ({
  high,
  nextSeq,
  free,
  freed,
  count,
  bySeq: Array.from({ length: columns.seq ? high : 0 }, (_, i) => bySeq.get(columns.seq[i + 1])),
})

function expectSame(loaded: World, saved: World): void {
  for (const [table, store] of saved.stores) {
    const loadedStore = loaded.stores.get(table) as Store
    if (!store.def.of) expect(rowsOf(loadedStore), table).toEqual(rowsOf(store))
    for (const [name, def] of columnsOf(store.def)) {
      if (def.derived) continue
      const used = (store.high + 1) * def.width
      const [actual, expected] = [loadedStore.columns[name], store.columns[name]]
      expect(actual.subarray(0, used), `${table}.${name}`).toEqual(expected.subarray(0, used))
    }
  }
  for (const [name, records] of saved.recordStores) {
    expect([...(loaded.recordStores.get(name)?.table.entries() ?? [])], name).toEqual([
      ...records.table.entries(),
    ])
  }
  expect(loaded.texts.image()).toEqual(saved.texts.image())
}

/** Takes the next rows, texts and numbers of a world, and returns them. */
function takeNext(world: World): unknown {
  world.recycle()
  return [...world.stores.values()].map(({ def }) => {
    if (def.of) return undefined
    const rows = Array.from({ length: ROWS_LEFT }, () => world.take(def))
    return [rows, world.nextNumber('number 1'), world.texts.put(0, 'next')]
  })
}

test('a world loaded from storage equals the saved one, and continues like it', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: ROWS_MAX }), (seed, rows) => {
      const world = empty(seed)
      scribble(world, seed, rows)
      Object.assign(world, { tick: seed % 1_000, batch: seed % 5_000, wallMs: seed * 1_000 })
      const image = captureWorld(world, createImageMemory())
      const loaded = empty(0)
      restoreWorld(loaded, throughStorage(image))
      expectSame(loaded, world)
      const { seed: loadedSeed, tick, batch, wallMs } = loaded
      const saved = [world.seed, world.tick, world.batch, world.wallMs]
      expect([loadedSeed, tick, batch, wallMs]).toEqual(saved)
      expect(stateHash(loaded)).toBe(image.hash)
      expect(takeNext(loaded)).toEqual(takeNext(world))
      expect(stateHash(loaded)).toBe(stateHash(world))
    }),
    { numRuns: 15 },
  )
})

test('a change of any saved column, text, record or counter changes the hash', () => {
  const world = empty(1)
  scribble(world, 5, 6)
  world.recycle()
  let last = stateHash(world)
  const expectMoved = (what: string): void => {
    forgetHashes(world)
    const now = stateHash(world)
    expect(now, what).not.toBe(last)
    last = now
  }
  for (const [table, store] of world.stores) {
    for (const [name, def] of columnsOf(store.def)) {
      if (def.derived || (store.def.of && name === 'alive')) continue
      store.columns[name][store.high * def.width + def.width - 1] ^= 1
      expectMoved(`${table}.${name}`)
    }
    if (store.def.of) continue
    store.nextSeq++
    expectMoved(`${table}: the next number`)
  }
  for (const [name, records] of world.recordStores) {
    records.table.set('one more', { value: 1 })
    expectMoved(name)
  }
  world.texts.put(0, 'one more')
  expectMoved('texts')
})
