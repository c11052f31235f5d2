/** refit_ship: an old hull gets the newest loadout. Source: ships.md sections 3, 10. */
import { beforeAll, describe, expect, test } from 'vitest'
import {
  GOODS,
  itemIndex,
  loadoutOf,
  SHIP_CLASSES,
  shipClassIndex,
} from '../../../core/catalog/index.ts'
import { namedContainer, unitsIn } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { serviceBit } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { modulesOf } from '../../../systems/ship/model.ts'
import { Module, Ship } from '../../../systems/ship/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { onSmallMap } from '../../small-world.ts'
import { bayed } from '../drone/scene.ts'
import { type Docks, docks, fitOf, fitted, give, hull, idOf, ships, stored } from './scene.ts'

onSmallMap()

let yard: Docks
beforeAll(async () => {
  yard = await docks()
})

const LOOKOUT = SHIP_CLASSES[shipClassIndex('lookout')]
const NEW_FIT = LOOKOUT.default_modules.map(itemIndex)

/** Makes a pilot in a lookout of the first version, delivered with a scanner and a booster. */
function veteran(modules: readonly string[] = ['scanner_i', 'shield_booster_i']) {
  const player = yard.pilot('lookout', modules)
  const ship = hull(yard.world, player)
  yard.world.write(Ship).loadoutVersion[ship] = 1
  post(yard.world, namedAccount('starting_grant'), walletOf(yard.world, player), 5_000)
  return { player, ship, base: dockedBase(yard.world, player) }
}

const credits = (player: number) => balanceOf(yard.world, walletOf(yard.world, player))
const value = (id: string) => GOODS[itemIndex(id)].base_value

describe('an old hull', () => {
  test('trades its loadout for the newest one, and all else goes to storage', () => {
    const { player, ship, base } = veteran(['scanner_i', 'fuel_tank_i', 'shield_booster_i'])
    give(yard.world, ship, 'iron_ore', 6)
    const before = credits(player)
    const outcome = yard.act(player, 'refit_ship')
    expect(outcome).toMatchObject({
      ok: true,
      result: {
        ship_id: idOf(yard.world, ship),
        class_id: 'lookout',
        default_modules: NEW_FIT.length,
        modules_returned: 1,
        cargo_returned: 6,
      },
    })
    expect(fitOf(yard.world, ship)).toEqual(NEW_FIT)
    const held = ['scanner_i', 'shield_booster_i', 'fuel_tank_i', 'iron_ore'].map((item) =>
      stored(yard.world, player, base, item),
    )
    expect(held).toEqual([0, 0, 1, 6])
    expect(credits(player)).toBe(before)
    expect(ships(yard.world).loadoutVersion[ship]).toBe(LOOKOUT.default_loadout_version)
    yard.refuses(player, 'refit_ship', {}, 'already_current')
  })

  test('pays for missing modules of its loadout that are not in the hold', () => {
    const { player, ship, base } = veteran([])
    give(yard.world, ship, 'shield_booster_i', 2)
    const before = credits(player)
    const sunk = balanceOf(yard.world, namedAccount('fee_sink'))
    const usedBefore = unitsIn(
      yard.world,
      namedContainer('consumption'),
      itemIndex('shield_booster_i'),
    )
    expect(yard.act(player, 'refit_ship').ok).toBe(true)
    expect(credits(player)).toBe(before - value('scanner_i'))
    expect(balanceOf(yard.world, namedAccount('fee_sink'))).toBe(sunk + value('scanner_i'))
    expect(stored(yard.world, player, base, 'shield_booster_i')).toBe(1)
    const usedAfter = unitsIn(
      yard.world,
      namedContainer('consumption'),
      itemIndex('shield_booster_i'),
    )
    expect(usedAfter).toBe(usedBefore + 1)
  })

  test('that is issue gets issue modules', () => {
    const { player, ship } = veteran()
    yard.world.write(Ship).issue[ship] = 1
    const { issue } = yard.world.write(Module)
    for (const module of modulesOf(yard.world, ship)) issue[module] = 1
    expect(yard.act(player, 'refit_ship').ok).toBe(true)
    expect(modulesOf(yard.world, ship).every((module) => issue[module] === 1)).toBe(true)
  })
})

describe('refit_ship refuses', () => {
  test('a hull of the newest loadout: already_current', () => {
    yard.refuses(yard.pilot('lookout'), 'refit_ship', {}, 'already_current')
    yard.refuses(yard.pilot('almoner'), 'refit_ship', {}, 'already_current')
  })

  test('at a base without a yard: no_shipyard', () => {
    const { player, base } = veteran()
    const { services } = yard.world.write(Base)
    services[base] &= ~serviceBit('shipyard')
    yard.refuses(player, 'refit_ship', {}, 'no_shipyard')
    services[base] |= serviceBit('shipyard')
  })

  test('a player who cannot pay for missing modules: no_credits', () => {
    const { player } = veteran([])
    const due = value('scanner_i') + value('shield_booster_i')
    const left = credits(player) - due + 1
    post(yard.world, walletOf(yard.world, player), namedAccount('fee_sink'), left)
    yard.refuses(player, 'refit_ship', {}, 'no_credits')
    expect(yard.act(player, 'refit_ship').details).toEqual({ need: due, have: due - 1 })
  })

  test('if drones or crew would have no room: drones_in_bay, no_berths', () => {
    const { player, ship } = veteran(['scanner_i', 'shield_booster_i', 'crew_quarters'])
    yard.refuses(player, 'refit_ship', {}, 'no_berths')
    const other = veteran(['scanner_i', 'shield_booster_i', 'light_drone_bay'])
    bayed(yard.world, other.player, 'scout')
    yard.refuses(other.player, 'refit_ship', {}, 'drones_in_bay')
    expect(fitted(yard.world, ship, 'crew_quarters')).not.toBe(0)
  })
})

test('every earlier loadout fits its ship class', () => {
  const old = SHIP_CLASSES.filter((row) => row.default_loadout_version > 1)
  expect(old.length).toBeGreaterThan(0)
  for (const row of old) {
    expect(loadoutOf(row, row.default_loadout_version)).toBe(row.default_modules)
    for (let version = 1; version < row.default_loadout_version; version++) {
      const fit = loadoutOf(row, version).map((id) => GOODS[itemIndex(id)])
      const { cpu, power, slots } = totalsOf(fit)
      expect([cpu <= row.cpu_capacity, power <= row.power_capacity], row.id).toEqual([true, true])
      expect(slots.weapon).toBeLessThanOrEqual(row.weapon_slots)
      expect(slots.defense).toBeLessThanOrEqual(row.defense_slots)
      expect(slots.utility).toBeLessThanOrEqual(row.utility_slots)
    }
  }
})

/** Returns the CPU, power and slots that modules take together. */
function totalsOf(fit: readonly (typeof GOODS)[number][]) {
  const slots = { weapon: 0, defense: 0, utility: 0 }
  let [cpu, power] = [0, 0]
  for (const row of fit) {
    if (!('slot' in row)) throw new Error(`${row.id} is no module`)
    slots[row.slot]++
    cpu += row.cpu_usage
    power += row.power_usage
  }
  return { cpu, power, slots }
}
