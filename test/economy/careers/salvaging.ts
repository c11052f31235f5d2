/** Salvagers: they visit derelicts that yards report, loot goods and tow hulks to a yard. */
import {
  act,
  type Deed,
  dockAt,
  dockedAt,
  fillUp,
  flightTicks,
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
} from './pilot.ts'

const YARD_JUMPS = 20
/** Yards that are tried for one hulk. */
const YARDS_TRIED = 4
/** Other exchanges that are tried with goods that the yard's own does not take. */
const MARKET_JUMPS = 8
const MARKETS_TRIED = 3
/** A yard is asked again after this many ticks. */
const REST_TICKS = 120
/** Estimate of what the goods of a derelict bring, credits. */
const CARGO_GUESS = 120
/** Ticks for flights within a system and for the work. */
const WORK_TICKS = 8
/** How deep a starter goes into lawless space, jumps. */
const STARTER_DEPTH = 1
/** A pilot sells once the hold is this full, percent. */
const FULL_PCT = 70

interface Wreck {
  readonly id: string
  readonly type: string
  readonly cargo: readonly unknown[]
  readonly modules: readonly unknown[]
}

interface Report {
  readonly id: string
  readonly poi_id: string
  readonly salvage_value: number
  readonly cargo_count: number
  readonly towable: boolean
}

interface Wrecks {
  readonly wrecks: readonly Wreck[]
  readonly reported?: readonly Report[]
}

const look = (me: Pilot): Wrecks => me.ask<Wrecks>('get_wrecks') ?? { wrecks: [] }

const yardsFrom = (me: Pilot, system: number) => portsNear(me, system, YARD_JUMPS, 'salvage_yard')

/** Takes a derelict in tow, goods and all; if it is too heavy or gone, loots the wrecks here. */
function* work(me: Pilot, { id: wreck_id, towable }: Report): Deed<boolean> {
  if (towable && (yield* act(me, 'tow_wreck', { wreck_id })).ok) return true
  for (const { id, type, cargo, modules } of look(me).wrecks) {
    if (type === 'debris' || cargo.length + modules.length === 0) continue
    yield* act(me, 'loot_wreck', { wreck_id: id })
  }
  return false
}

const isFull = (me: Pilot): boolean => {
  const { ship } = status(me)
  return roomOf(ship) * 100 < ship.cargo_capacity * (100 - FULL_PCT)
}

/** Takes the load home: the hulk to a yard that can pay, the goods to the exchange. */
function* cashIn(me: Pilot): Deed {
  for (const { base } of yardsFrom(me, hereOf(me)).slice(0, YARDS_TRIED)) {
    if (!(yield* dockAt(me, base.id))) continue
    if (status(me).player.towing_wreck_id === undefined) break
    if ((yield* act(me, 'sell_wreck')).ok || (yield* act(me, 'scrap_wreck')).ok) break
  }
  for (const { item_id, quantity } of storedOf(me)) yield* act(me, 'sell', { item_id, quantity })
  yield* sellHold(me)
  for (const { base } of portsNear(me, hereOf(me), MARKET_JUMPS).slice(0, MARKETS_TRIED)) {
    if (!isFull(me)) return
    if (yield* dockAt(me, base.id)) yield* sellHold(me)
  }
}

/**
 * Returns whether a derelict is safe: beginners avoid those deep in space, where packs of creatures
 * live.
 */
const isSafe = (me: Pilot, { poi_id }: Report): boolean =>
  me.cell.tier > 0 || me.chart.systems[me.chart.systemOf(poi_id)].depth <= STARTER_DEPTH

/** Returns the credits per tick that a derelict may bring, with the flights to it and to a yard. */
function worth(me: Pilot, row: Report): number {
  const { speed } = status(me).ship
  const site = me.chart.systemOf(row.poi_id)
  const credits = (row.towable ? row.salvage_value : 0) + (row.cargo_count > 0 ? CARGO_GUESS : 0)
  const there = flightTicks(me, speed, hereOf(me), site) + WORK_TICKS
  const [yard] = yardsFrom(me, site)
  if (!row.towable || !yard) return credits / there
  return credits / (there + flightTicks(me, speed - 1, site, yard.system) + WORK_TICKS)
}

export const salvage: Policy = (me) => {
  const known = new Map<string, Report>()
  const askedTicks = new Map<string, number>()
  /** Notes the derelicts that the yard where the pilot is docked reports. */
  const noteReports = (): void => {
    const { reported } = look(me)
    if (!reported) return
    askedTicks.set(dockedAt(me), me.tick())
    for (const row of reported) if (isSafe(me, row)) known.set(row.id, row)
  }
  /** Flies to the nearest yard that has not been asked lately. */
  function* askNextYard(): Deed {
    const isStale = (base: string): boolean =>
      me.tick() - (askedTicks.get(base) ?? -REST_TICKS) >= REST_TICKS
    const next = yardsFrom(me, hereOf(me)).find(({ base }) => isStale(base.id))
    if (!next) return
    askedTicks.set(next.base.id, me.tick())
    yield* dockAt(me, next.base.id)
  }
  return forever(me, function* () {
    noteReports()
    let best: Report | undefined
    let bestRate = 0
    for (const report of known.values()) {
      const rate = worth(me, report)
      if (rate <= bestRate) continue
      best = report
      bestRate = rate
    }
    if (!best) {
      yield* cashIn(me)
      yield* askNextYard()
      return
    }
    known.delete(best.id)
    const site = me.chart.systemOf(best.poi_id)
    if (!hasFuelFor(me, site)) yield* fillUp(me)
    if (!hasFuelFor(me, site) || !(yield* flyTo(me, best.poi_id))) return
    const towing = yield* work(me, best)
    if (towing || isFull(me)) yield* cashIn(me)
  })
}
