/** Magazines: which goods a weapon takes, and filling one from the hold. */
import { GOODS, type ItemRow, isModule, type ModuleRow } from '../../core/catalog/index.ts'
import { contentsOf, namedContainer } from '../../core/goods.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { unloadCargo } from '../cargo/rules.ts'
import { Module, Ship } from '../ship/columns.ts'
import { moduleTypeOf } from '../ship/rules.ts'

export const takesAnything = (weapon: ModuleRow): boolean => weapon.special === 'ammo_from_cargo'

/** True if the good is ammunition for the weapon; some throw whatever there is. */
export function suitsWeapon(weapon: ModuleRow, item: number): boolean {
  if (takesAnything(weapon)) return true
  const good = GOODS[item]
  if (isModule(good)) return false
  const { effect } = good as ItemRow
  return effect?.type === 'ammo' && effect.subtype === weapon.ammo_type
}

/** Bound goods are thrown by nobody. */
export const isSpare = (item: number): boolean => GOODS[item].quest_item !== true

/**
 * What to load when nothing is named: what is loaded already, else the cheapest that fits, ties by
 * id; -1 when there is none aboard. ours: a pilot who names nothing wants more of the same.
 */
export function cheapestFitting(view: WorldView, ship: Eid, module: Row): number {
  const weapon = moduleTypeOf(view, module)
  const loaded = view.read(Module).ammoType[module] - 1
  const held = contentsOf(view, view.read(Ship).hold[ship])
  const fitting = held
    .map(({ item }) => item)
    .filter((item) => isSpare(item) && suitsWeapon(weapon, item))
  if (fitting.includes(loaded)) return loaded
  fitting.sort((a, b) => GOODS[a].base_value - GOODS[b].base_value || a - b)
  return fitting[0] ?? -1
}

/** Burns one item of ammunition out of the ship's hold and fills the magazine with it. */
export function fillMagazine(world: World, ship: Eid, module: Row, item: number): void {
  const { ammo, ammoType } = world.write(Module)
  unloadCargo(world, ship, namedContainer('consumption'), item, 1)
  ammo[module] = moduleTypeOf(world, module).magazine_size ?? 0
  ammoType[module] = item + 1
}

/**
 * Loads a weapon that was just fitted, if there is ammunition for it aboard; what throws anything
 * is left empty. Source: ships.md section 3.
 */
export function loadFitted(world: World, ship: Eid, module: Row): void {
  const weapon = moduleTypeOf(world, module)
  if (weapon.ammo_type === undefined || takesAnything(weapon)) return
  const item = cheapestFitting(world, ship, module)
  if (item >= 0) fillMagazine(world, ship, module, item)
}
