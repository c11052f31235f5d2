/**
 * Images: turns a world into plain data, and back. The bytes of columns are copied into a buffer
 * that is kept between snapshots, since a fresh one costs seven times as much (PERFORMANCE.md 7).
 * Columns are found by name, so that a later release reads an older image.
 */
import { assert } from './assert.ts'
import {
  type CatalogIndex,
  type ColumnArray,
  type ColumnKind,
  columnsOf,
  viewOf,
} from './columns.ts'
import { stateHash } from './hash.ts'
import type { ColumnImage, TableImage, WorldImage } from './ports.ts'
import type { Store, World } from './types.ts'
import { RULES_VERSION } from './version.ts'

/** Memory that images are copied into, one after the other. */
interface ImageMemory {
  buffer: SharedArrayBuffer
}

export const createImageMemory = (): ImageMemory => ({ buffer: new SharedArrayBuffer(0) })

/** A column that is part of images. */
interface SavedColumn {
  readonly column: ColumnArray
  readonly kind: ColumnKind
  readonly width: number
  /** Bytes of the rows that were ever used, and of row 0. */
  readonly bytes: number
}

const bytesOf = (column: ColumnArray, count: number): Uint8Array =>
  new Uint8Array(column.buffer, column.byteOffset, count)

/** Returns the columns of a table that images hold, by name. */
function savedColumnsOf(store: Store): Map<string, SavedColumn> {
  const saved = new Map<string, SavedColumn>()
  for (const [name, def] of columnsOf(store.def)) {
    if (def.derived) continue
    const { kind, width } = def
    const column = store.columns[name]
    saved.set(name, {
      column,
      kind,
      width,
      bytes: (store.high + 1) * width * column.BYTES_PER_ELEMENT,
    })
  }
  return saved
}

/**
 * Captures the world between two batches. The image is valid until the next capture into the same
 * memory.
 */
export function captureWorld(world: World, memory: ImageMemory): WorldImage {
  const hash = stateHash(world)
  let total = 0
  for (const store of world.stores.values()) {
    for (const { bytes } of savedColumnsOf(store).values()) total += Math.ceil(bytes / 8) * 8
  }
  if (memory.buffer.byteLength < total)
    memory.buffer = new SharedArrayBuffer(Math.ceil(total * 1.25))
  let offset = 0
  const tables: TableImage[] = []
  for (const store of world.stores.values()) {
    const columns: ColumnImage[] = []
    for (const [name, { column, kind, width, bytes }] of savedColumnsOf(store)) {
      const copy = new Uint8Array(memory.buffer, offset, bytes)
      copy.set(bytesOf(column, bytes))
      offset += Math.ceil(bytes / 8) * 8
      columns.push({ name, kind, width, bytes: copy })
    }
    const { high, nextSeq } = store
    const [free, freed] = [[...store.free], [...store.freed]]
    tables.push({ name: store.def.name, high, nextSeq, free, freed, columns })
  }
  const { texts, free } = world.texts.image()
  return {
    rulesVersion: RULES_VERSION,
    seed: world.seed,
    tick: world.tick,
    batch: world.batch,
    wallMs: world.wallMs,
    hash,
    tables,
    records: [...world.recordStores].map(([name, store]) => ({ name, entries: store.image() })),
    texts,
    freeTexts: free,
    goods: idsOf(world, 'goods'),
    shipClasses: idsOf(world, 'shipClasses'),
    recipes: idsOf(world, 'recipes'),
    facilities: idsOf(world, 'facilities'),
    tickMs: world.tickMs,
    maxEntities: world.maxEntities,
  }
}

/**
 * Fills an empty world from an image; the domains rebuild what is derived. Columns that no longer
 * exist are ignored, new ones stay 0, and one that had another kind or width is converted.
 */
export function restoreWorld(world: World, image: WorldImage): void {
  world.seed = image.seed
  world.tick = image.tick
  world.batch = image.batch
  world.wallMs = image.wallMs
  for (const table of image.tables) {
    const store = world.stores.get(table.name)
    if (store) restoreStore(store, table)
  }
  for (const store of world.stores.values()) {
    for (const component of store.components) component.high = store.high
  }
  for (const { name, entries } of image.records) world.recordStores.get(name)?.load(entries)
  world.texts.load({ texts: image.texts, free: image.freeTexts })
  renumber(world, 'goods', image.goods)
  renumber(world, 'shipClasses', image.shipClasses)
  renumber(world, 'recipes', image.recipes ?? [])
  renumber(world, 'facilities', image.facilities ?? [])
  world.dropIndexes()
}

function restoreStore(store: Store, table: TableImage): void {
  assert(
    table.high <= store.rowsMax,
    `${store.def.name} needs ${table.high} rows: raise MAX_ENTITIES`,
  )
  store.high = table.high
  store.nextSeq = table.nextSeq
  store.free = [...table.free]
  store.freed = [...table.freed]
  store.dirty = true
  store.unchecked = true
  const saved = savedColumnsOf(store)
  for (const image of table.columns) {
    const now = saved.get(image.name)
    if (!now) continue
    if (now.kind === image.kind && now.width === image.width) {
      assert(now.bytes === image.bytes.length, `${store.def.name}.${image.name} has other rows`)
      bytesOf(now.column, now.bytes).set(image.bytes)
    } else convertColumn(store, now, image)
  }
  store.count = 0
  store.bySeq.clear()
  if (store.def.of) return
  for (let row = 1; row <= store.high; row++) {
    if (store.columns.alive[row] === 0) continue
    store.count++
    if (store.def.entity) store.bySeq.add(row)
  }
}

/** Fills a column from one that an older release declared with another kind or width. */
function convertColumn(store: Store, now: SavedColumn, image: ColumnImage): void {
  const name = `${store.def.name}.${image.name}`
  const { kind, width, bytes } = image as ColumnImage & { kind: ColumnKind }
  const length = (store.high + 1) * width
  const place = { table: store.def.name, name, kind, byteOffset: 0, length }
  const before = viewOf(place, Uint8Array.from(bytes).buffer)
  for (let i = 0; i < length; i++) {
    const position = i % width
    if (position >= now.width) continue
    const target = ((i - position) / width) * now.width + position
    now.column[target] = before[i]
    assert(now.column[target] === before[i], `${name} can no longer hold ${before[i]}`)
  }
}

const idsOf = ({ catalogs }: World, index: CatalogIndex): string[] =>
  (catalogs[index] ?? []).map(({ id }) => id)

/**
 * Returns the current index of each id of a catalogue. A later catalogue may gain entries, but must
 * keep the order of the old ones: stacks and other lists are sorted by index.
 */
function currentIndexes(
  before: readonly string[],
  now: readonly { readonly id: string }[],
): Map<string, number> {
  const indexes = new Map(now.map((row, i) => [row.id, i]))
  let last = -1
  for (const id of before) {
    const index = indexes.get(id)
    if (index === undefined) continue
    assert(index > last, `the catalogue has moved ${id}: keep the order of older entries`)
    last = index
  }
  return indexes
}

/** Renumbers the columns that index a catalogue, from its order in the image to the current one. */
function renumber(world: World, index: CatalogIndex, before: readonly string[]): void {
  const now = world.catalogs[index] ?? []
  if (before.length === now.length && before.every((id, i) => now[i].id === id)) return
  const indexes = currentIndexes(before, now)
  for (const store of world.stores.values()) {
    for (const [name, def] of columnsOf(store.def)) {
      if (def.catalog !== index) continue
      const base = def.catalogBase ?? 0
      const column = store.columns[name]
      for (let row = 1; row <= store.high; row++) {
        if (store.columns.alive[row] === 0) continue
        for (let position = row * def.width; position < (row + 1) * def.width; position++) {
          if (column[position] < base) continue
          const id = before[column[position] - base]
          const found = indexes.get(id)
          assert(found !== undefined, `the catalogue no longer has ${id}`)
          column[position] = found + base
          assert(column[position] === found + base, `${store.def.name}.${name} cannot hold ${id}`)
        }
      }
    }
  }
}
