/** Fitting the ship flown: installing and taking off modules. Source: ships.md section 10. */
import { GOODS } from '../../core/catalog/index.ts'
import { mutation } from '../../core/command.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { namedContainer } from '../../core/goods.ts'
import { obj, ref, type Static, str } from '../../core/params.ts'
import { say } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { loadFitted } from '../combat/rules.ts'
import { uninstallRefusal } from '../drone/model.ts'
import { logAction } from '../log/rules.ts'
import {
  activeShip,
  loadCargo,
  moduleId,
  moduleTypeOf,
  shipName,
  unloadCargo,
} from '../ship/model.ts'
import { fitModule, recompute, unfitModule } from '../ship/rules.ts'
import { Module, Ship } from '../ship/state.ts'
import { DOCKED } from '../travel/needs.ts'
import { findAboard, findFitted } from './model.ts'
import { installRefusal, removalRefusal, settleFit } from './rules.ts'
import { installSchema, repairModuleSchema, uninstallSchema } from './schemas.ts'

const load = (view: WorldView, ship: Eid) => ({
  cpu_used: view.read(Ship).cpuUsed[ship],
  power_used: view.read(Ship).powerUsed[ship],
})

const hasCloak = (view: WorldView, ship: Eid): boolean => view.read(Ship).cloakDevice[ship] === 1

/* Installing */

/** What is in the magazine of a weapon that was just fitted. */
function magazine(view: WorldView, module: Row) {
  const { ammo, ammoType } = view.read(Module)
  const size = moduleTypeOf(view, module).magazine_size
  if (size === undefined) return {}
  const loaded = ammoType[module] === 0 ? {} : { loaded_ammo: GOODS[ammoType[module] - 1].id }
  return { current_ammo: ammo[module], magazine_size: size, ...loaded }
}

function install(world: World, player: Eid, good: number): Static<typeof installSchema> {
  const ship = activeShip(world, player)
  const hadCloak = hasCloak(world, ship)
  unloadCargo(world, ship, namedContainer('fitted'), good, 1)
  const module = fitModule(world, ship, good)
  recompute(world, ship)
  loadFitted(world, ship, module)
  settleFit(world, player, hadCloak)
  addStat(world, player, 'modules_installed', 1)
  const { id, name } = GOODS[good]
  const message = `Fitted ${name} to ${shipName(world, ship)}.`
  logAction(world, player, 'ship', 'install_mod', message, { module_type: id })
  return {
    module_id: moduleId(world, module),
    ...load(world, ship),
    ...magazine(world, module),
    message,
  }
}

export const installMod = mutation({
  name: 'install_mod',
  v2: { tool: 'game', action: 'install_mod', rename: { module_id: 'id' } },
  summary: 'Fit a module from the hold to your ship; a weapon is loaded from the hold.',
  category: 'ship',
  params: obj({
    module_id: ref(
      'module',
      str(say`Type of the module, as {get_cargo} lists it.`, { min: 1, example: 'scanner_i' }),
      { isOpen: true },
    ),
  }),
  result: installSchema,
  errors: ['module_not_found', 'no_slot', 'cpu_exceeded', 'power_exceeded', 'limit_reached'],
  order: 'plain',
  needs: [DOCKED],
  changes: ['ship', 'modules', 'cargo'],
  judge(view, player, { module_id }) {
    const found = findAboard(view, player, module_id)
    return found.ok ? undefined : found
  },
  run(world, player, { module_id }): Outcome<Static<typeof installSchema>> {
    const found = findAboard(world, player, module_id)
    if (!found.ok) return found
    const refused = installRefusal(world, activeShip(world, player), found.result)
    return refused ?? ok(install(world, player, found.result))
  },
})

/* Taking off */

function uninstall(world: World, player: Eid, module: Row): Static<typeof uninstallSchema> {
  const ship = activeShip(world, player)
  const { type, issue } = world.read(Module)
  const [good, isIssue, id] = [type[module], issue[module] === 1, moduleId(world, module)]
  const hadCloak = hasCloak(world, ship)
  unfitModule(world, module)
  recompute(world, ship)
  if (!isIssue) loadCargo(world, ship, namedContainer('fitted'), good, 1)
  settleFit(world, player, hadCloak)
  const { id: typeId, name } = GOODS[good]
  const message = isIssue
    ? `${name} was issue: it came apart as it was taken off.`
    : say`Took ${name} off; it is in the hold, and {install_mod} ${typeId} fits it again.`
  logAction(world, player, 'ship', 'uninstall_mod', message, { module_type: typeId })
  return {
    // the instance is no more: modules of a type are interchangeable once they are off
    ...{ module_id: typeId, instance_id: id },
    ...load(world, ship),
    ...{ damaged: false, wear: 0, wear_status: 'none' },
    ...(isIssue ? { destroyed: true } : {}),
    message,
  }
}

export const uninstallMod = mutation({
  name: 'uninstall_mod',
  v2: { tool: 'game', action: 'uninstall_mod', rename: { module_id: 'id' } },
  summary: 'Take a module off your ship into the hold; what was loaded is lost.',
  category: 'ship',
  params: obj({
    module_id: ref(
      'module',
      str('Id of the module, or its type where there is one of it.', {
        min: 1,
        example: 'scanner_i',
      }),
      { isOpen: true },
    ),
  }),
  result: uninstallSchema,
  errors: [
    ...(['module_not_found', 'ambiguous_module', 'drones_in_bay', 'no_cargo_space'] as const),
    ...(['cpu_exceeded', 'power_exceeded', 'cargo_capacity_exceeded', 'no_berths'] as const),
    ...(['hazard_not_supported', 'limit_reached'] as const),
  ],
  order: 'plain',
  needs: [DOCKED],
  changes: ['ship', 'modules', 'cargo'],
  judge(view, player, { module_id }) {
    const found = findFitted(view, player, module_id)
    return found.ok ? undefined : found
  },
  run(world, player, { module_id }): Outcome<Static<typeof uninstallSchema>> {
    const found = findFitted(world, player, module_id)
    if (!found.ok) return found
    const module = found.result
    const refused =
      uninstallRefusal(world, module) ?? removalRefusal(world, activeShip(world, player), module)
    return refused ?? ok(uninstall(world, player, module))
  },
})

/* Repairing */

export const repairModule = mutation({
  name: 'repair_module',
  v2: { tool: 'game', action: 'repair_module', rename: { module_id: 'id' } },
  summary: 'Repair a fitted module. Modules do not wear: there never is anything to repair.',
  category: 'ship',
  params: obj({
    module_id: ref(
      'module',
      str('Id of the module, or its type.', { min: 1, example: 'scanner_i' }),
      { isOpen: true },
    ),
  }),
  result: repairModuleSchema,
  errors: ['module_not_found', 'not_damaged'],
  order: 'plain',
  needs: [DOCKED],
  changes: ['ship', 'modules', 'cargo', 'skills'],
  run(world, player, { module_id }): Outcome<Static<typeof repairModuleSchema>> {
    const found = findFitted(world, player, module_id)
    if (!found.ok && found.code === 'module_not_found') return found
    return fail('not_damaged', { module_id })
  },
})
