/** Pilots docked at a capital in given ships, and refusals that must change nothing. */
import { expect } from 'vitest'
import { itemIndex, shipClassIndex } from '../../../core/catalog/index.ts'
import { namedContainer } from '../../../core/goods.ts'
import { stateHash } from '../../../core/hash.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { hasService } from '../../../systems/base/model.ts'
import { Base, type Service } from '../../../systems/base/state.ts'
import { storedUnits } from '../../../systems/cargo/model.ts'
import { cargoUnits, loadCargo, moduleId, modulesOf, shipId } from '../../../systems/ship/model.ts'
import { createShip } from '../../../systems/ship/rules.ts'
import { Module, Ship } from '../../../systems/ship/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { dockShip } from '../../../systems/travel/rules.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

export interface Docks {
  readonly small: SmallWorld
  readonly world: World
  /** Makes a pilot docked at the capital in a ship of a class with these modules. */
  pilot(shipClass?: string, modules?: readonly string[]): Eid
  act(player: Eid, command: string, params?: object): Acted
  /** Expects a refusal with a code that changes nothing. */
  refuses(player: Eid, command: string, params: object, code: string): void
}

interface Acted {
  readonly ok: boolean
  readonly code?: string
  readonly result?: Record<string, unknown>
  readonly details?: Record<string, unknown>
}

let count = 0

export async function docks(): Promise<Docks> {
  return docksOf(await smallWorld())
}

export function docksOf(small: SmallWorld): Docks {
  const { world } = small
  const act = (player: Eid, command: string, params: object = {}) =>
    small.act(player, command, params) as Acted
  return {
    small,
    world,
    act,
    pilot(shipClass = 'almoner', modules = []) {
      const player = small.join(`Fitter ${++count}`)
      fly(world, player, parked(world, player, shipClass, modules))
      return player
    },
    refuses(player, command, params, code) {
      const def = small.registry.commands.get(command)
      if (def?.kind !== 'mutation') throw new Error(`${command} is no mutation`)
      const before = stateHash(world)
      expect(def.run(world, player, params)).toMatchObject({ ok: false, code })
      expect(stateHash(world), `${command} is refused and changes something`).toBe(before)
      expect(act(player, command, params)).toMatchObject({ ok: false, code })
    },
  }
}

/** Makes a ship of the player, parked where they are docked or at the given base. */
export function parked(
  world: World,
  player: Eid,
  shipClass = 'almoner',
  modules: readonly string[] = [],
  base = dockedBase(world, player),
): Eid {
  const ship = createShip(world, {
    owner: player,
    shipClass: shipClassIndex(shipClass),
    modules: modules.map(itemIndex),
  })
  dockShip(world, ship, base)
  return ship
}

/** Makes a ship the active one of its owner, without switch_ship. */
export function fly(world: World, player: Eid, ship: Eid): void {
  world.write(Player).ship[player] = ship
}

export const hull = (world: World, player: Eid): Eid => world.read(Player).ship[player]
export const idOf = (world: World, ship: Eid): string => shipId(world, ship)

/** Puts units of a good into the hold of a ship. */
export function give(world: World, ship: Eid, item: string, units = 1): void {
  loadCargo(world, ship, namedContainer('supply'), itemIndex(item), units)
}

export const aboard = (world: World, ship: Eid, item: string): number =>
  cargoUnits(world, ship, itemIndex(item))

export const stored = (world: World, player: Eid, base: Eid, item: string): number =>
  storedUnits(world, player, base, itemIndex(item))

/** Returns the module of a type on a ship; 0 none. */
export const fitted = (world: World, ship: Eid, type: string): Row =>
  modulesOf(world, ship).find((row) => world.read(Module).type[row] === itemIndex(type)) ?? 0

export const fittedId = (world: World, ship: Eid, type: string): string =>
  moduleId(world, fitted(world, ship, type))

/** Returns the module types on a ship, in the order of fitting. */
export const fitOf = (world: World, ship: Eid): number[] =>
  modulesOf(world, ship).map((row) => world.read(Module).type[row])

/** Returns a base with the service, or without it, other than the one given. */
export function baseWith(world: World, service: Service, has = true, except: Eid = 0): Eid {
  const { alive, pirateRepRequired } = world.read(Base)
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (alive[base] === 0 || base === except || pirateRepRequired[base] !== 0) continue
    if (hasService(world, base, service) === has) return base
  }
  throw new Error(`no base ${has ? 'has' : 'lacks'} ${service}`)
}

export const ships = (world: World) => world.read(Ship)
