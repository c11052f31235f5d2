/**
 * Apex predators: in each tick one in four turns on a ship at its place, and strikes in the next.
 * Source: combat.md section 13.
 */
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { Fighting } from '../combat/columns.ts'
import { aggress } from '../combat/rules.ts'
import { Ship } from '../ship/columns.ts'
import { AT_POI, Location, Poi } from '../travel/columns.ts'
import { Creature } from './columns.ts'
import { aimAt, huntersAbroad, takeStrikes } from './rules.ts'

/** Source: combat.md section 13. */
export const STRIKE_CHANCE_PCT = 25
const STRIKE = hashText('creature.strike')
const CHOICE = hashText('creature.choice')

/** Ships in the open at a place that are flown, online, seen and at peace; in order of the list. */
function preyAt(view: WorldView, poi: Eid): Eid[] {
  const { nextHere, state } = view.read(Location)
  const { owner } = view.read(Ship)
  const { ship: flown, bound, cloaked } = view.read(Player)
  const { participant, graceUntil } = view.read(Fighting)
  const { tick } = view
  const found: Eid[] = []
  for (let ship = view.read(Poi).firstShip[poi]; ship !== 0; ship = nextHere[ship]) {
    const pilot = owner[ship]
    if (pilot === 0 || flown[pilot] !== ship || bound[pilot] === 0 || cloaked[pilot] === 1) continue
    if (state[ship] !== AT_POI || participant[ship] !== 0 || graceUntil[ship] >= tick) continue
    found.push(ship)
  }
  return found
}

/** Of several ships one by lot: the order of a place's list is no part of the world. */
function pick(view: WorldView, own: number, prey: readonly Eid[]): Eid {
  const { seq } = view.read(Ship)
  const lot = (ship: Eid): number => hash32(view.seed, view.tick, CHOICE, own, seq[ship])
  return prey.reduce((best, ship) => {
    const [a, b] = [lot(ship), lot(best)]
    return a < b || (a === b && seq[ship] < seq[best]) ? ship : best
  })
}

/** Whoever lies in wait decides. Places are looked at once, however many lie in wait there. */
export function lieInWait(world: World): void {
  const { ship, prey } = world.read(Creature)
  const { state, poi } = world.read(Location)
  const { participant } = world.read(Fighting)
  const { seq } = world.read(Ship)
  const seen = new Map<Eid, readonly Eid[]>()
  for (const creature of huntersAbroad(world)) {
    const body = ship[creature]
    if (state[body] !== AT_POI || participant[body] !== 0 || prey[creature] !== 0) continue
    const here = seen.get(poi[body]) ?? preyAt(world, poi[body])
    seen.set(poi[body], here)
    if (here.length === 0) continue
    const random = hash32(world.seed, world.tick, STRIKE, seq[body])
    if (drawBelow(100, random) < STRIKE_CHANCE_PCT)
      aimAt(world, creature, pick(world, seq[body], here))
  }
}

/** The strikes decided in the last tick, at prey that is still there. For phase engage. */
export function strike(world: World): void {
  const { ship } = world.read(Creature)
  const { state, poi } = world.read(Location)
  const { participant } = world.read(Fighting)
  const { owner } = world.read(Ship)
  const { bound } = world.read(Player)
  for (const { creature, prey } of takeStrikes(world)) {
    const body = ship[creature]
    if (prey === 0 || participant[body] !== 0 || state[body] !== AT_POI) continue
    if (state[prey] !== AT_POI || poi[prey] !== poi[body] || bound[owner[prey]] === 0) continue
    aggress(world, body, prey)
  }
}
