/** Sessions expire, pools are separate, one socket a player, five sessions a player. */
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
const made = (pools: ReturnType<typeof createPools>): Session =>
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
    const { id } = made(pools)
    expect(id).toMatch(/^[0-9a-f]{64}$/)
    expect(findSession(pools, 'http2', id)).toBeDefined()
    expect(findSession(pools, 'http1', id)).toBeUndefined()
    expect(findSession(pools, 'mcp', id)).toBeUndefined()
  })

  test('thirty minutes without a request end a session, each request starts them anew', () => {
    const clock = testClock()
    const pools = createPools(clock)
    const used = made(pools)
    const idle = made(pools)
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
    const busy = made(pools)
    busy.inFlight = 1
    clock.advance(2 * SESSION_IDLE_MS)
    expect(expiredSessions(pools)).toEqual([])
    expect(findSession(pools, 'http2', busy.id)).toBe(busy)
  })

  test('a replaced id is remembered as replaced', () => {
    const pools = createPools(testClock())
    const session = made(pools)
    dropSession(pools, session, true)
    expect(findSession(pools, 'http2', session.id)).toBeUndefined()
    expect(pools.replaced.has(session.id)).toBe(true)
  })
})

describe('strangers', () => {
  test('displace the longest unused of their kind, but no session that plays or awaits an answer', () => {
    const pools = createPools(testClock(), false)
    const bindings = createBindings()
    const [player, asked, busy, idle] = [made(pools), made(pools), made(pools), made(pools)]
    bindSession(bindings, ADA, player)
    busy.inFlight = 1
    for (let i = 4; i < STRANGERS_MAX; i++) made(pools)
    findSession(pools, 'http2', asked.id)
    made(pools)
    made(pools)
    made(pools)
    expect(idle.gone).toBe(true)
    expect(findSession(pools, 'http2', idle.id)).toBeUndefined()
    expect([player, asked, busy].map(({ gone }) => gone)).toEqual([false, false, false])
    for (let i = 0; i < 3 * STRANGERS_MAX; i++) made(pools)
    expect([player, asked, busy].map(({ gone }) => gone)).toEqual([false, true, false])
    expect(pools.strangers.size).toBe(STRANGERS_MAX)
    expect(sessionCount(pools)).toBe(STRANGERS_MAX)
  })

  test('of one address go when it makes more; those of others stay', () => {
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

  test('become one again at a logout', () => {
    const pools = createPools(testClock())
    const bindings = createBindings()
    const session = made(pools)
    bindSession(bindings, ADA, session)
    findSession(pools, 'http2', session.id)
    expect(pools.strangers.size).toBe(0)
    unbindClient(bindings, session)
    findSession(pools, 'http2', session.id)
    expect([...pools.strangers.shares.get('x')!]).toEqual([session])
  })
})

describe('bindings', () => {
  test('a second socket of a player displaces the first, whose end does not unbind the player', () => {
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
    const sessions = Array.from({ length: 6 }, () => made(pools))
    const dropped = sessions.map((session) => bindSession(bindings, ADA, session))
    expect(dropped).toEqual([...new Array(5).fill(undefined), sessions[0]])
  })

  test('the world is notified only of the last session of a channel', () => {
    const bindings = createBindings()
    const pools = createPools(testClock())
    const [a, b] = [made(pools), made(pools)]
    bindSession(bindings, ADA, a)
    bindSession(bindings, ADA, b)
    expect(unbindClient(bindings, a)).toBeUndefined()
    expect(unbindClient(bindings, b)).toBe(1)
  })

  test('a socket that goes while another is being bound does not unbind the player', () => {
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
