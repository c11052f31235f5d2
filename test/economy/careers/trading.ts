/** Traders: they carry the load that gains most per tick between ports whose prices they know. */
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
/** Prices older than this are read again. */
const STALE_TICKS = 1_080
/** Rounds of buying or selling in a port: a book that is bought out is quoted anew. */
const ROUNDS = 2
/** A port is visited for its prices after each of the first deals, later after every third. */
const FIRST_LOOKS = 2
const LOOK_EVERY = 3

interface Deal {
  readonly from: string
  readonly to: string
  readonly lines: readonly Line[]
  readonly gain: number
  /** Ticks of the empty flight to the first port, and of the deal from there on. */
  readonly way: number
  readonly ticks: number
}

const pairOf = ({ from, to }: Deal): string => from + to

/** Chooses the best deal among known ports, the empty flight to its start included. */
function choose(me: Pilot, ports: readonly string[]): Deal | undefined {
  const now = status(me)
  const { speed } = now.ship
  const here = me.chart.systemOf(now.player.current_system)
  const systemAt = (base: string): number => me.chart.systemOf(base)
  const deals = ports.flatMap((from) =>
    ports.flatMap((to): Deal[] => {
      if (from === to) return []
      const lines = load(me, { from, to }, now)
      const gain = lines.reduce((sum, line) => sum + line.gain, 0)
      const way = flightTicks(me, speed, here, systemAt(from))
      const ticks = flightTicks(me, speed, systemAt(from), systemAt(to)) + 2 * lines.length
      return gain > 0 ? [{ from, to, lines, gain, way, ticks }] : []
    }),
  )
  // A destination is worth more if a good deal starts there.
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
      const unitsMax = price && there ? unitsBetween(price.asks, there.bids) : 0
      const quantity = Math.min(units, unitsMax)
      const outcome = quantity > 0 && (yield* act(me, 'buy', { item_id: item, quantity }))
      if (outcome !== false && outcome.ok && quantity < units) left.set(item, units - quantity)
      else left.delete(item)
    }
  }
  if (holdOf(me).length > 0 && (yield* dockAt(me, to))) yield* sellAll(me)
}

/** Returns the ports around the pilot: a trader who has exhausted a region moves on. */
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
