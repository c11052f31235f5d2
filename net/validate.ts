/**
 * Parses and validates parameters: JSON text to object, v2 names to v1 names, then the schema of
 * the definition. The result has declared fields only. Source: accounts.md sections 7 and 11,
 * RELIABILITY 5 (B1, B4).
 */
import type { TProperties, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { CommandDef } from '../core/command.ts'
import {
  ERRORS,
  type ErrorCode,
  type Failure,
  type FieldError,
  fail,
  invalidFields,
} from '../core/errors.ts'
import { counted } from '../core/say.ts'

/**
 * Largest nesting of a request; deeper ones are hostile (a deep array overflows the stack of
 * recursive code).
 */
const DEPTH_MAX = 32
const DETAILS_MAX = 10
/** No command takes a longer list. */
export const LIST_MAX = 500

export type Params = Record<string, unknown>

/** Returns true when brackets outside of strings nest too deeply. One pass, before parsing. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let inText = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inText) {
      if (code === 0x5c) index += 1
      else if (code === 0x22) inText = false
    } else if (code === 0x22) inText = true
    else if (code === 0x7b || code === 0x5b) {
      depth += 1
      if (depth > DEPTH_MAX) return true
    } else if (code === 0x7d || code === 0x5d) depth -= 1
  }
  return false
}

/** Returns the one JSON object of a message or body; undefined when it is anything else. */
export function parseObject(text: string): Params | undefined {
  if (text.length > DEPTH_MAX && isTooDeep(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const isObject = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const LONE_SURROGATE = /\p{Surrogate}/u

/** Returns false for texts that cannot be stored: those with NUL or lone surrogates. */
export const isCleanText = (text: string): boolean =>
  !text.includes('\u0000') && !LONE_SURROGATE.test(text)

/**
 * Returns true for unclean keys and for `__proto__`, which the packing of the journal would rename:
 * a replay would then differ from the original run.
 */
const isBadKey = (key: string): boolean => key === '__proto__' || !isCleanText(key)

function hasBadText(value: unknown): boolean {
  if (typeof value === 'string') return !isCleanText(value)
  if (typeof value !== 'object' || value === null) return false
  for (const [key, part] of Object.entries(value)) {
    if (hasBadText(part) || (!Array.isArray(value) && isBadKey(key))) return true
  }
  return false
}

interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message: string
}

interface Checker {
  Check(value: unknown): boolean
  Errors(value: unknown): readonly SchemaError[]
}

export interface Validators {
  /** Checkers by definition, compiled at first use (at most 3.5 ms each). */
  readonly checkers: WeakMap<CommandDef, Checker>
}

export const createValidators = (): Validators => ({ checkers: new WeakMap() })

/**
 * Returns the checker of a definition. Keyed by definition, not by name: another registry may have
 * a different one of the same name.
 */
function checkerOf(validators: Validators, def: CommandDef): Checker {
  let checker = validators.checkers.get(def)
  if (!checker) {
    checker = Compile(def.params) as unknown as Checker
    validators.checkers.set(def, checker)
  }
  return checker
}

const own = (object: object, key: string): boolean => Object.hasOwn(object, key)

const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))

interface Picked {
  readonly params: Params
  /** v1 name → name the client used, where it differs. */
  readonly sentAs: ReadonlyMap<string, string>
  readonly clash: FieldError | undefined
}

/**
 * Picks only the declared fields, under their v1 names. v2 accepts both names; two different values
 * are a clash.
 */
function pick(def: CommandDef, sent: Params, isV2: boolean): Picked {
  const properties = def.params.properties as TProperties
  const rename = isV2 ? (def.v2?.rename ?? {}) : {}
  const params: Params = {}
  const sentAs = new Map<string, string>()
  let clash: FieldError | undefined
  const renamedTo = new Set(Object.values(rename))
  for (const name of Object.keys(properties)) {
    // A v2 name may also be the v1 name of another field: then it means the v2 field.
    const isTaken = renamedTo.has(name) && rename[name] === undefined
    if (!isTaken && own(sent, name)) params[name] = sent[name]
  }
  for (const [v1, v2] of Object.entries(rename)) {
    if (v1 === v2 || !own(sent, v2) || !own(properties, v1)) continue
    if (own(params, v1) && !isSame(params[v1], sent[v2]))
      clash = { field: v2, expected: `the same value as ${v1}, or one of the two` }
    else {
      params[v1] = sent[v2]
      sentAs.set(v1, v2)
    }
  }
  return { params, sentAs, clash }
}

function typeWord(schema: TSchema | undefined): string {
  const part = (schema ?? {}) as {
    type?: string
    const?: unknown
    enum?: unknown[]
    anyOf?: TSchema[]
    items?: TSchema
    description?: string
  }
  if (part.const !== undefined) return JSON.stringify(part.const)
  if (part.enum) return `one of ${part.enum.join(', ')}`
  if (part.anyOf) return part.anyOf.map(typeWord).join(' or ')
  if (part.type === 'array') return `list of ${typeWord(part.items)}`
  return part.type ?? 'value'
}

/** What each violated bound requires; completes the sentence "<field> must be …". */
const BOUNDS: Readonly<Record<string, (limit: number) => string>> = {
  minimum: (limit) => `${limit} or more`,
  maximum: (limit) => `${limit} or less`,
  minLength: (limit) => `a text of at least ${counted(limit, 'character')}`,
  maxLength: (limit) => `a text of at most ${counted(limit, 'character')}`,
  minItems: (limit) => `a list of at least ${counted(limit, 'item')}`,
  maxItems: (limit) => `a list of at most ${counted(limit, 'item')}`,
}

/** Returns what a failed keyword requires, as a text that follows "must be". */
function expectation(error: SchemaError, schema: TSchema | undefined): string {
  const { limit } = error.params
  const bound = Object.hasOwn(BOUNDS, error.keyword) ? BOUNDS[error.keyword] : undefined
  if (bound && typeof limit === 'number') return bound(limit)
  switch (error.keyword) {
    case 'type':
    case 'anyOf':
    case 'enum':
    case 'const':
      return typeWord(schema)
    case 'uniqueItems':
      return 'a list without duplicates'
    case 'pattern':
      return `text that matches ${String(error.params.pattern)}`
    default:
      return error.message.replace(/^must (be |have |match )?/, '')
  }
}

/** Returns the schema at an instance path through objects, maps and lists. */
function schemaAt(schema: TSchema, path: readonly string[]): TSchema | undefined {
  let part: TSchema | undefined = schema
  for (const step of path) {
    const { properties, patternProperties, items } = (part ?? {}) as {
      properties?: TProperties
      patternProperties?: TProperties
      items?: TSchema
    }
    part = properties?.[step] ?? Object.values(patternProperties ?? {})[0] ?? items
  }
  return part
}

function missingFields(error: SchemaError): string[] {
  const names = error.params.requiredProperties
  return Array.isArray(names) ? names.map(String) : []
}

/** Returns what a parameter is for, since a client that left it out may not know. */
function purposeOf(field: string, schema: TSchema | undefined): string {
  const { description } = (schema ?? {}) as { description?: string }
  return description ? ` ${field}: ${description}` : ''
}

/** Returns each field that is wrong, once, and what those that are missing are for. */
function fieldErrors(
  def: CommandDef,
  errors: readonly SchemaError[],
  nameOf: (v1: string) => string,
) {
  const found = new Map<string, FieldError>()
  let purposes = ''
  for (const error of errors) {
    const path = error.instancePath.split('/').slice(1)
    const base = path.map((step, index) => (index === 0 ? nameOf(step) : step))
    const missing = error.keyword === 'required' ? missingFields(error) : []
    for (const name of missing) {
      const field = [...base, path.length === 0 ? nameOf(name) : name].join('.')
      if (found.has(field)) continue
      const schema = schemaAt(def.params, [...path, name])
      found.set(field, { field, expected: `${typeWord(schema)} (required)` })
      purposes += purposeOf(field, schema)
    }
    if (missing.length > 0) continue
    const field = base.join('.')
    // The inner errors of a union come before its own error; only the first is reported per field.
    if (!found.has(field))
      found.set(field, { field, expected: expectation(error, schemaAt(def.params, path)) })
    if (found.size >= DETAILS_MAX) break
  }
  return { fields: [...found.values()], purposes }
}

/**
 * Returns an error code of the command that is more specific than invalid_payload: invalid_<field>
 * or <field>_required.
 */
function ownCode(def: CommandDef, params: Params, errors: readonly SchemaError[]) {
  for (const error of errors) {
    const [, field, deeper] = error.instancePath.split('/')
    // A text in the place of a number is malformed, even if it reads as a valid number.
    const isText = error.keyword !== 'type' && typeof params[field] === 'string'
    if (field && !deeper && isText) {
      const code = params[field] === '' ? `${field}_required` : `invalid_${field}`
      if (isCodeOf(def, code)) return code
      if (isCodeOf(def, `invalid_${field}`)) return `invalid_${field}` as ErrorCode
    }
    for (const name of field ? [] : missingFields(error)) {
      if (isCodeOf(def, `${name}_required`)) return `${name}_required` as ErrorCode
    }
  }
  return undefined
}

const isCodeOf = (def: CommandDef, code: string): code is ErrorCode =>
  code in ERRORS && def.errors.includes(code as ErrorCode)

/**
 * Returns a value with its lists cut to one item more than the longest list that a command takes,
 * for the library to describe its errors: it takes the square of the number of duplicates, and a
 * frame has room for 130,000 of them.
 */
function cutLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, LIST_MAX + 1).map(cutLists)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, cutLists(part)]))
}

/**
 * Returns the valid parameters of a command, or the refusal. Source: accounts.md section 11
 * (unknown fields ignored, wrong types invalid_payload).
 */
export function validate(
  validators: Validators,
  def: CommandDef,
  sent: Params,
  isV2: boolean,
): { readonly ok: true; readonly params: Params } | Failure {
  const { params, sentAs, clash } = pick(def, sent, isV2)
  if (clash) return invalidFields(clash)
  const checker = checkerOf(validators, def)
  if (!checker.Check(params)) {
    const errors = checker.Errors(cutLists(params))
    const code = ownCode(def, params, errors)
    const rename = isV2 ? (def.v2?.rename ?? {}) : {}
    const nameOf = (v1: string): string =>
      sentAs.get(v1) ?? (own(params, v1) ? v1 : (rename[v1] ?? v1))
    if (code) return fail(code)
    const { fields, purposes } = fieldErrors(def, errors, nameOf)
    const refusal = invalidFields(...fields)
    return { ...refusal, message: refusal.message + purposes }
  }
  if (hasBadText(params))
    return invalidFields({ field: 'payload', expected: 'texts without NUL and lone surrogates' })
  return { ok: true, params }
}
