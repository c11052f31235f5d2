/** The epoch of a world names one history of it; a restore starts another. */
import type { Sql } from './db.ts'

/** Reads the epoch of the world. */
export async function readEpoch(sql: Sql): Promise<string> {
  const [{ epoch }] = await sql<{ epoch: string }[]>`select epoch from world`
  return epoch
}
