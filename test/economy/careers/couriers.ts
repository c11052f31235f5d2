/** Couriers: the errands of a board that pay best by the tick, and others on the way. */
import {
  act,
  type Deed,
  dockAt,
  dockedAt,
  flightTicks,
  forever,
  hereOf,
  type Pilot,
  type Policy,
  portsNear,
  roomOf,
  status,
} from './pilot.ts'

const ACTIVE_MAX = 5
/** Farther errands are left to others. */
const JUMPS_MAX = 12
/** An errand is taken beside better ones from this percent of the best rate. */
const BESIDE_PCT = 50
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
  readonly objectives?: readonly { readonly target_base?: string }[]
}

function offersHere(me: Pilot): Errand[] {
  const board = me.ask<{ missions: Offer[] }>('get_missions')
  return (board?.missions ?? []).flatMap((offer): Errand[] => {
    const to = offer.objectives?.[0]?.target_base_id
    if (offer.type !== 'courier' || to === undefined || !me.chart.ports.has(to)) return []
    const units = Object.values(offer.provided_items ?? {}).reduce((sum, some) => sum + some, 0)
    const { mission_id: id, expires_in_ticks: ticksLeft } = offer
    return [{ id, to, credits: offer.rewards.credits, units, ticksLeft }]
  })
}

const active = (me: Pilot): Active[] =>
  me.ask<{ missions: Active[] }>('get_active_missions')?.missions ?? []

/** Takes what pays at the board here. */
function* takeErrands(me: Pilot): Deed {
  const { ship } = status(me)
  const here = hereOf(me)
  const rated = offersHere(me).flatMap((errand) => {
    const goal = me.chart.systemOf(errand.to)
    const ticks = flightTicks(me, ship.speed, here, goal)
    if (me.chart.jumps(here, goal, me.lawful) > JUMPS_MAX || ticks > errand.ticksLeft) return []
    return [{ errand, rate: errand.credits / ticks }]
  })
  rated.sort((a, b) => b.rate - a.rate || (a.errand.id < b.errand.id ? -1 : 1))
  const least = ((rated[0]?.rate ?? 0) * BESIDE_PCT) / 100
  for (const { errand, rate } of rated) {
    if (rate < least || active(me).length >= ACTIVE_MAX) return
    if (errand.units > roomOf(status(me).ship)) continue
    yield* act(me, 'accept_mission', { mission_id: errand.id })
  }
}

/** Hands in what is for the base here. */
function* handIn(me: Pilot): Deed {
  const here = dockedAt(me)
  for (const { mission_id, objectives } of active(me)) {
    if (objectives?.[0]?.target_base !== here) continue
    const said = yield* act(me, 'complete_mission', { mission_id })
    if (!said.ok) yield* act(me, 'abandon_mission', { mission_id })
  }
}

/** The nearest base that something is for. */
function nextGoal(me: Pilot): string | undefined {
  const here = hereOf(me)
  const goals = active(me).flatMap(({ objectives }) => objectives?.[0]?.target_base ?? [])
  const far = (base: string): number =>
    me.chart.ports.has(base) ? me.chart.jumps(here, me.chart.systemOf(base), me.lawful) : 9_999
  return goals.sort((a, b) => far(a) - far(b) || (a < b ? -1 : 1))[0]
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
    const goal = nextGoal(me)
    if (goal !== undefined) {
      if (!(yield* dockAt(me, goal)) && mission) {
        yield* act(me, 'abandon_mission', { mission_id: mission.mission_id })
      }
      return
    }
    // an empty board: the board nearby that was seen longest ago
    const boards = portsNear(me, hereOf(me), ROAM_JUMPS, 'missions').map(({ base }) => base.id)
    const when = (base: string): number => seen.get(base) ?? -1
    const [next] = boards.filter((id) => id !== dockedAt(me)).sort((a, b) => when(a) - when(b))
    if (next !== undefined) yield* dockAt(me, next)
  })
}
