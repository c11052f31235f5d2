/**
 * How many players there are to serve: what stations ask for and give away follows from it. Source:
 * balance.md section 1.
 */
import { clamp } from '../../core/math.ts'
import { DAY_TICKS } from '../../core/time.ts'
import type { World, WorldView } from '../../core/types.ts'
import { Player, POPULATION } from './state.ts'

/** Demand an active player, in thousandths of that of a hundred of them, and its bounds. */
const DEMAND_PER_PLAYER = 10
const DEMAND_MIN = 250
const DEMAND_MAX = 10_000

/** Returns the players who had a mutation accepted in the last day, as counted at its end. */
export const activePlayers = (view: WorldView): number =>
  view.records(POPULATION).get('active') ?? 0

/**
 * Returns the demand of the stations in thousandths: 1000 at 100 active players. It changes once a
 * day.
 */
export const demandPerMille = (view: WorldView): number =>
  clamp(DEMAND_PER_PLAYER * activePlayers(view), DEMAND_MIN, DEMAND_MAX)

/** Counts the active players of the day that ends. O(players): once a day. */
export function countPopulation(world: World): void {
  const { alive, lastActedTick } = world.read(Player)
  const before = Math.max(0, world.tick - DAY_TICKS)
  let active = 0
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 1 && lastActedTick[player] > before) active++
  }
  world.records(POPULATION).set('active', active)
}
