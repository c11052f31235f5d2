/** install_mod: fitting, loading and refusals. Source: ships.md sections 2, 3, 10. */
import { beforeAll, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { namedContainer, unitsIn } from '../../../core/goods.ts'
import { statOf } from '../../../systems/account/model.ts'
import { lockerOf, openLocker } from '../../../systems/cargo/model.ts'
import { shipsOf, unloadCargo } from '../../../systems/ship/model.ts'
import { recompute } from '../../../systems/ship/rules.ts'
import { Module } from '../../../systems/ship/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { undockShip } from '../../../systems/travel/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import { teach } from '../drone/scene.ts'
import { aboard, type Docks, docks, fitOf, fitted, fittedId, give, hull, ships } from './scene.ts'

onSmallMap()

let shipyard: Docks
beforeAll(async () => {
  shipyard = await docks()
})

describe('a module of the hold', () => {
  test('becomes part of the ship and changes its figures', () => {
    const player = shipyard.pilot()
    const ship = hull(shipyard.world, player)
    give(shipyard.world, ship, 'cargo_expander_i', 2)
    const { cargoCap, cpuUsed } = ships(shipyard.world)
    const [capBefore, fittedBefore] = [
      cargoCap[ship],
      unitsIn(shipyard.world, namedContainer('fitted'), itemIndex('cargo_expander_i')),
    ]
    const outcome = shipyard.act(player, 'install_mod', { module_id: 'cargo_expander_i' })
    expect(outcome).toMatchObject({ ok: true, result: { cpu_used: 1, power_used: 2 } })
    expect(outcome.result?.module_id).toBe(fittedId(shipyard.world, ship, 'cargo_expander_i'))
    expect(outcome.result?.message).toMatch(/Cargo Expander I/)
    expect([aboard(shipyard.world, ship, 'cargo_expander_i'), cpuUsed[ship]]).toEqual([1, 1])
    expect(cargoCap[ship]).toBe(capBefore + 25)
    const fittedAfter = unitsIn(
      shipyard.world,
      namedContainer('fitted'),
      itemIndex('cargo_expander_i'),
    )
    expect(fittedAfter).toBe(fittedBefore + 1)
    expect(statOf(shipyard.world, player, 'modules_installed')).toBe(1)
  })

  test('is found by its display name, and docks the ship at a base first', () => {
    const player = shipyard.pilot()
    const ship = hull(shipyard.world, player)
    give(shipyard.world, ship, 'scanner_i')
    undockShip(shipyard.world, ship)
    const answer = shipyard.small.answer(player, 'install_mod', { module_id: 'Scanner I' })
    expect(answer).toMatchObject({ autoDocked: true, outcome: { ok: true } })
    expect(fitOf(shipyard.world, ship)).toEqual([itemIndex('scanner_i')])
  })

  test('uses less CPU and power with engineering', () => {
    const player = shipyard.pilot()
    const ship = hull(shipyard.world, player)
    teach(shipyard.world, player, 'engineering', 50)
    for (const owned of shipsOf(shipyard.world, player)) recompute(shipyard.world, owned)
    give(shipyard.world, ship, 'survey_scanner_iii')
    const outcome = shipyard.act(player, 'install_mod', { module_id: 'survey_scanner_iii' })
    expect(outcome).toMatchObject({ ok: true, result: { cpu_used: 4, power_used: 8 } })
  })
})

describe('a weapon', () => {
  test('is loaded with the cheapest fitting ammunition in the hold', () => {
    const player = shipyard.pilot()
    const ship = hull(shipyard.world, player)
    give(shipyard.world, ship, 'autocannon_i')
    give(shipyard.world, ship, 'autocannon_ap', 2)
    give(shipyard.world, ship, 'autocannon_rounds', 2)
    expect(shipyard.act(player, 'install_mod', { module_id: 'autocannon_i' })).toMatchObject({
      ok: true,
      result: { current_ammo: 200, magazine_size: 200, loaded_ammo: 'autocannon_rounds' },
    })
    expect(aboard(shipyard.world, ship, 'autocannon_rounds')).toBe(1)
    expect(aboard(shipyard.world, ship, 'autocannon_ap')).toBe(2)
    const row = fitted(shipyard.world, ship, 'autocannon_i')
    const { ammo, ammoType } = shipyard.world.read(Module)
    expect([ammo[row], ammoType[row]]).toEqual([200, itemIndex('autocannon_rounds') + 1])
  })

  test('stays empty without ammunition, and a scrap hurler takes nothing from the hold', () => {
    const player = shipyard.pilot('tugboat')
    const ship = hull(shipyard.world, player)
    for (const id of ['autocannon_i', 'scrap_hurler', 'iron_ore']) give(shipyard.world, ship, id)
    const gun = shipyard.act(player, 'install_mod', { module_id: 'autocannon_i' })
    expect(gun.result).toMatchObject({ current_ammo: 0, magazine_size: 200 })
    expect(gun.result?.loaded_ammo).toBeUndefined()
    const hurler = shipyard.act(player, 'install_mod', { module_id: 'scrap_hurler' })
    expect(hurler).toMatchObject({ ok: true, result: { current_ammo: 0, magazine_size: 10 } })
    expect(aboard(shipyard.world, ship, 'iron_ore')).toBe(1)
  })
})

describe('install_mod refuses', () => {
  test('anything but a module aboard: module_not_found', () => {
    const player = shipyard.pilot()
    const ship = hull(shipyard.world, player)
    give(shipyard.world, ship, 'iron_ore')
    give(shipyard.world, ship, 'scanner_i')
    const base = dockedBase(shipyard.world, player)
    const locker = openLocker(shipyard.world, player, base)
    unloadCargo(shipyard.world, ship, locker, itemIndex('scanner_i'), 1)
    expect(lockerOf(shipyard.world, player, base)).toBe(locker)
    for (const module_id of ['iron_ore', 'scanner_i', 'scanner_ii', 'nonsense']) {
      shipyard.refuses(player, 'install_mod', { module_id }, 'module_not_found')
    }
  })

  test('a module for which no slot is free: no_slot', () => {
    const player = shipyard.pilot('almoner', ['pulse_laser_i'])
    give(shipyard.world, hull(shipyard.world, player), 'blaster_i')
    shipyard.refuses(player, 'install_mod', { module_id: 'blaster_i' }, 'no_slot')
  })

  test('modules that need too much CPU or power: cpu_exceeded, power_exceeded', () => {
    // Clause: CPU 14, power 30.
    const player = shipyard.pilot('clause', ['pathfinder_drive'])
    const ship = hull(shipyard.world, player)
    give(shipyard.world, ship, 'cargo_scanner')
    give(shipyard.world, ship, 'survey_scanner_i')
    give(shipyard.world, ship, 'coprocessor_i')
    give(shipyard.world, ship, 'repair_beam')
    shipyard.refuses(player, 'install_mod', { module_id: 'repair_beam' }, 'cpu_exceeded')
    expect(shipyard.act(player, 'install_mod', { module_id: 'coprocessor_i' }).ok).toBe(true)
    shipyard.refuses(player, 'install_mod', { module_id: 'cargo_scanner' }, 'power_exceeded')
    expect(shipyard.act(player, 'install_mod', { module_id: 'survey_scanner_i' }).ok).toBe(true)
  })

  test('a second module when only one was aboard: module_not_found', () => {
    const player = shipyard.pilot()
    give(shipyard.world, hull(shipyard.world, player), 'scanner_i')
    const command = { player, command: 'install_mod', params: { module_id: 'scanner_i' } }
    shipyard.small.tick(command)
    expect(fitOf(shipyard.world, hull(shipyard.world, player)).length).toBe(1)
    shipyard.refuses(player, 'install_mod', { module_id: 'scanner_i' }, 'module_not_found')
    expect(fitOf(shipyard.world, hull(shipyard.world, player)).length).toBe(1)
  })
})
