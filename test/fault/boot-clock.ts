/**
 * A machine that boots in 1970 and learns today's date while the server runs: everything that was
 * measured by the wall clock is decades late at once, and the server answers all the same.
 * `node dist/test/fault/boot-clock.js --count 4`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestDatabase, withDatabase } from '../databases.ts'
import { request } from '../e2e/wire.ts'
import { endChild, figureOf, runAsProgram, sleep, until, type Verdict } from './program.ts'
import { brokenCadence, hire, lostOf, startHeld, TICK_MS, watchTicks } from './staff.ts'

interface BootOptions {
  readonly database: TestDatabase
  /** Times that the clock goes from 1970 to today, on one server. */
  readonly count: number
}

const HANDS = 5
const TICKS_BEFORE = 4
const ASK_FOR_MS = 3_000
const ASK_EVERY_MS = 50
/** What a player would feel. Source: RELIABILITY 5, A1. */
const ANSWER_MS_MAX = 1_000

/** Returns the time of the slowest answer of /health and /metrics over some seconds. */
async function slowestAnswer(url: string): Promise<number> {
  let slowestMs = 0
  const end = performance.now() + ASK_FOR_MS
  while (performance.now() < end) {
    for (const path of ['/health', '/metrics']) {
      const since = performance.now()
      await request(url + path)
      slowestMs = Math.max(slowestMs, performance.now() - since)
    }
    await sleep(ASK_EVERY_MS)
  }
  return slowestMs
}

export async function learnTheDate({ database, count }: BootOptions): Promise<Verdict> {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-boot-'))
  const file = join(folder, 'off')
  const write = (offMs: number): void => writeFileSync(file, String(offMs))
  write(-Date.now())
  const server = await startHeld(database, { ORRERY_TEST_CLOCK: file })
  const hands = await hire(server.url, HANDS)
  const broken: string[] = []
  let slowestMs = 0
  for (let i = 0; i < count; i++) {
    write(-Date.now())
    const tick = await figureOf(server.url, 'orrery_tick')
    // Figures of ticks are held by then.
    await until(
      'under way',
      async () => (await figureOf(server.url, 'orrery_tick')) > tick + TICKS_BEFORE,
    )
    write(0)
    const answerMs = await slowestAnswer(server.url)
    slowestMs = Math.max(slowestMs, answerMs)
    if (answerMs > ANSWER_MS_MAX) broken.push(`an answer took ${Math.round(answerMs)} ms`)
    broken.push(...brokenCadence(await watchTicks(server.url, TICK_MS * 4), 'after the date'))
    broken.push(...(await lostOf(hands, 'after the date')))
  }
  for (const { client } of hands) await client.close()
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
