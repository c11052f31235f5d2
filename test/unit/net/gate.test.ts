/** Rate limits: windows, time-outs and the flood guard, and which address a request counts for. */
import { describe, expect, test } from 'vitest'
import { LIMITER_KEYS_MAX } from '../../../core/limits.ts'
import { addressKey, clientAddress, isOriginAllowed } from '../../../net/session/address.ts'
import { createFloodGuard, passBody, passFrame, reserveFrame } from '../../../net/session/flood.ts'
import {
  createGate,
  type Gate,
  passAddress,
  passBattleOrder,
  passConnect,
  passImmediate,
  passSessionAttempt,
  slidingWindow,
  take,
  timedOutFor,
} from '../../../net/session/gate.ts'
import { type TestClock, testClock } from './fake-net.ts'

const newGate = (limits = true): { gate: Gate; clock: TestClock } => {
  const clock = testClock()
  return { gate: createGate({ limits }, clock), clock }
}

/** Attempts sessions until a time-out starts; returns its length in minutes. */
function abuse(gate: Gate, ip: string): number {
  for (let index = 0; index < 200; index++) {
    passSessionAttempt(gate, ip)
    const left = timedOutFor(gate, ip)
    if (left > 0) return left / 60
  }
  return 0
}

describe('sliding windows', () => {
  test('let the limit through in any span, and return the wait', () => {
    const window = slidingWindow(3, 1000)
    expect([0, 100, 200].map((ms) => take(window, 'a', ms))).toEqual([0, 0, 0])
    expect(take(window, 'a', 300)).toBe(700)
    expect(take(window, 'b', 300)).toBe(0)
    expect(take(window, 'a', 1001)).toBe(0)
    expect(take(window, 'a', 1050)).toBe(50)
  })

  test('hold a bounded number of keys, and drop the oldest', () => {
    const window = slidingWindow(1, 1000, 3)
    for (const key of ['a', 'b', 'c', 'd']) take(window, key, 0)
    expect(window.hits.size).toBe(3)
    expect(take(window, 'a', 0)).toBe(0)
    expect(take(window, 'd', 0)).toBeGreaterThan(0)
  })
})

test('a window forgets keys that nobody has used for its length', () => {
  const window = slidingWindow(3, 1_000)
  for (const key of ['a', 'b']) take(window, key, 0)
  take(window, 'b', 900)
  take(window, 'c', 1_500)
  expect([...window.hits.keys()]).toEqual(['b', 'c'])
})

describe('session attempts', () => {
  test('30 of an address pass in a minute, and the next waits', () => {
    const { gate, clock } = newGate()
    for (let index = 0; index < 30; index++) expect(passSessionAttempt(gate, 'x')).toBe(0)
    expect(passSessionAttempt(gate, 'x')).toBe(60)
    expect(passSessionAttempt(gate, 'y')).toBe(0)
    clock.advance(60_000)
    expect(passSessionAttempt(gate, 'x')).toBe(0)
  })

  test('constant abuse gives time-outs of 2, 4, 8, 16, 30, 30 minutes', () => {
    const { gate, clock } = newGate()
    const minutes: number[] = []
    for (let round = 0; round < 6; round++) {
      const length = abuse(gate, 'x')
      minutes.push(length)
      for (let minute = 0; minute < length; minute++) {
        passSessionAttempt(gate, 'x')
        clock.advance(60_000)
      }
    }
    expect(minutes).toEqual([2, 4, 8, 16, 30, 30])
  })

  test('thirty quiet minutes restart the sequence of time-outs', () => {
    const { gate, clock } = newGate()
    expect(abuse(gate, 'x')).toBe(2)
    clock.advance(31 * 60_000)
    expect(abuse(gate, 'x')).toBe(2)
  })

  test('rejections in a time-out do not lengthen it', () => {
    const { gate, clock } = newGate()
    abuse(gate, 'x')
    for (let index = 0; index < 500; index++) passSessionAttempt(gate, 'x')
    clock.advance(119_000)
    expect(timedOutFor(gate, 'x')).toBe(1)
  })

  test('other buckets never lead to a time-out', () => {
    const { gate } = newGate()
    for (let index = 0; index < 500; index++) passAddress(gate, 'public', 'x')
    expect(timedOutFor(gate, 'x')).toBe(0)
  })

  test('new sockets beyond their limit lead to a time-out as well', () => {
    const { gate, clock } = newGate()
    for (let index = 0; index < 100; index++) expect(passConnect(gate, 'x')).toBe(0)
    for (let index = 0; index < 49; index++) expect(passConnect(gate, 'x')).toBe(60)
    expect(timedOutFor(gate, 'x')).toBe(0)
    passConnect(gate, 'x')
    expect([passConnect(gate, 'x'), passSessionAttempt(gate, 'x')]).toEqual([120, 120])
    clock.advance(120_000)
    expect(passConnect(gate, 'x')).toBe(0)
  })

  test('a time-out refuses its address at every door, without counting the attempts', () => {
    const { gate, clock } = newGate()
    abuse(gate, 'x')
    const doors = ['session', 'connect', 'public', 'openapi', 'catalog'] as const
    for (const door of doors) expect(passAddress(gate, door, 'x')).toBe(120)
    for (const door of doors) expect(passAddress(gate, door, 'y')).toBe(0)
    clock.advance(120_000)
    for (const door of doors) expect(passAddress(gate, door, 'x')).toBe(0)
  })

  test('no table of the gate holds more than 100,000 keys', () => {
    const { gate } = newGate()
    for (let index = 0; index < LIMITER_KEYS_MAX + 50; index++) {
      passSessionAttempt(gate, `a${index}`)
      passImmediate(gate, index, 10)
      passBattleOrder(gate, index, 1)
    }
    for (let index = 0; index < 80; index++) passSessionAttempt(gate, 'a0')
    expect(gate.windows.session.hits.size).toBe(LIMITER_KEYS_MAX)
    expect([gate.text.size, gate.battle.size]).toEqual([LIMITER_KEYS_MAX, LIMITER_KEYS_MAX])
    const escalation = gate.escalations.get('a0')
    if (!escalation) throw new Error('there is no time-out')
    for (let index = 1; index <= LIMITER_KEYS_MAX; index++)
      gate.escalations.set(`b${index}`, escalation)
    gate.escalations.delete('b1')
    // The table is full: the refusal of the 31st attempt adds an entry and drops the oldest.
    for (let index = 0; index < 31; index++) passSessionAttempt(gate, 'new')
    expect(gate.escalations.size).toBe(LIMITER_KEYS_MAX)
    expect([gate.escalations.has('a0'), gate.escalations.has('new')]).toEqual([false, true])
  })

  test('limits by player hold even when limits are off, limits by address do not', () => {
    const { gate } = newGate(false)
    for (let index = 0; index < 500; index++) expect(passSessionAttempt(gate, 'x')).toBe(0)
    for (let index = 0; index < 120; index++) expect(passImmediate(gate, 7, 10)).toBe(0)
    expect(passImmediate(gate, 7, 10)).toBeGreaterThan(0)
  })
})

describe('a player', () => {
  test('writes at most 4 MiB of text a minute', () => {
    const { gate, clock } = newGate()
    for (let index = 0; index < 8; index++) expect(passImmediate(gate, 1, 512 * 1024)).toBe(0)
    expect(passImmediate(gate, 1, 512 * 1024)).toBeGreaterThan(0)
    clock.advance(8_000)
    expect(passImmediate(gate, 1, 512 * 1024)).toBe(0)
  })

  test('gives at most 20 battle orders a tick', () => {
    const { gate } = newGate()
    for (let index = 0; index < 20; index++) expect(passBattleOrder(gate, 1, 5)).toBe(true)
    expect(passBattleOrder(gate, 1, 5)).toBe(false)
    expect(passBattleOrder(gate, 1, 6)).toBe(true)
  })
})

describe('the flood guard', () => {
  test('lets a burst of 300 through, then 100 a second', () => {
    const guard = createFloodGuard(0)
    let passed = 0
    for (let index = 0; index < 400; index++) if (passFrame(guard, 10, 0) === 0) passed += 1
    expect(passed).toBe(300)
    expect(guard.refusals).toBe(100)
    passed = 0
    for (let index = 0; index < 300; index++) if (passFrame(guard, 10, 1000) === 0) passed += 1
    expect(passed).toBe(100)
  })

  test('reserves each waiting frame a turn 10 ms after the last, up to a bound', () => {
    const guard = createFloodGuard(0)
    const waits = Array.from({ length: 1_301 }, () => reserveFrame(guard, 10, 0))
    expect(waits.slice(299, 302)).toEqual([0, 10, 20])
    expect(waits.slice(1_299)).toEqual([10_000, undefined])
    expect(reserveFrame(guard, 10, 500)).toBe(9_510)
    const heavy = createFloodGuard(0)
    const half = 512 * 1024
    expect([half, half, half, half, half].map((bytes) => reserveFrame(heavy, bytes, 0))).toEqual([
      0,
      0,
      500,
      1_000,
      undefined,
    ])
  })

  test('counts bytes: 1 MiB a second', () => {
    const guard = createFloodGuard(0)
    expect(passFrame(guard, 512 * 1024, 0)).toBe(0)
    expect(passFrame(guard, 512 * 1024, 0)).toBe(0)
    expect(passFrame(guard, 512 * 1024, 0)).toBe(1)
    expect(passFrame(guard, 512 * 1024, 500)).toBe(0)
  })

  test('counts the bodies of requests that have already passed', () => {
    const guard = createFloodGuard(0)
    expect([passFrame(guard, 0, 0), passBody(guard, 1024 * 1024, 0)]).toEqual([0, true])
    expect([passFrame(guard, 0, 0), passBody(guard, 1, 0)]).toEqual([0, false])
    expect(passBody(guard, 1024, 1)).toBe(true)
  })
})

describe('addresses', () => {
  test.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['0000:0000:0000:0000:0000:ffff:0a00:0001', '10.0.0.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['::1', '::1'],
    ['0000:0000:0000:0000:0000:0000:0000:0001', '::1'],
  ])('%s counts as %s', (text, key) => {
    expect(addressKey(text)).toBe(key)
  })

  test('a forwarded address counts only behind the configured number of proxies', () => {
    expect(clientAddress('9.9.9.9', '1.1.1.1', 0)).toBe('9.9.9.9')
    expect(clientAddress('9.9.9.9', '6.6.6.6, 1.1.1.1', 1)).toBe('1.1.1.1')
    expect(clientAddress('9.9.9.9', '6.6.6.6, 1.1.1.1', 2)).toBe('6.6.6.6')
    expect(clientAddress('9.9.9.9', 'rubbish', 1)).toBe('9.9.9.9')
  })

  test.each([
    ['fewer hops than proxies', '6.6.6.6', 2, '9.9.9.9'],
    ['no header at all', '', 1, '9.9.9.9'],
    ['an empty hop', '6.6.6.6, ', 1, '9.9.9.9'],
    ['an address with a port', '6.6.6.6, 1.1.1.1:4711', 1, '1.1.1.1'],
    ['IPv6 in brackets', '6.6.6.6, [2001:db8::1]', 1, '2001:db8::1'],
    ['IPv6 in brackets with a port', '[2001:db8::1]:4711', 1, '2001:db8::1'],
    ['IPv6 mapped', '6.6.6.6,::ffff:1.1.1.1', 1, '::ffff:1.1.1.1'],
    ['an open bracket', '[2001:db8::1', 1, '9.9.9.9'],
    ['a name', 'localhost', 1, '9.9.9.9'],
    ['the placeholder of RFC 7239', 'unknown', 1, '9.9.9.9'],
  ])('behind proxies: %s', (_, header, proxies, address) => {
    expect(clientAddress('9.9.9.9', header, proxies)).toBe(address)
  })

  test('an origin must match exactly, and a request without one passes', () => {
    const config = { allowedOrigins: ['https://a.example'] }
    expect(isOriginAllowed(config, '')).toBe(true)
    expect(isOriginAllowed(config, 'https://a.example')).toBe(true)
    expect(isOriginAllowed(config, 'https://a.example.evil')).toBe(false)
    expect(isOriginAllowed({ allowedOrigins: ['*'] }, 'https://b.example')).toBe(true)
  })
})
