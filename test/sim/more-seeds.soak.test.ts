/** Twenty seeds, new ones each day, which together must strike every fault. */
import { afterAll, describe, expect, test } from 'vitest'
import { seedOr } from '../soak-mode.ts'
import { FAULT_NAMES } from './faults.ts'
import { simulate } from './simulate.ts'

const TICKS = 120
/** A soak sets a new seed each day. */
const SEEDS = Array.from({ length: 20 }, (_, i) => seedOr(1) + 20 + i)
/** Commands that must succeed somewhere: else the players only collect refusals. */
const DONE_SOMEWHERE = ['mine', 'travel', 'jump', 'dock', 'undock', 'buy', 'sell', 'chat']

describe('the whole server without sockets', () => {
  const struck = new Set<string>()
  const done = new Set<string>()
  test.each(SEEDS)('seed %i: with half of the faults armed, every promise holds', async (seed) => {
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
