/**
 * A process for storage-embedded.test.ts: opens a folder's database, commits a row, reports it, and
 * stops on request.
 */
import { openDatabase } from '../../storage/database.ts'
import { openEmbedded } from '../../storage/embedded.ts'
import { journalRow, openStore } from '../unit/storage/fixture.ts'

const dataDir = process.argv[2]
try {
  const database = await openDatabase({ dataDir, schema: 'world', adopt: true })
  await database.migrate()
  const { pid } = await openEmbedded({ dataDir, schema: 'world', adopt: false })
  const store = await openStore(database.connection, { lockWaitMs: 20_000 })
  await store.commit(journalRow(store.headBatch + 1), [])
  const head = store.headBatch
  if (dataDir.endsWith('twice')) await store.close()
  process.stdout.write(JSON.stringify({ pid, head }))
  process.stdin.once('data', async () => {
    if (!dataDir.endsWith('twice')) await store.close()
    await database.stop()
    process.exit(0)
  })
} catch (error) {
  console.error(error)
  process.exit(1)
}
