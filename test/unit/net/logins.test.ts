/** Logins on one node of several: which end elsewhere, and which are bound again. SCALE 5. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fail, type Outcome, ok } from '../../../core/errors.ts'
import { bindAgain, endedElsewhere, endLogins } from '../../../net/session/logins.ts'
import {
  bindSession,
  bindSocket,
  hasHappenedSince,
  openSession,
  type Session,
  type SocketClient,
} from '../../../net/session/session.ts'
import type { Net } from '../../../net/session/types.ts'
import { type FakeNet, startFakeNet } from './fake-net.ts'

const ADA = { player: 1, playerId: 'id-1', username: 'ada', empire: 'solarian' }

let fake: FakeNet
let net: Net
let closed: number[]
let sent: { command: string; params: object }[]
beforeEach(async () => {
  fake = await startFakeNet()
  net = { ...fake.server.net, node: 77 }
  closed = []
  sent = []
  vi.spyOn(net.link, 'submit').mockImplementation(({ command, params }) => {
    sent.push({ command, params })
  })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await fake.close()
})

function openSocket(): SocketClient {
  const socket: SocketClient = {
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
    close: (code) => void closed.push(code),
  }
  bindSocket(net.bindings, ADA, socket)
  return socket
}

function openHttp(): Session {
  const session = openSession(net.pools, 'http1', { framing: 'http1', ip: 'x' }) as Session
  bindSession(net.bindings, ADA, session)
  return session
}

test('a newer socket elsewhere closes the one here, and the world is not sent what it knows', () => {
  const socket = openSocket()
  const session = openHttp()
  const before = net.bindings.moves.count
  endedElsewhere(net, { player: 1, what: 'socket' })
  expect([closed, socket.identity, session.identity]).toEqual([[4001], undefined, ADA])
  expect(hasHappenedSince(net.bindings.moves, 1, before)).toBe(true)
  expect(hasHappenedSince(net.bindings.moves, 2, before)).toBe(false)
  expect(sent).toEqual([])
})

test('a reset elsewhere ends all logins here, and those under way', () => {
  openSocket()
  const session = openHttp()
  const before = net.bindings.resets.count
  endedElsewhere(net, { player: 1, what: 'all' })
  expect([closed, session.gone, net.bindings.players.size]).toEqual([[4001], true, 0])
  expect(hasHappenedSince(net.bindings.resets, 1, before)).toBe(true)
  expect(sent).toEqual([])
})

test('a reset here is told to the world, for logins elsewhere, also where nobody is bound', () => {
  void endLogins(net, 1)
  void endLogins({ ...net, node: undefined }, 1)
  expect(sent).toEqual([{ command: 'internal:end_logins', params: { player: 1 } }])
})

test('a reset on one node of several is done once the journal has it', async () => {
  let answer = (): void => {}
  vi.spyOn(net.link, 'submit').mockImplementation(({ command, framing }, sink) => {
    const about = { ref: 1, player: 1, command, framing, stage: 'final' as const, tick: 1 }
    answer = () => void sink({ ...about, outcome: ok({}) })
  })
  let isDone = false
  const done = endLogins(net, 1).then(() => {
    isDone = true
  })
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(isDone).toBe(false)
  answer()
  await done
  openHttp()
  // A server alone has ended them all by itself.
  await endLogins({ ...net, node: undefined }, 1)
})

/** Binds everybody again; returns how the world answers each. */
function bindAllAgain(): ((outcome: Outcome<unknown>) => void)[] {
  const answer: ((outcome: Outcome<unknown>) => void)[] = []
  vi.spyOn(net.link, 'submit').mockImplementation(({ command, params, framing }, sink) => {
    sent.push({ command, params })
    const about = { ref: 1, player: 1, command, framing, stage: 'final' as const, tick: 1 }
    answer.push((outcome) => void sink({ ...about, outcome }))
  })
  bindAgain(net)
  return answer
}

const bind = (channel: string) => ({
  command: 'internal:bind',
  params: { player: 1, channel, node: 77, again: true },
})

test('whom the leader took for gone with the node is bound again, once a channel', () => {
  const socket = openSocket()
  openHttp()
  openHttp()
  for (const answer of bindAllAgain()) answer(ok({}))
  expect(sent).toEqual([bind('ws'), bind('http')])
  expect([closed, socket.identity]).toEqual([[], ADA])
})

test('a socket that is bound again gives way to one that was opened elsewhere meanwhile', () => {
  const socket = openSocket()
  const [answer] = bindAllAgain()
  answer(fail('session_invalid'))
  expect([closed, socket.identity]).toEqual([[4001], undefined])
  expect(sent).toEqual([bind('ws')])
})

test('one that was opened here meanwhile stays', () => {
  openSocket()
  const [answer] = bindAllAgain()
  const newer = openSocket()
  answer(fail('session_invalid'))
  expect([closed, newer.identity]).toEqual([[], ADA])
})

test('who has left before they are bound again is unbound', () => {
  const socket = openSocket()
  const [answer] = bindAllAgain()
  endedElsewhere(net, { player: 1, what: 'all' })
  answer(ok({}))
  expect([closed, socket.identity]).toEqual([[4001], undefined])
  const unbind = { command: 'internal:unbind', params: { player: 1, channel: 'ws', node: 77 } }
  expect(sent).toEqual([bind('ws'), unbind])
})
