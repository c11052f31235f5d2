/** Jumps of players, which the archive reads from the action log. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { INTEL_MOVES_SEARCHED_MAX } from '../../../core/limits.ts'
import { type Archive, createArchive } from '../../../storage/archive/index.ts'
import type { PostgresStore } from '../../../storage/journal.ts'
import { archiveWrites, type WrittenDown } from '../../archive-writes.ts'
import { journalRow, openStore, type TestDatabase, testDatabase } from './fixture.ts'

let database: TestDatabase
let store: PostgresStore
let archive: Archive

beforeAll(async () => {
  database = await testDatabase()
  archive = createArchive(database.sql)
  store = await openStore(database.connection)
})
afterAll(async () => {
  await store.close()
  await database.close()
})

/** Commits rows of the action log as one batch. */
async function log(wallMs: number, ...rows: object[]): Promise<void> {
  const write = { method: 'logActions', args: { rows }, ref: 1 } as unknown as WrittenDown
  await store.commit(journalRow(store.headBatch + 1, { wallMs }), archiveWrites([write]))
}

test('the jumps of given players are found as far back as requested', async () => {
  const now = 1_790_000_000_000
  const jump = (player: number, to: string, from?: string) => ({
    player,
    category: 'navigation',
    eventType: 'navigation.jumped',
    summary: 'Jumped.',
    data: { system_id: to, ...(from && { from_system_id: from }), first_visit: to === 'b' },
  })
  const docked = { ...jump(8, 'x'), eventType: 'navigation.docked' }
  await log(now, jump(8, 'a'), docked, jump(9, 'c'))
  await log(now + 60_000, jump(8, 'b', 'a'))
  const jumpsOf = async (players: number[], sinceMs: number, limit: number) => {
    const found = await archive.read({ method: 'jumps', args: { players, sinceMs, limit } })
    if (!found.ok) throw new Error(found.code)
    return found.result as { readonly jumps: readonly object[]; readonly truncated: boolean }
  }
  const [firstAt, secondAt] = [now, now + 60_000].map((ms) => new Date(ms).toISOString())
  const first = { player: 8, from: '', to: 'a', first_visit: false, at: firstAt }
  const second = { player: 8, from: 'a', to: 'b', first_visit: true, at: secondAt }
  expect(await jumpsOf([8], 0, 10)).toEqual({ jumps: [second, first], truncated: false })
  expect(await jumpsOf([8], now + 1, 10)).toEqual({ jumps: [second], truncated: false })
  expect(await jumpsOf([8], 0, 1)).toEqual({ jumps: [second], truncated: true })
  expect((await jumpsOf([8, 9], 0, 10)).jumps).toHaveLength(3)
  expect(await jumpsOf([], 0, 10)).toEqual({ jumps: [], truncated: false })
})

test('a list is truncated if moves that could be jumps were not searched', async () => {
  const now = 1_790_000_200_000
  const move = { player: 10, category: 'navigation', summary: 'Moved.', data: { system_id: 'a' } }
  const docked = { ...move, eventType: 'navigation.docked' }
  await log(now, { ...move, eventType: 'navigation.jumped' })
  await log(now + 60_000, ...Array<object>(INTEL_MOVES_SEARCHED_MAX).fill(docked))
  const jumpsSince = async (sinceMs: number) =>
    await archive.read({ method: 'jumps', args: { players: [10], sinceMs, limit: 10 } })
  expect(await jumpsSince(now)).toMatchObject({ result: { jumps: [], truncated: true } })
  expect(await jumpsSince(now + 1)).toMatchObject({ result: { jumps: [], truncated: false } })
})
