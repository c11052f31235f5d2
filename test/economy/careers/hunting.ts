/** Hunters of pirates: a round of the haunts that suit the hull, one fight after another. */
import {
  act,
  breakOff,
  type Deed,
  dockAt,
  dockedAt,
  fillUp,
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
  wait,
} from './pilot.ts'

/** Scouts, raiders, enforcers that a hull of a tier takes on at once. */
const PACKS: readonly (readonly [number, number, number])[] = [
  [1, 0, 0],
  [3, 0, 0],
  [3, 1, 0],
  [4, 2, 1],
  [4, 3, 2],
]
/** The level of police where its prey lives. Source: balance.md section 8. */
const HAUNTS: readonly (readonly [low: number, high: number])[] = [
  [15, 59],
  [5, 19],
  [0, 15],
  [0, 0],
  [0, 0],
]
const WILD_POLICE = 20
const TIERS = ['T1', 'T2', 'T3']
const RANGE_JUMPS = 8
const ROUND_SYSTEMS = 12
/** Hull and shield below this: home, percent. */
const WORN_PCT = 60
const BROKEN_PCT = 35
const REST_TICKS = 120

interface Pirate {
  readonly pirate_id: string
  readonly tier: string
  readonly status: string
}

const piratesHere = (me: Pilot): readonly Pirate[] =>
  me.ask<{ pirates: Pirate[] }>('get_nearby')?.pirates ?? []

const isFair = (me: Pilot, pirates: readonly Pirate[]): boolean => {
  const most = PACKS[me.cell.tier]
  const counts = TIERS.map((tier) => pirates.filter((row) => row.tier === tier).length)
  return pirates.length === counts.reduce((sum, count) => sum + count, 0)
    ? counts.every((count, tier) => count <= most[tier])
    : false
}

/** Fights until it is over; gets out when it goes badly. */
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
    const said = yield* act(me, 'loot_wreck', { wreck_id: id })
    if (!said.ok && said.code === 'no_cargo_space') return
  }
}

/** Fights whom it finds at a place, and takes what they leave. */
function* clear(me: Pilot, place: string): Deed {
  if (!(yield* flyTo(me, place))) return
  if (inBattle(me)) yield* fight(me)
  for (let pirates = piratesHere(me); pirates.length > 0; pirates = piratesHere(me)) {
    if (!isFair(me, pirates)) return
    const said = yield* act(me, 'attack', { target_id: pirates[0].pirate_id })
    if (!said.ok) return
    yield* fight(me)
    yield* lootHere(me)
    if (isWorn(me)) return
  }
}

const isWild = (me: Pilot, system: number): boolean =>
  me.chart.systems[system].police_level <= WILD_POLICE

function isWorn(me: Pilot): boolean {
  const { ship } = status(me)
  return ship.hull * 100 < ship.max_hull * WORN_PCT
}

interface Slip {
  readonly mission_id: string
  readonly type: string
  readonly difficulty: number
}

/** Takes the slips of the board, which the round pays by the way, and hands in the done. */
function* minds(me: Pilot): Deed {
  const active = me.ask<{ missions: (Slip & { percent_complete: number })[] }>(
    'get_active_missions',
  )
  for (const { mission_id, percent_complete } of active?.missions ?? []) {
    if (percent_complete >= 100) yield* act(me, 'complete_mission', { mission_id })
  }
  const board = me.ask<{ missions: Slip[] }>('get_missions')
  for (const { mission_id, type } of board?.missions ?? []) {
    if (type === 'bounty') yield* act(me, 'accept_mission', { mission_id })
  }
}

export const hunt: Policy = (me) => {
  const [low, high] = HAUNTS[me.cell.tier]
  const suits = (system: number): boolean => {
    const { police_level: police } = me.chart.systems[system]
    return police >= low && police <= high
  }
  const home = me.chart.systemOf(me.home)
  const near = systemsNear(me, home, 2 * RANGE_JUMPS)
  const fit = near.filter(suits)
  // where no system has that level, the least policed
  const round = (fit.length > 0 ? fit : near.filter((system) => isWild(me, system))).slice(
    0,
    ROUND_SYSTEMS,
  )
  const cleared = new Map<number, number>()
  return forever(me, function* () {
    if (dockedAt(me) !== '') yield* minds(me)
    const [port] = portsNear(me, hereOf(me), 2 * RANGE_JUMPS, 'repair')
    if (port && isWorn(me) && (yield* dockAt(me, port.base.id))) {
      yield* act(me, 'repair')
      yield* sellHold(me)
    }
    const when = (system: number): number => cleared.get(system) ?? -REST_TICKS
    const open = round.filter((system) => me.tick() - when(system) >= REST_TICKS)
    const here = hereOf(me)
    const far = (system: number): number => me.chart.jumps(here, system, me.lawful)
    const [next] = open.sort((a, b) => far(a) - far(b) || a - b)
    if (next === undefined) return
    if (!hasFuelFor(me, next)) yield* fillUp(me)
    cleared.set(next, me.tick())
    if (!hasFuelFor(me, next)) return
    for (const { id, base, hidden } of me.chart.systems[next].pois) {
      if (base || hidden || isWorn(me) || !hasFuelFor(me, next)) continue
      yield* clear(me, id)
    }
  })
}
