/** Reads of the archive: a player's wait for each other. */
import { expect, test } from 'vitest'
import { ARCHIVE_READS_PER_PLAYER_MAX } from '../../../core/limits.ts'
import { type ArchiveTurns, inTurn } from '../../../net/session/archive-turns.ts'

test('only some reads of a player run at once, and a failed one makes room', async () => {
  const turns: ArchiveTurns = new Map()
  const begun: (() => void)[] = []
  const read = () =>
    inTurn(turns, 7, async () => {
      await new Promise<void>((resolve) => begun.push(resolve))
      throw new Error('away')
    })
  const reads = Array.from({ length: ARCHIVE_READS_PER_PLAYER_MAX + 2 }, read)
  const ended = Promise.allSettled(reads)
  expect(begun).toHaveLength(ARCHIVE_READS_PER_PLAYER_MAX)
  expect(await inTurn(turns, 8, async () => 'other')).toBe('other')
  expect(await inTurn(turns, 0, async () => 'nobody')).toBe('nobody')
  for (let i = 0; i < begun.length; i++) {
    begun[i]()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(begun).toHaveLength(reads.length)
  expect((await ended).map(({ status }) => status)).toEqual(reads.map(() => 'rejected'))
  expect(turns.size).toBe(0)
})
