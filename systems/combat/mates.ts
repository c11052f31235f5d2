/**
 * Fleet mates, members and allies in battle: they stand on one side, and come to each other's help.
 * Source: combat.md section 1; factions.md section 5.
 */
import { type Failure, fail } from '../../core/errors.ts'
import { ALLIES_CALLED_MAX } from '../../core/limits-diplomacy.ts'
import { interrupt } from '../../core/pending.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { areAllied } from '../account/rules.ts'
import { Contest } from '../arena/columns.ts'
import { isNearlyFull } from '../cargo/rules.ts'
import { areFactionsAllied } from '../diplomacy/rules.ts'
import { factionOf } from '../faction/rules.ts'
import { areMates, matesOf } from '../fleet/rules.ts'
import { activeShip } from '../ship/rules.ts'
import { AT_POI, Location, TRAVELLING } from '../travel/columns.ts'
import { isPlaced, playersIn } from '../travel/rules.ts'
import { areHostile, joinBattle } from './battles.ts'
import { BATTLE_KINDS, Battle, Fighting, Participant } from './columns.ts'
import { isAway } from './engage.ts'
import { participantsOf, pilotOf } from './views.ts'

/**
 * Side of a battle on which those stand who stand by a player, if it is hostile to `other`; 0 none.
 * `other` 0: whatever it is hostile to.
 */
export function alliedSide(view: WorldView, battle: Row, player: Eid, other: number): number {
  if (player === 0) return 0
  const { side } = view.read(Participant)
  const found = participantsOf(view, battle).find((row) => {
    const pilot = pilotOf(view, row)
    if (pilot === 0 || side[row] === other || !areAllied(view, player, pilot)) return false
    return other === 0 || areHostile(view, battle, side[row], other)
  })
  return found === undefined ? 0 : side[found]
}

/** Invalid_side for a side that is hostile to one's own fleet. Source: combat.md section 17. */
export function refusesAgainstMates(
  view: WorldView,
  battle: Row,
  player: Eid,
  side: number,
): Failure | undefined {
  const isAgainst = participantsOf(view, battle).some((row) => {
    const pilot = pilotOf(view, row)
    if (pilot === 0 || !areMates(view, player, pilot)) return false
    return areHostile(view, battle, view.read(Participant).side[row], side)
  })
  return isAgainst ? fail('invalid_side') : undefined
}

/** In space in this system, free to fight, and not just escaped from this very battle. */
function canHelp(view: WorldView, battle: Row, ship: Eid): boolean {
  const { state, system } = view.read(Location)
  const { system: place, seq } = view.read(Battle)
  const { participant, lastBattle, graceUntil } = view.read(Fighting)
  if (!isPlaced(view, ship) || system[ship] !== place[battle]) return false
  if (state[ship] !== AT_POI && state[ship] !== TRAVELLING) return false
  if (participant[ship] !== 0 || view.read(Contest).match[ship] !== 0) return false
  const hasEscaped = lastBattle[ship] === seq[battle] && view.tick <= graceUntil[ship]
  return !hasEscaped && !isAway(view, ship)
}

/** Has the fleet mates of a pilot join at his side; what they had pending is dropped. */
export function rallyMates(world: World, row: Row): void {
  const pilot = pilotOf(world, row)
  if (pilot === 0) return
  const { battle, side } = world.read(Participant)
  for (const mate of matesOf(world, pilot)) {
    const ship = activeShip(world, mate)
    if (!canHelp(world, battle[row], ship)) continue
    if (isNearlyFull(world, Participant)) return
    joinBattle(world, battle[row], ship, side[row])
    interrupt(world, mate)
  }
}

/** True if a side of the battle that is hostile to this one holds somebody a player stands by. */
function isTorn(view: WorldView, row: Row, player: Eid): boolean {
  const { battle, side } = view.read(Participant)
  return alliedSide(view, battle[row], player, side[row]) !== 0
}

/**
 * Has those in the system join at the side of a pilot under attack whose factions stand by his: its
 * members and its allies, but nobody who stands by the other side too. ours: who attacks calls
 * nobody but his fleet, and so many answer at most. O(players in the system).
 */
export function rallyAllies(world: World, row: Row): void {
  const pilot = pilotOf(world, row)
  const faction = pilot === 0 ? 0 : factionOf(world, pilot)
  const { battle, side } = world.read(Participant)
  const kind = BATTLE_KINDS[world.read(Battle).kind[battle[row]]]
  if (faction === 0 || kind !== 'general') return
  let called = 0
  for (const ally of playersIn(world, world.read(Battle).system[battle[row]])) {
    const other = factionOf(world, ally)
    const isOurs = other === faction || areFactionsAllied(world, other, faction)
    if (ally === pilot || !isOurs) continue
    const ship = activeShip(world, ally)
    if (!canHelp(world, battle[row], ship) || isTorn(world, row, ally)) continue
    if (++called > ALLIES_CALLED_MAX || isNearlyFull(world, Participant)) return
    joinBattle(world, battle[row], ship, side[row])
    interrupt(world, ally)
  }
}
