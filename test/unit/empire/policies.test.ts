/** The query get_empire_info, which shows the policies of empires to everybody. */
import { expect, test } from 'vitest'
import { EMPIRES } from '../../../core/catalog/index.ts'
import { onSmallMap, smallWorld } from '../../small-world.ts'

onSmallMap()

test('get_empire_info gives the policies of all empires, before login too', async () => {
  const small = await smallWorld()
  const answer = small.ask(0, 'get_empire_info')
  expect(answer).toMatchObject({ ok: true, result: { action: 'get_empire_info' } })
  const { empires } = (answer as unknown as { result: { empires: { empire_id: string }[] } }).result
  expect(empires.map(({ empire_id }) => empire_id)).toEqual(EMPIRES.map(({ id }) => id))
  expect(empires[0]).toMatchObject({
    bounty_attack: 500,
    bounty_kill: 2_000,
    rep_penalty_attack: 5,
    rep_penalty_kill: 10,
    jail_duration_hours: 24,
    shoot_on_sight_threshold: -20,
    customs_fine_multiplier_bps: 20_000,
    rep_decay_amount: 1,
  })
})

test('get_empire_info gives one empire by id, and refuses others with invalid_empire', async () => {
  const small = await smallWorld()
  const single = small.ask(0, 'get_empire_info', { empire_id: 'nebula' })
  expect(single).toMatchObject({ ok: true, result: { empires: [{ empire_id: 'nebula' }] } })
  const none = small.ask(0, 'get_empire_info', { empire_id: 'atlantis' })
  expect(none).toMatchObject({ ok: false, code: 'invalid_empire' })
})
