/** Collections: giving together, and pay by what each gave. Source: missions.md section 2. */
import { beforeAll, describe, expect, test } from 'vitest'
import { itemIndex, XP_PER_LEVEL } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import { balanceOf, namedAccount } from '../../../core/ledger.ts'
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
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { refusesRun, result } from '../posting/scene.ts'
import { boards, creditsOf, load, templateNamed } from './stage.ts'

const ID = 'wall_of_names'
const CRIMSON = 2
const GIRDER = itemIndex('girder_bundle')
const template = templateNamed(ID)
const GOAL = goalOf(template).units

let small: SmallWorld
let world: World
let capital: Eid
let one: Eid
let two: Eid
beforeAll(async () => {
  small = await smallWorld()
  world = small.world
  capital = capitalOf(world, CRIMSON)
  one = small.join('Aron')
  two = small.join('Bela')
  for (const player of [one, two]) dockShip(world, activeShip(world, player), capital)
})

const take = (player: Eid): string =>
  result(small.act(player, 'accept_mission', { template_id: ID })).mission_id as string
const give = (player: Eid, mission_id: string) =>
  result(small.act(player, 'complete_mission', { mission_id }))
const store = (player: Eid, units: number): void =>
  moveItems(world, namedContainer('supply'), openLocker(world, player, capital), GIRDER, units)
/** Returns all experience that a player ever gained in trading. */
const learntBy = (player: Eid): number =>
  XP_PER_LEVEL.slice(0, levelOf(world, player, 'trading')).reduce(
    (sum, xp) => sum + xp,
    xpOf(world, player, 'trading'),
  )
const offered = (player: Eid): boolean =>
  (result(small.ask(player, 'get_missions')).missions as { template_id: string }[]).some(
    ({ template_id }) => template_id === ID,
  )

describe('a collection', () => {
  let mine: string

  test('is on the board with what there is of it', () => {
    const missions = result(small.ask(one, 'get_missions')).missions as Record<string, unknown>[]
    const [offer] = missions.filter(({ template_id }) => template_id === ID)
    expect(offer).toMatchObject({
      community: true,
      community_percent: 0,
      community_progress: { girder_bundle: `0/${GOAL}` },
      rewards: { credits: template.credits },
    })
  })

  test('takes what is in the hold, then what is in storage, and pays nothing yet', () => {
    mine = take(one)
    refusesRun(small, one, ['complete_mission', { mission_id: mine }], 'insufficient_items')
    load(world, one, 'girder_bundle', 10)
    store(one, 30)
    const before = creditsOf(world, one)
    const worth = Math.floor((template.credits * 40) / GOAL)
    expect(give(one, mine)).toMatchObject({
      credits_earned: 0,
      community_share_credits: worth,
      message: expect.stringContaining(`worth ${worth} credits`),
      community_contributed: { girder_bundle: 40 },
      community_percent: Math.floor(4_000 / GOAL),
      community_progress: { girder_bundle: `40/${GOAL}` },
    })
    expect(creditsOf(world, one)).toBe(before)
    expect(cargoUnits(world, activeShip(world, one), GIRDER)).toBe(0)
    expect(storedUnits(world, one, capital, GIRDER)).toBe(0)
    expect(result(small.ask(one, 'get_active_missions')).missions).toMatchObject([
      {
        community: true,
        objectives: [{ type: 'contribute', current: 40, required: GOAL, item_id: 'girder_bundle' }],
      },
    ])
  })

  test('is given to where it is taken: wrong_station', () => {
    const other = boards(world).find((base) => base !== capital) ?? 0
    dockShip(world, activeShip(world, one), other)
    refusesRun(small, one, ['complete_mission', { mission_id: mine }], 'wrong_station')
    dockShip(world, activeShip(world, one), capital)
  })

  test('full, it pays each by their share and the rest of rounding to the largest', () => {
    const theirs = take(two)
    store(two, GOAL)
    const faucet = balanceOf(world, namedAccount('missions'))
    const before = [one, two].map((player) => creditsOf(world, player))
    const xp = learntBy(two)
    const standing = reputationOf(world, two, CRIMSON)
    const answer = give(two, theirs)
    expect(answer).toMatchObject({
      community_contributed: { girder_bundle: GOAL - 40 },
      community_percent: 100,
      message: expect.stringContaining(template.dialog.complete),
    })
    expect(storedUnits(world, two, capital, GIRDER)).toBe(40)
    const [own, others] = [one, two].map((player, i) => creditsOf(world, player) - before[i])
    expect(own).toBe(Math.floor((template.credits * 40) / GOAL))
    expect(own + others).toBe(template.credits)
    expect(answer).toMatchObject({ credits_earned: others, community_share_credits: others })
    expect(answer.message).toContain(`you are paid ${others} credits`)
    expect(balanceOf(world, namedAccount('missions'))).toBe(faucet - template.credits)
    expect(learntBy(two) - xp).toBe(Math.floor((30 * template.difficulty * (GOAL - 40)) / GOAL))
    expect(reputationOf(world, two, CRIMSON)).toBeGreaterThan(standing)
    expect([one, two].map((player) => statOf(world, player, 'missions_completed'))).toEqual([1, 1])
    expect(result(small.ask(two, 'completed_missions'))).toMatchObject({ total_count: 1 })
    refusesRun(small, one, ['complete_mission', { mission_id: mine }], 'mission_expired')
  })

  test('then the missions that led to it end, it rests, and begins anew', () => {
    small.ticks(1)
    expect([one, two].map((player) => missionsOf(world, player).length)).toEqual([0, 0])
    expect(world.records(SHARES).size).toBe(0)
    expect(offered(one)).toBe(false)
    const pool = poolOf(world, ID)
    expect(pool.opensTick).toBe(world.tick + COMMUNITY_REST_TICKS)
    world.records(POOLS).set(ID, { ...pool, opensTick: world.tick })
    expect(offered(one)).toBe(true)
    expect(poolOf(world, ID).given).toBe(0)
    expect(take(one)).not.toBe('')
  })

  test('a restore keeps contributions; players who dropped the mission are paid too', async () => {
    store(one, 7)
    const [row] = missionsOf(world, one)
    expect(row).not.toBe(0)
    const [active] = result(small.ask(one, 'get_active_missions')).missions as {
      mission_id: string
    }[]
    give(one, active.mission_id)
    result(small.act(one, 'abandon_mission', { mission_id: active.mission_id }))
    const numbers = [one, two].map((player) => world.read(Player).seq[player])
    const again = await small.reload()
    for (const each of [small, again]) {
      const [first, second] = numbers.map((number) => each.world.rowOf(Player, number))
      const before = creditsOf(each.world, first)
      recordGift(each.world, template, second, GOAL - 7)
      each.ticks(3)
      expect(creditsOf(each.world, first) - before).toBe(Math.floor((template.credits * 7) / GOAL))
    }
    expect(again.hash()).toBe(small.hash())
  })
})

test('beyond the credits of a day a share is not paid', () => {
  const other = templateNamed('long_table')
  const goal = goalOf(other).units
  world.records(MISSION_RECORDS).set(String(world.read(Player).seq[two]), {
    done: {},
    epoch: 0,
    offers: [],
    lapsed: [],
    paid: 300_000,
    day: Math.floor((world.tick + 1) / 8_640),
  })
  recordGift(world, other, one, 1)
  recordGift(world, other, two, goal - 1)
  const before = [one, two].map((player) => creditsOf(world, player))
  small.ticks(1)
  const paid = [one, two].map((player, i) => creditsOf(world, player) - before[i])
  expect(paid).toEqual([Math.floor(other.credits / goal), 0])
  expect(world.records(POOLS).get('long_table')?.phase).toBe('closing')
  small.ticks(1)
  expect(world.records(POOLS).get('long_table')?.phase).toBe('resting')
})
