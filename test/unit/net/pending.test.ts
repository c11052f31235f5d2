/** Pending commands whose player has logged in at another node: who delivers their outcomes. */
import { expect, test } from 'vitest'
import { fail, ok } from '../../../core/errors.ts'
import type { Answer } from '../../../core/ports.ts'
import {
  addPending,
  createPending,
  deliver,
  leaveElsewhere,
  numberSubmission,
} from '../../../net/publish/pending.ts'
import { createRefs } from '../../../net/publish/refs.ts'
import { silentLog } from './fake-net.ts'

const PLAYER = 7

/** Sends a mutation on a socket that stays open; returns what its client reads. */
function sent(framing: 'ws1' | 'http1') {
  const pending = createPending(
    createRefs({ first: 1, take: async () => 2 }, silentLog()),
    silentLog(),
  )
  const orphans: Answer[] = []
  pending.orphan = (answer) => orphans.push(answer)
  const submission = numberSubmission(pending, {
    player: PLAYER,
    command: 'repair',
    params: {},
    framing,
  })
  const read: string[] = []
  addPending(pending, submission, ({ stage }) => read.push(stage) > 0)
  const { ref, player, command } = submission
  const about = { ref, player, command, framing, requestId: undefined, tick: 3 }
  const acknowledge = (): void =>
    deliver(pending, { ...about, stage: 'accepted', outcome: ok({ pending: true }) })
  const decide = (isOutcome: boolean): void =>
    deliver(pending, { ...about, stage: 'final', outcome: fail('hull_full') }, isOutcome)
  return { pending, orphans, read, acknowledge, decide }
}

test('a socket that outlives its login leaves the outcome to the newer one', () => {
  const { pending, orphans, read, acknowledge, decide } = sent('ws1')
  acknowledge()
  leaveElsewhere(pending, new Set([PLAYER]))
  decide(true)
  expect(read).toEqual(['accepted'])
  expect(orphans).toHaveLength(1)
  expect(pending.entries.size).toBe(0)
})

test.each([
  ['an answer that no tick decides', 'ws1', [PLAYER], false],
  ['the outcome of another player', 'ws1', [PLAYER + 1], true],
  ['the outcome of an HTTP request', 'http1', [PLAYER], true],
] as const)('%s still goes to who sent the command', (_title, framing, players, isOutcome) => {
  const { pending, orphans, read, acknowledge, decide } = sent(framing)
  acknowledge()
  leaveElsewhere(pending, new Set(players))
  decide(isOutcome)
  expect(read).toEqual(['accepted', 'final'])
  expect(orphans).toEqual([])
})
