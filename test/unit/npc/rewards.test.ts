/** Bounty, experience and loot of a pirate. Source: combat.md section 13, salvage.md section 2. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { GOODS, itemIndex, PIRATES } from '../../../core/catalog/index.ts'
import { contentsOf, namedContainer, unitsIn } from '../../../core/goods.ts'
import { balanceOf, namedAccount } from '../../../core/ledger.ts'
import type { Eid, World } from '../../../core/types.ts'
import { GOVERNOR } from '../../../systems/account/governor-state.ts'
import { statOf, walletOf } from '../../../systems/account/model.ts'
import { npcName } from '../../../systems/npc/model.ts'
import { loadLoot, rewardHunter } from '../../../systems/npc/reward-rules.ts'
import { Hunter } from '../../../systems/npc/state.ts'
import { shipId } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { creditsPerDayMax, skillIndex } from '../../../systems/skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import type { SmallWorld } from '../../small-world.ts'
import { counted } from '../achievement/scene.ts'
import { freshSystem, piratesIn, pirateWorld } from './scene.ts'

let small: SmallWorld
let world: World
let hunter: Eid
let scout: Eid
let enforcer: Eid
beforeAll(async () => {
  small = await pirateWorld()
  world = small.world
})
beforeEach(() => {
  hunter = small.join(`Hunter ${small.players.length}`)
  const system = freshSystem(small, 0)
  scout = piratesIn(world, system, 'T1')[0]
  enforcer = piratesIn(world, system, 'T3')[0]
})

const levelIndex = (skill: string): number => hunter * SKILLS_WIDTH + skillIndex(skill)
const credits = (): number => balanceOf(world, walletOf(world, hunter))
const faucet = (): number => balanceOf(world, namedAccount('pirate_bounty'))
/** Returns the goods in a hold, by id. */
const heldBy = (ship: Eid): [string, number][] =>
  contentsOf(world, world.read(Ship).hold[ship]).map(({ item, units }) => [GOODS[item].id, units])

describe('the bounty of a pirate', () => {
  test('is paid from its faucet, and only the killer is notified', () => {
    small.takeEmissions()
    const [before, paidBefore] = [credits(), faucet()]
    rewardHunter(world, enforcer, hunter, {})
    expect([credits() - before, faucet() - paidBefore]).toEqual([6_000, -6_000])
    expect([
      statOf(world, hunter, 'pirates_destroyed'),
      world.read(PlayerSkills).xp[levelIndex('weapons')],
    ]).toEqual([1, 200 - 60])
    expect(counted(world, hunter, 'bounty_earned')).toBe(6_000)
    const [emission] = world.outbox.emissions.filter(({ type }) => type === 'pirate_destroyed')
    expect(emission.audience).toEqual({ kind: 'player', row: hunter })
    expect(emission.payload).toEqual({
      pirate_id: shipId(world, enforcer),
      pirate_name: npcName(world, enforcer),
      pirate_role: 'enforcer',
      is_boss: false,
      credits_earned: 6_000,
      combat_xp: 200,
    })
  })

  test('grows by 1 % for each level of bounty hunting, rounded down', () => {
    world.write(PlayerSkills).level[levelIndex('bounty_hunting')] = 33
    const before = credits()
    rewardHunter(world, scout, hunter, {})
    expect(credits() - before).toBe(931)
  })

  test('is scaled by the governor', () => {
    const paid = (perMille: number): number => {
      world.records(GOVERNOR).set('faucets', { perMille, supplies: [] })
      const before = credits()
      rewardHunter(world, scout, hunter, {})
      return credits() - before
    }
    const whole = paid(1_000)
    expect(paid(600)).toBe(Math.floor((whole * 600) / 1_000))
    expect(paid(1_000)).toBe(whole)
  })

  test('trains bounty hunting by tier once weapons allow it', () => {
    rewardHunter(world, scout, hunter, {})
    expect(world.read(PlayerSkills).xp[levelIndex('bounty_hunting')]).toBe(0)
    world.write(PlayerSkills).level[levelIndex('weapons')] = 3
    rewardHunter(world, enforcer, hunter, {})
    expect(world.read(PlayerSkills).level[levelIndex('bounty_hunting')]).toBe(1)
    expect(world.read(PlayerSkills).xp[levelIndex('bounty_hunting')]).toBe(0)
  })

  test('stops at the daily limit of the faucet, as loot does', () => {
    const columns = world.write(Hunter)
    columns.bountyCredits[hunter] = creditsPerDayMax(world, hunter) - 1_000
    const before = credits()
    loadLoot(world, enforcer, hunter)
    rewardHunter(world, enforcer, hunter, {})
    expect(credits() - before).toBe(1_000)
    rewardHunter(world, scout, hunter, {})
    loadLoot(world, scout, hunter)
    expect(credits() - before).toBe(1_000)
    expect([heldBy(enforcer).length > 0, heldBy(scout)]).toEqual([true, []])
    columns.dayStartTick[hunter] = 8_640
    rewardHunter(world, scout, hunter, {})
    expect(credits() - before).toBe(1_700)
  })

  test('is split by points, and each share grows with the skill of its player', () => {
    const mate = small.join(`Mate ${small.players.length}`)
    world.write(PlayerSkills).level[mate * SKILLS_WIDTH + skillIndex('bounty_hunting')] = 10
    const wallets = [hunter, mate].map((player) => walletOf(world, player))
    const before = wallets.map((wallet) => balanceOf(world, wallet))
    const shares = [
      { player: hunter, points: 25 },
      { player: mate, points: 75 },
    ]
    rewardHunter(world, enforcer, hunter, {}, shares)
    const gained = wallets.map((wallet, i) => balanceOf(world, wallet) - before[i])
    expect(gained).toEqual([1_500, 4_950])
  })

  test('is paid to players alone', () => {
    const paidBefore = faucet()
    rewardHunter(world, scout, 0, {})
    loadLoot(world, scout, 0)
    expect([faucet(), heldBy(scout)]).toEqual([paidBefore, []])
  })
})

describe('loot', () => {
  test('is drawn from the table of the tier and taken from its named container', () => {
    loadLoot(world, scout, hunter)
    const [[id, units], ...others] = heldBy(scout)
    expect(others).toEqual([])
    expect(PIRATES[0].loot[0].items).toContain(id)
    expect(units).toBeGreaterThanOrEqual(2)
    expect(units).toBeLessThanOrEqual(6)
    expect(unitsIn(world, namedContainer('pirate_loot'), itemIndex(id))).toBeLessThanOrEqual(-units)
  })

  test('of the highest tier has ammunition and parts too', () => {
    loadLoot(world, enforcer, hunter)
    const ids = heldBy(enforcer).map(([id]) => id)
    const [, ammunition, parts] = PIRATES[2].loot
    expect(ids.some((id) => ammunition.items.includes(id))).toBe(true)
    expect(ids.some((id) => parts.items.includes(id))).toBe(true)
  })

  test('names only goods that exist and are no quest items', () => {
    const named = PIRATES.flatMap(({ loot }) => loot.flatMap(({ items }) => items))
    for (const id of named) {
      expect([id, itemIndex(id) >= 0]).toEqual([id, true])
      expect(GOODS[itemIndex(id)].quest_item ?? false).toBe(false)
    }
  })
})
