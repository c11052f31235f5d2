/** Finding items, ores and hulls in what a player and their faction have seen. */
import { beforeEach, describe, expect, test } from 'vitest'
import { GOODS, SHIP_CLASSES } from '../../../core/catalog/index.ts'
import type { Eid } from '../../../core/types.ts'
import { baseId } from '../../../systems/base/model.ts'
import { rememberSight } from '../../../systems/market/sight-model.ts'
import { Deposit } from '../../../systems/mining/state.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { listingsAt } from '../../../systems/shipyard/model.ts'
import { ShipListing } from '../../../systems/shipyard/state.ts'
import { dockedBase, shipOf } from '../../../systems/travel/location-model.ts'
import { poisOf } from '../../../systems/travel/model.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { act, ask, type Bureau, bureau } from './scene.ts'

/** The row of a system that is no player's home. */
const FAR = 300

let small: SmallWorld
let player: Eid
let home: Eid
beforeEach(async () => {
  small = await smallWorld({ players: 1 })
  player = small.players[0]
  home = dockedBase(small.world, player)
  small.tick()
})

const find = (item_id: string, params: object = {}) =>
  ask(small, player, 'find_item', { item_id, ...params })

describe('find_item', () => {
  test('finds an item at the exchange where the player is docked', () => {
    const base_id = baseId(small.world, home)
    expect(find('iron_ore')).toMatchObject({
      item_id: 'iron_ore',
      count: 1,
      found: [{ kind: 'market', source: 'self', base_id, jumps: 0, age_ticks: 0 }],
    })
  })

  test('finds an item by name at a remembered exchange, with the age of the sight', () => {
    const { world } = small
    rememberSight(world, player, home)
    placeInSpace(world, shipOf(world, player), poisOf(world, FAR)[0])
    small.ticks(40)
    const { found } = find('Iron Ore') as { found: { age_ticks: number; jumps: number }[] }
    expect(found).toHaveLength(1)
    expect(found[0].age_ticks).toBeGreaterThanOrEqual(40)
    expect(found[0].jumps).toBeGreaterThan(0)
  })

  test('finds an ore at the current place, with a quantity only if it can run out', () => {
    const { world } = small
    const { unlimited, item, poi } = world.read(Deposit)
    for (const isUnlimited of [0, 1]) {
      let row = 1
      while (unlimited[row] !== isUnlimited) row++
      placeInSpace(world, shipOf(world, player), poi[row])
      const { found } = find(GOODS[item[row]].id) as {
        found: { kind: string; quantity?: number }[]
      }
      const [deposit] = found.filter(({ kind }) => kind === 'deposit')
      if (isUnlimited === 1) expect(deposit).not.toHaveProperty('quantity')
      else expect(deposit.quantity).toBeGreaterThan(0)
    }
  })

  test('answers with a hint if nothing is known', () => {
    const { world } = small
    placeInSpace(world, shipOf(world, player), poisOf(world, FAR)[0])
    const answer = find('iron_ore')
    expect(answer).toMatchObject({ count: 0, total: 0, found: [] })
    expect(answer.message).toMatch(/visit the exchanges/)
    expect(small.ask(player, 'find_item', { item_id: 'no_such_thing' })).toMatchObject({
      ok: false,
      code: 'unknown_item',
    })
  })

  test('finds hulls for sale at known bases, and so does browse_ships', () => {
    const { world } = small
    const row = listingsAt(world, home)[0]
    const { id } = SHIP_CLASSES[world.read(Ship).class[world.read(ShipListing).ship[row]]]
    expect(find(id)).toMatchObject({
      found: [{ kind: 'ship', base_id: baseId(world, home), jumps: 0 }],
    })
    const everywhere = ask(small, player, 'browse_ships', { everywhere: true })
    const here = ask(small, player, 'browse_ships', {})
    expect(everywhere.count).toBe(here.count)
    const bases = (everywhere.listings as { base_id: string }[]).map(({ base_id }) => base_id)
    expect(new Set(bases)).toEqual(new Set([baseId(world, home)]))
  })
})

describe('trade intel of a faction', () => {
  let scene: Bureau
  beforeEach(async () => {
    scene = await bureau({ faction_trade_intel: 2 })
  })

  test('prices that a member submitted are found by another', () => {
    const { leader, recruit, base } = scene
    const known = () => ask(scene.small, leader, 'find_item', { item_id: 'iron_ingot' })
    const before = known()
    const item = { item_id: 'iron_ingot', best_sell: 900, sell_volume: 3 }
    act(scene.small, recruit, 'faction_submit_trade_intel', {
      stations: [{ base_id: baseId(scene.small.world, base), items: [item] }],
    })
    const after = known()
    expect(after.total).toBeGreaterThanOrEqual(before.total as number)
    expect(after.found).toMatchObject((after.found as object[]).map(() => ({ kind: 'market' })))
  })
})
