/** Lookups of boarding; writes only to its own columns. */
import { assert } from '../../core/assert.ts'
import { wireId } from '../../core/entity.ts'
import type { Row, WorldView } from '../../core/types.ts'
import {
  BattleBoarding,
  Boarding,
  type BoardingNote,
  LINK_PHASES,
  LINKS_OF,
  Link,
  NOTES,
} from './state.ts'

/** The UUID of a boarding on the wire. */
export const operationId = (view: WorldView, link: Row): string =>
  wireId(view.seed, Link.name, view.read(Link).number[link])

/** Rows of a battle's boardings, in order of starting. */
export const linksOf: (view: WorldView, battle: Row) => Row[] = LINKS_OF.rows

/** What boardings did in the tick being fought, for the battle log. */
export const boardingNotes = (view: WorldView, battle: Row): readonly BoardingNote[] =>
  view.index(NOTES).get(battle) ?? []

/** True while boarders are attached to it: it can neither flee nor warp nor cloak. */
export const isBoardingLocked = (view: WorldView, participant: Row): boolean =>
  view.read(Boarding).locked[participant] === 1

/** True for a hull that boarders are attached to, and for the one they came from. */
export const isAttached = (view: WorldView, participant: Row): boolean =>
  isBoardingLocked(view, participant) || attachedTo(view, participant) !== 0

/** True while a boarding of a battle gets ahead: it latches on, or is fought out aboard. */
export function isBoardingAhead(view: WorldView, battle: Row): boolean {
  const { next, phase, progress, timer } = view.read(Link)
  const isAhead = (row: Row): boolean => {
    const name = LINK_PHASES[phase[row]]
    return name === 'assault' || (name === 'closing' && progress[row] > 0 && timer[row] === 0)
  }
  let row = view.read(BattleBoarding).first[battle]
  while (row !== 0 && !isAhead(row)) row = next[row]
  return row !== 0
}

/** The hull attached to this one, whichever of them boards; 0 none. */
export function attachedTo(view: WorldView, participant: Row): Row {
  const link = view.read(Boarding).link[participant]
  const { attached, attacker, target } = view.read(Link)
  if (link === 0 || attached[link] === 0) return 0
  assert(attacker[link] === participant || target[link] === participant, 'a link of others')
  return attacker[link] === participant ? target[link] : attacker[link]
}
