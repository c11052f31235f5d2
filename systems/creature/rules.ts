/**
 * The lists of creatures: members of herds, and those that hunt, are roused or about to strike.
 * Also the reward for killing a creature, and its end.
 */
import { assert } from '../../core/assert.ts'
import { CREATURES } from '../../core/catalog/index.ts'
import { addToList, removeFromList } from '../../core/groups.ts'
import { withArticle } from '../../core/say.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { raiseCounter } from '../achievement/rules.ts'
import { ShipCombat } from '../combat/state.ts'
import { logAction } from '../log/rules.ts'
import { recordProgress } from '../mission/rules.ts'
import { Ship } from '../ship/state.ts'
import { awardXp } from '../skill/rules.ts'
import { creatureIn, creatures } from './model.ts'
import { Creature, Herd, HUNTERS, MEMBERS, ROUSED, STRIKING, Wild } from './state.ts'

/** Experience for each tier of a creature. Source: missions.md section 5. */
const XENOBIOLOGY_XP = 10

/** Rewards a kill, while the creature still exists. */
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

/** Starts updating a creature in each tick, because it joins a battle. */
export function rouse(world: World, ship: Eid): void {
  world.index(ROUSED).add(creatureIn(world, ship))
}

/** Stops updating a creature in each tick, because it is unhurt and at peace. */
export function calm(world: World, creature: Row): void {
  world.index(ROUSED).delete(creature)
}

/** Lets a creature strike at a ship in the next tick. */
export function scheduleStrike(world: World, creature: Row, prey: Eid): void {
  world.write(Creature).prey[creature] = world.read(Ship).seq[prey]
  world.index(STRIKING).push(creature)
}

/** Removes and returns the strikes that are due; `prey` is 0 if the ship is gone. */
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

/** Adds a creature to the lists. */
export function enterCreature(world: World, creature: Row): void {
  const { herd, kind } = world.read(Creature)
  if (herd[creature] !== 0) addToList(world.index(MEMBERS), herd[creature], creature)
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

/** Ends a creature that was killed or starved; the caller releases its hull. */
export function endCreature(world: World, ship: Eid): void {
  const creature = creatureIn(world, ship)
  assert(creature !== 0, `ship ${ship} is not a creature`)
  const herd = world.read(Creature).herd[creature]
  if (herd !== 0) {
    const { count } = world.write(Herd)
    assert(count[herd] > 0, `herd ${herd} loses a member it does not have`)
    count[herd]--
    removeFromList(world.index(MEMBERS), herd, creature)
  }
  world.index(HUNTERS).delete(creature)
  calm(world, creature)
  world.write(Wild).creature[ship] = 0
  world.release(Creature, creature)
}
