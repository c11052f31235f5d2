/** Sessions in their pools: expiry, strangers, and one socket and five sessions per player. */
import { describe, expect, test } from 'vitest'
import { SESSION_IDLE_MS, STRANGERS_MAX, STRANGERS_PER_ADDRESS_MAX } from '../../../core/limits.ts'
import {
  beginBinding,
  bindSession,
  bindSocket,
  createBindings,
  createPools,
  dropSession,
  endBinding,
  expiredSessions,
  findSession,
  openSession,
  type Session,
  type SocketClient,
  sessionCount,
  unbindClient,
} from '../../../net/session/session.ts'
import { testClock } from './fake-net.ts'

const ADA = { player: 1, playerId: 'id-1', username: 'ada', empire: 'solarian' }
const newSession = (pools: ReturnType<typeof createPools>): Session =>
  openSession(pools, 'http2', { framing: 'http2', ip: 'x' }) as Session

const socket = (): SocketClient => ({
  channel: 'ws',
  framing: 'ws1',
  ip: 'x',
  identity: undefined,
  authenticating: false,
  gone: false,
  format: 'json',
  lastFeed: undefined,
  push: () => {},
  cork: (pushAll) => pushAll(),
  close: () => {},
})

describe('pools', () => {
  test('an id of one pool is unknown in the others', () => {
    const pools = createPools(testClock())
    const { id } = newSession(pools)
    expect(id).toMatch(/^[0-9a-f]{64}$/)
    expect(findSession(pools, 'http2', id)).toBeDefined()
    expect(findSession(pools, 'http1', id)).toBeUndefined()
    expect(findSession(pools, 'mcp', id)).toBeUndefined()
  })

  test('thirty minutes without a request end a session, and each request restarts them', () => {
    const clock = testClock()
    const pools = createPools(clock)
    const used = newSession(pools)
    const idle = newSession(pools)
    clock.advance(SESSION_IDLE_MS - 1)
    expect(findSession(pools, 'http2', used.id)).toBe(used)
    clock.advance(2)
    expect(findSession(pools, 'http2', idle.id)).toBeUndefined()
    expect(findSession(pools, 'http2', used.id)).toBe(used)
    expect(expiredSessions(pools)).toEqual([idle])
  })

  test('a blocked request keeps its session alive', () => {
    const clock = testClock()
    const pools = createPools(clock)
    const busy = newSession(pools)
    busy.inFlight = 1
    clock.advance(2 * SESSION_IDLE_MS)
    expect(expiredSessions(pools)).toEqual([])
    expect(findSession(pools, 'http2', busy.id)).toBe(busy)
  })

  test('a replaced id is remembered as replaced', () => {
    const pools = createPools(testClock())
    const session = newSession(pools)
    dropSession(pools, session, true)
    expect(findSession(pools, 'http2', session.id)).toBeUndefined()
    expect(pools.replaced.has(session.id)).toBe(true)
  })
})

/** A stranger is a session without a player. */
describe('strangers', () => {
  test('displace the longest unused stranger, but no session with a player or a request', () => {
    const pools = createPools(testClock(), false)
    const bindings = createBindings()
    const [playing, used, busy, idle] = Array.from({ length: 4 }, () => newSession(pools))
    bindSession(bindings, ADA, playing)
    busy.inFlight = 1
    for (let i = 4; i < STRANGERS_MAX; i++) newSession(pools)
    findSession(pools, 'http2', used.id)
    newSession(pools)
    newSession(pools)
    newSession(pools)
    expect(idle.gone).toBe(true)
    expect(findSession(pools, 'http2', idle.id)).toBeUndefined()
    expect([playing, used, busy].map(({ gone }) => gone)).toEqual([false, false, false])
    for (let i = 0; i < 3 * STRANGERS_MAX; i++) newSession(pools)
    expect([playing, used, busy].map(({ gone }) => gone)).toEqual([false, true, false])
    expect(pools.strangers.size).toBe(STRANGERS_MAX)
    expect(sessionCount(pools)).toBe(STRANGERS_MAX)
  })

  test('displace strangers of their own address, not those of other addresses', () => {
    const pools = createPools(testClock())
    const from = (ip: string) => openSession(pools, 'http2', { framing: 'http2', ip }) as Session
    const others = Array.from({ length: 60 }, (_, i) => from(`192.0.2.${i}`))
    const own = Array.from({ length: 10 * STRANGERS_PER_ADDRESS_MAX }, () => from('192.0.2.99'))
    expect(others.filter(({ gone }) => gone)).toEqual([])
    expect(own.filter(({ gone }) => !gone)).toEqual(own.slice(-STRANGERS_PER_ADDRESS_MAX))
    // Many addresses fill the table: the largest holder loses sessions, an address with one never.
    for (let i = 0; i < 60 * STRANGERS_PER_ADDRESS_MAX; i++) from(`198.51.100.${i % 60}`)
    expect(others.filter(({ gone }) => gone)).toEqual([])
    expect(sessionCount(pools)).toBe(STRANGERS_MAX)
  })

  test('include a session again after its logout', () => {
    const pools = createPools(testClock())
    const bindings = createBindings()
    const session = newSession(pools)
    bindSession(bindings, ADA, session)
    findSession(pools, 'http2', session.id)
    expect(pools.strangers.size).toBe(0)
    unbindClient(bindings, session)
    findSession(pools, 'http2', session.id)
    expect([...pools.strangers.shares.get('x')!]).toEqual([session])
  })
})

describe('bindings', () => {
  test('a second socket displaces the first, whose end does not unbind the player', () => {
    const bindings = createBindings()
    const [first, second] = [socket(), socket()]
    expect(bindSocket(bindings, ADA, first)).toBeUndefined()
    expect(bindSocket(bindings, ADA, second)).toBe(first)
    expect(unbindClient(bindings, first)).toBeUndefined()
    expect(unbindClient(bindings, second)).toBe(1)
    expect(bindings.players.size).toBe(0)
  })

  test('a sixth session displaces the oldest', () => {
    const bindings = createBindings()
    const pools = createPools(testClock())
    const sessions = Array.from({ length: 6 }, () => newSession(pools))
    const dropped = sessions.map((session) => bindSession(bindings, ADA, session))
    expect(dropped).toEqual([...new Array(5).fill(undefined), sessions[0]])
  })

  test('unbinding reports the player only for the last session of a channel', () => {
    const bindings = createBindings()
    const pools = createPools(testClock())
    const [a, b] = [newSession(pools), newSession(pools)]
    bindSession(bindings, ADA, a)
    bindSession(bindings, ADA, b)
    expect(unbindClient(bindings, a)).toBeUndefined()
    expect(unbindClient(bindings, b)).toBe(1)
  })

  test('a socket that closes while another is being bound does not unbind the player', () => {
    const bindings = createBindings()
    const [first, second] = [socket(), socket()]
    bindSocket(bindings, ADA, first)
    beginBinding(bindings, 1, 'ws')
    expect(unbindClient(bindings, first)).toBeUndefined()
    endBinding(bindings, 1, 'ws')
    bindSocket(bindings, ADA, second)
    expect(unbindClient(bindings, second)).toBe(1)
  })
})
