/** Changes to petitions, and to the index by which they are found. */
import { addToList, removeFromList } from '../../core/groups.ts'
import { openAccount } from '../../core/ledger.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { bookKey, escrowOf } from './model.ts'
import {
  CITIZEN_BOOKS,
  type CitizenBook,
  CitizenOffice,
  CitizenPetition,
  PENDING,
} from './state.ts'

export const writeBook = (world: World, player: Eid, book: CitizenBook): void =>
  world.records(CITIZEN_BOOKS).set(bookKey(world, player), book)

/** Returns the escrow account of the fees, opening it before the first petition. */
export function openEscrow(world: World): Row {
  const found = escrowOf(world)
  if (found !== 0) return found
  const escrow = openAccount(world)
  world.write(CitizenOffice).escrow[world.take(CitizenOffice)] = escrow
  return escrow
}

/* The index */

function listDue(world: World, petition: Row): void {
  const { due } = world.index(PENDING)
  const tick = world.read(CitizenPetition).dueTick[petition]
  addToList(due, tick, petition)
}

/** Adds a pending petition to the index; its player and due tick are in the row. */
export function enterPetition(world: World, petition: Row): void {
  const { byPlayer } = world.index(PENDING)
  const { player } = world.read(CitizenPetition)
  byPlayer.set(player[petition], [...(byPlayer.get(player[petition]) ?? []), petition])
  listDue(world, petition)
}

/** Postpones a decision by this many ticks. */
export function postpone(world: World, petition: Row, ticks: number): void {
  world.write(CitizenPetition).dueTick[petition] = world.tick + ticks
  listDue(world, petition)
}

/** Removes a petition and releases its row; the caller moves the fee. */
export function closePetition(world: World, petition: Row): void {
  const { byPlayer } = world.index(PENDING)
  const { player } = world.read(CitizenPetition)
  removeFromList(byPlayer, player[petition], petition)
  world.release(CitizenPetition, petition)
}

/**
 * Removes and returns the petitions that are due now, the oldest first. A row that was released
 * since it was scheduled may hold another petition, which is due in a tick of its own.
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
  const { byPlayer, due } = world.index(PENDING)
  byPlayer.clear()
  due.clear()
  const { alive, seq } = world.read(CitizenPetition)
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(CitizenPetition); row++)
    if (alive[row] === 1) rows.push(row)
  for (const row of rows.sort((a, b) => seq[a] - seq[b])) enterPetition(world, row)
}
