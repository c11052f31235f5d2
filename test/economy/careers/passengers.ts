/** Carriers of passengers: they fly the tour that pays most per tick, the nearest base first. */
import {
  act,
  type Deed,
  dockAt,
  dockedAt,
  forever,
  hereOf,
  isInReach,
  type Pilot,
  type Policy,
  portsNear,
} from './pilot.ts'
import { type Load, nearest, rateOf, withMore } from './tours.ts'

const JUMPS_MAX = 12
const ROAM_JUMPS = 4
const CLASSES = ['first', 'business', 'economy'] as const

type Berths = Readonly<Record<(typeof CLASSES)[number], { total: number; free: number }>>

interface Waiting {
  readonly class: string
  readonly destination: string
  readonly estimated_fare?: number
}

interface Aboard {
  readonly passengers: readonly { readonly destination: string; readonly base_fare: number }[]
  readonly berths?: Berths
}

const aboard = (me: Pilot): Aboard => me.ask<Aboard>('list_passengers') ?? { passengers: [] }

const loadOf = ({ passengers }: Aboard): Load => ({
  goals: passengers.map(({ destination }) => destination),
  credits: passengers.reduce((sum, { base_fare }) => sum + base_fare, 0),
})

/** Returns what the passengers waiting for one base would pay, as many as get a berth. */
function fareOf(group: readonly Waiting[], berths: Berths): number {
  return CLASSES.reduce((sum, name) => {
    const fares = group
      .filter((row) => row.class === name)
      .map((row) => row.estimated_fare ?? 0)
      .sort((a, b) => b - a)
    return sum + fares.slice(0, berths[name].free).reduce((all, fare) => all + fare, 0)
  }, 0)
}

/** Returns the groups that wait here, sorted by the credits per tick of a tour with them. */
function groupsHere(me: Pilot): { to: string; rate: number }[] {
  const seen = aboard(me)
  const { berths } = seen
  const waiting = me.ask<{ waiting: Waiting[] }>('list_station_passengers')?.waiting ?? []
  if (!berths) return []
  const load = loadOf(seen)
  const here = hereOf(me)
  const groups = [...new Set(waiting.map((row) => row.destination))].flatMap((to) => {
    const isFar = me.chart.jumps(here, me.chart.systemOf(to), me.lawful) > JUMPS_MAX
    const group = waiting.filter((row) => row.destination === to)
    const credits = fareOf(group, berths)
    if (!isInReach(me, to) || isFar || credits === 0) return []
    const rate = rateOf(me, withMore(load, to, credits))
    return [{ to, rate }]
  })
  return groups.sort((a, b) => b.rate - a.rate || (a.to < b.to ? -1 : 1))
}

/** Takes groups while the tour pays no less a tick with them than without. */
function* board(me: Pilot): Deed {
  const refused = new Set<string>()
  for (;;) {
    const next = groupsHere(me).find(({ to }) => !refused.has(to))
    if (!next || next.rate < rateOf(me, loadOf(aboard(me)))) return
    const outcome = yield* act(me, 'load_passenger', { destination: next.to })
    if (!outcome.ok && outcome.code === 'no_berths') return
    refused.add(next.to)
  }
}

export const carry: Policy = (me) => {
  const seen = new Map<string, number>()
  return forever(me, function* () {
    const docked = dockedAt(me)
    if (docked !== '') {
      seen.set(docked, me.tick())
      yield* board(me)
    }
    const goal = nearest(me, hereOf(me), loadOf(aboard(me)).goals)
    if (goal !== undefined) {
      if (!(yield* dockAt(me, goal))) yield* act(me, 'unload_passenger', { name: 'all' })
      return
    }
    // Without passengers, flies to the nearby port that was seen longest ago.
    const ports = portsNear(me, hereOf(me), ROAM_JUMPS).map(({ base }) => base.id)
    const when = (base: string): number => seen.get(base) ?? -1
    const [next] = ports.filter((id) => id !== docked).sort((a, b) => when(a) - when(b))
    if (next !== undefined) yield* dockAt(me, next)
  })
}
