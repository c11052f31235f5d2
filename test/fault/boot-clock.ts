/**
 * A machine that boots in 1970 and gets today's date while the server runs: everything measured by
 * the wall clock is suddenly decades late, and the server must still answer.
 * `node dist/test/fault/boot-clock.js --count 4`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestDatabase, withDatabase } from '../databases.ts'
import { request } from '../e2e/wire.ts'
import { endChild, figureOf, runAsProgram, sleep, until, type Verdict } from './program.ts'
import {
  brokenCadence,
  lostLogins,
  registerStaff,
  startHeld,
  TICK_MS,
  watchTicks,
} from './staff.ts'

interface BootOptions {
  readonly database: TestDatabase
  /** Number of times that the clock jumps from 1970 to today, on one server. */
  readonly count: number
}

const STAFF_COUNT = 5
const TICKS_BEFORE = 4
const PROBE_FOR_MS = 3_000
const PROBE_EVERY_MS = 50
/** Source: RELIABILITY 5, A1. */
const ANSWER_MS_MAX = 1_000

/** Returns the time of the slowest answer of /health and /metrics over some seconds. */
async function slowestAnswer(url: string): Promise<number> {
  let slowestMs = 0
  const end = performance.now() + PROBE_FOR_MS
  while (performance.now() < end) {
    for (const path of ['/health', '/metrics']) {
      const since = performance.now()
      await request(url + path)
      slowestMs = Math.max(slowestMs, performance.now() - since)
    }
    await sleep(PROBE_EVERY_MS)
  }
  return slowestMs
}

export async function learnTheDate({ database, count }: BootOptions): Promise<Verdict> {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-boot-'))
  const file = join(folder, 'offset')
  const write = (offsetMs: number): void => writeFileSync(file, String(offsetMs))
  write(-Date.now())
  const server = await startHeld(database, { ORRERY_TEST_CLOCK: file })
  const staff = await registerStaff(server.url, STAFF_COUNT)
  const broken: string[] = []
  let slowestMs = 0
  for (let i = 0; i < count; i++) {
    write(-Date.now())
    const tick = await figureOf(server.url, 'orrery_tick')
    // By then the server keeps figures of its ticks.
    await until(
      'past the first ticks',
      async () => (await figureOf(server.url, 'orrery_tick')) > tick + TICKS_BEFORE,
    )
    write(0)
    const answerMs = await slowestAnswer(server.url)
    slowestMs = Math.max(slowestMs, answerMs)
    if (answerMs > ANSWER_MS_MAX) broken.push(`an answer took ${Math.round(answerMs)} ms`)
    broken.push(...brokenCadence(await watchTicks(server.url, TICK_MS * 4), 'after the date'))
    broken.push(...(await lostLogins(staff, 'after the date')))
  }
  for (const { client } of staff) await client.close()
  broken.push(...(await endChild(server)))
  rmSync(folder, { recursive: true })
  return {
    summary: `1970 became today ${count} times; slowest answer ${Math.round(slowestMs)} ms`,
    broken,
  }
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Boots the server in 1970 and sets the date, `count` times.',
    defaults: { count: 4 },
  },
  ({ count }) => withDatabase((database) => learnTheDate({ database, count })),
)
