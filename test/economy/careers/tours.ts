/** Tours to several bases, the nearest first: how carriers and couriers rate their loads. */
import { flightTicks, hereOf, type Pilot, status } from './pilot.ts'

/** Returns the base nearest to a system. */
export function nearest(me: Pilot, from: number, bases: Iterable<string>): string | undefined {
  const jumpsTo = (base: string): number => me.chart.jumps(from, me.chart.systemOf(base), me.lawful)
  return [...bases].sort((a, b) => jumpsTo(a) - jumpsTo(b) || (a < b ? -1 : 1))[0]
}

/** The bases that a load goes to, and its pay in all. */
export interface Load {
  readonly goals: readonly string[]
  readonly credits: number
}

/** Returns a load with one more base, and its pay. */
export const withMore = ({ goals, credits }: Load, to: string, pay: number): Load => ({
  goals: [...goals, to],
  credits: credits + pay,
})

/** Returns the credits per tick of a tour with a load. */
export function rateOf(me: Pilot, { goals, credits }: Load): number {
  const { speed } = status(me).ship
  const left = new Set(goals)
  let [here, ticks] = [hereOf(me), 0]
  for (let to = nearest(me, here, left); to !== undefined; to = nearest(me, here, left)) {
    const there = me.chart.systemOf(to)
    ticks += flightTicks(me, speed, here, there)
    here = there
    left.delete(to)
  }
  return ticks === 0 ? 0 : credits / ticks
}
