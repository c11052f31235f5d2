/**
 * Renders structured values as plain text: numbers, `key: value` lines, tab-separated tables. The
 * text never contains `undefined`, a line break inside a cell, or more than TABLE_ROWS_MAX rows.
 */
import { isShared } from '../../core/wire/packed.ts'

/** Rows shown of a list; the structured content has all of them. */
const TABLE_ROWS_MAX = 100
/** Nesting shown as separate lines; deeper values are JSON on one line. */
const DEPTH_MAX = 3
/** JSON on one line is cut off here. */
const INLINE_CHARACTERS_MAX = 400
/** An object in a row with this many fields is shown as columns: a cell would cut it off. */
const SPREAD_FIELDS_MIN = 12
/** Limits of a list that is shown on the line of its name. */
const INLINE_LIST_ITEMS_MAX = 20
const INLINE_LIST_CHARACTERS_MAX = 160

type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** Returns a field of an object; undefined if there is none. */
export const field = (value: unknown, name: string): unknown =>
  isFields(value) ? value[name] : undefined

/** Returns a field that is an object; otherwise an empty object. */
export const fieldsOf = (value: unknown, name: string): Fields => {
  const found = field(value, name)
  return isFields(found) ? found : {}
}

/** Returns a field that is a list; otherwise an empty list. */
export const listOf = (value: unknown, name: string): readonly unknown[] => {
  const found = field(value, name)
  return isList(found) ? found : []
}

/** Renders a value on one line; undefined and null are empty. */
export function cell(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return oneLine(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (isList(value)) return value.every(isScalar) ? value.map(cell).join(', ') : inline(value)
  return inline(value)
}

/** Renders 12345 as 12,345. */
export function withCommas(value: unknown): string {
  if (typeof value !== 'number' || !Number.isFinite(value)) return '0'
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
}

/** Renders `a/b`, with 0 for an absent number. */
export const ratio = (a: unknown, b: unknown): string => `${numberOf(a)}/${numberOf(b)}`

const numberOf = (value: unknown): string => (typeof value === 'number' ? String(value) : '0')

type Columns<R> = readonly (readonly [string, (row: R) => unknown])[]

const lineOf = <R>(row: R, columns: Columns<R>): string =>
  columns.map(([, get]) => cell(get(row))).join('\t')

/** Cache of the lines of immutable entries that many results share, with the fields they show. */
const LINES = new WeakMap<object, { readonly fields: string; readonly line: string }>()

/** Returns the line of a row whose columns are named fields; cached for shared entries. */
function lineOfFields(row: unknown, columns: Columns<unknown>, fields: string): string {
  if (!isFields(row) || !isShared(row)) return lineOf(row, columns)
  const known = LINES.get(row)
  if (known?.fields === fields) return known.line
  const line = lineOf(row, columns)
  LINES.set(row, { fields, line })
  return line
}

/**
 * Renders a title, a line of headers, and a line for each row. Columns are [header, value of a
 * row].
 */
export const table = <R>(title: string, rows: readonly R[], columns: Columns<R>): string[] =>
  linesOf(title, rows, columns, (row) => lineOf(row, columns))

function linesOf<R>(
  title: string,
  rows: readonly R[],
  columns: Columns<R>,
  line: (row: R) => string,
): string[] {
  const lines = [`${title}:`, columns.map(([header]) => header).join('\t')]
  for (const row of rows.slice(0, TABLE_ROWS_MAX)) lines.push(line(row))
  if (rows.length > TABLE_ROWS_MAX)
    lines.push(`… and ${rows.length - TABLE_ROWS_MAX} more: narrow the request to see them`)
  return lines
}

/**
 * Renders any value as lines: first what fits on one line, then the rest in the order of its
 * fields, with objects indented and lists as tables.
 */
export function genericLines(value: unknown, depth = 0): string[] {
  if (isList(value)) return listLines('items', value)
  if (!isFields(value)) return [cell(value)]
  const entries = Object.entries(value).filter(([, v]) => v !== undefined && v !== null)
  const lines: string[] = []
  for (const [name, v] of entries)
    if (isShort(v)) lines.push(`${name}: ${isList(v) && v.length === 0 ? 'none' : cell(v)}`)
  for (const [name, v] of entries) {
    if (isShort(v)) continue
    if (typeof v === 'string') lines.push(`${name}:`, ...textLines(v))
    else if (isList(v)) lines.push(...listLines(name, v))
    else if (depth + 1 >= DEPTH_MAX) lines.push(`${name}: ${inline(v)}`)
    else lines.push(`${name}:`, ...genericLines(v, depth + 1).map((line) => `  ${line}`))
  }
  return lines
}

const isWide = (value: unknown): value is Fields =>
  isFields(value) && Object.keys(value).length >= SPREAD_FIELDS_MIN

/** Returns the row with the fields of its wide objects in their place. */
function spread(row: unknown): unknown {
  if (!isFields(row) || isShared(row) || !Object.values(row).some(isWide)) return row
  const flat: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) {
    if (!isWide(value)) flat[name] = value
    else
      for (const [inner, part] of Object.entries(value))
        flat[inner in row || inner in flat ? `${name}_${inner}` : inner] = part
  }
  return flat
}

function listLines(name: string, list: readonly unknown[]): string[] {
  if (!list.some(isFields)) return [`${name}:`, ...list.map((row) => `  - ${cell(row)}`)]
  const rows = list.map(spread)
  const headers = headersOf(rows)
  const columns = headers.map((header) => [header, (row: unknown) => field(row, header)] as const)
  const fields = headers.join()
  return linesOf(`${name} (${rows.length})`, rows, columns, (row) =>
    lineOfFields(row, columns, fields),
  )
}

/** Returns the fields of the shown rows, in order. */
function headersOf(rows: readonly unknown[]): string[] {
  const headers: string[] = []
  for (const row of rows.slice(0, TABLE_ROWS_MAX)) {
    if (!isFields(row)) continue
    // Most rows have the same fields as the first, in the same order.
    let column = 0
    for (const key in row) {
      if (headers[column] === key) column++
      else if (!headers.includes(key) && row[key] !== undefined) headers.push(key)
    }
  }
  return headers
}

const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object'
/** Returns true for what fits on the line of its name: a scalar, or a short list of short ones. */
const isShort = (value: unknown): boolean => {
  if (typeof value === 'string') return !value.includes('\n')
  if (!isList(value)) return isScalar(value)
  return (
    value.length <= INLINE_LIST_ITEMS_MAX &&
    value.every(isScalar) &&
    cell(value).length <= INLINE_LIST_CHARACTERS_MAX
  )
}

/** Splits a text into its lines, without control characters. */
export const textLines = (text: string): string[] => text.split('\n').map(oneLine)

function inline(value: unknown): string {
  const text = oneLine(JSON.stringify(value) ?? '')
  return text.length > INLINE_CHARACTERS_MAX ? `${text.slice(0, INLINE_CHARACTERS_MAX)}…` : text
}

/**
 * Characters that break a table or a terminal: tabs, line breaks, control characters. The marks
 * around command names are excluded: they are replaced when the answer is sent.
 */
const BREAKING = /(?:[^\P{Cc}\u0091\u0092]|[\u2028\u2029])+/u
const ALL_BREAKING = new RegExp(BREAKING, 'gu')

const oneLine = (text: string): string =>
  BREAKING.test(text) ? text.replace(ALL_BREAKING, ' ') : text
