/** Random diplomacy: the rules of relations hold whatever is sent. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderStanding } from '../../../systems/diplomacy/model.ts'
import { onSmallMap } from '../../small-world.ts'
import { court, towards } from './scene.ts'

onSmallMap()

const ACTIONS = [
  'declare_war',
  'propose_peace',
  'accept_peace',
  'propose_ally',
  'accept_ally',
  'remove_ally',
  'set_enemy',
  'remove_enemy',
]

test('alliances and wars are mutual, and allies are neither at war nor enemies', async () => {
  const step = fc.tuple(fc.nat(2), fc.nat(2), fc.nat(ACTIONS.length - 1))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 30 }), async (steps) => {
      const scene = await court()
      const { ada, ben, cleo, a, b, c, small } = scene
      const [leaders, factions] = [
        [ada, ben, cleo],
        [a, b, c],
      ]
      for (const [actor, target, action] of steps) {
        towards(scene, leaders[actor], ACTIONS[action], factions[target])
        for (const own of factions) {
          for (const other of factions) {
            const here = renderStanding(small.world, own, other)
            const there = renderStanding(small.world, other, own)
            expect([here.is_ally, here.at_war]).toEqual([there.is_ally, there.at_war])
            expect(here.is_ally && (here.at_war || here.is_enemy || there.is_enemy)).toBe(false)
          }
        }
      }
      expect((await small.reload()).hash()).toBe(small.hash())
    }),
    { numRuns: 2, seed: 7 },
  )
})
