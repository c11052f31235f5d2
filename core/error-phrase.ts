/**
 * Writes values of details for a sentence: counts, display names with ids, rows of what is missing.
 */
import { findGoods, GOODS } from './catalog/goods.ts'
import { SKILLS } from './catalog/skills.ts'
import { counted, listed } from './say.ts'

/** Rows written out in a sentence; the details have all of them. */
const ROWS_MAX = 12
/** Plain names are short, so more of them are written out: enough to list all guides. */
const NAMES_MAX = 24
const CHARACTERS_MAX = 80

const SKILL_NAMES = new Map(SKILLS.map(({ id, name }) => [id, name]))

/** Returns the display name with the id, which commands take. */
function namedItem(id: string): string {
  const found = findGoods(id)
  const name = found.length === 1 && GOODS[found[0]].id === id ? GOODS[found[0]].name : id
  return name === id ? id : `${name} (${id})`
}

const NAMED: Readonly<Record<string, (id: string) => string>> = {
  item_id: namedItem,
  module_type: namedItem,
  skill: (id) => SKILL_NAMES.get(id) ?? id,
}

type Row = Readonly<Record<string, unknown>>

/** Fields that say what a row of a list is about; the first that it has counts. */
const SUBJECTS = [
  'item_id',
  'skill',
  'field',
  'title',
  'name',
  'description',
  'code',
  'id',
] as const

function subjectOf(row: Row): string {
  const key = SUBJECTS.find((name) => typeof row[name] === 'string')
  if (key === undefined) return ''
  const text = String(row[key])
  return NAMED[key]?.(text) ?? text
}

/** Writes a row that has no subject: `economy 2, business 0`. */
const figures = (row: Row): string =>
  Object.entries(row)
    .map(([name, value]) => `${name} ${isRow(value) ? figures(value) : value}`)
    .join(', ')

/** Writes a row: `Iron Ore (iron_ore): 1 of 3`, `quantity: integer`. */
function rowText(row: Row): string {
  const subject = subjectOf(row)
  const { have, need, quantity, expected } = row
  if (typeof need === 'number') {
    const amount = typeof have === 'number' ? `${have} of ${need}` : `${need}`
    return `${subject}: ${amount}`
  }
  if (typeof quantity === 'number') return `${quantity} ${subject}`
  if (typeof expected === 'string') return `${subject}: ${expected}`
  return subject === '' ? figures(row) : subject
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

function listText(values: readonly unknown[], joint: string): string {
  const max = values.some(isRow) ? ROWS_MAX : NAMES_MAX
  const texts = values.slice(0, max).map((value) => (isRow(value) ? rowText(value) : String(value)))
  if (values.length > max) texts.push(`${values.length - max} more`)
  return values.some(isRow) ? texts.join('; ') : listed(texts, joint)
}

/** Returns a value of the details in words. */
export function phrase(value: unknown, name: string, noun: string): string {
  if (typeof value === 'number') return noun === '' ? `${value}` : counted(value, noun)
  if (Array.isArray(value)) return listText(value, noun === '' ? 'and' : noun)
  if (isRow(value)) return rowText(value)
  const text = String(value)
  const named = NAMED[name]?.(text) ?? text
  return named.length > CHARACTERS_MAX ? `${named.slice(0, CHARACTERS_MAX)}…` : named
}
