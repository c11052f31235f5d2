/**
 * Requirements of citizenship, and finding petitions. Source: factions.md sections 9 and 10.
 */
import { EMPIRES, type EmpireRow } from '../../core/catalog/index.ts'
import { idOf } from '../../core/entity.ts'
import { type Failure, fail, waitRefusal } from '../../core/errors.ts'
import { balanceOf, canReceive } from '../../core/ledger.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { isCitizen, reputationOf, walletOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { empireTreasury } from '../base/model.ts'
import { isNearlyFull } from '../cargo/model.ts'
import {
  CITIZEN_BOOKS,
  CITIZEN_PETITION_DAY_TICKS,
  CITIZEN_PETITIONS_PER_DAY,
  type CitizenBook,
  CitizenOffice,
  CitizenPetition,
  PENDING,
} from './state.ts'

export const petitionId = (view: WorldView, petition: Row): string =>
  idOf(view, CitizenPetition, petition)

/** Returns the pending petitions of a player, the oldest first: at most one to each empire. */
export const petitionsOf = (view: WorldView, player: Eid): readonly Row[] =>
  view.index(PENDING).byPlayer.get(player) ?? []

/** Returns the pending petition of a player to an empire; 0 for none. */
export const petitionTo = (view: WorldView, player: Eid, empire: number): Row =>
  petitionsOf(view, player).find((row) => view.read(CitizenPetition).empire[row] === empire) ?? 0

export const bookKey = (view: WorldView, player: Eid): string =>
  String(view.read(Player).seq[player])

/** Returns what is recorded of a player's petitions. */
export const bookOf = (view: WorldView, player: Eid): CitizenBook =>
  view.records(CITIZEN_BOOKS).get(bookKey(view, player)) ?? { asked: [], decided: [] }

/** Returns the escrow account of the fees; 0 before the first petition. */
export const escrowOf = (view: WorldView): Row => view.read(CitizenOffice).escrow[1]

/** Returns the citizenships of a player as bits by EMPIRES. */
export const citizenBits = (view: WorldView, player: Eid): number =>
  EMPIRES.reduce((bits, _, i) => (isCitizen(view, player, i) ? bits | (1 << i) : bits), 0)

/* Requirements */

/**
 * Refuses an applicant with these figures by the policy of an empire; `credits` is what they have
 * after the fee. Refusals: citizenship_closed, insufficient_balance, insufficient_reputation.
 */
export function policyRefusal(
  { id, name, policy }: EmpireRow,
  credits: number,
  reputation: number,
) {
  if (!policy.citizenship_open) return fail('citizenship_closed', { empire_id: id })
  const need = policy.citizenship_min_balance
  if (credits < need) {
    const message = `${name} asks for ${counted(need, 'credit')} besides the fee; you would have ${credits}.`
    return fail('insufficient_balance', { need, have: credits }, message)
  }
  const minReputation = policy.citizenship_min_reputation
  if (reputation >= minReputation) return undefined
  const message = `${name} asks for a reputation of ${minReputation}; yours is ${reputation}.`
  return fail('insufficient_reputation', { need: minReputation, have: reputation }, message)
}

/** Refuses a player by the policy of an empire; `credits` is what they have after the fee. */
export const citizenRefusal = (view: WorldView, player: Eid, empire: number, credits: number) =>
  policyRefusal(EMPIRES[empire], credits, reputationOf(view, player, empire))

/** Returns the ticks of a player's petitions of the last day. */
export const recentPetitions = (view: WorldView, player: Eid): readonly number[] =>
  bookOf(view, player).asked.filter((tick) => view.tick - tick < CITIZEN_PETITION_DAY_TICKS)

/**
 * Refuses with rate_limited, and the seconds until the oldest petition of the day is a day old.
 */
function rateRefusal(view: WorldView, player: Eid): Failure<'rate_limited'> | undefined {
  const recent = recentPetitions(view, player)
  if (recent.length < CITIZEN_PETITIONS_PER_DAY) return undefined
  const ticks = recent[0] + CITIZEN_PETITION_DAY_TICKS - view.tick
  const message = `You have made all ${CITIZEN_PETITIONS_PER_DAY} petitions of a day; wait a while.`
  return waitRefusal(view, ticks, message)
}

/**
 * Refuses a petition: already_citizen, already_pending, no_credits, rate_limited,
 * amount_too_large, limit_reached and those of `citizenRefusal`.
 */
export function petitionRefusal(view: WorldView, player: Eid, empire: number) {
  const { id, policy } = EMPIRES[empire]
  if (isCitizen(view, player, empire)) return fail('already_citizen', { empire_id: id })
  if (petitionTo(view, player, empire) !== 0) return fail('already_pending', { empire_id: id })
  const [fee, have] = [policy.citizenship_fee, balanceOf(view, walletOf(view, player))]
  if (policy.citizenship_open && have < fee) return fail('no_credits', { need: fee, have })
  const refused = citizenRefusal(view, player, empire, have - fee) ?? rateRefusal(view, player)
  if (refused) return refused
  if (!canReceive(view, empireTreasury(view, empire), fee)) return fail('amount_too_large')
  return isNearlyFull(view, CitizenPetition) ? fail('limit_reached') : undefined
}
