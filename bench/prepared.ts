/**
 * Prepares worlds for live runs: registers players, places their ships, and saves a snapshot that a
 * server can start from. Over sockets this would take hours for thousands of players.
 */
import { assert } from '../core/assert.ts'
import { captureWorld, createImageMemory } from '../core/image.ts'
import { runImmediates } from '../core/tick.ts'
import type { Eid, JournalInput, World } from '../core/types.ts'
import { RULES_VERSION } from '../core/version.ts'
import { finishUnstored, rowOfBatch } from '../core/wire/describe.ts'
import type { ConnectionOptions } from '../storage/db.ts'
import { createBatchStore } from '../storage/journal.ts'
import { migrate } from '../storage/migrations/index.ts'
import { EMPIRES } from './client.ts'
import { preparedLogin, sha256 } from './prepared-login.ts'
import { benchEngine } from './worlds.ts'

/** Registrations in one batch. */
const BATCH = 500

interface PreparedOptions {
  /** A schema that does not exist yet. */
  readonly connection: ConnectionOptions
  readonly maxEntities: number
  readonly players: number
  /** How many players, the first ones, can log in; default: all. */
  readonly accounts?: number
  /** Places and equips ships; gets the rows of the players in order. */
  arrange(world: World, players: readonly Eid[]): void
}

function registrations(from: number, count: number): JournalInput[] {
  return Array.from({ length: count }, (_, i) => ({
    ref: from + i + 1,
    player: 0,
    command: 'internal:register',
    params: {
      username: preparedLogin(from + i).username,
      empire: EMPIRES[(from + i) % EMPIRES.length],
    },
    framing: 'ws1',
  }))
}

/** Creates and saves the world; no server may run on the schema meanwhile. */
export async function prepareWorld(options: PreparedOptions): Promise<void> {
  const { connection, players, accounts = players } = options
  await migrate(connection)
  const store = await createBatchStore(connection, { rulesVersion: RULES_VERSION })
  const engine = await benchEngine({ maxEntities: options.maxEntities })
  const { world, registry } = engine
  await store.ensureSeed(world.seed)
  const wallMs = Date.now()
  const rows: Eid[] = []
  let part = 0
  for (let from = 0; from < players; from += BATCH) {
    // Players without an account are not journalled, since the journal starts after the snapshot.
    const count = Math.min(BATCH, (from < accounts ? accounts : players) - from)
    const run = runImmediates(engine, registrations(from, count), wallMs)
    part++
    const writes = run.outbox.writes.map((write) =>
      write.ref === undefined ? write : { ...write, secret: secretOf(write.ref - 1) },
    )
    if (from < accounts) await store.commit(rowOfBatch(world, run, part), writes)
    const { answers } = finishUnstored(engine, run, part)
    for (const { outcome } of answers) {
      assert(outcome.ok, `cannot register: ${JSON.stringify(outcome)}`)
      rows.push(world.rowOf(registry.players.table, (outcome.result as { player: number }).player))
    }
  }
  options.arrange(world, rows)
  // A snapshot must follow a journal row.
  const last = runImmediates(engine, [], wallMs)
  await store.commit(rowOfBatch(world, last, part + 1), [])
  finishUnstored(engine, last, part + 1)
  await store.saveSnapshot(captureWorld(world, createImageMemory()))
  await engine.section.close()
  await store.close()
}

const secretOf = (index: number): { passwordHash: string } => ({
  passwordHash: sha256(preparedLogin(index).password),
})
