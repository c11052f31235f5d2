/** What creatures do in a tick: strike, fight, heal, lie in wait. */
import { divCeil } from '../../core/math.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Row, World } from '../../core/types.ts'
import { Battle, Fighting, Participant } from '../combat/columns.ts'
import { Ship } from '../ship/columns.ts'
import { Location, Poi } from '../travel/columns.ts'
import { Creature } from './columns.ts'
import { fightBack } from './instinct.ts'
import { lieInWait, strike } from './prowl.ts'
import { calm, rousedCreatures } from './rules.ts'

/** Hull mended a tick out of battles. Source: combat.md section 13. */
const HEAL_PCT = 1

/** Strikes decided in the tick before, after the attacks of players. */
export const pounce: SystemDef = {
  name: 'creature.pounce',
  phase: 'engage',
  reads: [Location, Ship],
  writes: [Creature, Battle, Participant, Fighting],
  run: strike,
}

function heal(world: World, creature: Row, body: number): void {
  const { hull, hullMax } = world.write(Ship)
  hull[body] = Math.min(hullMax[body], hull[body] + divCeil(hullMax[body] * HEAL_PCT, 100))
  if (hull[body] === hullMax[body]) calm(world, creature)
}

/**
 * Only those in a battle or wounded are looked at, each for itself, and those that prey on ships:
 * the order in which they come makes no difference.
 */
export const live: SystemDef = {
  name: 'creature.live',
  phase: 'decide',
  reads: [Battle, Fighting, Poi, Location],
  writes: [Creature, Participant, Ship],
  run(world) {
    const { ship } = world.read(Creature)
    const { participant } = world.read(Fighting)
    for (const creature of rousedCreatures(world)) {
      const body = ship[creature]
      if (participant[body] !== 0) fightBack(world, creature, participant[body])
      else heal(world, creature, body)
    }
    lieInWait(world)
  },
}
