/** Seeds of the day of a world of three nodes, in which together every fault must strike. */
import { afterAll, describe, expect, test } from 'vitest'
import { seedOr } from '../soak-mode.ts'
import { NODE_FAULT_NAMES } from './faults.ts'
import { NODES_MAX, simulateNodes } from './nodes.ts'

const TICKS = 20
/** A soak sets a new seed each day. */
const SEEDS = Array.from({ length: 50 }, (_, i) => seedOr(1) + 100 + i)

describe('a world of three nodes', () => {
  const struck = new Set<string>()
  test.each(SEEDS)('keeps every promise with half of the faults armed, seed %i', async (seed) => {
    const result = await simulateNodes({ seed, ticks: TICKS, nodes: NODES_MAX })
    for (const fault of result.struck.keys()) struck.add(fault)
    expect(result.answers).toBeGreaterThan(TICKS)
  })

  afterAll(() => {
    expect([...struck].sort()).toEqual([...NODE_FAULT_NAMES].sort())
  })
})
