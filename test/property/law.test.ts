/**
 * Compares the law with a model: who is charged in random quarrels, and how debts change whatever
 * happens to a player.
 */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EMPIRES } from '../../core/catalog/index.ts'
import { BOUNTY_CREDITS_MAX } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { reputationOf } from '../../systems/account/model.ts'
import { Participant } from '../../systems/combat/state.ts'
import { bountyOf, detainingEmpire } from '../../systems/law/model.ts'
import { addBounty, collectBounty, loseReputation } from '../../systems/law/rules.ts'
import { onSmallMap } from '../small-world.ts'
import { rowOf } from '../unit/combat/scene.ts'
import { besideBase, creditsOf, LAW, policed, setCredits } from '../unit/law/scene.ts'

onSmallMap()

const PLAYERS = 4
/** Bounty and reputation that a charge costs, and the bounty of an attacker who kills. */
const ATTACK_BOUNTY = 500
const ATTACK_REPUTATION = 5
const KILLER_BOUNTY = 2_500

interface Blow {
  readonly by: number
  readonly on: number
}

const who = fc.integer({ min: 0, max: PLAYERS - 1 })
const blow: fc.Arbitrary<Blow> = fc.record({ by: who, on: who }).filter(({ by, on }) => by !== on)
/** Attacks of a tick: at most one of each player. */
const tick = fc.uniqueArray(blow, { selector: ({ by }) => by, maxLength: PLAYERS })

/** Returns the charges of each player: for attacks on players who had not attacked them before. */
function chargesOf(ticks: readonly (readonly Blow[])[]): number[] {
  const aggressors = new Set<string>()
  const charges = Array<number>(PLAYERS).fill(0)
  for (const blows of ticks) {
    const unlawful = blows.filter(({ by, on }) => !aggressors.has(`${on} on ${by}`))
    for (const { by, on } of unlawful) {
      const deed = `${by} on ${on}`
      if (!aggressors.has(deed)) charges[by]++
      aggressors.add(deed)
    }
  }
  return charges
}

describe('the law', () => {
  test('charges each attacker once for each victim, and nobody who hits back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(tick, { minLength: 1, maxLength: 6 }), async (ticks) => {
        const scene = await policed(PLAYERS, 1)
        const { small, world, players } = scene
        const before = players.map((player) => reputationOf(world, player, LAW))
        let owed = players.map(() => 0)
        for (const blows of ticks) {
          const outcomes = small.tick(
            ...blows.map(({ by, on }) => ({
              player: players[by],
              command: 'attack',
              params: { target_id: scene.id(players[on]) },
            })),
          )
          for (const outcome of outcomes.values()) expect(outcome.ok).toBe(true)
          const now = players.map((player) => bountyOf(world, player, LAW))
          for (const [i, credits] of now.entries()) expect(credits).toBeGreaterThanOrEqual(owed[i])
          owed = now
        }
        const charges = chargesOf(ticks)
        expect(owed).toEqual(charges.map((count) => ATTACK_BOUNTY * count))
        for (const [i, player] of players.entries()) {
          expect(reputationOf(world, player, LAW)).toBe(before[i] - ATTACK_REPUTATION * charges[i])
        }
      }),
      { numRuns: 20 },
    )
  })

  test('adds a kill to the bounty of the killer only if the attack was a crime', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), async (isDefender) => {
        const scene = await policed(2, 1)
        const { small, world } = scene
        const [attacker, defender] = scene.players
        small.act(attacker, 'attack', { target_id: scene.id(defender) })
        small.act(defender, 'attack', { target_id: scene.id(attacker) })
        const [killer, victim] = isDefender ? [defender, attacker] : [attacker, defender]
        scene.doom(victim, 'destroyed', killer)
        expect(world.read(Participant).killer[rowOf(world, victim)]).not.toBe(0)
        small.ticks(1)
        expect(bountyOf(world, killer, LAW)).toBe(isDefender ? 0 : KILLER_BOUNTY)
      }),
      { numRuns: 4 },
    )
  })

  test('keeps debts within bounds until they are paid in full, and loses no credit', async () => {
    const scene = await policed(1)
    const { world, small } = scene
    const [player] = scene.players
    const { bounty_rep_restoration_cap } = EMPIRES[LAW].policy
    const step = fc.oneof(
      fc.record({ op: fc.constant('owe' as const), amount: fc.nat(BOUNTY_CREDITS_MAX) }),
      fc.record({ op: fc.constant('lose' as const), amount: fc.nat(40) }),
      fc.record({ op: fc.constant('earn' as const), amount: fc.nat(2 * BOUNTY_CREDITS_MAX) }),
      fc.record({ op: fc.constant('collect' as const), amount: fc.constant(0) }),
      fc.record({ op: fc.constant('tick' as const), amount: fc.constant(0) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        if (detainingEmpire(world, player) < 0) besideBase(scene, player)
        for (const { op, amount } of steps) {
          const owed = bountyOf(world, player, LAW)
          const have = creditsOf(world, player)
          const standing = reputationOf(world, player, LAW)
          if (op === 'owe') {
            addBounty(world, player, LAW, amount)
            expect(bountyOf(world, player, LAW)).toBe(Math.min(BOUNTY_CREDITS_MAX, owed + amount))
          } else if (op === 'lose') {
            const lost = loseReputation(world, player, LAW, amount)
            expect(lost).toBe(Math.min(amount, standing + 100))
          } else if (op === 'earn') setCredits(world, player, amount)
          else if (op === 'collect') {
            if (detainingEmpire(world, player) < 0) small.act(player, 'dock')
            const done = collectBounty(world, player, LAW)
            const isPaid = bountyOf(world, player, LAW) === 0
            expect(done === 'detained').toBe(!isPaid)
            if (isPaid) expect(creditsOf(world, player)).toBe(have - owed)
            else expect(creditsOf(world, player)).toBe(have)
            const back = reputationOf(world, player, LAW) - standing
            expect(back).toBeLessThanOrEqual(bounty_rep_restoration_cap)
            if (detainingEmpire(world, player) < 0) besideBase(scene, player)
          } else small.ticks(1)
          // Reputation stays between -100 and 100.
          expect(divFloor(Math.abs(reputationOf(world, player, LAW)), 101)).toBe(0)
        }
        // The checks of a tick add up every account.
        small.ticks(1)
      }),
      { numRuns: 25 },
    )
  })
})
