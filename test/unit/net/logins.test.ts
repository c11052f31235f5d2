/** Logins at one node of several: which of them other nodes end, and rebinding them. SCALE 5. */
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

test('a newer socket at another node closes the one here, without telling the world', () => {
  const socket = openSocket()
  const session = openHttp()
  const before = net.bindings.moves.count
  endedElsewhere(net, { player: 1, what: 'socket' })
  expect([closed, socket.identity, session.identity]).toEqual([[4001], undefined, ADA])
  expect(hasHappenedSince(net.bindings.moves, 1, before)).toBe(true)
  expect(hasHappenedSince(net.bindings.moves, 2, before)).toBe(false)
  expect(sent).toEqual([])
})

test('a password reset at another node ends all logins here, also those in progress', () => {
  openSocket()
  const session = openHttp()
  const before = net.bindings.resets.count
  endedElsewhere(net, { player: 1, what: 'all' })
  expect([closed, session.gone, net.bindings.players.size]).toEqual([[4001], true, 0])
  expect(hasHappenedSince(net.bindings.resets, 1, before)).toBe(true)
  expect(sent).toEqual([])
})

test('a password reset is sent to the world at a node, but not without a cluster', () => {
  void endLogins(net, 1)
  void endLogins({ ...net, node: undefined }, 1)
  expect(sent).toEqual([{ command: 'internal:end_logins', params: { player: 1 } }])
})

test('a password reset at a node is done once the world has answered', async () => {
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
  // A server without a cluster waits for no answer.
  await endLogins({ ...net, node: undefined }, 1)
})

/** Binds all players again; returns a function for each command that answers it. */
function bindAllAgain(): ((outcome: Outcome<unknown>) => void)[] {
  const answers: ((outcome: Outcome<unknown>) => void)[] = []
  vi.spyOn(net.link, 'submit').mockImplementation(({ command, params, framing }, sink) => {
    sent.push({ command, params })
    const about = { ref: 1, player: 1, command, framing, stage: 'final' as const, tick: 1 }
    answers.push((outcome) => void sink({ ...about, outcome }))
  })
  bindAgain(net)
  return answers
}

const bind = (channel: string) => ({
  command: 'internal:bind',
  params: { player: 1, channel, node: 77, again: true },
})

test('players of a node that the leader had unbound are bound again, once per channel', () => {
  const socket = openSocket()
  openHttp()
  openHttp()
  for (const answer of bindAllAgain()) answer(ok({}))
  expect(sent).toEqual([bind('ws'), bind('http')])
  expect([closed, socket.identity]).toEqual([[], ADA])
})

test('a socket bound again is closed if a newer one was opened at another node', () => {
  const socket = openSocket()
  const [answer] = bindAllAgain()
  answer(fail('session_invalid'))
  expect([closed, socket.identity]).toEqual([[4001], undefined])
  expect(sent).toEqual([bind('ws')])
})

test('a socket opened here while its player is bound again stays', () => {
  openSocket()
  const [answer] = bindAllAgain()
  const newer = openSocket()
  answer(fail('session_invalid'))
  expect([closed, newer.identity]).toEqual([[], ADA])
})

test('a player who leaves while being bound again is unbound', () => {
  const socket = openSocket()
  const [answer] = bindAllAgain()
  endedElsewhere(net, { player: 1, what: 'all' })
  answer(ok({}))
  expect([closed, socket.identity]).toEqual([[4001], undefined])
  const unbind = { command: 'internal:unbind', params: { player: 1, channel: 'ws', node: 77 } }
  expect(sent).toEqual([bind('ws'), unbind])
})
