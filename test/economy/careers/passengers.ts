/** Carriers of passengers: the group that pays best by the tick, and what else goes that way. */
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
  status,
} from './pilot.ts'

const JUMPS_MAX = 12
const ROAM_JUMPS = 4
/** A group is taken beside a better one from this percent of its rate. */
const BESIDE_PCT = 40
const CLASSES = ['first', 'business', 'economy'] as const

type Berths = Readonly<Record<(typeof CLASSES)[number], { total: number; free: number }>>

interface Waiting {
  readonly class: string
  readonly destination: string
  readonly estimated_fare?: number
}

interface Group {
  readonly to: string
  readonly credits: number
  readonly rate: number
}

const aboard = (me: Pilot) =>
  me.ask<{ passengers: { destination: string; name: string }[]; berths?: Berths }>(
    'list_passengers',
  )

/** What those who wait for one base would pay, as many as have a berth. */
function fareOf(group: readonly Waiting[], berths: Berths): number {
  return CLASSES.reduce((sum, name) => {
    const fares = group
      .filter((row) => row.class === name)
      .map((row) => row.estimated_fare ?? 0)
      .sort((a, b) => b - a)
    return sum + fares.slice(0, berths[name].free).reduce((all, fare) => all + fare, 0)
  }, 0)
}

function groupsHere(me: Pilot): Group[] {
  const waiting = me.ask<{ waiting: Waiting[] }>('list_station_passengers')?.waiting ?? []
  const berths = aboard(me)?.berths
  if (!berths) return []
  const goals = [...new Set(waiting.map((row) => row.destination))]
  const { ship } = status(me)
  const here = hereOf(me)
  const groups = goals.flatMap((to): Group[] => {
    if (!me.chart.ports.has(to)) return []
    const goal = me.chart.systemOf(to)
    if (me.chart.jumps(here, goal, me.lawful) > JUMPS_MAX) return []
    const group = waiting.filter((row) => row.destination === to)
    const credits = fareOf(group, berths)
    const rate = credits / flightTicks(me, ship.speed, here, goal)
    return credits > 0 ? [{ to, credits, rate }] : []
  })
  return groups.sort((a, b) => b.rate - a.rate || (a.to < b.to ? -1 : 1))
}

/** Takes groups while they pay; what is aboard already counts as the best. */
function* board(me: Pilot): Deed {
  const [best] = groupsHere(me)
  if (!best) return
  const refused = new Set<string>()
  for (;;) {
    const next = groupsHere(me).find(({ to }) => !refused.has(to))
    if (!next || next.rate * 100 < best.rate * BESIDE_PCT) return
    const said = yield* act<{ count: number }>(me, 'load_passenger', { destination: next.to })
    if (!said.ok && said.code === 'no_berths') return
    refused.add(next.to)
  }
}

function nextGoal(me: Pilot): string | undefined {
  const here = hereOf(me)
  const far = (base: string): number => me.chart.jumps(here, me.chart.systemOf(base), me.lawful)
  const goals = (aboard(me)?.passengers ?? []).map(({ destination }) => destination)
  return goals
    .filter((base) => me.chart.ports.has(base))
    .sort((a, b) => far(a) - far(b) || (a < b ? -1 : 1))[0]
}

export const carry: Policy = (me) => {
  const seen = new Map<string, number>()
  return forever(me, function* () {
    const docked = dockedAt(me)
    if (docked !== '') {
      seen.set(docked, me.tick())
      yield* board(me)
    }
    const goal = nextGoal(me)
    if (goal !== undefined) {
      if (!(yield* dockAt(me, goal))) yield* act(me, 'unload_passenger', { name: 'all' })
      return
    }
    // nobody waits: the port nearby that was seen longest ago
    const ports = portsNear(me, hereOf(me), ROAM_JUMPS).map(({ base }) => base.id)
    const when = (base: string): number => seen.get(base) ?? -1
    const [next] = ports.filter((id) => id !== docked).sort((a, b) => when(a) - when(b))
    if (next !== undefined) yield* dockAt(me, next)
  })
}
