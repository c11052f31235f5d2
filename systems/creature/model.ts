/** Which hulls are creatures, of what kind and herd, and what their carcasses hold. */
import { assert } from '../../core/assert.ts'
import type { CreatureRow } from '../../core/catalog/creature-row.ts'
import { CREATURES, itemIndex, type LootDraw } from '../../core/catalog/index.ts'
import { type Held, holdsNoMoreGoods } from '../../core/goods.ts'
import { addPercent } from '../../core/math.ts'
import type { Static } from '../../core/params.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { ShipCombat } from '../combat/state.ts'
import { shipId } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { levelOf } from '../skill/model.ts'
import { Creature, type creatureSchema, HUNTERS, MEMBERS, ROUSED, Wild } from './state.ts'

const DROPS = hashText('creature.drops')

/**
 * Draws what the carcass of a creature holds; more for skilled hunters. ours: nothing if no player
 * killed it, because goods would then enter the economy without players.
 */
export function dropsOf(view: WorldView, ship: Eid, hunter: Eid): Held[] {
  const creature = view.read(Wild).creature[ship]
  assert(creature !== 0, `ship ${ship} is not a creature`)
  if (hunter === 0 || holdsNoMoreGoods(view)) return []
  const { drops } = CREATURES[view.read(Creature).kind[creature]]
  const skill = levelOf(view, hunter, 'xenobiology')
  const random = hash32(view.seed, view.tick, DROPS, view.read(Ship).seq[ship])
  return drops.flatMap((draw, index) => drawGood(draw, hash32(random, index), skill))
}

function drawGood(draw: LootDraw, random: number, skill: number): Held[] {
  if (drawBelow(100, hash32(random, 1)) >= draw.chancePct) return []
  const item = itemIndex(draw.items[drawBelow(draw.items.length, hash32(random, 2))])
  assert(item >= 0, `drops name the unknown good ${draw.items.join(', ')}`)
  const units = draw.min + drawBelow(draw.max - draw.min + 1, hash32(random, 3))
  return [{ item, units: addPercent(units, skill) }]
}

/** Returns the creature that a hull is; 0 for a ship. */
export const creatureIn = (view: WorldView, ship: Eid): Row => view.read(Wild).creature[ship]

/** Returns the catalogue row of a creature's kind; undefined for a ship. */
export function creatureOf(view: WorldView, ship: Eid): CreatureRow | undefined {
  const creature = creatureIn(view, ship)
  return creature === 0 ? undefined : CREATURES[view.read(Creature).kind[creature]]
}

export const isCreature = (view: WorldView, ship: Eid): boolean => creatureIn(view, ship) !== 0

export const membersOf = (view: WorldView, herd: Row): readonly Row[] =>
  view.index(MEMBERS).get(herd) ?? []

export const huntingCreatures = (view: WorldView): ReadonlySet<Row> => view.index(HUNTERS)
export const rousedCreatures = (view: WorldView): ReadonlySet<Row> => view.index(ROUSED)

/** Returns all creatures, ascending by the numbers of their bodies. */
export function creatures(view: WorldView): Row[] {
  const { alive, ship } = view.read(Creature)
  const { seq } = view.read(Ship)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(Creature); row++) if (alive[row] === 1) rows.push(row)
  return rows.sort((a, b) => seq[ship[a]] - seq[ship[b]])
}

/** Describes a creature, for a look or a scan. */
export function describeCreature(view: WorldView, ship: Eid) {
  const kind = CREATURES[view.read(Creature).kind[creatureIn(view, ship)]]
  const { hull, hullMax } = view.read(Ship)
  return {
    name: kind.name,
    species: kind.id,
    role: kind.role,
    /** 1-5. */
    danger: kind.tier,
    hull: hull[ship],
    max_hull: hullMax[ship],
  }
}

export function renderCreature(view: WorldView, ship: Eid): Static<typeof creatureSchema> {
  const { danger: _, ...seen } = describeCreature(view, ship)
  return {
    creature_id: shipId(view, ship),
    ...seen,
    in_combat: view.read(ShipCombat).participant[ship] !== 0,
  }
}
