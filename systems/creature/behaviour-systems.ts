/** Behaviour of creatures in a fight: when they flee, and how close they come. */
import { NATURES } from '../../core/catalog/creature-row.ts'
import { CREATURES } from '../../core/catalog/index.ts'
import { clamp } from '../../core/math.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { areHostile } from '../combat/model.ts'
import { Battle, Participant, RING_OUTER } from '../combat/state.ts'
import { Ship } from '../ship/state.ts'
import { Creature } from './state.ts'

/** What the behaviour of a creature in a fight depends on. */
export interface Situation {
  /** Hull left, %. */
  readonly hullPct: number
  /** Whether it has hit or been hit. */
  readonly isBlooded: boolean
  /** Reach of its bite, rings; -1 for one that cannot bite. */
  readonly reach: number
  readonly ring: number
  /** Ring of the nearest enemy. */
  readonly enemyRing: number
  /** Whether it is in one of its flights, or may begin one. */
  readonly canBolt: boolean
}

interface Behaviour {
  readonly stance: 'fire' | 'brace' | 'flee'
  /** -1 inwards, 1 outwards. */
  readonly move: -1 | 0 | 1
}

/** Ring in which a creature without a bite keeps grazing. */
const GRAZING_RING = RING_OUTER - 1

/**
 * Decides ring and stance: a wounded creature flees, others come close enough to bite, and one
 * without a bite keeps grazing within reach of weapons.
 */
export function behaviourOf(nature: keyof typeof NATURES, situation: Situation): Behaviour {
  const { fleeBelowPct, guard } = NATURES[nature]
  const { hullPct, isBlooded, reach, ring, enemyRing, canBolt } = situation
  if (isBlooded && canBolt && hullPct < fleeBelowPct) return { stance: 'flee', move: 0 }
  if (reach < 0) return { stance: guard, move: ring > GRAZING_RING ? -1 : 0 }
  const goal = clamp(reach - enemyRing, 0, RING_OUTER)
  const move = goal < ring ? -1 : goal > ring ? 1 : 0
  const isInReach = ring + move + enemyRing <= reach
  return { stance: isInReach ? 'fire' : guard, move }
}

/** Ticks from one flight to the next. Source: balance.md section 8. */
export const FLIGHT_TICKS = 10
/** Ticks after which a creature may give up a flight. */
const FALTER_TICKS = 2
const BOLT = hashText('creature.bolt')

/**
 * Returns whether a creature may flee now. It may always begin a flight, and keeps to it for the
 * first FALTER_TICKS; whether it goes on after that is drawn once for each flight.
 */
export function canBolt(view: WorldView, creature: Row): boolean {
  const { kind, ship, flightTick } = view.read(Creature)
  const ticks = view.tick - flightTick[creature]
  if (flightTick[creature] === 0 || ticks >= FLIGHT_TICKS || ticks < FALTER_TICKS) return true
  const { boltPct } = NATURES[CREATURES[kind[creature]].nature]
  const random = hash32(view.seed, BOLT, flightTick[creature], view.read(Ship).seq[ship[creature]])
  return drawBelow(100, random) < boltPct
}

/** Returns the nearest enemy, by lowest seq among equals; 0 if there is none. O(participants). */
export function nearestEnemy(view: WorldView, row: Row): Row {
  const { battle, side, next, ring } = view.read(Participant)
  let nearest = 0
  for (let other = view.read(Battle).first[battle[row]]; other !== 0; other = next[other]) {
    if (!areHostile(view, battle[row], side[row], side[other])) continue
    if (nearest === 0 || ring[other] < ring[nearest]) nearest = other
  }
  return nearest
}
