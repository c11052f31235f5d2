/** scrap_ship, and issue ships that replace parked ones. Source: ships.md 1, 8, 10. */
import { beforeAll, describe, expect, test } from 'vitest'
import { GOODS, itemIndex } from '../../../core/catalog/index.ts'
import { namedContainer, unitsIn } from '../../../core/goods.ts'
import { namedAccount, post } from '../../../core/ledger.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { respawn } from '../../../systems/combat/rules.ts'
import { Drone } from '../../../systems/drone/state.ts'
import { policiesOf, policyOf } from '../../../systems/insurance/model.ts'
import { tieShip } from '../../../systems/salvage/tow-rules.ts'
import { shipNamed, shipsOf } from '../../../systems/ship/model.ts'
import { releaseShip } from '../../../systems/ship/rules.ts'
import { Module, Ship } from '../../../systems/ship/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { removeFromMap } from '../../../systems/travel/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import { bayed } from '../drone/scene.ts'
import { packAt } from '../package/stage.ts'
import {
  baseWith,
  type Docks,
  docks,
  fitted,
  fly,
  give,
  hull,
  idOf,
  parked,
  ships,
  stored,
} from './scene.ts'

onSmallMap()

let shipyard: Docks
beforeAll(async () => {
  shipyard = await docks()
})

const RIG = GOODS[itemIndex('tow_rig_basic')]
const shipParam = (ship: number) => ({ ship_id: idOf(shipyard.world, ship) })

describe('a parked ship', () => {
  test('is scrapped from another base, and its contents go to storage where it was', () => {
    const player = shipyard.pilot()
    const away = baseWith(shipyard.world, 'storage', true, dockedBase(shipyard.world, player))
    const ship = parked(shipyard.world, player, 'tugboat', ['tow_rig_basic', 'scanner_i'], away)
    shipyard.world.write(Module).issue[fitted(shipyard.world, ship, 'scanner_i')] = 1
    give(shipyard.world, ship, 'iron_ore', 4)
    packAt(shipyard.world, { kind: 'cargo', ship }, { label: 'Ballast' })
    const fittedBefore = unitsIn(
      shipyard.world,
      namedContainer('fitted'),
      itemIndex('tow_rig_basic'),
    )
    const before = shipsOf(shipyard.world, player).length
    const id = idOf(shipyard.world, ship)
    const outcome = shipyard.act(player, 'scrap_ship', { ship_id: id })
    expect(outcome).toMatchObject({
      ok: true,
      result: {
        scrapped_ship_id: id,
        scrapped_class: 'tugboat',
        cargo_to_storage: [
          { item_id: 'iron_ore', quantity: 4 },
          { name: 'Ballast', quantity: 1 },
        ],
        modules_to_storage: [{ module_type: 'tow_rig_basic', name: RIG.name }],
      },
    })
    expect([outcome.result?.cargo_note, outcome.result?.modules_note]).toEqual([
      expect.stringMatching(/storage/),
      expect.stringMatching(/storage/),
    ])
    expect(shipsOf(shipyard.world, player).length).toBe(before - 1)
    const held = ['iron_ore', 'tow_rig_basic', 'scanner_i'].map((item) =>
      stored(shipyard.world, player, away, item),
    )
    expect(held).toEqual([4, 1, 0])
    const fittedAfter = unitsIn(
      shipyard.world,
      namedContainer('fitted'),
      itemIndex('tow_rig_basic'),
    )
    expect(fittedAfter).toBe(fittedBefore - 1)
    shipyard.refuses(player, 'scrap_ship', { ship_id: id }, 'ship_not_found')
  })

  test('loses its insurance and its name, which another ship may take', () => {
    const player = shipyard.pilot('verdict', ['beam_laser_i'])
    const old = hull(shipyard.world, player)
    post(shipyard.world, namedAccount('starting_grant'), walletOf(shipyard.world, player), 900_000)
    expect(shipyard.act(player, 'buy_insurance')).toMatchObject({ ok: true })
    expect(shipyard.act(player, 'name_ship', { name: 'Last Word' })).toMatchObject({ ok: true })
    fly(shipyard.world, player, parked(shipyard.world, player))
    expect(policyOf(shipyard.world, old)).not.toBe(0)
    expect(shipyard.act(player, 'scrap_ship', shipParam(old))).toMatchObject({ ok: true })
    expect(policiesOf(shipyard.world, player)).toEqual([])
    expect(shipNamed(shipyard.world, 'last word')).toBe(0)
    expect(shipyard.act(player, 'name_ship', { name: 'LAST WORD' })).toMatchObject({ ok: true })
  })
})

describe('scrap_ship refuses', () => {
  test('unknown ships and those of other players: ship_not_found', () => {
    const player = shipyard.pilot()
    const other = shipyard.pilot()
    const theirs = parked(shipyard.world, other)
    shipyard.refuses(player, 'scrap_ship', { ship_id: 'nonsense' }, 'ship_not_found')
    shipyard.refuses(player, 'scrap_ship', shipParam(theirs), 'ship_not_found')
  })

  test('the active and the only ship of a player: active_ship, last_ship', () => {
    const player = shipyard.pilot()
    shipyard.refuses(player, 'scrap_ship', shipParam(hull(shipyard.world, player)), 'active_ship')
    const newcomer = shipyard.small.join('Lone Pilot')
    shipyard.refuses(newcomer, 'scrap_ship', shipParam(hull(shipyard.world, newcomer)), 'last_ship')
  })

  test('a ship in tow: ship_occupied', () => {
    const player = shipyard.pilot('tugboat', ['tow_rig_basic'])
    const towed = parked(shipyard.world, player, 'clause')
    tieShip(shipyard.world, hull(shipyard.world, player), towed)
    shipyard.refuses(player, 'scrap_ship', shipParam(towed), 'ship_occupied')
  })

  test('a ship with drones in its bays: drones_in_bay', () => {
    const player = shipyard.pilot()
    const ship = parked(shipyard.world, player, 'almoner', ['light_drone_bay'])
    const drone = bayed(shipyard.world, player, 'scout')
    shipyard.world.write(Drone).ship[drone] = ship
    shipyard.refuses(player, 'scrap_ship', shipParam(ship), 'drones_in_bay')
  })
})

describe('a pilot who is given an issue ship', () => {
  /** Destroys the active ship as a battle does, and returns the new issue ship. */
  const die = (player: number) => {
    const old = hull(shipyard.world, player)
    respawn(shipyard.world, player)
    removeFromMap(shipyard.world, old)
    releaseShip(shipyard.world, old)
    return hull(shipyard.world, player)
  }

  test('loses a parked issue ship, whose cargo and bought modules are stored', () => {
    const player = shipyard.pilot()
    const first = die(player)
    const base = dockedBase(shipyard.world, player)
    give(shipyard.world, first, 'iron_ore', 3)
    give(shipyard.world, first, 'scanner_i')
    expect(shipyard.act(player, 'install_mod', { module_id: 'scanner_i' })).toMatchObject({
      ok: true,
    })
    const bought = parked(shipyard.world, player, 'tugboat')
    fly(shipyard.world, player, parked(shipyard.world, player))
    const second = die(player)
    const { alive, issue } = ships(shipyard.world)
    expect(shipsOf(shipyard.world, player).filter((ship) => issue[ship] === 1)).toEqual([second])
    expect(alive[bought]).toBe(1)
    const held = ['iron_ore', 'scanner_i', 'mining_laser_i', 'blaster_i'].map((item) =>
      stored(shipyard.world, player, base, item),
    )
    expect(held).toEqual([3, 1, 0, 0])
    shipyard.small.ticks(1)
  })

  test('gets no good for an uninstalled issue module', () => {
    const player = shipyard.pilot()
    die(player)
    const outcome = shipyard.act(player, 'uninstall_mod', { module_id: 'mining_laser_i' })
    expect(outcome).toMatchObject({ ok: true, result: { destroyed: true } })
    expect(shipyard.world.read(Ship).issue[hull(shipyard.world, player)]).toBe(1)
  })
})
