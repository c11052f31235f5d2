/** Outcomes that cross the threads as JSON text yield the same frames as objects. */
import { expect, test } from 'vitest'
import { isMutation } from '../../../core/command.ts'
import { fail, ok } from '../../../core/errors.ts'
import { MESSAGES_AHEAD } from '../../../core/limits.ts'
import type { Answer, PublishedBatch } from '../../../core/ports.ts'
import { createRegistry } from '../../../core/registry.ts'
import { marked } from '../../../core/say.ts'
import type { Framing } from '../../../core/types.ts'
import {
  packAnswer,
  packBatch,
  packingSink,
  packQuery,
  shareTexts,
  unpack,
  wholeEmission,
} from '../../../core/wire/packed.ts'
import { fromAnswer } from '../../../net/dispatch.ts'
import {
  ackPayload,
  actionResult,
  packedResult,
  resultText,
  structured,
} from '../../../net/publish/frames.ts'
import type { Net } from '../../../net/session/types.ts'
import { packedFrame } from '../../../net/ws/codec.ts'
import { encode, joinFrames, replyFrames } from '../../../net/ws/frames.ts'
import { WS_V1 } from '../../../net/ws/v1.ts'
import { WS_V2 } from '../../../net/ws/v2.ts'
import { DOMAINS } from '../../../systems/registry.ts'

const def = createRegistry(DOMAINS).commands.get('mine')!

const query = createRegistry(DOMAINS).commands.get('get_status')!
const describeResult = (command: string, result: object) => {
  expect(command).toBe('get_status')
  return resultText(query, result as Record<string, unknown>)
}
const replyTo = (given: Answer) => fromAnswer(query, given, false)

const answer = (framing: Framing, result: unknown, overrides: Partial<Answer> = {}): Answer => ({
  ref: 7,
  player: 3,
  command: 'mine',
  stage: 'final',
  tick: 12,
  framing,
  outcome: ok(result),
  ...overrides,
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

test('the frame of a packed outcome equals the frame made of objects', () => {
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
          const frame = JSON.parse(packedResult(framing, packed))
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

test('a frame joined ahead is the one joined when it is sent', () => {
  const net = { registry: createRegistry(DOMAINS) } as unknown as Net
  for (const wire of [WS_V1, WS_V2]) {
    const conn = { net, wire, format: 'json' } as const
    for (const result of [...RESULTS, { message: marked('See {get_cargo}.') }]) {
      const given = packAnswer(answer(wire.framing, result, { requestId: '1', autoDocked: true }))
      const [late] = replyFrames(conn, fromAnswer(def, given, true))
      joinFrames(net, [given])
      expect(given.packed?.frame).toBe(late)
      expect(replyFrames(conn, fromAnswer(def, given, true))).toEqual([late])
    }
  }
})

test('messages of a tick that are passed on ahead are all of them, in order', () => {
  const answers = Array.from({ length: 2 * MESSAGES_AHEAD }, (_, ref) => answer('ws1', {}, { ref }))
  const emissions = answers.map(({ ref }) => ({ type: 'chat', payload: { ref }, to: [1] }))
  const batch = { batch: 1, tick: 1, ran: [], answers, emissions }
  const parts: Pick<PublishedBatch, 'answers' | 'emissions'>[] = []
  const sink = packingSink((messages) => void parts.push(messages))
  for (const given of answers) sink.answer(given)
  for (const given of emissions.slice(1)) sink.emission(given)
  parts.push(sink.kept())
  expect(parts.map((part) => part.answers.length + part.emissions.length)).toEqual([
    ...Array<number>(3).fill(MESSAGES_AHEAD),
    MESSAGES_AHEAD - 1,
  ])
  const whole = packBatch({ ...batch, emissions: emissions.slice(1) })
  expect(parts.flatMap((part) => part.answers)).toEqual(whole.answers)
  expect(parts.flatMap((part) => part.emissions)).toEqual(whole.emissions)
})

test('the frame of a packed answer to a query equals the frame made of objects', () => {
  const results = [...RESULTS, { action: 'its own', system: { id: 'here' } }]
  for (const wire of [WS_V1, WS_V2]) {
    for (const result of results) {
      const given = answer(wire.framing, result, { requestId: 'a', command: 'get_status' })
      const { type, payload } = wire.success(query, structured(wire.framing, replyTo(given)))
      const packed = replyTo(packQuery(given, describeResult)).packed!
      const made = wire.packedSuccess(query, packed)
      const frame = JSON.parse(packedFrame(made.type, given.requestId, made.payload))
      expect(frame).toEqual(JSON.parse(JSON.stringify({ type, request_id: 'a', payload })))
    }
  }
})

test('shared entries are written like entries that are not shared', () => {
  const [first, second] = [{ id: 'a', none: undefined }, { id: 'b "c"' }].map(shareTexts)
  const results = [
    { action: 'get_nearby', nearby: [first, second], count: 2, absent: undefined },
    { nearby: [second, first] },
    { list: [first], others: [[second], 'x'], more: [second, { id: 'own' }] },
  ]
  // The second time their texts are already kept.
  for (const result of [...results, ...results]) {
    const { packed } = packQuery(answer('ws1', result), describeResult)
    expect(JSON.parse(packed!.result)).toEqual(JSON.parse(JSON.stringify(result)))
  }
})

test('sections with shared entries in lists and maps are written like any others', () => {
  const [near, skill] = [{ id: 'n', none: undefined }, { level: 0 }].map(shareTexts)
  const sections = {
    location: { system_id: 'sol', docked_at: null, nearby_players: [near, near, { id: 'own' }] },
    skills: { mining: { level: 3 }, trading: skill, piloting: skill },
    ship: { fuel: 3, cargo: [] },
    queue: undefined,
  } as unknown as Answer['sections']
  for (const given of [answer('ws2', { nearby: [near] }, { sections }), answer('ws2', {})]) {
    // The second time their texts are already kept.
    for (let time = 0; time < 2; time++) {
      const { sections: unpacked, outcome } = unpack(packAnswer(given))
      const plain = JSON.parse(JSON.stringify(given))
      expect({ unpacked, outcome }).toEqual({ unpacked: plain.sections, outcome: plain.outcome })
    }
  }
})

test('events of a tick cross as text, except those that the main thread reads', () => {
  const payload = { id: 'a "b"', none: undefined, rows: [1] }
  const plain = { type: 'mining_yield', payload, to: [1, 2] }
  const mask = { type: 'internal:mask', payload: { mask: 3 }, to: [1] }
  const batch = { batch: 1, tick: 1, ran: [], answers: [], emissions: [plain, mask] }
  const { emissions } = packBatch(batch)
  expect(emissions).toEqual([{ ...plain, payload: {}, text: JSON.stringify(payload) }, mask])
  expect(wholeEmission(emissions[0])).toEqual({ ...plain, payload: { id: 'a "b"', rows: [1] } })
  expect(packBatch({ ...batch, tick: 0 }).emissions).toEqual([plain, mask])
})

test('packQuery leaves archive queries, refusals and other framings unpacked', () => {
  const archive = answer('ws1', {}, { archive: { method: 'countForum', args: {} } })
  const refused = answer('ws2', undefined, { outcome: fail('no_fuel') })
  for (const given of [archive, refused, answer('http1', {}), answer('mcp2', {})])
    expect(packQuery(given, describeResult)).toBe(given)
})

test('an answer that cannot be rendered becomes internal_error', () => {
  const broken = (): string => {
    throw new Error('no words')
  }
  const { outcome, packed } = packQuery(answer('ws2', {}), broken)
  expect(outcome).toMatchObject({ ok: false, code: 'internal_error' })
  expect(packed).toBeUndefined()
})

test('unpacking restores the answer that was packed', () => {
  const given = answer('ws2', { quantity: 3 }, { sections: { ship: { fuel: 1 } } })
  expect(unpack(packAnswer(given))).toEqual(given)
  expect(fromAnswer(def, packAnswer(given), false).outcome).toEqual(given.outcome)
})

test('packAnswer leaves refusals, acknowledgements and other framings unpacked', () => {
  const refused = answer('ws1', undefined, { outcome: fail('no_fuel') })
  const accepted = answer('ws1', {}, { stage: 'accepted' })
  for (const given of [refused, accepted, answer('http2', {}), answer('mcp1', {})]) {
    expect(packAnswer(given)).toBe(given)
  }
})

test('the plain acknowledgement of every mutation equals the frame made of objects', () => {
  const registry = createRegistry(DOMAINS)
  const net = { registry } as unknown as Net
  for (const wire of [WS_V1, WS_V2]) {
    const conn = { net, wire, format: 'json' } as const
    for (const mutation of registry.commands.values()) {
      if (!isMutation(mutation)) continue
      for (const requestId of ['1', undefined, 'say "hi" é']) {
        const given = answer(wire.framing, { pending: true }, { stage: 'accepted' })
        const id = requestId === undefined ? {} : { requestId }
        const reply = fromAnswer(mutation, { ...given, ...id }, false)
        const { type, payload } = wire.success(mutation, ackPayload(wire.framing, reply))
        const plain = encode(conn, type, payload, requestId)
        // The second time the text is already kept.
        for (let time = 0; time < 2; time++) expect(replyFrames(conn, reply)).toEqual([plain])
      }
    }
  }
})

test('an acknowledgement with further fields does not reuse the plain frame', () => {
  const net = { registry: createRegistry(DOMAINS) } as unknown as Net
  const conn = { net, wire: WS_V1, format: 'json' } as const
  const detailed = answer('ws1', { pending: true, ticks: 4 }, { stage: 'accepted', requestId: '1' })
  const [frame] = replyFrames(conn, fromAnswer(def, detailed, false))
  expect(JSON.parse(String(frame)).payload).toMatchObject({ pending: true, ticks: 4 })
})
