/**
 * What an empire asks of its citizens, whom it takes, and how petitions are found. Source:
 * factions.md sections 9 and 10.
 */
import { EMPIRES, type EmpireRow } from '../../core/catalog/index.ts'
import { idOf } from '../../core/entity.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { balanceOf, canReceive, openAccount } from '../../core/ledger.ts'
import { CITIZEN_PETITION_DAY_TICKS, CITIZEN_PETITIONS_PER_DAY } from '../../core/limits-society.ts'
import { divCeil } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/columns.ts'
import { isCitizen, reputationOf, walletOf } from '../account/rules.ts'
import { empireTreasury } from '../base/rules.ts'
import { isNearlyFull } from '../cargo/rules.ts'
import { CITIZEN_BOOKS, type CitizenBook, CitizenOffice, CitizenPetition } from './columns.ts'

/* Finding */

/** Pending petitions by player, and by the tick in which they are decided; the oldest first. */
const PENDING = defineIndex('citizenship.pending', () => ({
  of: new Map<Eid, Row[]>(),
  due: new Map<number, Row[]>(),
}))

export const petitionId = (view: WorldView, petition: Row): string =>
  idOf(view, CitizenPetition, petition)

/** Pending petitions of a player, the oldest first: one an empire at most. */
export const petitionsOf = (view: WorldView, player: Eid): readonly Row[] =>
  view.index(PENDING).of.get(player) ?? []

/** The pending petition of a player to an empire; 0 none. */
export const petitionTo = (view: WorldView, player: Eid, empire: number): Row =>
  petitionsOf(view, player).find((row) => view.read(CitizenPetition).empire[row] === empire) ?? 0

const bookKey = (view: WorldView, player: Eid): string => String(view.read(Player).seq[player])

export const bookOf = (view: WorldView, player: Eid): CitizenBook =>
  view.records(CITIZEN_BOOKS).get(bookKey(view, player)) ?? { asked: [], decided: [] }

export const writeBook = (world: World, player: Eid, book: CitizenBook): void =>
  world.records(CITIZEN_BOOKS).set(bookKey(world, player), book)

/** The account of the fees held; 0 before anybody asked. */
export const escrowOf = (view: WorldView): Row => view.read(CitizenOffice).escrow[1]

/** As `escrowOf`, opening it where there is none. */
export function openEscrow(world: World): Row {
  const found = escrowOf(world)
  if (found !== 0) return found
  const escrow = openAccount(world)
  world.write(CitizenOffice).escrow[world.take(CitizenOffice)] = escrow
  return escrow
}

/** Citizenships of a player as bits by EMPIRES. */
export const citizenBits = (view: WorldView, player: Eid): number =>
  EMPIRES.reduce((bits, _, i) => (isCitizen(view, player, i) ? bits | (1 << i) : bits), 0)

/* What is asked of a citizen */

/**
 * What an empire has against somebody of this standing who will have so many credits. Refusals:
 * citizenship_closed, insufficient_balance, insufficient_reputation.
 */
export function refusedBy(
  { id, name, policy }: EmpireRow,
  credits: number,
  reputation: number,
): Failure | undefined {
  if (!policy.citizenship_open) return fail('citizenship_closed', { empire_id: id })
  const need = policy.citizenship_min_balance
  if (credits < need) {
    const words = `${name} asks for ${counted(need, 'credit')} besides the fee; you would have ${credits}.`
    return fail('insufficient_balance', { need, have: credits }, words)
  }
  const least = policy.citizenship_min_reputation
  if (reputation >= least) return undefined
  const words = `${name} asks for a reputation of ${least}; yours is ${reputation}.`
  return fail('insufficient_reputation', { need: least, have: reputation }, words)
}

/** The same for a player whose wallet will hold so many credits. */
export const refusesCitizen = (view: WorldView, player: Eid, empire: number, credits: number) =>
  refusedBy(EMPIRES[empire], credits, reputationOf(view, player, empire))

/** Petitions of the last day. */
export const askedLately = (view: WorldView, player: Eid): readonly number[] =>
  bookOf(view, player).asked.filter((tick) => view.tick - tick < CITIZEN_PETITION_DAY_TICKS)

/** Refusal: rate_limited, with the seconds until the oldest petition of the day is a day old. */
function refusesOften(view: WorldView, player: Eid): Failure | undefined {
  const asked = askedLately(view, player)
  if (asked.length < CITIZEN_PETITIONS_PER_DAY) return undefined
  const ticks = asked[0] + CITIZEN_PETITION_DAY_TICKS - view.tick
  const wait_seconds = divCeil(ticks * view.tickMs, 1_000)
  const words = `That is all of your ${CITIZEN_PETITIONS_PER_DAY} petitions for a day.`
  return fail('rate_limited', { wait_seconds }, words)
}

/**
 * Why a player may not ask an empire for citizenship now. Refusals: already_citizen,
 * already_pending, no_credits, rate_limited, amount_too_large, limit_reached and those of
 * `refusesCitizen`.
 */
export function refusesPetition(view: WorldView, player: Eid, empire: number): Failure | undefined {
  const { id, policy } = EMPIRES[empire]
  if (isCitizen(view, player, empire)) return fail('already_citizen', { empire_id: id })
  if (petitionTo(view, player, empire) !== 0) return fail('already_pending', { empire_id: id })
  const [fee, have] = [policy.citizenship_fee, balanceOf(view, walletOf(view, player))]
  if (policy.citizenship_open && have < fee) return fail('no_credits', { need: fee, have })
  const refused = refusesCitizen(view, player, empire, have - fee) ?? refusesOften(view, player)
  if (refused) return refused
  if (!canReceive(view, empireTreasury(view, empire), fee)) return fail('amount_too_large')
  return isNearlyFull(view, CitizenPetition) ? fail('limit_reached') : undefined
}

/* The index */

function listDue(world: World, petition: Row): void {
  const { due } = world.index(PENDING)
  const tick = world.read(CitizenPetition).dueTick[petition]
  const rows = due.get(tick)
  if (rows) rows.push(petition)
  else due.set(tick, [petition])
}

/** Enters a pending petition; its player, empire and due tick stand in the row. */
export function enterPetition(world: World, petition: Row): void {
  const { of } = world.index(PENDING)
  const { player } = world.read(CitizenPetition)
  of.set(player[petition], [...(of.get(player[petition]) ?? []), petition])
  listDue(world, petition)
}

/** Puts off a decision by so many ticks. */
export function putOff(world: World, petition: Row, ticks: number): void {
  world.write(CitizenPetition).dueTick[petition] = world.tick + ticks
  listDue(world, petition)
}

/** Takes a petition off the list and gives its row back; the fee is the caller's to move. */
export function closePetition(world: World, petition: Row): void {
  const { of } = world.index(PENDING)
  const { player } = world.read(CitizenPetition)
  const left = petitionsOf(world, player[petition]).filter((row) => row !== petition)
  if (left.length === 0) of.delete(player[petition])
  else of.set(player[petition], left)
  world.release(CitizenPetition, petition)
}

/**
 * Takes the petitions that are due now, the oldest first. A row given back meanwhile may hold
 * another petition by now: that one is due in a tick of its own.
 */
export function takeDue(world: World): Row[] {
  const { due } = world.index(PENDING)
  const rows = due.get(world.tick) ?? []
  due.delete(world.tick)
  const { alive, dueTick, seq } = world.read(CitizenPetition)
  const now = [...new Set(rows)].filter((row) => alive[row] === 1 && dueTick[row] === world.tick)
  return now.sort((a, b) => seq[a] - seq[b])
}

/** Fills the index from the table, after a restore. */
export function rebuildPetitions(world: World): void {
  const { of, due } = world.index(PENDING)
  of.clear()
  due.clear()
  const { alive, seq } = world.read(CitizenPetition)
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(CitizenPetition); row++)
    if (alive[row] === 1) rows.push(row)
  for (const row of rows.sort((a, b) => seq[a] - seq[b])) enterPetition(world, row)
}
