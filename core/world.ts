/**
 * The world: columns, records, texts, counters. All of it is snapshotted, hashed and replayed;
 * whatever else hangs on it here is derived from that, or transient within a batch.
 */
import { assert } from './assert.ts'
import {
  attach,
  type ColumnDefs,
  type Columns,
  type KernelColumns,
  kernelColumns,
  type Layout,
  layOut,
  type ReadonlyColumns,
  type TableDef,
} from './columns.ts'
import type { Section } from './command.ts'
import type { Outcome } from './errors.ts'
import type { Emission } from './event.ts'
import type { Grants, Guards } from './guard.ts'
import type { Observers } from './occurrence.ts'
import type { ArchiveWrite, Framing, PendingAnswer } from './ports.ts'
import type { Tag } from './query.ts'
import {
  createRecords,
  defineRecords,
  type ReadonlyRecords,
  type RecordStore,
  type Records,
  type RecordsDef,
} from './records.ts'
import {
  adoptRow,
  clearRow,
  createStores,
  type Eid,
  type Row,
  recycleRows,
  releaseRow,
  rowsById,
  type Store,
  takeRow,
  touch,
} from './store.ts'
import { createTextTable, type TextTable } from './text.ts'

export type { Eid, Row, Store } from './store.ts'

/** What a query may do: look. The types keep it from writing. */
export interface WorldView {
  readonly seed: number
  /** The tick being computed, or, between ticks, the last one computed. */
  readonly tick: number
  readonly tickMs: number
  /** Wall time of the batch that ran last, from the journal; milliseconds since 1970. */
  readonly wallMs: number
  readonly maxEntities: number
  /** The kind of entity that players are. */
  readonly players: TableDef
  readonly texts: Pick<TextTable, 'get'>
  /** For functions that kernels share; what these write is scratch. */
  readonly kernelColumns: KernelColumns
  read<C extends ColumnDefs>(table: TableDef<C>): ReadonlyColumns<C>
  /** The row of an entity's durable number; 0 if it is gone or never was. */
  rowOf(table: TableDef, seq: number): Eid
  records<T>(def: RecordsDef<T>): ReadonlyRecords<T>
  /** Highest row in use or used before: the bound of a scan. */
  highOf(table: TableDef): number
  countOf(table: TableDef): number
  /** Rows that can still be taken in this tick: those given back in it cannot. */
  roomIn(table: TableDef): number
  /** Rows with all the tags, in durable-id order. Source: STYLE B, Data. */
  byId(table: TableDef, tags: readonly Tag[]): Eid[]
  has(table: TableDef, row: Eid, tag: Tag): boolean
  /** What domains add to occurrences, guards and grants of others. */
  readonly observers: Observers
  readonly guards: Guards
  readonly grants: Grants
  /** A section of the v2 state as its domain renders it. */
  section(name: Section, player: Eid): unknown
  /**
   * Grows whenever a table is taken for writing: between batches, what was worked out at one number
   * holds while it stands.
   */
  readonly writes: number
  /** A domain's own index, made once a world; derived state, emptied by `rebuild`. */
  index<T>(key: IndexKey<T>): T
}

export interface IndexKey<T> {
  readonly name: string
  make(): T
}

export const defineIndex = <T>(name: string, make: () => T): IndexKey<T> => ({ name, make })

export interface World extends WorldView {
  seed: number
  tick: number
  wallMs: number
  /** Number of the last batch that ran. */
  batch: number
  readonly layout: Layout
  readonly buffer: SharedArrayBuffer
  readonly texts: TextTable
  readonly stores: ReadonlyMap<string, Store>
  readonly recordStores: ReadonlyMap<string, RecordStore>
  write<C extends ColumnDefs>(table: TableDef<C>): Columns<C>
  records<T>(def: RecordsDef<T>): Records<T>
  take(table: TableDef): Row
  /** The next of a named sequence, from 1. */
  nextNumber(name: string): number
  release(table: TableDef, row: Row): void
  /** The row in which a kernel makes what row `row` of `table.stagedFor` asks for. */
  stagedRow(table: TableDef, row: Row): Row
  isStaged(table: TableDef, row: Row): boolean
  /** The row of `table.stagedFor` that a staged row belongs to. */
  stagedFor(table: TableDef, staged: Row): Row
  /**
   * Takes a row and copies a staged one into it; references to it are the caller's to mend. Rows
   * are given out only now, so that what was refused leaves no gap (I12).
   */
  adopt(table: TableDef, staged: Row): Row
  /** Clears a row that is not taken: a staged one, or one of a scratch table. */
  clearRow(table: TableDef, row: Row): void
  tag(table: TableDef, row: Eid, tag: Tag): void
  untag(table: TableDef, row: Eid, tag: Tag): void
  /** Replaces the text a column of the row owns. */
  setText(table: TableDef, column: string, row: Row, text: string): void
  /** Makes the rows released so far usable again: the end of a tick. */
  recycle(): void
  /** Everything the running batch tells; taken when it ends. */
  outbox: Outbox
  /** The command that runs: its ref names the waiting exchange, and how that is framed. */
  readonly running: { ref: number; framing: Framing }
  dropIndexes(): void
}

/** What a batch leaves behind besides the world: told after its journal row is durable. */
export interface Outbox {
  readonly emissions: Emission[]
  readonly writes: ArchiveWrite[]
  readonly settled: SettledAnswer[]
}

/** The outcome of a mutation, in the order in which they came about. */
export interface SettledAnswer {
  readonly pending: PendingAnswer
  readonly outcome: Outcome<unknown>
}

export const emptyOutbox = (): Outbox => ({ emissions: [], writes: [], settled: [] })

/**
 * Answers still owed, by player number: a mutation whose outcome is ticks away (travel). Source:
 * DESIGN 2.
 */
export const PENDING = defineRecords<PendingAnswer>('pending', 1_000_000)

/** Named sequences: `nextNumber`. */
export const COUNTERS = defineRecords<number>('counters', 1_000)

export interface WorldOptions {
  /** The kind of entity that players are. */
  players: TableDef
  tables: readonly TableDef[]
  records: readonly RecordsDef<unknown>[]
  sections: ReadonlyMap<Section, (view: WorldView, player: Eid) => unknown>
  /** Without them nobody adds to anything. */
  observers?: Observers
  guards?: Guards
  grants?: Grants
  seed: number
  tickMs: number
  maxEntities: number
}

function createRecordStores(options: WorldOptions): Map<string, RecordStore> {
  const recordStores = new Map<string, RecordStore>()
  for (const def of [PENDING, COUNTERS, ...options.records]) {
    assert(!recordStores.has(def.name), `records ${def.name} are declared twice`)
    recordStores.set(def.name, createRecords(def))
  }
  return recordStores
}

/** Finds a store by its declaration. */
type Find = (table: TableDef) => Store

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

function rowPart(store: Find, texts: TextTable): RowPart {
  return {
    highOf: (table) => store(table).high,
    countOf: (table) => store(table).count,
    roomIn: (table) => store(table).rowsMax - store(table).high + store(table).free.length,
    rowOf: (table, seq) => store(table).bySeq.get(seq),
    byId: (table, tags) => rowsById(store(table), tags),
    has: (table, row, tag) => store(table).membership?.has(row, tag) ?? false,
    take: (table) => {
      assert(!table.of, `rows of ${table.name} come with its kind`)
      return takeRow(store(table))
    },
    release: (table, row) => releaseRow(store(table), row, texts),
    stagedRow: (table, row) => {
      assert(table.stagedFor && row >= 1, `rows of ${table.name} are not staged`)
      return store(table).rowsMax + row
    },
    isStaged: (table, row) => row > store(table).rowsMax,
    stagedFor: (table, staged) => staged - store(table).rowsMax,
    adopt: (table, staged) => adoptRow(store(table), staged),
    clearRow: (table, row) => {
      const found = store(table)
      assert(row > found.rowsMax || found.high === 0, `row ${row} of ${table.name} is taken`)
      clearRow(found, row)
    },
    tag: (table, row, tag) => store(table).membership?.add(row, tag),
    untag: (table, row, tag) => store(table).membership?.remove(row, tag),
    setText(table, column, row, value) {
      const found = store(table)
      touch(found)
      found.columns[column][row] = texts.put(found.columns[column][row], value)
    },
  }
}

type KeyedPart = Pick<World, 'records' | 'nextNumber' | 'index' | 'dropIndexes'>

function keyedPart(recordStores: ReadonlyMap<string, RecordStore>): KeyedPart {
  const indexes = new Map<string, unknown>()
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
      let found = indexes.get(key.name)
      if (found === undefined) {
        found = key.make()
        indexes.set(key.name, found)
      }
      return found as T
    },
    dropIndexes: () => indexes.clear(),
  }
}

/** An empty world. Memory is reserved for all capacities and used only as rows are. */
export function createWorld(options: WorldOptions): World {
  const { tables, maxEntities, sections, seed, tickMs, players } = options
  const layout = layOut(tables, maxEntities)
  const buffer = new SharedArrayBuffer(layout.bytes)
  const attached = attach(layout, buffer)
  const texts = createTextTable()
  const writes = { count: 0 }
  const stores = createStores({ tables, attached, maxEntities, writes })
  const recordStores = createRecordStores(options)
  const store: Find = (table) => {
    const found = stores.get(table.name)
    assert(found, `table ${table.name} is not registered`)
    return found
  }
  const world: World = {
    ...{ seed, tickMs, maxEntities, players, layout, buffer, texts, stores, recordStores },
    ...{ tick: 0, wallMs: 0, batch: 0 },
    get writes() {
      return writes.count
    },
    kernelColumns: kernelColumns(attached),
    observers: options.observers ?? new Map(),
    guards: options.guards ?? new Map(),
    grants: options.grants ?? new Map(),
    outbox: emptyOutbox(),
    running: { ref: 0, framing: 'ws1' },
    ...rowPart(store, texts),
    ...keyedPart(recordStores),
    read: <C extends ColumnDefs>(table: TableDef<C>) =>
      store(table).columns as unknown as ReadonlyColumns<C>,
    write: <C extends ColumnDefs>(table: TableDef<C>) => {
      const found = store(table)
      touch(found)
      return found.columns as unknown as Columns<C>
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
