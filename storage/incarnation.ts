/** Incarnations: unique numbers of the processes of a world, from which refs are derived. */
import type { Sql } from './db.ts'

/** Takes a new number, larger than all taken before. */
export async function takeIncarnation(sql: Sql): Promise<number> {
  const [{ taken }] = await sql<{ taken: number }[]>`select nextval('incarnation') as taken`
  return taken
}
