/**
 * Calling a station to arms and standing it down: the hull that fights for it is made when it joins
 * a battle and goes when it is out of it; how it fares meanwhile is written back to its base.
 */
import { assert } from '../../core/assert.ts'
import { shipClassIndex } from '../../core/catalog/index.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Base } from '../base/columns.ts'
import { Haunt } from '../npc/columns.ts'
import { Ship } from '../ship/columns.ts'
import { createShip, recompute, releaseShip, trackShield } from '../ship/rules.ts'
import { StarSystem } from '../travel/columns.ts'
import { place, unplace } from '../travel/rules.ts'
import { Siege, StationHull } from './columns.ts'
import { hullOf, isPirateBase, isWrecked, systemOfBase } from './station-rules.ts'

/** Bases that are in a battle, and bases that something is to be mended of. Derived. */
const BESIEGED = defineIndex('siege.besieged', () => new Set<Eid>())
const DAMAGED = defineIndex('siege.damaged', () => new Set<Eid>())

const inOrder = (bases: ReadonlySet<Eid>): Eid[] => [...bases].sort((a, b) => a - b)

/** Bases that are in a battle, in the order of their rows. */
export const besieged = (view: WorldView): Eid[] => inOrder(view.index(BESIEGED))

/** Bases that something is to be mended of, in the order of their rows. */
export const damaged = (view: WorldView): Eid[] => inOrder(view.index(DAMAGED))

function isWhole(view: WorldView, base: Eid): boolean {
  const { hull, hullMax, shield, shieldMax } = view.read(Base)
  return hull[base] === hullMax[base] && shield[base] === shieldMax[base]
}

/** Notes whether a base is to be mended: while it fights it is not. */
export function trackDamage(world: World, base: Eid): void {
  const isMended = hullOf(world, base) === 0 && (!isWhole(world, base) || isWrecked(world, base))
  if (isMended) world.index(DAMAGED).add(base)
  else world.index(DAMAGED).delete(base)
}

/**
 * Gives a base the hull it fights with; the caller takes it into the battle and has made sure of
 * room. Returns the hull.
 */
export function mobilize(world: World, base: Eid): Eid {
  assert(hullOf(world, base) === 0, `base ${base} is in two battles`)
  assert(!isWrecked(world, base), `base ${base} fights and is wrecked`)
  const ship = createShip(world, { owner: 0, shipClass: shipClassIndex('station'), modules: [] })
  world.write(StationHull).base[ship] = base
  world.write(Siege).ship[base] = ship
  recompute(world, ship)
  const { hull, shield, poi } = world.read(Base)
  const columns = world.write(Ship)
  columns.hull[ship] = hull[base]
  columns.shield[ship] = shield[base]
  columns.crewFit[ship] = columns.crewCap[ship]
  trackShield(world, ship)
  place(world, ship, poi[base])
  world.index(BESIEGED).add(base)
  trackDamage(world, base)
  return ship
}

/** Writes hull and shield of the fighting station to its base. */
export function reportDamage(world: World, base: Eid): void {
  const { hull, shield } = world.read(Ship)
  const ship = hullOf(world, base)
  const columns = world.write(Base)
  columns.hull[base] = hull[ship]
  columns.shield[base] = shield[ship]
}

/** Takes a base that is out of its battle off the hull it fought with. */
export function standDown(world: World, base: Eid): void {
  const ship = hullOf(world, base)
  assert(ship !== 0, `base ${base} is in no battle`)
  reportDamage(world, base)
  world.write(Siege).ship[base] = 0
  world.write(StationHull).base[ship] = 0
  unplace(world, ship)
  releaseShip(world, ship)
  world.index(BESIEGED).delete(base)
  trackDamage(world, base)
}

/** Forgets a base that is about to go, whole or not; it is in no battle. */
export function forgetStation(world: World, base: Eid): void {
  assert(hullOf(world, base) === 0, `base ${base} goes while it fights`)
  world.index(DAMAGED).delete(base)
}

/** True when who rules the stronghold is there, or the station is no stronghold. */
export function isManned(view: WorldView, base: Eid): boolean {
  if (!isPirateBase(view, base)) return true
  const system = systemOfBase(view, base)
  if (view.read(StarSystem).stronghold[system] === 0) return true
  return view.tick >= view.read(Haunt).bossTick[system]
}

/** Its guns are back, unless it is wrecked still. Source: combat.md section 13. */
export function rearm(world: World, base: Eid): void {
  if (!isWrecked(world, base)) world.write(Siege).disarmed[base] = 0
}

/** Fills the indexes from the tables, after a restore. */
export function rebuildSieges(world: World): void {
  world.index(BESIEGED).clear()
  world.index(DAMAGED).clear()
  const { alive } = world.read(Base)
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (alive[base] === 0) continue
    if (hullOf(world, base) !== 0) world.index(BESIEGED).add(base)
    trackDamage(world, base)
  }
}
