/**
 * Derelicts: hulks that nobody flew, which drift where debris gathers and where nobody keeps the
 * law, so that salvagers find work where no battle was. Source: balance.md section 8.
 */
import { GOODS, itemIndex, SHIP_CLASSES } from '../../core/catalog/index.ts'
import { GOODS_WRITES, holdsNoMoreGoods } from '../../core/goods.ts'
import { divCeil, divFloor } from '../../core/math.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { SystemDef } from '../../core/system.ts'
import { HOUR_TICKS } from '../../core/time.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { demandPerMille } from '../account/population-model.ts'
import { PACKAGE_WRITES } from '../cargo/rules.ts'
import { Note } from '../note/state.ts'
import { Module } from '../ship/state.ts'
import { depthOf } from '../travel/depth-model.ts'
import { POI_TYPES, Poi, StarSystem } from '../travel/state.ts'
import { makeDerelict } from './make-rules.ts'
import { isDerelict, wrecksAt } from './model.ts'
import { DERELICT_SITES, Wreck } from './state.ts'

/** At one site. */
const DERELICTS_MAX = 2
/** In the whole world in an hour, for a hundred active players. */
const PER_HOUR = 40
/** Hours from one derelict of a site to the next, at least. */
const HOURS_BETWEEN = 2
/** Credits that a derelict is worth, at depth 0. */
const VALUE_MIN = 300
const VALUE_MAX = 900
/** Share of the value that is cargo, %; the rest is the hulk. */
const CARGO_PCT = 50
const CARGO = ['salvage_metal', 'circuit_board', 'iron_ingot', 'hand_tools', 'textiles', 'rations']
const DERELICT = hashText('salvage.derelict')

const CLASSES = SHIP_CLASSES.flatMap(({ tier, hidden }, index) =>
  tier === 1 && !hidden ? [index] : [],
)

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
  return sites
}

/**
 * Returns the site that may get a derelict in a tick; 0 for none. The sites take turns: so many
 * an hour as the players there are can use, spread over its ticks.
 */
export function siteDue(view: WorldView, now: number): Eid {
  const sites = sitesOf(view)
  const wanted = divFloor(PER_HOUR * demandPerMille(view), 1_000)
  const turns = Math.min(wanted, divFloor(sites.length, HOURS_BETWEEN), HOUR_TICKS)
  if (turns === 0) return 0
  const [hour, tick] = [divFloor(now, HOUR_TICKS), now % HOUR_TICKS]
  const turn = divCeil(tick * turns, HOUR_TICKS)
  const isTurn = turn < turns && divFloor(turn * HOUR_TICKS, turns) === tick
  return isTurn ? sites[(hour * turns + turn) % sites.length] : 0
}

/** Leaves a derelict at a site, unless enough drift there. */
function leaveDerelict(world: World, poi: Eid): void {
  const present = wrecksAt(world, poi).filter((wreck) => isDerelict(world, wreck))
  if (present.length >= DERELICTS_MAX || holdsNoMoreGoods(world)) return
  const { system, seq } = world.read(Poi)
  const random = hash32(world.seed, world.tick, DERELICT, seq[poi])
  const base = VALUE_MIN + drawBelow(VALUE_MAX - VALUE_MIN + 1, random)
  const value = base * (1 + depthOf(world, system[poi]))
  const item = itemIndex(CARGO[drawBelow(CARGO.length, hash32(random, 1))])
  const units = divFloor(value * CARGO_PCT, 100 * GOODS[item].base_value)
  makeDerelict(world, {
    poi,
    shipClass: CLASSES[drawBelow(CLASSES.length, hash32(random, 2))],
    value: value - units * GOODS[item].base_value,
    cargo: units > 0 ? [{ item, units }] : [],
  })
}

export const drift: SystemDef = {
  name: 'salvage.drift',
  phase: 'produce',
  writes: [...GOODS_WRITES, ...PACKAGE_WRITES, Module, Note, Wreck],
  run(world) {
    const site = siteDue(world, world.tick)
    if (site !== 0) leaveDerelict(world, site)
  },
}
