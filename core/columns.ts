/**
 * Declarations of columns and tables, and their layout on one SharedArrayBuffer. A table is
 * declared once, in its domain's columns.ts; from the declarations follow memory, snapshot, hash,
 * clearing and the checks on references. Rows are numbered from 1; row 0 means "none".
 */
import { assert } from './assert.ts'
import { COLUMN_STAGGER_BYTES, MEMORY_PAGE_BYTES } from './limits.ts'

const ARRAYS = {
  u8: Uint8Array,
  i8: Int8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f64: Float64Array,
} as const

/** Bytes of one value. */
export const widthOf = (kind: ColumnKind): number => ARRAYS[kind].BYTES_PER_ELEMENT

export type ColumnKind = keyof typeof ARRAYS
export type ColumnArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float64Array

export interface ColumnDef<A extends ColumnArray = ColumnArray> {
  readonly kind: ColumnKind
  /** What the column holds, with its unit. */
  readonly doc: string
  /** Values a row; row r owns the indices r*width … r*width+width-1. */
  readonly width: number
  /** Name of the table its values are rows of. */
  readonly ref?: string
  /** The values are ids of the text table; freed with the row. */
  readonly text: boolean
  /** Rebuilt from saved columns after a restore; neither saved nor hashed. */
  readonly derived: boolean
  /** The values index this table of the catalogue; renumbered when a snapshot meets a later one. */
  readonly catalog?: CatalogIndex
  /** Added to the index where 0 means none. */
  readonly catalogBase?: 0 | 1
  readonly make?: A
}

/** What columns hold indexes into, in the order of today. */
export type Catalogs = Readonly<Partial<Record<CatalogIndex, readonly { readonly id: string }[]>>>

export type CatalogIndex = 'goods' | 'shipClasses' | 'recipes' | 'facilities'

interface ColumnOptions {
  width?: number
  derived?: boolean
  catalog?: CatalogIndex
  catalogBase?: 0 | 1
}

function column<A extends ColumnArray>(kind: ColumnKind) {
  return (doc: string, options: ColumnOptions = {}): ColumnDef<A> => ({
    kind,
    doc,
    width: options.width ?? 1,
    text: false,
    derived: options.derived ?? false,
    catalog: options.catalog,
    catalogBase: options.catalogBase,
  })
}

export const u8 = column<Uint8Array>('u8')
export const i8 = column<Int8Array>('i8')
export const u16 = column<Uint16Array>('u16')
export const i16 = column<Int16Array>('i16')
export const u32 = column<Uint32Array>('u32')
export const i32 = column<Int32Array>('i32')
/** Integers up to 2^53-1: money, quantities, sequence numbers. Never a fraction. */
export const f64 = column<Float64Array>('f64')
/** A row of the table named; 0 for none. */
export const ref = (table: string, doc: string, options: ColumnOptions = {}) => ({
  ...u32(doc, options),
  ref: table,
})
/** An id of the text table; 0 for the empty text. */
export const text = (doc: string) => ({ ...u32(doc), text: true })

export type ColumnDefs = Record<string, ColumnDef>

export interface TableDef<C extends ColumnDefs = ColumnDefs> {
  readonly name: string
  /** Most rows, at the default MAX_ENTITIES; scaled with it unless `fixed`. */
  readonly rowsMax: number
  readonly fixed: boolean
  /** Rows there are however small MAX_ENTITIES is: what a new world alone fills. */
  readonly rowsMin: number
  /** The table whose row r may make a row here in a kernel: row `stagedRow` of r is kept for it. */
  readonly stagedFor?: TableDef
  /**
   * Entities have a durable number (`seq`), bitecs membership and a wire id; tables have neither.
   */
  readonly entity: boolean
  /** A component's rows are those of this kind of entity; they come and go with it. */
  readonly of?: TableDef
  readonly columns: C
}

export type Columns<C extends ColumnDefs> = {
  readonly [K in keyof C]: C[K] extends ColumnDef<infer A> ? A : never
} & { readonly alive: Uint8Array }

export interface ReadonlyColumn {
  readonly [row: number]: number
  readonly length: number
}
export type ReadonlyColumns<C extends ColumnDefs> = {
  readonly [K in keyof C]: ReadonlyColumn
} & { readonly alive: ReadonlyColumn }

export interface TableOptions {
  fixed?: boolean
  rowsMin?: number
  stagedFor?: TableDef
}

const ROWS_MIN = 64

/** A table: rows and a free list. */
export function defineTable<C extends ColumnDefs>(
  name: string,
  rowsMax: number,
  columns: C,
  options: TableOptions = {},
): TableDef<C> {
  const { fixed = false, rowsMin = ROWS_MIN, stagedFor } = options
  return { name, rowsMax, fixed, rowsMin, stagedFor, entity: false, columns }
}

/**
 * A table for one parallel section: requests to a kernel, its outbox. The world thread numbers its
 * rows from 1 anew each time and never takes them, so nothing of it is saved, hashed or missed.
 */
export function defineScratch<C extends ColumnDefs>(
  name: string,
  rowsMax: number,
  columns: C,
  options: TableOptions = {},
): TableDef<C> {
  const derived = Object.entries(columns).map(([key, def]) => [key, { ...def, derived: true }])
  return defineTable(name, rowsMax, Object.fromEntries(derived) as C, options)
}

export type EntityColumns<C extends ColumnDefs> = C & { seq: ColumnDef<Float64Array> }

/** A kind of entity: a table whose rows also carry a durable number that is never used again. */
export function defineEntity<C extends ColumnDefs>(
  name: string,
  rowsMax: number,
  columns: C,
  options: TableOptions = {},
): TableDef<EntityColumns<C>> {
  const seq = f64('durable number, from 1, never reused; its wire id is a function of it')
  return {
    name,
    rowsMax,
    fixed: options.fixed ?? false,
    rowsMin: options.rowsMin ?? ROWS_MIN,
    entity: true,
    columns: { seq, ...columns },
  }
}

/** A component: further columns of a kind of entity, declared by another domain. */
export function defineComponent<C extends ColumnDefs>(
  kind: TableDef,
  name: string,
  columns: C,
): TableDef<C> {
  const { rowsMax, fixed, rowsMin } = kind
  return { name, rowsMax, fixed, rowsMin, entity: false, of: kind, columns }
}

/** Where one column lies. Plain data: kernel threads attach by it. */
export interface ColumnPlace {
  readonly table: string
  readonly name: string
  readonly kind: ColumnKind
  readonly byteOffset: number
  readonly length: number
}

export interface Layout {
  readonly bytes: number
  readonly rows: Record<string, number>
  readonly places: readonly ColumnPlace[]
}

const ALIVE: ColumnDef<Uint8Array> = u8('1 while the row is in use')

/** Every column of a table; first the implied `alive`, which a component shares with its kind. */
export function columnsOf(table: TableDef): [string, ColumnDef][] {
  const own = Object.entries(table.columns)
  return table.of ? own : [['alive', ALIVE], ...own]
}

export function rowsOf(table: TableDef, maxEntities: number): number {
  if (table.fixed) return table.rowsMax
  return Math.max(table.rowsMin, Math.ceil((table.rowsMax * maxEntities) / 1_000_000))
}

/** Rows past the last one of a table in which kernels make new rows, before they are adopted. */
export function stagedRowsOf(table: TableDef, maxEntities: number): number {
  return table.stagedFor ? rowsOf(table.stagedFor, maxEntities) : 0
}

/**
 * Places all columns in one buffer. Each starts at another offset within its page: columns that
 * share a page offset collide in the cache and cost up to six times as much (PERFORMANCE.md 2c).
 */
export function layOut(tables: readonly TableDef[], maxEntities: number): Layout {
  const places: ColumnPlace[] = []
  const rows: Record<string, number> = {}
  let at = 0
  let stagger = 0
  for (const table of tables) {
    assert(rows[table.name] === undefined, `table ${table.name} is declared twice`)
    const rowsMax = rowsOf(table, maxEntities)
    const staged = stagedRowsOf(table, maxEntities)
    rows[table.name] = rowsMax
    for (const [name, def] of columnsOf(table)) {
      const length = (rowsMax + staged + 1) * def.width
      at = Math.ceil(at / MEMORY_PAGE_BYTES) * MEMORY_PAGE_BYTES
      stagger = (stagger + COLUMN_STAGGER_BYTES) % MEMORY_PAGE_BYTES
      const byteOffset = at + stagger
      places.push({ table: table.name, name, kind: def.kind, byteOffset, length })
      at = byteOffset + length * ARRAYS[def.kind].BYTES_PER_ELEMENT
    }
  }
  return { bytes: Math.ceil((at + 8) / 8) * 8, rows, places }
}

type ViewMaker = new (buffer: ArrayBufferLike, byteOffset: number, length: number) => ColumnArray

/** A view of one column. */
export function viewOf(place: ColumnPlace, buffer: ArrayBufferLike): ColumnArray {
  const View = ARRAYS[place.kind] as ViewMaker
  return new View(buffer, place.byteOffset, place.length)
}

export type AttachedTables = Record<string, Record<string, ColumnArray>>

/** Views of every column, by table and name. */
export function attach(layout: Layout, buffer: SharedArrayBuffer): AttachedTables {
  const tables: AttachedTables = {}
  for (const place of layout.places) {
    tables[place.table] ??= {}
    const columns = tables[place.table]
    columns[place.name] = viewOf(place, buffer)
  }
  // Filled name by name, an object of many columns is a hash table to V8; its copy is not.
  for (const name of Object.keys(tables)) tables[name] = { ...tables[name] }
  return tables
}

/** What a kernel factory is given: columns by declaration. */
export interface KernelColumns {
  of<C extends ColumnDefs>(table: TableDef<C>): Columns<C>
}

/**
 * Makes functions over columns once for each set of columns: an isolate has one, and only then are
 * columns constants to what is made of them (PERFORMANCE.md 1b).
 */
export function overColumns<T>(make: (columns: KernelColumns) => T): (columns: KernelColumns) => T {
  const made = new WeakMap<KernelColumns, { readonly of: T }>()
  return (columns) => {
    const found = made.get(columns)
    if (found) return found.of
    const of = make(columns)
    made.set(columns, { of })
    return of
  }
}

export function kernelColumns(tables: AttachedTables): KernelColumns {
  return {
    of: <C extends ColumnDefs>(table: TableDef<C>) => {
      const columns = tables[table.name]
      assert(columns, `table ${table.name} is not attached`)
      return columns as Columns<C>
    },
  }
}
