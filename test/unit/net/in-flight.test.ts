/** Unanswered commands of one HTTP session: some run at once, more wait, up to a bound. */
import { afterEach, expect, test } from 'vitest'
import { closeNets, loggedIn, post, startNet } from './http-calls.ts'

afterEach(closeNets)

const UNANSWERED = 64
const WAITING = 1_000

test('a session runs 64 commands at once, lets 1,000 more wait and refuses the next', async () => {
  const { port, thread, server } = await startNet({ limits: false })
  const id = await loggedIn(port, 'v2')
  const session = server.net.pools.pools.http2.get(id)
  const until = async (isReached: () => boolean): Promise<void> => {
    while (!isReached()) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const send = (action: string) => post(port, `/api/v2/game/${action}`, {}, id)
  const slow = Array.from({ length: UNANSWERED }, () => send('slow_query'))
  await until(() => session?.inFlight === UNANSWERED)
  const waiting = Array.from({ length: WAITING }, () => send('get_version'))
  await until(() => session?.waiting.length === WAITING)
  const refused = await send('get_version')
  expect({ status: refused.status, error: refused.body.error }).toMatchObject({
    status: 429,
    error: { code: 'rate_limited', details: { limit: 'unanswered' } },
  })
  // A waiting command has not reached the world, which would answer it at once.
  expect({ inFlight: session?.inFlight, waiting: session?.waiting.length }).toEqual({
    inFlight: UNANSWERED,
    waiting: WAITING,
  })
  thread().releaseSlow()
  for (const answer of await Promise.all([...slow, ...waiting])) expect(answer.status).toBe(200)
  expect(session?.inFlight).toBe(0)
})
