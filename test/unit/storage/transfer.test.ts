/** Export, import and restore of whole worlds. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ArchiveWrite } from '../../../core/archive-calls.ts'
import type { JournalRow } from '../../../core/ports.ts'
import { newIssuerKey } from '../../../net/session/issuer.ts'
import { createAccounts } from '../../../storage/accounts.ts'
import { createArchive } from '../../../storage/archive/index.ts'
import type { Sql } from '../../../storage/db.ts'
import { readEpoch } from '../../../storage/epoch.ts'
import { StorageDamageError, WorldLockedError } from '../../../storage/errors.ts'
import { type PostgresStore, readJournal } from '../../../storage/journal.ts'
import { restoreWorld } from '../../../storage/restore.ts'
import { listSnapshots } from '../../../storage/snapshots.ts'
import { exportWorld, importWorld } from '../../../storage/transfer.ts'
import { type ExportWriter, readExport } from '../../../storage/transfer-file.ts'
import { exportTable, type RowsFrame } from '../../../storage/transfer-rows.ts'
import {
  commitRows,
  imageAt,
  journalRow,
  openStore,
  plain,
  readAll,
  type TestDatabase,
  testDatabase,
} from './fixture.ts'

let source: TestDatabase
let target: TestDatabase
let folder: string
let file: string

const register = (number: number): ArchiveWrite => ({
  method: 'createPlayer',
  ref: number,
  secret: { passwordHash: 'cd'.repeat(32) },
  args: {
    playerId: `11111111-2222-4333-8444-${String(number).padStart(12, '0')}`,
    number,
    username: `Pilot "${number}"`,
    usernameKey: `pilot ${number}`,
    empire: 'nebula',
  },
})
const say = (content: string): ArchiveWrite => ({
  method: 'postChat',
  args: { channel: 'local', scope: 'local:p', senderId: 's', sender: 'S', content },
})
const act = (summary: string): ArchiveWrite => ({
  method: 'logActions',
  args: {
    rows: [{ player: 1, category: 'other', eventType: 'other.x', summary, data: { b: 1, a: 2 } }],
  },
})
/** Makes the last tick of a battle. */
const fight = (battle: number): ArchiveWrite => ({
  method: 'logBattles',
  args: {
    rows: [
      {
        battle,
        tick: 3,
        kills: 2,
        entry: { b: 1, a: 'x' },
        summary: { duration_ticks: 1, z: 1, y: 2 },
        told: { category: 'pvp' },
        names: ['ann', 'bob'],
      },
    ],
  },
})

/** Makes a trade, and the prices of its hour. */
const trade = (number: number): ArchiveWrite[] => {
  const sold = { bases: ['b'], items: ['ore'], units: [3], credits: [12] }
  const parties = { bought: [true], byStation: [false], fromStation: [true], trades: [2] }
  return [
    { method: 'recordFills', args: { ...sold, ...parties } },
    { method: 'recordPrices', args: { ...sold, tick: number * 360, fills: [2], charted: [true] } },
  ]
}

/** Makes a row in each table of the archive that belongs to society. */
const makeSociety = (number: number): ArchiveWrite[] => {
  const author = { player: 1, authorId: 'a', author: 'A', authorKey: 'a', empire: 'nebula' }
  return [
    {
      method: 'filePetition',
      args: {
        empire: 'nebula',
        player: 1,
        playerId: 'a',
        username: 'A',
        kind: 'petition',
        content: 'x',
      },
    },
    { method: 'createThread', args: { ...author, category: 'lore', title: 't', content: 'c' } },
    { method: 'createReply', args: { ...author, thread: 1, content: `reply ${number}` } },
    { method: 'castVote', args: { player: 10 + number, thread: 1, reply: 0 } },
    { method: 'castVote', args: { player: 10 + number, thread: 1, reply: 1 } },
  ]
}

/** Fills a world with two snapshots, and rows of every kind before, between and after them. */
async function fill(store: PostgresStore): Promise<[number, number]> {
  const step = async (number: number): Promise<number> => {
    const row = journalRow(store.headBatch + 1)
    const log: ArchiveWrite = {
      method: 'addLogEntry',
      args: { player: number, entry: `e${number}` },
    }
    const texts = [say(`said ${number}`), act(`did ${number}`)]
    await store.commit(row, [
      register(number),
      ...texts,
      log,
      fight(number),
      ...trade(number),
      ...makeSociety(number),
    ])
    return row.batch
  }
  await step(1)
  const first = await commitRows(store, 1)
  await store.saveSnapshot(imageAt(first))
  await step(2)
  const second = await commitRows(store, 2)
  await store.saveSnapshot(imageAt(second))
  await step(3)
  await commitRows(store, 2)
  return [first, second]
}

const TABLES = [
  'journal',
  'player',
  'chat',
  'action_log',
  'captains_log',
  'battle_log',
  'battle',
  'account',
  'battle_name',
  'fill',
  'fill_hour',
  'price_hour',
  'petition',
  'forum_thread',
  'forum_reply',
  'forum_vote',
  'api_key',
]

const dump = async ({ sql }: TestDatabase): Promise<Record<string, unknown>> => {
  const found: Record<string, unknown> = {}
  for (const table of TABLES) {
    const rows = await sql<{ row: string }[]>`
      select t::text as row from ${sql(table)} as t order by t::text`
    found[table] = rows.map(({ row }) => row)
  }
  return found
}

beforeAll(async () => {
  source = await testDatabase()
  target = await testDatabase()
  folder = mkdtempSync(join(tmpdir(), 'orrery-export-'))
  file = join(folder, 'world.export')
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await source.close()
  await target.close()
})

test('an imported world equals the exported one and takes commits', async () => {
  const store = await openStore(source.connection)
  await store.ensureSeed(77)
  const [, second] = await fill(store)
  const accounts = createAccounts(source.sql)
  await accounts.accountOf('ann', { email: 'a@example.org' })
  const created = await accounts.createApiKey('ann', 'bot')
  await accounts.issuerKey(newIssuerKey)
  // The server may run while its world is exported.
  const exported = await exportWorld(source.sql, file)
  expect(exported).toMatchObject({ snapshotBatch: second, batch: store.headBatch, journalRows: 3 })
  const image = await store.latestSnapshot()
  const rows = await readAll(store, second)
  await store.close()
  await importWorld(target.connection, file)
  const copy = await openStore(target.connection)
  expect(plain(await copy.latestSnapshot())).toEqual(plain(image))
  expect(await readAll(copy, second)).toEqual(rows)
  expect(await copy.ensureSeed(1)).toBe(77)
  const before = await dump(source)
  const after = await dump(target)
  expect({ ...after, journal: [] }).toEqual({ ...before, journal: [] })
  // API keys are exported with their account, keys that sign tokens are not.
  const key = created.ok ? created.result.key : ''
  const holder = await createAccounts(target.sql).accountByApiKey(key)
  expect(holder).toMatchObject({ accountId: 'ann', email: 'a@example.org' })
  expect(await target.sql`select kid from issuer_key`).toEqual([])
  const next = await copy.commit(journalRow(copy.headBatch + 1), [{ ...say('new'), ref: 1 }])
  expect(next.archived[1]).toMatchObject({ ok: true, result: { id: '4' } })
  await copy.close()
})

test('an import does not overwrite a world by default', async () => {
  await expect(importWorld(target.connection, file)).rejects.toThrow(
    /this schema has a world already/,
  )
  // What strangers were shown of the world before is not that of the new one.
  await target.sql`insert into public_step (tick, base, bytes, body) values (1, null, 1, 'x')`
  await importWorld(target.connection, file, { replace: true })
  expect(await target.sql`select 1 from public_step`).toEqual([])
  expect((await dump(target)).chat).toEqual((await dump(source)).chat)
})

test('a damaged or cut export is refused without a trace', async () => {
  const bytes = readFileSync(file)
  const bad = join(folder, 'bad.export')
  const read = async (content: Buffer): Promise<void> => {
    writeFileSync(bad, content)
    for await (const _ of readExport(bad));
  }
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length * 8 - 1), async (bit) => {
      const copy = Buffer.from(bytes)
      copy[bit >> 3] ^= 1 << (bit & 7)
      await expect(read(copy)).rejects.toThrow(StorageDamageError)
    }),
    { numRuns: 60 },
  )
  for (const length of [0, 5, 40, bytes.length - 33, bytes.length - 1]) {
    await expect(read(bytes.subarray(0, length))).rejects.toThrow(StorageDamageError)
  }
  const before = await dump(target)
  await expect(importWorld(target.connection, bad, { replace: true })).rejects.toThrow(
    StorageDamageError,
  )
  expect(await dump(target)).toEqual(before)
})

test('a restore removes journal, archive and registrations after the snapshot', async () => {
  const { connection, sql } = source
  const [second, first] = (await listSnapshots(sql)).map((row) => row.batch)
  const whole = await dump(source)
  const epoch = await readEpoch(sql)
  const dry = await restoreWorld(connection, first, { dryRun: true })
  expect(await readEpoch(sql)).toBe(epoch)
  expect(await dump(source)).toEqual(whole)
  const restored = await restoreWorld(connection, first)
  expect(await readEpoch(sql)).not.toBe(epoch)
  expect(restored).toEqual(dry)
  expect(restored.cut).toMatchObject({
    snapshot: 1,
    chat: 2,
    action_log: 2,
    captains_log: 2,
    battle_log: 2,
    battle: 2,
    battle_name: 4,
    fill: 2,
    price_hour: 2,
    player: 2,
    petition: 2,
    forum_thread: 2,
    forum_reply: 2,
    forum_vote: 4,
  })
  expect(restored.cut.journal).toBe(second - first + 3)
  // Counts of a thread match its remaining rows.
  const counted = await sql`
    select t.reply_count, t.upvotes, r.upvotes as of_reply from forum_thread t
    join forum_reply r on r.thread = t.id`
  expect([...counted]).toEqual([{ reply_count: 1, upvotes: 1, of_reply: 1 }])
  const store = await openStore(connection)
  // One more row keeps ids of removed rows from being used again.
  expect(store.headBatch).toBe(first + 1)
  expect((await store.latestSnapshot())?.batch).toBe(first)
  const rowsAfter = async () => {
    const rows: JournalRow[] = []
    for await (const row of readJournal(sql, first)) rows.push(row)
    return rows
  }
  expect(await rowsAfter()).toMatchObject([
    { batch: first + 1, inputs: [{ command: 'internal:raise_ids' }] },
  ])
  // The same batch numbers are used again, with other contents.
  const row = journalRow(first + 2, { wallMs: 1_900_000_000_000 })
  await store.commit(row, [register(2)])
  expect((await rowsAfter()).length).toBe(2)
  const history = await createArchive(sql).read({
    method: 'chatHistory',
    args: { channel: 'local', scopes: ['local:p'], limit: 50 },
  })
  expect(JSON.stringify(history)).toContain('said 1')
  expect(JSON.stringify(history)).not.toContain('said 2')
  await expect(restoreWorld(connection, first)).rejects.toThrow(WorldLockedError)
  await store.close()
  await expect(restoreWorld(connection, 9_999)).rejects.toThrow(/no snapshot of batch 9999/)
})

test('frames of an export are bounded by size, so that a reader takes them', async () => {
  const row = { content: 'x'.repeat(1024 * 1024) }
  const pages = [Array.from({ length: 20 }, () => row), [row]]
  const sql = { unsafe: () => ({ cursor: () => pages }) } as unknown as Sql
  const counts: number[] = []
  const writer = {
    add: async (_kind: string, { rows }: RowsFrame) => void counts.push(rows.length),
  } as unknown as ExportWriter
  expect(await exportTable(sql, writer, { table: 'note_text' })).toBe(21)
  expect(counts).toEqual([8, 8, 5])
})
