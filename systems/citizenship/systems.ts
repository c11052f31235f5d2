/**
 * Petitions on their way: asking, withdrawing, and what an empire decides. The fee lies in escrow
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
      assert(empire[row] < EMPIRES.length, `petition ${row} is to nobody`)
      assert(petitionTo(view, player[row], empire[row]) === row, `petition ${row} is made twice`)
      assert(!isCitizen(view, player[row], empire[row]), `petition ${row} has been granted`)
      assert(dueTick[row] >= view.tick, `petition ${row} was forgotten`)
    }
    const escrow = escrowOf(view)
    const held = escrow === 0 ? 0 : balanceOf(view, escrow)
    assert(held === sum, `the escrow of petitions holds ${held} credits of ${sum}`)
    for (const [number, { asked, decided }] of view.records(CITIZEN_BOOKS).entries()) {
      assert(asked.length <= CITIZEN_PETITIONS_PER_DAY, `player ${number} asks too often`)
      assert(decided.length <= CITIZEN_DECISIONS_SHOWN_MAX, `player ${number} is told too much`)
    }
  },
}

/** Lays a petition before an empire and pays its fee; the caller has seen that it may be made. */
export function openPetition(world: World, player: Eid, empire: number): Row {
  const { name, policy } = EMPIRES[empire]
  const fee = policy.citizenship_fee
  const wallet = walletOf(world, player)
  const said = `Paid ${counted(fee, 'credit')} with a petition for the citizenship of ${name}.`
  creditMove(world, player, wallet, openEscrow(world), fee, 'other', 'citizenship_fee', said)
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
  const words = `Asks for citizenship: reputation ${reputation}, credits ${credits}, fee ${fee}.`
  filePetition(world, player, empire, 'citizenship', words)
  return petition
}

/** Gives the fee of a petition back, with words for the log. */
function refund(world: World, petition: Row, verb: string, words: string): void {
  const { player, fee } = world.read(CitizenPetition)
  const [asker, credits] = [player[petition], fee[petition]]
  const wallet = walletOf(world, asker)
  creditMove(world, asker, escrowOf(world), wallet, credits, 'other', verb, words)
}

/** Takes a petition back; the caller has seen that the wallet can take the fee. */
export function withdrawPetition(world: World, petition: Row): void {
  const { player, empire, fee } = world.read(CitizenPetition)
  const { id, name } = EMPIRES[empire[petition]]
  const words = `Withdrew the petition to ${name}; ${counted(fee[petition], 'credit')} came back.`
  if (fee[petition] > 0) refund(world, petition, 'citizenship_withdrawn', words)
  else
    logAction(world, player[petition], 'other', 'citizenship_withdrawn', words, { empire_id: id })
  closePetition(world, petition)
}

function note(world: World, petition: Row, status: Decision['status'], words: string): void {
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
    words,
    decidedMs: world.wallMs,
  }
  const book = bookOf(world, player)
  const decided = [decision, ...book.decided].slice(0, CITIZEN_DECISIONS_SHOWN_MAX)
  writeBook(world, player, { ...book, decided })
}

/**
 * Makes a petitioner a citizen: the fee is the empire's, and an empire that shares with nobody ends
 * all their other citizenships. Returns the empires that they are no citizen of any more.
 */
export function grant(world: World, petition: Row): number[] {
  const { player, empire, fee } = world.read(CitizenPetition)
  const [asker, to] = [player[petition], empire[petition]]
  if (fee[petition] > 0) {
    post(world, escrowOf(world), empireTreasury(world, to), fee[petition])
  }
  const { name, policy } = EMPIRES[to]
  const given = policy.citizenship_exclusive
    ? EMPIRES.map((_, i) => i).filter((i) => i !== to && isCitizen(world, asker, i))
    : []
  const { citizenSinceMs } = world.write(Player)
  for (const lost of given) citizenSinceMs[asker * EMPIRES_WIDTH + lost] = 0
  citizenSinceMs[asker * EMPIRES_WIDTH + to] = Math.max(1, world.wallMs)
  const lost =
    given.length === 0 ? '' : ' It shares its citizens with nobody: you are theirs alone.'
  const message = `${name} has made you a citizen.${lost}`
  note(world, petition, 'granted', message)
  closePetition(world, petition)
  sendNotice(world, asker, to, { kind: 'citizenship', message })
  return given
}

function reject(world: World, petition: Row, why: string): void {
  const { player, empire, fee } = world.read(CitizenPetition)
  const [asker, to, credits] = [player[petition], empire[petition], fee[petition]]
  const { name } = EMPIRES[to]
  const back = credits === 0 ? '' : ` ${counted(credits, 'credit')} came back.`
  const message = `${name} does not take you as a citizen: ${why}${back}`
  refund(world, petition, 'citizenship_rejected', message)
  note(world, petition, 'rejected', message)
  closePetition(world, petition)
  sendNotice(world, asker, to, { kind: 'citizenship', message })
}

/** An account that can take no more lets an empire think on; nothing is lost by waiting. */
function decideOn(world: World, petition: Row): void {
  const { player, empire, fee } = world.read(CitizenPetition)
  const [asker, to] = [player[petition], empire[petition]]
  const wallet = walletOf(world, asker)
  const refused = citizenRefusal(world, asker, to, balanceOf(world, wallet))
  const payee = refused ? wallet : empireTreasury(world, to)
  if (!canReceive(world, payee, fee[petition])) postpone(world, petition, CITIZEN_DECISION_TICKS)
  else if (refused) reject(world, petition, refused.message)
  else grant(world, petition)
}

/** Empires without a ruler at hand decide by the gates of their policy. */
export const decide: SystemDef = {
  name: 'citizenship.decide',
  phase: 'produce',
  writes: [Account, CitizenPetition, Player],
  run(world) {
    for (const petition of takeDue(world)) decideOn(world, petition)
  },
}
