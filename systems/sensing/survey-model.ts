/** What a survey pays. Source: balance.md sections 2, 8. */
import { clamp, divFloor } from '../../core/math.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { tuned } from '../empire/balance-model.ts'
import { Ship } from '../ship/state.ts'
import { depthOf } from '../travel/depth-model.ts'
import { Poi } from '../travel/state.ts'

/** Length of a chart epoch: at its end all charts go stale at once, and surveys pay again. */
const CHART_TICKS = 2_160
/** Extra pay of a survey for each jump of depth, credits. */
const SURVEY_CREDITS_PER_DEPTH = 20
/** Increase of a chart's pay for each point of survey power above a plain chart's, %. */
const PCT_PER_POWER = 2
/** Survey power of a plain chart. */
const PLAIN_POWER = 80
/** Survey power that a hull can make use of, for each step of its scale. */
const POWER_PER_SCALE = 80
/** Pay of each place that a survey reveals, credits. */
const REVEAL_CREDITS = 300
const REVEAL_CREDITS_PER_DIFFICULTY = 10

/** Returns the number of the chart epoch that a tick is in. */
export const chartEpoch = (tick: number): number => divFloor(tick, CHART_TICKS)

/** Returns the pay for a fresh chart of a system made with a survey power, credits. */
export function chartCredits(view: WorldView, ship: Eid, system: Eid, power: number): number {
  const powerMax = POWER_PER_SCALE * view.read(Ship).scale[ship]
  const extraPower = clamp(power, PLAIN_POWER, powerMax) - PLAIN_POWER
  const plain = tuned(view, 'survey_credits') + SURVEY_CREDITS_PER_DEPTH * depthOf(view, system)
  return divFloor(plain * (100 + PCT_PER_POWER * extraPower), 100)
}

/** Returns the pay for revealing hidden places, credits. */
export const revealCredits = (view: WorldView, places: readonly Eid[]): number => {
  const { difficulty } = view.read(Poi)
  return places.reduce(
    (sum, poi) => sum + REVEAL_CREDITS + REVEAL_CREDITS_PER_DIFFICULTY * difficulty[poi],
    0,
  )
}
