/** What refusals say that net writes itself, or completes for its clients. */
import { expect, test } from 'vitest'
import { invalidFields } from '../../../core/errors.ts'
import { INBOX_MAX } from '../../../core/limits.ts'
import { createRegistry } from '../../../core/registry.ts'
import type { Framing } from '../../../core/types.ts'
import { fromAnswer } from '../../../net/dispatch.ts'
import { createPending, submitRefusal } from '../../../net/publish/pending.ts'
import { createRefs } from '../../../net/publish/refs.ts'
import { withWait } from '../../../net/session/limited.ts'
import { DOMAINS } from '../../../systems/registry.ts'
import { silentLog } from './fake-net.ts'

const registry = createRegistry(DOMAINS)

test.each([
  ['ws1', 'item_id', 'items.0.item_id'],
  ['ws2', 'id', 'items.0.item_id'],
  ['http2', 'id', 'items.0.item_id'],
  ['mcp2', 'id', 'items.0.item_id'],
] as const)('on %s a command names its wrong parameters %s', (framing: Framing, name, inner) => {
  const def = registry.commands.get('jettison')
  if (!def) throw new Error('there is no command jettison')
  const outcome = invalidFields(
    { field: 'item_id', expected: 'given with quantity' },
    { field: 'items.0.item_id', expected: 'string' },
  )
  const answer = { ref: 1, player: 1, command: 'jettison', stage: 'final', tick: 1 } as const
  const reply = fromAnswer(def, { ...answer, framing, outcome }, false)
  expect(reply.outcome).toMatchObject({
    code: 'invalid_payload',
    message: `Check the parameters: ${name} must be given with quantity; ${inner} must be string.`,
    details: { fields: [{ field: name }, { field: inner }] },
  })
})

test('a full inbox is not called a limit of the player', () => {
  const log = silentLog()
  const pending = createPending(createRefs({ first: 1, take: async () => 2 }, log), log)
  pending.waiting = INBOX_MAX
  const refusal = submitRefusal(pending, { player: 1, command: 'mine', params: {}, framing: 'ws1' })
  if (!refusal || refusal.ok) throw new Error('the command was accepted')
  const { message, details } = withWait(refusal)
  expect(details).toMatchObject({ limit: 'inbox', scope: 'server', wait_seconds: 1 })
  expect(message).toBe(
    'rate_limited (inbox): The server has too many commands waiting already. Retry in 1 second.',
  )
})
