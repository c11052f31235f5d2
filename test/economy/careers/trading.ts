/** Traders: the load that gains most by the tick between the ports whose prices they know. */
import { type Line, load, unitsBetween } from './loads.ts'
import {
  act,
  type Deed,
  dockAt,
  dockedAt,
  flightTicks,
  forever,
  hereOf,
  holdOf,
  type Pilot,
  type Policy,
  portsNear,
  readMarket,
  sellHold,
  status,
} from './pilot.ts'

/** Returns the range of a trader's ports: a larger hull needs more of them to fill it. */
const rangeOf = ({ cell }: Pilot) => ({ jumps: 5 + cell.tier, ports: 8 + cell.tier })
/** Prices older than this are looked at again. */
const STALE_TICKS = 1_080
/** A book that is bought or sold out is quoted anew: so often one buys and sells in a port. */
const ROUNDS = 2
/** Deals at the begin after which a port is looked at, and from then on every how many. */
const FIRST_LOOKS = 2
const LOOK_EVERY = 3

interface Deal {
  readonly from: string
  readonly to: string
  readonly lines: readonly Line[]
  readonly gain: number
  /** Of the empty way to its beginning, and of the deal from there on. */
  readonly way: number
  readonly ticks: number
}

const pairOf = ({ from, to }: Deal): string => from + to

/** Chooses the best deal among known ports, the empty flight to its start included. */
function choose(me: Pilot, ports: readonly string[]): Deal | undefined {
  const now = status(me)
  const { speed } = now.ship
  const here = me.chart.systemOf(now.player.current_system)
  const at = (base: string): number => me.chart.systemOf(base)
  const deals = ports.flatMap((from) =>
    ports.flatMap((to): Deal[] => {
      if (from === to) return []
      const lines = load(me, { from, to }, now)
      const gain = lines.reduce((sum, line) => sum + line.gain, 0)
      const way = flightTicks(me, speed, here, at(from))
      const ticks = flightTicks(me, speed, at(from), at(to)) + 2 * lines.length
      return gain > 0 ? [{ from, to, lines, gain, way, ticks }] : []
    }),
  )
  // A port is the better for what may be carried on from there.
  const onward = new Map<string, Deal>()
  for (const deal of deals) {
    const best = onward.get(deal.from)
    if (!best || deal.gain / deal.ticks > best.gain / best.ticks) onward.set(deal.from, deal)
  }
  const rateOf = ({ gain, way, ticks, to }: Deal): number => {
    const next = onward.get(to)
    const both = next ? (gain + next.gain) / (way + ticks + next.ticks) : 0
    return Math.max(gain / (way + ticks), both)
  }
  const rated = deals.map((deal) => ({ deal, rate: rateOf(deal) }))
  rated.sort((a, b) => b.rate - a.rate || (pairOf(a.deal) < pairOf(b.deal) ? -1 : 1))
  return rated[0]?.deal
}

function* sellAll(me: Pilot): Deed {
  for (let round = 0; round < ROUNDS && holdOf(me).length > 0; round++) yield* sellHold(me)
}

function* run(me: Pilot, { from, to, lines }: Deal): Deed {
  if (!(yield* dockAt(me, from))) return
  const goal = me.prices.get(to)
  const left = new Map(lines.map(({ item, units }) => [item, units]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [item, units] of left) {
      const [price, there] = [readMarket(me).get(item), goal?.goods.get(item)]
      const most = price && there ? unitsBetween(price.asks, there.bids) : 0
      const quantity = Math.min(units, most)
      const outcome = quantity > 0 && (yield* act(me, 'buy', { item_id: item, quantity }))
      if (outcome !== false && outcome.ok && quantity < units) left.set(item, units - quantity)
      else left.delete(item)
    }
  }
  if (holdOf(me).length > 0 && (yield* dockAt(me, to))) yield* sellAll(me)
}

/** Ports about where they are: who has traded a region out moves on. */
function portsAround(me: Pilot): string[] {
  const { jumps, ports } = rangeOf(me)
  return portsNear(me, hereOf(me), jumps)
    .slice(0, ports)
    .map(({ base }) => base.id)
}

export const trade: Policy = (me) => {
  const isStale = (base: string): boolean =>
    me.tick() - (me.prices.get(base)?.tick ?? -STALE_TICKS) >= STALE_TICKS
  let deals = 0
  return forever(me, function* () {
    if (dockedAt(me) !== '') yield* sellHold(me)
    const ports = portsAround(me)
    const deal = choose(me, ports)
    if (deal) yield* run(me, deal)
    deals++
    const isTime = !deal || deals <= FIRST_LOOKS || deals % LOOK_EVERY === 0
    const unknown = isTime ? ports.find(isStale) : undefined
    if (unknown !== undefined && (yield* dockAt(me, unknown))) yield* sellHold(me)
  })
}
