/**
 * A world as plain data, and back. Column bytes are copied into a buffer that is kept between
 * snapshots: a fresh one costs seven times as much (PERFORMANCE.md 7). Loading goes by names, so a
 * later release reads an older image.
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

/** Memory that images are copied into; reused once the last image is no longer needed. */
interface ImageMemory {
  buffer: SharedArrayBuffer
}

export const createImageMemory = (): ImageMemory => ({ buffer: new SharedArrayBuffer(0) })

interface Slot {
  readonly column: ColumnArray
  readonly kind: ColumnKind
  readonly width: number
  readonly bytes: number
}

const bytesOf = (column: ColumnArray, count: number): Uint8Array =>
  new Uint8Array(column.buffer, column.byteOffset, count)

function slotsOf(store: Store): Map<string, Slot> {
  const slots = new Map<string, Slot>()
  for (const [name, def] of columnsOf(store.def)) {
    if (def.derived) continue
    const { kind, width } = def
    const column = store.columns[name]
    slots.set(name, {
      column,
      kind,
      width,
      bytes: (store.high + 1) * width * column.BYTES_PER_ELEMENT,
    })
  }
  return slots
}

/**
 * Copies the world between two batches. The image stays valid until the next capture into the same
 * memory.
 */
export function captureWorld(world: World, memory: ImageMemory): WorldImage {
  const hash = stateHash(world)
  let total = 0
  for (const store of world.stores.values()) {
    for (const slot of slotsOf(store).values()) total += Math.ceil(slot.bytes / 8) * 8
  }
  if (memory.buffer.byteLength < total)
    memory.buffer = new SharedArrayBuffer(Math.ceil(total * 1.25))
  let at = 0
  const tables: TableImage[] = []
  for (const store of world.stores.values()) {
    const columns: ColumnImage[] = []
    for (const [name, slot] of slotsOf(store)) {
      const copy = new Uint8Array(memory.buffer, at, slot.bytes)
      copy.set(bytesOf(slot.column, slot.bytes))
      at += Math.ceil(slot.bytes / 8) * 8
      columns.push({ name, kind: slot.kind, width: slot.width, bytes: copy })
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
 * Fills an empty world; derived state is the domains' to rebuild. Unknown columns are ignored, new
 * ones stay 0, and one that was declared otherwise takes the values it had.
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
  const slots = slotsOf(store)
  for (const column of table.columns) {
    const slot = slots.get(column.name)
    if (!slot) continue
    if (slot.kind === column.kind && slot.width === column.width) {
      assert(slot.bytes === column.bytes.length, `${store.def.name}.${column.name} has other rows`)
      bytesOf(slot.column, slot.bytes).set(column.bytes)
    } else convert(store, slot, column)
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

/** A column that another release declared with another kind or width. */
function convert(store: Store, slot: Slot, column: ColumnImage): void {
  const name = `${store.def.name}.${column.name}`
  const { kind, width, bytes } = column as ColumnImage & { kind: ColumnKind }
  const length = (store.high + 1) * width
  const place = { table: store.def.name, name, kind, byteOffset: 0, length }
  const before = viewOf(place, Uint8Array.from(bytes).buffer)
  for (let i = 0; i < length; i++) {
    const at = i % width
    if (at >= slot.width) continue
    const to = ((i - at) / width) * slot.width + at
    slot.column[to] = before[i]
    assert(slot.column[to] === before[i], `${name} no longer holds ${before[i]}`)
  }
}

/** Lists are kept sorted by index, so a later catalogue may gain entries but not move them. */
function placesNow(
  before: readonly string[],
  now: readonly { readonly id: string }[],
): Map<string, number> {
  const places = new Map(now.map((row, i) => [row.id, i]))
  let last = -1
  for (const id of before) {
    const place = places.get(id)
    if (place === undefined) continue
    assert(place > last, `the catalogue has ${id} before what it came behind`)
    last = place
  }
  return places
}

const idsOf = ({ catalogs }: World, index: CatalogIndex): string[] =>
  (catalogs[index] ?? []).map(({ id }) => id)

function renumber(world: World, index: CatalogIndex, before: readonly string[]): void {
  const now = world.catalogs[index] ?? []
  if (before.length === now.length && before.every((id, i) => now[i].id === id)) return
  const place = placesNow(before, now)
  for (const store of world.stores.values()) {
    for (const [name, def] of columnsOf(store.def)) {
      if (def.catalog !== index) continue
      const base = def.catalogBase ?? 0
      const column = store.columns[name]
      for (let row = 1; row <= store.high; row++) {
        if (store.columns.alive[row] === 0) continue
        for (let at = row * def.width; at < (row + 1) * def.width; at++) {
          if (column[at] < base) continue
          const id = before[column[at] - base]
          const found = place.get(id)
          assert(found !== undefined, `the catalogue no longer has ${id}`)
          column[at] = found + base
          assert(column[at] === found + base, `${store.def.name}.${name} cannot hold ${id}`)
        }
      }
    }
  }
}
