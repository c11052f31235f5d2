/**
 * Rules that hold for every answer: times are text with milliseconds, a missing time is never shown
 * as 1970, and an empty list is page 1 of 1.
 */
import { expect, test } from 'vitest'
import type { Params } from '../../bench/client.ts'
import { isMutation } from '../../core/command.ts'
import { createRegistry } from '../../core/registry.ts'
import { DOMAINS } from '../../systems/registry.ts'
import { useTestDatabase, useTestServer } from '../used-server.ts'
import { newPlayer, post } from './wire.ts'

const server = useTestServer(useTestDatabase(), { isSmallMap: true })

/** Commands that only read: neither those of sessions nor those that write. */
const READS = [...createRegistry(DOMAINS).commands.values()].filter(
  (def) =>
    def.v1 !== false &&
    !def.name.startsWith('internal:') &&
    !isMutation(def) &&
    (def.kind === 'query' || (def.kind === 'archive' && def.as === 'query')),
)

/** Parameters for commands that require some. */
const PARAMS: Readonly<Record<string, Params>> = {
  catalog: { type: 'items', search: 'no such thing' },
  get_chat_history: { channel: 'system' },
  facility: { action: 'types', name: 'no such thing' },
}

const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g
/** Commands whose times serve as cursors: finer than a millisecond, to tell two messages apart. */
const CURSOR_COMMANDS = new Set(['get_chat_history'])

test('no answer to a new player has a time of 1970 or zero pages', async () => {
  const { body } = await post(`${server.url}/api/v1/register`, newPlayer())
  const header = { 'x-session-id': String((body.session as Params).id) }
  await post(`${server.url}/api/v1/chat`, { channel: 'system', content: 'Hello.' }, header)
  const wrong: string[] = []
  let answered = 0
  for (const { name } of READS) {
    const { text, status } = await post(`${server.url}/api/v1/${name}`, PARAMS[name] ?? {}, header)
    if (status === 200) answered += 1
    for (const [time] of text.matchAll(TIME)) {
      if (time < '2000') wrong.push(`${name}: ${time}`)
      else if (CURSOR_COMMANDS.has(name)) continue
      else if (!/\.\d{3}Z$/.test(time)) wrong.push(`${name}: ${time}`)
    }
    for (const [field] of text.matchAll(/"\w+_at":0\b/g)) wrong.push(`${name}: ${field}`)
    if (/"total_pages":0/.test(text)) wrong.push(`${name}: page 1 of 0`)
  }
  expect(wrong).toEqual([])
  expect(answered).toBeGreaterThan(40)
})
