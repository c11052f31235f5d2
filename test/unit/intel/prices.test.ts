/** Trade intel of a faction: submitting, querying and counting prices. */
import { beforeEach, expect, test } from 'vitest'
import { GOODS } from '../../../core/catalog/index.ts'
import { baseId, baseName } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { quotesOf } from '../../../systems/intel/model.ts'
import { collectPrices } from '../../../systems/intel/rules.ts'
import { PRICES_PER_FACTION_MAX, PriceNote } from '../../../systems/intel/state.ts'
import { Sight } from '../../../systems/market/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { addService, refusesNow } from '../faction/scene.ts'
import { act, ally, ask, type Bureau, bureau, refusesMove, setOptOut } from './scene.ts'

onSmallMap()

let scene: Bureau
beforeEach(async () => {
  scene = await bureau({ faction_trade_intel: 1 })
})

const submit = (stations: readonly object[], player = scene.recruit) =>
  act(scene.small, player, 'faction_submit_trade_intel', { stations })
const query = (params: object = {}, player = scene.leader) =>
  ask(scene.small, player, 'faction_query_trade_intel', params)
const stationId = (base: number): string => baseId(scene.small.world, base)
const oreRow = (best_sell = 25) => ({ item_id: 'iron_ore', best_buy: 20, best_sell, buy_volume: 7 })

test('the newest prices of each station are kept, with their submitter and tick', () => {
  const { world } = scene.small
  expect(
    submit([{ base_id: stationId(2), items: [oreRow(), { item_id: 'gold_ore' }] }]),
  ).toMatchObject({ stations_updated: 1, status: 'submitted' })
  const tick = world.tick
  submit([{ base_id: stationId(3), items: [] }], scene.leader)
  const { entries } = query({ base_id: stationId(2) })
  expect(entries).toMatchObject([
    {
      base_id: stationId(2),
      station_name: baseName(world, 2),
      submitter_name: 'Recruit',
      submitted_at_tick: tick,
      auto_synced: false,
    },
  ])
  const { items } = (entries as { items: { item_id: string }[] }[])[0]
  expect(items.find(({ item_id }) => item_id === 'iron_ore')).toEqual({
    item_id: 'iron_ore',
    item_name: GOODS.find(({ id }) => id === 'iron_ore')?.name,
    best_buy: 20,
    best_sell: 25,
    buy_volume: 7,
    sell_volume: 0,
  })
  submit([{ base_id: stationId(2), items: [oreRow(99)] }], scene.leader)
  expect(query({ base_id: stationId(2) }).entries).toMatchObject([
    { submitter_name: 'Leader', items: [{ best_sell: 99 }] },
  ])
  expect(query()).toMatchObject({ total: 2, showing: 2, limit: 20, offset: 0, intel_level: 1 })
  expect(query({ limit: 1, offset: 1 })).toMatchObject({ showing: 1, total: 2 })
  expect(query({ limit: 500 })).toMatchObject({ limit: 50 })
  expect(query({ station_name: baseName(world, 3).toUpperCase() }).total).toBeGreaterThan(0)
  expect(query({ base_id: '__proto__' })).toMatchObject({ total: 0 })
})

test('an invalid submission is refused as a whole and changes nothing', async () => {
  const refuses = (stations: readonly object[], refusal: string, player = scene.recruit) =>
    refusesMove(scene.small, player, ['faction_submit_trade_intel', { stations }], refusal)
  const base_id = stationId(2)
  refuses([{ base_id: 'constructor', items: [] }], 'invalid_payload')
  refuses([{ base_id, items: [{ item_id: 'constructor' }] }], 'invalid_payload')
  refuses([{ base_id, items: [oreRow(), oreRow()] }], 'invalid_payload')
  refuses(
    [
      { base_id, items: [] },
      { base_id, items: [] },
    ],
    'invalid_payload',
  )
  refuses([], 'invalid_payload')
  refuses([{ base_id, items: [] }], 'no_trade_ledger', scene.stranger)
  refuses([{ base_id, items: [] }], 'not_in_faction', scene.small.join('Nobody'))
})

test('prices are not kept while no row is free for a sight: limit_reached', () => {
  const { small, recruit } = scene
  const { world } = small
  const stations = [{ base_id: stationId(2), items: [oreRow()] }]
  // Rows released in a tick can be taken again only from the next tick on.
  const taken = Array.from({ length: world.roomIn(Sight) }, () => world.take(Sight))
  for (const row of taken) world.release(Sight, row)
  const request = ['faction_submit_trade_intel', { stations }] as const
  refusesMove(small, recruit, request, 'limit_reached')
  collectPrices(world, recruit, scene.base)
  expect(world.highOf(PriceNote)).toBe(0)
  small.tick()
  expect(submit(stations)).toMatchObject({ stations_updated: 1 })
})

test('the second tier can query one item, and shows the live book of its base', () => {
  const { small, leader, faction, base } = scene
  refusesNow(
    small,
    leader,
    ['faction_query_trade_intel', { item_id: 'iron_ore' }],
    'intel_level_too_low',
  )
  submit([
    { base_id: stationId(2), items: [oreRow(), { item_id: 'gold_ore' }] },
    { base_id: stationId(3), items: [{ item_id: 'gold_ore' }] },
  ])
  addService(small.world, faction, base, 'faction_trade_intel', 2)
  expect(query({ item_id: 'iron_ore', base_id: stationId(2) }).entries).toMatchObject([
    { items: [{ item_id: 'iron_ore' }] },
  ])
  expect(query({ item_id: 'iron_ore', base_id: stationId(3) })).toMatchObject({ total: 0 })
  refusesNow(small, leader, ['faction_query_trade_intel', { item_id: '__proto__' }], 'unknown_item')
  const live = query({ base_id: stationId(base) })
  expect(live).toMatchObject({ total: 1, intel_level: 2 })
  expect(live.entries).toMatchObject([
    { submitted_at_tick: small.world.tick, submitter_name: 'Free Haulers', auto_synced: true },
  ])
})

test('prices of an ally can be queried unless it opts out', () => {
  const { small, leader, stranger, rivals } = scene
  const request = (source_faction_id: string) =>
    ['faction_query_trade_intel', { source_faction_id }] as const
  refusesNow(small, leader, request('HUSH'), 'not_allied')
  refusesNow(small, leader, request('NONE'), 'faction_not_found')
  refusesNow(small, stranger, request('FREE'), 'no_trade_ledger')
  ally(scene)
  expect(query({ source_faction_id: 'hush' })).toMatchObject({ total: 0 })
  setOptOut(small, rivals, true)
  refusesNow(small, leader, request('hush'), 'intel_withheld')
})

test('faction_trade_intel_status counts stations and items, and names the top contributor', () => {
  const { small, leader, stranger } = scene
  const total = small.world.countOf(Base)
  const status = () => ask(small, leader, 'faction_trade_intel_status')
  const nothing = { stations_known: 0, coverage_pct: 0, items_tracked: 0, contributors: 0 }
  expect(status()).toEqual({ intel_level: 1, total_stations: total, ...nothing })
  submit([
    { base_id: stationId(2), items: [oreRow(), { item_id: 'gold_ore' }] },
    { base_id: stationId(3), items: [oreRow()] },
  ])
  expect(status()).toMatchObject({
    stations_known: 2,
    items_tracked: 2,
    top_contributor: 'Recruit',
    top_contributions: 2,
    contributors: 1,
    most_recent_tick: small.world.tick,
    coverage_pct: Math.floor(2_000 / total) / 10,
  })
  refusesNow(small, stranger, ['faction_trade_intel_status', {}], 'no_trade_ledger')
  refusesNow(small, small.join('Nobody'), ['faction_trade_intel_status', {}], 'not_in_faction')
})

test('prices survive a restart and are deleted with the faction', async () => {
  const { small, leader, recruit, faction } = scene
  submit([{ base_id: stationId(2), items: [oreRow()] }])
  const restored = await small.reload()
  expect(restored.hash()).toBe(small.hash())
  expect(ask(restored, leader, 'faction_query_trade_intel')).toEqual(query())
  restored.tick()
  expect(quotesOf(small.world, faction)).toBeLessThan(PRICES_PER_FACTION_MAX)
  act(small, recruit, 'leave_faction')
  act(small, leader, 'leave_faction')
  expect(small.world.countOf(PriceNote)).toBe(0)
  expect(small.world.countOf(Sight)).toBe(0)
})
