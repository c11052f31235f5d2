/**
 * Counts at random, in random order: credits come only from their source, every achievement that is
 * due is earned once, and a restart at any point changes nothing.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SKILLS } from '../../../core/catalog/index.ts'
import { balanceOf, namedAccount } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { addStat } from '../../../systems/account/rules.ts'
import { STATS } from '../../../systems/account/state.ts'
import { earnedBy, isDue, OF_FACTIONS, OF_PLAYERS } from '../../../systems/achievement/model.ts'
import { raiseCounter, raiseFaction } from '../../../systems/achievement/rules.ts'
import { FACTION_COUNTERS, OWN_COUNTERS } from '../../../systems/achievement/state.ts'
import { addMember, foundFaction, removeMember } from '../../../systems/faction/member-rules.ts'
import { factionOf } from '../../../systems/faction/model.ts'
import { awardXp } from '../../../systems/skill/rules.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

const amount = fc.oneof(
  fc.integer({ min: 0, max: 20 }),
  fc.integer({ min: 0, max: 100_000 }),
  fc.constant(200_000_000),
)
const who = fc.integer({ min: 0, max: 2 })
const step = fc.oneof(
  fc.record({ do: fc.constant('stat' as const), who, name: fc.constantFrom(...STATS), n: amount }),
  fc.record({
    do: fc.constant('own' as const),
    who,
    name: fc.constantFrom(...OWN_COUNTERS),
    n: amount,
  }),
  fc.record({
    do: fc.constant('skill' as const),
    who,
    n: amount,
    name: fc.constantFrom(...SKILLS.map(({ id }) => id)),
  }),
  fc.record({
    do: fc.constant('faction' as const),
    who,
    n: amount,
    name: fc.constantFrom(...FACTION_COUNTERS.filter((name) => name !== 'members')),
  }),
  fc.record({ do: fc.constantFrom('tick', 'move', 'reload'), who }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

function toggleMember(small: SmallWorld, player: Eid, faction: number): void {
  const { world } = small
  if (factionOf(world, player) === 0) addMember(world, player, faction)
  else removeMember(world, player)
}

function count({ world }: SmallWorld, player: Eid, faction: number, given: Step): void {
  if (given.do === 'stat') addStat(world, player, given.name, given.n)
  if (given.do === 'own') raiseCounter(world, player, given.name, given.n)
  if (given.do === 'skill') awardXp(world, player, given.name, given.n)
  if (given.do === 'faction') raiseFaction(world, faction, given.name, given.n)
}

test('random counting creates no credits, and a restart changes nothing', async () => {
  const first = await smallWorld({ players: 3 })
  const faction = foundFaction(first.world, first.players[0], 'Chance', 'DICE')
  first.tick()
  const { players } = first
  const total = (small: SmallWorld) =>
    players.reduce((sum, player) => sum + balanceOf(small.world, walletOf(small.world, player)), 0)
  const paidOut = (small: SmallWorld) => -balanceOf(small.world, namedAccount('achievements'))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const small = await first.reload()
      let twin = small
      const before = total(small) - paidOut(small)
      for (const current of steps) {
        for (const instance of new Set([small, twin])) {
          const player = players[current.who]
          if (current.do === 'tick') instance.tick()
          else if (current.do === 'move' && current.who !== 0) {
            toggleMember(instance, player, faction)
          } else count(instance, player, faction, current)
        }
        if (current.do === 'reload') twin = await twin.reload()
      }
      for (const instance of new Set([small, twin])) instance.tick()
      expect(twin.hash()).toBe(small.hash())
      expect(total(small) - paidOut(small)).toBe(before)
      for (const player of players) {
        const earned = earnedBy(small.world, OF_PLAYERS, player).map(([no]) => no)
        expect(new Set(earned).size).toBe(earned.length)
        for (const row of OF_PLAYERS.book.rows) {
          expect(isDue(small.world, OF_PLAYERS, player, row), row.id).toBe(false)
        }
      }
      for (const row of OF_FACTIONS.book.rows) {
        expect(isDue(small.world, OF_FACTIONS, faction, row), row.id).toBe(false)
      }
    }),
    { numRuns: 5, seed: 20, endOnFailure: true },
  )
}, 60_000)
