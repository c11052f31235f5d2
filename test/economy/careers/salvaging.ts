/** Salvagers: a round of what may hold wrecks; goods are taken, hulks towed to a yard. */
import {
  act,
  type Deed,
  dockAt,
  fillUp,
  flyTo,
  forever,
  hasFuelFor,
  hereOf,
  type Pilot,
  type Policy,
  portsNear,
  roomOf,
  sellHold,
  status,
  storedOf,
  systemsNear,
} from './pilot.ts'

const RANGE_JUMPS = 10
const ROUND_PLACES = 30
const REST_TICKS = 360
/** A hulk worth less is not worth the way, credits. */
const HULK_LEAST = 200
/** With less room it is time to sell, percent of the hold. */
const FULL_PCT = 80

interface Wreck {
  readonly id: string
  readonly type: string
  readonly salvage_value: number
  readonly cargo: readonly unknown[]
  readonly modules: readonly unknown[]
}

const wrecksHere = (me: Pilot): readonly Wreck[] =>
  me.ask<{ wrecks: Wreck[] }>('get_wrecks')?.wrecks ?? []

/** Takes what wrecks here hold; true with a hulk on the line. */
function* work(me: Pilot): Deed<boolean> {
  for (const { id, type, cargo, modules } of wrecksHere(me)) {
    if (type === 'debris' || cargo.length + modules.length === 0) continue
    yield* act(me, 'loot_wreck', { wreck_id: id })
  }
  const hulks = wrecksHere(me).filter((row) => row.salvage_value >= HULK_LEAST)
  for (const { id } of hulks.sort((a, b) => b.salvage_value - a.salvage_value)) {
    const said = yield* act(me, 'tow_wreck', { wreck_id: id })
    if (said.ok) return true
    if (said.code === 'no_tow_rig') return false
  }
  return false
}

/** Home with the load: the hulk to a yard, the goods to the exchange. */
function* cashIn(me: Pilot): Deed {
  const [yard] = portsNear(me, hereOf(me), 2 * RANGE_JUMPS, 'salvage_yard')
  if (!yard || !(yield* dockAt(me, yard.base.id))) return
  if (status(me).player.towing_wreck_id !== undefined) {
    const said = yield* act(me, 'sell_wreck')
    if (!said.ok) yield* act(me, 'scrap_wreck')
  }
  yield* sellHold(me)
  for (const { item_id, quantity } of storedOf(me)) yield* act(me, 'sell', { item_id, quantity })
}

/** Places that may hold something: fields of debris, and all of a lawless system. */
function placesNear(me: Pilot): string[] {
  const home = me.chart.systemOf(me.home)
  const places = systemsNear(me, home, RANGE_JUMPS).flatMap((system) => {
    const { pois, police_level } = me.chart.systems[system]
    return pois
      .filter((row) => !row.hidden && !row.base && (row.class === 'debris' || police_level === 0))
      .map(({ id }) => id)
  })
  return places.slice(0, ROUND_PLACES)
}

export const salvage: Policy = (me) => {
  const round = placesNear(me)
  const seen = new Map<string, number>()
  return forever(me, function* () {
    const open = round.filter((id) => me.tick() - (seen.get(id) ?? -REST_TICKS) >= REST_TICKS)
    const here = hereOf(me)
    const far = (id: string): number => me.chart.jumps(here, me.chart.systemOf(id), me.lawful)
    const [next] = open.sort((a, b) => far(a) - far(b) || (a < b ? -1 : 1))
    if (next !== undefined) {
      if (!hasFuelFor(me, me.chart.systemOf(next))) yield* fillUp(me)
      seen.set(next, me.tick())
      if (!hasFuelFor(me, me.chart.systemOf(next))) return
      if (!(yield* flyTo(me, next))) return
    }
    const towing = next !== undefined && (yield* work(me))
    const { ship } = status(me)
    const isFull = roomOf(ship) * 100 < ship.cargo_capacity * (100 - FULL_PCT)
    const isIdle = next === undefined && ship.cargo_used > 0
    if (towing || isFull || isIdle) yield* cashIn(me)
  })
}
