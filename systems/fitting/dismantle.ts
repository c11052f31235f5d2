/**
 * What a hull gives back: its hold and its modules into the owner's locker at a base, and taking
 * one apart for good. Source: ships.md sections 1, 8.
 */
import { assert } from '../../core/assert.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { contentsOf, type Held } from '../../core/goods.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isStoreNearlyFull, openLocker, unloadCargo } from '../cargo/rules.ts'
import { stowBays } from '../drone/rules.ts'
import { endPolicy } from '../insurance/rules.ts'
import { movePackage, packageRoom, packagesIn } from '../package/rules.ts'
import { isTowed, isTowing } from '../salvage/rules.ts'
import { Module, Ship } from '../ship/columns.ts'
import { activeShip, modulesOf, recompute, releaseShip, shipsOf } from '../ship/rules.ts'
import { Location } from '../travel/columns.ts'
import { unplace } from '../travel/rules.ts'
import { stripModule } from './fit.ts'

/** What was in a hold. */
export interface Hold {
  readonly goods: readonly Held[]
  readonly packages: readonly Row[]
}

/** Moves all of a hold into the owner's locker at the base; returns what that was. */
export function storeHold(world: World, ship: Eid, base: Eid): Hold {
  const { hold, owner } = world.read(Ship)
  const [player, goods] = [owner[ship], contentsOf(world, hold[ship])]
  for (const { item, units } of goods) {
    unloadCargo(world, ship, openLocker(world, player, base), item, units)
  }
  const packages = packagesIn(world, hold[ship])
  for (const pkg of packages) movePackage(world, pkg, { kind: 'locker', player, base })
  return { goods, packages }
}

/**
 * Refuses to empty a hold into its owner's locker at a base that has no room for the packages, or
 * where the world has none for more goods. Refusals: storage_full, limit_reached.
 */
export function refusesStoring(view: WorldView, ship: Eid, base: Eid): Failure | undefined {
  const { hold, owner } = view.read(Ship)
  const packages = packagesIn(view, hold[ship]).length
  const room = packageRoom(view, owner[ship], base)
  if (packages > room) return fail('storage_full', { packages, room })
  return isStoreNearlyFull(view) ? fail('limit_reached') : undefined
}

/** Moves modules into the owner's locker at the base; returns the goods. Issue is destroyed. */
export function storeModules(
  world: World,
  ship: Eid,
  base: Eid,
  modules: readonly Row[],
): number[] {
  const { type, issue } = world.read(Module)
  const owner = world.read(Ship).owner[ship]
  const stored = modules.filter((module) => issue[module] === 0).map((module) => type[module])
  for (const module of modules) stripModule(world, module, () => openLocker(world, owner, base))
  recompute(world, ship)
  return stored
}

/** A hull that is parked at a base, where its owner can get at it. */
export function isParked(view: WorldView, ship: Eid): boolean {
  const owner = view.read(Ship).owner[ship]
  const isFlown = activeShip(view, owner) === ship
  return owner !== 0 && !isFlown && view.read(Location).base[ship] !== 0 && !isTowed(view, ship)
}

export interface Dismantled extends Hold {
  /** Its modules, as indices into GOODS. */
  readonly modules: readonly number[]
}

/**
 * Takes a parked ship apart: hold, modules and drones into the owner's locker there, the policy
 * ends, the people go ashore, the name is free. Source: ships.md section 8, scrap_ship.
 */
export function dismantle(world: World, ship: Eid): Dismantled {
  assert(isParked(world, ship), `ship ${ship} is taken apart where it is not parked`)
  assert(!isTowing(world, ship), `ship ${ship} is parked with something on its line`)
  const base = world.read(Location).base[ship]
  const owner = world.read(Ship).owner[ship]
  stowBays(world, ship, () => openLocker(world, owner, base))
  const stored = storeHold(world, ship, base)
  const modules = storeModules(world, ship, base, modulesOf(world, ship))
  endPolicy(world, ship)
  unplace(world, ship)
  releaseShip(world, ship)
  return { ...stored, modules }
}

/**
 * A player is given an issue hull: those that are parked are taken apart. Source: ships.md
 * section 1, one issue hull a player.
 */
export function replaceIssue(world: World, player: Eid): void {
  const { issue } = world.read(Ship)
  for (const ship of shipsOf(world, player)) {
    if (issue[ship] === 1 && isParked(world, ship)) dismantle(world, ship)
  }
}
