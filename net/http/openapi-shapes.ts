/**
 * Names the shapes that an OpenAPI document holds more than once: each becomes a component, and
 * its places refer to it. A name follows from the place where the shape occurs first.
 */
import type { JsonObject } from '../game-state.ts'
import { type Components, ref } from './openapi-parts.ts'

/** Shorter ones are clearer in place than behind a name. */
const SHAPE_CHARACTERS_MIN = 80

/** A part of the document; equal parts are one. */
interface Part {
  readonly value: unknown
  /** Of an object by key, of a list by index. */
  readonly inner: readonly (readonly [string, Part])[]
  readonly isShape: boolean
  /** False if it neither is nor contains a shape: it is the same wherever it occurs. */
  readonly hasShape: boolean
  /** How many places it has in different parts. */
  places: number
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const propertiesOf = ({ properties }: JsonObject): Record<string, unknown> =>
  isObject(properties) ? properties : {}

const isParameter = (value: unknown): boolean => isObject(value) && 'x-positional-index' in value

/**
 * Returns true for what may be named. Parameters stay inline, and so do envelopes, which have one
 * property each: clients look there for positions and for the typed part of an answer.
 */
function isShape(value: unknown): boolean {
  if (!isObject(value) || isParameter(value)) return false
  const properties = Object.values(propertiesOf(value))
  if (properties.some(isParameter)) return false
  const isObjectSchema = value.type === 'object' && properties.length > 1
  return isObjectSchema || Array.isArray(value.anyOf)
}

/** Finds equal parts, from the leaves up, so that each is looked at once. */
function createParts(): (value: unknown) => Part {
  const numbers = new Map<string, number>()
  /** By identity: most schemas occur in many places as one object. */
  const seen = new Map<unknown, number>()
  const parts: Part[] = []
  const sizes: number[] = []
  const numberOf = (value: unknown): number => {
    const before = seen.get(value)
    if (before !== undefined) return before
    const number = numberOfNew(value)
    seen.set(value, number)
    return number
  }
  const numberOfNew = (value: unknown): number => {
    const isLeaf = typeof value !== 'object' || value === null
    const inner = isLeaf
      ? []
      : Object.entries(value).map(([key, item]) => [key, numberOf(item)] as const)
    const text = JSON.stringify(isLeaf ? value : [Array.isArray(value), inner])
    const known = numbers.get(text)
    if (known !== undefined) return known
    const size = isLeaf
      ? text.length
      : inner.reduce((sum, [key, at]) => sum + key.length + 4 + sizes[at], 1)
    for (const [, at] of inner) parts[at].places += 1
    numbers.set(text, parts.length)
    sizes.push(size)
    const isNamed = size >= SHAPE_CHARACTERS_MIN && isShape(value)
    parts.push({
      value,
      inner: inner.map(([key, at]) => [key, parts[at]] as const),
      isShape: isNamed,
      hasShape: isNamed || inner.some(([, at]) => parts[at].hasShape),
      places: 0,
    })
    return parts.length - 1
  }
  return (value) => parts[numberOf(value)]
}

const pascal = (words: string): string =>
  words.replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase())

const singular = (word: string): string =>
  word
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|x|ss)es$/, '$1')
    .replace(/([^su])s$/, '$1')

/** Returns the value that distinguishes one of several forms from the others. */
function formOf(schema: unknown): string {
  for (const field of Object.values(isObject(schema) ? propertiesOf(schema) : {})) {
    if (!isObject(field)) continue
    const values = 'const' in field ? [field.const] : field.enum
    if (Array.isArray(values) && values.length === 1) return pascal(String(values[0]))
  }
  return ''
}

/** Where a part occurs: the key it has there, the name it would get, and that of its owner. */
interface Place {
  readonly key: string
  readonly word: string
  readonly owner: string
}

const RESULT_KEYS: readonly string[] = ['result', 'structuredContent', 'details']

function placeIn(place: Place, parent: unknown, key: string, child: unknown): Place {
  const { word, owner } = place
  if (isObject(child) && typeof child.operationId === 'string')
    return { key, word: `${pascal(child.operationId)}Result`, owner: '' }
  if (Array.isArray(parent)) return { key, word: word + formOf(child), owner }
  if (place.key !== 'properties' || RESULT_KEYS.includes(key)) return { key, word, owner }
  return { key, word: pascal(singular(key)), owner: word }
}

function freeName({ owner, word }: Place, components: Components): string {
  const names = [word, `${owner}${word}`]
  for (let count = 2; ; count += 1) {
    const name = names.shift() ?? `${owner}${word}${count}`
    if (!(name in components)) return name
  }
}

/**
 * Returns the paths with a reference for each shape that occurs in several places, there or in
 * `components`, which gains it.
 */
export function nameShapes(paths: JsonObject, components: Components): JsonObject {
  const partOf = createParts()
  const given = Object.entries(components).map(([name, value]) => [name, partOf(value)] as const)
  const root = partOf(paths)
  const names = new Map<Part, string>()
  for (const [name, part] of given) if (part.isShape && !names.has(part)) names.set(part, name)
  const copy = (part: Part, place: Place): unknown => {
    if (!part.hasShape) return part.value
    if (part.isShape && (part.places > 1 || names.has(part))) return ref(nameOf(part, place))
    return copyInner(part, place)
  }
  const copyInner = ({ value, inner }: Part, place: Place): unknown => {
    const copied = inner.map(
      ([key, child]) => [key, copy(child, placeIn(place, value, key, child.value))] as const,
    )
    return Array.isArray(value) ? copied.map(([, item]) => item) : Object.fromEntries(copied)
  }
  const define = (name: string, part: Part): void => {
    // The name is taken before its parts get theirs.
    components[name] = {}
    components[name] = copyInner(part, { key: '', word: name, owner: '' })
  }
  const nameOf = (part: Part, place: Place): string => {
    const known = names.get(part)
    if (known) return known
    const name = freeName(place, components)
    names.set(part, name)
    define(name, part)
    return name
  }
  for (const [name, part] of given) define(name, part)
  return copy(root, { key: '', word: '', owner: '' }) as JsonObject
}
