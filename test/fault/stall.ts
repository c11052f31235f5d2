/**
 * The whole server stopped for 20 s, and its main thread blocked for 5 s: afterwards no burst of
 * ticks, nobody closed for our own silence, no watchdog tripped, every question answered.
 * `node dist/test/fault/stall.js --count 5`.
 */
import { type TestDatabase, withDatabase } from '../databases.ts'
import type { ChildServer } from '../servers.ts'

import { dice, endChild, figureOf, runAsProgram, sleep, type Verdict } from './program.ts'
import { brokenCadence, type Hand, hire, lostOf, startHeld, watchTicks } from './staff.ts'

interface StallOptions {
  readonly database: TestDatabase
  readonly count: number
  readonly seed: number
  /** How long the process is stopped each time. */
  readonly stopMs?: number
}

const STOP_MS = 20_000
const BURN_MS = 5_000
const HANDS = 15
const WATCH_MS = 3_000

/**
 * Sends requests during a stall, when nothing can be answered, and checks the answers afterwards.
 */
async function through(
  server: ChildServer,
  hands: readonly Hand[],
  stall: { readonly what: string; run(): Promise<void> },
): Promise<string[]> {
  const ended = await figureOf(server.url, 'orrery_world_thread_ends_total')
  const running = stall.run()
  const asked = hands.map(({ client }) => client.call('get_status'))
  await running
  const cadence = await watchTicks(server.url, WATCH_MS)
  const answers = await Promise.all(asked)
  const unanswered = answers.filter(({ ok }) => !ok)
  const endedNow = await figureOf(server.url, 'orrery_world_thread_ends_total')
  return [
    ...brokenCadence(cadence, `after ${stall.what}`),
    ...unanswered.map(({ code, message }) => `during ${stall.what}: ${code} ${message}`),
    ...(endedNow === ended ? [] : [`${stall.what} ended a world thread`]),
    ...(await lostOf(hands, `after ${stall.what}`)),
  ]
}

export async function stallAgainAndAgain(options: StallOptions): Promise<Verdict> {
  const { database, count, seed, stopMs = STOP_MS } = options
  const roll = dice(seed)
  const server = await startHeld(database, { ORRERY_TEST_BURN_MS: String(BURN_MS) })
  const hands = await hire(server.url, HANDS)
  const broken: string[] = []
  for (let i = 0; i < count; i++) {
    // Any moment of a tick.
    await sleep(500 + roll() * 1_000)
    const stop = async (): Promise<void> => {
      server.process.kill('SIGSTOP')
      await sleep(stopMs)
      server.process.kill('SIGCONT')
    }
    broken.push(...(await through(server, hands, { what: 'the stop', run: stop })))
    await sleep(roll() * 1_000)
    const burn = async (): Promise<void> => {
      server.process.kill('SIGUSR2')
      await sleep(BURN_MS)
    }
    broken.push(...(await through(server, hands, { what: 'the block', run: burn })))
  }
  for (const { client } of hands) await client.close()
  broken.push(...(await endChild(server)))
  const summary = `${count} stops of ${stopMs / 1_000} s and blocks of ${BURN_MS / 1_000} s with ${HANDS} players logged in`
  return { summary, broken }
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Stops the process for 20 s and blocks its main thread for 5 s, `count` times.',
    defaults: { count: 1, seed: 1 },
  },
  ({ count, seed }) => withDatabase((database) => stallAgainAndAgain({ database, count, seed })),
)
