/**
 * A replica that starts again: commands sent before are answered, and logins that ended meanwhile
 * are reported. Source: SCALE 4 and 5.
 */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { REFS_OF_INCARNATION } from '../../../core/limits-cluster.ts'
import type { JournalRow, PublishedBatch, ToMain, WorldImage } from '../../../core/ports.ts'
import { createFollower } from '../../../engine/follower.ts'
import { openSection } from '../../../engine/start.ts'
import type { ReplicaStore } from '../../../storage/replica.ts'
import { memoryBus } from '../../memory-bus.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

const NODE = 7
const OTHER = 8

let small: SmallWorld
let first: WorldImage
let rows: JournalRow[]
let end: () => Promise<void>
beforeEach(async () => {
  small = await smallWorld()
  small.join('Ada')
  first = small.image()
  rows = []
  end = async () => {}
})
afterEach(() => end())

/** Runs a command as if a node had sent it. */
function run(sender: number, command: string, params: object): void {
  small.ask(0, command, params)
  const row = small.journal[small.journal.length - 1]
  const sent = (ref: number | string): number => sender * REFS_OF_INCARNATION + Number(ref)
  rows.push({
    ...row,
    inputs: row.inputs.map((input) => ({ ...input, ref: sent(input.ref) })),
    archived: Object.fromEntries(
      Object.entries(row.archived).map(([ref, outcome]) => [sent(ref), outcome]),
    ),
  })
}

const bind = (node: number, channel = 'ws') =>
  run(node, 'internal:bind', { player: 1, channel, node })

/** Starts a replica whose main thread lacks the batches of `rows`; returns its messages to it. */
async function startAgain(): Promise<ToMain[]> {
  const messages: ToMain[] = []
  const { registry } = small
  const { tickMs, maxEntities } = small.world
  const store: Partial<ReplicaStore> = {
    latestSnapshot: async () => first,
    checksumAt: async () => new Uint8Array(),
    async *rowsAfter(batch) {
      for (const row of rows) if (row.batch > batch) yield { row, checksum: new Uint8Array() }
    },
    takeIncarnation: async () => 99,
  }
  const follower = await createFollower({
    ...{ registry, tickMs, maxEntities, bus: memoryBus(), store: store as ReplicaStore },
    ...{ worldName: 'w', node: NODE, lastPublished: first.batch },
    identity: { node: NODE, role: 'gateway', host: 'here', pid: 1, release: '0.0.0' },
    clock: { wallMs: () => 0, monotonicMs: () => performance.now(), at: () => () => {} },
    section: (world) => openSection(world, registry),
    ...{ manual: false, snapshotEvery: 1_000, checkEvery: 1_000, hashEvery: 1_000 },
    describe: () => '',
    heartbeat: () => {},
    busy: () => {},
    post: (message) => void messages.push(message),
  })
  end = follower.leave
  // The replica reads its first rows in the next turn.
  await new Promise((resolve) => setTimeout(resolve, 5))
  return messages
}

const batchesOf = (messages: readonly ToMain[]): PublishedBatch[] =>
  messages.flatMap((message) => (message.kind === 'batch' ? [message.batch] : []))

test('a registration and a logout that the main thread still awaits are answered', async () => {
  run(NODE, 'internal:register', { username: 'Bob', empire: 'solarian' })
  bind(NODE)
  run(NODE, 'internal:unbind', { player: 1, channel: 'ws', node: NODE })
  const answers = batchesOf(await startAgain()).flatMap((batch) => batch.answers)
  expect(answers.map(({ command, outcome }) => [command, outcome.ok])).toEqual([
    ['internal:register', true],
    ['internal:bind', true],
    ['internal:unbind', true],
  ])
})

test('commands of another node are not answered here', async () => {
  run(OTHER, 'internal:register', { username: 'Bob', empire: 'solarian' })
  expect(batchesOf(await startAgain()).flatMap((batch) => batch.answers)).toEqual([])
})

test('a login elsewhere and a reset of the password end logins here', async () => {
  bind(OTHER)
  run(OTHER, 'internal:end_logins', { player: 1 })
  const ended = batchesOf(await startAgain()).flatMap((batch) => batch.ended ?? [])
  expect(ended).toEqual([
    { player: 1, what: 'socket' },
    { player: 1, what: 'all' },
  ])
})

test('the main thread is told that the leader has unbound this node', async () => {
  bind(NODE)
  run(0, 'internal:unbind_node', { node: NODE })
  const kinds = (await startAgain()).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'unbound')).toHaveLength(1)
  expect(kinds.indexOf('unbound')).toBeGreaterThan(kinds.indexOf('ready'))
})

test('the main thread is not told that another node was unbound', async () => {
  bind(OTHER)
  run(0, 'internal:unbind_node', { node: OTHER })
  expect((await startAgain()).map(({ kind }) => kind)).not.toContain('unbound')
})
