/** Rows reach a replica in order and once, whatever the bus does. SCALE 4. */
import { expect, test, vi } from 'vitest'
import { LEADER_SILENCE_MS, ROWS_POLL_MS } from '../../../core/limits-cluster.ts'
import type { JournalRow } from '../../../core/ports.ts'
import { createRowFeed } from '../../../engine/row-feed.ts'
import { createRowJoiner, splitRow } from '../../../storage/bus-messages.ts'
import { CHAIN_START, type EncodedRow, encodeJournalRow } from '../../../storage/journal-row.ts'
import { memoryBus } from '../../memory-bus.ts'
import { journalRow } from '../storage/fixture.ts'

/** When rows on the bus became durable. */
const DURABLE_MS = 7_000

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

/** Returns rows 1 to `count`, as the leader encodes them. */
function chainOf(count: number): EncodedRow[] {
  const rows: EncodedRow[] = []
  for (let batch = 1; batch <= count; batch++) {
    rows.push(encodeJournalRow(journalRow(batch), rows.at(-1)?.checksum ?? CHAIN_START))
  }
  return rows
}

function rig(rows: readonly EncodedRow[]) {
  const bus = memoryBus()
  const failed: unknown[] = []
  let head = 0
  const feed = createRowFeed({
    bus,
    subject: 'rows',
    store: {
      async *rowsAfter(batch) {
        for (const row of rows.slice(batch, head)) {
          yield { row: journalRow(row.batch), checksum: row.checksum }
        }
      },
    },
    batch: 0,
    checksum: CHAIN_START,
    arrived: () => {},
    failed: (error) => void failed.push(error),
    warn: () => {},
  })
  const taken = (): number[] => {
    const batches: number[] = []
    for (let row: JournalRow | undefined = feed.next(); row; row = feed.next()) {
      batches.push(row.batch)
    }
    return batches
  }
  const send = async (...batches: number[]): Promise<void> => {
    for (const batch of batches) {
      head = Math.max(head, batch)
      for (const part of splitRow(rows[batch - 1], DURABLE_MS).parts) bus.publish('rows', part)
    }
    await turn()
  }
  const commit = (batch: number): void => {
    head = batch
  }
  return { bus, feed, failed, taken, send, commit }
}

test('each row on the bus is taken once, even if it is sent twice', async () => {
  const { send, taken, feed } = rig(chainOf(4))
  await send(1, 2, 2, 1, 3)
  expect([taken(), feed.filled()]).toEqual([[1, 2, 3], 0])
})

test('a row from the bus has the time at which it became durable', async () => {
  const { send, feed, commit } = rig(chainOf(2))
  await send(1)
  commit(2)
  feed.follow({ leadership: 1, from: 0, head: 2 })
  await turn()
  expect([feed.next()?.durableMs, feed.next()?.durableMs]).toEqual([DURABLE_MS, undefined])
})

test('a gap is filled from the database at the next row or beat of the leader', async () => {
  const { send, taken, feed, commit } = rig(chainOf(9))
  await send(1, 4)
  expect(taken()).toEqual([1, 2, 3, 4])
  commit(6)
  feed.follow({ leadership: 1, from: 0, head: 6 })
  await turn()
  expect([taken(), feed.filled()]).toEqual([[5, 6], 5])
})

test('rows are read from the database while nothing is heard from the leader', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  try {
    const { feed, taken, commit } = rig(chainOf(3))
    commit(2)
    vi.advanceTimersByTime(LEADER_SILENCE_MS)
    await turn()
    expect(taken()).toEqual([])
    vi.advanceTimersByTime(ROWS_POLL_MS)
    await turn()
    expect(taken()).toEqual([1, 2])
    await feed.close()
  } finally {
    vi.useRealTimers()
  }
})

test('a row that does not continue the chain is read from the database instead', async () => {
  const rows = chainOf(3)
  const other = encodeJournalRow(journalRow(2, { wallMs: 1 }), CHAIN_START)
  const { bus, send, taken, commit } = rig(rows)
  await send(1)
  commit(2)
  for (const part of splitRow(other, 0).parts) bus.publish('rows', part)
  await turn()
  await send(3)
  expect(taken()).toEqual([1, 2, 3])
})

test('a row of many parts is joined, or dropped if a part is missing', () => {
  // A text that hardly compresses.
  const text = Array.from({ length: 250_000 }, (_, i) => Math.imul(i, 0x9e3779b1).toString(36))
  const params = { text: text.join() }
  const inputs = [{ ref: 1, player: 1, command: 'write', params, framing: 'ws1' as const }]
  const row = encodeJournalRow(journalRow(1, { inputs }), CHAIN_START)
  const { parts, bytes } = splitRow(row, 0)
  expect(bytes).toBeGreaterThan(params.text.length)
  expect(parts.length).toBeGreaterThan(1)
  for (const part of parts) expect(part.length).toBeLessThan(524_288 + 1_024)
  const join = createRowJoiner()
  const all = parts.map(join)
  expect(all.slice(0, -1)).toEqual(parts.slice(1).map(() => undefined))
  expect(all.at(-1)?.checksum).toEqual(Buffer.from(row.checksum))
  expect(parts.slice(1).map(createRowJoiner())).toEqual(parts.slice(1).map(() => undefined))
})
