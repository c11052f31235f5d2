/** Bounds of public reads: how many may run at once, and for how long. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ArchiveRead } from '../../../core/archive-calls.ts'
import { createArchive } from '../../../storage/archive/index.ts'
import { connect, disconnect, isTransient, type Sql } from '../../../storage/db.ts'
import { type TestDatabase, testDatabase } from './fixture.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  await database.close()
})

describe('public reads', () => {
  const ask: ArchiveRead = { method: 'fillStats', args: { tick: 1, since: 0 } }

  test('are refused beyond 32 at once, while other reads are still answered', async () => {
    let statements = 0
    const stuck = (() => {
      statements++
      return new Promise(() => {})
    }) as unknown as Sql
    const busy = createArchive(database.sql, 5_000, stuck)
    for (let i = 0; i < 32; i++) void busy.read(ask)
    const allowed = statements
    expect(allowed).toBeGreaterThan(0)
    expect(await busy.read(ask)).toMatchObject({ ok: false, code: 'persist_timeout' })
    expect(statements).toBe(allowed)
    expect(await busy.read({ method: 'readLog', args: { player: 1 } })).toMatchObject({ ok: true })
  })

  test('of the forum use the connections of strangers, and are refused beyond 128 at once', async () => {
    let statements = 0
    const stuck = (() => {
      statements++
      return new Promise(() => {})
    }) as unknown as Sql
    const busy = createArchive(database.sql, 5_000, stuck)
    const count: ArchiveRead = { method: 'countForum', args: {} }
    for (let i = 0; i < 128; i++) void busy.read(count)
    const allowed = statements
    expect(allowed).toBeGreaterThanOrEqual(128)
    expect(await busy.read(count)).toMatchObject({ ok: false, code: 'persist_timeout' })
    expect(statements).toBe(allowed)
    expect(await busy.read({ method: 'readLog', args: { player: 1 } })).toMatchObject({ ok: true })
  })

  test('are ended by the database when they take too long', async () => {
    const sql = connect(database.connection, { name: 'slow', statementTimeoutMs: 50 })
    const error = await sql`select pg_sleep(30)`.catch((refused: unknown) => refused)
    expect(error).toMatchObject({ code: '57014' })
    expect(isTransient(error)).toBe(true)
    await disconnect(sql, 0)
  })
})
