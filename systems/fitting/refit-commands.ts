/** The command `refit_ship`: the newest loadout of a ship's class. Source: ships.md section 3. */
import { GOODS, itemIndex, loadoutOf, type ModuleRow } from '../../core/catalog/index.ts'
import { mutation } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { contentsOf, moveItems, namedContainer } from '../../core/goods.ts'
import { balanceOf, namedAccount } from '../../core/ledger.ts'
import { NO_PARAMS, type Static, words } from '../../core/params.ts'
import { counted, withArticle } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { hasService } from '../base/model.ts'
import { refitRefusal } from '../drone/model.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { cabinsRefusal } from '../passenger/model.ts'
import { activeShip, modulesOf, shipClassOf, shipId, shipName, unloadCargo } from '../ship/model.ts'
import { deriveFigures, fitModule, recompute, unfitModule } from '../ship/rules.ts'
import { Module, Ship } from '../ship/state.ts'
import { serviceRefusal } from '../station/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { DOCKED } from '../travel/needs.ts'
import { cpuPowerRefusal, hasCloakDevice, peopleRefusal, storingRefusal } from './model.ts'
import { settleFit, storeHold, storeModules } from './rules.ts'
import { refitSchema } from './schemas.ts'

/** The modules of its old loadout that a ship still has, and the price of the missing ones. */
interface OldLoadout {
  /** Modules that are still fitted. */
  readonly fitted: readonly Row[]
  /** Modules that were removed and are in the hold: indices into GOODS, one unit each. */
  readonly aboard: readonly number[]
  /** Base value of the missing ones, credits. */
  readonly credits: number
}

/** Finds the modules that a ship still has of the loadout it was delivered with. */
function oldLoadoutOf(view: WorldView, ship: Eid): OldLoadout {
  const { type, issue } = view.read(Module)
  const { hold, loadoutVersion } = view.read(Ship)
  const modules = modulesOf(view, ship).sort((a, b) => issue[b] - issue[a])
  const spare = new Map<number, number>()
  for (const { item, units } of contentsOf(view, hold[ship])) spare.set(item, units)
  const fitted: Row[] = []
  const aboard: number[] = []
  let credits = 0
  for (const id of loadoutOf(shipClassOf(view, ship), loadoutVersion[ship])) {
    const good = itemIndex(id)
    const found = modules.find((module) => type[module] === good && !fitted.includes(module))
    const left = spare.get(good) ?? 0
    if (found !== undefined) fitted.push(found)
    else if (left > 0) {
      aboard.push(good)
      spare.set(good, left - 1)
    } else credits += GOODS[good].base_value
  }
  return { fitted, aboard, credits }
}

/**
 * Refuses a refit: no_shipyard, service_restricted, already_current, drones_in_bay, cpu_exceeded,
 * power_exceeded, no_berths, storage_full, limit_reached, no_credits.
 */
function yardRefusal(view: WorldView, player: Eid, credits: number) {
  const ship = activeShip(view, player)
  const row = shipClassOf(view, ship)
  const version = view.read(Ship).loadoutVersion[ship]
  const base = dockedBase(view, player)
  if (!hasService(view, base, 'shipyard')) return fail('no_shipyard')
  const restricted = serviceRefusal(view, player, base, 'shipyard')
  if (restricted) return restricted
  if (version >= row.default_loadout_version) return fail('already_current', { version })
  const fit = row.default_modules.map((id) => GOODS[itemIndex(id)] as ModuleRow)
  const figures = deriveFigures(view, ship, fit)
  const refused =
    refitRefusal(view, ship, fit) ??
    cpuPowerRefusal(figures) ??
    peopleRefusal(view, ship, figures) ??
    cabinsRefusal(view, ship, fit)
  if (refused) return refused
  const unstored = storingRefusal(view, ship, base)
  if (unstored) return unstored
  const have = balanceOf(view, walletOf(view, player))
  return have < credits ? fail('no_credits', { need: credits, have }) : undefined
}

/** Removes the remaining modules of the old loadout from the ship. */
function takeOldLoadout(world: World, ship: Eid, { fitted, aboard }: OldLoadout): void {
  const { type, issue } = world.read(Module)
  const sink = namedContainer('consumption')
  for (const module of fitted) {
    const [good, isIssue] = [type[module], issue[module] === 1]
    unfitModule(world, module)
    if (!isIssue) moveItems(world, namedContainer('fitted'), sink, good, 1)
  }
  for (const good of aboard) unloadCargo(world, ship, sink, good, 1)
}

/** Fits the newest loadout, as issue modules on an issue hull. Returns the number of modules. */
function fitNewLoadout(world: World, ship: Eid): number {
  const row = shipClassOf(world, ship)
  const { issue, loadoutVersion } = world.write(Ship)
  for (const id of row.default_modules) {
    const good = itemIndex(id)
    const isIssue = issue[ship] === 1
    if (!isIssue) moveItems(world, namedContainer('produced'), namedContainer('fitted'), good, 1)
    world.write(Module).issue[fitModule(world, ship, good)] = isIssue ? 1 : 0
  }
  loadoutVersion[ship] = row.default_loadout_version
  recompute(world, ship)
  return row.default_modules.length
}

function refit(world: World, player: Eid, old: OldLoadout): Static<typeof refitSchema> {
  const ship = activeShip(world, player)
  const base = dockedBase(world, player)
  const { id, name } = shipClassOf(world, ship)
  const hadCloak = hasCloakDevice(world, ship)
  const { credits } = old
  const message = `${shipName(world, ship)} has the newest loadout of ${withArticle(name)} now.`
  const sink = namedAccount('fee_sink')
  creditMove(world, player, walletOf(world, player), sink, credits, 'ship', 'refit_fee', message)
  addStat(world, player, 'credits_spent', credits)
  takeOldLoadout(world, ship, old)
  const { goods, packages } = storeHold(world, ship, base)
  const modules = storeModules(world, ship, base, modulesOf(world, ship))
  const fitted = fitNewLoadout(world, ship)
  settleFit(world, player, hadCloak)
  logAction(world, player, 'ship', 'refit_ship', message, { ship_class: id })
  return {
    ship_id: shipId(world, ship),
    class_id: id,
    default_modules: fitted,
    modules_returned: modules.length,
    cargo_returned: goods.reduce((sum, { units }) => sum + units, packages.length),
    message:
      credits === 0 ? message : `${message} Missing modules cost ${counted(credits, 'credit')}.`,
  }
}

export const refitShip = mutation({
  name: 'refit_ship',
  v2: { tool: 'game_ship', action: 'refit_ship' },
  summary: 'Refit your ship with the newest loadout of its class; the rest goes to storage here.',
  category: 'ship',
  params: NO_PARAMS,
  result: refitSchema,
  errors: words(
    'service_restricted no_shipyard already_current no_credits drones_in_bay no_berths',
    'cpu_exceeded power_exceeded storage_full limit_reached',
  ),
  order: 'plain',
  needs: [DOCKED],
  changes: ['player', 'ship', 'modules', 'cargo'],
  run(world, player) {
    const old = oldLoadoutOf(world, activeShip(world, player))
    const refused = yardRefusal(world, player, old.credits)
    return refused ?? ok(refit(world, player, old))
  },
})
