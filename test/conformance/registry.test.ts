/**
 * Requirements on every definition: known codes, unique addresses, described parameters with
 * examples that fit, documented events, and generated documents that are not stale.
 */
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { type CommandDef, commandKey, isMutation, TOOLS } from '../../core/command.ts'
import { ERRORS } from '../../core/errors.ts'
import { createRegistry } from '../../core/registry.ts'
import { staleDocs } from '../../docs/generate.ts'
import { errorsOf, publicEvents, v1Commands, v2Commands } from '../../net/command-view.ts'
import { openapiV1, openapiV2 } from '../../net/http/openapi.ts'
import { DOMAINS } from '../../systems/registry.ts'

const registry = createRegistry(DOMAINS)
const defs = [...registry.commands.values()].filter((def) => def.category !== 'internal')
const INFO = { version: '0.599.5' }

/** Lists the keys of definitions in which a check finds a fault, with the fault. */
const faults = (check: (def: CommandDef) => string | undefined): string[] =>
  defs.flatMap((def) => {
    const found = check(def)
    return found === undefined ? [] : [`${commandKey(def)}: ${found}`]
  })

const properties = (def: CommandDef): [string, Record<string, unknown>][] =>
  Object.entries(def.params.properties as Record<string, Record<string, unknown>>)

/** Returns the first example of each parameter. */
const exampleOf = (def: CommandDef): Record<string, unknown> =>
  Object.fromEntries(
    properties(def)
      .filter(([, schema]) => Array.isArray(schema.examples))
      .map(([name, schema]) => [name, (schema.examples as unknown[])[0]]),
  )

describe('every command', () => {
  test('answers with known error codes only', () => {
    expect(faults((def) => errorsOf(def).find((code) => !(code in ERRORS)))).toEqual([])
  })

  test('has one address on v2 and a tool that exists', () => {
    const addresses = v2Commands(registry).map((view) => view.address)
    expect(new Set(addresses).size).toBe(addresses.length)
    expect(v2Commands(registry).filter((view) => !TOOLS.includes(view.tool))).toEqual([])
    const names = v1Commands(registry).map((view) => view.address)
    expect(new Set(names).size).toBe(names.length)
  })

  test('is reachable and says in one sentence what it does', () => {
    expect(faults((def) => (def.v1 === false && !def.v2 ? 'no address' : undefined))).toEqual([])
    expect(faults((def) => (def.summary.length < 8 ? 'no summary' : undefined))).toEqual([])
  })

  test('describes its parameters', () => {
    const undescribed = faults(
      (def) => properties(def).find(([, schema]) => typeof schema.description !== 'string')?.[0],
    )
    expect(undescribed).toEqual([])
  })

  test('has examples that fit its schema, which refuses other values', () => {
    const unfit = faults((def) => {
      const checker = Compile(def.params as TSchema)
      const example = exampleOf(def)
      const lacks = (def.params.required ?? []).find((name: string) => !(name in example))
      if (lacks !== undefined) return `no example of ${lacks}`
      if (!checker.Check(example)) return 'the examples do not fit'
      const [name] = properties(def)[0] ?? []
      const isFree =
        name !== undefined && Object.keys(properties(def)[0][1]).every((k) => k !== 'type')
      if (name === undefined || isFree) return undefined
      return checker.Check({ ...example, [name]: { wrong: [true] } })
        ? `${name} takes anything`
        : undefined
    })
    expect(unfit).toEqual([])
  })

  test('renames and omits only parameters that it has', () => {
    const wrong = faults((def) => {
      const names = new Set(properties(def).map(([name]) => name))
      return [...Object.keys(def.v2?.rename ?? {}), ...(def.v2?.omit ?? [])].find(
        (name) => !names.has(name),
      )
    })
    expect(wrong).toEqual([])
    const ambiguous = v2Commands(registry).filter(
      (view) => new Set(view.params.map((param) => param.name)).size !== view.params.length,
    )
    expect(ambiguous.map((view) => view.address)).toEqual([])
  })

  test('that mutates says which sections it changes', () => {
    expect(
      faults((def) =>
        isMutation(def) && def.v2 && !('changes' in def) ? 'no sections' : undefined,
      ),
    ).toEqual([])
  })
})

test('every event has a summary', () => {
  const undescribed = publicEvents(registry).filter((event) => event.summary.length < 8)
  expect(undescribed.map((event) => event.type)).toEqual([])
})

test('schemas with the same name are equal', () => {
  const seen = new Map<string, string>()
  const clashes = new Set<string>()
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { $id } = value as { $id?: unknown }
    if (typeof $id === 'string') {
      const text = JSON.stringify(value)
      if ((seen.get($id) ?? text) !== text) clashes.add($id)
      seen.set($id, text)
    }
    for (const part of Object.values(value)) walk(part)
  }
  for (const def of defs) walk([def.params, def.result])
  for (const event of registry.events.values()) walk(event.fields)
  walk([...registry.sectionSchemas.values()])
  expect([...clashes]).toEqual([])
})

test.each([
  ['v1', openapiV1(registry, INFO)],
  ['v2', openapiV2(registry, INFO)],
])('every reference of the %s document has a target', (_, document) => {
  const refs = new Set<string>()
  JSON.stringify(document, (key, value) => {
    if (key === '$ref' && typeof value === 'string') refs.add(value)
    return value
  })
  const target = (ref: string): unknown =>
    ref
      .split('/')
      .slice(1)
      .reduce<unknown>((part, key) => (part as Record<string, unknown>)?.[key], document)
  expect([...refs].filter((ref) => target(ref) === undefined)).toEqual([])
})

test('the generated documents are not stale (npm run gen writes them)', () => {
  expect(staleDocs(registry)).toEqual([])
})
