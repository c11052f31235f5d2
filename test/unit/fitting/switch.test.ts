/** switch_ship: cargo, tow, drones and modules of both ships, and refusals. ships.md 8, 10. */
import { beforeAll, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { Player } from '../../../systems/account/state.ts'
import { baseId, serviceBit } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import {
  lockerOf,
  lockerRowOf,
  openLocker,
  packageRoom,
  packagesIn,
} from '../../../systems/cargo/model.ts'
import { Locker } from '../../../systems/cargo/state.ts'
import { ShipCombat } from '../../../systems/combat/state.ts'
import { buffsOf } from '../../../systems/consumable/model.ts'
import { startBuff } from '../../../systems/consumable/rules.ts'
import { dronesOfShip } from '../../../systems/drone/model.ts'
import { Tow } from '../../../systems/salvage/state.ts'
import { tieShip } from '../../../systems/salvage/tow-rules.ts'
import { setCloak } from '../../../systems/sensing/rules.ts'
import { recompute } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { Location } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { bayed, teach } from '../drone/scene.ts'
import { packAt } from '../package/stage.ts'
import { allowGiving } from '../trade/stage.ts'
import {
  aboard,
  baseWith,
  type Docks,
  docks,
  fitOf,
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

const shipParam = (ship: number) => ({ ship_id: idOf(shipyard.world, ship) })

/** Makes a pilot who may fly any ship, with a second ship at the base. */
function owner(shipClass = 'almoner', modules: readonly string[] = [], flown: string[] = []) {
  const player = shipyard.pilot('almoner', flown)
  teach(shipyard.world, player, 'piloting', 100)
  const oldShip = hull(shipyard.world, player)
  const ship = parked(shipyard.world, player, shipClass, modules)
  return { player, oldShip, ship, base: dockedBase(shipyard.world, player) }
}

describe('another ship of the pilot at the base', () => {
  test('becomes active, and only the cargo of the old ship goes to storage', () => {
    const { player, oldShip, ship, base } = owner('tugboat', ['scanner_i'], ['scanner_ii'])
    give(shipyard.world, oldShip, 'iron_ore', 7)
    shipyard.world.write(Ship).crewFit[oldShip] = 9
    recompute(shipyard.world, oldShip)
    const outcome = shipyard.act(player, 'switch_ship', shipParam(ship))
    expect(outcome).toMatchObject({
      ok: true,
      result: {
        active_ship_id: idOf(shipyard.world, ship),
        active_ship_class: 'tugboat',
        stored_ship_id: idOf(shipyard.world, oldShip),
        stored_ship_class: 'almoner',
        cargo_to_storage: [{ item_id: 'iron_ore', name: 'Iron Ore', quantity: 7 }],
      },
    })
    expect(outcome.result?.cargo_note).toMatch(/storage/)
    expect(hull(shipyard.world, player)).toBe(ship)
    expect([
      aboard(shipyard.world, oldShip, 'iron_ore'),
      stored(shipyard.world, player, base, 'iron_ore'),
    ]).toEqual([0, 7])
    expect([fitOf(shipyard.world, oldShip), fitOf(shipyard.world, ship)]).toEqual([
      [itemIndex('scanner_ii')],
      [itemIndex('scanner_i')],
    ])
    expect([
      ships(shipyard.world).crewFit[oldShip],
      shipyard.world.read(Location).base[oldShip],
    ]).toEqual([9, base])
    expect(dockedBase(shipyard.world, player)).toBe(base)
  })

  test('becomes active without a locker when the hold of the old ship is empty', () => {
    const { player, ship, base } = owner()
    const outcome = shipyard.act(player, 'switch_ship', shipParam(ship))
    expect(outcome.ok).toBe(true)
    expect(outcome.result).not.toHaveProperty('cargo_to_storage')
    expect(lockerOf(shipyard.world, player, base)).toBe(0)
  })

  test('becomes active without tow, buffs and cloak, but with the mark of an attacker', () => {
    const { player, oldShip, ship, base } = owner('almoner', [], ['tow_rig_basic', 'cloak_i'])
    const towed = parked(shipyard.world, player, 'clause')
    tieShip(shipyard.world, oldShip, towed)
    startBuff(shipyard.world, oldShip, itemIndex('gunners_stim'))
    recompute(shipyard.world, oldShip)
    setCloak(shipyard.world, player, true)
    const until = shipyard.world.tick + 50
    shipyard.world.write(ShipCombat).aggressiveUntil[oldShip] = until
    expect(shipyard.act(player, 'switch_ship', shipParam(ship)).ok).toBe(true)
    const { ship: line, tug } = shipyard.world.read(Tow)
    expect([line[oldShip], tug[towed], shipyard.world.read(Location).base[towed]]).toEqual([
      0,
      0,
      base,
    ])
    expect(buffsOf(shipyard.world, oldShip)).toEqual([])
    expect(shipyard.world.read(Player).cloaked[player]).toBe(0)
    expect(shipyard.world.read(ShipCombat).aggressiveUntil[ship]).toBe(until)
  })

  test('takes over the drones in the bays of the old ship', () => {
    const { player, oldShip, ship } = owner('almoner', ['light_drone_bay'], ['light_drone_bay'])
    const drone = bayed(shipyard.world, player, 'scout')
    expect(shipyard.act(player, 'switch_ship', shipParam(ship)).ok).toBe(true)
    expect(dronesOfShip(shipyard.world, ship)).toEqual([drone])
    expect(dronesOfShip(shipyard.world, oldShip)).toEqual([])
  })

  test('becomes active, and packages of the old ship go to the locker', () => {
    const { player, oldShip, ship, base } = owner()
    packAt(shipyard.world, { kind: 'cargo', ship: oldShip }, { label: 'Ballast' })
    const outcome = shipyard.act(player, 'switch_ship', shipParam(ship))
    expect(outcome).toMatchObject({
      ok: true,
      result: { cargo_to_storage: [{ name: 'Ballast', quantity: 1 }] },
    })
    expect(ships(shipyard.world).cargoUsed[oldShip]).toBe(0)
    expect(packagesIn(shipyard.world, lockerOf(shipyard.world, player, base)).length).toBe(1)
  })

  test('becomes active again in a reloaded world with the same hash', async () => {
    const { player, oldShip, ship } = owner('tugboat', [], ['scanner_i'])
    give(shipyard.world, oldShip, 'iron_ore', 2)
    expect(shipyard.act(player, 'switch_ship', shipParam(ship)).ok).toBe(true)
    expect(shipyard.act(player, 'name_ship', { name: 'Back and Forth' }).ok).toBe(true)
    const reloaded = await shipyard.small.reload()
    for (const copy of [shipyard.small, reloaded]) {
      copy.ticks(1)
      copy.act(player, 'switch_ship', shipParam(oldShip))
      copy.act(player, 'name_ship', { name: 'Back and forth' })
    }
    expect(reloaded.hash()).toBe(shipyard.small.hash())
  })
})

describe('a ship that lacks CPU or power for its modules', () => {
  const HEAVY = ['pathfinder_drive', 'strip_miner_i', 'cargo_expander_i', 'strip_miner_i']

  test('stores modules until the others fit, those that others need last', () => {
    const { player, ship, base } = owner('almoner', HEAVY)
    const { cpuUsed, cpuCap, powerUsed, powerCap } = ships(shipyard.world)
    expect(powerUsed[ship]).toBeGreaterThan(powerCap[ship])
    expect(shipyard.act(player, 'switch_ship', shipParam(ship)).ok).toBe(true)
    expect(fitOf(shipyard.world, ship)).toEqual(HEAVY.slice(0, 3).map(itemIndex))
    expect(stored(shipyard.world, player, base, 'strip_miner_i')).toBe(1)
    expect([cpuUsed[ship] <= cpuCap[ship], powerUsed[ship] <= powerCap[ship]]).toEqual([true, true])
  })

  test('unloads the crew of the quarters that it stores', () => {
    const fit = ['light_drone_bay', 'combat_drone_bay', 'crew_quarters']
    const { player, ship, base } = owner('clause', fit)
    expect(ships(shipyard.world).crewFit[ship]).toBe(24)
    expect(shipyard.act(player, 'switch_ship', shipParam(ship)).ok).toBe(true)
    expect(stored(shipyard.world, player, base, 'crew_quarters')).toBe(1)
    expect([ships(shipyard.world).crewFit[ship], ships(shipyard.world).crewCap[ship]]).toEqual([
      4, 4,
    ])
  })

  test('stores the drones of the bay that it stores', () => {
    const fit = ['combat_drone_bay', 'crew_quarters', 'light_drone_bay']
    const { player, oldShip, ship, base } = owner('clause', fit, [
      'light_drone_bay',
      'combat_drone_bay',
    ])
    for (let i = 0; i < 5; i++) bayed(shipyard.world, player, 'scout')
    expect(shipyard.act(player, 'switch_ship', shipParam(ship)).ok).toBe(true)
    expect(stored(shipyard.world, player, base, 'light_drone_bay')).toBe(1)
    expect([dronesOfShip(shipyard.world, oldShip), dronesOfShip(shipyard.world, ship)]).toEqual([
      [],
      [],
    ])
    expect(stored(shipyard.world, player, base, 'scout_drone')).toBe(5)
  })

  test('stores its cargo when its hold becomes too small', () => {
    const fit = ['light_drone_bay', 'combat_drone_bay', 'cargo_expander_ii']
    const { player, ship, base } = owner('clause', fit)
    give(shipyard.world, ship, 'iron_ore', 100)
    expect(shipyard.act(player, 'switch_ship', shipParam(ship)).ok).toBe(true)
    expect(stored(shipyard.world, player, base, 'cargo_expander_ii')).toBe(1)
    expect([
      aboard(shipyard.world, ship, 'iron_ore'),
      stored(shipyard.world, player, base, 'iron_ore'),
    ]).toEqual([0, 100])
  })
})

describe('switch_ship refuses', () => {
  test('unknown and foreign ships, and the active one: ship_not_found, active_ship', () => {
    const { player, oldShip } = owner()
    const other = owner()
    shipyard.refuses(player, 'switch_ship', { ship_id: 'nonsense' }, 'ship_not_found')
    shipyard.refuses(player, 'switch_ship', shipParam(other.ship), 'ship_not_found')
    shipyard.refuses(player, 'switch_ship', shipParam(oldShip), 'active_ship')
  })

  test('a ship elsewhere, or in tow: not_stored_here', () => {
    const { player, base, oldShip } = owner('almoner', [], ['tow_rig_basic'])
    const away = parked(
      shipyard.world,
      player,
      'almoner',
      [],
      baseWith(shipyard.world, 'shipyard', true, base),
    )
    shipyard.refuses(player, 'switch_ship', shipParam(away), 'not_stored_here')
    const towed = parked(shipyard.world, player, 'clause')
    tieShip(shipyard.world, oldShip, towed)
    shipyard.refuses(player, 'switch_ship', shipParam(towed), 'not_stored_here')
  })

  test('at a base without a yard: no_shipyard', () => {
    const { player, ship, base } = owner()
    const { services } = shipyard.world.write(Base)
    services[base] &= ~serviceBit('shipyard')
    shipyard.refuses(player, 'switch_ship', shipParam(ship), 'no_shipyard')
    services[base] |= serviceBit('shipyard')
  })

  test('a ship on the exchange: already_listed', () => {
    const { player, ship, base } = owner()
    allowGiving(shipyard.world, player, 1_000_000)
    const listed = shipyard.act(player, 'list_ship_for_sale', { ...shipParam(ship), price: 100 })
    expect(listed).toMatchObject({ ok: true })
    shipyard.refuses(player, 'switch_ship', shipParam(ship), 'already_listed')
    shipyard.refuses(player, 'scrap_ship', shipParam(ship), 'already_listed')
    const { result } = shipyard.small.ask(player, 'list_ships') as unknown as {
      result: { ships: Record<string, unknown>[] }
    }
    const shown = result.ships.find(({ ship_id }) => ship_id === idOf(shipyard.world, ship))
    expect(shown).toMatchObject({
      listing_price: 100,
      listing_base_id: baseId(shipyard.world, base),
      listing_id: expect.any(String),
    })
    const cancel = { listing_id: shown?.listing_id }
    expect(shipyard.act(player, 'cancel_ship_listing', cancel)).toMatchObject({ ok: true })
    expect(shipyard.act(player, 'switch_ship', shipParam(ship))).toMatchObject({ ok: true })
  })

  test('a ship beyond the skill of the pilot: piloting_required', () => {
    const { player } = owner()
    const ship = parked(shipyard.world, player, 'verdict')
    teach(shipyard.world, player, 'piloting', 19)
    shipyard.refuses(player, 'switch_ship', shipParam(ship), 'piloting_required')
    teach(shipyard.world, player, 'piloting', 20)
    expect(shipyard.act(player, 'switch_ship', shipParam(ship)).ok).toBe(true)
  })

  test('a ship without room for the drones in the bays: drones_in_bay', () => {
    const { player, ship } = owner('almoner', [], ['light_drone_bay'])
    bayed(shipyard.world, player, 'scout')
    shipyard.refuses(player, 'switch_ship', shipParam(ship), 'drones_in_bay')
  })

  test('more packages than the locker holds: storage_full', () => {
    const { player, oldShip, ship, base } = owner()
    packAt(shipyard.world, { kind: 'cargo', ship: oldShip }, { label: 'Ballast' })
    openLocker(shipyard.world, player, base)
    const { reserved } = shipyard.world.write(Locker)
    const row = lockerRowOf(shipyard.world, player, base)
    reserved[row] = packageRoom(shipyard.world, player, base)
    shipyard.refuses(player, 'switch_ship', shipParam(ship), 'storage_full')
    reserved[row] = 0
    expect(shipyard.act(player, 'switch_ship', shipParam(ship)).ok).toBe(true)
  })
})
