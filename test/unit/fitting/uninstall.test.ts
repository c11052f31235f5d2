/** uninstall_mod and repair_module. Source: ships.md sections 1, 3, 10. */
import { beforeAll, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { namedContainer, unitsIn } from '../../../core/goods.ts'
import { Player } from '../../../systems/account/state.ts'
import { Tow } from '../../../systems/salvage/state.ts'
import { tieShip } from '../../../systems/salvage/tow-rules.ts'
import { setCloak } from '../../../systems/sensing/rules.ts'
import { unitsThatFit } from '../../../systems/ship/model.ts'
import { Module } from '../../../systems/ship/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { Location } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { bayed } from '../drone/scene.ts'
import {
  aboard,
  type Docks,
  docks,
  fitOf,
  fitted,
  fittedId,
  give,
  hull,
  parked,
  ships,
} from './scene.ts'

onSmallMap()

let shipyard: Docks
beforeAll(async () => {
  shipyard = await docks()
})

const uninstall = (player: number, module_id: string) =>
  shipyard.act(player, 'uninstall_mod', { module_id })

describe('a fitted module', () => {
  test('becomes a good again, and its ammunition is lost', () => {
    const player = shipyard.pilot('almoner', ['autocannon_i'])
    const ship = hull(shipyard.world, player)
    const module = fitted(shipyard.world, ship, 'autocannon_i')
    const columns = shipyard.world.write(Module)
    columns.ammo[module] = 7
    columns.ammoType[module] = itemIndex('autocannon_rounds') + 1
    const id = fittedId(shipyard.world, ship, 'autocannon_i')
    const fittedBefore = unitsIn(
      shipyard.world,
      namedContainer('fitted'),
      itemIndex('autocannon_i'),
    )
    expect(uninstall(player, id)).toMatchObject({
      ok: true,
      result: {
        module_id: 'autocannon_i',
        instance_id: id,
        cpu_used: 0,
        power_used: 0,
        damaged: false,
        wear: 0,
        wear_status: 'none',
      },
    })
    expect(fitOf(shipyard.world, ship)).toEqual([])
    expect([
      aboard(shipyard.world, ship, 'autocannon_i'),
      aboard(shipyard.world, ship, 'autocannon_rounds'),
    ]).toEqual([1, 0])
    const fittedAfter = unitsIn(shipyard.world, namedContainer('fitted'), itemIndex('autocannon_i'))
    expect(fittedAfter).toBe(fittedBefore - 1)
    const reinstalled = shipyard.act(player, 'install_mod', { module_id: 'autocannon_i' })
    expect(reinstalled).toMatchObject({ ok: true, result: { current_ammo: 0 } })
    expect(reinstalled.result?.module_id).not.toBe(id)
  })

  test('takes its bonus along, and fuel, shield and hull beyond the maximum are lost', () => {
    const player = shipyard.pilot('almoner', ['fuel_tank_i', 'shield_booster_i', 'hull_brace_i'])
    const ship = hull(shipyard.world, player)
    const { fuel, fuelMax, shield, shieldMax, hull: points, hullMax } = ships(shipyard.world)
    const before = [fuel[ship], shield[ship], points[ship]]
    for (const id of ['fuel_tank_i', 'shield_booster_i', 'hull_brace_i']) {
      expect(uninstall(player, id).ok).toBe(true)
    }
    expect([fuel[ship], shield[ship], points[ship]]).toEqual([
      before[0] - 40,
      before[1] - 20,
      before[2] - 25,
    ])
    expect([fuelMax[ship], shieldMax[ship], hullMax[ship]]).toEqual([
      fuel[ship],
      shield[ship],
      points[ship],
    ])
  })

  test('that is issue is destroyed and needs no room', () => {
    const player = shipyard.pilot('almoner', ['scanner_i'])
    const ship = hull(shipyard.world, player)
    shipyard.world.write(Module).issue[fitted(shipyard.world, ship, 'scanner_i')] = 1
    give(
      shipyard.world,
      ship,
      'iron_ore',
      unitsThatFit(shipyard.world, ship, itemIndex('iron_ore')),
    )
    expect(uninstall(player, 'scanner_i')).toMatchObject({ ok: true, result: { destroyed: true } })
    expect([aboard(shipyard.world, ship, 'scanner_i'), fitOf(shipyard.world, ship).length]).toEqual(
      [0, 0],
    )
  })

  test('that is a tow rig slows the tow, or ends it if it was the last rig', () => {
    const player = shipyard.pilot('tugboat', ['tow_rig_advanced', 'tow_rig_basic'])
    const tug = hull(shipyard.world, player)
    const towed = parked(shipyard.world, player, 'clause')
    tieShip(shipyard.world, tug, towed)
    const { pct, ship } = shipyard.world.read(Tow)
    const best = pct[tug]
    expect(uninstall(player, 'tow_rig_advanced').ok).toBe(true)
    expect([ship[tug], pct[tug]]).toEqual([towed, best + 20])
    expect(uninstall(player, 'tow_rig_basic').ok).toBe(true)
    expect([ship[tug], pct[tug]]).toEqual([0, 0])
    expect(shipyard.world.read(Location).base[towed]).toBe(dockedBase(shipyard.world, player))
  })

  test('that is the cloak makes the ship visible', () => {
    const player = shipyard.pilot('almoner', ['cloak_i', 'scanner_i'])
    setCloak(shipyard.world, player, true)
    expect(uninstall(player, 'scanner_i').ok).toBe(true)
    expect(shipyard.world.read(Player).cloaked[player]).toBe(1)
    expect(uninstall(player, 'cloak_i').ok).toBe(true)
    expect(shipyard.world.read(Player).cloaked[player]).toBe(0)
  })
})

test('an uninstalled module is installed again by the id in the answer', () => {
  const player = shipyard.pilot('almoner', ['scanner_i'])
  const instance_id = fittedId(shipyard.world, hull(shipyard.world, player), 'scanner_i')
  const off = uninstall(player, instance_id)
  expect(off).toMatchObject({ ok: true, result: { module_id: 'scanner_i', instance_id } })
  const module_id = off.result?.module_id
  const on = shipyard.act(player, 'install_mod', { module_id })
  expect(on.ok).toBe(true)
  expect(shipyard.act(player, 'repair_module', { module_id })).toMatchObject({
    code: 'not_damaged',
  })
})

describe('uninstall_mod refuses', () => {
  test('modules that are not fitted to the active ship: module_not_found', () => {
    const player = shipyard.pilot('almoner', ['scanner_i'])
    const other = shipyard.pilot('almoner', ['scanner_ii'])
    const theirs = fittedId(shipyard.world, hull(shipyard.world, other), 'scanner_ii')
    const own = parked(shipyard.world, player, 'almoner', ['scanner_ii'])
    const parkedId = fittedId(shipyard.world, own, 'scanner_ii')
    for (const id of [theirs, parkedId, 'scanner_ii', 'iron_ore', 'nonsense']) {
      shipyard.refuses(player, 'uninstall_mod', { module_id: id }, 'module_not_found')
    }
  })

  test('a type of which several are fitted: ambiguous_module', () => {
    const player = shipyard.pilot('almoner', ['scanner_i', 'scanner_i'])
    shipyard.refuses(player, 'uninstall_mod', { module_id: 'scanner_i' }, 'ambiguous_module')
    const ids = uninstall(player, 'scanner_i').details?.module_ids as string[]
    expect(ids.length).toBe(2)
    expect(uninstall(player, ids[1].toUpperCase()).ok).toBe(true)
    expect(fitOf(shipyard.world, hull(shipyard.world, player))).toEqual([itemIndex('scanner_i')])
  })

  test('without room in the hold: no_cargo_space, cargo_capacity_exceeded', () => {
    const player = shipyard.pilot('almoner', ['scanner_i', 'cargo_expander_i'])
    const ship = hull(shipyard.world, player)
    const free = unitsThatFit(shipyard.world, ship, itemIndex('iron_ore'))
    // The expander takes up 10 of the hold, which shrinks by 25: one more than is free.
    give(shipyard.world, ship, 'iron_ore', free - 34)
    shipyard.refuses(
      player,
      'uninstall_mod',
      { module_id: 'cargo_expander_i' },
      'cargo_capacity_exceeded',
    )
    give(shipyard.world, ship, 'iron_ore', 25)
    shipyard.refuses(player, 'uninstall_mod', { module_id: 'scanner_i' }, 'no_cargo_space')
    expect(uninstall(player, 'scanner_i').details).toEqual({ need: 10, free: 9 })
  })

  test('the coprocessor that others need: cpu_exceeded', () => {
    // Almoner: CPU 43, power 96.
    const player = shipyard.pilot('almoner', [
      'coprocessor_i',
      'strip_miner_ii',
      'pathfinder_drive',
      'targeting_computer_i',
      'armor_plate_iii',
      'armor_plate_ii',
    ])
    shipyard.refuses(player, 'uninstall_mod', { module_id: 'coprocessor_i' }, 'cpu_exceeded')
    expect(uninstall(player, 'armor_plate_ii').ok).toBe(true)
    expect(uninstall(player, 'coprocessor_i').ok).toBe(true)
  })

  test('the reactor that others need: power_exceeded', () => {
    const player = shipyard.pilot('almoner', [
      'reactor_upgrade_i',
      'strip_miner_ii',
      'pathfinder_drive',
      'shield_recharger_ii',
      'autocannon_i',
    ])
    shipyard.refuses(player, 'uninstall_mod', { module_id: 'reactor_upgrade_i' }, 'power_exceeded')
    expect(uninstall(player, 'autocannon_i').ok).toBe(true)
    expect(uninstall(player, 'reactor_upgrade_i').ok).toBe(true)
  })

  test('crew quarters that are occupied: no_berths', () => {
    const player = shipyard.pilot('almoner', ['crew_quarters'])
    shipyard.refuses(player, 'uninstall_mod', { module_id: 'crew_quarters' }, 'no_berths')
  })

  test('a module that keeps hazardous goods safe: hazard_not_supported', () => {
    const player = shipyard.pilot('almoner', ['hazard_containment', 'hazard_containment'])
    const ship = hull(shipyard.world, player)
    give(shipyard.world, ship, 'thorium_ore', 1)
    const one = { module_id: fittedId(shipyard.world, ship, 'hazard_containment') }
    expect(shipyard.act(player, 'uninstall_mod', one).ok).toBe(true)
    const module_id = 'hazard_containment'
    shipyard.refuses(player, 'uninstall_mod', { module_id }, 'hazard_not_supported')
  })

  test('a bay that drones need: drones_in_bay', () => {
    const player = shipyard.pilot('almoner', ['light_drone_bay', 'light_drone_bay'])
    const ship = hull(shipyard.world, player)
    for (let i = 0; i < 3; i++) bayed(shipyard.world, player, 'scout')
    const module_id = fittedId(shipyard.world, ship, 'light_drone_bay')
    shipyard.refuses(player, 'uninstall_mod', { module_id }, 'drones_in_bay')
  })
})

describe('repair_module', () => {
  test('refuses undamaged and unknown modules: not_damaged, module_not_found', () => {
    const player = shipyard.pilot('almoner', ['scanner_i', 'scanner_i'])
    const module_id = fittedId(shipyard.world, hull(shipyard.world, player), 'scanner_i')
    shipyard.refuses(player, 'repair_module', { module_id }, 'not_damaged')
    shipyard.refuses(player, 'repair_module', { module_id: 'scanner_i' }, 'not_damaged')
    shipyard.refuses(player, 'repair_module', { module_id: 'cloak_i' }, 'module_not_found')
  })
})
