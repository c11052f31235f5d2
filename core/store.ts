/**
 * A table in memory: its columns, and which rows are in use. Rows are taken from a free list, and
 * cleared at that time; released rows can be taken again from the next tick on.
 */
import { assert } from './assert.ts'
import {
  type AttachedTables,
  type ColumnArray,
  columnsOf,
  rowsOf,
  type TableDef,
} from './columns.ts'
import { createMembership, type Tag } from './query.ts'
import { createSeqIndex } from './seq-index.ts'
import type { TextTable } from './text.ts'
import type { Eid, Lanes, Row, Store, Writes } from './types.ts'

/** Groups the columns of a table by type of array. */
function lanesOf(def: TableDef, columns: Record<string, ColumnArray>): Lanes {
  const all = columnsOf(def).map(([name, { width }]) => ({ array: columns[name], width }))
  const narrow = all.filter(({ width }) => width === 1).map(({ array }) => array)
  const doubles = narrow.filter((array) => array instanceof Float64Array)
  const words = narrow.filter((array) => array instanceof Uint32Array)
  const shorts = narrow.filter((array) => array instanceof Uint16Array)
  const bytes = narrow.filter((array) => array instanceof Uint8Array)
  const quick = new Set<ColumnArray>([...doubles, ...words, ...shorts, ...bytes])
  return { doubles, words, shorts, bytes, others: all.filter(({ array }) => !quick.has(array)) }
}

function createStore(
  def: TableDef,
  { attached, maxEntities, writes }: Omit<StoresOptions, 'tables'>,
): Store {
  const columns = attached[def.name]
  return {
    def,
    writes,
    columns,
    lanes: lanesOf(def, columns),
    textColumns: Object.entries(def.columns).flatMap(([name, { text }]) =>
      text ? [columns[name]] : [],
    ),
    rowsMax: rowsOf(def, maxEntities),
    components: [],
    high: 0,
    free: [],
    freed: [],
    count: 0,
    membership: def.entity ? createMembership() : undefined,
    nextSeq: 1,
    bySeq: createSeqIndex(columns.seq ?? []),
    dirty: true,
    unchecked: true,
    hash: [0, 0],
  }
}

interface StoresOptions {
  readonly tables: readonly TableDef[]
  readonly attached: AttachedTables
  readonly maxEntities: number
  readonly writes: Writes
}

/** Creates the stores of all tables, by name; a component must come after its kind. */
export function createStores({ tables, ...options }: StoresOptions): Map<string, Store> {
  const stores = new Map<string, Store>()
  for (const def of tables) {
    const store = createStore(def, options)
    stores.set(def.name, store)
    if (!def.of) continue
    const kind = stores.get(def.of.name)
    assert(kind, `component ${def.name} is declared before its kind ${def.of.name}`)
    kind.components.push(store)
    store.columns.alive = kind.columns.alive
  }
  return stores
}

/** Marks a table that may change now: its cached hash and checked references no longer hold. */
export function touch(store: Store): void {
  store.dirty = true
  store.unchecked = true
  store.writes.count += 1
}

/** Takes the next free row, and leaves its columns as they were. */
function nextRow(store: Store): Row {
  touch(store)
  const row = store.free.pop() ?? ++store.high
  assert(row <= store.rowsMax, `table ${store.def.name} is full`)
  assert(store.columns.alive[row] === 0, `row ${row} of ${store.def.name} is in use`)
  store.count++
  return row
}

/** Takes a row and clears it, with its components. */
export function takeRow(store: Store): Row {
  const row = nextRow(store)
  clearRow(store, row)
  for (const component of store.components) {
    clearRow(component, row)
    component.high = store.high
  }
  store.columns.alive[row] = 1
  if (store.membership) {
    store.columns.seq[row] = store.nextSeq++
    store.bySeq.add(row)
  }
  return row
}

/** Takes a row and copies a staged one into it. */
export function adoptRow(store: Store, staged: Row): Row {
  assert(staged > store.rowsMax, `row ${staged} of ${store.def.name} is not staged`)
  assert(!store.membership && store.components.length === 0, 'entities are not staged')
  const row = nextRow(store)
  const { doubles, words, shorts, bytes, others } = store.lanes
  for (const column of doubles) column[row] = column[staged]
  for (const column of words) column[row] = column[staged]
  for (const column of shorts) column[row] = column[staged]
  for (const column of bytes) column[row] = column[staged]
  for (const { array, width } of others) {
    array.copyWithin(row * width, staged * width, (staged + 1) * width)
  }
  store.columns.alive[row] = 1
  return row
}

/** Sets all columns of a row to 0. */
export function clearRow(store: Store, row: Row): void {
  touch(store)
  const { doubles, words, shorts, bytes, others } = store.lanes
  for (const column of doubles) column[row] = 0
  for (const column of words) column[row] = 0
  for (const column of shorts) column[row] = 0
  for (const column of bytes) column[row] = 0
  for (const { array, width } of others) array.fill(0, row * width, (row + 1) * width)
}

function freeTexts(store: Store, row: Row, texts: TextTable): void {
  touch(store)
  for (const column of store.textColumns) {
    texts.free(column[row])
    column[row] = 0
  }
}

/** Releases a row with its components, and frees the texts they own. */
export function releaseRow(store: Store, row: Row, texts: TextTable): void {
  assert(store.columns.alive[row] === 1, `row ${row} of ${store.def.name} is not in use`)
  store.columns.alive[row] = 0
  store.count--
  freeTexts(store, row, texts)
  for (const component of store.components) freeTexts(component, row, texts)
  if (store.membership) store.bySeq.delete(row)
  store.freed.push(row)
}

/** Makes the rows that were released in this tick free again. */
export function recycleRows(store: Store): void {
  if (store.freed.length === 0) return
  // The free rows are part of the hash.
  touch(store)
  for (const row of store.freed) {
    store.membership?.release(row)
    store.free.push(row)
  }
  store.freed.length = 0
}

/** Returns the rows with all the tags, in order of durable numbers. */
export function rowsById(store: Store, tags: readonly Tag[]): Eid[] {
  assert(store.membership, `${store.def.name} is a table, not a kind of entity`)
  assert(tags.length > 0, 'rows without a tag are in no list')
  const seq = store.columns.seq
  const alive = store.columns.alive
  const rows: Eid[] = []
  const found = store.membership.query(tags)
  for (let i = 0; i < found.length; i++) if (alive[found[i]] === 1) rows.push(found[i])
  return rows.sort((a, b) => seq[a] - seq[b])
}
