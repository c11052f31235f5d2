/** What a survey pays. Source: balance.md sections 2, 8. */
import { clamp, divFloor } from '../../core/math.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { tuned } from '../empire/balance-model.ts'
import { Ship } from '../ship/state.ts'
import { depthOf } from '../travel/depth-model.ts'
import { Poi } from '../travel/state.ts'

/** Charts go stale, all at once: a survey pays again after this many ticks. */
const CHART_TICKS = 2_160
/** Pay of a survey, credits. */
const SURVEY_CREDITS_PER_DEPTH = 20
/**
 * A chart is worth more the sharper it is: percent for each point of power above a plain one's, up
 * to what a hull of each step of scale can steady.
 */
const PCT_PER_POWER = 2
const PLAIN_POWER = 80
const POWER_PER_SCALE = 80
/** Pay of each place that a survey reveals, credits. */
const REVEAL_CREDITS = 300
const REVEAL_CREDITS_PER_DIFFICULTY = 10

/** Returns the number of the age in which charts of a tick are fresh. */
export const chartAge = (tick: number): number => divFloor(tick, CHART_TICKS)

/** Returns what a fresh chart of a system is worth, drawn with a survey power. */
export function chartCredits(view: WorldView, ship: Eid, system: Eid, power: number): number {
  const steady = POWER_PER_SCALE * view.read(Ship).scale[ship]
  const above = clamp(power, PLAIN_POWER, steady) - PLAIN_POWER
  const plain = tuned(view, 'survey_credits') + SURVEY_CREDITS_PER_DEPTH * depthOf(view, system)
  return divFloor(plain * (100 + PCT_PER_POWER * above), 100)
}

/** Returns what the first look at hidden places pays. */
export const revealCredits = (view: WorldView, places: readonly Eid[]): number => {
  const { difficulty } = view.read(Poi)
  return places.reduce(
    (sum, poi) => sum + REVEAL_CREDITS + REVEAL_CREDITS_PER_DIFFICULTY * difficulty[poi],
    0,
  )
}
