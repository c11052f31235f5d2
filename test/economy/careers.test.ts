/**
 * Plays five careers in one short world and holds the pay of an hour to bands twice as wide as the
 * rules'. `npm run careers` plays all cells at full length. Source: balance.md sections 2 and 11.
 */
import { expect, test } from 'vitest'
import { cellsNamed } from './careers/bands.ts'
import { judge } from './careers/verdict.ts'
import { playCareers } from './careers.ts'

const CELLS = ['mining:0', 'courier:0', 'passenger:1', 'bounty:1', 'craft:0']
const HOURS = 3
/** The bands are this many times as wide: a short run varies more. */
const SLACK = 2
/** The run takes a minute on an idle machine. */
const TIMEOUT_MS = 240_000

test('each career pays within its band', { timeout: TIMEOUT_MS }, async () => {
  const round = await playCareers({ seed: 1, hours: HOURS, cells: CELLS.flatMap(cellsNamed) })
  const { rows, complaints } = judge([round], { slack: SLACK })
  expect(rows.map(({ cell }) => cell).sort()).toEqual([...CELLS].sort())
  expect(complaints).toEqual([])
})
