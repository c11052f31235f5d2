/**
 * Compares two images of a world row by row. Values are shown in readable form: texts and goods by
 * name, entities by their durable number.
 */
import { type ColumnDef, columnsOf, type TableDef } from '../core/columns.ts'
import { Container, Stack } from '../core/goods.ts'
import { Account } from '../core/ledger.ts'
import type { ColumnImage, TableImage, WorldImage } from '../core/ports.ts'
import type { Registry } from '../core/registry.ts'
import { diffImages, type RecordsDiff } from '../storage/snapshot-tools.ts'
import { digits } from './format.ts'
import { ToolError } from './tool.ts'

type Value = number | string

interface ValueChange {
  /** With an index if the column has several values per row: `values[3]`. */
  readonly column: string
  readonly before: Value
  readonly after: Value
}

interface RowDiff {
  readonly row: number
  /** Durable number, of entities and their components. */
  readonly number?: number
  readonly change: 'added' | 'removed' | 'changed'
  readonly values: readonly ValueChange[]
}

interface TableDiff {
  readonly table: string
  readonly added: number
  readonly removed: number
  readonly changed: number
  /** The first rows that differ. */
  readonly rows: readonly RowDiff[]
}

export interface WorldDiff {
  readonly batches: readonly [number, number]
  readonly ticks: readonly [number, number]
  readonly hashes: readonly [string, string]
  readonly same: boolean
  readonly tables: readonly TableDiff[]
  readonly records: readonly RecordsDiff[]
  readonly texts: number
}

interface DiffOptions {
  /** Declares the tables of this release. */
  readonly registry: Registry
  /** How many rows are listed per table. */
  readonly rowsMax: number
  readonly table?: string
}

const ARRAYS = {
  u8: Uint8Array,
  i8: Int8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f64: Float64Array,
} as const

/** One table of one of the images, its columns by name. */
interface Side {
  readonly image: WorldImage
  readonly high: number
  readonly columns: ReadonlyMap<string, ArrayLike<number>>
  readonly alive: ArrayLike<number>
  readonly seq: ArrayLike<number> | undefined
}

function numbersOf({ kind, bytes }: ColumnImage): ArrayLike<number> {
  // Copied, since a column of an image need not start at a multiple of its element size.
  const buffer = Uint8Array.from(bytes).buffer
  return new ARRAYS[kind as keyof typeof ARRAYS](buffer)
}

function sideOf(image: WorldImage, table: TableImage | undefined, kindOf: string): Side {
  const columns = new Map(table?.columns.map((column) => [column.name, numbersOf(column)]))
  const kind = image.tables.find((candidate) => candidate.name === kindOf)
  const own = (name: string): ArrayLike<number> | undefined => {
    const column = kind?.columns.find((candidate) => candidate.name === name)
    return column ? numbersOf(column) : undefined
  }
  return { image, high: table?.high ?? 0, columns, alive: own('alive') ?? [], seq: own('seq') }
}

/** Compares two images; a table or record that only one of them has counts as changed entirely. */
export function diffWorlds(before: WorldImage, after: WorldImage, options: DiffOptions): WorldDiff {
  const defs = new Map(
    [Account, Container, Stack, ...options.registry.tables].map((def) => [
      def.name,
      def as TableDef,
    ]),
  )
  const names = [...new Set([...before.tables, ...after.tables].map(({ name }) => name))]
  if (options.table !== undefined && !names.includes(options.table)) {
    throw new ToolError(`There is no table "${options.table}". There are: ${names.join(', ')}.`)
  }
  const shown = options.table === undefined ? names : [options.table]
  const find = (image: WorldImage, name: string) =>
    image.tables.find((table) => table.name === name)
  const tables = shown
    .map((name) => {
      const kind = defs.get(name)?.of?.name ?? name
      const side = (image: WorldImage): Side => sideOf(image, find(image, name), kind)
      const sides = { before: side(before), after: side(after) }
      return diffTable(name, defs.get(name), sides, options.rowsMax)
    })
    .filter(({ added, removed, changed }) => added + removed + changed > 0)
  const whole = diffImages(before, after)
  return {
    batches: [before.batch, after.batch],
    ticks: [before.tick, after.tick],
    hashes: [before.hash, after.hash],
    same: whole.same,
    tables,
    records: whole.records,
    texts: whole.texts,
  }
}

function diffTable(
  name: string,
  def: TableDef | undefined,
  { before, after }: { readonly before: Side; readonly after: Side },
  rowsMax: number,
): TableDiff {
  const counts = { added: 0, removed: 0, changed: 0 }
  const rows: RowDiff[] = []
  const compare = comparer(def, before, after)
  const count = (row: number, change: RowDiff['change'], values: readonly ValueChange[]): void => {
    counts[change]++
    if (rows.length >= rowsMax) return
    const seq = (change === 'removed' ? before : after).seq
    rows.push({ row, ...(seq ? { number: seq[row] } : {}), change, values })
  }
  for (let row = 1; row <= Math.max(before.high, after.high); row++) {
    const was = row <= before.high && before.alive[row] === 1
    const is = row <= after.high && after.alive[row] === 1
    const isOther = was && is && before.seq?.[row] !== after.seq?.[row]
    if (was && (!is || isOther)) count(row, 'removed', [])
    if (is && (!was || isOther)) count(row, 'added', compare(row, false))
    if (!was || !is || isOther) continue
    const values = compare(row, true)
    if (values.length > 0) count(row, 'changed', values)
  }
  return { table: name, ...counts, rows }
}

type Compare = (row: number, hasBefore: boolean) => ValueChange[]

/** Returns a function that lists the changes in a row; of a new row, all values other than 0. */
function comparer(def: TableDef | undefined, before: Side, after: Side): Compare {
  const known = new Map<string, ColumnDef>(def ? columnsOf(def) : [])
  const columns = [...after.columns].map(([name, now]) => {
    const width = now.length / (after.high + 1)
    const was = before.columns.get(name)
    const isSame = was !== undefined && was.length === width * (before.high + 1)
    return { name, now, width, was: isSame ? was : undefined, def: known.get(name) }
  })
  return (row, hasBefore) => {
    const values: ValueChange[] = []
    for (const { name, now, width, was, def: column } of columns) {
      for (let i = 0; i < width; i++) {
        const index = row * width + i
        // Compared in readable form, since the id of a text may stay the same while it changes.
        const oldValue = read(before.image, column, hasBefore && was ? was[index] : 0)
        const newValue = read(after.image, column, now[index])
        if (oldValue === newValue) continue
        const label = width === 1 ? name : `${name}[${i}]`
        values.push({ column: label, before: oldValue, after: newValue })
      }
    }
    return values
  }
}

/** Returns a value in readable form. */
function read(image: WorldImage, column: ColumnDef | undefined, value: number): Value {
  if (!column) return value
  if (column.text) return image.texts[value] ?? ''
  if (column.catalog) {
    const index = value - (column.catalogBase ?? 0)
    return index < 0 ? 'none' : (image[column.catalog]?.[index] ?? value)
  }
  return column.ref === undefined ? value : value === 0 ? 'none' : `${column.ref} row ${value}`
}

const VALUES_SHOWN = 6
const CHARACTERS_SHOWN = 40

const brief = (value: Value): string => {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > CHARACTERS_SHOWN ? `${text.slice(0, CHARACTERS_SHOWN)}…` : text
}

/** The signs of rows that were added, removed and changed. */
export const CHANGE_SIGNS = { added: '+', removed: '-', changed: '~' } as const

function rowText({ row, number, change, values }: RowDiff): string {
  const label = number === undefined ? `row ${row}` : `number ${number}`
  const shown = values
    .slice(0, VALUES_SHOWN)
    .map(({ column, before, after }) =>
      change === 'added'
        ? `${column} ${brief(after)}`
        : `${column} ${brief(before)} → ${brief(after)}`,
    )
  if (values.length > VALUES_SHOWN) shown.push(`and ${values.length - VALUES_SHOWN} more`)
  const details = shown.length === 0 ? '' : `: ${shown.join(', ')}`
  return `  ${CHANGE_SIGNS[change]} ${label}${details}`
}

function tableText(found: TableDiff): string {
  const { table, added, removed, changed, rows } = found
  const more = added + removed + changed - rows.length
  return [
    `${table}: ${digits(added)} added, ${digits(removed)} removed, ${digits(changed)} changed`,
    ...rows.map(rowText),
    ...(more > 0 ? [`  … ${digits(more)} more (--rows)`] : []),
  ].join('\n')
}

/** Describes the differences between two worlds. */
export function diffText(found: WorldDiff): string {
  const { batches, ticks, same, tables, records, texts } = found
  const head = `batch ${batches[0]} (tick ${ticks[0]}) → batch ${batches[1]} (tick ${ticks[1]})`
  if (same) return `${head}: the same world`
  return [
    head,
    ...tables.map(tableText),
    ...records.map(
      (diff) =>
        `records ${diff.records}: ${digits(diff.added)} added, ${digits(diff.removed)} removed, ` +
        `${digits(diff.changed)} changed (${diff.examples.join(', ')})`,
    ),
    `texts: ${digits(texts)} changed`,
  ].join('\n')
}
