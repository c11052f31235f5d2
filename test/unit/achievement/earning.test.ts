/** Earning: when, once, what it pays and teaches, who is notified, and what a start finds again. */
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
import { type SmallWorld, smallWorld } from '../../small-world.ts'
import { has, listOf, logOf, rowOf, shownOf, unlocksOf } from './scene.ts'

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

const purse = (player: Eid = ada) => balanceOf(small.world, walletOf(small.world, player))
const given = () => -balanceOf(small.world, namedAccount('achievements'))
const mine = (units: number, player = ada) => addStat(small.world, player, 'ore_mined', units)

describe('a counter that reaches its target', () => {
  test('earns at the end of the tick, once, for this player alone', () => {
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

  test('pays from its source, untaxed, and logs it with delta and balance', () => {
    const [before, source] = [purse(), given()]
    const { credits_earned, credits_earned_taxable } = statsOf()
    mine(1_000)
    small.tick()
    expect(purse()).toBe(before + 50)
    expect(given()).toBe(source + 50)
    expect(statsOf()).toMatchObject({ credits_earned, credits_earned_taxable })
    expect(logOf(small).at(-1)).toMatchObject({
      player: small.world.read(Player).seq[ada],
      category: 'achievement',
      eventType: 'achievement.unlocked',
      summary: 'Earned the achievement "Rockhand".',
      data: { achievement_id: 'rockhand', points: 10, delta: 50, balance: before + 50 },
    })
  })

  test('without credits moves nothing, and is logged all the same', () => {
    const before = purse()
    addStat(small.world, ada, 'times_docked', 10)
    small.tick()
    expect(purse()).toBe(before)
    const line = logOf(small).at(-1)
    expect(line).toMatchObject({ data: { achievement_id: 'clamps_engaged', points: 5 } })
    expect(line?.data).not.toHaveProperty('delta')
  })

  test('comes in one event a tick, however many there are', () => {
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

  test('teaches, and what that teaches may earn more in the same tick', () => {
    const { world } = small
    const at = ada * SKILLS_WIDTH + skillIndex('exploration')
    world.write(PlayerSkills).level[at] = 9
    addStat(world, ada, 'systems_visited', 100)
    world.write(PlayerSkills).xp[at] = 35 * 81 + 70 * 9 + 60 - 500
    small.tick()
    expect([world.read(PlayerSkills).level[at], xpOf(world, ada, 'exploration')]).toEqual([10, 0])
    expect(unlocksOf(small, ada)).toEqual([
      ['past_the_porch', 'wanderer', 'hundred_suns', 'peaceful_passage', 'exploration_adept'],
    ])
  })

  test('belongs to the channel that progression is muted by', () => {
    const { channel } = achievementUnlocked
    expect(channel?.({ achievements: [] })).toBe('progression')
  })

  test('is seen where an immediate raised it, in the next tick', () => {
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
  test('must all be met, and at most is not met again once it is passed', () => {
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

  test('wait for the last condition, whichever that is', () => {
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

test('a later achievement waits for the one before, and its progress counts meanwhile', () => {
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

test('all of them together pay what the catalogue says, and no more than the limit', () => {
  const { world } = small
  const before = purse()
  const sum = ACHIEVEMENTS.reduce((total, { rewards }) => total + (rewards.credits ?? 0), 0)
  world.write(PlayerFeats).paid[ada] = 20_000 - 60
  const faucet = world.write(Account)
  // As if they had been paid: from the source to nobody who matters here.
  faucet.credits[namedAccount('achievements')] -= 20_000 - 60
  faucet.credits[namedAccount('fee_sink')] += 20_000 - 60
  mine(10_000)
  small.tick()
  expect(sum).toBeLessThanOrEqual(20_000)
  expect(purse()).toBe(before + 60)
  expect(has(small, ada, 'belt_worn')).toBe(true)
})

test('a full wallet gets nothing, but the achievement counts', () => {
  const { world } = small
  const rich = Number.MAX_SAFE_INTEGER - 10
  const columns = world.write(Account)
  const wallet = walletOf(world, ada)
  columns.credits[namedAccount('fee_sink')] -= rich - columns.credits[wallet]
  columns.credits[wallet] = rich
  mine(1_000)
  small.tick()
  expect([purse(), has(small, ada, 'rockhand')]).toEqual([rich, true])
})

test('a level of a skill counts, and so does every level gained', () => {
  awardXp(small.world, ada, 'mining', 16_000)
  small.tick()
  expect(has(small, ada, 'mining_adept')).toBe(true)
  expect(shownOf(small, ada, 'quick_study').progress).toEqual({ current: 10, target: 25 })
})

describe('a restart', () => {
  test('keeps what is earned, and finds what waits to be', async () => {
    mine(1_000)
    small.tick()
    raiseCounter(small.world, ada, 'surveys_made')
    addStat(small.world, ben, 'chat_messages_sent', 1)
    const again = await small.reload()
    expect(again.hash()).toBe(small.hash())
    for (const world of [small, again]) {
      world.tick()
      expect(has(world, ada, 'sounding_line')).toBe(true)
      expect(has(world, ben, 'open_channel')).toBe(true)
    }
    expect(again.hash()).toBe(small.hash())
    expect(listOf(again, ada)).toEqual(listOf(small, ada))
  })
})

describe('get_achievements', () => {
  test('shows what is earned with its time, how far the rest is, and secret ones as ???', () => {
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

  test('shows a secret one that is earned', () => {
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
