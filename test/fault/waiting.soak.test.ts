/**
 * Faults that take time rather than work: silent sockets, a stopped process, a moved clock, readers
 * that stop. They run at the same time; each is also a program, for larger counts.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { embeddedDatabase, type TestDatabase } from '../databases.ts'
import { learnTheDate } from './boot-clock.ts'
import { moveClock } from './clock.ts'
import { runProgram, type Verdict } from './program.ts'
import { stopReaders } from './slow.ts'
import { stallAgainAndAgain } from './stall.ts'

const PATIENCE_MS = 300_000

let database: TestDatabase
beforeAll(async () => {
  database = await embeddedDatabase()
})
afterAll(async () => {
  await database.close()
})

const expectUnbroken = ({ summary, broken }: Verdict): void => {
  console.log(summary)
  expect(broken).toEqual([])
}

test.concurrent(
  'silent sockets are closed with 1000 after 60 to 70 s, and ships in battle turn pilotless',
  async () => expectUnbroken(await runProgram('half-open', '--idlers', '5')),
  PATIENCE_MS,
)

test.concurrent(
  'a stopped process or a blocked main thread causes no burst of ticks and closes no socket',
  async () => expectUnbroken(await stallAgainAndAgain({ database, count: 1, seed: 1 })),
  PATIENCE_MS,
)

test.concurrent(
  'a moved wall clock leaves ticks and sessions alone, and tokens follow it',
  async () => expectUnbroken(await moveClock({ database, count: 2, seed: 0 })),
  PATIENCE_MS,
)

test.concurrent(
  'a clock that jumps from 1970 to today delays no answer and ends no session',
  async () => expectUnbroken(await learnTheDate({ database, count: 1 })),
  PATIENCE_MS,
)

test.concurrent(
  'clients that stop reading are closed with 1000, and no others',
  async () => {
    const options = { database, players: 100, slow: 5, seed: 1, growthMbMax: 150, isJudged: false }
    expectUnbroken(await stopReaders(options))
  },
  PATIENCE_MS,
)
