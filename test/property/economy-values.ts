/**
 * Parameters for the economy storm, made from a command's schema: ids come from earlier answers,
 * amounts are sometimes at the bounds, and some values are nonsense. It knows the names of
 * parameters, but no command.
 */
import type { CommandDef } from '../../core/command.ts'
import type { Dice } from '../../core/dice.ts'
import type { Schema } from '../fuzz/values.ts'

const IDS_PER_NAME_MAX = 60
const DEPTH_MAX = 6
const ROWS_READ_MAX = 20

/** Ids that answers have named, by the name of the field; the oldest are forgotten. */
export type Known = Map<string, string[]>

function keep(known: Known, name: string, id: string): void {
  const ids = known.get(name) ?? []
  known.set(name, ids)
  if (ids.includes(id)) return
  if (ids.length >= IDS_PER_NAME_MAX) ids.shift()
  ids.push(id)
}

/** Remembers the ids of an answer. */
export function learn(known: Known, value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return
  if (Array.isArray(value)) {
    for (const row of value.slice(0, ROWS_READ_MAX)) learn(known, row, depth + 1)
    return
  }
  for (const [name, part] of Object.entries(value)) {
    if (typeof part === 'string' && /(^|_)id$/.test(name)) keep(known, name, part)
    else learn(known, part, depth + 1)
  }
}

/** Fixed values by the name of a parameter; preferred to ids from answers. */
export interface Choices {
  readonly byName: ReadonlyMap<string, readonly unknown[]>
}

const ODD_NUMBERS = [0, 1, 2, 1e6, 1e9, 1e12, Number.MAX_SAFE_INTEGER]
const NONSENSE = ['no such thing', 'x', '00000000-0000-0000-0000-000000000000']

const clampTo = ({ minimum, maximum }: Schema, value: number): number =>
  Math.min(maximum ?? value, Math.max(minimum ?? value, value))

/** Returns the largest usual number of a parameter. */
function usualMaxOf(name: string): number {
  if (/price/.test(name)) return 120
  return /credits|amount/.test(name) ? 5_000 : 40
}

function numberOf(dice: Dice, name: string, schema: Schema): number {
  if (dice.chance(3)) return clampTo(schema, dice.pick(ODD_NUMBERS))
  const usualMax = usualMaxOf(name)
  return clampTo(schema, 1 + dice.below(dice.chance(10) ? usualMax * 20 : usualMax))
}

/** Returns the ids known under the parameter's name, or under its singular or `<name>_id`. */
function idsFor(known: Known, name: string): readonly string[] {
  const bare = name.replace(/s$/, '')
  return known.get(bare) ?? known.get(`${bare}_id`) ?? []
}

function textOf(dice: Dice, name: string, schema: Schema, known: Known, choices: Choices): unknown {
  const fixed = choices.byName.get(name)
  if (dice.chance(3)) return dice.pick(NONSENSE)
  const ids = idsFor(known, name)
  if (fixed && (ids.length === 0 || dice.chance(80))) return dice.pick(fixed)
  if (ids.length > 0) return dice.pick(ids)
  return schema.examples?.[0] ?? 'x'
}

function valueFor(
  dice: Dice,
  name: string,
  schema: Schema,
  known: Known,
  choices: Choices,
): unknown {
  if (schema.enum) return dice.pick(schema.enum)
  if (schema.anyOf) return valueFor(dice, name, dice.pick(schema.anyOf), known, choices)
  switch (schema.type) {
    case 'string':
      return textOf(dice, name, schema, known, choices)
    case 'integer':
    case 'number':
      return numberOf(dice, name, schema)
    case 'boolean':
      return dice.chance(50)
    case 'array': {
      const countMax = Math.min(schema.maxItems ?? 3, dice.chance(20) ? 50 : 3)
      const count = Math.max(schema.minItems ?? 0, 1 + dice.below(countMax))
      return Array.from({ length: Math.min(count, schema.maxItems ?? count) }, () =>
        valueFor(dice, name, schema.items ?? {}, known, choices),
      )
    }
    case 'object':
      return fieldsFor(dice, schema, known, choices, 60)
    default:
      return schema.const ?? schema.examples?.[0] ?? 'x'
  }
}

/** Percent of calls that fill lists instead of single fields, and of calls that mix both. */
const BULK_PCT = 30
const MIXED_PCT = 5

/** Draws all required fields, and each other one with the given chance in percent. */
function fieldsFor(
  dice: Dice,
  { properties = {}, required = [] }: Schema,
  known: Known,
  choices: Choices,
  optionalPct: number,
): Record<string, unknown> {
  const params: Record<string, unknown> = {}
  const isMixed = dice.chance(MIXED_PCT)
  const isBulk = dice.chance(BULK_PCT)
  for (const [name, schema] of Object.entries(properties)) {
    const isOther = !isMixed && isBulk !== (schema.type === 'array')
    if (!required.includes(name) && (isOther || !dice.chance(optionalPct))) continue
    params[name] = valueFor(dice, name, schema, known, choices)
  }
  return params
}

/** Draws parameters of a command. */
export function paramsFor(
  dice: Dice,
  def: CommandDef,
  known: Known,
  choices: Choices,
): Record<string, unknown> {
  const optionalPct = dice.pick([20, 40, 80])
  return fieldsFor(dice, def.params as unknown as Schema, known, choices, optionalPct)
}

/** Returns the number of operations in a call: the entries of its longest list, at least one. */
export const operationsOf = (params: Readonly<Record<string, unknown>>): number =>
  Math.max(1, ...Object.values(params).map((value) => (Array.isArray(value) ? value.length : 1)))
