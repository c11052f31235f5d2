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

const RANGE_JUMPS = 5
const PORTS = 8
/** Prices older than this are looked at again. */
const STALE_TICKS = 1_080
/** Of the ask: tax, and what the books move meanwhile, percent. */
const MARGIN_PCT = 6
/** Of what is bid for, percent: the levels below the best pay less. */
const DEPTH_PCT = 96

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

/** What a unit gains between two ports, after tax. */
const gainOf = (here: Price, there: Price): number =>
  (there.bid * DEPTH_PCT) / 100 - (here.ask * (100 + MARGIN_PCT)) / 100

/** The goods that fill the hold best between two ports. */
function load(me: Pilot, from: string, to: string, { ship, player }: Status): Line[] {
  const [here, there] = [me.prices.get(from), me.prices.get(to)]
  if (!here || !there) return []
  const offers = [...here.goods].flatMap(([item, price]) => {
    const goal = there.goods.get(item)
    if (!goal || price.askUnits === 0 || goal.bidUnits === 0) return []
    const gain = gainOf(price, goal)
    const { size } = goodOf(item)
    return gain > 0
      ? [{ item, gain, size, price, most: Math.min(price.askUnits, goal.bidUnits) }]
      : []
  })
  offers.sort((a, b) => b.gain / b.size - a.gain / a.size || (a.item < b.item ? -1 : 1))
  let [room, credits] = [roomOf(ship), player.credits]
  const lines: Line[] = []
  for (const { item, gain, size, price, most } of offers) {
    const cost = (price.ask * (100 + MARGIN_PCT)) / 100
    const units = Math.min(most, Math.floor(room / size), Math.floor(credits / cost))
    if (units < 1) continue
    room -= units * size
    credits -= units * cost
    lines.push({ item, units, gain: units * gain })
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
    if (!price || !there || gainOf(price, there) <= 0) continue
    yield* act(me, 'buy', { item_id: item, quantity: Math.min(units, price.askUnits) })
  }
  if (holdOf(me).length === 0) return
  if (yield* dockAt(me, to)) yield* sellHold(me)
}

export const trade: Policy = (me) => {
  const ports = portsNear(me, me.chart.systemOf(me.home), RANGE_JUMPS)
    .slice(0, PORTS)
    .map(({ base }) => base.id)
  const isStale = (base: string): boolean =>
    me.tick() - (me.prices.get(base)?.tick ?? -STALE_TICKS) >= STALE_TICKS
  return forever(me, function* () {
    if (dockedAt(me) !== '') yield* sellHold(me)
    const deal = choose(me, ports)
    const unknown = ports.find(isStale)
    // a first round makes the prices known; later one stale port is looked at between two deals
    if (deal && (unknown === undefined || me.prices.size >= ports.length)) yield* run(me, deal)
    if (unknown !== undefined && (yield* dockAt(me, unknown))) yield* sellHold(me)
  })
}
