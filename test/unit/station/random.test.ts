/**
 * Random commands of owners, members and strangers at stations: no credits and no goods are created
 * or lost. The small world checks all its invariants in every tick.
 */
import { expect, test } from 'vitest'
import { drawBelow, hash32 } from '../../../core/rng.ts'
import { Base } from '../../../systems/base/state.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { shipOf } from '../../../systems/travel/location-model.ts'
import { smallWorld } from '../../small-world.ts'
import { store } from '../facility/scene.ts'
import { addService, crew, member, outpost, port, stock, stranger } from './scene.ts'

const ROUNDS = 40

test('credits and goods are conserved whatever players do at stations', async () => {
  const small = await smallWorld()
  const { world } = small
  const home = port(small)
  for (const type of [
    'faction_lockbox',
    'fuel_dock',
    'repair_dock',
    'market_hall',
    'locker_hall',
  ]) {
    addService(small, home, type)
  }
  const depot = outpost(small)
  const founders = crew(small)
  const players = [home.leader, member(small, home), stranger(small, home), depot.leader]
  players.push(founders.leader)
  for (const player of players) store(small, player, home.base, { iron_ore: 50 })
  stock(small, home, 'steel_plate', 20)
  world.write(Base).fuel[home.base] = 400
  let turn = 0
  const pick = <T>(list: readonly T[]): T => list[drawBelow(list.length, hash32(7, turn++, 3))]
  const number = (max: number): number => drawBelow(max + 1, hash32(11, turn++, 5))
  const calls: readonly (() => readonly [string, object])[] = [
    () => ['refuel', {}],
    () => ['repair', {}],
    () => ['sell', { item_id: 'fuel', quantity: 1 + number(20) }],
    () => ['create_sell_order', { item_id: 'iron_ore', quantity: 5, price_each: 1 + number(9) }],
    () => ['create_buy_order', { item_id: 'iron_ore', quantity: 3, price_each: 1 + number(9) }],
    () => ['dock', {}],
    () => ['undock', {}],
    () => ['station', { action: 'set_market_fee', fee_percent: number(12) }],
    () => ['station', { action: 'set_refuel_price', price: number(45) }],
    () => ['station', { action: 'set_auto_buy_fuel', auto_buy_fuel: number(1) === 1 }],
    () => ['station', { action: 'ban', player: pick(['Pilot 1', 'Pilot 2', 'Founder 2']) }],
    () => ['station', { action: 'unban', player: pick(['Pilot 1', 'Pilot 2', 'Founder 2']) }],
    () => ['build_base', { name: `Whim ${turn}` }],
    () => ['build_outpost', { name: `Notion ${turn}` }],
    () => ['dismantle_outpost', {}],
    () => ['faction_deposit_credits', { amount: 1 + number(500) }],
    () => ['leave_faction', {}],
  ]
  const outcomes = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    for (const player of players) {
      const ship = shipOf(world, player)
      const { hull, fuel, issueFuel } = world.write(Ship)
      if (hull[ship] > 6) hull[ship] -= number(5)
      if (fuel[ship] > 30) fuel[ship] -= number(10)
      issueFuel[ship] = 0
    }
    const commands = players.map((player) => {
      const [command, params] = pick(calls)()
      return { player, command, params }
    })
    for (const outcome of small.tick(...commands).values()) {
      outcomes.add(outcome.ok ? 'ok' : outcome.code)
    }
  }
  expect(outcomes.has('ok')).toBe(true)
  expect(outcomes.size).toBeGreaterThan(5)
  const reloaded = await small.reload()
  expect(reloaded.hash()).toBe(small.hash())
})
