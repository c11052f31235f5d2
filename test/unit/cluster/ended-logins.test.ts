/** Of two logins in one row the later one stays, on whichever node it was made. Source: SCALE 5. */
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
  ['a socket elsewhere ends those there were', [bind(THERE)], [ended]],
  ['one here after it stays', [bind(THERE), bind(HERE)], [ended]],
  ['one here before it does not', [bind(HERE), bind(THERE)], [ended, NEWER]],
  ['one here before and one after it', [bind(HERE), bind(THERE), bind(HERE)], [ended]],
  ['a session ends nothing', [bind(HERE), bind(THERE, 'http')], []],
  ['a reset elsewhere ends all', [reset(5)], [{ player: ADA, what: 'all' }]],
  ['a reset sent from here is known here', [reset(9)], []],
  ['also one that an earlier thread has sent', [reset(HERE * REFS_OF_INCARNATION + 3)], []],
])('%s', (_, inputs, expected) => {
  expect(endedLogins(inputs, HERE, new Set([9]))).toEqual(expected)
})
