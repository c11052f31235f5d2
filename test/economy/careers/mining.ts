/** Miners: the field that pays best by the tick, dug until the hold is full, and sold. */
import { goodOf } from '../../../core/catalog/index.ts'
import type { PoiPlan } from '../../../core/catalog/types.ts'
import {
  act,
  type Deed,
  dockAt,
  fillUp,
  flightTicks,
  flyTo,
  forever,
  hasFuelFor,
  hereOf,
  holdOf,
  isLawful,
  type Pilot,
  type Policy,
  portsNear,
  roomOf,
  type Status,
  sellHold,
  status,
  systemsNear,
} from './pilot.ts'

const RANGE_JUMPS = 3
const LAWLESS_JUMPS = 8
/** A field that disappointed is left alone so long. */
const REST_TICKS = 360
/** Wanted of a good that nobody was seen to bid for, percent of its value. */
const GUESS_PCT = 60
const MIN_ROOM = 4

interface Field {
  readonly place: PoiPlan
  readonly system: number
  /** System of the nearest port. */
  readonly port: number
}

type Hull = Status['ship']

interface Book {
  readonly shunned: Map<string, number>
  /** Units a pull, as last seen. */
  pull: number
}

const worthOf = (me: Pilot, item: string): number =>
  me.bids.get(item) ?? (goodOf(item).base_value * GUESS_PCT) / 100

/** What a unit out of a field brings: its deposits are drawn by richness. */
function unitWorth(me: Pilot, { place }: Field): number {
  const rich = place.deposits.reduce((sum, { richness }) => sum + richness, 0)
  const worth = place.deposits.reduce(
    (sum, { item, richness }) => sum + worthOf(me, item) * richness,
    0,
  )
  return rich === 0 ? 0 : worth / rich
}

const isDiggable = ({ type, class: kind, hidden, deposits }: PoiPlan): boolean =>
  (type === 'asteroid_belt' || type === 'asteroid') &&
  kind !== 'ice_field' &&
  kind !== 'deep_core' &&
  !hidden &&
  deposits.length > 0

function fieldsNear(me: Pilot, isDeep: boolean): Field[] {
  const home = me.chart.systemOf(me.home)
  return systemsNear(me, home, isDeep ? LAWLESS_JUMPS : RANGE_JUMPS)
    .filter((system) => isLawful(me, system) !== isDeep)
    .flatMap((system) => {
      const [port] = portsNear(me, system, LAWLESS_JUMPS)
      const places = me.chart.systems[system].pois.filter(isDiggable)
      return port ? places.map((place) => ({ place, system, port: port.system })) : []
    })
}

/** Credits a tick of a whole round to a field, from the port nearest to it and back. */
function rateOf(me: Pilot, pull: number, field: Field, { speed, cargo_capacity }: Hull): number {
  const way = 2 * flightTicks(me, speed, field.system, field.port)
  return (cargo_capacity * unitWorth(me, field)) / (way + cargo_capacity / pull)
}

function* dig(me: Pilot, book: Book, field: Field): Deed {
  if (!(yield* flyTo(me, field.place.id))) {
    book.shunned.set(field.place.id, me.tick())
    return
  }
  while (roomOf(status(me).ship) >= MIN_ROOM) {
    const said = yield* act<{ quantity?: number }>(me, 'mine')
    if (said.ok) {
      book.pull = (book.pull * 9 + (said.result.quantity ?? 0)) / 10
      continue
    }
    if (said.code === 'no_cargo_space') return
    book.shunned.set(field.place.id, me.tick())
    return
  }
}

/** Sells at ports, the nearest first, until most of the load is gone. */
function* sellLoad(me: Pilot): Deed {
  const tried = new Set<string>()
  for (let stop = 0; stop < 3; stop++) {
    const [port] = portsNear(me, hereOf(me), LAWLESS_JUMPS).filter(
      ({ base }) => !tried.has(base.id),
    )
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

const digger =
  (isDeep: boolean): Policy =>
  (me) => {
    const fields = fieldsNear(me, isDeep)
    const book: Book = { shunned: new Map(), pull: 8 * (me.cell.tier + 1) }
    return forever(me, function* () {
      const open = fields.filter(
        ({ place }) => me.tick() - (book.shunned.get(place.id) ?? -REST_TICKS) >= REST_TICKS,
      )
      const { ship } = status(me)
      const rated = open.map((field) => ({ field, rate: rateOf(me, book.pull, field, ship) }))
      rated.sort((a, b) => b.rate - a.rate || (a.field.place.id < b.field.place.id ? -1 : 1))
      if (rated.length > 0 && !hasFuelFor(me, rated[0].field.system)) yield* fillUp(me)
      if (rated.length > 0) yield* dig(me, book, rated[0].field)
      if (roomOf(status(me).ship) < MIN_ROOM || rated.length === 0) yield* sellLoad(me)
    })
  }

export const mine: Policy = digger(false)
export const mineLawless: Policy = digger(true)
