/** Limits by player also count what the player does at other nodes. SCALE 5. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { IMMEDIATES_PER_MINUTE } from '../../../core/limits.ts'
import type { RanElsewhere } from '../../../core/ports.ts'
import { countElsewhere } from '../../../net/dispatch.ts'
import { passImmediate } from '../../../net/session/gate.ts'
import { type FakeNet, startFakeNet } from './fake-net.ts'

let fake: FakeNet
beforeEach(async () => {
  fake = await startFakeNet()
})
afterEach(() => fake.close())

const ranElsewhere = (count: number, command: string, player = 1): RanElsewhere[] =>
  Array.from({ length: count }, () => ({ player, command }))

test('immediates run at another node count towards the limit of their player here', () => {
  const { net } = fake.server
  countElsewhere(net, ranElsewhere(IMMEDIATES_PER_MINUTE - 1, 'set_status'))
  expect([passImmediate(net.gate, 1, 0), passImmediate(net.gate, 2, 0)]).toEqual([0, 0])
  expect(passImmediate(net.gate, 1, 0)).toBeGreaterThan(0)
})

test('commands other than immediates do not count when run at another node', () => {
  const { net } = fake.server
  for (const command of ['mine', 'get_status', 'no_such_command'])
    countElsewhere(net, ranElsewhere(IMMEDIATES_PER_MINUTE, command))
  expect(passImmediate(net.gate, 1, 0)).toBe(0)
})
