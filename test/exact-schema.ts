/** Compares a value with a schema exactly: finds missing, mistyped and unnamed fields. */
import type { TSchema } from '../core/params.ts'

interface Shape {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly patternProperties?: Readonly<Record<string, Shape>>
}

const typeOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'number'
  return value === null ? 'null' : typeof value
}

const fits = (wanted: string | undefined, found: string): boolean =>
  wanted === undefined || wanted === found || (wanted === 'number' && found === 'integer')

function* differences(shape: Shape, value: unknown, path: string): Generator<string> {
  const found = typeOf(value)
  if (!fits(shape.type, found)) {
    yield `${path} is ${found}, not ${shape.type}`
    return
  }
  if (shape.items) {
    for (const [index, entry] of (value as unknown[]).entries())
      yield* differences(shape.items, entry, `${path}[${index}]`)
  }
  const [anyOther] = Object.values(shape.patternProperties ?? {})
  if (shape.type !== 'object' || (!shape.properties && !anyOther)) return
  const { properties = {}, required = [] } = shape
  for (const name of required) {
    if (!Object.hasOwn(value as object, name)) yield `${path}.${name} is missing`
  }
  for (const [name, entry] of Object.entries(value as object)) {
    const field = Object.hasOwn(properties, name) ? properties[name] : anyOther
    if (field) yield* differences(field, entry, `${path}.${name}`)
    else yield `${path}.${name} is not in the schema`
  }
}

/** Lists how a value differs from a schema; empty where it has exactly the schema's fields. */
export const differsFrom = (schema: TSchema, value: unknown): string[] => [
  ...differences(schema as Shape, value, ''),
]
