/** analyze_market, and the exchanges that players remember. Source: market.md section 8. */
import { beforeEach, describe, expect, test } from 'vitest'
import { FACILITIES, GOODS, itemIndex } from '../../../core/catalog/index.ts'
import { SIGHTINGS_PER_PLAYER_MAX } from '../../../core/limits.ts'
import { HOUR_TICKS } from '../../../core/time.ts'
import type { Eid } from '../../../core/types.ts'
import { baseName, serviceBit } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { addFacility } from '../../../systems/facility/lifecycle-rules.ts'
import { playerOwner } from '../../../systems/facility/model.ts'
import { Facility, ONLINE, PUBLIC } from '../../../systems/facility/state.ts'
import { bookOf } from '../../../systems/market/book-model.ts'
import { shortages } from '../../../systems/market/insights-queries.ts'
import { rememberedExchanges, rememberSight } from '../../../systems/market/sight-model.ts'
import { Book, Exchange, Sight, Sighting, Sightings } from '../../../systems/market/state.ts'
import { hourlyVwap } from '../../../systems/market/vwap-model.ts'
import { skillIndex } from '../../../systems/skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { routeBetween } from '../../../systems/travel/model.ts'
import { Poi } from '../../../systems/travel/state.ts'
import { type SmallWorld, uncheck } from '../../small-world.ts'
import { bid, freshScene, result, type Scene, sell } from './scene.ts'

let scene: Scene
let small: SmallWorld
let player: Eid
let other: Eid
let base: Eid
let item: number

beforeEach(async () => {
  scene = await freshScene()
  ;({ small, player, other, base, item } = scene)
})

interface Analysis {
  station: string
  skill_level: number
  insights: { category: string; item_id: string; message: string; priority: number }[]
}

const setTradingLevel = (level: number) => {
  const index = player * SKILLS_WIDTH + skillIndex('trading')
  small.world.write(PlayerSkills).level[index] = level
}
const analysis = (): Analysis => {
  const outcome = small.ask(player, 'analyze_market')
  if (!outcome.ok) throw new Error(outcome.code)
  return outcome.result as Analysis
}
/** Returns the messages about the item, by category. */
const messages = (): Record<string, string> =>
  Object.fromEntries(
    analysis()
      .insights.filter(({ item_id }) => item_id === GOODS[item].id)
      .map(({ category, message }) => [category, message]),
  )

/** Returns bases with an exchange by jumps from this one, nearest first. */
function basesAround(): { base: Eid; jumps: number }[] {
  const { world } = small
  const { alive, poi } = world.read(Base)
  const { system } = world.read(Poi)
  const found: { base: Eid; jumps: number }[] = []
  for (let row = 1; row <= world.highOf(Base); row++) {
    if (alive[row] === 0 || row === base) continue
    const route = routeBetween(world, system[poi[base]], system[poi[row]])
    if (route) found.push({ base: row, jumps: route.length - 1 })
  }
  return found.sort((a, b) => a.jumps - b.jumps)
}

describe('looking at an exchange', () => {
  test('is remembered once in five minutes, in one record for all who look then', () => {
    const { world } = small
    const look = (who: Eid) => small.ask(who, 'view_market')
    look(player)
    expect(rememberedExchanges(world, player)).toEqual([])
    small.ask(player, 'internal:market_seen')
    small.ask(other, 'internal:market_seen')
    expect(world.countOf(Sighting)).toBe(2)
    expect(world.countOf(Sight)).toBe(1)
    const [first] = rememberedExchanges(world, player)
    expect(first.base).toBe(base)
    expect(first.items.length).toBeGreaterThan(10)
    expect(small.ask(player, 'internal:market_seen')).toMatchObject({ ok: false })
    sell(scene, other, 5, 77)
    expect(rememberedExchanges(world, player)[0].items).toEqual(first.items)
    small.ticks(30)
    small.ask(player, 'internal:market_seen')
    expect(rememberedExchanges(world, player)).toHaveLength(1)
    expect(rememberedExchanges(world, player)[0].items).toContainEqual(
      expect.objectContaining({ item, price: [77, 0], units: [5, 0], bestUnits: [5, 0] }),
    )
    expect(world.countOf(Sight)).toBe(2)
    small.ticks(1)
  })

  test('is remembered for the last sixty-four exchanges', () => {
    const { world } = small
    for (let row = 1; row <= SIGHTINGS_PER_PLAYER_MAX + 3; row++) rememberSight(world, player, row)
    expect(world.read(Sightings).count[player]).toBe(SIGHTINGS_PER_PLAYER_MAX)
    const bases = rememberedExchanges(world, player).map((seen) => seen.base)
    expect(bases[0]).toBe(SIGHTINGS_PER_PLAYER_MAX + 3)
    expect(bases.at(-1)).toBe(4)
    rememberSight(world, player, 10)
    expect(rememberedExchanges(world, player)[0].base).toBe(10)
    expect(world.countOf(Sight)).toBe(SIGHTINGS_PER_PLAYER_MAX)
    small.ticks(1)
  })

  test('is remembered across a restart', async () => {
    rememberSight(small.world, player, base)
    const twin = await small.reload()
    expect(rememberedExchanges(twin.world, player)).toEqual(
      rememberedExchanges(small.world, player),
    )
    for (const copy of [small, twin]) {
      copy.ticks(40)
      rememberSight(copy.world, player, base)
      copy.ticks(1)
    }
    expect(twin.hash()).toBe(small.hash())
  })
})

describe('analyze_market', () => {
  test('shows spreads, one-sided books and thin books at any level', () => {
    const { world } = small
    /** Returns the messages with all other books hidden: only the weightiest are ever returned. */
    const messagesOfThisBook = (): Record<string, string> => {
      const { firstBook } = world.write(Exchange)
      const { next } = world.write(Book)
      const book = bookOf(world, base, item)
      const [firstBefore, nextBefore] = [firstBook[base], next[book]]
      firstBook[base] = book
      next[book] = 0
      const found = messages()
      firstBook[base] = firstBefore
      next[book] = nextBefore
      return found
    }
    sell(scene, other, 5, 100)
    expect(analysis()).toMatchObject({ station: baseName(small.world, base), skill_level: 0 })
    expect(messagesOfThisBook()).toEqual({
      one_sided: `${GOODS[item].name}: 5 on offer, nobody buys.`,
    })
    bid(scene, other, 5, 40)
    expect(messagesOfThisBook()).toEqual({
      spread: `${GOODS[item].name}: asked 100, bid 40, 60 % apart.`,
      one_sided: `${GOODS[item].name}: a thin book, 5 on offer and 5 wanted.`,
    })
  })

  test('compares supply and demand in the system from level 5', () => {
    const { world } = small
    const [near] = basesAround()
    bid(scene, other, 100, 40)
    sell(scene, other, 900, 50)
    rememberSight(world, player, base)
    const { sight } = world.read(Sighting)
    const { first } = world.read(Sightings)
    result(scene, other, 'cancel_order', { order_id: 'all' })
    bid(scene, other, 50, 40)
    // Attributes the sighting to another exchange and moves that exchange into this system.
    uncheck(small)
    world.write(Sight).base[sight[first[player]]] = near.base
    world.write(Base).poi[near.base] = world.read(Base).poi[base]
    expect(messages().imbalance).toBeUndefined()
    setTradingLevel(5)
    expect(messages().imbalance).toContain('900 on offer elsewhere')
  })

  test('shows the price trend of the day from level 10', () => {
    const { world } = small
    const trade = (units: number, price: number) => {
      sell(scene, other, units, price)
      result(scene, player, 'buy', { item_id: scene.item_id, quantity: units })
    }
    trade(10, 100)
    const book = bookOf(world, base, item)
    world.tick += 8 * HOUR_TICKS
    trade(5, 110)
    trade(5, 130)
    sell(scene, other, 1, 200)
    expect(hourlyVwap(world, book, 0, 5)).toBe(120)
    expect(hourlyVwap(world, book, 6, 23)).toBe(100)
    expect(messages().trend).toBeUndefined()
    setTradingLevel(10)
    expect(messages().trend).toContain('up 20 %, from 100 to 120')
    world.tick += 20 * HOUR_TICKS
    expect(hourlyVwap(world, book, 6, 23)).toBe(120)
    world.tick += 10 * HOUR_TICKS
    expect(hourlyVwap(world, book, 0, 23)).toBe(0)
  })

  test('compares with exchanges seen up to three jumps away from level 20', () => {
    const { world } = small
    const around = basesAround()
    const near = around.find(({ jumps }) => jumps >= 1 && jumps <= 3)
    const far = around.find(({ jumps }) => jumps > 3)
    if (!near || !far) throw new Error('no bases around')
    const move = (to: Eid) => {
      const { sight } = world.read(Sighting)
      world.write(Sight).base[sight[world.read(Sightings).first[player]]] = to
    }
    sell(scene, other, 5, 60)
    rememberSight(world, player, base)
    move(far.base)
    result(scene, other, 'cancel_order', { order_id: 'all' })
    sell(scene, other, 5, 90)
    setTradingLevel(20)
    expect(messages().best_price).toBeUndefined()
    move(near.base)
    expect(messages().best_price).toBe(
      `${GOODS[item].name}: asked 60 at ${baseName(world, near.base)}, 90 here.`,
    )
  })

  test('estimates the profit of trips after tax and fuel from level 35', () => {
    const { world } = small
    const [near] = basesAround().filter(({ jumps }) => jumps >= 1)
    bid(scene, other, 50, 900)
    rememberSight(world, player, base)
    world.write(Sight).base[world.read(Sighting).sight[world.read(Sightings).first[player]]] =
      near.base
    result(scene, other, 'cancel_order', { order_id: 'all' })
    sell(scene, other, 50, 10)
    setTradingLevel(34)
    expect(messages().arbitrage).toBeUndefined()
    setTradingLevel(35)
    expect(messages().arbitrage).toContain(`to ${baseName(world, near.base)} at 900 bring about`)
    expect(analysis().insights.length).toBeLessThanOrEqual(50)
    expect(analysis().insights[0].category).toBe('arbitrage')
  })

  test('names what running facilities lack at visited bases from level 50', () => {
    const { world } = small
    const [near] = basesAround().filter(({ jumps }) => jumps >= 1)
    const type = FACILITIES.findIndex(({ recipe_categories }) =>
      recipe_categories?.includes('refining'),
    )
    const ore = itemIndex('iron_ore')
    const addRefinery = (station: Eid) =>
      addFacility(world, { type, base: station, owner: playerOwner(other), status: ONLINE })
    const seen = { base: near.base, tick: 0, items: [] }
    const oreShortages = () =>
      shortages(world, [seen]).filter((found) => found.item === ore && found.weight > 0)
    const before = oreShortages()[0]?.weight ?? 0
    const row = addRefinery(near.base)
    expect(oreShortages()[0]?.weight ?? 0).toBe(before)
    world.write(Facility).access[row] = PUBLIC
    const [shortage] = oreShortages()
    expect(shortage.weight).toBeGreaterThan(before)
    expect(shortage.message).toContain(`at ${baseName(world, near.base)}, 0 on offer there.`)
    const offered = { item: ore, price: [1, 0], bestUnits: [9, 0], units: [1e6, 0] } as const
    expect(
      shortages(world, [{ ...seen, items: [offered] }]).filter((found) => found.item === ore),
    ).toEqual([])
    const shortageInsights = () =>
      analysis().insights.filter(({ category }) => category === 'shortage')
    const own = addRefinery(base)
    world.write(Facility).access[own] = PUBLIC
    setTradingLevel(49)
    expect(shortageInsights()).toEqual([])
    setTradingLevel(50)
    expect(shortageInsights().length).toBeGreaterThan(0)
    // A base nobody has looked at is not named.
    for (const { message } of shortageInsights()) expect(message).toContain(baseName(world, base))
  })

  test('requires an exchange and a dock', () => {
    const code = () => {
      const outcome = small.ask(player, 'analyze_market')
      return outcome.ok ? 'ok' : outcome.code
    }
    small.world.write(Base).services[base] &= ~serviceBit('market')
    expect(code()).toBe('no_market')
    small.act(player, 'undock')
    expect(code()).toBe('not_docked')
  })
})
