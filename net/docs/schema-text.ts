/**
 * Renders schemas for client authors: the type of a parameter with its bounds in one line, a
 * payload or result as a type over several lines, and the named types it refers to.
 */
import type { TSchema } from 'typebox'
import { MAX_SAFE } from '../../core/math.ts'
import { grouped } from './page.ts'

interface AnySchema {
  readonly $id?: string
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly AnySchema[]
  readonly allOf?: readonly AnySchema[]
  readonly items?: AnySchema
  readonly properties?: Readonly<Record<string, AnySchema>>
  readonly patternProperties?: Readonly<Record<string, AnySchema>>
  readonly additionalProperties?: unknown
  readonly required?: readonly string[]
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
}

/** Named types that were found, by name. */
export type NamedTypes = Map<string, TSchema>

const INLINE_COLUMNS_MAX = 72
const COLUMNS_MAX = 96

const valuesOf = (schema: AnySchema): readonly unknown[] | undefined =>
  schema.const === undefined ? schema.enum : [schema.const]

const own = (schema: TSchema): AnySchema => schema as AnySchema

function objectText(schema: AnySchema, indent: string, named: NamedTypes): string {
  const properties = Object.entries(schema.properties ?? {})
  if (properties.length === 0) return recordText(schema, indent, named)
  const required = new Set(schema.required ?? [])
  const inner = `${indent}  `
  const fields = properties.map(([name, part]) => {
    const mark = required.has(name) ? '' : '?'
    // A constant needs no description.
    const about = part.const === undefined ? part.description : undefined
    return { text: `${name}${mark}: ${partText(part, inner, named)}`, about }
  })
  const line = `{ ${fields.map(({ text }) => text).join(', ')} }`
  const isShort = indent.length + line.length <= INLINE_COLUMNS_MAX && !line.includes('\n')
  if (indent !== '' && isShort && fields.every(({ about }) => !about)) return line
  return ['{', ...fieldLines(fields, inner), `${indent}}`].join('\n')
}

interface FieldText {
  readonly text: string
  readonly about: string | undefined
}

/** Returns one line for each described or long field; the others share lines. */
function fieldLines(fields: readonly FieldText[], indent: string): string[] {
  const lines: string[] = []
  let isOpen = false
  for (const { text, about } of fields) {
    const isPlain = !about && !text.includes('\n')
    const joined = `${lines.at(-1)}, ${text}`
    if (isPlain && isOpen && joined.length <= COLUMNS_MAX) lines[lines.length - 1] = joined
    else lines.push(`${indent}${text}${about ? `  // ${about}` : ''}`)
    isOpen = isPlain
  }
  return lines
}

/** Renders an object whose keys are ids, or without declared fields. */
function recordText(schema: AnySchema, indent: string, named: NamedTypes): string {
  const [values] = Object.values(schema.patternProperties ?? {})
  const open = schema.additionalProperties
  const part = values ?? (typeof open === 'object' && open !== null ? (open as AnySchema) : {})
  const text = partText(part, indent, named)
  if (text !== 'any') return `{ [id]: ${text} }`
  return values || open ? 'object' : '{}'
}

function unionText(parts: readonly AnySchema[], indent: string, named: NamedTypes): string {
  return [...new Set(parts.map((part) => partText(part, indent, named)))].join(' | ')
}

function partText(schema: AnySchema, indent: string, named: NamedTypes): string {
  if (schema.$ref !== undefined) return schema.$ref
  if (schema.$id !== undefined) {
    named.set(schema.$id, schema as TSchema)
    return schema.$id
  }
  const values = valuesOf(schema)
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return unionText(schema.anyOf, indent, named)
  if (schema.allOf) return schema.allOf.map((part) => partText(part, indent, named)).join(' & ')
  const { type } = schema
  if (type === 'array' || schema.items) {
    const item = partText(schema.items ?? {}, indent, named)
    return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
  }
  if (type === 'object') return objectText(schema, indent, named)
  if (Array.isArray(type)) return type.join(' | ')
  return typeof type === 'string' ? type : 'any'
}

/**
 * Renders the type of a schema as TypeScript does; named types are shown by name and added to
 * `named`. The outermost schema is written out even if it has a name.
 */
export function typeText(schema: TSchema, named: NamedTypes = new Map()): string {
  const { $id: _, ...whole } = own(schema)
  return partText(whole, '', named)
}

/** Renders a range: `1 to 50`, `at least 1`; empty if safe integers are the only bound. */
function rangeText(schema: AnySchema): string {
  const low = schema.minimum === undefined || schema.minimum <= -MAX_SAFE ? '' : schema.minimum
  const high = schema.maximum === undefined || schema.maximum >= MAX_SAFE ? '' : schema.maximum
  if (low !== '' && high !== '') return `${grouped(low)} to ${grouped(high)}`
  if (low !== '') return `at least ${grouped(low)}`
  return high === '' ? '' : `at most ${grouped(high)}`
}

/** Renders the range of a length. */
function lengthText(min: number | undefined, max: number | undefined, unit: string): string {
  if (max === undefined) return min ? `at least ${grouped(min)} ${unit}` : ''
  const upTo = `${grouped(max)} ${unit}`
  return min && min > 0 ? `${grouped(min)} to ${upTo}` : `at most ${upTo}`
}

/** Renders the type and bounds of a parameter in one line. */
export function boundsText(given: TSchema): string {
  const schema = own(given)
  const values = valuesOf(schema)
  if (values) return values.map((value) => `\`${String(value)}\``).join(', ')
  const type = typeText(given).replace(/\s+/g, ' ')
  const bounds = [
    rangeText(schema),
    schema.type === 'string' ? lengthText(schema.minLength, schema.maxLength, 'characters') : '',
    schema.type === 'array' ? lengthText(schema.minItems, schema.maxItems, 'entries') : '',
    schema.pattern === undefined ? '' : `pattern \`${schema.pattern}\``,
  ]
  return [type, ...bounds.filter((bound) => bound !== '')].join(', ')
}
