/** The epoch of a world: it names one history of it, and a restore begins another. */
import type { Sql } from './db.ts'

export async function readEpoch(sql: Sql): Promise<string> {
  const [{ epoch }] = await sql<{ epoch: string }[]>`select epoch from world`
  return epoch
}
