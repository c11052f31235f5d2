/** Committing a batch: its messages are built early, and sent only once it is durable. */
import { expect, test } from 'vitest'
import type { JournalRow } from '../../../core/ports.ts'
import { runTick } from '../../../core/tick.ts'
import type { JournalInput } from '../../../core/types.ts'
import { rowOfBatch } from '../../../core/wire/describe.ts'
import { commitBatch } from '../../../engine/commit.ts'
import { onSmallMap, smallWorld } from '../../small-world.ts'

onSmallMap()

const PLAYERS = 12
const WALL_MS = 1_800_000_000_000

async function undockingBatch() {
  const small = await smallWorld({ players: PLAYERS })
  const { engine, world } = small
  const inputs = Array.from({ length: PLAYERS }, (_, i): JournalInput => {
    const framing = i % 2 === 0 ? 'ws1' : 'ws2'
    return { ref: i + 1, player: i + 1, command: 'undock', params: {}, framing }
  })
  const run = runTick(engine, inputs, WALL_MS)
  return { store: small.store, engine, run, row: rowOfBatch(world, run, 0) }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('the messages of a batch are built in slices while it is written, and sent afterwards', async () => {
  const { engine, run, row, store } = await undockingBatch()
  let write: (row: JournalRow) => void = () => {}
  const steps: string[] = []
  let nowMs = 0
  const committed = commitBatch(
    {
      engine,
      store: { ...store, commit: () => new Promise((resolve) => (write = resolve)) },
      // Each reading of the clock takes 2 ms, so slices are short.
      monotonicMs: () => (nowMs += 2),
      busy: (busy) => busy && steps.push('slice'),
      onDurable: () => steps.push('durable'),
    },
    run,
    row,
    run.outbox.writes,
  ).then((result) => {
    steps.push('sent')
    return result
  })
  for (let i = 0; i < 100; i++) await turn()
  expect(steps.length).toBeGreaterThan(PLAYERS / 3)
  expect(new Set(steps)).toEqual(new Set(['slice']))
  write(row)
  const { batch } = await committed
  expect(steps.slice(-2)).toEqual(['durable', 'sent'])
  expect(batch.answers).toHaveLength(PLAYERS)
  expect(batch.answers.every(({ packed }) => packed !== undefined)).toBe(true)
})

test('a batch whose answers depend on the archive is built only once it is written', async () => {
  const { engine, run, row, store } = await undockingBatch()
  const steps: string[] = []
  await commitBatch(
    {
      engine,
      store: {
        ...store,
        commit: async () => {
          steps.push('written')
          return row
        },
      },
      monotonicMs: () => 0,
      busy: (busy) => busy && steps.push('slice'),
      onDurable: () => steps.push('durable'),
    },
    run,
    row,
    [{ method: 'dropNote', ref: 1, args: { note: 1 } }],
  )
  expect(steps.slice(0, 2)).toEqual(['written', 'durable'])
})
