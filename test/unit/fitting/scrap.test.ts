/** scrap_ship, and issue hulls that replace parked ones. Source: ships.md sections 1, 8, 10. */
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

let at: Docks
beforeAll(async () => {
  at = await docks()
})

const RIG = GOODS[itemIndex('tow_rig_basic')]
const named = (ship: number) => ({ ship_id: idOf(at.world, ship) })

describe('a parked ship', () => {
  test('is scrapped from afar: cargo and modules go to storage where it was', () => {
    const player = at.pilot()
    const away = baseWith(at.world, 'storage', true, dockedBase(at.world, player))
    const ship = parked(at.world, player, 'tugboat', ['tow_rig_basic', 'scanner_i'], away)
    at.world.write(Module).issue[fitted(at.world, ship, 'scanner_i')] = 1
    give(at.world, ship, 'iron_ore', 4)
    packAt(at.world, { kind: 'cargo', ship }, { label: 'Ballast' })
    const gone = unitsIn(at.world, namedContainer('fitted'), itemIndex('tow_rig_basic'))
    const before = shipsOf(at.world, player).length
    const id = idOf(at.world, ship)
    const done = at.act(player, 'scrap_ship', { ship_id: id })
    expect(done).toMatchObject({
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
    expect([done.result?.cargo_note, done.result?.modules_note]).toEqual([
      expect.stringMatching(/storage/),
      expect.stringMatching(/storage/),
    ])
    expect(shipsOf(at.world, player).length).toBe(before - 1)
    const held = ['iron_ore', 'tow_rig_basic', 'scanner_i'].map((item) =>
      stored(at.world, player, away, item),
    )
    expect(held).toEqual([4, 1, 0])
    const now = unitsIn(at.world, namedContainer('fitted'), itemIndex('tow_rig_basic'))
    expect(now).toBe(gone - 1)
    at.refuses(player, 'scrap_ship', { ship_id: id }, 'ship_not_found')
  })

  test('that is insured and named loses both: the policy ends, another may bear the name', () => {
    const player = at.pilot('verdict', ['beam_laser_i'])
    const old = hull(at.world, player)
    post(at.world, namedAccount('starting_grant'), walletOf(at.world, player), 900_000)
    expect(at.act(player, 'buy_insurance')).toMatchObject({ ok: true })
    expect(at.act(player, 'name_ship', { name: 'Last Word' })).toMatchObject({ ok: true })
    fly(at.world, player, parked(at.world, player))
    expect(policyOf(at.world, old)).not.toBe(0)
    expect(at.act(player, 'scrap_ship', named(old))).toMatchObject({ ok: true })
    expect(policiesOf(at.world, player)).toEqual([])
    expect(shipNamed(at.world, 'last word')).toBe(0)
    expect(at.act(player, 'name_ship', { name: 'LAST WORD' })).toMatchObject({ ok: true })
  })
})

describe('scrap_ship refuses', () => {
  test("no ship, and another's: ship_not_found", () => {
    const player = at.pilot()
    const other = at.pilot()
    const theirs = parked(at.world, other)
    at.refuses(player, 'scrap_ship', { ship_id: 'nonsense' }, 'ship_not_found')
    at.refuses(player, 'scrap_ship', named(theirs), 'ship_not_found')
  })

  test('the one that is flown: active_ship; the only one: last_ship', () => {
    const player = at.pilot()
    at.refuses(player, 'scrap_ship', named(hull(at.world, player)), 'active_ship')
    const lone = at.small.join('Lone Pilot')
    at.refuses(lone, 'scrap_ship', named(hull(at.world, lone)), 'last_ship')
  })

  test('one on a line: ship_occupied', () => {
    const player = at.pilot('tugboat', ['tow_rig_basic'])
    const towed = parked(at.world, player, 'clause')
    tieShip(at.world, hull(at.world, player), towed)
    at.refuses(player, 'scrap_ship', named(towed), 'ship_occupied')
  })

  test('one with drones in its bays: drones_in_bay', () => {
    const player = at.pilot()
    const ship = parked(at.world, player, 'almoner', ['light_drone_bay'])
    const drone = bayed(at.world, player, 'scout')
    at.world.write(Drone).ship[drone] = ship
    at.refuses(player, 'scrap_ship', named(ship), 'drones_in_bay')
  })
})

describe('a pilot who is given an issue hull', () => {
  /** Loses the ship flown as a battle does. */
  const die = (player: number) => {
    const old = hull(at.world, player)
    respawn(at.world, player)
    removeFromMap(at.world, old)
    releaseShip(at.world, old)
    return hull(at.world, player)
  }

  test('loses the issue hull that is parked; its cargo and bought modules are in storage', () => {
    const player = at.pilot()
    const first = die(player)
    const base = dockedBase(at.world, player)
    give(at.world, first, 'iron_ore', 3)
    give(at.world, first, 'scanner_i')
    expect(at.act(player, 'install_mod', { module_id: 'scanner_i' })).toMatchObject({ ok: true })
    const bought = parked(at.world, player, 'tugboat')
    fly(at.world, player, parked(at.world, player))
    const second = die(player)
    const { alive, issue } = ships(at.world)
    expect(shipsOf(at.world, player).filter((ship) => issue[ship] === 1)).toEqual([second])
    expect(alive[bought]).toBe(1)
    const held = ['iron_ore', 'scanner_i', 'mining_laser_i', 'blaster_i'].map((item) =>
      stored(at.world, player, base, item),
    )
    expect(held).toEqual([3, 1, 0, 0])
    at.small.ticks(1)
  })

  test('keeps it out of trade: modules of issue never become goods', () => {
    const player = at.pilot()
    die(player)
    const done = at.act(player, 'uninstall_mod', { module_id: 'mining_laser_i' })
    expect(done).toMatchObject({ ok: true, result: { destroyed: true } })
    expect(at.world.read(Ship).issue[hull(at.world, player)]).toBe(1)
  })
})
