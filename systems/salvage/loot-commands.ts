/**
 * Looting: taking goods and modules from wrecks and containers into the hold. Any player may loot;
 * it is no crime. Source: salvage.md section 3.
 */
import type { Static } from 'typebox'
import { GOODS, isModule } from '../../core/catalog/index.ts'
import { fail, invalidFields, type Outcome, ok } from '../../core/errors.ts'
import { contentsOf, holdsNoMoreGoods, isBare, unitsIn } from '../../core/goods.ts'
import { divFloor } from '../../core/math.ts'
import { counted, say, withArticle } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { raiseCounter } from '../achievement/rules.ts'
import { removeJettisoned } from '../cargo/adrift-rules.ts'
import {
  containerById,
  findGood,
  footprintOf,
  isNote,
  isPackageIn,
  packagesIn,
} from '../cargo/model.ts'
import {
  describePackage,
  movePackage,
  packageById,
  packageId,
  packageName,
} from '../cargo/rules.ts'
import { isPackageId, JettisonContainer } from '../cargo/state.ts'
import { logAction } from '../log/rules.ts'
import { recordProgress } from '../mission/rules.ts'
import {
  activeShip,
  canCarry,
  freeSpace,
  loadCargo,
  moduleId,
  unitsThatFit,
} from '../ship/model.ts'
import { Module } from '../ship/state.ts'
import { awardXp } from '../skill/rules.ts'
import { poiOf } from '../travel/location-model.ts'
import { Location } from '../travel/state.ts'
import { isLooted, towedWreck, wreckById, wreckModules } from './model.ts'
import type { LootParams } from './needs.ts'
import { removeIfSpent, takeModule } from './rules.ts'
import type { lootSchema } from './schemas.ts'
import { Wreck } from './state.ts'
import { untie } from './tow-rules.ts'
import { renderModule } from './views.ts'

/** XP for emptying or scrapping a wreck, and the credits of its value that earn one XP more. */
const WRECK_XP = 10
const CREDITS_PER_XP = 100
const VALUE_XP_MAX = 500

/** What is looted: a wreck, or a container adrift; the other is 0. */
interface Source {
  readonly wreck: Row
  readonly adrift: Row
  /** The goods in it. */
  readonly goods: Row
}

/** Returns whether an id names a container at the player's place. */
export const isAdrift = (view: WorldView, player: Eid, id: string): boolean =>
  containerById(view, poiOf(view, player), id) !== 0

/**
 * Finds a wreck from which the player may take something: at their place, or in their tow.
 */
export function findWreck(
  view: WorldView,
  player: Eid,
  id: string,
): Outcome<Row, 'already_towed' | 'wreck_not_found'> {
  const wreck = wreckById(view, id)
  if (wreck === 0) return fail('wreck_not_found', { wreck_id: id })
  const tug = view.read(Wreck).tug[wreck]
  if (tug !== 0 && tug === activeShip(view, player)) return ok(wreck)
  const poi = poiOf(view, player)
  const wreckPoi = tug === 0 ? view.read(Wreck).poi[wreck] : view.read(Location).poi[tug]
  const isHere = poi !== 0 && wreckPoi === poi
  if (isHere && tug === 0) return ok(wreck)
  return fail(isHere ? 'already_towed' : 'wreck_not_found', { wreck_id: id })
}

function findSource(
  view: WorldView,
  player: Eid,
  id: string | undefined,
): Outcome<Source, 'already_towed' | 'wreck_id_required' | 'wreck_not_found'> {
  const { cargo } = view.read(Wreck)
  if (id === undefined) {
    const wreck = towedWreck(view, activeShip(view, player))
    return wreck === 0 ? fail('wreck_id_required') : ok({ wreck, adrift: 0, goods: cargo[wreck] })
  }
  const adrift = containerById(view, poiOf(view, player), id)
  if (adrift !== 0) {
    return ok({ wreck: 0, adrift, goods: view.read(JettisonContainer).container[adrift] })
  }
  const wreck = findWreck(view, player, id)
  return wreck.ok ? ok({ wreck: wreck.result, adrift: 0, goods: cargo[wreck.result] }) : wreck
}

/**
 * Awards the XP of emptying or scrapping a wreck, once per wreck. Source: missions.md section 5.
 */
export function trainOn(world: World, player: Eid, wreck: Row): Record<string, number> {
  const { trained, value } = world.write(Wreck)
  if (trained[wreck] === 1) return {}
  trained[wreck] = 1
  raiseCounter(world, player, 'wrecks_emptied')
  const more = Math.min(VALUE_XP_MAX, divFloor(value[wreck], CREDITS_PER_XP))
  const xp = awardXp(world, player, 'salvaging', WRECK_XP + more)
  return xp === 0 ? {} : { salvaging: xp }
}

/**
 * Finishes looting: awards the experience of an emptied wreck, and removes a wreck or container
 * with nothing left in it.
 */
function finishLooting(world: World, player: Eid, { wreck, adrift, goods }: Source) {
  if (wreck === 0) {
    const isEmpty = isBare(world, goods)
    if (isEmpty) removeJettisoned(world, adrift)
    return { wreck_empty: isEmpty }
  }
  const isEmpty = isLooted(world, wreck)
  const xp = isEmpty ? trainOn(world, player, wreck) : {}
  if (isEmpty) recordProgress(world, player, 'salvage_wreck')
  const { tug, value } = world.read(Wreck)
  if (isEmpty && value[wreck] === 0 && tug[wreck] !== 0) untie(world, tug[wreck])
  removeIfSpent(world, wreck)
  return {
    wreck_empty: isEmpty,
    ...(Object.keys(xp).length > 0 && { xp_gained: xp }),
  }
}

const isSpent = (view: WorldView, { wreck, goods }: Source): boolean =>
  isBare(view, goods) && (wreck === 0 || view.read(Wreck).firstModule[wreck] === 0)

function recordLoot(world: World, player: Eid, units: number, summary: string): void {
  addStat(world, player, 'wreck_items_looted', units)
  logAction(world, player, 'salvage', 'loot', summary, { quantity: units })
}

/* A single item or module */

function lootPackage(world: World, player: Eid, source: Source, item_id: string) {
  const pkg = packageById(world, item_id)
  if (pkg === 0 || !isPackageIn(world, source.goods, pkg))
    return fail('item_not_found', { item_id })
  const ship = activeShip(world, player)
  const need = footprintOf(world, pkg)
  const fits = freeSpace(world, ship)
  if (fits < need) return fail('no_cargo_space', { need, fits })
  const id = packageId(world, pkg)
  movePackage(world, pkg, { kind: 'cargo', ship })
  recordLoot(world, player, 1, `Looted ${describePackage(world, pkg)}.`)
  const finished = finishLooting(world, player, source)
  return ok({ action: 'loot_wreck', item_id: id, quantity: 1, ...finished })
}

function lootItem(
  world: World,
  player: Eid,
  source: Source,
  { item_id = '', quantity }: LootParams,
) {
  if (isPackageId(item_id)) return lootPackage(world, player, source, item_id)
  const good = findGood(item_id)
  const available = good.ok ? unitsIn(world, source.goods, good.result) : 0
  if (!good.ok || available === 0) return fail('item_not_found', { item_id })
  const item = good.result
  const ship = activeShip(world, player)
  if (!canCarry(world, ship, item)) return fail('hazard_not_supported', { item_id })
  const fits = unitsThatFit(world, ship, item)
  const units = Math.min(quantity ?? available, available, fits)
  if (units === 0) return fail('no_cargo_space', { fits })
  loadCargo(world, ship, source.goods, item, units)
  recordLoot(world, player, units, `Looted ${units} ${GOODS[item].name}.`)
  const finished = finishLooting(world, player, source)
  return ok({ action: 'loot_wreck', item_id: GOODS[item].id, quantity: units, ...finished })
}

/** Finds a module by its id, as get_wrecks lists it; 0 none. */
function moduleIn(view: WorldView, { wreck }: Source, id: string): Row {
  if (wreck === 0) return 0
  return wreckModules(view, wreck).find((row) => moduleId(view, row) === id.toLowerCase()) ?? 0
}

function lootModule(world: World, player: Eid, source: Source, { module_id = '' }: LootParams) {
  const module = moduleIn(world, source, module_id)
  if (module === 0) {
    const message = say`There is no such module in it; {get_wrecks} shows what it holds.`
    return fail('module_not_found', { module_id }, message)
  }
  const ship = activeShip(world, player)
  const item = world.read(Module).type[module]
  if (unitsThatFit(world, ship, item) === 0)
    return fail('no_cargo_space', { size: GOODS[item].size })
  const id = moduleId(world, module)
  loadModule(world, ship, source.wreck, module)
  recordLoot(world, player, 1, `Looted ${withArticle(GOODS[item].name)}.`)
  return ok({
    action: 'loot_wreck',
    module_id: id,
    module_type_id: GOODS[item].id,
    quantity: 1,
    wear: 0,
    ...finishLooting(world, player, source),
  })
}

/** Moves a module into the hold by way of the goods in the wreck, so that `loadCargo` counts it. */
function loadModule(world: World, ship: Eid, wreck: Row, module: Row): void {
  const { cargo } = world.read(Wreck)
  const item = world.read(Module).type[module]
  takeModule(world, wreck, module, cargo[wreck])
  loadCargo(world, ship, cargo[wreck], item, 1)
}

/* Everything at once */

interface Haul {
  readonly looted: { item_id: string; quantity: number }[]
  readonly looted_modules: ReturnType<typeof renderModule>[]
  readonly skipped: NonNullable<Static<typeof lootSchema>['skipped']>
  units: number
  /** Number of goods left behind because the ship may not carry them. */
  hazards: number
}

function haulGoods(world: World, ship: Eid, goods: Row, haul: Haul): void {
  for (const { item, units } of contentsOf(world, goods)) {
    const { id, name } = GOODS[item]
    const isSafe = canCarry(world, ship, item)
    const fits = isSafe ? Math.min(units, unitsThatFit(world, ship, item)) : 0
    if (fits > 0) {
      loadCargo(world, ship, goods, item, fits)
      haul.looted.push({ item_id: id, quantity: fits })
      haul.units += fits
    }
    if (fits === units) continue
    if (!isSafe) haul.hazards++
    const reason = isSafe ? 'no_space' : 'hazard_not_supported'
    const type = isModule(GOODS[item]) ? 'module' : 'item'
    const quantity = units - fits
    haul.skipped.push({ id, type_id: id, name, type, wear: 0, quantity, reason })
  }
}

function haulPackages(world: World, ship: Eid, goods: Row, haul: Haul): void {
  for (const pkg of packagesIn(world, goods)) {
    const id = packageId(world, pkg)
    if (freeSpace(world, ship) < footprintOf(world, pkg)) {
      const name = packageName(world, pkg)
      const type = isNote(world, pkg) ? 'note' : 'package'
      const reason = 'no_space'
      haul.skipped.push({ id, type_id: type, name, type, wear: 0, quantity: 1, reason })
      continue
    }
    movePackage(world, pkg, { kind: 'cargo', ship })
    haul.looted.push({ item_id: id, quantity: 1 })
    haul.units++
  }
}

function haulModules(world: World, ship: Eid, wreck: Row, haul: Haul): void {
  const { type } = world.read(Module)
  for (const module of wreckModules(world, wreck)) {
    const rendered = renderModule(world, module)
    if (unitsThatFit(world, ship, type[module]) === 0) {
      haul.skipped.push({ ...rendered, reason: 'no_space' })
      continue
    }
    loadModule(world, ship, wreck, module)
    haul.looted_modules.push(rendered)
    haul.units++
  }
}

function lootAll(world: World, player: Eid, source: Source) {
  const ship = activeShip(world, player)
  const haul: Haul = { looted: [], looted_modules: [], skipped: [], units: 0, hazards: 0 }
  haulGoods(world, ship, source.goods, haul)
  haulPackages(world, ship, source.goods, haul)
  if (source.wreck !== 0) haulModules(world, ship, source.wreck, haul)
  const { looted, looted_modules, skipped, units, hazards } = haul
  if (units === 0) {
    return fail(hazards === skipped.length ? 'hazard_not_supported' : 'no_cargo_space')
  }
  const message = `Looted ${counted(units, 'unit')}${skipped.length === 0 ? '' : '; the rest stays'}.`
  recordLoot(world, player, units, message)
  const finished = finishLooting(world, player, source)
  return ok({ action: 'loot_wreck_all', looted, looted_modules, skipped, message, ...finished })
}

/** Loots one item, one module or all of a wreck or container. */
export function loot(world: World, player: Eid, params: LootParams) {
  const { wreck_id, item_id, module_id } = params
  if (item_id !== undefined && module_id !== undefined) {
    return invalidFields({ field: 'module_id', expected: 'left out beside item_id' })
  }
  const found = findSource(world, player, wreck_id)
  if (!found.ok) return found
  const source = found.result
  if (isSpent(world, source)) return fail('wreck_empty')
  if (holdsNoMoreGoods(world)) return fail('limit_reached')
  if (item_id !== undefined) return lootItem(world, player, source, params)
  if (module_id !== undefined) return lootModule(world, player, source, params)
  return lootAll(world, player, source)
}
