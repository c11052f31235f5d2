/** Reading a channel moves its watermark, by a touch in the next batch. */
import { beforeAll, expect, test } from 'vitest'
import { createInbox, NO_REPLY, receive } from '../../../core/inbox.ts'
import { isoTime } from '../../../core/time.ts'
import type { Eid } from '../../../core/types.ts'
import { renderPlayerStatus } from '../../../systems/account/views.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

let small: SmallWorld
let player: Eid

beforeAll(async () => {
  small = await smallWorld({ players: 1 })
  player = small.players[0]
})

const summary = () => {
  const { outcome } = submit('internal:chat_summary', {})
  return outcome?.ok ? (outcome.result as Record<string, { sinceMs: number }>) : undefined
}

function submit(command: string, params: Record<string, unknown>) {
  const inbox = createInbox()
  const submission = { ref: 9_999, player: 1, command, params, framing: 'ws1' as const }
  const answer = receive(small.world, small.registry, inbox, submission)
  return { outcome: answer?.outcome, touches: inbox.immediates }
}

test('get_chat_history submits one touch, without waiting for its answer', () => {
  const { outcome, touches } = submit('get_chat_history', { channel: 'system' })
  expect(outcome?.ok).toBe(true)
  expect(touches).toEqual([
    {
      ref: NO_REPLY,
      player: 1,
      framing: 'ws1',
      command: 'internal:chat_seen',
      params: { channel: 'system' },
    },
  ])
})

test('a channel that the player may not read is refused and touches nothing', () => {
  const { outcome, touches } = submit('get_chat_history', { channel: 'faction' })
  expect(outcome?.ok).toBe(false)
  expect(touches).toEqual([])
})

test('the touch moves the watermark of its channel only', () => {
  expect(summary()?.system.sinceMs).toBe(0)
  small.ask(player, 'internal:chat_seen', { channel: 'system' })
  expect(summary()?.system.sinceMs).toBe(small.world.wallMs)
  expect(summary()?.local.sinceMs).toBe(0)
  const { last_chat_check: read } = renderPlayerStatus(small.world, player)
  expect(read).toBe(isoTime(small.world.wallMs))
})

test('a channel that was read in this tick touches nothing more', () => {
  small.ask(player, 'internal:chat_seen', { channel: 'system' })
  expect(submit('get_chat_history', { channel: 'system' }).touches).toEqual([])
  small.ticks(2)
  expect(submit('get_chat_history', { channel: 'system' }).touches).toHaveLength(1)
})
