/** Tests drones with scripts that nearly follow the grammar. Source: RELIABILITY 5, B8. */
import { expect, test } from 'vitest'
import { createDice } from '../../core/dice.ts'
import { SCRIPT_FAULTS } from '../../systems/drone/lexer-model.ts'
import { bayed, yard } from '../unit/drone/scene.ts'
import { drawScript } from './script-draws.ts'
import { tryScripts } from './scripts.ts'

const COUNT = 5_000

test('a script is refused with its fault and place, or runs within its budget', async () => {
  const { ran, counts, failures } = await tryScripts(COUNT, 1)
  console.log([...counts].map(([outcome, times]) => `${outcome} ${times}`).join(', '))
  expect(failures).toEqual([])
  expect(ran).toBeGreaterThan(COUNT / 5)
  expect(counts.get('step_limit') ?? 0).toBeGreaterThan(10)
  for (const kind of SCRIPT_FAULTS) expect(counts.get(kind) ?? 0, kind).toBeGreaterThan(0)
}, 300_000)

test('an uploaded script is accepted, or refused with script_error', async () => {
  const { world, owner, small } = await yard()
  bayed(world, owner, 'mining')
  const { result } = small.ask(owner, 'get_drones') as { result: { drones: { id: string }[] } }
  const [{ id: drone_id }] = result.drones
  const dice = createDice(2)
  const outcomes = Array.from({ length: 40 }, () => {
    const outcome = small.act(owner, 'upload_drone_script', { drone_id, script: drawScript(dice) })
    return outcome.ok ? 'accepted' : outcome.code
  })
  expect([...new Set(outcomes)].sort()).toEqual(['accepted', 'script_error'])
})
