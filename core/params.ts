/**
 * Shared builders of the fields of commands, results and events. A parameter is described, bounded
 * and has an example; a result is a compact table of names by type. Everything returns TypeBox
 * schemas: JSON Schema and static type at once.
 */
import {
  type Static,
  type TArray,
  type TBoolean,
  type TInteger,
  type TNumber,
  type TObject,
  type TOptional,
  type TProperties,
  type TRecord,
  type TSchema,
  type TString,
  type TUnknown,
  Type,
} from 'typebox'
import { ID_CHARACTERS_MAX, PAGE_MAX, QUANTITY_MAX } from './limits.ts'
import { MAX_SAFE } from './math.ts'
import { REFERS, type Reference, type ReferenceKind } from './reference.ts'

type Split<T extends string, Done extends string[] = []> = T extends `${infer First} ${infer Rest}`
  ? Split<Rest, [...Done, First]>
  : [...Done, T]
type SplitAll<L extends readonly string[]> = L extends readonly [
  infer First extends string,
  ...infer Rest extends readonly string[],
]
  ? [...Split<First>, ...SplitAll<Rest>]
  : []

/** Lists words, each a type of its own: `words('no_fuel docked')` is `['no_fuel', 'docked']`. */
export const words = <const L extends readonly string[]>(...lines: L): SplitAll<L> =>
  lines.flatMap((line) => line.split(' ')) as SplitAll<L>

/* Parameters */

interface TextOptions {
  /** Characters (code points are checked by the rule that needs them). */
  min?: number
  max?: number
  pattern?: string
  example?: string
}

interface IntOptions {
  min?: number
  max?: number
  example?: number
}

/** Returns a text of at most 256 characters by default. The default example has a valid length. */
export function str(description: string, options: TextOptions = {}): TString {
  const {
    min = 0,
    max = ID_CHARACTERS_MAX,
    pattern,
    example = 'x'.repeat(Math.max(min, 1)),
  } = options
  return Type.String({
    description,
    ...(min > 0 ? { minLength: min } : {}),
    maxLength: max,
    ...(pattern === undefined ? {} : { pattern }),
    examples: [example],
  })
}

/** Returns a whole number between the given limits, which default to safe integers. */
export function int(description: string, options: IntOptions = {}): TInteger {
  const { min = -MAX_SAFE, max = MAX_SAFE, example = Math.max(min, 1) } = options
  return Type.Integer({ description, minimum: min, maximum: max, examples: [example] })
}

export function bool(description: string): TBoolean {
  return Type.Boolean({ description, examples: [true] })
}

/** Returns one of the texts given. */
export function choice<const V extends readonly string[]>(description: string, values: V) {
  return Type.Unsafe<V[number]>({
    type: 'string',
    enum: [...values],
    description,
    examples: [values[0]],
  })
}

export const optional = <S extends TSchema>(schema: S) => Type.Optional(schema)

interface RefOptions {
  /** True if the text may also name something that is of none of these kinds. */
  isOpen?: boolean
}

/** Returns a text that names something of these kinds, by id or display name (reference.ts). */
export function ref(
  kinds: ReferenceKind | readonly ReferenceKind[],
  schema: TString,
  { isOpen = false }: RefOptions = {},
): TString {
  const refers: Reference = { kinds: typeof kinds === 'string' ? [kinds] : kinds, isOpen }
  return Object.assign(schema, { [REFERS]: refers })
}

/** Returns the id of an item or module of the catalogue. */
export const itemId = (
  description = 'Item or module id of the catalog.',
  options?: RefOptions,
): TString => ref(['item', 'package'], str(description, { min: 1, example: 'iron_ore' }), options)

/** Returns a number of units, at least 1. */
export const quantity = (description = 'Number of units.'): TInteger =>
  int(description, { min: 1, max: QUANTITY_MAX, example: 10 })

export const page = (): TInteger =>
  int('Page, from 1.', { min: 1, max: PAGE_MAX * PAGE_MAX, example: 1 })

/** Returns the number of rows per page; a command reduces a larger number to `max`. */
export const pageSize = (max: number): TInteger =>
  int(`Rows per page, at most ${max}.`, { min: 1, max: PAGE_MAX, example: Math.min(20, max) })

/** Parameters of a command that takes none. */
export const NO_PARAMS = Type.Object({})

/* Results */

type Fields<K extends string, S extends TSchema> = { [P in K]: S }

function fields<K extends string, S extends TSchema>(names: readonly K[], schema: S): Fields<K, S> {
  return Object.fromEntries(names.map((name) => [name, schema])) as Fields<K, S>
}

/** Returns the text fields by name, to be spread into `obj`. */
export const strings = <const K extends string>(...names: K[]): Fields<K, TString> =>
  fields(names, Type.String())

export const ints = <const K extends string>(...names: K[]): Fields<K, TInteger> =>
  fields(names, Type.Integer())

export const numbers = <const K extends string>(...names: K[]): Fields<K, TNumber> =>
  fields(names, Type.Number())

export const bools = <const K extends string>(...names: K[]): Fields<K, TBoolean> =>
  fields(names, Type.Boolean())

/** Returns the same fields, each of which may be absent. */
export function opt<P extends TProperties>(props: P): { [K in keyof P]: TOptional<P[K]> } {
  return Object.fromEntries(
    Object.entries(props).map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as { [K in keyof P]: TOptional<P[K]> }
}

export const obj = <P extends TProperties>(props: P): TObject<P> => Type.Object(props)

/** Returns an object that documents define once by this id, and refer to. */
export const named = <P extends TProperties>(id: string, props: P): TObject<P> =>
  Type.Object(props, { $id: id })

/** Returns any object: its shape depends on the entry. */
export const anyObject = (): TRecord<string, TUnknown> =>
  Type.Record(Type.String(), Type.Unknown()) as unknown as TRecord<string, TUnknown>

/** Stands for the whole v2 state, as its sections describe it. */
export const gameState = () => Type.Object({}, { $id: 'V2GameState' })

export const list = <S extends TSchema>(schema: S): TArray<S> => Type.Array(schema)

/** Returns an object whose keys are ids. */
export const mapOf = <S extends TSchema>(schema: S): TRecord<string, S> =>
  Type.Record(Type.String(), schema) as unknown as TRecord<string, S>

/** Allows null as well, where there may be nothing. */
export const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

export type { Static, TObject, TSchema }
export { Type }
