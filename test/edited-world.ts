/**
 * Edits the world of a stopped server: loads its newest snapshot, changes it and saves it again at
 * the same batch, so that the next start recovers from it. For tests over real sockets that need a
 * situation which only arises after many hours of play.
 */
import { captureWorld, createImageMemory } from '../core/image.ts'
import { createRegistry } from '../core/registry.ts'
import type { World } from '../core/types.ts'
import { loadWorld } from '../engine/start.ts'
import { connect, disconnect } from '../storage/db.ts'
import { packImageAtOnce } from '../storage/snapshot-format.ts'
import { loadLatest, saveSnapshot } from '../storage/snapshots.ts'
import { DOMAINS } from '../systems/registry.ts'
import type { TestDatabase } from './databases.ts'

interface WorldScale {
  readonly tickMs: number
  readonly maxEntities: number
}

/** Edits the newest snapshot; throws when the schema holds none. */
export async function editWorld(
  database: TestDatabase,
  schema: string,
  scale: WorldScale,
  edit: (world: World) => void,
): Promise<void> {
  const sql = connect(database.connection(schema), { name: 'test' })
  try {
    const image = await loadLatest(sql, { log: () => {} })
    if (!image) throw new Error(`${schema} holds no snapshot`)
    const world = loadWorld({ registry: createRegistry(DOMAINS), ...scale }, image)
    edit(world)
    await saveSnapshot(sql, packImageAtOnce(captureWorld(world, createImageMemory())))
  } finally {
    await disconnect(sql)
  }
}
