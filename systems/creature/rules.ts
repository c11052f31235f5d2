/**
 * Creatures as other domains see them: which hull is one, its kind and name, who is up and about,
 * and taking one out of the world. How they come is spawn.ts, what a kill is worth rewards.ts.
 */
import { assert } from '../../core/assert.ts'
import type { CreatureRow } from '../../core/catalog/creature-lines.ts'
import { CREATURES } from '../../core/catalog/index.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Fighting } from '../combat/columns.ts'
import { Ship } from '../ship/columns.ts'
import { Location } from '../travel/columns.ts'
import { Creature, Herd, Wild } from './columns.ts'

export { dropsOf, rewardHunt } from './rewards.ts'

/** The creature a hull is: a row of `Creature`, 0 for a ship. */
export const creatureIn = (view: WorldView, ship: Eid): Row => view.read(Wild).creature[ship]

/** The catalogue's row of what a hull is; undefined for a ship. */
export function creatureOf(view: WorldView, ship: Eid): CreatureRow | undefined {
  const creature = creatureIn(view, ship)
  return creature === 0 ? undefined : CREATURES[view.read(Creature).kind[creature]]
}

export const isCreature = (view: WorldView, ship: Eid): boolean => creatureIn(view, ship) !== 0

/* Lists: derived, in the order in which the creatures came to be */

/** Members by herd. */
const MEMBERS = defineIndex('creature.members', () => new Map<Row, Row[]>())
/** Kinds that turn on ships by themselves. */
const HUNTERS = defineIndex('creature.hunters', () => new Set<Row>())
/** Those in a battle or wounded: what a tick has to look at. */
const ROUSED = defineIndex('creature.roused', () => new Set<Row>())
/** Those that have made up their minds to strike. */
const STRIKING = defineIndex('creature.striking', () => [] as Row[])

export const membersOf = (view: WorldView, herd: Row): readonly Row[] =>
  view.index(MEMBERS).get(herd) ?? []

export const huntersAbroad = (view: WorldView): ReadonlySet<Row> => view.index(HUNTERS)
export const rousedCreatures = (view: WorldView): ReadonlySet<Row> => view.index(ROUSED)

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
export function enlist(world: World, creature: Row): void {
  const { herd, kind } = world.read(Creature)
  if (herd[creature] !== 0) {
    const members = world.index(MEMBERS)
    const list = members.get(herd[creature])
    if (list) list.push(creature)
    else members.set(herd[creature], [creature])
  }
  if (CREATURES[kind[creature]].role === 'apex') world.index(HUNTERS).add(creature)
}

/** Creatures in the order of their bodies' numbers. */
export function creatures(view: WorldView): Row[] {
  const { alive, ship } = view.read(Creature)
  const { seq } = view.read(Ship)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(Creature); row++) if (alive[row] === 1) rows.push(row)
  return rows.sort((a, b) => seq[ship[a]] - seq[ship[b]])
}

/** Fills the lists from the tables, after a restore. */
export function rebuildCreatures(world: World): void {
  world.index(MEMBERS).clear()
  for (const index of [HUNTERS, ROUSED]) world.index(index).clear()
  world.index(STRIKING).splice(0)
  const { ship, prey } = world.read(Creature)
  const { hull, hullMax } = world.read(Ship)
  const { participant } = world.read(Fighting)
  for (const creature of creatures(world)) {
    enlist(world, creature)
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

/** Where a creature is; 0 on its way. */
export const placeOf = (view: WorldView, creature: Row): Eid =>
  view.read(Location).poi[view.read(Creature).ship[creature]]
