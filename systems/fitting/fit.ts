/**
 * What a ship may be fitted with, and what follows from a change: the judging is pure, the commands
 * refuse by it and then change. Source: ships.md sections 2, 3.
 */
import { assert } from '../../core/assert.ts'
import { findGoods, GOODS, isModule, type ModuleRow } from '../../core/catalog/index.ts'
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { contentsOf, moveItems, namedContainer } from '../../core/goods.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { isStoreNearlyFull, mayCarry } from '../cargo/rules.ts'
import { refusesCabins } from '../passenger/berth-rules.ts'
import { peopleOf } from '../personnel/rules.ts'
import { retieTow } from '../salvage/rules.ts'
import { setCloak } from '../sensing/rules.ts'
import { noteLook } from '../sensing/watch-rules.ts'
import { Module, Ship } from '../ship/columns.ts'
import {
  activeShip,
  deriveFigures,
  type Figures,
  fitOf,
  moduleById,
  moduleId,
  modulesOf,
  moduleTypeOf,
  unfitModule,
} from '../ship/rules.ts'

const SLOTS = ['weapon', 'defense', 'utility'] as const

/* Finding */

/** The module that a text names by id or display name, as a good; -1 for anything else. */
function moduleNamed(text: string): number {
  const found = findGoods(text)
  return found.length === 1 && isModule(GOODS[found[0]]) ? found[0] : -1
}

/** A module in the hold of the ship flown, by type id or name. Refusal: module_not_found. */
export function findAboard(view: WorldView, player: Eid, text: string): Outcome<number> {
  const good = moduleNamed(text)
  const { hold } = view.read(Ship)
  const isAboard = contentsOf(view, hold[activeShip(view, player)]).some(
    ({ item }) => item === good,
  )
  return isAboard ? ok(good) : fail('module_not_found', { module_id: text })
}

/**
 * A module fitted to the ship flown, by its id, or by type or name where there is one of it.
 * Refusals: module_not_found, ambiguous_module.
 */
export function findFitted(view: WorldView, player: Eid, text: string): Outcome<Row> {
  const ship = activeShip(view, player)
  const byId = moduleById(view, ship, text)
  if (byId !== 0) return ok(byId)
  const { type } = view.read(Module)
  const good = moduleNamed(text)
  const found = modulesOf(view, ship).filter((module) => type[module] === good)
  if (found.length === 0) return fail('module_not_found', { module_id: text })
  if (found.length === 1) return ok(found[0])
  const ids = found.map((module) => moduleId(view, module))
  return fail('ambiguous_module', { module_id: text, module_ids: ids })
}

/* Judging */

/** Refusals: cpu_exceeded, power_exceeded. */
export function refusesLoad({
  cpuUsed,
  cpuCap,
  powerUsed,
  powerCap,
}: Figures): Failure | undefined {
  if (cpuUsed > cpuCap) return fail('cpu_exceeded', { need: cpuUsed, capacity: cpuCap })
  if (powerUsed > powerCap) return fail('power_exceeded', { need: powerUsed, capacity: powerCap })
  return undefined
}

/** Refuses figures with fewer berths than there are people. Refusal: no_berths. */
export function refusesPeople(
  view: WorldView,
  ship: Eid,
  { crewCap, marineCap }: Figures,
): Failure | undefined {
  const { fitCrew, injuredCrew, fitMarines, injuredMarines } = peopleOf(view, ship)
  const [crew, marines] = [fitCrew + injuredCrew, fitMarines + injuredMarines]
  if (crew <= crewCap && marines <= marineCap) return undefined
  return fail('no_berths', { crew, crew_capacity: crewCap, marines, marine_capacity: marineCap })
}

/** Refusals: no_slot, cpu_exceeded, power_exceeded, limit_reached. */
export function refusesInstall(view: WorldView, ship: Eid, good: number): Failure | undefined {
  const row = GOODS[good] as ModuleRow
  const fit = fitOf(view, ship)
  const { slotsCap } = view.read(Ship)
  const cap = slotsCap[ship * SLOTS.length + SLOTS.indexOf(row.slot)]
  const used = fit.filter(({ slot }) => slot === row.slot).length
  if (used >= cap) return fail('no_slot', { slot: row.slot, used, slots: cap })
  const refused = refusesLoad(deriveFigures(view, ship, [...fit, row]))
  if (refused) return refused
  return isStoreNearlyFull(view) ? fail('limit_reached') : undefined
}

const isHandling = (row: ModuleRow): boolean => row.special === 'hazard_handling'

/** Refuses to leave hazardous goods aboard that nothing handles any more. */
function refusesHazard(view: WorldView, ship: Eid, module: Row): Failure | undefined {
  if (!isHandling(moduleTypeOf(view, module))) return undefined
  const left = modulesOf(view, ship).filter((row) => row !== module)
  if (left.some((row) => isHandling(moduleTypeOf(view, row)))) return undefined
  const held = contentsOf(view, view.read(Ship).hold[ship])
  const hazard = held.find(({ item }) => isHazardous(item))
  return hazard && fail('hazard_not_supported', { item_id: GOODS[hazard.item].id })
}

const isHazardous = (item: number): boolean => {
  const good = GOODS[item]
  return !isModule(good) && (good as { hazardous?: boolean }).hazardous === true
}

/** Refuses a hold that would be too small, for what is in it or for the module as well. */
function refusesHold(
  view: WorldView,
  ship: Eid,
  module: Row,
  { cargoCap: capacity }: Figures,
): Failure | undefined {
  const { cargoUsed, cargoCap } = view.read(Ship)
  const { type, issue } = view.read(Module)
  const size = issue[module] === 1 ? 0 : GOODS[type[module]].size
  const need = cargoUsed[ship] + size
  if (need <= capacity) return undefined
  if (capacity < cargoCap[ship]) return fail('cargo_capacity_exceeded', { need, capacity })
  return fail('no_cargo_space', { need: size, free: Math.max(0, capacity - cargoUsed[ship]) })
}

/**
 * Why a module may not be taken off; nothing if it may. Refusals: cpu_exceeded, power_exceeded,
 * no_berths, hazard_not_supported, cargo_capacity_exceeded, no_cargo_space, limit_reached.
 */
export function refusesRemoval(view: WorldView, ship: Eid, module: Row): Failure | undefined {
  const left = modulesOf(view, ship).filter((row) => row !== module)
  const fit = left.map((row) => moduleTypeOf(view, row))
  const figures = deriveFigures(view, ship, fit)
  const refused =
    refusesLoad(figures) ??
    refusesPeople(view, ship, figures) ??
    refusesCabins(view, ship, fit) ??
    refusesHazard(view, ship, module) ??
    refusesHold(view, ship, module, figures)
  if (refused) return refused
  return isStoreNearlyFull(view) ? fail('limit_reached') : undefined
}

/* Changing */

/**
 * Takes a module off its ship: it becomes a good in `to` without what was loaded; issue is
 * destroyed. Figures are the caller's to work out again. Source: ships.md sections 1, 3.
 */
export function stripModule(world: World, module: Row, to: () => Row): void {
  const { type, issue } = world.read(Module)
  const [item, isIssue] = [type[module], issue[module] === 1]
  unfitModule(world, module)
  if (!isIssue) moveItems(world, namedContainer('fitted'), to(), item, 1)
}

/**
 * What follows for the ship flown from another fit, when its figures have been worked out: the line
 * by the rigs that are left, no cloak without a device (`hadCloak` says whether there was one), and
 * what watchers see.
 */
export function settleFit(world: World, player: Eid, hadCloak: boolean): void {
  const ship = activeShip(world, player)
  retieTow(world, ship)
  const hasCloak = world.read(Ship).cloakDevice[ship] === 1
  if (hadCloak && !hasCloak && world.read(Player).cloaked[player] === 1) {
    setCloak(world, player, false)
  }
  assertLegal(world, ship)
  noteLook(world, player)
}

/** The pair of the refusals above. */
function assertLegal(view: WorldView, ship: Eid): void {
  const { cpuUsed, cpuCap, powerUsed, powerCap, cargoUsed, cargoCap } = view.read(Ship)
  assert(cpuUsed[ship] <= cpuCap[ship], `ship ${ship} lacks CPU`)
  assert(powerUsed[ship] <= powerCap[ship], `ship ${ship} lacks power`)
  assert(cargoUsed[ship] <= cargoCap[ship], `ship ${ship} is overfull`)
}

/** True if a ship may hold what is in its hold. */
export function bearsCargo(view: WorldView, ship: Eid): boolean {
  const { cargoUsed, cargoCap, hold } = view.read(Ship)
  if (cargoUsed[ship] > cargoCap[ship]) return false
  return contentsOf(view, hold[ship]).every(({ item }) => mayCarry(view, ship, item))
}
