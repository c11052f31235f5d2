/**
 * Where pirates come from. Each system has a number of each tier by its police level; a new world
 * has them all, and a system that is short of some gets one every 60 ticks. Source: combat.md
 * section 13.
 */
import { PIRATES, piratesAt, shipClassIndex } from '../../core/catalog/index.ts'
import { rowsOf } from '../../core/columns.ts'
import { holdsNoMoreGoods } from '../../core/goods.ts'
import { TABLE_FILL_MAX_PCT } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/world.ts'
import { isNearlyFull } from '../cargo/rules.ts'
import { Ship } from '../ship/columns.ts'
import { createShip, trackShield } from '../ship/rules.ts'
import { POI_TYPES, Poi, StarSystem } from '../travel/columns.ts'
import { place, poisOf } from '../travel/rules.ts'
import { Npc } from './columns.ts'
import { enlist, npcsOf, PIRATE } from './rules.ts'
import { thinkAt } from './think.ts'

const SPAWN_TICKS = 60
/** Decisions begin within so many ticks of the making: they spread over the ticks. */
const FIRST_THOUGHT_TICKS = 30
const PLACE = hashText('npc.place')
const THOUGHT = hashText('npc.first_thought')

/** Where there is something to lie in wait for. */
const LURES: readonly (typeof POI_TYPES)[number][] = [
  'asteroid_belt',
  'asteroid',
  'gas_cloud',
  'nebula',
  'relic',
]

/**
 * Places where pirates of a system are met: fields and relics, else worlds; never where one arrives
 * or docks, nor in an arena.
 */
export function hauntsOf(view: WorldView, system: Eid): readonly Eid[] {
  const { type, hidden, base, class: kind } = view.read(Poi)
  const entry = view.read(StarSystem).entryPoi[system]
  const open = poisOf(view, system).filter(
    (poi) =>
      hidden[poi] === 0 &&
      base[poi] === 0 &&
      poi !== entry &&
      view.texts.get(kind[poi]) !== 'arena',
  )
  const lures = open.filter((poi) => LURES.includes(POI_TYPES[type[poi]]))
  return lures.length > 0 ? lures : open
}

/** True while the tables have room for another NPC beside police and what players will need. */
function hasRoom(view: WorldView): boolean {
  const ships = divFloor(rowsOf(Ship, view.maxEntities) * TABLE_FILL_MAX_PCT, 100)
  return !isNearlyFull(view, Npc) && view.countOf(Ship) < ships && !holdsNoMoreGoods(view)
}

/** A new pirate at one of the places of its system; `type` is an index into PIRATES. */
export function makePirate(world: World, system: Eid, type: number): Row {
  const { shipClass, marines } = PIRATES[type]
  const ship = createShip(world, { owner: 0, shipClass: shipClassIndex(shipClass), modules: [] })
  const npc = enlist(world, ship, { kind: PIRATE, type, system })
  const columns = world.write(Ship)
  columns.hull[ship] = columns.hullMax[ship]
  columns.shield[ship] = columns.shieldMax[ship]
  columns.marinesFit[ship] = marines
  trackShield(world, ship)
  const { seed, tick } = world
  const haunts = hauntsOf(world, system)
  const at = drawBelow(haunts.length, hash32(seed, tick, PLACE, columns.seq[ship]))
  place(world, ship, haunts.length === 0 ? world.read(StarSystem).entryPoi[system] : haunts[at])
  const wait = drawBelow(FIRST_THOUGHT_TICKS, hash32(seed, tick, THOUGHT, columns.seq[ship]))
  thinkAt(world, npc, tick + 1 + wait)
  return npc
}

/** The lowest type of pirate that a system is short of; -1 if it has all. */
function missingType(view: WorldView, system: Eid): number {
  const wanted = piratesAt(view.read(StarSystem).police[system])
  if (wanted.every((count) => count === 0)) return -1
  const { kind, type } = view.read(Npc)
  const there = npcsOf(view, system).filter((npc) => kind[npc] === PIRATE)
  return wanted.findIndex(
    (count, index) => there.filter((npc) => type[npc] === index).length < count,
  )
}

/** Types of a system's pirates, lowest first. */
const crewOf = (police: number): number[] =>
  piratesAt(police).flatMap((count, type) => Array<number>(count).fill(type))

/** Fills a new world, one pirate a system at a time: a world that gets full has some everywhere. */
export function populate(world: World): void {
  const { police } = world.read(StarSystem)
  const systems = Array.from({ length: world.highOf(StarSystem) }, (_, i) => i + 1)
  const crews = systems.map((system) => crewOf(police[system]))
  const most = crews.reduce((size, crew) => Math.max(size, crew.length), 0)
  for (let nth = 0; nth < most; nth++) {
    for (const system of systems) {
      const type = crews[system - 1][nth]
      if (type === undefined) continue
      if (!hasRoom(world)) return
      makePirate(world, system, type)
    }
  }
}

/** One hull for each system that is due and short of some: a sixtieth of them a tick. */
export const spawn: SystemDef = {
  name: 'npc.spawn',
  phase: 'arrive',
  reads: [StarSystem, Poi],
  writes: [Npc, Ship],
  run(world) {
    const first = world.tick % SPAWN_TICKS
    for (let system = first; system <= world.highOf(StarSystem); system += SPAWN_TICKS) {
      if (system === 0 || !hasRoom(world)) continue
      const type = missingType(world, system)
      if (type >= 0) makePirate(world, system, type)
    }
  },
}
