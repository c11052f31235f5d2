/**
 * The command `citizenship`: v1 has one with an action, v2 an address each. The list is answered at
 * once. Source: factions.md section 9.
 */
import { EMPIRE_IDS, EMPIRES, empireIndex } from '../../core/catalog/index.ts'
import { type CommandDef, mutation, query } from '../../core/command.ts'
import { badFields, type ErrorCode, fail, ok } from '../../core/errors.ts'
import { canReceive } from '../../core/ledger.ts'
import { choice, NO_PARAMS, obj, optional, ref, str } from '../../core/params.ts'
import type { Eid, World } from '../../core/types.ts'
import { isCitizen, walletOf } from '../account/model.ts'
import { EMPIRES_WIDTH, Player } from '../account/state.ts'
import { logAction } from '../log/rules.ts'
import { bookOf, petitionId, petitionRefusal, petitionTo } from './model.ts'
import { citizenshipSchema } from './schemas.ts'
import { CitizenPetition } from './state.ts'
import { grant, openPetition, withdrawPetition } from './systems.ts'
import {
  renderCitizenship,
  renderDecision,
  renderHeld,
  renderList,
  renderPetition,
} from './views.ts'

const WRITES = ['apply', 'withdraw', 'renounce'] as const
type Write = (typeof WRITES)[number]
const apply = (world: World, player: Eid, empire: number) => {
  const refused = petitionRefusal(world, player, empire)
  if (refused) return refused
  const { id, name, policy } = EMPIRES[empire]
  const petition = openPetition(world, player, empire)
  const petition_id = petitionId(world, petition)
  const common = { empire_id: id, petition_id, fee_paid: policy.citizenship_fee }
  if (!policy.citizenship_auto_approve) {
    const message = `Your petition is before ${name}. It decides in about an hour.`
    logAction(world, player, 'other', 'citizenship_asked', message, { empire_id: id })
    const shown = renderPetition(world, petition)
    return ok({ ...common, status: 'pending', petition: shown, message })
  }
  const lost = grant(world, petition)
  const [decision] = bookOf(world, player).decided
  return ok({
    ...{ ...common, status: 'granted' },
    petition: renderDecision(world, player, decision),
    citizenship: renderCitizenship(world, player, empire),
    renounced: lost.map((other) => EMPIRES[other].id),
    message: decision.words,
  })
}

const withdraw = (world: World, player: Eid, empire: number) => {
  const { id, name } = EMPIRES[empire]
  const petition = petitionTo(world, player, empire)
  if (petition === 0) return fail('no_pending', { empire_id: id })
  const fee = world.read(CitizenPetition).fee[petition]
  if (!canReceive(world, walletOf(world, player), fee)) return fail('amount_too_large')
  const petition_id = petitionId(world, petition)
  withdrawPetition(world, petition)
  const message = `Your petition to ${name} is withdrawn.`
  return ok({ empire_id: id, petition_id, status: 'withdrawn', fee_refunded: fee, message })
}

const renounce = (world: World, player: Eid, empire: number) => {
  const { id, name } = EMPIRES[empire]
  if (!isCitizen(world, player, empire)) return fail('not_citizen', { empire_id: id })
  world.write(Player).citizenSinceMs[player * EMPIRES_WIDTH + empire] = 0
  const isStateless = !EMPIRES.some((_, other) => isCitizen(world, player, other))
  const message = `You are no citizen of ${name} any more${isStateless ? ', nor of anybody' : ''}.`
  logAction(world, player, 'other', 'citizenship_renounced', message, { empire_id: id })
  const { origin, citizenships } = renderHeld(world, player)
  return ok({ origin, citizenships, empire_id: id, status: 'renounced', renounced: [id], message })
}

const ACTS = { apply, withdraw, renounce }

/** Refusals: invalid_payload, invalid_empire and those of the action. */
function act(world: World, player: Eid, action: Write, id: string | undefined) {
  if (id === undefined) {
    return badFields({ field: 'empire_id', expected: 'an empire' })
  }
  const empire = empireIndex(id.trim().toLowerCase())
  if (empire < 0) return fail('invalid_empire', { empires: [...EMPIRE_IDS] })
  return ACTS[action](world, player, empire)
}

const ERRORS_OF = {
  apply: [
    ...(['invalid_empire', 'citizenship_closed', 'already_citizen', 'already_pending'] as const),
    ...(['no_credits', 'insufficient_balance', 'insufficient_reputation'] as const),
    ...(['rate_limited', 'amount_too_large', 'limit_reached'] as const),
  ],
  withdraw: ['invalid_empire', 'no_pending', 'amount_too_large'],
  renounce: ['invalid_empire', 'not_citizen'],
} as const satisfies Record<Write, readonly ErrorCode[]>
const SUMMARY: Readonly<Record<Write, string>> = {
  apply: 'Asks an empire for its citizenship; the fee is held until it decides.',
  withdraw: 'Takes a petition for citizenship back; the fee comes back.',
  renounce: 'Gives a citizenship up, without a refund; you may be stateless.',
}

const empireParam = ref(
  'empire',
  str(`One of ${EMPIRE_IDS.join(', ')}.`, {
    min: 1,
    max: 64,
    example: 'voidborn',
  }),
)
const shared = { category: 'citizenship', needs: [] } as const
const CHANGES = ['player'] as const

export const citizenship = mutation({
  ...shared,
  name: 'citizenship',
  summary: 'Citizenships of empires: see yours and what each asks, apply, withdraw, renounce.',
  order: 'plain',
  changes: CHANGES,
  params: obj({
    action: choice('What to do.', ['list', ...WRITES]),
    empire_id: optional(empireParam),
  }),
  result: citizenshipSchema,
  errors: ['invalid_payload', ...new Set(Object.values(ERRORS_OF).flat())],
  readsOnly: ({ action }) => action === 'list',
  run: (world, player, { action, empire_id }) =>
    action === 'list' ? ok(renderList(world, player)) : act(world, player, action, empire_id),
})

/** The address of an action on v2. */
const onV2 = (action: Write): CommandDef =>
  mutation({
    ...shared,
    name: action,
    v1: false,
    v1Name: `citizenship ${action}`,
    v2: { tool: 'game_citizenship', action, rename: { empire_id: 'target' } },
    summary: SUMMARY[action],
    order: 'plain',
    changes: CHANGES,
    params: obj({ empire_id: empireParam }),
    result: citizenshipSchema,
    errors: ['invalid_payload', ...ERRORS_OF[action]],
    run: (world, player, { empire_id }) => act(world, player, action, empire_id),
  })

export const citizenshipActions: readonly CommandDef[] = [
  query({
    ...shared,
    name: 'list',
    v1: false,
    v1Name: 'citizenship list',
    v2: { tool: 'game_citizenship', action: 'list' },
    summary: 'Your citizenships and petitions, and what each empire asks of its citizens.',
    params: NO_PARAMS,
    result: citizenshipSchema,
    errors: [],
    run: (view, player) => ok(renderList(view, player)),
  }),
  ...WRITES.map(onV2),
]
