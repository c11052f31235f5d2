/** Explorers: the nearest system not surveyed yet, and what a board pays for on the way. */
import {
  act,
  activeTasks,
  dockedAt,
  fillUp,
  forever,
  hasFuelFor,
  hereOf,
  jumpTo,
  type Pilot,
  type Policy,
  systemsNear,
  takeTasks,
} from './pilot.ts'

const RANGE_JUMPS = 25
/** Charts of an earlier age are worth a new survey. */
const CHART_TICKS = 2_160

/** Returns systems to visit: those of missions first, then the others, nearest first. */
function goals(me: Pilot, surveyed: ReadonlySet<number>): number[] {
  const asked = activeTasks(me).flatMap(({ objectives }) =>
    (objectives ?? []).flatMap(({ system_id, completed }) =>
      system_id === undefined || completed ? [] : me.chart.systemOf(system_id),
    ),
  )
  const near = systemsNear(me, hereOf(me), RANGE_JUMPS).filter((row) => !surveyed.has(row))
  return [...near.filter((row) => asked.includes(row)), ...near]
}

export const explore: Policy = (me) => {
  const surveyed = new Set<number>()
  let age = 0
  return forever(me, function* () {
    if (Math.floor(me.tick() / CHART_TICKS) !== age) surveyed.clear()
    age = Math.floor(me.tick() / CHART_TICKS)
    if (dockedAt(me) !== '') yield* takeTasks(me, 'exploration')
    const [next] = goals(me, surveyed)
    if (next === undefined) return
    if (!hasFuelFor(me, next)) yield* fillUp(me)
    surveyed.add(next)
    if (!hasFuelFor(me, next)) return
    if (yield* jumpTo(me, next)) yield* act(me, 'survey_system')
  })
}
