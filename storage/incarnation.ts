/** Incarnations: numbers of processes, no two of a world alike, of which refs are made. */
import type { Sql } from './db.ts'

/** Takes a number that nobody had before, larger than all taken. */
export async function takeIncarnation(sql: Sql): Promise<number> {
  const [{ taken }] = await sql<{ taken: number }[]>`select nextval('incarnation') as taken`
  return taken
}
