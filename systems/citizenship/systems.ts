/**
 * The life of a petition: opening, withdrawal, and the decision of the empire. The fee is in escrow
 * until then. Source: factions.md section 9.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRES } from '../../core/catalog/index.ts'
import { Account, balanceOf, canReceive, post } from '../../core/ledger.ts'
import type { CheckDef } from '../../core/registry.ts'
import { counted } from '../../core/say.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { isCitizen, reputationOf, walletOf } from '../account/model.ts'
import { EMPIRES_WIDTH, Player } from '../account/state.ts'
import { empireTreasury } from '../base/model.ts'
import { sendNotice } from '../law/rules.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { filePetition } from '../petition/rules.ts'
import {
  bookOf,
  citizenBits,
  citizenRefusal,
  escrowOf,
  petitionTo,
  recentPetitions,
} from './model.ts'
import { closePetition, enterPetition, openEscrow, postpone, takeDue, writeBook } from './rules.ts'
import {
  CITIZEN_BOOKS,
  CITIZEN_DECISION_TICKS,
  CITIZEN_DECISIONS_SHOWN_MAX,
  CITIZEN_PETITIONS_PER_DAY,
  CitizenPetition,
  type Decision,
} from './state.ts'

/* Invariants of citizenship. Source: factions.md section 12. */

export const feesAreHeld: CheckDef = {
  name: 'citizenship: the escrow holds the fees of pending petitions, one a player and empire',
  run(view, full) {
    if (!full) return
    const { alive, player, empire, fee, dueTick } = view.read(CitizenPetition)
    let sum = 0
    for (let row = 1; row <= view.highOf(CitizenPetition); row++) {
      if (alive[row] === 0) continue
      sum += fee[row]
      assert(empire[row] < EMPIRES.length, `petition ${row} is to no empire`)
      assert(petitionTo(view, player[row], empire[row]) === row, `petition ${row} is made twice`)
      assert(!isCitizen(view, player[row], empire[row]), `petition ${row} has been granted`)
      assert(dueTick[row] >= view.tick, `petition ${row} is overdue`)
    }
    const escrow = escrowOf(view)
    const held = escrow === 0 ? 0 : balanceOf(view, escrow)
    assert(held === sum, `the escrow of petitions holds ${held} credits of ${sum}`)
    for (const [number, { asked, decided }] of view.records(CITIZEN_BOOKS).entries()) {
      assert(asked.length <= CITIZEN_PETITIONS_PER_DAY, `player ${number} asks too often`)
      assert(decided.length <= CITIZEN_DECISIONS_SHOWN_MAX, `player ${number} keeps too many`)
    }
  },
}

/** Opens a petition and pays its fee into escrow; the caller has checked petitionRefusal. */
export function openPetition(world: World, player: Eid, empire: number): Row {
  const { name, policy } = EMPIRES[empire]
  const fee = policy.citizenship_fee
  const wallet = walletOf(world, player)
  const message = `Paid ${counted(fee, 'credit')} with a petition for the citizenship of ${name}.`
  creditMove(world, player, wallet, openEscrow(world), fee, 'other', 'citizenship_fee', message)
  const petition = world.take(CitizenPetition)
  const columns = world.write(CitizenPetition)
  const [credits, reputation] = [balanceOf(world, wallet), reputationOf(world, player, empire)]
  columns.player[petition] = player
  columns.empire[petition] = empire
  columns.fee[petition] = fee
  columns.credits[petition] = credits
  columns.reputation[petition] = reputation
  columns.held[petition] = citizenBits(world, player)
  columns.createdMs[petition] = world.wallMs
  columns.dueTick[petition] = world.tick + CITIZEN_DECISION_TICKS
  enterPetition(world, petition)
  const asked = [...recentPetitions(world, player), world.tick]
  writeBook(world, player, { ...bookOf(world, player), asked })
  const summary = `Asks for citizenship: reputation ${reputation}, credits ${credits}, fee ${fee}.`
  filePetition(world, player, empire, 'citizenship', summary)
  return petition
}

/** Refunds the fee of a petition; the message goes into the log. */
function refund(world: World, petition: Row, verb: string, message: string): void {
  const { player, fee } = world.read(CitizenPetition)
  const [applicant, credits] = [player[petition], fee[petition]]
  const wallet = walletOf(world, applicant)
  creditMove(world, applicant, escrowOf(world), wallet, credits, 'other', verb, message)
}

/** Withdraws a petition; the caller has checked that the wallet can receive the fee. */
export function withdrawPetition(world: World, petition: Row): void {
  const { player, empire, fee } = world.read(CitizenPetition)
  const { id, name } = EMPIRES[empire[petition]]
  const message = `Withdrew the petition to ${name}; ${counted(fee[petition], 'credit')} came back.`
  if (fee[petition] > 0) refund(world, petition, 'citizenship_withdrawn', message)
  else
    logAction(world, player[petition], 'other', 'citizenship_withdrawn', message, { empire_id: id })
  closePetition(world, petition)
}

function recordDecision(
  world: World,
  petition: Row,
  status: Decision['status'],
  message: string,
): void {
  const columns = world.read(CitizenPetition)
  const player = columns.player[petition]
  const decision: Decision = {
    number: columns.seq[petition],
    empire: columns.empire[petition],
    fee: columns.fee[petition],
    credits: columns.credits[petition],
    reputation: columns.reputation[petition],
    held: columns.held[petition],
    createdMs: columns.createdMs[petition],
    status,
    words: message,
    decidedMs: world.wallMs,
  }
  const book = bookOf(world, player)
  const decided = [decision, ...book.decided].slice(0, CITIZEN_DECISIONS_SHOWN_MAX)
  writeBook(world, player, { ...book, decided })
}

/**
 * Makes a petitioner a citizen: the fee goes to the empire, and an exclusive empire ends all their
 * other citizenships. Returns the empires whose citizenship they lost.
 */
export function grantCitizenship(world: World, petition: Row): number[] {
  const { player, empire, fee } = world.read(CitizenPetition)
  const [applicant, to] = [player[petition], empire[petition]]
  if (fee[petition] > 0) {
    post(world, escrowOf(world), empireTreasury(world, to), fee[petition])
  }
  const { name, policy } = EMPIRES[to]
  const renounced = policy.citizenship_exclusive
    ? EMPIRES.map((_, i) => i).filter((i) => i !== to && isCitizen(world, applicant, i))
    : []
  const { citizenSinceMs } = world.write(Player)
  for (const lost of renounced) citizenSinceMs[applicant * EMPIRES_WIDTH + lost] = 0
  citizenSinceMs[applicant * EMPIRES_WIDTH + to] = Math.max(1, world.wallMs)
  const lost =
    renounced.length === 0 ? '' : ' It shares its citizens with nobody: you are theirs alone.'
  const message = `${name} has made you a citizen.${lost}`
  recordDecision(world, petition, 'granted', message)
  closePetition(world, petition)
  sendNotice(world, applicant, to, { kind: 'citizenship', message })
  return renounced
}

function reject(world: World, petition: Row, reason: string): void {
  const { player, empire, fee } = world.read(CitizenPetition)
  const [applicant, to, credits] = [player[petition], empire[petition], fee[petition]]
  const { name } = EMPIRES[to]
  const refundText = credits === 0 ? '' : ` ${counted(credits, 'credit')} came back.`
  const message = `${name} does not take you as a citizen: ${reason}${refundText}`
  refund(world, petition, 'citizenship_rejected', message)
  recordDecision(world, petition, 'rejected', message)
  closePetition(world, petition)
  sendNotice(world, applicant, to, { kind: 'citizenship', message })
}

/** Decides on a petition, or postpones it while the payee's account cannot receive the fee. */
function decideOn(world: World, petition: Row): void {
  const { player, empire, fee } = world.read(CitizenPetition)
  const [applicant, to] = [player[petition], empire[petition]]
  const wallet = walletOf(world, applicant)
  const refused = citizenRefusal(world, applicant, to, balanceOf(world, wallet))
  const payee = refused ? wallet : empireTreasury(world, to)
  if (!canReceive(world, payee, fee[petition])) postpone(world, petition, CITIZEN_DECISION_TICKS)
  else if (refused) reject(world, petition, refused.message)
  else grantCitizenship(world, petition)
}

/** Decides petitions that are due, by the requirements of the empire's policy. */
export const decide: SystemDef = {
  name: 'citizenship.decide',
  phase: 'produce',
  writes: [Account, CitizenPetition, Player],
  run(world) {
    for (const petition of takeDue(world)) decideOn(world, petition)
  },
}
