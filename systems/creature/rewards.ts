/**
 * What a creature is worth that a player kills: the drops of its carcass, and xenobiology. Source:
 * combat.md section 13, salvage.md section 2, missions.md section 5.
 */
import { assert } from '../../core/assert.ts'
import { CREATURES, itemIndex, type LootDraw } from '../../core/catalog/index.ts'
import { type Held, holdsNoMoreGoods } from '../../core/goods.ts'
import { addPercent } from '../../core/math.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import { withArticle } from '../../core/say.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { raiseCounter } from '../achievement/counter-rules.ts'
import { logAction } from '../log/rules.ts'
import { noteProgress } from '../mission/progress-rules.ts'
import { Ship } from '../ship/columns.ts'
import { awardXp, levelOf } from '../skill/rules.ts'
import { Creature, Wild } from './columns.ts'

/** A tier of the creature. Source: missions.md section 5. */
const XENOBIOLOGY_XP = 10
const DROPS = hashText('creature.drops')

/**
 * What the carcass of a creature holds; more for those who know how to cut. ours: nothing when no
 * player killed it, or the faucet would run by itself.
 */
export function dropsOf(view: WorldView, ship: Eid, hunter: Eid): Held[] {
  const creature = view.read(Wild).creature[ship]
  assert(creature !== 0, `ship ${ship} is no creature`)
  if (hunter === 0 || holdsNoMoreGoods(view)) return []
  const { drops } = CREATURES[view.read(Creature).kind[creature]]
  const skill = levelOf(view, hunter, 'xenobiology')
  const random = hash32(view.seed, view.tick, DROPS, view.read(Ship).seq[ship])
  return drops.flatMap((draw, index) => drawn(draw, hash32(random, index), skill))
}

function drawn(draw: LootDraw, random: number, skill: number): Held[] {
  if (drawBelow(100, hash32(random, 1)) >= draw.chancePct) return []
  const item = itemIndex(draw.items[drawBelow(draw.items.length, hash32(random, 2))])
  assert(item >= 0, `drops name the unknown good ${draw.items.join(', ')}`)
  const units = draw.min + drawBelow(draw.max - draw.min + 1, hash32(random, 3))
  return [{ item, units: addPercent(units, skill) }]
}

/** Experience of a kill, and a line in the log; while the creature is still there. */
export function rewardHunt(world: World, ship: Eid, hunter: Eid): void {
  const creature = world.read(Wild).creature[ship]
  if (creature === 0 || hunter === 0) return
  const { id, name, tier } = CREATURES[world.read(Creature).kind[creature]]
  const xp = awardXp(world, hunter, 'xenobiology', XENOBIOLOGY_XP * tier)
  noteProgress(world, hunter, 'hunt_creature')
  raiseCounter(world, hunter, 'creatures_hunted')
  const data = { species: id, tier, xp_gained: xp }
  logAction(world, hunter, 'combat', 'hunt_kill', `Killed ${withArticle(name)}.`, data)
}
