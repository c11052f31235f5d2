/**
 * Names the shapes that occur more than once in an OpenAPI document: each becomes a component that
 * is referred to. The name is derived from the first place where the shape occurs.
 */
import type { JsonObject } from '../game-state.ts'
import { type Components, ref } from './openapi-parts.ts'

/** Shorter shapes are clearer inline than behind a name. */
const SHAPE_CHARACTERS_MIN = 80

/** A part of the document; equal parts are the same object. */
interface Part {
  readonly value: unknown
  /** Children: of an object by key, of a list by index. */
  readonly inner: readonly (readonly [string, Part])[]
  readonly isShape: boolean
  /** False if it neither is nor contains a shape, so that it can be reused unchanged. */
  readonly hasShape: boolean
  /** Number of different parts that contain it. */
  places: number
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const propertiesOf = ({ properties }: JsonObject): Record<string, unknown> =>
  isObject(properties) ? properties : {}

const isParameter = (value: unknown): boolean => isObject(value) && 'x-positional-index' in value

/**
 * Returns true for schemas that may be named. Parameters stay inline, and so do envelopes with
 * their single property: clients look there for positions and for the typed part of an answer.
 */
function isShape(value: unknown): boolean {
  if (!isObject(value) || isParameter(value)) return false
  const properties = Object.values(propertiesOf(value))
  if (properties.some(isParameter)) return false
  const isObjectSchema = value.type === 'object' && properties.length > 1
  return isObjectSchema || Array.isArray(value.anyOf)
}

/**
 * Returns a function that finds the part of a value; equal parts are found from the leaves up, so
 * each is visited once.
 */
function createParts(): (value: unknown) => Part {
  const numbers = new Map<string, number>()
  /** By identity: most schemas are one object that occurs in many places. */
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
      : inner.reduce((sum, [key, number]) => sum + key.length + 4 + sizes[number], 1)
    for (const [, number] of inner) parts[number].places += 1
    numbers.set(text, parts.length)
    sizes.push(size)
    const isNamed = size >= SHAPE_CHARACTERS_MIN && isShape(value)
    parts.push({
      value,
      inner: inner.map(([key, number]) => [key, parts[number]] as const),
      isShape: isNamed,
      hasShape: isNamed || inner.some(([, number]) => parts[number].hasShape),
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

/** Returns the constant that distinguishes one of several alternatives, as a word. */
function formOf(schema: unknown): string {
  for (const field of Object.values(isObject(schema) ? propertiesOf(schema) : {})) {
    if (!isObject(field)) continue
    const values = 'const' in field ? [field.const] : field.enum
    if (Array.isArray(values) && values.length === 1) return pascal(String(values[0]))
  }
  return ''
}

/** Where a part occurs: its key, the name it would get, and the name of its owner. */
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
 * Returns the paths with a reference for each shape that occurs in several places of paths or
 * components. Adds the shapes to `components`.
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
    // Reserves the name before its parts get theirs.
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
