/** Unanswered commands of one HTTP session: some run at once, more wait, up to a bound. */
import { afterEach, expect, test } from 'vitest'
import { closeNets, loggedIn, net, post } from './http-calls.ts'

afterEach(closeNets)

const UNANSWERED = 64
const WAITING = 1_000

test('64 run, the 65th waits for one of them, the 1,065th is refused; all are answered', async () => {
  const { port, thread, server } = await net({ limits: false })
  const id = await loggedIn(port, 'v2')
  const session = server.net.pools.pools.http2.get(id)
  const until = async (isThere: () => boolean): Promise<void> => {
    while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const ask = (action: string) => post(port, `/api/v2/game/${action}`, {}, id)
  const slow = Array.from({ length: UNANSWERED }, () => ask('slow_query'))
  await until(() => session?.inFlight === UNANSWERED)
  const waiting = Array.from({ length: WAITING }, () => ask('get_version'))
  await until(() => session?.waiting.length === WAITING)
  const refused = await ask('get_version')
  expect({ status: refused.status, error: refused.body.error }).toMatchObject({
    status: 429,
    error: { code: 'rate_limited', details: { limit: 'unanswered' } },
  })
  // What waits has not been asked of the world, quick as it would be.
  expect({ inFlight: session?.inFlight, waiting: session?.waiting.length }).toEqual({
    inFlight: UNANSWERED,
    waiting: WAITING,
  })
  thread().releaseSlow()
  for (const answer of await Promise.all([...slow, ...waiting])) expect(answer.status).toBe(200)
  expect(session?.inFlight).toBe(0)
})
