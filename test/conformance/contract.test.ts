/**
 * Our OpenAPI documents against the pinned contract, over the commands that are registered:
 * parameters, response fields, and which commands are mutations.
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

/** Fields that this server has nothing for: pages to share, help as a field of `facility`. */
const WITHOUT = ['/share_url', 'facility /help']

/**
 * Lists missing fields with the number of commands that miss them: all mutations share the state's.
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

/** Says what is missing when a share is too low. */
function expectShare(part: number, whole: number, minPct: number, sum: Comparison): void {
  const said = `${part} of ${whole}; missing:\n${byField(sum.lacks)}\n`
  expect(pct(part, whole), said).toBeGreaterThanOrEqual(minPct)
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
  test('something is registered', () => {
    expect(sum.commands).toBeGreaterThan(0)
  })

  test('parameters are there', () => {
    expectShare(sum.paramsFound, sum.params, PARAMS_MIN_PCT, sum)
  })

  test('response fields are there, with fitting types', () => {
    expectShare(sum.fieldsFound, sum.fields, FIELDS_MIN_PCT, sum)
    expectShare(sum.typesFitting, sum.fieldsFound, FIELDS_MIN_PCT, sum)
  })

  test('nothing is missing but what has no meaning here', () => {
    const missing = sum.lacks.filter((lack) => !WITHOUT.some((field) => lack.endsWith(field)))
    expect(missing).toEqual([])
  })

  test('mutations are the same', () => {
    expect(sum.flags).toEqual([])
  })
})

test('state sections of mutations cover those of the contract', () => {
  const lacks = Object.entries(pins.v2).flatMap(([address, pin]) => {
    const operation = v2.paths[`/api/v2/${address}`]?.post
    const ours = operation?.['x-state-sections'] as readonly string[] | undefined
    if (!ours || !pin.sections) return []
    // Every mutation changes the queue; it is announced with the outcome itself.
    const missing = pin.sections.filter((name) => name !== 'queue' && !ours.includes(name))
    return missing.length > 0 ? [`${address}: ${missing.join(', ')}`] : []
  })
  expect(lacks).toEqual([])
})
