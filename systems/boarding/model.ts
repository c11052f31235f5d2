/** The boardings of a battle, and which hulls they hold. */
import { assert } from '../../core/assert.ts'
import { wireId } from '../../core/entity.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { Boarding, type BoardingNote, LINK_PHASES, LINKS_OF, Link, NOTES } from './state.ts'

/** Returns the UUID of a boarding on the wire. */
export const operationId = (view: WorldView, link: Row): string =>
  wireId(view.seed, Link.name, view.read(Link).number[link])

/** Returns a battle's boardings, in order of starting. */
export const linksOf: (view: WorldView, battle: Row) => Row[] = LINKS_OF.rows

/** Returns what boardings did in the tick being fought, for the battle log. */
export const boardingNotes = (view: WorldView, battle: Row): readonly BoardingNote[] =>
  view.index(NOTES).get(battle) ?? []

/** Returns whether boarders are attached to a hull: it can neither flee nor warp nor cloak. */
export const isBoardingLocked = (view: WorldView, participant: Row): boolean =>
  view.read(Boarding).locked[participant] === 1

/** Returns whether a hull is attached to another, as boarder or boarded. */
export const isAttached = (view: WorldView, participant: Row): boolean =>
  isBoardingLocked(view, participant) || attachedTo(view, participant) !== 0

/** Returns whether a boarding of a battle makes progress: it latches on, or is fought aboard. */
export function isBoardingProgressing(view: WorldView, battle: Row): boolean {
  const { phase, progress, timer } = view.read(Link)
  return linksOf(view, battle).some((row) => {
    const name = LINK_PHASES[phase[row]]
    return name === 'assault' || (name === 'closing' && progress[row] > 0 && timer[row] === 0)
  })
}

/** Returns the hull attached to this one, whichever of them boards; 0 if there is none. */
export function attachedTo(view: WorldView, participant: Row): Row {
  const link = view.read(Boarding).link[participant]
  const { attached, attacker, target } = view.read(Link)
  if (link === 0 || attached[link] === 0) return 0
  assert(attacker[link] === participant || target[link] === participant, 'a link of other hulls')
  return attacker[link] === participant ? target[link] : attacker[link]
}
