/**
 * The law against a model: who is charged for what in random quarrels, each attacker once a victim
 * and battle, and what becomes of debts whatever happens to a player.
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
import { rowOf } from '../unit/combat/scene.ts'
import { besideBase, creditsOf, LAW, policed, setCredits } from '../unit/law/scene.ts'

const PLAYERS = 4

interface Blow {
  readonly by: number
  readonly on: number
}

const who = fc.integer({ min: 0, max: PLAYERS - 1 })
const blow: fc.Arbitrary<Blow> = fc.record({ by: who, on: who }).filter(({ by, on }) => by !== on)
/** Attacks of a tick: at most one of each player. */
const tick = fc.uniqueArray(blow, { selector: ({ by }) => by, maxLength: PLAYERS })

/** Charges of a quarrel: unlawful until the other was an aggressor in an earlier tick. */
function model(ticks: readonly (readonly Blow[])[]): number[] {
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
  test('charges each attacker once a victim and battle, and nobody who hits back', async () => {
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
        const charges = model(ticks)
        expect(owed).toEqual(charges.map((count) => 500 * count))
        for (const [i, player] of players.entries()) {
          expect(reputationOf(world, player, LAW)).toBe(before[i] - 5 * charges[i])
        }
      }),
      { numRuns: 20 },
    )
  })

  test('a kill adds to the bounty of who did it exactly when the attack was a crime', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), async (isDefender) => {
        const scene = await policed(2, 1)
        const { small, world } = scene
        const [one, two] = scene.players
        small.act(one, 'attack', { target_id: scene.id(two) })
        small.act(two, 'attack', { target_id: scene.id(one) })
        const [killer, victim] = isDefender ? [two, one] : [one, two]
        scene.doom(victim, 'destroyed', killer)
        expect(world.read(Participant).killer[rowOf(world, victim)]).not.toBe(0)
        small.ticks(1)
        expect(bountyOf(world, killer, LAW)).toBe(isDefender ? 0 : 2_500)
      }),
      { numRuns: 4 },
    )
  })

  test('debts stay in their bounds, fall only when paid in full, and no credit is lost', async () => {
    const scene = await policed(1)
    const { world, small } = scene
    const [one] = scene.players
    const { bounty_rep_restoration_cap } = EMPIRES[LAW].policy
    const step = fc.oneof(
      fc.record({ op: fc.constant('owe' as const), n: fc.nat(BOUNTY_CREDITS_MAX) }),
      fc.record({ op: fc.constant('lose' as const), n: fc.nat(40) }),
      fc.record({ op: fc.constant('earn' as const), n: fc.nat(2 * BOUNTY_CREDITS_MAX) }),
      fc.record({ op: fc.constant('collect' as const), n: fc.constant(0) }),
      fc.record({ op: fc.constant('tick' as const), n: fc.constant(0) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        if (detainingEmpire(world, one) < 0) besideBase(scene, one)
        for (const { op, n } of steps) {
          const owed = bountyOf(world, one, LAW)
          const have = creditsOf(world, one)
          const standing = reputationOf(world, one, LAW)
          if (op === 'owe') {
            addBounty(world, one, LAW, n)
            expect(bountyOf(world, one, LAW)).toBe(Math.min(BOUNTY_CREDITS_MAX, owed + n))
          } else if (op === 'lose') {
            expect(loseReputation(world, one, LAW, n)).toBe(Math.min(n, standing + 100))
          } else if (op === 'earn') setCredits(world, one, n)
          else if (op === 'collect') {
            if (detainingEmpire(world, one) < 0) small.act(one, 'dock')
            const done = collectBounty(world, one, LAW)
            const isPaid = bountyOf(world, one, LAW) === 0
            expect(done === 'detained').toBe(!isPaid)
            if (isPaid) expect(creditsOf(world, one)).toBe(have - owed)
            else expect(creditsOf(world, one)).toBe(have)
            const back = reputationOf(world, one, LAW) - standing
            expect(back).toBeLessThanOrEqual(bounty_rep_restoration_cap)
            if (detainingEmpire(world, one) < 0) besideBase(scene, one)
          } else small.ticks(1)
          expect(divFloor(Math.abs(reputationOf(world, one, LAW)), 101)).toBe(0)
        }
        // The checks of a tick add up every account.
        small.ticks(1)
      }),
      { numRuns: 25 },
    )
  })
})
