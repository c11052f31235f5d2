/**
 * Salvage yards: selling the wreck in tow to the station's manager, and scrapping it. Source:
 * salvage.md section 5.
 */
import { GOODS, itemIndex, SHIP_CLASSES, SKILLS } from '../../core/catalog/index.ts'
import { type Failure, fail, ok } from '../../core/errors.ts'
import { contentsOf, type Held, moveItems, namedContainer } from '../../core/goods.ts'
import { balanceOf, canReceive } from '../../core/ledger.ts'
import { divFloor, mulDivFloor } from '../../core/math.ts'
import { withArticle } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { baseId, baseName, hasService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { closeEmptyLocker, isStorageNearlyFull, openLocker, packagesIn } from '../cargo/model.ts'
import { movePackage } from '../cargo/rules.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { addToStock } from '../market/model.ts'
import { recordProgress } from '../mission/rules.ts'
import { activeShip, modulesOf, moduleTypeOf, shipClassOf } from '../ship/model.ts'
import { levelOf, skillIndex } from '../skill/model.ts'
import { ownerOfBase, serviceRefusal } from '../station/model.ts'
import { recordIncome } from '../tax/rules.ts'
import { dockedBase } from '../travel/location-model.ts'
import { trainOn } from './loot-commands.ts'
import { towedWreck, wreckId, wreckModules } from './model.ts'
import { removeWreck, takeGoods, takeModule } from './rules.ts'
import { Wreck } from './state.ts'
import { untie } from './tow-rules.ts'

/** Share of the base value of cargo that a yard pays. */
const CARGO_PCT = 60
const SCRAP_LEVEL_MIN = 2
/** Level from which rare parts are found. */
const RARE_LEVEL_MIN = 10
/**
 * Share of a hulk's value that a beginner gets out of it, and the highest bonus of skill and gear.
 */
const YIELD_PCT = 90
const BONUS_PCT_MAX = 200
/** Shares of the yield that come as rare parts and as components; the rest is metal. */
const RARE_PCT = 15
const COMPONENTS_PCT = 35

const [RARE, COMPONENTS, METAL] = ['rare_salvage', 'salvage_components', 'salvage_metal'].map(
  (id) => itemIndex(id),
)

/** Finds the wreck in tow and the base with the yard here. */
function wreckAtYard(view: WorldView, player: Eid) {
  const wreck = towedWreck(view, activeShip(view, player))
  const base = dockedBase(view, player)
  if (wreck === 0) return fail('not_towing')
  if (!hasService(view, base, 'salvage_yard')) return fail('no_salvage_yard')
  const refused = serviceRefusal(view, player, base, 'salvage_yard')
  if (refused) return refused
  if (isStorageNearlyFull(view)) return fail('limit_reached')
  return ok({ wreck, base })
}

/** Returns the id of the class of the ship that a wreck was. */
const classOf = (view: WorldView, wreck: Row): string =>
  SHIP_CLASSES[view.read(Wreck).class[wreck]].id

/** Moves the modules of a wreck into a locker as goods; returns how many. */
function storeModules(world: World, wreck: Row, locker: Row): number {
  const modules = wreckModules(world, wreck)
  for (const module of modules) takeModule(world, wreck, module, locker)
  return modules.length
}

/** Moves the packages in a wreck into the player's locker, even past their allowance. */
function storePackages(world: World, wreck: Row, player: Eid, base: Eid): void {
  for (const pkg of packagesIn(world, world.read(Wreck).cargo[wreck])) {
    movePackage(world, pkg, { kind: 'locker', player, base })
  }
}

/** Unties and removes a wreck. */
function consumeWreck(world: World, player: Eid, wreck: Row): void {
  untie(world, activeShip(world, player))
  removeWreck(world, wreck)
}

/* Selling */

const cargoValue = (goods: readonly Held[]): number =>
  goods.reduce(
    (sum, { item, units }) =>
      sum + units * Math.max(1, divFloor(GOODS[item].base_value * CARGO_PCT, 100)),
    0,
  )

interface Sale {
  readonly salvage: number
  readonly cargo: number
  readonly payout: number
}

/** Returns what the yard pays: the full price, or what its manager has if that is at least half. */
function priceOf(view: WorldView, wreck: Row, base: Eid): Sale | Failure<'yard_broke'> {
  const { value, cargo } = view.read(Wreck)
  const goods = cargoValue(contentsOf(view, cargo[wreck]))
  const worth = value[wreck] + goods
  const funds = balanceOf(view, view.read(Base).manager[base])
  if (funds * 2 < worth) return fail('yard_broke', { need: worth, have: funds })
  return { salvage: value[wreck], cargo: goods, payout: Math.min(worth, funds) }
}

/** Sells the wreck in tow to the yard here; its modules go into the seller's storage. */
export function sellTow(world: World, player: Eid) {
  const found = wreckAtYard(world, player)
  if (!found.ok) return found
  const { wreck, base } = found.result
  const manager = world.read(Base).manager[base]
  // Yards of factions do not buy. Source: salvage.md, sell_wreck.
  if (manager === 0 || ownerOfBase(world, base) !== 0) return fail('no_salvage_yard')
  const sale = priceOf(world, wreck, base)
  if ('code' in sale) return sale
  const wallet = walletOf(world, player)
  if (!canReceive(world, wallet, sale.payout)) return fail('amount_too_large')
  const shipClass = classOf(world, wreck)
  const id = wreckId(world, wreck)
  const message = `Sold the wreck of ${withArticle(shipClass)} at ${baseName(world, base)}.`
  const data = { wreck_id: id, ship_class: shipClass }
  if (sale.payout === 0) logAction(world, player, 'salvage', 'sell', message, data)
  creditMove(world, player, manager, wallet, sale.payout, 'salvage', 'sell', message, data)
  addStat(world, player, 'credits_earned', sale.payout)
  recordIncome(world, player, 'salvage', sale.payout)
  addStat(world, player, 'wrecks_sold', 1)
  recordProgress(world, player, 'salvage_wreck')
  const stored = storeModules(world, wreck, openLocker(world, player, base))
  const { cargo } = world.read(Wreck)
  for (const { item, units } of contentsOf(world, cargo[wreck])) {
    addToStock(world, base, cargo[wreck], item, units)
  }
  storePackages(world, wreck, player, base)
  closeEmptyLocker(world, player, base)
  consumeWreck(world, player, wreck)
  return ok({
    action: 'sell_wreck',
    wreck_id: id,
    ship_class: shipClass,
    salvage_value: sale.salvage,
    cargo_value: sale.cargo,
    total_payout: sale.payout,
    new_balance: balanceOf(world, wallet),
    ...(stored !== 0 && { modules_stored: stored }),
    message,
  })
}

/* Scrapping */

/** Returns what skill and gear add to the yield of scrapping a wreck, %. */
function yieldBonusPct(view: WorldView, player: Eid): number {
  const ship = activeShip(view, player)
  const inherent = shipClassOf(view, ship).inherent_capabilities.reduce(
    (sum, row) => sum + (row.type === 'salvage_bonus' ? row.value : 0),
    0,
  )
  const fitted = modulesOf(view, ship).reduce(
    (sum, module) => sum + (moduleTypeOf(view, module).salvage_bonus ?? 0),
    0,
  )
  const skill = levelOf(view, player, 'salvaging') + levelOf(view, player, 'outer_rim_survival')
  return Math.min(BONUS_PCT_MAX, skill + inherent + fitted)
}

/** Returns the materials of a hulk of this value, dearest first. */
export function yieldOf(value: number, bonusPct: number, level: number): Held[] {
  const total = mulDivFloor(value, YIELD_PCT * (100 + bonusPct), 10_000)
  const price = (item: number): number => GOODS[item].base_value
  const part = (item: number, pct: number): number => divFloor(total * pct, 100 * price(item))
  const rare = level >= RARE_LEVEL_MIN ? part(RARE, RARE_PCT) : 0
  const components = part(COMPONENTS, COMPONENTS_PCT)
  const rest = total - rare * price(RARE) - components * price(COMPONENTS)
  const metal = value === 0 ? 0 : Math.max(1, divFloor(rest, price(METAL)))
  const made = [
    { item: RARE, units: rare },
    { item: COMPONENTS, units: components },
    { item: METAL, units: metal },
  ]
  return made.filter(({ units }) => units > 0)
}

/** Scraps the wreck in tow at the yard here: all of it goes into the player's storage. */
export function scrapTow(world: World, player: Eid) {
  const found = wreckAtYard(world, player)
  if (!found.ok) return found
  const { wreck, base } = found.result
  const level = levelOf(world, player, 'salvaging')
  if (level < SCRAP_LEVEL_MIN) {
    return fail('skill_too_low', {
      skill: 'salvaging',
      need: SCRAP_LEVEL_MIN,
      have: level,
      trained_by: SKILLS[skillIndex('salvaging')].training_source,
    })
  }
  const { value, cargo } = world.read(Wreck)
  const shipClass = classOf(world, wreck)
  const id = wreckId(world, wreck)
  const made = yieldOf(value[wreck], yieldBonusPct(world, player), level)
  const locker = openLocker(world, player, base)
  for (const { item, units } of made) moveItems(world, namedContainer('scrap'), locker, item, units)
  storeModules(world, wreck, locker)
  storePackages(world, wreck, player, base)
  for (const held of contentsOf(world, cargo[wreck])) takeGoods(world, wreck, locker, held)
  closeEmptyLocker(world, player, base)
  const xp = trainOn(world, player, wreck)
  consumeWreck(world, player, wreck)
  addStat(world, player, 'wrecks_scrapped', 1)
  recordProgress(world, player, 'salvage_wreck')
  const message = `Scrapped the wreck of ${withArticle(shipClass)} at ${baseName(world, base)}.`
  const data = { wreck_id: id, ship_class: shipClass }
  logAction(world, player, 'salvage', 'scrap', message, data)
  return ok({
    action: 'scrap_wreck',
    wreck_id: id,
    ship_class: shipClass,
    materials: made.map(({ item, units }) => ({
      item: GOODS[item].id,
      name: GOODS[item].name,
      quantity: units,
    })),
    total_value: made.reduce((sum, { item, units }) => sum + GOODS[item].base_value * units, 0),
    stored_at: baseId(world, base),
    ...(Object.keys(xp).length > 0 && { xp_gained: xp }),
    message,
  })
}
