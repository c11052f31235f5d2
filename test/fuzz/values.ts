/**
 * Parameters made from a command's schema: valid ones, and variants of one field that are wrong, at
 * a bound or of another type. It reads plain JSON Schema, so it knows no command by name.
 */
import type { CommandDef } from '../../core/command.ts'
import type { Dice } from '../../core/dice.ts'

export interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly examples?: readonly unknown[]
}

export interface Field {
  /** Name of the field on the framing. */
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
}

/** What exists in the world, for ids that may be accepted. */
export interface Pool {
  readonly pois: readonly string[]
  readonly systems: readonly string[]
  readonly goods: readonly string[]
  readonly players: readonly string[]
}

/** What is done to one field: B1's kinds of change. */
export const CHANGES = ['wrong', 'missing', 'extra', 'boundary', 'type'] as const
export type Change = (typeof CHANGES)[number]

export interface Variant {
  readonly what: string
  readonly change: 'wrong' | 'boundary' | 'type'
  readonly value: unknown
  /** Whether the schema refuses the value for sure. */
  readonly isWrong: boolean
}

/** Returns the parameters of a command under the names of a version. */
export function fieldsOf(def: CommandDef, isV2: boolean): Field[] {
  const { properties = {}, required = [] } = def.params as unknown as Schema
  const rename = isV2 ? (def.v2?.rename ?? {}) : {}
  const taken = new Set(Object.values(rename))
  return Object.entries(properties).flatMap(([name, schema]) => {
    // A v2 name that is another field's v1 name means the v2 field: the other cannot be named.
    if (taken.has(name) && rename[name] === undefined) return []
    return [{ name: rename[name] ?? name, schema, required: required.includes(name) }]
  })
}

function knownIds(name: string, pool: Pool): readonly string[] {
  if (/poi/.test(name)) return pool.pois
  if (/system/.test(name)) return pool.systems
  if (/item|good|module/.test(name)) return pool.goods
  if (/^(id|target|text)$/.test(name)) return [...pool.pois, ...pool.systems, ...pool.goods]
  if (/player|user|to$/.test(name)) return pool.players
  return []
}

/** Draws a value that fits the schema, as far as examples and bounds tell. */
function validValue(dice: Dice, field: Field, pool: Pool): unknown {
  const { schema, name } = field
  if (schema.enum) return dice.pick(schema.enum)
  if (schema.anyOf) return validValue(dice, { ...field, schema: dice.pick(schema.anyOf) }, pool)
  switch (schema.type) {
    case 'string': {
      const ids = knownIds(name, pool)
      return ids.length > 0 && dice.chance(80) ? dice.pick(ids) : (schema.examples?.[0] ?? 'x')
    }
    case 'integer':
    case 'number':
      return dice.chance(50) ? (schema.examples?.[0] ?? 1) : (schema.minimum ?? 0) + dice.below(20)
    case 'boolean':
      return dice.chance(50)
    case 'array': {
      const item = { name, schema: schema.items ?? {}, required: true }
      return [validValue(dice, item, pool)]
    }
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, part]) => [
          key,
          validValue(dice, { name: key, schema: part, required: true }, pool),
        ]),
      )
    default:
      return schema.const ?? schema.examples?.[0] ?? 'x'
  }
}

/** Draws valid parameters: all required ones, and each of the others half of the time. */
export function validParams(
  dice: Dice,
  fields: readonly Field[],
  pool: Pool,
): Record<string, unknown> {
  const params: Record<string, unknown> = {}
  for (const field of fields) {
    if (field.required || dice.chance(50)) params[field.name] = validValue(dice, field, pool)
  }
  return params
}

const wrong = (what: string, value: unknown): Variant => ({
  what,
  value,
  change: 'wrong',
  isWrong: true,
})
const unsure = (what: string, value: unknown): Variant => ({
  what,
  value,
  change: 'wrong',
  isWrong: false,
})
const bound = (what: string, value: unknown): Variant => ({
  what,
  value,
  change: 'boundary',
  isWrong: false,
})

const OTHER_TYPES: readonly (readonly [string, unknown])[] = [
  ['text', 'seven'],
  ['number as text', '7'],
  ['number', 7],
  ['fraction', 1.5],
  ['true', true],
  ['null', null],
  ['list', []],
  ['object', {}],
  ['nested list', [[]]],
]

const fits = (type: string | undefined, value: unknown): boolean => {
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return type === undefined || typeof value === type
}

function otherTypes(schema: Schema): Variant[] {
  const others = schema.anyOf
    ? OTHER_TYPES
    : OTHER_TYPES.filter(([, value]) => !fits(schema.type, value))
  const isWrong = schema.anyOf === undefined
  return others.map(([what, value]) => ({ what, value, change: 'type', isWrong }))
}

function textVariants({ minLength = 0, maxLength = 256, enum: choices }: Schema): Variant[] {
  if (choices) return [wrong('no such choice', 'no_such_choice'), wrong('empty', '')]
  return [
    wrong('one character too long', 'x'.repeat(maxLength + 1)),
    bound('longest', 'x'.repeat(maxLength)),
    bound('longest in astral characters', '\u{1f600}'.repeat(Math.floor(maxLength / 2))),
    minLength > 0
      ? wrong('one character too short', 'x'.repeat(minLength - 1))
      : bound('empty', ''),
    unsure('unknown', 'no_such_thing_anywhere'),
    unsure('marks and turns', 'a\u0301\u202eb\u200d\ufeff'),
    wrong('NUL', 'a\u0000b'),
    unsure('spaces', '   '),
  ]
}

function numberVariants({ minimum, maximum, type }: Schema): Variant[] {
  const found = [
    bound('zero', 0),
    bound('minus one', -1),
    bound('2^53', 2 ** 53),
    unsure('very large', 1e300),
    unsure('very small', 5e-324),
  ]
  if (minimum !== undefined) {
    found.push(bound('least', minimum))
    if (Number.isSafeInteger(minimum)) found.push(wrong('below the least', minimum - 1))
  }
  if (maximum !== undefined) {
    found.push(bound('most', maximum))
    if (Number.isSafeInteger(maximum)) found.push(wrong('above the most', maximum + 1))
  }
  if (type === 'integer') found.push(wrong('fraction', 0.1))
  return found
}

function listVariants(schema: Schema): Variant[] {
  const { items = {}, maxItems } = schema
  const found = [bound('empty', []), wrong('one wrong entry', [items.type === 'object' ? 7 : {}])]
  if (maxItems !== undefined) {
    const entry = items.examples?.[0] ?? exampleOf(items)
    found.push(
      wrong(
        'one too many',
        Array.from({ length: maxItems + 1 }, () => entry),
      ),
    )
    found.push(
      bound(
        'most',
        Array.from({ length: maxItems }, () => entry),
      ),
    )
  }
  return found
}

function exampleOf(schema: Schema): unknown {
  if (schema.type !== 'object') return schema.enum?.[0] ?? schema.examples?.[0] ?? 'x'
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, part]) => [name, exampleOf(part)]),
  )
}

/** Returns the variants of one field's value. */
export function variantsOf({ schema }: Field): Variant[] {
  const found = otherTypes(schema)
  if (schema.type === 'string') found.push(...textVariants(schema))
  if (schema.type === 'integer' || schema.type === 'number') found.push(...numberVariants(schema))
  if (schema.type === 'array') found.push(...listVariants(schema))
  return found
}
