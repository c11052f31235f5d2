/** Overload is announced to players: once when it begins, and seldom. */
import { expect, test } from 'vitest'
import { OVERLOAD_NOTICE_EVERY_MS } from '../../../core/limits.ts'
import { startFakeNet } from './fake-net.ts'
import { tickFigures } from './tick-figures.ts'
import { loggedIn } from './ws-client.ts'

test('one chat message of the channel admin, to all online players', async () => {
  const net = await startFakeNet()
  const client = await loggedIn(net.port, '/ws')
  const got = async (): Promise<unknown> => (await client.next()).payload
  const stretch = (stretch: number): void =>
    net.thread().tell({ kind: 'tick_over', figures: tickFigures({ stretch }) })
  for (const times of [1, 3, 4, 1, 2, 1]) stretch(times)
  expect(await got()).toMatchObject({
    channel: 'admin',
    sender_id: 'server',
    content: expect.stringContaining('a tick lasts about 3 s'),
  })
  // Had the second overload been announced at once, its message would come before this one.
  client.send({ type: 'get_status', request_id: 'a' })
  expect((await client.next()).request_id).toBe('a')
  net.clock.advance(OVERLOAD_NOTICE_EVERY_MS)
  stretch(2)
  expect(await got()).toMatchObject({ content: expect.stringContaining('about 2 s') })
  client.ws.close()
  await net.close()
})
