/**
 * Reads pins.json (see make-pins.mjs) and compares an OpenAPI document with it, for the commands
 * that we have.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Pin {
  readonly mutation: boolean
  /** `name:type` separated by spaces, with a question mark after an optional name. */
  readonly params: string
  readonly sections?: readonly string[]
  /** The answer is, or is wrapped in, the v2 state. */
  readonly state?: 1
  readonly result?: number
  readonly details?: number
}

interface Pins {
  readonly stateShape: number
  readonly v2: Readonly<Record<string, Pin>>
  readonly v1: Readonly<Record<string, Pin>>
  readonly spec: Readonly<Record<string, Pin>>
  readonly shapes: readonly string[]
}

export const readPins = (): Pins =>
  JSON.parse(readFileSync(join(process.cwd(), 'test/conformance/pins.json'), 'utf8'))

/** Returns the field paths of a shape with their types, letters joined by a bar. */
function pathsOf(shape: string): Map<string, string> {
  const paths = new Map<string, string>()
  const stack: string[] = []
  let last = ''
  for (const [token] of shape.matchAll(/[{}]|[^\s{}]+/g)) {
    if (token === '{') stack.push(last)
    else if (token === '}') stack.pop()
    else {
      const [name, type = ''] = token.split(':')
      last = `${stack.at(-1) ?? ''}/${name}`
      if (type !== '') paths.set(last, type)
    }
  }
  return paths
}

/** Returns what the answer of a pin must hold: state and details of a mutation, or the result. */
function wantedOf(pins: Pins, pin: Pin): Map<string, string> {
  const wanted = new Map<string, string>()
  if (pin.state)
    for (const [path, type] of pathsOf(pins.shapes[pins.stateShape])) wanted.set(path, type)
  if (pin.result !== undefined)
    for (const [path, type] of pathsOf(pins.shapes[pin.result])) wanted.set(path, type)
  if (pin.details !== undefined)
    for (const [path, type] of pathsOf(pins.shapes[pin.details]))
      wanted.set(`/details${path}`, type)
  return wanted
}

type Schema = Record<string, unknown>
export interface Document {
  readonly paths: Record<string, { post?: Operation; get?: Operation }>
}
type Operation = Record<string, unknown>

/** Resolves the references of a schema. */
function follow(root: unknown, schema: Schema): Schema {
  let found = schema
  for (let hops = 0; typeof found?.$ref === 'string' && hops < 20; hops++)
    found = found.$ref
      .split('/')
      .slice(1)
      .reduce<unknown>((part, key) => (part as Schema)?.[key], root) as Schema
  return found ?? {}
}

const LETTER: Record<string, string> = {
  string: 's',
  number: 'n',
  integer: 'i',
  boolean: 'b',
  object: 'o',
  array: 'a',
  null: '0',
}

function typesOf(root: unknown, schema: Schema, depth = 0): Set<string> {
  const found = follow(root, schema)
  const types = new Set<string>()
  if (depth > 8) return types
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    for (const part of (found[key] as Schema[]) ?? [])
      for (const type of typesOf(root, part, depth + 1)) types.add(type)
  const declared = Array.isArray(found.type) ? found.type : [found.type]
  for (const type of declared) if (typeof type === 'string') types.add(LETTER[type])
  if (types.size === 0 && 'const' in found) types.add(LETTER[typeof found.const] ?? '?')
  return types
}

/** Returns every property path that a schema names (lists as *), through references and unions. */
function fieldsOf(root: unknown, schema: Schema): Map<string, Set<string>> {
  const out = new Map<string, Set<string>>()
  const walk = (part: Schema, path: string, seen: readonly string[], depth: number): void => {
    if (!part || typeof part !== 'object' || depth > 7) return
    const { $ref } = part
    if (typeof $ref === 'string') {
      if (!seen.includes($ref)) walk(follow(root, part), path, [...seen, $ref], depth)
      return
    }
    for (const key of ['allOf', 'anyOf', 'oneOf'])
      for (const variant of (part[key] as Schema[]) ?? []) walk(variant, path, seen, depth)
    const properties = (part.properties as Record<string, Schema>) ?? {}
    for (const [name, property] of Object.entries(properties)) {
      const field = `${path}/${name}`
      const types = out.get(field) ?? new Set<string>()
      for (const type of typesOf(root, property)) types.add(type)
      out.set(field, types)
      walk(property, field, seen, depth + 1)
    }
    if (part.items) walk(part.items as Schema, `${path}/*`, seen, depth + 1)
  }
  walk(schema, '', [], 0)
  return out
}

/** Returns whether our types can stand for the pinned one; a free type fits any. */
function typeFits(pinned: string, ours: ReadonlySet<string>): boolean {
  if (pinned === '?' || ours.size === 0) return true
  return pinned
    .split('|')
    .some(
      (type) =>
        type === '?' ||
        ours.has(type) ||
        (type === 'n' && ours.has('i')) ||
        (type === 'i' && ours.has('n')),
    )
}

/** Returns the typed part of an operation's answer. */
function answerOf(document: Document, operation: Operation, key: string): Schema {
  const responses = operation.responses as Record<
    string,
    { content: Record<string, { schema: Schema }> }
  >
  const whole = responses['200'].content['application/json'].schema
  const typed = (whole.allOf as Schema[])[1] as { properties: Record<string, Schema> }
  return follow(document, typed.properties[key])
}

function parametersOf(operation: Operation): Map<string, Schema & { required: boolean }> {
  const body = operation.requestBody as { content: Record<string, { schema: Schema }> }
  const { properties = {}, required = [] } = body.content['application/json'].schema as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  return new Map(
    Object.entries(properties).map(([name, schema]) => [
      name,
      { ...schema, required: required.includes(name) },
    ]),
  )
}

export interface Comparison {
  commands: number
  params: number
  paramsFound: number
  fields: number
  fieldsFound: number
  typesFitting: number
  /** What is missing or differs, for the message of a failure. */
  readonly lacks: string[]
  readonly flags: string[]
}

interface Compared {
  readonly document: Document
  readonly pins: Pins
  readonly table: Readonly<Record<string, Pin>>
  pathOf(name: string): string
  readonly key: 'structuredContent' | 'result'
}

/** Compares the registered commands; a pin without an operation is ignored. */
export function compare({ document, pins, table, pathOf, key }: Compared): Comparison {
  const sum: Comparison = {
    commands: 0,
    params: 0,
    paramsFound: 0,
    fields: 0,
    fieldsFound: 0,
    typesFitting: 0,
    lacks: [],
    flags: [],
  }
  for (const [name, pin] of Object.entries(table)) {
    const operation = document.paths[pathOf(name)]?.post
    if (!operation) continue
    sum.commands += 1
    if (operation['x-is-mutation'] !== pin.mutation) sum.flags.push(name)
    const ours = parametersOf(operation)
    for (const entry of pin.params.split(' ').filter((text) => text !== '')) {
      const param = entry.split(':')[0].replace('?', '')
      sum.params += 1
      if (ours.has(param)) sum.paramsFound += 1
      else sum.lacks.push(`${name} parameter ${param}`)
    }
    if (pin.state || pin.result !== undefined || pin.details !== undefined)
      compareFields(
        sum,
        name,
        wantedOf(pins, pin),
        fieldsOf(document, answerOf(document, operation, key)),
      )
  }
  return sum
}

function compareFields(
  sum: Comparison,
  name: string,
  wanted: ReadonlyMap<string, string>,
  ours: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  for (const [path, type] of wanted) {
    sum.fields += 1
    const types = ours.get(path)
    if (!types) {
      sum.lacks.push(`${name} ${path}`)
      continue
    }
    sum.fieldsFound += 1
    if (typeFits(type, types)) sum.typesFitting += 1
    else sum.lacks.push(`${name} ${path} is ${[...types].join('|')}, not ${type}`)
  }
}
