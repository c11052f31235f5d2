/**
 * Turns the fields of the form of a command into its payload. Empty fields are not sent; if a field
 * cannot be converted to the type of its parameter, it gets a message and nothing is sent.
 */
import type { ConsoleOperation, ConsoleParam } from './console.ts'

export type Fields = Readonly<Record<string, string>>

interface Filled {
  readonly payload: Readonly<Record<string, unknown>>
  /** What is wrong, by the name of the field. */
  readonly faults: Readonly<Record<string, string>>
}

/** How a parameter is entered. */
type Widget = 'text' | 'number' | 'choice' | 'json'

const CHOICES_OF: Readonly<Record<string, readonly string[]>> = { boolean: ['true', 'false'] }

/** Returns the values to choose from; an empty list for free text. */
export const valuesOf = ({ type, values = [] }: ConsoleParam): readonly string[] =>
  CHOICES_OF[type] ?? values

/** Returns how a parameter is entered. */
export function widgetOf(param: ConsoleParam): Widget {
  if (valuesOf(param).length > 0) return 'choice'
  if (param.type === 'integer' || param.type === 'number') return 'number'
  return param.type.split(' | ').includes('string') ? 'text' : 'json'
}

const SECRET = /(^|_)(password|token|secret)$|^(registration|device)_code$/

/** Returns whether a parameter with this name must be hidden on the screen. */
export const isSecret = (name: string): boolean => SECRET.test(name)

/** Describes a payload in one line, with its secrets hidden. */
export const describePayload = (payload: Readonly<Record<string, unknown>>): string =>
  Object.entries(payload)
    .map(([name, value]) => {
      const shown = typeof value === 'string' ? value : JSON.stringify(value)
      return `${name} ${isSecret(name) ? '••••' : shown}`
    })
    .join(', ')

const INTEGER = /^[+-]?\d+$/

/** A value, or the reason why the text is not a valid one. */
type Read = { readonly value: unknown } | { readonly fault: string }

function readJson(text: string, type: string): Read {
  try {
    const value: unknown = JSON.parse(text)
    const isList = type === 'array' || type.endsWith('[]')
    if (isList && !Array.isArray(value)) return { fault: 'Write a list: [ … ].' }
    if (type === 'object' && (typeof value !== 'object' || value === null || Array.isArray(value)))
      return { fault: 'Write an object: { … }.' }
    return { value }
  } catch {
    return { fault: 'This is not JSON yet.' }
  }
}

const WORD_LIST = /^[^[\]{}"]+$/

function readValue(param: ConsoleParam, text: string): Read {
  const { type } = param
  const trimmed = text.trim()
  if (type === 'string') return { value: text }
  if (type === 'boolean') return { value: trimmed === 'true' }
  if (type === 'integer')
    return INTEGER.test(trimmed) && Number.isSafeInteger(Number(trimmed))
      ? { value: Number(trimmed) }
      : { fault: 'Write a whole number.' }
  if (type === 'number')
    return Number.isFinite(Number(trimmed))
      ? { value: Number(trimmed) }
      : { fault: 'Write a number.' }
  if (type === 'string[]' && WORD_LIST.test(trimmed))
    return { value: trimmed.split(/[\s,]+/).filter(Boolean) }
  const isText = type.split(' | ').includes('string')
  if (isText && !/^[[{"]/.test(trimmed)) return { value: text }
  return readJson(trimmed, type)
}

/** Returns the payload of the fields, and the faults in them. */
export function fill(operation: ConsoleOperation, fields: Fields): Filled {
  const payload: Record<string, unknown> = {}
  const faults: Record<string, string> = {}
  for (const param of operation.params) {
    const text = fields[param.name] ?? ''
    if (text.trim() === '') {
      if (param.required) faults[param.name] = 'This is needed.'
      continue
    }
    const read = readValue(param, text)
    if ('fault' in read) faults[param.name] = read.fault
    else payload[param.name] = read.value
  }
  return { payload, faults }
}

/** Returns the fields for a payload, to show an earlier call or a suggestion in the form. */
export function fieldsOf(payload: Readonly<Record<string, unknown>>): Fields {
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
}

/** Returns the faults of single fields in a refusal: `details.fields` of `invalid_payload`. */
export function faultsOf(details: unknown): Readonly<Record<string, string>> {
  const { fields } = (details ?? {}) as { fields?: unknown }
  if (!Array.isArray(fields)) return {}
  const entries = fields
    .filter((row): row is { field: string; expected: string } => typeof row?.field === 'string')
    .map(({ field, expected }) => [field, `Expected: ${expected}.`])
  return Object.fromEntries(entries)
}
