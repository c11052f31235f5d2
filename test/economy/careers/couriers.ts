/** Couriers: they take the errands of a board that make their tour pay most per tick. */
import {
  act,
  type Deed,
  dockAt,
  dockedAt,
  flightTicks,
  forever,
  hereOf,
  isInReach,
  type Pilot,
  type Policy,
  portsNear,
  roomOf,
  status,
} from './pilot.ts'
import { type Load, nearest, rateOf, withMore } from './tours.ts'

const ACTIVE_MAX = 5
/** Farther errands are left to others. */
const JUMPS_MAX = 12
const ROAM_JUMPS = 4

interface Offer {
  readonly mission_id: string
  readonly type: string
  readonly expires_in_ticks: number
  readonly rewards: { readonly credits: number }
  readonly provided_items?: Readonly<Record<string, number>>
  readonly objectives?: readonly { readonly type: string; readonly target_base_id?: string }[]
}

interface Errand {
  readonly id: string
  readonly to: string
  readonly credits: number
  readonly units: number
  readonly ticksLeft: number
}

interface Active {
  readonly mission_id: string
  readonly type: string
  readonly rewards: { readonly credits: number }
  readonly objectives?: readonly { readonly target_base?: string }[]
}

function offersHere(me: Pilot): Errand[] {
  const board = me.ask<{ missions: Offer[] }>('get_missions')
  return (board?.missions ?? []).flatMap((offer): Errand[] => {
    const to = offer.objectives?.[0]?.target_base_id
    if (offer.type !== 'courier' || to === undefined || !isInReach(me, to)) return []
    const quantities = Object.values(offer.provided_items ?? {})
    const units = quantities.reduce((sum, quantity) => sum + quantity, 0)
    const { mission_id: id, expires_in_ticks: ticksLeft } = offer
    return [{ id, to, credits: offer.rewards.credits, units, ticksLeft }]
  })
}

const active = (me: Pilot): Active[] =>
  me.ask<{ missions: Active[] }>('get_active_missions')?.missions ?? []

const loadOf = (tasks: readonly Active[]): Load => ({
  goals: tasks.flatMap(({ objectives }) => objectives?.[0]?.target_base ?? []),
  credits: tasks.reduce((sum, { rewards }) => sum + rewards.credits, 0),
})

/** Rates the errands available here by the credits per tick of a tour with each of them. */
function rated(me: Pilot, load: Load): { errand: Errand; rate: number }[] {
  const { ship } = status(me)
  const here = hereOf(me)
  const errands = offersHere(me).filter(({ to, units, ticksLeft }) => {
    const goal = me.chart.systemOf(to)
    const isNear = me.chart.jumps(here, goal, me.lawful) <= JUMPS_MAX
    return isNear && units <= roomOf(ship) && flightTicks(me, ship.speed, here, goal) <= ticksLeft
  })
  return errands
    .map((errand) => ({ errand, rate: rateOf(me, withMore(load, errand.to, errand.credits)) }))
    .sort((a, b) => b.rate - a.rate || (a.errand.id < b.errand.id ? -1 : 1))
}

/** Takes errands while the tour pays no less a tick with them than without. */
function* takeErrands(me: Pilot): Deed {
  const refused = new Set<string>()
  for (;;) {
    const tasks = active(me)
    if (tasks.length >= ACTIVE_MAX) return
    const load = loadOf(tasks)
    const next = rated(me, load).find(({ errand }) => !refused.has(errand.id))
    if (!next || next.rate < rateOf(me, load)) return
    const outcome = yield* act(me, 'accept_mission', { mission_id: next.errand.id })
    if (!outcome.ok && outcome.code === 'mission_limit') return
    refused.add(next.errand.id)
  }
}

/** Hands in the errands for the base where the pilot is docked. */
function* handIn(me: Pilot): Deed {
  const here = dockedAt(me)
  for (const { mission_id, objectives } of active(me)) {
    if (objectives?.[0]?.target_base !== here) continue
    const outcome = yield* act(me, 'complete_mission', { mission_id })
    if (!outcome.ok) yield* act(me, 'abandon_mission', { mission_id })
  }
}

export const courier: Policy = (me) => {
  const seen = new Map<string, number>()
  return forever(me, function* () {
    if (dockedAt(me) !== '') {
      seen.set(dockedAt(me), me.tick())
      yield* handIn(me)
      yield* takeErrands(me)
    }
    const [mission] = active(me)
    const goal = nearest(me, hereOf(me), loadOf(active(me)).goals)
    if (goal !== undefined) {
      if (!(yield* dockAt(me, goal)) && mission) {
        yield* act(me, 'abandon_mission', { mission_id: mission.mission_id })
      }
      return
    }
    // Without an errand, flies to the nearby board that was seen longest ago.
    const boards = portsNear(me, hereOf(me), ROAM_JUMPS, 'missions').map(({ base }) => base.id)
    const when = (base: string): number => seen.get(base) ?? -1
    const [next] = boards.filter((id) => id !== dockedAt(me)).sort((a, b) => when(a) - when(b))
    if (next !== undefined) yield* dockAt(me, next)
  })
}
