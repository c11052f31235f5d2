/** Expiry of postings, whether open or accepted. Source: factions.md 7. */
import { beforeAll, expect, test } from 'vitest'
import { Account } from '../../../core/ledger.ts'
import { DAY_TICKS, HOUR_TICKS } from '../../../core/time.ts'
import type { World } from '../../../core/types.ts'
import { missionsOf } from '../../../systems/mission/model.ts'
import { Mission } from '../../../systems/mission/state.ts'
import { postingById, postingsAt } from '../../../systems/posting/model.ts'
import { Posting } from '../../../systems/posting/state.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { boards } from '../mission/stage.ts'
import { company, postMission, result, storeUnits, treasury } from './scene.ts'

onSmallMap()

let small: SmallWorld
let world: World
let base: number
beforeAll(async () => {
  small = await smallWorld()
  world = small.world
  base = boards(world)[0]
})

const take = (player: number, template_id: string): string =>
  result(small.act(player, 'accept_mission', { template_id })).mission_id as string
const code = (outcome: unknown): string => (outcome as { code?: string }).code ?? 'ok'

test('a posting lapses after its hours and refunds its reward', () => {
  const { faction, leader } = company(small, base)
  const accounts = world.countOf(Account)
  const posting = postingById(world, postMission(small, leader, { expiration_hours: 1 }))
  const due = world.read(Posting).expireTick[posting]
  expect(due - world.tick).toBe(HOUR_TICKS)
  world.tick = due - 2
  small.ticks(1)
  expect(world.read(Posting).alive[posting]).toBe(1)
  small.ticks(1)
  expect(postingsAt(world, base)).not.toContain(posting)
  expect([treasury(world, faction), storeUnits(world, faction, base, 'steel_plate')]).toEqual([
    50_000, 100,
  ])
  expect(world.countOf(Account)).toBe(accounts)
})

test('a player holds a posting for at most a day, even past its deadline', () => {
  const { faction, leader, recruit } = company(small, base)
  const template_id = postMission(small, leader, { expiration_hours: 1 })
  const mission_id = take(recruit, template_id)
  const [row] = missionsOf(world, recruit)
  const ends = world.read(Mission).expireTick[row]
  expect(ends - world.tick).toBe(DAY_TICKS)
  const posting = postingById(world, template_id)
  world.tick = world.read(Posting).expireTick[posting] - 1
  small.ticks(2)
  expect(world.read(Posting).mission[posting]).toBe(row)
  world.tick = ends - 1
  small.ticks(1)
  expect(code(small.act(recruit, 'complete_mission', { mission_id }))).toBe('mission_expired')
  expect(postingById(world, template_id)).toBe(0)
  expect(treasury(world, faction)).toBe(50_000)
})
