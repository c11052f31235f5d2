/**
 * Derelicts: hulks that nobody flew, which drift where debris gathers and where nobody keeps the
 * law, so that salvagers find work where no battle was. Source: balance.md section 8.
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

/** At one site. */
const DERELICTS_MAX = 2
/**
 * In the whole world in an hour: one for each player who is online. A hundred who play every day
 * are forty at a time.
 */
const PER_HOUR_MIN = 10
/** Hours from one derelict of a site to the next, at least. */
const HOURS_BETWEEN = 2
const DERELICT = hashText('salvage.derelict')
const SITE = hashText('salvage.site')

/** Hulls that anybody can buy, by tier. */
const HULLS = HULKS.reduce<number[][]>((byTier, { tier }) => {
  byTier[tier] = SHIP_CLASSES.flatMap((row, index) =>
    row.tier === tier && !row.hidden ? [index] : [],
  )
  return byTier
}, [])

/** Returns the places of a system that were made with the world. */
function chartedPlaces(view: WorldView, system: Eid): Eid[] {
  const { firstPoi, poiCount } = view.read(StarSystem)
  return Array.from({ length: poiCount[system] }, (_, i) => firstPoi[system] + i)
}

/** Returns the sites of a system: its fields of debris, of a lawless one without any another. */
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
 * Returns the site that may get a derelict in a tick; 0 for none. In a new world each site gets its
 * first at once; then they take turns, spread over the ticks of an hour.
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

/** Opens an hour: the turns go on where they ended, as many as there are players online. */
function openHour(world: World): void {
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
 * Leaves a derelict at a site, unless enough drift there. One that was emptied and left behind
 * counts no longer: it is removed.
 */
function leaveDerelict(world: World, poi: Eid): void {
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
    if (world.tick % HOUR_TICKS === 0) openHour(world)
    const site = siteDue(world, world.tick)
    if (site !== 0) leaveDerelict(world, site)
  },
}
