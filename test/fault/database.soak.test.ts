/**
 * Faults of the database: killed, away, full, and wanted by two servers. Most of the time is spent
 * waiting, so they run at the same time, each on a database of its own.
 */
import { expect, test } from 'vitest'
import { withDatabase } from '../databases.ts'
import { takeDatabaseAway } from './database-away.ts'
import { killDatabase } from './database-kill.ts'
import { fillAgainAndAgain } from './disk-full.ts'
import type { Verdict } from './program.ts'
import { swallowAgainAndAgain } from './swallow.ts'
import { serveTwice } from './two-servers.ts'

const KILLS = 10
/** Lengths of the outages: the database is stopped for the first and paused for the second. */
const AWAY_S = [1, 10]
const PATIENCE_MS = 1_200_000

const ROWS: readonly [what: string, run: () => Promise<Verdict>][] = [
  ['kills of the database', () => killDatabase({ count: KILLS, seed: 3 })],
  [
    'outages of the database',
    () => takeDatabaseAway({ count: AWAY_S.length, seed: 3, seconds: AWAY_S }),
  ],
  ['a full disk', () => fillAgainAndAgain({ count: 1, seed: 3, form: 'refuse' })],
  [
    'a second server on the world',
    () => withDatabase((database) => serveTwice({ database, count: 1, seed: 3 })),
  ],
]

async function expectUnbroken(run: () => Promise<Verdict>): Promise<void> {
  const { summary, broken } = await run()
  console.log(summary)
  expect(broken).toEqual([])
}

test.concurrent.each(ROWS)(
  'no command is lost, doubled or half done by %s',
  (_, run) => expectUnbroken(run),
  PATIENCE_MS,
)

// Runs after the others, whose load would slow down the recovery that is measured here.
test(
  'no command is lost, doubled or half done by lost bytes or a slow disk',
  () =>
    expectUnbroken(() =>
      withDatabase((database) => swallowAgainAndAgain({ database, count: 3, seed: 3 })),
    ),
  PATIENCE_MS,
)
