/**
 * Declarations of columns and tables, and their layout on one SharedArrayBuffer. A table is
 * declared once, in its domain's state.ts; memory, snapshot, hash, clearing and the checks on
 * references all follow from the declaration. Rows are numbered from 1; row 0 means "none".
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

/** Returns the bytes of one value. */
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

/** A column of a table, as its domain declares it. */
export interface ColumnDef<A extends ColumnArray = ColumnArray> {
  readonly kind: ColumnKind
  /** What the column holds, with its unit. */
  readonly doc: string
  /** Values in a row; row r has the indices r*width to r*width+width-1. */
  readonly width: number
  /** Name of the table whose rows the values refer to. */
  readonly ref?: string
  /** True where the values are ids of the text table; their texts are freed with the row. */
  readonly text: boolean
  /**
   * True where the column is rebuilt from saved ones after a restore; it is not saved or hashed.
   */
  readonly derived: boolean
  /** The list of the catalogue that its values index; values of an older list are renumbered. */
  readonly catalog?: CatalogIndex
  /** 1 where the values are the index plus 1, and 0 means none. */
  readonly catalogBase?: 0 | 1
  /** Never set: only carries the type of the array. */
  readonly make?: A
}

/** The lists that columns hold indexes into, in their current order. */
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
/** For integers up to 2^53-1: money, quantities, sequence numbers. Never for fractions. */
export const f64 = column<Float64Array>('f64')
/** Declares a column of references to rows of a table; 0 for none. */
export const ref = (table: string, doc: string, options: ColumnOptions = {}) => ({
  ...u32(doc, options),
  ref: table,
})
/** Declares a column of ids of the text table; 0 for the empty text. */
export const text = (doc: string) => ({ ...u32(doc), text: true })

export type ColumnDefs = Record<string, ColumnDef>

/** A table, as its domain declares it. */
export interface TableDef<C extends ColumnDefs = ColumnDefs> {
  readonly name: string
  /** Index of its store in a world: tables are numbered in the order in which they are defined. */
  readonly place: number
  /** Limit of rows at the default MAX_ENTITIES; in proportion to MAX_ENTITIES unless `fixed`. */
  readonly rowsMax: number
  readonly fixed: boolean
  /** Minimum of that limit, however small MAX_ENTITIES is, because a new world fills these rows. */
  readonly rowsMin: number
  /** The table for each of whose rows a kernel may fill one row here (World.stagedRow). */
  readonly stagedFor?: TableDef
  /**
   * True of entities, which have a durable number (`seq`), bitecs membership and a wire id; a plain
   * table has none of these.
   */
  readonly entity: boolean
  /** For a component: the kind of entity whose rows it shares. */
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

let tablesDefined = 0

/** Declares a table: rows and a free list. */
export function defineTable<C extends ColumnDefs>(
  name: string,
  rowsMax: number,
  columns: C,
  options: TableOptions = {},
): TableDef<C> {
  const { fixed = false, rowsMin = ROWS_MIN, stagedFor } = options
  return {
    name,
    place: tablesDefined++,
    rowsMax,
    fixed,
    rowsMin,
    stagedFor,
    entity: false,
    columns,
  }
}

/**
 * Declares a table for one parallel section: requests to a kernel, or its outbox. The world thread
 * refills its rows from 1 on each time and never allocates them, so that none of it is saved or
 * hashed.
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

/** Declares a kind of entity: a table whose rows have a durable number that is never used again. */
export function defineEntity<C extends ColumnDefs>(
  name: string,
  rowsMax: number,
  columns: C,
  options: TableOptions = {},
): TableDef<EntityColumns<C>> {
  const seq = f64('durable number, from 1, never reused; its wire id is a function of it')
  return {
    name,
    place: tablesDefined++,
    rowsMax,
    fixed: options.fixed ?? false,
    rowsMin: options.rowsMin ?? ROWS_MIN,
    entity: true,
    columns: { seq, ...columns },
  }
}

/** Declares a component: further columns of a kind of entity, often for another domain. */
export function defineComponent<C extends ColumnDefs>(
  kind: TableDef,
  name: string,
  columns: C,
): TableDef<C> {
  const { rowsMax, fixed, rowsMin } = kind
  return { name, place: tablesDefined++, rowsMax, fixed, rowsMin, entity: false, of: kind, columns }
}

/** Where a column lies in the buffer: plain data, from which kernel threads make their views. */
export interface ColumnPlace {
  readonly table: string
  readonly name: string
  readonly kind: ColumnKind
  readonly byteOffset: number
  readonly length: number
}

/** Where the columns of all tables lie in the buffer. */
export interface Layout {
  readonly bytes: number
  /** Limit of rows, by table. */
  readonly rows: Record<string, number>
  readonly places: readonly ColumnPlace[]
}

const ALIVE: ColumnDef<Uint8Array> = u8('1 while the row is in use')

type NamedColumns = readonly (readonly [string, ColumnDef])[]

/** Lists of `columnsOf`, by table: hashes, images and restores go through all of them each time. */
const LISTED = new WeakMap<TableDef, NamedColumns>()

/**
 * Returns the columns of a table. The first is `alive`, except for a component, which shares that
 * of its kind.
 */
export function columnsOf(table: TableDef): NamedColumns {
  const listed = LISTED.get(table)
  if (listed) return listed
  const own = Object.entries(table.columns)
  const columns: NamedColumns = table.of ? own : [['alive', ALIVE], ...own]
  LISTED.set(table, columns)
  return columns
}

/** Returns how many rows a table may have. */
export function rowsOf(table: TableDef, maxEntities: number): number {
  if (table.fixed) return table.rowsMax
  return Math.max(table.rowsMin, Math.ceil((table.rowsMax * maxEntities) / 1_000_000))
}

/** Returns how many rows after the last are reserved for kernels to stage new rows in. */
export function stagedRowsOf(table: TableDef, maxEntities: number): number {
  return table.stagedFor ? rowsOf(table.stagedFor, maxEntities) : 0
}

/**
 * Places all columns in one buffer, each at a different offset within its page: columns that start
 * at the same offset collide in the cache and cost up to six times as much (PERFORMANCE.md 2c).
 */
export function layOut(tables: readonly TableDef[], maxEntities: number): Layout {
  const places: ColumnPlace[] = []
  const rows: Record<string, number> = {}
  let end = 0
  let stagger = 0
  for (const table of tables) {
    assert(rows[table.name] === undefined, `table ${table.name} is declared twice`)
    const rowsMax = rowsOf(table, maxEntities)
    const staged = stagedRowsOf(table, maxEntities)
    rows[table.name] = rowsMax
    for (const [name, def] of columnsOf(table)) {
      const length = (rowsMax + staged + 1) * def.width
      const page = Math.ceil(end / MEMORY_PAGE_BYTES) * MEMORY_PAGE_BYTES
      stagger = (stagger + COLUMN_STAGGER_BYTES) % MEMORY_PAGE_BYTES
      const byteOffset = page + stagger
      places.push({ table: table.name, name, kind: def.kind, byteOffset, length })
      end = byteOffset + length * ARRAYS[def.kind].BYTES_PER_ELEMENT
    }
  }
  return { bytes: Math.ceil((end + 8) / 8) * 8, rows, places }
}

type ViewMaker = new (buffer: ArrayBufferLike, byteOffset: number, length: number) => ColumnArray

/** Returns a view of a column. */
export function viewOf(place: ColumnPlace, buffer: ArrayBufferLike): ColumnArray {
  const View = ARRAYS[place.kind] as ViewMaker
  return new View(buffer, place.byteOffset, place.length)
}

export type AttachedTables = Record<string, Record<string, ColumnArray>>

/** Returns views of all columns, by table and name. */
export function attach(layout: Layout, buffer: SharedArrayBuffer): AttachedTables {
  const tables: AttachedTables = {}
  for (const place of layout.places) {
    tables[place.table] ??= {}
    const columns = tables[place.table]
    columns[place.name] = viewOf(place, buffer)
  }
  // V8 keeps an object that was filled name by name as a slow hash table; a copy is a fast object.
  for (const name of Object.keys(tables)) tables[name] = { ...tables[name] }
  return tables
}

/** The columns that a kernel factory receives. */
export interface KernelColumns {
  /** Returns the columns of a table. */
  of<C extends ColumnDefs>(table: TableDef<C>): Columns<C>
}

/**
 * Returns a factory that creates its functions once for each set of columns, of which an isolate
 * has one: only then does V8 treat the columns as constants (PERFORMANCE.md 1b).
 */
export function overColumns<T>(make: (columns: KernelColumns) => T): (columns: KernelColumns) => T {
  const made = new WeakMap<KernelColumns, { readonly value: T }>()
  return (columns) => {
    const found = made.get(columns)
    if (found) return found.value
    const value = make(columns)
    made.set(columns, { value })
    return value
  }
}

/** Gives access to attached tables by their declaration. */
export function kernelColumns(tables: AttachedTables): KernelColumns {
  return {
    of: <C extends ColumnDefs>(table: TableDef<C>) => {
      const columns = tables[table.name]
      assert(columns, `table ${table.name} is not attached`)
      return columns as Columns<C>
    },
  }
}
