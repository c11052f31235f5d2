/** Collections: shared contributions, and pay by share. Source: missions.md section 2. */
import { beforeAll, describe, expect, test } from 'vitest'
import { itemIndex, XP_PER_LEVEL } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import { balanceOf, namedAccount } from '../../../core/ledger.ts'
import { DAY_TICKS } from '../../../core/time.ts'
import type { Eid, World } from '../../../core/types.ts'
import { reputationOf, statOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { capitalOf } from '../../../systems/base/model.ts'
import { openLocker, storedUnits } from '../../../systems/cargo/model.ts'
import { recordGift } from '../../../systems/mission/community-rules.ts'
import { goalOf, missionsOf, poolOf } from '../../../systems/mission/model.ts'
import {
  COMMUNITY_REST_TICKS,
  MISSION_RECORDS,
  POOLS,
  SHARES,
} from '../../../systems/mission/state.ts'
import { activeShip, cargoUnits } from '../../../systems/ship/model.ts'
import { levelOf, xpOf } from '../../../systems/skill/model.ts'
import { dockShip } from '../../../systems/travel/rules.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { refusesRun, result } from '../posting/scene.ts'
import { boards, creditsOf, load, templateNamed } from './stage.ts'

onSmallMap()

const ID = 'wall_of_names'
const CRIMSON = 2
const GIRDER = itemIndex('girder_bundle')
const template = templateNamed(ID)
const GOAL = goalOf(template).units

let small: SmallWorld
let world: World
let capital: Eid
let aron: Eid
let bela: Eid
beforeAll(async () => {
  small = await smallWorld()
  world = small.world
  capital = capitalOf(world, CRIMSON)
  aron = small.join('Aron')
  bela = small.join('Bela')
  for (const player of [aron, bela]) dockShip(world, activeShip(world, player), capital)
})

const take = (player: Eid): string =>
  result(small.act(player, 'accept_mission', { template_id: ID })).mission_id as string
const give = (player: Eid, mission_id: string) =>
  result(small.act(player, 'complete_mission', { mission_id }))
const store = (player: Eid, units: number): void =>
  moveItems(world, namedContainer('supply'), openLocker(world, player, capital), GIRDER, units)
/** Returns all experience that a player has ever gained in trading. */
const tradingXpOf = (player: Eid): number =>
  XP_PER_LEVEL.slice(0, levelOf(world, player, 'trading')).reduce(
    (sum, xp) => sum + xp,
    xpOf(world, player, 'trading'),
  )
const isOffered = (player: Eid): boolean =>
  (result(small.ask(player, 'get_missions')).missions as { template_id: string }[]).some(
    ({ template_id }) => template_id === ID,
  )

describe('a collection', () => {
  let missionId: string

  test('is on the board with its progress', () => {
    const missions = result(small.ask(aron, 'get_missions')).missions as Record<string, unknown>[]
    const [offer] = missions.filter(({ template_id }) => template_id === ID)
    expect(offer).toMatchObject({
      community: true,
      community_percent: 0,
      community_progress: { girder_bundle: `0/${GOAL}` },
      rewards: { credits: template.credits },
    })
  })

  test('takes goods from hold and storage and pays nothing yet', () => {
    missionId = take(aron)
    refusesRun(small, aron, ['complete_mission', { mission_id: missionId }], 'insufficient_items')
    load(world, aron, 'girder_bundle', 10)
    store(aron, 30)
    const before = creditsOf(world, aron)
    const worth = Math.floor((template.credits * 40) / GOAL)
    expect(give(aron, missionId)).toMatchObject({
      credits_earned: 0,
      community_share_credits: worth,
      message: expect.stringContaining(`worth ${worth} credits`),
      community_contributed: { girder_bundle: 40 },
      community_percent: Math.floor(4_000 / GOAL),
      community_progress: { girder_bundle: `40/${GOAL}` },
    })
    expect(creditsOf(world, aron)).toBe(before)
    expect(cargoUnits(world, activeShip(world, aron), GIRDER)).toBe(0)
    expect(storedUnits(world, aron, capital, GIRDER)).toBe(0)
    expect(result(small.ask(aron, 'get_active_missions')).missions).toMatchObject([
      {
        community: true,
        objectives: [{ type: 'contribute', current: 40, required: GOAL, item_id: 'girder_bundle' }],
      },
    ])
  })

  test('refuses contributions at another base (wrong_station)', () => {
    const other = boards(world).find((base) => base !== capital) ?? 0
    dockShip(world, activeShip(world, aron), other)
    refusesRun(small, aron, ['complete_mission', { mission_id: missionId }], 'wrong_station')
    dockShip(world, activeShip(world, aron), capital)
  })

  test('pays each contributor by share when it is full', () => {
    const theirs = take(bela)
    store(bela, GOAL)
    const faucet = balanceOf(world, namedAccount('missions'))
    const before = [aron, bela].map((player) => creditsOf(world, player))
    const xp = tradingXpOf(bela)
    const standing = reputationOf(world, bela, CRIMSON)
    const answer = give(bela, theirs)
    expect(answer).toMatchObject({
      community_contributed: { girder_bundle: GOAL - 40 },
      community_percent: 100,
      message: expect.stringContaining(template.dialog.complete),
    })
    expect(storedUnits(world, bela, capital, GIRDER)).toBe(40)
    const [own, others] = [aron, bela].map((player, i) => creditsOf(world, player) - before[i])
    expect(own).toBe(Math.floor((template.credits * 40) / GOAL))
    expect(own + others).toBe(template.credits)
    expect(answer).toMatchObject({ credits_earned: others, community_share_credits: others })
    expect(answer.message).toContain(`${others} credits of it are paid as the collection closes`)
    expect(balanceOf(world, namedAccount('missions'))).toBe(faucet - template.credits)
    expect(tradingXpOf(bela) - xp).toBe(Math.floor((30 * template.difficulty * (GOAL - 40)) / GOAL))
    expect(reputationOf(world, bela, CRIMSON)).toBeGreaterThan(standing)
    const completed = (player: Eid) => statOf(world, player, 'missions_completed')
    expect([aron, bela].map(completed)).toEqual([1, 1])
    expect(result(small.ask(bela, 'completed_missions'))).toMatchObject({ total_count: 1 })
    refusesRun(small, aron, ['complete_mission', { mission_id: missionId }], 'mission_expired')
  })

  test('ends its missions when it is full, rests, and begins anew', () => {
    small.ticks(1)
    expect([aron, bela].map((player) => missionsOf(world, player).length)).toEqual([0, 0])
    expect(world.records(SHARES).size).toBe(0)
    expect(isOffered(aron)).toBe(false)
    const pool = poolOf(world, ID)
    expect(pool.opensTick).toBe(world.tick + COMMUNITY_REST_TICKS)
    world.records(POOLS).set(ID, { ...pool, opensTick: world.tick })
    expect(isOffered(aron)).toBe(true)
    expect(poolOf(world, ID).given).toBe(0)
    expect(take(aron)).not.toBe('')
  })

  test('pays contributors who abandoned the mission, also after a restore', async () => {
    store(aron, 7)
    const [row] = missionsOf(world, aron)
    expect(row).not.toBe(0)
    const [active] = result(small.ask(aron, 'get_active_missions')).missions as {
      mission_id: string
    }[]
    give(aron, active.mission_id)
    result(small.act(aron, 'abandon_mission', { mission_id: active.mission_id }))
    const numbers = [aron, bela].map((player) => world.read(Player).seq[player])
    const restored = await small.reload()
    for (const copy of [small, restored]) {
      const [first, second] = numbers.map((number) => copy.world.rowOf(Player, number))
      const before = creditsOf(copy.world, first)
      recordGift(copy.world, template, second, GOAL - 7)
      copy.ticks(3)
      expect(creditsOf(copy.world, first) - before).toBe(Math.floor((template.credits * 7) / GOAL))
    }
    expect(restored.hash()).toBe(small.hash())
  })
})

test('a share beyond the daily limit of credits is not paid', () => {
  const other = templateNamed('long_table')
  const goal = goalOf(other).units
  world.records(MISSION_RECORDS).set(String(world.read(Player).seq[bela]), {
    done: {},
    epoch: 0,
    offers: [],
    lapsed: [],
    // All that missions may pay a new player in a day.
    paid: 300_000,
    day: Math.floor((world.tick + 1) / DAY_TICKS),
  })
  recordGift(world, other, aron, 1)
  recordGift(world, other, bela, goal - 1)
  const before = [aron, bela].map((player) => creditsOf(world, player))
  small.ticks(1)
  const paid = [aron, bela].map((player, i) => creditsOf(world, player) - before[i])
  expect(paid).toEqual([Math.floor(other.credits / goal), 0])
  expect(world.records(POOLS).get('long_table')?.phase).toBe('closing')
  small.ticks(1)
  expect(world.records(POOLS).get('long_table')?.phase).toBe('resting')
})
