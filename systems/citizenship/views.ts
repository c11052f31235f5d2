/** Wire forms of citizenships and petitions. Source: contract, CitizenshipResponse. */
import { EMPIRES } from '../../core/catalog/index.ts'
import { wireId } from '../../core/entity.ts'
import type { Static } from '../../core/params.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { isCitizen, playerId, reputationOf, usernameOf } from '../account/model.ts'
import { EMPIRES_WIDTH, Player } from '../account/state.ts'
import { bookOf, petitionRefusal, petitionsOf, petitionTo } from './model.ts'
import type { citizenshipSchema, petitionFields } from './schemas.ts'
import { CitizenPetition, type Decision } from './state.ts'

const idsOfBits = (bits: number): string[] =>
  EMPIRES.filter((_, i) => (bits & (1 << i)) !== 0).map(({ id }) => id)

/** Returns who decides for an empire. */
const rulerOf = (empire: number): string =>
  `${EMPIRES[empire].leader_title} ${EMPIRES[empire].leader_name}`

type PetitionFacts = Pick<
  Decision,
  'number' | 'empire' | 'fee' | 'credits' | 'reputation' | 'held' | 'createdMs'
>

function renderFacts(view: WorldView, player: Eid, petition: PetitionFacts, status: string) {
  return {
    id: wireId(view.seed, CitizenPetition.name, petition.number),
    empire_id: EMPIRES[petition.empire].id,
    player_id: playerId(view, player),
    player_name: usernameOf(view, player),
    player_home_empire: EMPIRES[view.read(Player).empire[player]].id as string,
    status,
    created_at: isoTime(petition.createdMs),
    credits: petition.credits,
    fee_paid: petition.fee,
    reputation: petition.reputation,
    held_citizenships: idsOfBits(petition.held),
  }
}

/** Renders a pending petition. */
export function renderPetition(view: WorldView, petition: Row): Static<typeof petitionFields> {
  const columns = view.read(CitizenPetition)
  const facts: PetitionFacts = {
    number: columns.seq[petition],
    empire: columns.empire[petition],
    fee: columns.fee[petition],
    credits: columns.credits[petition],
    reputation: columns.reputation[petition],
    held: columns.held[petition],
    createdMs: columns.createdMs[petition],
  }
  return renderFacts(view, columns.player[petition], facts, 'pending')
}

/** Renders a petition that has been decided. */
export const renderDecision = (view: WorldView, player: Eid, decision: Decision) => ({
  ...renderFacts(view, player, decision, decision.status),
  decided_at: isoTime(decision.decidedMs),
  decided_by: rulerOf(decision.empire),
  decision: decision.words,
})

export const renderCitizenship = (view: WorldView, player: Eid, empire: number) => ({
  empire_id: EMPIRES[empire].id as string,
  granted_at: isoTime(view.read(Player).citizenSinceMs[player * EMPIRES_WIDTH + empire]),
})

function renderSummary(view: WorldView, player: Eid, empire: number) {
  const { id, name, policy } = EMPIRES[empire]
  const refused = petitionRefusal(view, player, empire)
  return {
    empire_id: id as string,
    empire_name: name,
    open: policy.citizenship_open,
    fee: policy.citizenship_fee,
    min_balance: policy.citizenship_min_balance,
    min_reputation: policy.citizenship_min_reputation,
    your_reputation: reputationOf(view, player, empire),
    auto_approve: policy.citizenship_auto_approve,
    exclusive: policy.citizenship_exclusive,
    is_citizen: isCitizen(view, player, empire),
    has_pending: petitionTo(view, player, empire) !== 0,
    eligible: refused === undefined,
    ...(refused === undefined ? {} : { ineligible_reason: refused.message }),
  }
}

const RULES = [
  'You are born a citizen of your origin, which never changes; you may hold several citizenships.',
  'The fee is held until an empire decides, about 360 ticks, and is refunded if it refuses.',
  'An exclusive empire ends your other citizenships the moment it accepts you.',
  'You may renounce the last one too, without a refund: the stateless pay no tax on income or property, and the highest sales tax, until an empire takes them again.',
]

/** Renders origin and citizenships of a player; the list of the stateless is empty. */
export const renderHeld = (view: WorldView, player: Eid) => ({
  origin: EMPIRES[view.read(Player).empire[player]].id as string,
  citizenships: EMPIRES.map((_, empire) => empire)
    .filter((empire) => isCitizen(view, player, empire))
    .map((empire) => renderCitizenship(view, player, empire)),
})

/** Renders the result of the action `list`. */
export function renderList(view: WorldView, player: Eid): Static<typeof citizenshipSchema> {
  const empires = EMPIRES.map((_, empire) => empire)
  return {
    ...renderHeld(view, player),
    pending_petitions: petitionsOf(view, player).map((row) => renderPetition(view, row)),
    recent_decisions: bookOf(view, player).decided.map((decision) =>
      renderDecision(view, player, decision),
    ),
    empires: empires.map((empire) => renderSummary(view, player, empire)),
    rules: RULES,
  }
}
