/** switch_ship: what changes hands, what stays, what is refused. Source: ships.md 8, 10. */
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
import { bayed, teach } from '../drone/scene.ts'
import { packAt } from '../package/stage.ts'
import { mayGive } from '../trade/stage.ts'
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

let shipyard: Docks
beforeAll(async () => {
  shipyard = await docks()
})

const to = (ship: number) => ({ ship_id: idOf(shipyard.world, ship) })

/** Makes a pilot who may fly anything, with another ship here. */
function owner(shipClass = 'almoner', modules: readonly string[] = [], flown: string[] = []) {
  const player = shipyard.pilot('almoner', flown)
  teach(shipyard.world, player, 'piloting', 100)
  const from = hull(shipyard.world, player)
  const ship = parked(shipyard.world, player, shipClass, modules)
  return { player, from, ship, base: dockedBase(shipyard.world, player) }
}

describe('another ship of the pilot here', () => {
  test('is flown; the cargo of the old one goes to storage, its modules and people stay', () => {
    const { player, from, ship, base } = owner('tugboat', ['scanner_i'], ['scanner_ii'])
    give(shipyard.world, from, 'iron_ore', 7)
    shipyard.world.write(Ship).crewFit[from] = 9
    recompute(shipyard.world, from)
    const done = shipyard.act(player, 'switch_ship', to(ship))
    expect(done).toMatchObject({
      ok: true,
      result: {
        active_ship_id: idOf(shipyard.world, ship),
        active_ship_class: 'tugboat',
        stored_ship_id: idOf(shipyard.world, from),
        stored_ship_class: 'almoner',
        cargo_to_storage: [{ item_id: 'iron_ore', name: 'Iron Ore', quantity: 7 }],
      },
    })
    expect(done.result?.cargo_note).toMatch(/storage/)
    expect(hull(shipyard.world, player)).toBe(ship)
    expect([
      aboard(shipyard.world, from, 'iron_ore'),
      stored(shipyard.world, player, base, 'iron_ore'),
    ]).toEqual([0, 7])
    expect([fitOf(shipyard.world, from), fitOf(shipyard.world, ship)]).toEqual([
      [itemIndex('scanner_ii')],
      [itemIndex('scanner_i')],
    ])
    expect([ships(shipyard.world).crewFit[from], shipyard.world.read(Location).base[from]]).toEqual(
      [9, base],
    )
    expect(dockedBase(shipyard.world, player)).toBe(base)
  })

  test('with an empty hold says nothing of cargo, and opens no locker', () => {
    const { player, ship, base } = owner()
    const done = shipyard.act(player, 'switch_ship', to(ship))
    expect(done.ok).toBe(true)
    expect(done.result).not.toHaveProperty('cargo_to_storage')
    expect(lockerOf(shipyard.world, player, base)).toBe(0)
  })

  test('lets go of the tow, buffs and the cloak; who attacked is still flagged', () => {
    const { player, from, ship, base } = owner('almoner', [], ['tow_rig_basic', 'cloak_i'])
    const towed = parked(shipyard.world, player, 'clause')
    tieShip(shipyard.world, from, towed)
    startBuff(shipyard.world, from, itemIndex('gunners_stim'))
    recompute(shipyard.world, from)
    setCloak(shipyard.world, player, true)
    const until = shipyard.world.tick + 50
    shipyard.world.write(ShipCombat).aggressiveUntil[from] = until
    expect(shipyard.act(player, 'switch_ship', to(ship)).ok).toBe(true)
    const { ship: line, tug } = shipyard.world.read(Tow)
    expect([line[from], tug[towed], shipyard.world.read(Location).base[towed]]).toEqual([
      0,
      0,
      base,
    ])
    expect(buffsOf(shipyard.world, from)).toEqual([])
    expect(shipyard.world.read(Player).cloaked[player]).toBe(0)
    expect(shipyard.world.read(ShipCombat).aggressiveUntil[ship]).toBe(until)
  })

  test('takes the drones of the bays along', () => {
    const { player, from, ship } = owner('almoner', ['light_drone_bay'], ['light_drone_bay'])
    const drone = bayed(shipyard.world, player, 'scout')
    expect(shipyard.act(player, 'switch_ship', to(ship)).ok).toBe(true)
    expect(dronesOfShip(shipyard.world, ship)).toEqual([drone])
    expect(dronesOfShip(shipyard.world, from)).toEqual([])
  })

  test('leaves packages in the locker', () => {
    const { player, from, ship, base } = owner()
    packAt(shipyard.world, { kind: 'cargo', ship: from }, { label: 'Ballast' })
    const done = shipyard.act(player, 'switch_ship', to(ship))
    expect(done).toMatchObject({
      ok: true,
      result: { cargo_to_storage: [{ name: 'Ballast', quantity: 1 }] },
    })
    expect(ships(shipyard.world).cargoUsed[from]).toBe(0)
    expect(packagesIn(shipyard.world, lockerOf(shipyard.world, player, base)).length).toBe(1)
  })

  test('comes back the same after a restart', async () => {
    const { player, from, ship } = owner('tugboat', [], ['scanner_i'])
    give(shipyard.world, from, 'iron_ore', 2)
    expect(shipyard.act(player, 'switch_ship', to(ship)).ok).toBe(true)
    expect(shipyard.act(player, 'name_ship', { name: 'Back and Forth' }).ok).toBe(true)
    const again = await shipyard.small.reload()
    for (const copy of [shipyard.small, again]) {
      copy.ticks(1)
      copy.act(player, 'switch_ship', to(from))
      copy.act(player, 'name_ship', { name: 'Back and forth' })
    }
    expect(again.hash()).toBe(shipyard.small.hash())
  })
})

describe('a hull that a better engineer fitted', () => {
  const HEAVY = ['pathfinder_drive', 'strip_miner_i', 'cargo_expander_i', 'strip_miner_i']

  test('sheds what its CPU and power do not bear into storage, what carries others last', () => {
    const { player, ship, base } = owner('almoner', HEAVY)
    const { cpuUsed, cpuCap, powerUsed, powerCap } = ships(shipyard.world)
    expect(powerUsed[ship]).toBeGreaterThan(powerCap[ship])
    expect(shipyard.act(player, 'switch_ship', to(ship)).ok).toBe(true)
    expect(fitOf(shipyard.world, ship)).toEqual(HEAVY.slice(0, 3).map(itemIndex))
    expect(stored(shipyard.world, player, base, 'strip_miner_i')).toBe(1)
    expect([cpuUsed[ship] <= cpuCap[ship], powerUsed[ship] <= powerCap[ship]]).toEqual([true, true])
  })

  test('lands the crew that the quarters it sheds had berths for', () => {
    const fit = ['light_drone_bay', 'combat_drone_bay', 'crew_quarters']
    const { player, ship, base } = owner('clause', fit)
    expect(ships(shipyard.world).crewFit[ship]).toBe(24)
    expect(shipyard.act(player, 'switch_ship', to(ship)).ok).toBe(true)
    expect(stored(shipyard.world, player, base, 'crew_quarters')).toBe(1)
    expect([ships(shipyard.world).crewFit[ship], ships(shipyard.world).crewCap[ship]]).toEqual([
      4, 4,
    ])
  })

  test('stores the drones that the bay it sheds would have carried', () => {
    const fit = ['combat_drone_bay', 'crew_quarters', 'light_drone_bay']
    const { player, from, ship, base } = owner('clause', fit, [
      'light_drone_bay',
      'combat_drone_bay',
    ])
    for (let i = 0; i < 5; i++) bayed(shipyard.world, player, 'scout')
    expect(shipyard.act(player, 'switch_ship', to(ship)).ok).toBe(true)
    expect(stored(shipyard.world, player, base, 'light_drone_bay')).toBe(1)
    expect([dronesOfShip(shipyard.world, from), dronesOfShip(shipyard.world, ship)]).toEqual([
      [],
      [],
    ])
    expect(stored(shipyard.world, player, base, 'scout_drone')).toBe(5)
  })

  test('stores what was in its hold when that has become too small', () => {
    const fit = ['light_drone_bay', 'combat_drone_bay', 'cargo_expander_ii']
    const { player, ship, base } = owner('clause', fit)
    give(shipyard.world, ship, 'iron_ore', 100)
    expect(shipyard.act(player, 'switch_ship', to(ship)).ok).toBe(true)
    expect(stored(shipyard.world, player, base, 'cargo_expander_ii')).toBe(1)
    expect([
      aboard(shipyard.world, ship, 'iron_ore'),
      stored(shipyard.world, player, base, 'iron_ore'),
    ]).toEqual([0, 100])
  })
})

describe('switch_ship refuses', () => {
  test("no ship, and another's: ship_not_found; the one flown: active_ship", () => {
    const { player, from } = owner()
    const other = owner()
    shipyard.refuses(player, 'switch_ship', { ship_id: 'nonsense' }, 'ship_not_found')
    shipyard.refuses(player, 'switch_ship', to(other.ship), 'ship_not_found')
    shipyard.refuses(player, 'switch_ship', to(from), 'active_ship')
  })

  test('a ship elsewhere, or in tow: not_stored_here', () => {
    const { player, base, from } = owner('almoner', [], ['tow_rig_basic'])
    const away = parked(
      shipyard.world,
      player,
      'almoner',
      [],
      baseWith(shipyard.world, 'shipyard', true, base),
    )
    shipyard.refuses(player, 'switch_ship', to(away), 'not_stored_here')
    const towed = parked(shipyard.world, player, 'clause')
    tieShip(shipyard.world, from, towed)
    shipyard.refuses(player, 'switch_ship', to(towed), 'not_stored_here')
  })

  test('at a base without a yard: no_shipyard', () => {
    const { player, ship, base } = owner()
    const { services } = shipyard.world.write(Base)
    services[base] &= ~serviceBit('shipyard')
    shipyard.refuses(player, 'switch_ship', to(ship), 'no_shipyard')
    services[base] |= serviceBit('shipyard')
  })

  test('a hull on the exchange: already_listed, as scrap_ship does; list_ships names it', () => {
    const { player, ship, base } = owner()
    mayGive(shipyard.world, player, 1_000_000)
    const listed = shipyard.act(player, 'list_ship_for_sale', { ...to(ship), price: 100 })
    expect(listed).toMatchObject({ ok: true })
    shipyard.refuses(player, 'switch_ship', to(ship), 'already_listed')
    shipyard.refuses(player, 'scrap_ship', to(ship), 'already_listed')
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
    expect(shipyard.act(player, 'switch_ship', to(ship))).toMatchObject({ ok: true })
  })

  test('a hull beyond the skill of the pilot: piloting_required', () => {
    const { player } = owner()
    const ship = parked(shipyard.world, player, 'verdict')
    teach(shipyard.world, player, 'piloting', 19)
    shipyard.refuses(player, 'switch_ship', to(ship), 'piloting_required')
    teach(shipyard.world, player, 'piloting', 20)
    expect(shipyard.act(player, 'switch_ship', to(ship)).ok).toBe(true)
  })

  test('a ship without room for the drones in the bays: drones_in_bay', () => {
    const { player, ship } = owner('almoner', [], ['light_drone_bay'])
    bayed(shipyard.world, player, 'scout')
    shipyard.refuses(player, 'switch_ship', to(ship), 'drones_in_bay')
  })

  test('more packages than the locker takes: storage_full', () => {
    const { player, from, ship, base } = owner()
    packAt(shipyard.world, { kind: 'cargo', ship: from }, { label: 'Ballast' })
    openLocker(shipyard.world, player, base)
    const { reserved } = shipyard.world.write(Locker)
    const row = lockerRowOf(shipyard.world, player, base)
    reserved[row] = packageRoom(shipyard.world, player, base)
    shipyard.refuses(player, 'switch_ship', to(ship), 'storage_full')
    reserved[row] = 0
    expect(shipyard.act(player, 'switch_ship', to(ship)).ok).toBe(true)
  })
})
