/** Hunters of pirates: they tour the systems whose packs suit the hull, one fight after another. */
import type { PoiPlan, SystemPlan } from '../../../core/catalog/types.ts'
import {
  act,
  breakOff,
  type Deed,
  dockAt,
  dockedAt,
  fillUp,
  flightTicks,
  flyTo,
  forever,
  hasFuelFor,
  hereOf,
  inBattle,
  type Pilot,
  type Policy,
  portsNear,
  sellHold,
  status,
  systemsNear,
  takeTasks,
  wait,
} from './pilot.ts'

/** Scouts, raiders and enforcers that a hull of each tier takes on at once. */
const PACKS: readonly (readonly [number, number, number])[] = [
  [1, 0, 0],
  [3, 0, 0],
  [3, 1, 0],
  [4, 2, 0],
  [4, 3, 2],
]
const TIERS = ['T1', 'T2', 'T3']
const BOUNTIES = [700, 2_000, 6_000]
const RANGE_JUMPS = 12
const REPAIR_JUMPS = 25
/** A pack that was fought grows back by one pirate in this many ticks. */
const REGROWTH_TICKS = 60
const TICKS_A_PLACE = 3
const REST_TICKS = 30
/** Percent of the hull below which a hunter of a tier flies to repair; small ones lack reserves. */
const WORN_PCT = [80, 60, 75, 60, 60]
/** Percent of the hull below which a hunter flees from a fight. */
const BROKEN_PCT = 35

/** Returns the mean number of scouts in a system with some police. */
function scoutsUnder(police: number): number {
  if (police >= 40) return 0.25
  if (police > 20) return 0.5
  return police > 10 ? 1.5 : 3
}

/**
 * Returns the pack to expect in a system, by its police and depth. Source: balance.md section 8.
 */
function packIn({ police_level: police, depth, is_stronghold }: SystemPlan): number[] {
  if (is_stronghold || police >= 60) return [0, 0, 0]
  if (police > 0) return [scoutsUnder(police), 0, 0]
  return [depth > 1 ? 4 : 3, depth > 1 ? 2 : 1, depth > 2 ? 1 : 0]
}

/** Pirates lurk at fields, clouds and relics. */
const LURKS = new Set(['asteroid_belt', 'asteroid', 'gas_cloud', 'nebula', 'relic'])

const lurksIn = ({ pois }: SystemPlan): PoiPlan[] =>
  pois.filter((row) => LURKS.has(row.type) && row.class !== 'arena' && !row.base && !row.hidden)

interface Pirate {
  readonly pirate_id: string
  readonly tier: string
  readonly status: string
}

const piratesHere = (me: Pilot): readonly Pirate[] =>
  me.ask<{ pirates: Pirate[] }>('get_nearby')?.pirates ?? []

const isFair = (me: Pilot, pirates: readonly Pirate[]): boolean => {
  const limits = PACKS[me.cell.tier]
  const counts = TIERS.map((tier) => pirates.filter((row) => row.tier === tier).length)
  const isKnown = pirates.every(({ tier }) => TIERS.includes(tier))
  return isKnown && counts.every((count, tier) => count <= limits[tier])
}

/** Fights until the battle is over; flees when the hull is nearly gone. */
function* fight(me: Pilot): Deed {
  do {
    const { ship } = status(me)
    if (ship.hull * 100 < ship.max_hull * BROKEN_PCT) return yield* breakOff(me)
    yield* wait(1)
  } while (inBattle(me))
}

function* lootHere(me: Pilot): Deed {
  const wrecks = me.ask<{ wrecks: { id: string; type: string; cargo: unknown[] }[] }>('get_wrecks')
  for (const { id, cargo } of wrecks?.wrecks ?? []) {
    if (cargo.length === 0) continue
    const outcome = yield* act(me, 'loot_wreck', { wreck_id: id })
    if (!outcome.ok && outcome.code === 'no_cargo_space') return
  }
}

/** Fights the pirates at a place, and loots what they leave. */
function* clear(me: Pilot, place: string): Deed {
  if (!(yield* flyTo(me, place))) return
  if (inBattle(me)) yield* fight(me)
  if (isHaunted(me)) return
  for (let pirates = piratesHere(me); pirates.length > 0; pirates = piratesHere(me)) {
    if (!isFair(me, pirates)) return
    const outcome = yield* act(me, 'attack', { target_id: pirates[0].pirate_id })
    if (!outcome.ok) return
    yield* fight(me)
    yield* lootHere(me)
    if (isWorn(me)) return
  }
}

const BEASTS = new Set(['predator', 'apex'])

interface Beast {
  readonly role: string
  readonly max_hull: number
}

/** Tells whether a beast with more hull than the pilot's lurks here: it would join a fight. */
function isHaunted(me: Pilot): boolean {
  const { creatures } = me.ask<{ creatures?: Beast[] }>('get_nearby') ?? {}
  const { max_hull: own } = status(me).ship
  return (creatures ?? []).some(({ role, max_hull }) => BEASTS.has(role) && max_hull > own)
}

function isWorn(me: Pilot): boolean {
  const { hull, max_hull, personnel } = status(me).ship
  if ((personnel?.fit_crew ?? 1) < (personnel?.minimum_crew ?? 1)) return true
  return hull * 100 < max_hull * WORN_PCT[me.cell.tier]
}

/** Flies to the nearest port that restores ship and crew; if none is near, to one that repairs. */
function* mend(me: Pilot): Deed {
  const here = hereOf(me)
  const ports = [
    ...portsNear(me, here, RANGE_JUMPS, 'personnel').slice(0, 1),
    ...portsNear(me, here, REPAIR_JUMPS, 'repair').slice(0, 1),
  ]
  for (const { base } of ports) {
    if (!(yield* dockAt(me, base.id))) continue
    yield* act(me, 'repair')
    return yield* sellHold(me)
  }
}

/**
 * Returns what a system is worth to a hunter now, credits per tick; 0 if its pack is too strong.
 */
function rateOf(me: Pilot, system: number, seen: ReadonlyMap<number, number>, speed: number) {
  const plan = me.chart.systems[system]
  const pack = packIn(plan)
  if (pack.some((count, tier) => Math.floor(count) > PACKS[me.cell.tier][tier])) return 0
  const whole = pack.reduce((sum, count) => sum + count, 0)
  const since = me.tick() - (seen.get(system) ?? -REGROWTH_TICKS * whole)
  const share = whole === 0 ? 0 : Math.min(1, since / (REGROWTH_TICKS * whole))
  const pay = pack.reduce((sum, count, tier) => sum + count * BOUNTIES[tier], 0) * share
  const flight = flightTicks(me, speed, hereOf(me), system)
  return pay / (flight + TICKS_A_PLACE * lurksIn(plan).length)
}

export const hunt: Policy = (me) => {
  const near = systemsNear(me, me.chart.systemOf(me.home), RANGE_JUMPS)
  const seen = new Map<number, number>()
  function* round(): Deed {
    if (dockedAt(me) !== '') yield* takeTasks(me, 'bounty')
    if (isWorn(me)) yield* mend(me)
    const { speed } = status(me).ship
    const open = near.filter((row) => me.tick() - (seen.get(row) ?? -REST_TICKS) >= REST_TICKS)
    const rated = open.map((system) => ({ system, rate: rateOf(me, system, seen, speed) }))
    const [best] = rated.sort((a, b) => b.rate - a.rate || a.system - b.system)
    if (!best || best.rate === 0) return
    const { system } = best
    if (!hasFuelFor(me, system)) yield* fillUp(me)
    seen.set(system, me.tick())
    if (!hasFuelFor(me, system)) return
    for (const { id } of lurksIn(me.chart.systems[system])) {
      if (isWorn(me) || !hasFuelFor(me, system)) return
      yield* clear(me, id)
    }
    seen.set(system, me.tick())
  }
  return forever(me, round, fight)
}
