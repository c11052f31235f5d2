/**
 * Whatever is counted in whatever order: credits come from their source alone, everything that is
 * met is earned once, and a restart anywhere goes on alike. The checks of the world run each tick.
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
import { type SmallWorld, smallWorld } from '../../small-world.ts'

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

function join(small: SmallWorld, player: Eid, faction: number): void {
  const { world } = small
  if (factionOf(world, player) === 0) addMember(world, player, faction)
  else removeMember(world, player)
}

function count({ world }: SmallWorld, player: Eid, faction: number, at: Step): void {
  if (at.do === 'stat') addStat(world, player, at.name, at.n)
  if (at.do === 'own') raiseCounter(world, player, at.name, at.n)
  if (at.do === 'skill') awardXp(world, player, at.name, at.n)
  if (at.do === 'faction') raiseFaction(world, faction, at.name, at.n)
}

test('counting at random keeps the books, and a restart changes nothing', async () => {
  const first = await smallWorld({ players: 3 })
  const faction = foundFaction(first.world, first.players[0], 'Chance', 'DICE')
  first.tick()
  const { players } = first
  const total = (small: SmallWorld) =>
    players.reduce((sum, player) => sum + balanceOf(small.world, walletOf(small.world, player)), 0)
  const given = (small: SmallWorld) => -balanceOf(small.world, namedAccount('achievements'))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const small = await first.reload()
      let twin = small
      const before = total(small) - given(small)
      for (const at of steps) {
        for (const world of new Set([small, twin])) {
          if (at.do === 'tick') world.tick()
          else if (at.do === 'move' && at.who !== 0) join(world, players[at.who], faction)
          else count(world, players[at.who], faction, at)
        }
        if (at.do === 'reload') twin = await twin.reload()
      }
      for (const world of new Set([small, twin])) world.tick()
      expect(twin.hash()).toBe(small.hash())
      expect(total(small) - given(small)).toBe(before)
      for (const player of players) {
        const times = earnedBy(small.world, OF_PLAYERS, player).map(([no]) => no)
        expect(new Set(times).size).toBe(times.length)
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
