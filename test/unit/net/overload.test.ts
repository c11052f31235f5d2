/** An overload is announced to players when it begins, but not again soon after. */
import { expect, test } from 'vitest'
import { OVERLOAD_NOTICE_EVERY_MS } from '../../../core/limits.ts'
import { startFakeNet } from './fake-net.ts'
import { tickFigures } from './tick-figures.ts'
import { loggedIn } from './ws-client.ts'

test('an overload is announced in the admin channel, and the next only after a while', async () => {
  const net = await startFakeNet()
  const client = await loggedIn(net.port, '/ws')
  const nextPayload = async (): Promise<unknown> => (await client.next()).payload
  const reportStretch = (stretch: number): void =>
    net.thread().tell({ kind: 'tick_over', figures: tickFigures({ stretch }) })
  for (const stretch of [1, 3, 4, 1, 2, 1]) reportStretch(stretch)
  expect(await nextPayload()).toMatchObject({
    channel: 'admin',
    sender_id: 'server',
    content: expect.stringContaining('a tick lasts about 3 s'),
  })
  // Had the second overload been announced at once, its message would come before this one.
  client.send({ type: 'get_status', request_id: 'a' })
  expect((await client.next()).request_id).toBe('a')
  net.clock.advance(OVERLOAD_NOTICE_EVERY_MS)
  reportStretch(2)
  expect(await nextPayload()).toMatchObject({ content: expect.stringContaining('about 2 s') })
  client.ws.close()
  await net.close()
})
