/** Seeds of the day of the whole server, in which together every fault must strike. */
import { afterAll, describe, expect, test } from 'vitest'
import { seedOr } from '../soak-mode.ts'
import { FAULT_NAMES } from './faults.ts'
import { simulate } from './simulate.ts'

const TICKS = 120
/** A soak sets a new seed each day. */
const SEEDS = Array.from({ length: 20 }, (_, i) => seedOr(1) + 20 + i)
/** Commands that must succeed in some seed; otherwise players only collect refusals. */
const DONE_SOMEWHERE = ['mine', 'travel', 'jump', 'dock', 'undock', 'buy', 'sell', 'chat']

describe('the simulated server', () => {
  const struck = new Set<string>()
  const done = new Set<string>()
  test.each(SEEDS)('keeps every promise with half of the faults armed, seed %i', async (seed) => {
    const result = await simulate({ seed, ticks: TICKS })
    for (const fault of result.struck.keys()) struck.add(fault)
    for (const command of result.done.keys()) done.add(command)
    expect(result.answers).toBeGreaterThan(TICKS)
  })

  afterAll(() => {
    expect([...struck].sort()).toEqual([...FAULT_NAMES].sort())
    expect(DONE_SOMEWHERE.filter((command) => !done.has(command))).toEqual([])
  })
})
