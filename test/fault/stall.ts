/**
 * Stops the whole server for 20 s and blocks its main thread for 5 s. Afterwards there must be no
 * burst of ticks, no socket closed because of the pause, no end of a world thread, and an answer to
 * every query.
 * `node dist/test/fault/stall.js --count 5`.
 */
import { type TestDatabase, withDatabase } from '../databases.ts'
import type { ChildServer } from '../servers.ts'

import { dice, endChild, figureOf, runAsProgram, sleep, type Verdict } from './program.ts'
import {
  brokenCadence,
  lostLogins,
  registerStaff,
  type StaffMember,
  startHeld,
  watchTicks,
} from './staff.ts'

interface StallOptions {
  readonly database: TestDatabase
  readonly count: number
  readonly seed: number
  /** How long the process is stopped each time. */
  readonly stopMs?: number
}

const STOP_MS = 20_000
const BLOCK_MS = 5_000
const STAFF_COUNT = 15
const WATCH_MS = 3_000

/**
 * Sends requests during a stall, when nothing can be answered, and checks the answers afterwards.
 */
async function checkStall(
  server: ChildServer,
  staff: readonly StaffMember[],
  stall: { readonly what: string; run(): Promise<void> },
): Promise<string[]> {
  const endsBefore = await figureOf(server.url, 'orrery_world_thread_ends_total')
  const running = stall.run()
  const pending = staff.map(({ client }) => client.call('get_status'))
  await running
  const cadence = await watchTicks(server.url, WATCH_MS)
  const answers = await Promise.all(pending)
  const unanswered = answers.filter(({ ok }) => !ok)
  const ends = await figureOf(server.url, 'orrery_world_thread_ends_total')
  return [
    ...brokenCadence(cadence, `after ${stall.what}`),
    ...unanswered.map(({ code, message }) => `during ${stall.what}: ${code} ${message}`),
    ...(ends === endsBefore ? [] : [`${stall.what} ended a world thread`]),
    ...(await lostLogins(staff, `after ${stall.what}`)),
  ]
}

export async function stallAgainAndAgain(options: StallOptions): Promise<Verdict> {
  const { database, count, seed, stopMs = STOP_MS } = options
  const roll = dice(seed)
  const server = await startHeld(database, { ORRERY_TEST_BURN_MS: String(BLOCK_MS) })
  const staff = await registerStaff(server.url, STAFF_COUNT)
  const broken: string[] = []
  for (let i = 0; i < count; i++) {
    // Strikes at any moment of a tick.
    await sleep(500 + roll() * 1_000)
    const stop = async (): Promise<void> => {
      server.process.kill('SIGSTOP')
      await sleep(stopMs)
      server.process.kill('SIGCONT')
    }
    broken.push(...(await checkStall(server, staff, { what: 'the stop', run: stop })))
    await sleep(roll() * 1_000)
    const block = async (): Promise<void> => {
      server.process.kill('SIGUSR2')
      await sleep(BLOCK_MS)
    }
    broken.push(...(await checkStall(server, staff, { what: 'the block', run: block })))
  }
  for (const { client } of staff) await client.close()
  broken.push(...(await endChild(server)))
  const summary =
    `${count} stops of ${stopMs / 1_000} s and blocks of ${BLOCK_MS / 1_000} s ` +
    `with ${STAFF_COUNT} players logged in`
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
