/** Explorers: the nearest system not surveyed yet, and what a board pays for on the way. */
import {
  act,
  type Deed,
  dockedAt,
  fillUp,
  forever,
  hasFuelFor,
  hereOf,
  jumpTo,
  type Pilot,
  type Policy,
  systemsNear,
} from './pilot.ts'

const RANGE_JUMPS = 25

interface Offer {
  readonly mission_id: string
  readonly type: string
  readonly percent_complete?: number
  readonly objectives?: readonly { readonly system_id?: string; readonly completed?: boolean }[]
}

const active = (me: Pilot): readonly Offer[] =>
  me.ask<{ missions: Offer[] }>('get_active_missions')?.missions ?? []

/** Systems that missions lead to, then the others, the nearest first. */
function goals(me: Pilot, surveyed: ReadonlySet<number>): number[] {
  const asked = active(me).flatMap(({ objectives }) =>
    (objectives ?? []).flatMap(({ system_id, completed }) =>
      system_id === undefined || completed ? [] : me.chart.systemOf(system_id),
    ),
  )
  const near = systemsNear(me, hereOf(me), RANGE_JUMPS).filter((row) => !surveyed.has(row))
  return [...near.filter((row) => asked.includes(row)), ...near]
}

/** Takes tasks of exploration here, and hands in the done. */
function* minds(me: Pilot): Deed {
  for (const { mission_id, percent_complete = 0 } of active(me)) {
    if (percent_complete >= 100) yield* act(me, 'complete_mission', { mission_id })
  }
  for (const { mission_id, type } of me.ask<{ missions: Offer[] }>('get_missions')?.missions ??
    []) {
    if (type === 'exploration') yield* act(me, 'accept_mission', { mission_id })
  }
}

export const explore: Policy = (me) => {
  const surveyed = new Set<number>()
  return forever(me, function* () {
    if (dockedAt(me) !== '') yield* minds(me)
    const [next] = goals(me, surveyed)
    if (next === undefined) {
      surveyed.clear()
      return
    }
    if (!hasFuelFor(me, next)) yield* fillUp(me)
    surveyed.add(next)
    if (!hasFuelFor(me, next)) return
    if (yield* jumpTo(me, next)) yield* act(me, 'survey_system')
  })
}
