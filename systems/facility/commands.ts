/**
 * The command `facility`: v1 has one with an action, v2 an address each. Both are made from one
 * table of actions, each of its own kind. Source: crafting.md section 7.
 */

import { assert } from '../../core/assert.ts'
import {
  type CommandDef,
  immediate,
  type MutationDef,
  mutation,
  type Need,
  query,
} from '../../core/command.ts'
import { type ErrorCode, type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { choice, obj, optional, type TSchema, Type } from '../../core/params.ts'
import type { Eid, World } from '../../core/world.ts'
import { type Asked, FACILITY_PARAMS, type FacilityAction, type FacilityParam } from './action.ts'
import { BUILDING_ACTIONS } from './actions-build.ts'
import { QUEUEING } from './actions-jobs.ts'
import { LOOKING } from './actions-look.ts'
import { RANCHING } from './actions-ranch.ts'
import { helpSchema, renderHelp } from './help.ts'

const CHANGES: MutationDef['changes'] = ['player', 'cargo', 'skills']

export const FACILITY_ACTIONS: readonly FacilityAction[] = [
  ...LOOKING,
  ...BUILDING_ACTIONS,
  ...QUEUEING,
  ...RANCHING,
]

const ROWS = new Map(FACILITY_ACTIONS.map((row) => [row.name, row]))

function rowOf(action: string): FacilityAction {
  const row = ROWS.get(action)
  assert(row, `facility has no action ${action}`)
  return row
}

/** What the action named by the call needs: asked once its turn has come. */
const AS_THE_ACTION_NEEDS: Need = {
  name: 'as_the_action_needs',
  errors: [
    ...new Set(FACILITY_ACTIONS.flatMap(({ needs }) => needs.flatMap(({ errors }) => errors))),
  ] as ErrorCode[],
  // of what only looks, or writes without a slot: asked when it runs
  check: () => undefined,
  ensure(world, player, params) {
    const { action } = params as { action: string }
    const row = ROWS.get(action)
    if (row?.kind !== 'mutation') return undefined
    let ensured: ReturnType<Need['ensure']>
    for (const need of row.needs) {
      const met = need.ensure(world, player, params)
      if (typeof met === 'object') return met
      ensured = met ?? ensured
    }
    return ensured
  },
}

/** Refuses a call without a field that its action cannot do without. Refusal: invalid_payload. */
function refusesShape(row: FacilityAction, asked: Asked): Failure | undefined {
  const missing = (row.required ?? []).filter((name) => asked[name] === undefined)
  if (missing.length === 0) return undefined
  const fields = missing.map((field) => ({ field, expected: `needed by ${row.name}` }))
  return fail('invalid_payload', { fields })
}

function runAction(world: World, player: Eid, action: string, asked: Asked): Outcome<unknown> {
  if (action === 'help') return ok(renderHelp(FACILITY_ACTIONS))
  const row = rowOf(action)
  const refused = refusesShape(row, asked)
  if (refused) return refused
  if (row.kind !== 'mutation') {
    for (const need of row.needs) {
      const unmet = need.check(world, player)
      if (unmet) return unmet
    }
  }
  return row.run(world, player, asked)
}

const everyParam = Object.fromEntries(
  Object.entries(FACILITY_PARAMS).map(([name, schema]) => [name, optional(schema)]),
)

const isKind =
  (kind: FacilityAction['kind']) =>
  ({ action }: { action: string }): boolean =>
    (action === 'help' ? 'query' : ROWS.get(action)?.kind) === kind

export const facility = mutation({
  name: 'facility',
  summary: 'Facilities at bases: build, upgrade, run, furnish, rent out and sell them.',
  category: 'facility',
  order: 'plain',
  params: obj({
    action: choice('What to do.', ['help', ...ROWS.keys()] as readonly string[]),
    ...everyParam,
  }),
  result: Type.Union([helpSchema, ...new Set(FACILITY_ACTIONS.map(({ result }) => result))]),
  needs: [AS_THE_ACTION_NEEDS],
  changes: CHANGES,
  errors: [...new Set(FACILITY_ACTIONS.flatMap(({ errors }) => errors))],
  readsOnly: isKind('query'),
  isImmediate: isKind('immediate'),
  run(world, player, params) {
    const { action, ...asked } = params as { action: string } & Asked
    return runAction(world, player, action, asked)
  },
})

/** The address of an action on v2. */
function onV2(row: FacilityAction): CommandDef {
  const { name, v2 = name, summary, result, needs, errors } = row
  const params: Record<string, TSchema> = {}
  const take = (names: readonly FacilityParam[], isOptional: boolean) => {
    for (const param of names) {
      const schema = FACILITY_PARAMS[param]
      params[param] = isOptional ? optional(schema) : schema
    }
  }
  take(row.required ?? [], false)
  take(row.optional ?? [], true)
  const shared = {
    name,
    v1: false,
    v2: { tool: 'game_facility', action: v2 },
    summary,
    category: 'facility',
    params: obj(params),
    result,
    needs,
    errors,
  } as const
  if (row.kind === 'query') return query({ ...shared, run: row.run })
  if (row.kind === 'immediate') return immediate({ ...shared, run: row.run })
  return mutation({ ...shared, order: 'plain', changes: row.changes ?? CHANGES, run: row.run })
}

export const facilityActions: readonly CommandDef[] = FACILITY_ACTIONS.map(onV2)
