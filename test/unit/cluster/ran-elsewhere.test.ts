/** Which commands of a row count at this node towards limits by player. SCALE 5. */
import { expect, test } from 'vitest'
import { REFS_OF_INCARNATION } from '../../../core/limits-cluster.ts'
import { ranElsewhere } from '../../../engine/ran-elsewhere.ts'

const HERE = 1
const THERE = 2

const input = (node: number, player: number, command = 'send_gift') => ({
  ...{ ref: node * REFS_OF_INCARNATION + 5, player, command, params: {} },
  framing: 'http2' as const,
})

test('only immediates of players at other nodes count', () => {
  const inputs = [
    input(THERE, 7),
    input(HERE, 7),
    input(THERE, 0),
    input(THERE, 8, 'internal:bind'),
    { ...input(THERE, 9), ref: 0 },
    { ...input(THERE, 9), ref: 17 },
  ]
  expect(ranElsewhere({ part: 1, inputs }, HERE, new Set([17]))).toEqual([
    { player: 7, command: 'send_gift' },
  ])
  expect(ranElsewhere({ part: 0, inputs }, HERE, new Set())).toEqual([])
})
