/**
 * How many players there are to serve: what stations ask for and give away follows from it. Source:
 * balance.md section 1; ours: hours are counted, not heads, so that a new world feeds those who
 * come on its first day, and a bot that never sleeps counts for what it eats.
 */
import { clamp, divCeil, divFloor } from '../../core/math.ts'
import { HOUR_TICKS } from '../../core/time.ts'
import type { World, WorldView } from '../../core/types.ts'
import { Player, POPULATION } from './state.ts'

/** Demand an active player, in thousandths of that of a hundred of them, and its bounds. */
const DEMAND_PER_PLAYER = 10
const DEMAND_MIN = 250
const DEMAND_MAX = 10_000
/** Active players for each who acts in an hour, two of them: 9.6 hours a day are a player's. */
const PLAYERS_PER_TWO = 5
/** Hours in which the count follows more players, and fewer. */
const RISE_HOURS = 3
const FALL_HOURS = 24

/** Returns the players of 9.6 hours a day who would act as much as all do lately. */
export const activePlayers = (view: WorldView): number =>
  view.records(POPULATION).get('active') ?? 0

/**
 * Returns the demand of the stations in thousandths: 1000 at 100 active players. It changes once an
 * hour.
 */
export const demandPerMille = (view: WorldView): number =>
  clamp(DEMAND_PER_PLAYER * activePlayers(view), DEMAND_MIN, DEMAND_MAX)

/** Takes the players who acted in the hour that ends. O(players): once an hour. */
export function countPopulation(world: World): void {
  const { alive, lastActedTick } = world.read(Player)
  const before = Math.max(0, world.tick - HOUR_TICKS)
  let acted = 0
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 1 && lastActedTick[player] > before) acted++
  }
  const active = activePlayers(world)
  const more = divFloor(acted * PLAYERS_PER_TWO, 2) - active
  const step = more > 0 ? divCeil(more, RISE_HOURS) : -divCeil(-more, FALL_HOURS)
  world.records(POPULATION).set('active', active + step)
}
