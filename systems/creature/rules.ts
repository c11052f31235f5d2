/**
 * Creatures as other domains see them: which hull is one, its kind and name, who is up and about,
 * and taking one out of the world. How they come is spawn-systems.ts, what a kill is worth
 * model.ts.
 */

import { assert } from '../../core/assert.ts'
import { CREATURES } from '../../core/catalog/index.ts'
import { append } from '../../core/groups.ts'
import { withArticle } from '../../core/say.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { raiseCounter } from '../achievement/rules.ts'
import { ShipCombat } from '../combat/state.ts'
import { logAction } from '../log/rules.ts'
import { recordProgress } from '../mission/rules.ts'
import { Ship } from '../ship/state.ts'
import { awardXp } from '../skill/rules.ts'
import { creatureIn, creatures, membersOf } from './model.ts'
import { Creature, Herd, HUNTERS, MEMBERS, ROUSED, STRIKING, Wild } from './state.ts'

/** A tier of the creature. Source: missions.md section 5. */
const XENOBIOLOGY_XP = 10

/** Experience of a kill, and a line in the log; while the creature is still there. */
export function rewardHunt(world: World, ship: Eid, hunter: Eid): void {
  const creature = world.read(Wild).creature[ship]
  if (creature === 0 || hunter === 0) return
  const { id, name, tier } = CREATURES[world.read(Creature).kind[creature]]
  const xp = awardXp(world, hunter, 'xenobiology', XENOBIOLOGY_XP * tier)
  recordProgress(world, hunter, 'hunt_creature')
  raiseCounter(world, hunter, 'creatures_hunted')
  const data = { species: id, tier, xp_gained: xp }
  logAction(world, hunter, 'combat', 'hunt_kill', `Killed ${withArticle(name)}.`, data)
}

/** A creature is drawn into a battle: from now on each tick looks after it. */
export function rouse(world: World, ship: Eid): void {
  world.index(ROUSED).add(creatureIn(world, ship))
}

/** It is whole and at peace again. */
export const calm = (world: World, creature: Row): void => {
  world.index(ROUSED).delete(creature)
}

/** Has a creature strike at a ship in the next tick. */
export function aimAt(world: World, creature: Row, prey: Eid): void {
  world.write(Creature).prey[creature] = world.read(Ship).seq[prey]
  world.index(STRIKING).push(creature)
}

/** Those that strike now, and the ship each strikes at, 0 if it is gone; forgotten with that. */
export function takeStrikes(world: World): { creature: Row; prey: Eid }[] {
  const striking = world.index(STRIKING).splice(0)
  const { alive, prey } = world.write(Creature)
  const strikes = striking.filter((creature) => alive[creature] === 1 && prey[creature] !== 0)
  return strikes.map((creature) => {
    const ship = world.rowOf(Ship, prey[creature])
    prey[creature] = 0
    return { creature, prey: ship }
  })
}

/** Enters a creature in the lists. */
export function enterCreature(world: World, creature: Row): void {
  const { herd, kind } = world.read(Creature)
  if (herd[creature] !== 0) {
    const members = world.index(MEMBERS)
    append(members, herd[creature], creature)
  }
  if (CREATURES[kind[creature]].role === 'apex') world.index(HUNTERS).add(creature)
}

/** Fills the lists from the tables, after a restore. */
export function rebuildCreatures(world: World): void {
  world.index(MEMBERS).clear()
  for (const index of [HUNTERS, ROUSED]) world.index(index).clear()
  world.index(STRIKING).splice(0)
  const { ship, prey } = world.read(Creature)
  const { hull, hullMax } = world.read(Ship)
  const { participant } = world.read(ShipCombat)
  for (const creature of creatures(world)) {
    enterCreature(world, creature)
    const body = ship[creature]
    if (participant[body] !== 0 || hull[body] < hullMax[body]) rouse(world, body)
    if (prey[creature] !== 0) world.index(STRIKING).push(creature)
  }
}

/* Ending */

/** Takes the life out of a hull, which the caller then releases: killed, or starved. */
export function endCreature(world: World, ship: Eid): void {
  const creature = creatureIn(world, ship)
  assert(creature !== 0, `ship ${ship} is no creature`)
  const { herd } = world.read(Creature)
  const home = herd[creature]
  if (home !== 0) {
    const { count } = world.write(Herd)
    assert(count[home] > 0, `herd ${home} loses a member it does not have`)
    count[home]--
    const left = membersOf(world, home).filter((row) => row !== creature)
    world.index(MEMBERS).set(home, left)
  }
  world.index(HUNTERS).delete(creature)
  calm(world, creature)
  world.write(Wild).creature[ship] = 0
  world.release(Creature, creature)
}
