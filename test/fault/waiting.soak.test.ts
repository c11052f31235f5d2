/**
 * Faults that take time rather than work: silent sockets, a stopped process, a moved clock, readers
 * that stop. They wait side by side; each has a program for the large counts.
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

const judge = ({ summary, broken }: Verdict): void => {
  console.log(summary)
  expect(broken).toEqual([])
}

test.concurrent(
  'sockets that fall silent are closed with 1000 after 60 to 70 s, and their ships stay behind',
  async () => judge(await runProgram('half-open', '--idlers', '5')),
  PATIENCE_MS,
)

test.concurrent(
  'a stopped process and a blocked main thread: no burst of ticks, nobody closed',
  async () => judge(await stallAgainAndAgain({ database, count: 1, seed: 1 })),
  PATIENCE_MS,
)

test.concurrent(
  'the wall clock set forth and back: ticks and sessions stay, tokens follow the new time',
  async () => judge(await moveClock({ database, count: 2, seed: 0 })),
  PATIENCE_MS,
)

test.concurrent(
  'a machine that boots in 1970 and learns the date: answers within a second, no session lost',
  async () => judge(await learnTheDate({ database, count: 1 })),
  PATIENCE_MS,
)

test.concurrent(
  'readers that stop are closed with 1000; the others lose nothing',
  async () => {
    const options = { database, players: 100, slow: 5, seed: 1, growthMbMax: 150, isJudged: false }
    judge(await stopReaders(options))
  },
  PATIENCE_MS,
)
