/** Miners: they dig the field that pays most per tick until the hold is full, then sell. */
import type { PoiPlan } from '../../../core/catalog/types.ts'
import type { Port } from './chart.ts'
import {
  act,
  type Deed,
  fillUp,
  flightTicks,
  flyTo,
  forever,
  hasFuelFor,
  hereOf,
  isLawful,
  type Pilot,
  type Policy,
  portsNear,
  roomOf,
  type Status,
  status,
  systemsNear,
} from './pilot.ts'
import { priceAt, sellLoad } from './selling.ts'

const RANGE_JUMPS = 3
const LAWLESS_JUMPS = 8
/** Hulls from this tier on can flee from whole packs. */
const PACK_TIER = 2
/** Ticks for which a poor field, or a system where pirates came, is avoided. */
const REST_TICKS = 360
/** Jumps from a field to the ports where its ore may be sold. */
const PORT_JUMPS = 4
const MIN_ROOM = 4

interface Field {
  readonly place: PoiPlan
  readonly system: number
  /** Ports near it, the nearest first. */
  readonly ports: readonly Port[]
}

type Hull = Status['ship']

interface Book {
  /** Ticks in which fields, and systems, were last found wanting. */
  readonly shunned: Map<string, number>
  /** Units per pull, as last seen. */
  pull: number
}

/** Returns what a unit out of a field brings at a port: its deposits are drawn by richness. */
function unitWorth(me: Pilot, { deposits }: PoiPlan, port: Port): number {
  const rich = deposits.reduce((sum, { richness }) => sum + richness, 0)
  const worth = deposits.reduce(
    (sum, { item, richness }) => sum + priceAt(me, port, item) * richness,
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

/**
 * Returns whether a field suits the hull: small hulls avoid lawless systems where no police come.
 */
function isFit(me: Pilot, system: number, isDeep: boolean): boolean {
  if (isLawful(me, system)) return !isDeep
  return isDeep && (me.cell.tier >= PACK_TIER || me.chart.systems[system].police_level > 0)
}

function fieldsNear(me: Pilot, isDeep: boolean): Field[] {
  const home = me.chart.systemOf(me.home)
  return systemsNear(me, home, isDeep ? LAWLESS_JUMPS : RANGE_JUMPS)
    .filter((system) => isFit(me, system, isDeep))
    .flatMap((system) => {
      const ports = portsNear(me, system, isDeep ? LAWLESS_JUMPS : PORT_JUMPS)
      const places = me.chart.systems[system].pois.filter(isDiggable)
      return ports.length > 0 ? places.map((place) => ({ place, system, ports })) : []
    })
}

/** Returns the credits per tick of a round to a field and on to the port that pays best. */
function rateOf(me: Pilot, pull: number, field: Field, { speed, cargo_capacity }: Hull): number {
  const digTicks = flightTicks(me, speed, hereOf(me), field.system) + cargo_capacity / pull
  const rates = field.ports.map((port) => {
    const ticks = digTicks + flightTicks(me, speed, field.system, port.system)
    return (cargo_capacity * unitWorth(me, field.place, port)) / ticks
  })
  return Math.max(...rates)
}

function* dig(me: Pilot, book: Book, field: Field): Deed {
  if (!(yield* flyTo(me, field.place.id))) {
    book.shunned.set(field.place.id, me.tick())
    return
  }
  while (roomOf(status(me).ship) >= MIN_ROOM) {
    const outcome = yield* act<{ quantity?: number }>(me, 'mine')
    if (outcome.ok) {
      book.pull = (book.pull * 9 + (outcome.result.quantity ?? 0)) / 10
      continue
    }
    if (outcome.code === 'no_cargo_space') return
    const isRaid = outcome.code === 'combat_interrupt'
    book.shunned.set(isRaid ? String(field.system) : field.place.id, me.tick())
    return
  }
}

const digger =
  (isDeep: boolean): Policy =>
  (me) => {
    const fields = fieldsNear(me, isDeep)
    const book: Book = { shunned: new Map(), pull: 8 * (me.cell.tier + 1) }
    return forever(me, function* () {
      const isRested = (key: string): boolean =>
        me.tick() - (book.shunned.get(key) ?? -REST_TICKS) >= REST_TICKS
      const open = fields.filter(
        ({ place, system }) => isRested(place.id) && isRested(String(system)),
      )
      const { ship } = status(me)
      const rated = open.map((field) => ({ field, rate: rateOf(me, book.pull, field, ship) }))
      rated.sort((a, b) => b.rate - a.rate || (a.field.place.id < b.field.place.id ? -1 : 1))
      if (rated.length > 0 && !hasFuelFor(me, rated[0].field.system)) yield* fillUp(me)
      if (rated.length > 0) yield* dig(me, book, rated[0].field)
      if (roomOf(status(me).ship) < MIN_ROOM || rated.length === 0)
        yield* sellLoad(me, LAWLESS_JUMPS)
    })
  }

export const mine: Policy = digger(false)
export const mineLawless: Policy = digger(true)
