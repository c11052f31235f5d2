/** Holds a value to a schema exactly: what is missing, of another type, or not named in it. */
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

const fits = (wanted: string | undefined, is: string): boolean =>
  wanted === undefined || wanted === is || (wanted === 'number' && is === 'integer')

function* differences(shape: Shape, value: unknown, path: string): Generator<string> {
  const is = typeOf(value)
  if (!fits(shape.type, is)) {
    yield `${path} is ${is}, not ${shape.type}`
    return
  }
  if (shape.items) {
    for (const [at, entry] of (value as unknown[]).entries())
      yield* differences(shape.items, entry, `${path}[${at}]`)
  }
  const [each] = Object.values(shape.patternProperties ?? {})
  if (shape.type !== 'object' || (!shape.properties && !each)) return
  const { properties = {}, required = [] } = shape
  for (const name of required) {
    if (!Object.hasOwn(value as object, name)) yield `${path}.${name} is missing`
  }
  for (const [name, entry] of Object.entries(value as object)) {
    const own = Object.hasOwn(properties, name) ? properties[name] : each
    if (own) yield* differences(own, entry, `${path}.${name}`)
    else yield `${path}.${name} is not named`
  }
}

/** Lists how a value differs from a schema; nothing where it has just what that names. */
export const differsFrom = (schema: TSchema, value: unknown): string[] => [
  ...differences(schema as Shape, value, ''),
]
