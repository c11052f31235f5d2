/** Explorers: they survey the nearest system not surveyed yet, those of their missions first. */
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
/** After this many ticks all systems are worth a new survey. */
const CHART_TICKS = 2_160

/** Returns systems to visit: those of missions first, then the others, nearest first. */
function goals(me: Pilot, surveyed: ReadonlySet<number>): number[] {
  const missionSystems = activeTasks(me).flatMap(({ objectives }) =>
    (objectives ?? []).flatMap(({ system_id, completed }) =>
      system_id === undefined || completed ? [] : me.chart.systemOf(system_id),
    ),
  )
  const near = systemsNear(me, hereOf(me), RANGE_JUMPS).filter((system) => !surveyed.has(system))
  return [...near.filter((system) => missionSystems.includes(system)), ...near]
}

export const explore: Policy = (me) => {
  const surveyed = new Set<number>()
  let period = 0
  return forever(me, function* () {
    if (Math.floor(me.tick() / CHART_TICKS) !== period) surveyed.clear()
    period = Math.floor(me.tick() / CHART_TICKS)
    if (dockedAt(me) !== '') yield* takeTasks(me, 'exploration')
    const [next] = goals(me, surveyed)
    if (next === undefined) return
    if (!hasFuelFor(me, next)) yield* fillUp(me)
    surveyed.add(next)
    if (!hasFuelFor(me, next)) return
    if (yield* jumpTo(me, next)) yield* act(me, 'survey_system')
  })
}
