/** Outcomes that cross as JSON make the frames that objects would have made. */
import { expect, test } from 'vitest'
import { fail, ok } from '../../../core/errors.ts'
import { packAnswer, unpack } from '../../../core/packed.ts'
import type { Answer, Framing } from '../../../core/ports.ts'
import { createRegistry } from '../../../core/registry.ts'
import { fromAnswer } from '../../../net/dispatch.ts'
import { actionResult, packedResult } from '../../../net/frames.ts'
import { DOMAINS } from '../../../systems/registry.ts'

const def = createRegistry(DOMAINS).commands.get('mine')!

const answer = (framing: Framing, result: unknown, more: Partial<Answer> = {}): Answer => ({
  ...{ ref: 7, player: 3, command: 'mine', stage: 'final', tick: 12 },
  ...{ framing, outcome: ok(result), ...more },
})

const RESULTS = [
  { kind: 'yield', quantity: 3, message: 'Mined "3".' },
  { message: 7 },
  {},
  undefined,
  null,
  [1, 'two'],
  'text',
]
const SECTIONS = [undefined, {}, { ship: { fuel: 1 }, cargo: [{ item_id: 'a', quantity: 2 }] }]

test('the frame put together says what the frame made of objects says', () => {
  for (const framing of ['ws1', 'ws2'] as const) {
    for (const result of RESULTS) {
      for (const sections of framing === 'ws2' ? SECTIONS : [undefined]) {
        for (const requestId of [undefined, 'say "hi"']) {
          const given = answer(framing, result, {
            ...(sections ? { sections } : {}),
            ...(requestId === undefined ? {} : { requestId }),
            autoDocked: true,
          })
          const reply = fromAnswer(def, given, true)
          const expected = { type: 'action_result', payload: actionResult(framing, reply) }
          const packed = fromAnswer(def, packAnswer(given), true)
          const frame = JSON.parse(packedResult(framing, packed, packed.packed!))
          expect(frame).toEqual(
            JSON.parse(
              JSON.stringify(
                requestId === undefined ? expected : { ...expected, request_id: requestId },
              ),
            ),
          )
          expect(packed.outcome).toEqual(ok(undefined))
        }
      }
    }
  }
})

test('unpacked, an answer is what it was', () => {
  const given = answer('ws2', { quantity: 3 }, { sections: { ship: { fuel: 1 } } })
  expect(unpack(packAnswer(given))).toEqual(given)
  expect(fromAnswer(def, packAnswer(given), false).outcome).toEqual(given.outcome)
})

test('refusals, acknowledgements and other framings cross as they are', () => {
  const refused = answer('ws1', undefined, { outcome: fail('no_fuel') })
  const accepted = answer('ws1', {}, { stage: 'accepted' })
  for (const given of [refused, accepted, answer('http2', {}), answer('mcp1', {})]) {
    expect(packAnswer(given)).toBe(given)
  }
})
