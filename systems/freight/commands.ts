/**
 * The command `shipping`: v1 has one with an action, v2 an address each. Both are made from one
 * table of actions, each of its own kind. Source: spec; crafting.md section 10.
 */
import { assert } from '../../core/assert.ts'
import {
  type CommandDef,
  type MutationDef,
  mutation,
  type Need,
  query,
} from '../../core/command.ts'
import { type ErrorCode, type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { choice, obj, optional, type TSchema, Type } from '../../core/params.ts'
import type { Eid, World } from '../../core/world.ts'
import { type Asked, FREIGHT_PARAMS, type FreightAction, type FreightParam } from './action.ts'
import { READING } from './actions-read.ts'
import { WRITING } from './actions-write.ts'
import { renderHelp } from './help.ts'
import { helpSchema } from './schemas.ts'

const CHANGES: MutationDef['changes'] = ['player', 'ship', 'cargo']

export const FREIGHT_ACTIONS: readonly FreightAction[] = [...READING, ...WRITING]

const ROWS = new Map(FREIGHT_ACTIONS.map((row) => [row.name, row]))

/** What the action named by the call needs: asked once its turn has come. */
const AS_THE_ACTION_NEEDS: Need = {
  name: 'as_the_action_needs',
  errors: [
    ...new Set(FREIGHT_ACTIONS.flatMap(({ needs }) => needs.flatMap(({ errors }) => errors))),
  ] as ErrorCode[],
  // of what only looks: asked when it runs
  check: () => undefined,
  ensure(world, player, params) {
    const row = ROWS.get((params as { action: string }).action)
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

/**
 * Refuses a call without a field that its action cannot do without. Refusals: reward_required,
 * invalid_payload.
 */
function refusesShape(row: FreightAction, asked: Asked): Failure | undefined {
  // a contract without a reward has a code of its own
  if (row.name === 'post' && asked.base_reward === undefined) return fail('reward_required')
  const missing = (row.required ?? []).filter((name) => asked[name] === undefined)
  if (missing.length === 0) return undefined
  const fields = missing.map((field) => ({ field, expected: `needed by ${row.name}` }))
  return fail('invalid_payload', { fields })
}

function runAction(world: World, player: Eid, action: string, asked: Asked): Outcome<unknown> {
  if (action === 'help') return ok(renderHelp(FREIGHT_ACTIONS))
  const row = ROWS.get(action)
  assert(row, `shipping has no action ${action}`)
  const refused = refusesShape(row, asked)
  if (refused) return refused
  if (row.kind === 'query') {
    for (const need of row.needs) {
      const unmet = need.check(world, player)
      if (unmet) return unmet
    }
  }
  return row.run(world, player, asked)
}

const everyParam = Object.fromEntries(
  Object.entries(FREIGHT_PARAMS).map(([name, schema]) => [name, optional(schema)]),
)

const reads = (action: string): boolean => action === 'help' || ROWS.get(action)?.kind === 'query'

export const shipping = mutation({
  name: 'shipping',
  summary: 'Have packages carried from base to base, or carry those of others for a reward.',
  category: 'shipping',
  order: 'plain',
  params: obj({
    action: choice('What to do.', [...ROWS.keys(), 'help'] as readonly string[]),
    ...everyParam,
  }),
  result: Type.Union([...new Set(FREIGHT_ACTIONS.map(({ result }) => result)), helpSchema]),
  needs: [AS_THE_ACTION_NEEDS],
  changes: CHANGES,
  errors: [...new Set(FREIGHT_ACTIONS.flatMap(({ errors }) => errors))],
  readsOnly: ({ action }) => reads(action),
  isImmediate: () => false,
  run(world, player, params) {
    const { action, ...asked } = params as { action: string } & Asked
    return runAction(world, player, action, asked)
  },
})

/** The address of an action on v2. */
function onV2(row: FreightAction): CommandDef {
  const { name, summary, result, needs, errors } = row
  const params: Record<string, TSchema> = {}
  const take = (names: readonly FreightParam[], isOptional: boolean) => {
    for (const param of names) {
      const schema = FREIGHT_PARAMS[param]
      params[param] = isOptional ? optional(schema) : schema
    }
  }
  take(row.required ?? [], false)
  take(row.optional ?? [], true)
  const shared = {
    name,
    v1: false,
    v2: { tool: 'game_shipping', action: name },
    summary,
    category: 'shipping',
    params: obj(params),
    result,
    needs,
    errors,
  } as const
  if (row.kind === 'query') return query({ ...shared, run: row.run })
  return mutation({ ...shared, order: 'plain', changes: CHANGES, run: row.run })
}

export const shippingActions: readonly CommandDef[] = FREIGHT_ACTIONS.map(onV2)
