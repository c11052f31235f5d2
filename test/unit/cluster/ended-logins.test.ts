/** Of two logins in one row the later one stays, at whichever node it was made. Source: SCALE 5. */
import { expect, test } from 'vitest'
import { REFS_OF_INCARNATION } from '../../../core/limits-cluster.ts'
import { endedLogins } from '../../../engine/ended-logins.ts'

const HERE = 1
const THERE = 2
const ADA = 7

const bind = (node: number, channel = 'ws', ref = node) => ({
  ref,
  player: ADA,
  command: 'internal:bind',
  framing: 'ws2' as const,
  params: { player: ADA, channel, node },
})
const reset = (ref: number) => ({
  ref,
  player: ADA,
  command: 'internal:end_logins',
  framing: 'ws2' as const,
  params: { player: ADA },
})

const ended = { player: ADA, what: 'socket' }
const NEWER = { ...ended, isNewer: true }

test.each([
  ['a socket at another node ends those here', [bind(THERE)], [ended]],
  ['a later socket here stays', [bind(THERE), bind(HERE)], [ended]],
  ['an earlier socket here is ended too', [bind(HERE), bind(THERE)], [ended, NEWER]],
  [
    'of sockets here before and after it the later stays',
    [bind(HERE), bind(THERE), bind(HERE)],
    [ended],
  ],
  ['an HTTP session at another node ends nothing', [bind(HERE), bind(THERE, 'http')], []],
  ['a reset at another node ends all logins', [reset(5)], [{ player: ADA, what: 'all' }]],
  ['a reset sent from here ends nothing again', [reset(9)], []],
  [
    'a reset sent by an earlier thread here ends nothing again',
    [reset(HERE * REFS_OF_INCARNATION + 3)],
    [],
  ],
])('%s', (_, inputs, expected) => {
  expect(endedLogins(inputs, HERE, new Set([9]))).toEqual(expected)
})
