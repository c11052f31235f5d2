/** Public frames of a test's world, and the public bodies that are made from them. */
import { assert } from '../core/assert.ts'
import { type Outcome, ok } from '../core/errors.ts'
import type { TSchema } from '../core/params.ts'
import type { PublicFrame, PublicProjection } from '../core/public/frame.ts'
import type { WorldView } from '../core/types.ts'
import { readQuery } from '../net/public/routes.ts'
import type { PublicInfo, PublicRow } from '../net/public/row.ts'
import { applyFrame, type PublicState } from '../net/public/state.ts'
import { PUBLIC_ROWS } from '../net/public/table.ts'
import { createProjection } from '../systems/spectator/frame-views.ts'

export function frameOf(
  view: WorldView,
  projection: PublicProjection = createProjection(),
  isFull = true,
): PublicFrame {
  return runToEnd(projection.build(view, isFull))
}

/** Runs a generator to its end and returns its result. */
export function runToEnd<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

export function stateOf(frame: PublicFrame): PublicState {
  const state = applyFrame(undefined, structuredClone(frame))
  assert(state, 'a full frame needs no earlier state')
  return state
}

export const INFO: PublicInfo = {
  version: '1',
  epoch: 'e',
  delay: 2,
  tickMs: 10_000,
  showsNames: true,
  wallMs: () => 1_800_000_000_000,
  forum: async () => ({ threads: 1, replies: 2 }),
}

export function rowOf(path: string): PublicRow {
  const row = PUBLIC_ROWS.find((known) => known.path === path)
  assert(row, `there is no address ${path}`)
  return row
}

/** Returns what a public address answers; the archive behind it is empty. */
export async function askPublic(
  state: PublicState,
  row: PublicRow,
  params: Readonly<Record<string, string>> = {},
  about = INFO,
  search = '',
): Promise<Outcome<unknown>> {
  const query = readQuery(row, new URLSearchParams(search))
  const archive = { read: async () => ok({}) }
  const context = { params, query, archive, about }
  return row.source === 'timeless' ? row.body(context) : row.body(state, context)
}

interface Shape {
  readonly type?: string
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly patternProperties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly items?: TSchema
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** Lists where a value breaks its schema; missing and additional fields break it too. */
export function faultsIn(schema: TSchema, value: unknown, path = '$'): string[] {
  const { type, properties, patternProperties, required = [], items } = schema as Shape
  if (type === undefined) return []
  const found = typeOf(value)
  const isOfType = found === type || (type === 'number' && found === 'integer')
  if (!isOfType) return [`${path}: ${found} where ${type} is allowed`]
  if (items) {
    return (value as unknown[]).flatMap((entry, i) => faultsIn(items, entry, `${path}[${i}]`))
  }
  if (type !== 'object') return []
  const entries = Object.entries(value as object).filter(([, entry]) => entry !== undefined)
  const missing = required.filter((name) => !entries.some(([key]) => key === name))
  const [pattern] = Object.values(patternProperties ?? {})
  return [
    ...missing.map((name) => `${path}.${name} is missing`),
    ...entries.flatMap(([key, entry]) => {
      const known = properties?.[key] ?? pattern
      return known ? faultsIn(known, entry, `${path}.${key}`) : [`${path}.${key} is not allowed`]
    }),
  ]
}
