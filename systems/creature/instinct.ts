/**
 * How a creature fights: by its nature, against whoever is nearest. Orders go where a pilot's go,
 * and hold from the fight of this tick on. Source: combat.md section 13.
 */
import { NATURES } from '../../core/catalog/creature-lines.ts'
import { CREATURES } from '../../core/catalog/index.ts'
import { BATTLE_SIDES_MAX } from '../../core/limits.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { Battle, Participant, RING_OUTER, STANCES } from '../combat/columns.ts'
import { Ship } from '../ship/columns.ts'
import { Creature } from './columns.ts'

export interface Mood {
  /** Hull left, %. */
  readonly hullPct: number
  /** It has been hit or has hit somebody: it has held an exchange. */
  readonly isBlooded: boolean
  /** Of its bite; -1 for one that cannot bite. */
  readonly reach: number
  readonly ring: number
  /** Ring of the nearest enemy. */
  readonly enemyRing: number
}

export interface Bearing {
  readonly stance: 'fire' | 'brace' | 'flee'
  /** -1 inwards, 1 outwards. */
  readonly move: -1 | 0 | 1
}

/** Ring and stance of the coming fight: flight after an exchange, else as close as it bites. */
export function bearingOf(nature: keyof typeof NATURES, mood: Mood): Bearing {
  const { fleeBelowPct, guard } = NATURES[nature]
  if (mood.isBlooded && mood.hullPct < fleeBelowPct) return { stance: 'flee', move: 0 }
  if (mood.reach < 0) return { stance: guard, move: 0 }
  const wanted = Math.min(RING_OUTER, Math.max(0, mood.reach - mood.enemyRing))
  const move = wanted < mood.ring ? -1 : wanted > mood.ring ? 1 : 0
  const isInReach = mood.ring + move + mood.enemyRing <= mood.reach
  return { stance: isInReach ? 'fire' : guard, move }
}

/** The nearest enemy, then the oldest; 0 none. O(participants) of its battle. */
function nearestEnemy(view: WorldView, row: Row): Row {
  const { battle, side, next, ring } = view.read(Participant)
  const { hostile, first } = view.read(Battle)
  const mask = hostile[battle[row] * (BATTLE_SIDES_MAX + 1) + side[row]]
  let nearest = 0
  for (let other = first[battle[row]]; other !== 0; other = next[other]) {
    if (((mask >>> (side[other] - 1)) & 1) === 0) continue
    if (nearest === 0 || ring[other] < ring[nearest]) nearest = other
  }
  return nearest
}

/** True while the enemy it has its teeth in is still there. */
function holds(view: WorldView, row: Row, target: Row): boolean {
  const { alive, battle } = view.read(Participant)
  return target !== 0 && alive[target] === 1 && battle[target] === battle[row]
}

/** Writes the orders of a creature in a battle. */
export function fightBack(world: World, creature: Row, row: Row): void {
  const part = world.write(Participant)
  part.orderTick[row] = world.tick
  const enemy = holds(world, row, part.target[row]) ? part.target[row] : nearestEnemy(world, row)
  if (enemy === 0) return
  if (enemy !== part.target[row]) part.orderTarget[row] = enemy
  const { hull, hullMax } = world.read(Ship)
  const { nature, guns } = CREATURES[world.read(Creature).kind[creature]]
  const body = part.ship[row]
  const bearing = bearingOf(nature, {
    hullPct: Math.trunc((100 * hull[body]) / hullMax[body]),
    isBlooded: part.dealt[row] + part.taken[row] > 0,
    reach: guns[0]?.reach ?? -1,
    ring: part.ring[row],
    enemyRing: part.ring[enemy],
  })
  part.orderMove[row] = bearing.move
  part.orderStance[row] = STANCES.indexOf(bearing.stance) + 1
}
