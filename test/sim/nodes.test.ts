/** A world of several nodes: short runs with faults, and deliberate bugs that must be found. */
import { describe, expect, test } from 'vitest'
import type { NODE_CANARIES } from './canary.ts'
import { simulateNodes } from './nodes.ts'
import { SimFailure } from './simulate.ts'

const TICKS = 8
const SEEDS = [1, 2, 3, 4, 5, 6]
/** Number of seeds within which a deliberate bug must be found. */
const CANARY_SEEDS = 8

interface Hunt {
  readonly found: RegExp
  /** First seed to try. */
  readonly from: number
  readonly ticks: number
  /** Faults that the bug needs to have an effect; absent for all. */
  readonly faults?: readonly string[]
}

const HUNTS: Readonly<Record<keyof typeof NODE_CANARIES, Hunt>> = {
  no_fence: { found: /I4: row \d+ follows row|cannot follow the world/, from: 3, ticks: 15 },
  ignored_slice: {
    found: /exactly once: \S+ \(ref \d+\) is in two rows/,
    from: 1,
    ticks: 12,
    faults: ['bus_duplicate', 'bus_reorder'],
  },
  early_row: { found: /I4: row \d+ crosses the bus/, from: 1, ticks: 4, faults: [] },
  any_unbind: {
    found: /presence: player \d+ has channels \d at node \d+/,
    from: 3,
    ticks: 6,
    faults: ['bus_partition'],
  },
}

const failureOf = (canary: keyof typeof NODE_CANARIES, seed: number): Promise<unknown> =>
  simulateNodes({ ...HUNTS[canary], seed, nodes: 2, canary }).then(
    () => undefined,
    (error: unknown) => error,
  )

describe('a world of several nodes', () => {
  test.each(SEEDS)('keeps every promise with half of the faults armed, seed %i', async (seed) => {
    const result = await simulateNodes({ seed, ticks: TICKS, nodes: 1 + (seed % 3) })
    expect(result.ticks).toBeGreaterThanOrEqual(TICKS)
    expect(result.answers).toBeGreaterThan(TICKS)
  })

  test.each([
    [20_261_241, 'a replica restarted at a later batch than its players had been sent'],
    [20_062, 'a replica restarted during a registration, which was never answered'],
    [20_162, 'a replica restarted and sent a command again that its predecessor had sent'],
    [1_992, 'a socket that had outlived its login read an outcome, and so did the newer login'],
    [4_690, 'a subscription ran after its node had passed for gone, and never ended'],
    [811, 'an outcome was read at another node before the older socket read of the command'],
  ])('passes seed %i, in which once %s', async (seed) => {
    const result = await simulateNodes({ seed, ticks: 20, nodes: 3 })
    expect(result.answers).toBeGreaterThan(20)
  })

  test('ends with the same hash when a seed runs again', async () => {
    const first = await simulateNodes({ seed: 6, ticks: TICKS, nodes: 2 })
    const second = await simulateNodes({ seed: 6, ticks: TICKS, nodes: 2 })
    expect([second.hash, second.answers]).toEqual([first.hash, first.answers])
  })

  test.each(Object.keys(HUNTS) as (keyof typeof NODE_CANARIES)[])(
    'fails under the deliberate bug %s',
    async (canary) => {
      const { found, from, ticks } = HUNTS[canary]
      let failure: unknown
      let seed = from - 1
      while (failure === undefined && seed < from + CANARY_SEEDS) {
        seed += 1
        failure = await failureOf(canary, seed)
      }
      expect(failure).toBeInstanceOf(SimFailure)
      const { message } = failure as SimFailure
      expect(message).toMatch(found)
      expect(message).toContain(`npm run sim -- --nodes 2 --seed ${seed} --ticks ${ticks}`)
      expect(message).toContain(`--canary ${canary}`)
    },
  )
})
