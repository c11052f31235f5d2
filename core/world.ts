/**
 * The world: columns, records, texts, counters. All of it is snapshotted, hashed and replayed;
 * everything else in it is derived from that, or transient within a batch.
 */
import { assert } from './assert.ts'
import {
  attach,
  type Catalogs,
  type ColumnDefs,
  type Columns,
  kernelColumns,
  layOut,
  type ReadonlyColumns,
  type TableDef,
} from './columns.ts'
import {
  createRecords,
  defineRecords,
  type RecordStore,
  type Records,
  type RecordsDef,
} from './records.ts'
import {
  adoptRow,
  clearRow,
  createStores,
  recycleRows,
  releaseRow,
  rowsById,
  takeRow,
  touch,
} from './store.ts'
import { createTextTable, type TextTable } from './text.ts'
import type {
  Eid,
  Grants,
  Guards,
  IndexKey,
  Observers,
  Outbox,
  PendingAnswer,
  Section,
  Store,
  World,
  WorldView,
  Writes,
} from './types.ts'

let indexesDefined = 0

/** Declares an index: derived state of a domain, created when a world first needs it. */
export const defineIndex = <T>(name: string, make: () => T): IndexKey<T> => ({
  name,
  place: indexesDefined++,
  make,
})

export const emptyOutbox = (): Outbox => ({ emissions: [], writes: [], settled: [] })

/** Pending answers, by player number. Source: DESIGN 2. */
export const PENDING = defineRecords<PendingAnswer>('pending', 1_000_000)

/** Named sequences: `nextNumber`. */
export const COUNTERS = defineRecords<number>('counters', 1_000)

interface WorldOptions {
  /** The kind of entity that players are. */
  players: TableDef
  tables: readonly TableDef[]
  records: readonly RecordsDef<unknown>[]
  sections: ReadonlyMap<Section, (view: WorldView, player: Eid) => unknown>
  /** Needed to read an image of another catalogue. */
  catalogs?: Catalogs
  observers?: Observers
  guards?: Guards
  grants?: Grants
  seed: number
  tickMs: number
  maxEntities: number
  /** Returns zeroed memory for the columns; by default new memory (tests reuse theirs). */
  memory?: (bytes: number) => SharedArrayBuffer
}

function createRecordStores(options: WorldOptions): Map<string, RecordStore> {
  const recordStores = new Map<string, RecordStore>()
  for (const def of [PENDING, COUNTERS, ...options.records]) {
    assert(!recordStores.has(def.name), `records ${def.name} are declared twice`)
    recordStores.set(def.name, createRecords(def))
  }
  return recordStores
}

type FindStore = (table: TableDef) => Store

type RowPart = Pick<
  World,
  | 'highOf'
  | 'countOf'
  | 'roomIn'
  | 'rowOf'
  | 'byId'
  | 'has'
  | 'take'
  | 'release'
  | 'stagedRow'
  | 'isStaged'
  | 'stagedFor'
  | 'adopt'
  | 'clearRow'
  | 'tag'
  | 'untag'
  | 'setText'
>

/**
 * Creates the part of a world that takes and releases rows. `writable` returns the store of a table
 * that is about to change.
 */
function rowPart(store: FindStore, writable: FindStore, texts: TextTable): RowPart {
  return {
    highOf: (table) => store(table).high,
    countOf: (table) => store(table).count,
    roomIn: (table) => store(table).rowsMax - store(table).high + store(table).free.length,
    rowOf: (table, seq) => store(table).bySeq.get(seq),
    byId: (table, tags) => rowsById(store(table), tags),
    has: (table, row, tag) => store(table).membership?.has(row, tag) ?? false,
    take: (table) => {
      assert(!table.of, `rows of ${table.name} come with its kind`)
      return takeRow(writable(table))
    },
    release: (table, row) => releaseRow(writable(table), row, texts),
    stagedRow: (table, row) => {
      assert(table.stagedFor && row >= 1, `rows of ${table.name} are not staged`)
      return store(table).rowsMax + row
    },
    isStaged: (table, row) => row > store(table).rowsMax,
    stagedFor: (table, staged) => staged - store(table).rowsMax,
    adopt: (table, staged) => adoptRow(writable(table), staged),
    clearRow: (table, row) => {
      const found = writable(table)
      assert(row > found.rowsMax || found.high === 0, `row ${row} of ${table.name} is taken`)
      clearRow(found, row)
    },
    tag: (table, row, tag) => store(table).membership?.add(row, tag),
    untag: (table, row, tag) => store(table).membership?.remove(row, tag),
    setText(table, column, row, value) {
      const found = writable(table)
      touch(found)
      found.columns[column][row] = texts.put(found.columns[column][row], value)
    },
  }
}

type KeyedPart = Pick<World, 'records' | 'nextNumber' | 'index' | 'dropIndexes'>

function keyedPart(recordStores: ReadonlyMap<string, RecordStore>): KeyedPart {
  const indexes: unknown[] = []
  const records = <T>(def: RecordsDef<T>): Records<T> => {
    const found = recordStores.get(def.name)
    assert(found, `records ${def.name} are not registered`)
    return found.table as Records<T>
  }
  return {
    records,
    nextNumber: (name) => {
      const next = (records(COUNTERS).get(name) ?? 0) + 1
      records(COUNTERS).set(name, next)
      return next
    },
    index: <T>(key: IndexKey<T>) => {
      indexes[key.place] ??= key.make()
      return indexes[key.place] as T
    },
    dropIndexes: () => {
      indexes.length = 0
    },
  }
}

/** Creates an empty world. Memory is reserved for all rows, but used only as rows are. */
export function createWorld(options: WorldOptions): World {
  const { tables, maxEntities, sections, seed, tickMs, players } = options
  const layout = layOut(tables, maxEntities)
  const buffer = options.memory?.(layout.bytes) ?? new SharedArrayBuffer(layout.bytes)
  const attached = attach(layout, buffer)
  const texts = createTextTable()
  const writes: Writes = { count: 0, declared: undefined }
  const stores = createStores({ tables, attached, maxEntities, writes })
  const recordStores = createRecordStores(options)
  const byPlace: Store[] = []
  for (const found of stores.values()) byPlace[found.def.place] = found
  const store: FindStore = (table) => {
    const found = byPlace[table.place]
    assert(found, `table ${table.name} is not registered`)
    return found
  }
  const writable: FindStore = (table) => {
    const { declared } = writes
    if (declared !== undefined && !declared.tables.has(table.name)) {
      assert(false, `${declared.by} writes ${table.name}, which it does not declare`)
    }
    return store(table)
  }
  const world: World = {
    seed,
    tickMs,
    maxEntities,
    players,
    layout,
    buffer,
    texts,
    stores,
    recordStores,
    tick: 0,
    wallMs: 0,
    batch: 0,
    get writes() {
      return writes.count
    },
    kernelColumns: kernelColumns(attached),
    catalogs: options.catalogs ?? {},
    observers: options.observers ?? new Map(),
    guards: options.guards ?? new Map(),
    grants: options.grants ?? new Map(),
    outbox: emptyOutbox(),
    running: { ref: 0, framing: 'ws1' },
    ...rowPart(store, writable, texts),
    ...keyedPart(recordStores),
    read: <C extends ColumnDefs>(table: TableDef<C>) =>
      store(table).columns as unknown as ReadonlyColumns<C>,
    write: <C extends ColumnDefs>(table: TableDef<C>) => {
      const found = writable(table)
      touch(found)
      return found.columns as unknown as Columns<C>
    },
    declareWrites: (declared) => {
      writes.declared = declared
    },
    recycle: () => {
      for (const found of stores.values()) recycleRows(found)
    },
    section: (name, player) => {
      const render = sections.get(name)
      assert(render, `no domain renders section ${name}`)
      return render(world, player)
    },
  }
  return world
}
