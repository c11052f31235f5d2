/**
 * The command `citizenship`: v1 takes the action as a parameter, v2 has an address for each. The
 * list is answered at once. Source: factions.md section 9.
 */
import { actionCommands, actionRow } from '../../core/action-table.ts'
import { EMPIRE_IDS, EMPIRES, empireIndex } from '../../core/catalog/index.ts'
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { canReceive } from '../../core/ledger.ts'
import { ref, str, words } from '../../core/params.ts'
import type { Eid, World } from '../../core/types.ts'
import { isCitizen, walletOf } from '../account/model.ts'
import { EMPIRES_WIDTH, Player } from '../account/state.ts'
import { logAction } from '../log/rules.ts'
import { bookOf, petitionId, petitionRefusal, petitionTo } from './model.ts'
import { citizenshipSchema } from './schemas.ts'
import { CitizenPetition } from './state.ts'
import { grantCitizenship, openPetition, withdrawPetition } from './systems.ts'
import {
  renderCitizenship,
  renderDecision,
  renderHeld,
  renderList,
  renderPetition,
} from './views.ts'

interface CitizenshipParams {
  readonly empire_id?: string
}

const apply = (world: World, player: Eid, empire: number) => {
  const refused = petitionRefusal(world, player, empire)
  if (refused) return refused
  const { id, name, policy } = EMPIRES[empire]
  const petition = openPetition(world, player, empire)
  const petition_id = petitionId(world, petition)
  const common = { empire_id: id, petition_id, fee_paid: policy.citizenship_fee }
  if (!policy.citizenship_auto_approve) {
    const message = `Your petition is before ${name}, which decides in about an hour.`
    logAction(world, player, 'other', 'citizenship_asked', message, { empire_id: id })
    const shown = renderPetition(world, petition)
    return ok({ ...common, status: 'pending', petition: shown, message })
  }
  const renounced = grantCitizenship(world, petition)
  const [decision] = bookOf(world, player).decided
  return ok({
    ...common,
    status: 'granted',
    petition: renderDecision(world, player, decision),
    citizenship: renderCitizenship(world, player, empire),
    renounced: renounced.map((other) => EMPIRES[other].id),
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
  const message = `You are no longer a citizen of ${name}${isStateless ? ', nor of any other empire' : ''}.`
  logAction(world, player, 'other', 'citizenship_renounced', message, { empire_id: id })
  const { origin, citizenships } = renderHeld(world, player)
  return ok({ origin, citizenships, empire_id: id, status: 'renounced', renounced: [id], message })
}

/** Makes a `run` that finds the empire by its id. Refusal: invalid_empire. */
const byId =
  <O extends Outcome<unknown>>(act: (world: World, player: Eid, empire: number) => O) =>
  (
    world: World,
    player: Eid,
    { empire_id = '' }: CitizenshipParams,
  ): O | Failure<'invalid_empire'> => {
    const empire = empireIndex(empire_id.trim().toLowerCase())
    if (empire < 0) return fail('invalid_empire', { empires: [...EMPIRE_IDS] })
    return act(world, player, empire)
  }

const action = actionRow<CitizenshipParams>()
const MUTATION = {
  kind: 'mutation',
  required: ['empire_id'],
  needs: [],
  result: citizenshipSchema,
} as const

const ACTIONS = [
  action({
    kind: 'query',
    name: 'list',
    summary: 'Show your citizenships and petitions, and what each empire asks of its citizens.',
    needs: [],
    errors: [],
    result: citizenshipSchema,
    run: (view, player) => ok(renderList(view, player)),
  }),
  action({
    ...MUTATION,
    name: 'apply',
    summary: 'Ask an empire for its citizenship; the fee is held until it decides.',
    errors: words(
      'invalid_empire citizenship_closed already_citizen already_pending no_credits',
      'insufficient_balance insufficient_reputation rate_limited amount_too_large limit_reached',
    ),
    run: byId(apply),
  }),
  action({
    ...MUTATION,
    name: 'withdraw',
    summary: 'Withdraw a petition for citizenship; the fee is refunded.',
    errors: ['invalid_empire', 'no_pending', 'amount_too_large'],
    run: byId(withdraw),
  }),
  action({
    ...MUTATION,
    name: 'renounce',
    summary: 'Give up a citizenship, without a refund; you may be stateless.',
    errors: ['invalid_empire', 'not_citizen'],
    run: byId(renounce),
  }),
]

export const citizenshipCommands = actionCommands<CitizenshipParams>({
  name: 'citizenship',
  tool: 'game_citizenship',
  category: 'citizenship',
  summary: 'Citizenships of empires: see yours and what each asks, apply, withdraw, renounce.',
  params: {
    empire_id: ref(
      'empire',
      str(`One of ${EMPIRE_IDS.join(', ')}.`, { min: 1, max: 64, example: 'voidborn' }),
    ),
  },
  rename: { empire_id: 'target' },
  rows: ACTIONS,
  changes: ['player'],
  isMutation: true,
  help: {
    description: 'Citizenship of empires, which require a fee, a balance and a reputation.',
    notes: [
      'An empire that does not grant at once decides in about an hour; until then it holds the fee.',
      'Some empires are exclusive: to become their citizen is to give up all other citizenships.',
      'A citizenship stays yours until you renounce it; a player without any is stateless.',
    ],
  },
})
