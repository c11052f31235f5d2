/**
 * The database killed, away, full, and wanted by two servers, at the counts of CI. Most of it is
 * waiting, so they run side by side, each on a database of its own.
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
/** Stopped and held still, in turns. */
const AWAY_S = [1, 10]
const PATIENCE_MS = 1_200_000

const ROWS: readonly [what: string, run: () => Promise<Verdict>][] = [
  ['the database killed, answers lost', () => killDatabase({ count: KILLS, seed: 3 })],
  ['the database away', () => takeDatabaseAway({ count: AWAY_S.length, seed: 3, seconds: AWAY_S })],
  ['the disk full', () => fillAgainAndAgain({ count: 1, seed: 3, form: 'refuse' })],
  ['two servers', () => withDatabase((database) => serveTwice({ database, count: 1, seed: 3 }))],
]

async function expectSound(run: () => Promise<Verdict>): Promise<void> {
  const { summary, broken } = await run()
  console.log(summary)
  expect(broken).toEqual([])
}

test.concurrent.each(ROWS)(
  '%s: nothing is lost, doubled or half done',
  (_, run) => expectSound(run),
  PATIENCE_MS,
)

// After the others, whose servers and databases would take the time that it is judged by.
test(
  'bytes swallowed on the way, and a slow disk: nothing is lost, doubled or half done',
  () =>
    expectSound(() =>
      withDatabase((database) => swallowAgainAndAgain({ database, count: 3, seed: 3 })),
    ),
  PATIENCE_MS,
)
