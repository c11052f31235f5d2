/** Traders: the load that gains most by the tick between the ports whose prices they know. */
import { goodOf } from '../../../core/catalog/index.ts'
import {
  act,
  type Deed,
  dockAt,
  dockedAt,
  flightTicks,
  forever,
  holdOf,
  type Pilot,
  type Policy,
  type Price,
  portsNear,
  readMarket,
  roomOf,
  type Status,
  sellHold,
  status,
} from './pilot.ts'

/** A larger hull needs more ports to fill it: so many by tier. */
const rangeOf = ({ cell }: Pilot) => ({ jumps: 5 + cell.tier, ports: 8 + cell.tier })
/** Prices older than this are looked at again. */
const STALE_TICKS = 1_080
/** Of the ask: tax, and what the books move meanwhile, percent. */
const MARGIN_PCT = 3
/** Kept for fuel and repairs. */
const KEPT_CREDITS = 1_000

interface Line {
  readonly item: string
  readonly units: number
  readonly gain: number
}

interface Deal {
  readonly from: string
  readonly to: string
  readonly lines: readonly Line[]
  readonly rate: number
}

/** Units that gain between two ports, level by level, and what they cost and gain in all. */
function walk(here: Price, there: Price): { units: number; cost: number; gain: number } {
  const [asks, bids] = [here, there].map(({ asks, bids }, side) =>
    (side === 0 ? asks : bids).map((level) => ({ ...level })),
  )
  const sum = { units: 0, cost: 0, gain: 0 }
  while (asks.length > 0 && bids.length > 0) {
    const price = (asks[0].price_each * (100 + MARGIN_PCT)) / 100
    const each = bids[0].price_each - price
    if (each <= 0) break
    const units = Math.min(asks[0].quantity, bids[0].quantity)
    sum.units += units
    sum.cost += units * price
    sum.gain += units * each
    for (const side of [asks, bids]) {
      side[0].quantity -= units
      if (side[0].quantity === 0) side.shift()
    }
  }
  return sum
}

/** The goods that fill the hold best between two ports. */
function load(me: Pilot, from: string, to: string, { ship, player }: Status): Line[] {
  const [here, there] = [me.prices.get(from), me.prices.get(to)]
  if (!here || !there) return []
  const offers = [...here.goods].flatMap(([item, price]) => {
    const goal = there.goods.get(item)
    const deal = goal ? walk(price, goal) : undefined
    return deal && deal.units > 0 ? [{ item, size: goodOf(item).size, ...deal }] : []
  })
  const worth = (row: (typeof offers)[number]): number => row.gain / (row.units * row.size)
  offers.sort((a, b) => worth(b) - worth(a) || (a.item < b.item ? -1 : 1))
  let [room, credits] = [roomOf(ship), player.credits - KEPT_CREDITS]
  const lines: Line[] = []
  for (const { item, gain, size, units: most, cost } of offers) {
    const each = cost / most
    const units = Math.min(most, Math.floor(room / size), Math.floor(credits / each))
    if (units < 1) continue
    room -= units * size
    credits -= units * each
    lines.push({ item, units, gain: (units * gain) / most })
  }
  return lines
}

/** The best deal among known ports, the empty way to its beginning included. */
function choose(me: Pilot, ports: readonly string[]): Deal | undefined {
  const now = status(me)
  const { speed } = now.ship
  const here = me.chart.systemOf(now.player.current_system)
  const at = (base: string): number => me.chart.systemOf(base)
  const deals = ports.flatMap((from) =>
    ports.flatMap((to): Deal[] => {
      if (from === to) return []
      const lines = load(me, from, to, now)
      const gain = lines.reduce((sum, line) => sum + line.gain, 0)
      const ticks =
        flightTicks(me, speed, here, at(from)) +
        flightTicks(me, speed, at(from), at(to)) +
        2 * lines.length
      return gain > 0 ? [{ from, to, lines, rate: gain / ticks }] : []
    }),
  )
  deals.sort((a, b) => b.rate - a.rate || (a.from + a.to < b.from + b.to ? -1 : 1))
  return deals[0]
}

function* run(me: Pilot, { from, to, lines }: Deal): Deed {
  if (!(yield* dockAt(me, from))) return
  const now = readMarket(me)
  const goal = me.prices.get(to)
  for (const { item, units } of lines) {
    const [price, there] = [now.get(item), goal?.goods.get(item)]
    const most = price && there ? walk(price, there).units : 0
    if (most > 0) yield* act(me, 'buy', { item_id: item, quantity: Math.min(units, most) })
  }
  if (holdOf(me).length === 0) return
  if (yield* dockAt(me, to)) yield* sellHold(me)
}

export const trade: Policy = (me) => {
  const range = rangeOf(me)
  const ports = portsNear(me, me.chart.systemOf(me.home), range.jumps)
    .slice(0, range.ports)
    .map(({ base }) => base.id)
  const isStale = (base: string): boolean =>
    me.tick() - (me.prices.get(base)?.tick ?? -STALE_TICKS) >= STALE_TICKS
  return forever(me, function* () {
    if (dockedAt(me) !== '') yield* sellHold(me)
    const deal = choose(me, ports)
    const unknown = ports.find(isStale)
    // between two deals a port is looked at whose prices are unknown or old
    if (deal) yield* run(me, deal)
    if (unknown !== undefined && (yield* dockAt(me, unknown))) yield* sellHold(me)
  })
}
