/** Earning achievements: timing, rewards, notices, and what a restart keeps. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ACHIEVEMENTS } from '../../../core/catalog/index.ts'
import { Account, balanceOf, namedAccount } from '../../../core/ledger.ts'
import { isoTime } from '../../../core/time.ts'
import type { Eid } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { addStat } from '../../../systems/account/rules.ts'
import { Player } from '../../../systems/account/state.ts'
import { raiseCounter } from '../../../systems/achievement/rules.ts'
import { achievementUnlocked } from '../../../systems/achievement/schemas.ts'
import { PlayerFeats } from '../../../systems/achievement/state.ts'
import { skillIndex, xpOf } from '../../../systems/skill/model.ts'
import { awardXp } from '../../../systems/skill/rules.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { has, listOf, logOf, rowOf, shownOf, unlocksOf } from './scene.ts'

onSmallMap()

let small: SmallWorld
let ada: Eid
let ben: Eid
beforeAll(async () => {
  small = await smallWorld()
})
beforeEach(() => {
  const { length } = small.players
  ada = small.join(`Ada ${length}`)
  ben = small.join(`Ben ${length}`)
  small.tick()
  small.takeEmissions()
})

const creditsOf = (player: Eid = ada) => balanceOf(small.world, walletOf(small.world, player))
const paidOut = () => -balanceOf(small.world, namedAccount('achievements'))
const mine = (units: number, player = ada) => addStat(small.world, player, 'ore_mined', units)

describe('a counter that reaches its target', () => {
  test('earns the achievement once, at the end of the tick, for this player only', () => {
    mine(99)
    small.tick()
    expect(has(small, ada, 'dust_on_the_glass')).toBe(false)
    mine(1)
    expect(has(small, ada, 'dust_on_the_glass')).toBe(false)
    small.tick()
    expect(has(small, ada, 'dust_on_the_glass')).toBe(true)
    expect(has(small, ben, 'dust_on_the_glass')).toBe(false)
    expect(unlocksOf(small, ada)).toEqual([['dust_on_the_glass']])
    mine(500)
    small.ticks(2)
    expect(unlocksOf(small, ada)).toEqual([])
  })

  test('pays untaxed credits, which are logged with delta and balance', () => {
    const [before, source] = [creditsOf(), paidOut()]
    const { credits_earned, credits_earned_taxable } = statsOf()
    mine(1_000)
    small.tick()
    expect(creditsOf()).toBe(before + 50)
    expect(paidOut()).toBe(source + 50)
    expect(statsOf()).toMatchObject({ credits_earned, credits_earned_taxable })
    expect(logOf(small).at(-1)).toMatchObject({
      player: small.world.read(Player).seq[ada],
      category: 'achievement',
      eventType: 'achievement.unlocked',
      summary: 'Earned the achievement "Rockhand".',
      data: { achievement_id: 'rockhand', points: 10, delta: 50, balance: before + 50 },
    })
  })

  test('logs an achievement that pays nothing, without a delta', () => {
    const before = creditsOf()
    addStat(small.world, ada, 'times_docked', 10)
    small.tick()
    expect(creditsOf()).toBe(before)
    const line = logOf(small).at(-1)
    expect(line).toMatchObject({ data: { achievement_id: 'clamps_engaged', points: 5 } })
    expect(line?.data).not.toHaveProperty('delta')
  })

  test('sends one event a tick for all achievements earned', () => {
    mine(10_000)
    addStat(small.world, ada, 'missions_completed', 1)
    small.tick()
    const [event] = small.takeEmissions().filter(({ type }) => type === 'achievement_unlocked')
    expect(event.payload).toEqual({
      achievements: ['dust_on_the_glass', 'rockhand', 'belt_worn', 'word_kept'].map((id) => {
        const { name, description, category, points } = rowOf(id)
        return { id, name, description, category, points }
      }),
    })
    expect(event.to).toEqual([small.world.read(Player).seq[ada]])
  })

  test('awards experience, which may earn more in the same tick', () => {
    const { world } = small
    const index = ada * SKILLS_WIDTH + skillIndex('exploration')
    world.write(PlayerSkills).level[index] = 9
    addStat(world, ada, 'systems_visited', 100)
    // The reward of 500 completes level 10.
    world.write(PlayerSkills).xp[index] = 35 * 81 + 70 * 9 + 60 - 500
    small.tick()
    expect(world.read(PlayerSkills).level[index]).toBe(10)
    expect(xpOf(world, ada, 'exploration')).toBe(0)
    expect(unlocksOf(small, ada)).toEqual([
      ['past_the_porch', 'wanderer', 'hundred_suns', 'peaceful_passage', 'exploration_adept'],
    ])
  })

  test('sends its events on the channel progression', () => {
    const { channel } = achievementUnlocked
    expect(channel?.({ achievements: [] })).toBe('progression')
  })

  test('earns in the next tick if an immediate raised it', () => {
    expect(small.ask(ada, 'chat', { channel: 'local', content: 'Hello.' }).ok).toBe(true)
    expect(has(small, ada, 'open_channel')).toBe(false)
    small.tick()
    expect(has(small, ada, 'open_channel')).toBe(true)
  })
})

function statsOf() {
  const outcome = small.ask(ada, 'get_status')
  if (!outcome.ok) throw new Error(outcome.code)
  return (outcome.result as { player: { stats: Record<string, number> } }).player.stats
}

describe('several criteria', () => {
  test('must all be met, and a maximum once exceeded is never met again', () => {
    const { world } = small
    addStat(world, ben, 'times_destroyed', 1)
    for (const player of [ada, ben]) addStat(world, player, 'jumps_completed', 200)
    small.tick()
    expect(has(small, ada, 'never_a_scratch')).toBe(true)
    expect(has(small, ben, 'never_a_scratch')).toBe(false)
    addStat(world, ben, 'jumps_completed', 10_000)
    small.tick()
    expect(has(small, ben, 'never_a_scratch')).toBe(false)
  })

  test('earn with the last of them, in any order', () => {
    const { world } = small
    addStat(world, ada, 'exchange_items_sold', 500)
    mine(5_000)
    small.tick()
    expect(shownOf(small, ada, 'mine_to_market').progress).toEqual({ current: 2, target: 3 })
    addStat(world, ada, 'items_crafted', 500)
    small.tick()
    expect(has(small, ada, 'mine_to_market')).toBe(true)
  })
})

test('a later achievement waits for the one before, while its progress counts', () => {
  const { world } = small
  addStat(world, ada, 'missions_abandoned', 0)
  addStat(world, ada, 'missions_completed', 49)
  small.tick()
  expect(has(small, ada, 'dependable')).toBe(true)
  expect(shownOf(small, ada, 'ask_for_them').progress).toEqual({ current: 49, target: 50 })
  expect(shownOf(small, ada, 'the_usual').progress).toEqual({ current: 49, target: 200 })
  addStat(world, ada, 'missions_completed', 1)
  small.tick()
  expect([has(small, ada, 'ask_for_them'), has(small, ada, 'clean_hands')]).toEqual([true, true])
})

test('a player is paid no more than the limit for all achievements', () => {
  const { world } = small
  const before = creditsOf()
  const sum = ACHIEVEMENTS.reduce((total, { rewards }) => total + (rewards.credits ?? 0), 0)
  world.write(PlayerFeats).paid[ada] = 20_000 - 60
  const faucet = world.write(Account)
  // Moves the credits paid before from their source to an account that does not matter here.
  faucet.credits[namedAccount('achievements')] -= 20_000 - 60
  faucet.credits[namedAccount('fee_sink')] += 20_000 - 60
  mine(10_000)
  small.tick()
  expect(sum).toBeLessThanOrEqual(20_000)
  expect(creditsOf()).toBe(before + 60)
  expect(has(small, ada, 'belt_worn')).toBe(true)
})

test('a full wallet receives nothing, but the achievement is earned', () => {
  const { world } = small
  const rich = Number.MAX_SAFE_INTEGER - 10
  const columns = world.write(Account)
  const wallet = walletOf(world, ada)
  columns.credits[namedAccount('fee_sink')] -= rich - columns.credits[wallet]
  columns.credits[wallet] = rich
  mine(1_000)
  small.tick()
  expect([creditsOf(), has(small, ada, 'rockhand')]).toEqual([rich, true])
})

test('achievements count the level of a skill and the levels of all skills', () => {
  awardXp(small.world, ada, 'mining', 16_000)
  small.tick()
  expect(has(small, ada, 'mining_adept')).toBe(true)
  expect(shownOf(small, ada, 'quick_study').progress).toEqual({ current: 10, target: 25 })
})

describe('a restart', () => {
  test('keeps earned achievements, and earns those that are due', async () => {
    mine(1_000)
    small.tick()
    raiseCounter(small.world, ada, 'surveys_made')
    addStat(small.world, ben, 'chat_messages_sent', 1)
    const restored = await small.reload()
    expect(restored.hash()).toBe(small.hash())
    for (const instance of [small, restored]) {
      instance.tick()
      expect(has(instance, ada, 'sounding_line')).toBe(true)
      expect(has(instance, ben, 'open_channel')).toBe(true)
    }
    expect(restored.hash()).toBe(small.hash())
    expect(listOf(restored, ada)).toEqual(listOf(small, ada))
  })
})

describe('get_achievements', () => {
  test('shows times of earning, progress, and secret achievements as ???', () => {
    mine(150)
    small.tick()
    const { achievements, summary, message } = listOf(small, ada)
    expect(achievements).toHaveLength(ACHIEVEMENTS.length)
    expect(achievements.find(({ id }) => id === 'dust_on_the_glass')).toEqual({
      id: 'dust_on_the_glass',
      name: 'Dust on the Glass',
      description: 'The first hold.',
      category: 'mining',
      points: 5,
      earned: true,
      hidden: false,
      earned_at: isoTime(small.world.wallMs),
    })
    expect(achievements.find(({ id }) => id === 'rockhand')).toMatchObject({
      earned: false,
      progress: { current: 150, target: 1_000 },
    })
    const secret = ACHIEVEMENTS.filter((row) => row.secret)
    const hidden = achievements.filter((row) => row.hidden)
    expect(hidden).toHaveLength(secret.length)
    for (const row of hidden) expect([row.id, row.name]).toEqual(['', '???'])
    const text = JSON.stringify(achievements)
    for (const { id, name } of secret) {
      expect(text).not.toContain(`"${id}"`)
      expect(text).not.toContain(name)
    }
    expect(summary).toEqual({ earned: 1, points: 5, total: ACHIEVEMENTS.length })
    expect(message).toBe(`1 of ${ACHIEVEMENTS.length} earned, 5 points.`)
  })

  test('shows a secret achievement once it is earned', () => {
    addStat(small.world, ada, 'self_destructs', 1)
    small.tick()
    expect(shownOf(small, ada, 'from_the_inside')).toMatchObject({ earned: true, hidden: false })
    expect(unlocksOf(small, ada)).toEqual([['from_the_inside']])
  })

  test('changes nothing', () => {
    const before = small.hash()
    listOf(small, ada)
    listOf(small, ada, true)
    expect(small.hash()).toBe(before)
  })
})
