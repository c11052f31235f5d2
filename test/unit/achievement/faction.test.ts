/** Achievements of factions: sums over members, peaks, notices, and the end of a faction. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FACTION_ACHIEVEMENTS } from '../../../core/catalog/index.ts'
import { Account, balanceOf, namedAccount } from '../../../core/ledger.ts'
import type { Eid, Row } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { addStat } from '../../../systems/account/rules.ts'
import { raiseFaction } from '../../../systems/achievement/rules.ts'
import { FACTION_EARNED } from '../../../systems/achievement/state.ts'
import { addMember, foundFaction, removeMember } from '../../../systems/faction/member-rules.ts'
import { factionIdOf, factionOf } from '../../../systems/faction/model.ts'
import { Faction } from '../../../systems/faction/state.ts'
import { recordCorporateIncome } from '../../../systems/tax/rules.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { dockAt } from '../faction/scene.ts'
import { has, listOf, logOf, shownOf, unlocksOf } from './scene.ts'

onSmallMap()

let small: SmallWorld
let faction: Row
let leader: Eid
let recruit: Eid
let stranger: Eid
beforeAll(async () => {
  small = await smallWorld()
})
beforeEach(() => {
  const n = small.players.length
  ;[leader, recruit, stranger] = ['Leader', 'Recruit', 'Stranger'].map((name) =>
    small.join(`${name} ${n}`),
  )
  faction = foundFaction(small.world, leader, `Free Haulers ${n}`, `F${100 + n}`)
  addMember(small.world, recruit, faction)
  small.tick()
  small.takeEmissions()
})

/** Gives a player credits, from a source that does not matter here. */
function enrich(player: Eid, credits: number): void {
  const { credits: balance } = small.world.write(Account)
  balance[walletOf(small.world, player)] += credits
  balance[namedAccount('fee_sink')] -= credits
}

describe('counters of members', () => {
  test('add up while the players are members', () => {
    const { world } = small
    addStat(world, leader, 'pirates_destroyed', 10)
    addStat(world, stranger, 'pirates_destroyed', 100)
    addStat(world, recruit, 'pirates_destroyed', 14)
    small.tick()
    expect(shownOf(small, recruit, 'neighbourhood_watch', true).progress).toEqual({
      current: 24,
      target: 25,
    })
    removeMember(world, recruit)
    addStat(world, recruit, 'pirates_destroyed', 100)
    small.tick()
    expect(has(small, faction, 'neighbourhood_watch', true)).toBe(false)
    addStat(world, leader, 'pirates_destroyed', 1)
    small.tick()
    expect(has(small, faction, 'neighbourhood_watch', true)).toBe(true)
  })

  test('give the faction the emblem it earned last, which everybody sees', () => {
    const info = () =>
      small.ask(stranger, 'faction_info', { faction_id: factionIdOf(small.world, faction) })
    expect(info()).not.toHaveProperty('result.emblem')
    addStat(small.world, recruit, 'ore_mined', 10_000_000)
    small.tick()
    expect(info()).toMatchObject({ ok: true, result: { emblem: 'pick_and_star' } })
  })

  test('notify every member of the achievement of the faction, and are logged', () => {
    addStat(small.world, recruit, 'ore_mined', 10_000)
    small.tick()
    const emissions = small.takeEmissions()
    const events = emissions.filter(
      ({ type, payload }) => type === 'achievement_unlocked' && payload.faction === true,
    )
    expect(events).toHaveLength(1)
    expect(events[0].to).toHaveLength(2)
    expect(events[0].payload).toMatchObject({ achievements: [{ id: 'shared_shovel' }] })
    expect(logOf(small)).toContainEqual(
      expect.objectContaining({
        factionId: factionIdOf(small.world, faction),
        eventType: 'faction.achievement_unlocked',
        data: { achievement_id: 'shared_shovel', points: 10 },
      }),
    )
  })

  test('pay nothing', () => {
    const before = balanceOf(small.world, small.world.read(Faction).treasury[faction])
    addStat(small.world, recruit, 'missions_completed', 0)
    raiseFaction(small.world, faction, 'missions_completed', 1_000)
    small.tick()
    expect(has(small, faction, 'contractors', true)).toBe(true)
    expect(balanceOf(small.world, small.world.read(Faction).treasury[faction])).toBe(before)
  })
})

describe('peaks', () => {
  test('keep the largest number of members', () => {
    addMember(small.world, stranger, faction)
    small.tick()
    expect(has(small, faction, 'a_table_full', true)).toBe(true)
    removeMember(small.world, stranger)
    expect(shownOf(small, leader, 'two_watches', true).progress).toEqual({ current: 3, target: 10 })
  })

  test('keep the largest treasury, which depositing the same credits twice does not raise', () => {
    enrich(leader, 9_999)
    expect(small.act(leader, 'faction_deposit_credits', { amount: 9_000 })).toMatchObject({
      ok: true,
    })
    expect(small.act(leader, 'faction_withdraw_credits', { amount: 9_000 })).toMatchObject({
      ok: true,
    })
    expect(small.act(leader, 'faction_deposit_credits', { amount: 9_000 })).toMatchObject({
      ok: true,
    })
    expect(shownOf(small, leader, 'petty_cash', true).progress).toEqual({
      current: 9_000,
      target: 10_000,
    })
    const { credits } = small.world.write(Account)
    credits[small.world.read(Faction).treasury[faction]] += 1_000
    credits[namedAccount('fee_sink')] -= 1_000
    recordCorporateIncome(small.world, faction, dockAt(small.world, leader), 1_000)
    small.tick()
    expect(has(small, faction, 'petty_cash', true)).toBe(true)
  })

  test('keep the largest number of custom roles', () => {
    const createRole = (name: string) =>
      small.ask(leader, 'faction_create_role', { name, priority: 10, permissions: {} })
    const outcome = createRole('Cook')
    expect(outcome).toMatchObject({ ok: true })
    const { role_id } = (outcome as unknown as { result: { role_id: string } }).result
    expect(small.ask(leader, 'faction_delete_role', { role_id })).toMatchObject({ ok: true })
    expect(createRole('Baker')).toMatchObject({ ok: true })
    small.tick()
    expect(has(small, faction, 'a_word_for_it', true)).toBe(true)
    expect(shownOf(small, leader, 'org_chart', true).progress).toEqual({ current: 1, target: 5 })
  })
})

describe('get_faction_achievements', () => {
  test('lists the achievements of the faction to every member, secret ones hidden', () => {
    addStat(small.world, leader, 'jumps_completed', 500)
    small.tick()
    const { achievements, summary } = listOf(small, recruit, true)
    expect(achievements).toHaveLength(FACTION_ACHIEVEMENTS.length)
    expect(summary).toEqual({ earned: 1, points: 10, total: FACTION_ACHIEVEMENTS.length })
    expect(achievements.filter(({ hidden }) => hidden)).toHaveLength(
      FACTION_ACHIEVEMENTS.filter(({ secret }) => secret).length,
    )
  })

  test('is empty without a faction', () => {
    expect(listOf(small, stranger, true)).toEqual({
      achievements: [],
      summary: { earned: 0, points: 0, total: 0 },
      message: 'You are in no faction.',
    })
  })
})

test('a faction that ends deletes its achievements, and the next one starts without', () => {
  const { world } = small
  addStat(world, leader, 'ore_mined', 10_000)
  small.tick()
  const key = String(world.read(Faction).seq[faction])
  expect(world.records(FACTION_EARNED).has(key)).toBe(true)
  removeMember(world, recruit)
  expect(small.act(leader, 'leave_faction')).toMatchObject({ ok: true })
  expect(world.records(FACTION_EARNED).has(key)).toBe(false)
  small.tick()
  const next = foundFaction(world, stranger, 'New Haulers', 'NEWH')
  small.tick()
  expect([factionOf(world, stranger), has(small, next, 'shared_shovel', true)]).toEqual([
    next,
    false,
  ])
  expect(shownOf(small, stranger, 'shared_shovel', true).progress?.current).toBe(0)
})

test('a restart keeps achievements, and earns those that are due', async () => {
  addStat(small.world, leader, 'items_crafted', 1_000)
  small.tick()
  addStat(small.world, recruit, 'wreck_items_looted', 1)
  raiseFaction(small.world, faction, 'wrecks_emptied', 25)
  const restored = await small.reload()
  expect(restored.hash()).toBe(small.hash())
  for (const instance of [small, restored]) instance.tick()
  expect(has(restored, faction, 'rag_and_bone', true)).toBe(true)
  expect(restored.hash()).toBe(small.hash())
  expect(unlocksOf(small, leader, true).at(-1)).toEqual(['rag_and_bone'])
})
