/** Selling a hold: what a good is believed to bring at each port, and where to go with a load. */
import { goodOf } from '../../../core/catalog/index.ts'
import type { Port } from './chart.ts'
import {
  act,
  type Deed,
  dockAt,
  flightTicks,
  hereOf,
  holdOf,
  type Pilot,
  portsNear,
  sellHold,
  status,
} from './pilot.ts'

/** Expected price of a good at a port not seen lately, percent of its value. */
const GUESS_PCT = 60
const STALE_TICKS = 720
const STOPS_MAX = 3

/** Returns what a unit brings at a port, as far as the pilot knows. */
export function priceAt(me: Pilot, { base }: Port, item: string): number {
  const seen = me.prices.get(base.id)
  if (!seen || me.tick() - seen.tick > STALE_TICKS) {
    return (goodOf(item).base_value * GUESS_PCT) / 100
  }
  return seen.goods.get(item)?.bid ?? 0
}

/** Returns the port that pays the most per tick for the goods in the hold. */
function bestPort(me: Pilot, jumpsMax: number, tried: ReadonlySet<string>): Port | undefined {
  const here = hereOf(me)
  const { speed } = status(me).ship
  const hold = holdOf(me)
  const rated = portsNear(me, here, jumpsMax)
    .filter(({ base }) => !tried.has(base.id))
    .map((port) => {
      const credits = hold.reduce(
        (sum, { item_id, quantity }) => sum + quantity * priceAt(me, port, item_id),
        0,
      )
      return { port, rate: credits / flightTicks(me, speed, here, port.system) }
    })
  return rated.reduce((best, row) => (row.rate > (best?.rate ?? 0) ? row : best), rated[0])?.port
}

/** Sells where it pays best until most of the load is gone; what nobody takes is stored. */
export function* sellLoad(me: Pilot, jumpsMax: number): Deed {
  const tried = new Set<string>()
  for (let stop = 0; stop < STOPS_MAX; stop++) {
    const port = bestPort(me, jumpsMax, tried)
    if (!port) return
    tried.add(port.base.id)
    if (!(yield* dockAt(me, port.base.id))) continue
    yield* sellHold(me)
    const { ship } = status(me)
    if (ship.cargo_used * 2 < ship.cargo_capacity) return
  }
  for (const { item_id, quantity } of holdOf(me)) {
    yield* act(me, 'deposit_items', { item_id, quantity })
  }
}
