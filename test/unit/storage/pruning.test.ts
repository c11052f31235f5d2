/** Retention of the archive where more is old than one statement deletes. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPruneState, pruneArchive } from '../../../storage/archive/prune.ts'
import { type TestDatabase, testDatabase } from './fixture.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

test('a sweep deletes more old actions than one statement may', async () => {
  await database.sql`
    insert into action_log (player, category, event_type, summary, tick, batch, at)
    select 77, 'mining', 'mining.yield', 'Ore.', 1, 1,
      case when n > 25000 then timestamptz '2020-02-20' else '2020-01-01' end
    from generate_series(1, 25003) as n`
  const pruned = await pruneArchive(database.sql, createPruneState(), new Date('2020-03-01'))
  expect(pruned.actions).toBe(25_000)
})
