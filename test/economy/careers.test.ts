/**
 * What an hour of five careers is worth, on one short world and with bounds twice as wide. All
 * cells at full length: npm run careers. Source: balance.md sections 2 and 11.
 */
import { expect, test } from 'vitest'
import { cellsNamed } from './careers/bands.ts'
import { judge } from './careers/verdict.ts'
import { playCareers } from './careers.ts'

const CELLS = ['mining:0', 'courier:0', 'passenger:1', 'bounty:1', 'craft:0']
const HOURS = 3
const SLACK = 2
/** A minute on a machine that does nothing else. */
const TIMEOUT_MS = 240_000

test('an hour of each career is worth an hour', { timeout: TIMEOUT_MS }, async () => {
  const round = await playCareers({ seed: 1, hours: HOURS, cells: CELLS.flatMap(cellsNamed) })
  const { rows, complaints } = judge([round], { slack: SLACK })
  expect(rows.map(({ cell }) => cell).sort()).toEqual([...CELLS].sort())
  expect(complaints).toEqual([])
})
