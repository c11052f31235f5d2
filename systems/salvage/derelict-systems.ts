/**
 * Derelicts: hulks that never had a pilot. They appear in debris fields and in systems without
 * police, so that salvagers find work where there was no battle. Source: balance.md section 8.
 */
import {
  CARGO_CREDITS,
  DERELICT_GOODS,
  GOODS,
  HULKS,
  type HulkRow,
  itemIndex,
  SHIP_CLASSES,
  type Span,
} from '../../core/catalog/index.ts'
import { GOODS_WRITES, holdsNoMoreGoods } from '../../core/goods.ts'
import { clamp, divCeil, divFloor } from '../../core/math.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { SystemDef } from '../../core/system.ts'
import { HOUR_TICKS } from '../../core/time.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Bound, Player } from '../account/state.ts'
import { PACKAGE_WRITES } from '../cargo/rules.ts'
import { Note } from '../note/state.ts'
import { Module } from '../ship/state.ts'
import { depthOf } from '../travel/depth-model.ts'
import { POI_TYPES, Poi, StarSystem } from '../travel/state.ts'
import { makeDerelict } from './make-rules.ts'
import { isDerelict, isLooted, wrecksAt } from './model.ts'
import { removeWreck } from './rules.ts'
import { DERELICT_SITES, DERELICT_TURNS, Wreck } from './state.ts'

/** Limit of derelicts at one site. */
const DERELICTS_MAX = 2
/**
 * Derelicts per hour in the whole world: one for each player online, but at least this many. Of a
 * hundred daily players about forty are online at a time.
 */
const PER_HOUR_MIN = 10
/** Shortest time between two derelicts at the same site, in hours. */
const HOURS_BETWEEN = 2
const DERELICT = hashText('salvage.derelict')
const SITE = hashText('salvage.site')

/** Ship classes that anybody can buy, by tier: indexes into SHIP_CLASSES. */
const HULLS = HULKS.reduce<number[][]>((byTier, { tier }) => {
  byTier[tier] = SHIP_CLASSES.flatMap((row, index) =>
    row.tier === tier && !row.hidden ? [index] : [],
  )
  return byTier
}, [])

/** Returns the places of a system that the world began with. */
function chartedPlaces(view: WorldView, system: Eid): Eid[] {
  const { firstPoi, poiCount } = view.read(StarSystem)
  return Array.from({ length: poiCount[system] }, (_, i) => firstPoi[system] + i)
}

/**
 * Returns the derelict sites of a system: its debris fields or, in a lawless system without any,
 * one other quiet place.
 */
function sitesIn(view: WorldView, system: Eid): Eid[] {
  const { class: kind, hidden, type } = view.read(Poi)
  const { police, entryPoi } = view.read(StarSystem)
  const open = chartedPlaces(view, system).filter((poi) => hidden[poi] === 0)
  const debris = open.filter((poi) => view.texts.get(kind[poi]) === 'debris')
  if (debris.length > 0 || police[system] !== 0) return debris
  const quiet = open.filter(
    (poi) => !['sun', 'station'].includes(POI_TYPES[type[poi]]) && poi !== entryPoi[system],
  )
  return quiet.slice(0, 1)
}

/** Returns the sites of the world in an order drawn by the seed; computes it on first use. */
function sitesOf(view: WorldView): readonly Eid[] {
  const sites = view.index(DERELICT_SITES)
  if (sites.length > 0) return sites
  for (let system = 1; system <= view.highOf(StarSystem); system++) {
    sites.push(...sitesIn(view, system))
  }
  const { seq } = view.read(Poi)
  const drawn = new Map(sites.map((site) => [site, hash32(view.seed, SITE, seq[site])]))
  return sites.sort((a, b) => (drawn.get(a) ?? 0) - (drawn.get(b) ?? 0) || seq[a] - seq[b])
}

/** Returns how many sites have a turn in an hour. */
function turnsOf(view: WorldView): number {
  const wanted = view.records(DERELICT_TURNS).get('hourly') ?? PER_HOUR_MIN
  return Math.min(wanted, divFloor(sitesOf(view).length, HOURS_BETWEEN), HOUR_TICKS)
}

/**
 * Returns the site that may get a derelict in a tick; 0 for none. In a new world the first ticks
 * serve one site each; from then on the sites take turns, spread over the ticks of an hour.
 */
export function siteDue(view: WorldView, now: number): Eid {
  const sites = sitesOf(view)
  if (now <= sites.length) return sites[now - 1] ?? 0
  const turns = turnsOf(view)
  if (turns === 0) return 0
  const tick = now % HOUR_TICKS
  const turn = divCeil(tick * turns, HOUR_TICKS)
  const isTurn = turn < turns && divFloor(turn * HOUR_TICKS, turns) === tick
  const first = view.records(DERELICT_TURNS).get('first') ?? 0
  return isTurn ? sites[(first + turn) % sites.length] : 0
}

/** Starts an hour: the rotation continues where it ended, with a turn for each player online. */
function startHour(world: World): void {
  const records = world.records(DERELICT_TURNS)
  const sites = Math.max(1, sitesOf(world).length)
  records.set('first', ((records.get('first') ?? 0) + turnsOf(world)) % sites)
  records.set('hourly', Math.max(PER_HOUR_MIN, world.byId(Player, [Bound]).length))
}

/** Returns the hulks that drift at a depth: the deeper, the heavier. */
function hulksAt(depth: number): readonly HulkRow[] {
  const top = HULKS.length - 1
  return HULKS.slice(clamp(depth - 2, 0, top), clamp(depth, 0, top) + 1)
}

/**
 * Places a derelict at a site, unless the site is full. A looted derelict that was left behind is
 * removed to make room.
 */
function placeDerelict(world: World, poi: Eid): void {
  const present = wrecksAt(world, poi).filter((wreck) => isDerelict(world, wreck))
  const spent = present.find((wreck) => isLooted(world, wreck))
  if (present.length >= DERELICTS_MAX && spent === undefined) return
  if (holdsNoMoreGoods(world)) return
  if (present.length >= DERELICTS_MAX && spent !== undefined) removeWreck(world, spent)
  const { system, seq } = world.read(Poi)
  const random = hash32(world.seed, world.tick, DERELICT, seq[poi])
  const between = ([min, max]: Span, salt: number): number =>
    min + drawBelow(max - min + 1, hash32(random, salt))
  const hulks = hulksAt(depthOf(world, system[poi]))
  const { tier, credits } = hulks[drawBelow(hulks.length, random)]
  const classes = HULLS[tier]
  const item = itemIndex(DERELICT_GOODS[drawBelow(DERELICT_GOODS.length, hash32(random, 1))])
  makeDerelict(world, {
    poi,
    shipClass: classes[drawBelow(classes.length, hash32(random, 2))],
    value: between(credits, 3),
    cargo: [{ item, units: divFloor(between(CARGO_CREDITS, 4), GOODS[item].base_value) }],
  })
}

export const drift: SystemDef = {
  name: 'salvage.drift',
  phase: 'produce',
  writes: [...GOODS_WRITES, ...PACKAGE_WRITES, Module, Note, Wreck],
  run(world) {
    if (world.tick % HOUR_TICKS === 0) startHour(world)
    const site = siteDue(world, world.tick)
    if (site !== 0) placeDerelict(world, site)
  },
}
