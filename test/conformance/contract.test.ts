/**
 * Compares our OpenAPI documents with the pinned contract, for the registered commands: parameters,
 * response fields, and which commands are mutations.
 */
import { describe, expect, test } from 'vitest'
import { createRegistry } from '../../core/registry.ts'
import { openapiV1, openapiV2 } from '../../net/http/openapi.ts'
import { DOMAINS } from '../../systems/registry.ts'
import { type Comparison, compare, type Document, readPins } from './pins.ts'

const PARAMS_MIN_PCT = 99
const FIELDS_MIN_PCT = 95
const INFO = { version: '0.599.5' }

const registry = createRegistry(DOMAINS)
const pins = readPins()
const v1 = openapiV1(registry, INFO) as unknown as Document
const v2 = openapiV2(registry, INFO) as unknown as Document

const pct = (part: number, whole: number): number => (whole === 0 ? 100 : (100 * part) / whole)

/** Fields without meaning on this server: pages to share, help as a field of `facility`. */
const LEFT_OUT = ['/share_url', 'facility /help']

/**
 * Lists missing fields with the number of commands that lack them, since all mutations share the
 * fields of the state.
 */
function byField(lacks: readonly string[]): string {
  const found = new Map<string, string[]>()
  for (const lack of lacks) {
    const [name, ...rest] = lack.split(' ')
    const field = rest.join(' ')
    found.set(field, [...(found.get(field) ?? []), name])
  }
  return [...found]
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, 150)
    .map(([field, names]) => `${field} (${names.length === 1 ? names[0] : names.length})`)
    .join('\n')
}

/** Expects a share of at least `minPct`, and lists what is missing otherwise. */
function expectShare(part: number, whole: number, minPct: number, sum: Comparison): void {
  const message = `${part} of ${whole}; missing:\n${byField(sum.lacks)}\n`
  expect(pct(part, whole), message).toBeGreaterThanOrEqual(minPct)
}

describe.each([
  [
    'v2 against the contract',
    compare({
      document: v2,
      pins,
      table: pins.v2,
      pathOf: (name) => `/api/v2/${name.replace(/\/$/, '')}`,
      key: 'structuredContent',
    }),
  ],
  [
    'v1 against the contract',
    compare({ document: v1, pins, table: pins.v1, pathOf: (name) => `/${name}`, key: 'result' }),
  ],
  [
    'v1 against the interface document',
    compare({ document: v1, pins, table: pins.spec, pathOf: (name) => `/${name}`, key: 'result' }),
  ],
])('%s', (_, sum) => {
  test('commands of the table are registered', () => {
    expect(sum.commands).toBeGreaterThan(0)
  })

  test('the parameters exist', () => {
    expectShare(sum.paramsFound, sum.params, PARAMS_MIN_PCT, sum)
  })

  test('the response fields exist with fitting types', () => {
    expectShare(sum.fieldsFound, sum.fields, FIELDS_MIN_PCT, sum)
    expectShare(sum.typesFitting, sum.fieldsFound, FIELDS_MIN_PCT, sum)
  })

  test('only fields without meaning here are missing', () => {
    const missing = sum.lacks.filter((lack) => !LEFT_OUT.some((field) => lack.endsWith(field)))
    expect(missing).toEqual([])
  })

  test('the same commands are mutations', () => {
    expect(sum.flags).toEqual([])
  })
})

test('the state sections of a mutation include those of the contract', () => {
  const lacks = Object.entries(pins.v2).flatMap(([address, pin]) => {
    const operation = v2.paths[`/api/v2/${address}`]?.post
    const ours = operation?.['x-state-sections'] as readonly string[] | undefined
    if (!ours || !pin.sections) return []
    // Every mutation changes the queue, which the outcome itself announces.
    const missing = pin.sections.filter((name) => name !== 'queue' && !ours.includes(name))
    return missing.length > 0 ? [`${address}: ${missing.join(', ')}`] : []
  })
  expect(lacks).toEqual([])
})
