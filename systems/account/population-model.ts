/**
 * How many players are active: what stations demand and give away scales with it. Source:
 * balance.md section 1; ours: counts hours of activity, not accounts, so that a new world supplies
 * those who join on its first day, and a bot that never sleeps counts for all that it consumes.
 */
import { clamp, divCeil, divFloor } from '../../core/math.ts'
import { HOUR_TICKS } from '../../core/time.ts'
import type { World, WorldView } from '../../core/types.ts'
import { Player, POPULATION } from './state.ts'

/** Demand per active player, in thousandths of that of 100 players, and the bounds of the sum. */
const DEMAND_PER_PLAYER = 10
const DEMAND_MIN = 250
const DEMAND_MAX = 10_000
/** Active players for every two who act within an hour: each is taken to act 9.6 hours a day. */
const PLAYERS_PER_TWO = 5
/** Hours over which the count approaches a higher, and a lower, number of players. */
const RISE_HOURS = 3
const FALL_HOURS = 24

/** Returns how many players, acting 9.6 hours a day each, would match the recent activity. */
export const activePlayers = (view: WorldView): number =>
  view.records(POPULATION).get('active') ?? 0

/**
 * Returns the demand of the stations in thousandths: 1000 at 100 active players. It changes once an
 * hour.
 */
export const demandPerMille = (view: WorldView): number =>
  clamp(DEMAND_PER_PLAYER * activePlayers(view), DEMAND_MIN, DEMAND_MAX)

/** Moves the count towards the players who acted in the past hour. O(players), once an hour. */
export function countPopulation(world: World): void {
  const { alive, lastActedTick } = world.read(Player)
  const before = Math.max(0, world.tick - HOUR_TICKS)
  let acted = 0
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 1 && lastActedTick[player] > before) acted++
  }
  const active = activePlayers(world)
  const change = divFloor(acted * PLAYERS_PER_TWO, 2) - active
  const step = change > 0 ? divCeil(change, RISE_HOURS) : -divCeil(-change, FALL_HOURS)
  world.records(POPULATION).set('active', active + step)
}
