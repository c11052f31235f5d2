/** Rules of notes that reach other domains. */
import { type Outcome, ok } from '../../core/errors.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Base } from '../base/state.ts'
import { holdsPackage, lockerOf, packagesIn } from '../cargo/model.ts'
import { Package } from '../cargo/state.ts'
import { factionOf } from '../faction/model.ts'
import { shipsOf } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { count, noNote, noteById } from './model.ts'
import { Note, WRITTEN } from './state.ts'

/** Fills the index from the table, after a restore. */
export function rebuildWritten(world: World): void {
  world.index(WRITTEN).clear()
  const { alive, author, characters } = world.read(Note)
  for (let note = 1; note <= world.highOf(Note); note++) {
    if (alive[note] === 1) count(world, author[note], 1, characters[note])
  }
}

/** The same, or in a store of the player's faction: they may read it. */
export function readableNote(
  view: WorldView,
  player: Eid,
  id: string,
): Outcome<Row, 'note_not_found'> {
  const note = noteById(view, id)
  const pkg = view.read(Note).pkg[note]
  if (note === 0 || !holdsPackage(view, player, pkg, factionOf(view, player))) return noNote(id)
  return ok(note)
}

/** Notes in holds and lockers of a player, the oldest first. O(ships + bases + what is there). */
export function notesOf(view: WorldView, player: Eid): Row[] {
  const { hold } = view.read(Ship)
  const places = shipsOf(view, player).map((ship) => hold[ship])
  for (let base = 1; base <= view.highOf(Base); base++) places.push(lockerOf(view, player, base))
  const { note } = view.read(Package)
  const notes = places.flatMap((place) => packagesIn(view, place).map((pkg) => note[pkg]))
  const { seq } = view.read(Note)
  return notes.filter((row) => row !== 0).sort((a, b) => seq[a] - seq[b])
}
