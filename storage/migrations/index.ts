/**
 * The tables, as an ordered list of migrations. A released migration never changes; the table
 * `migration` records the applied ones by number and checksum.
 */
import { createHash } from 'node:crypto'
import { type ConnectionOptions, connect, disconnect, type Tx } from '../db.ts'
import { DatabaseSetupError } from '../errors.ts'
import { BASE } from './001-base.ts'
import { BATTLES } from './002-battles.ts'
import { ECONOMY } from './003-economy.ts'
import { PRICES } from './004-prices.ts'
import { SOCIAL } from './005-social.ts'
import { READING } from './006-reading.ts'
import { NOTES } from './007-notes.ts'
import { KEYS } from './008-keys.ts'
import { ID_MARKS } from './009-id-marks.ts'
import { PROJECTION } from './010-projection.ts'
import { PUBLIC } from './011-public.ts'
import { JOURNAL_BLOCKS } from './012-journal-blocks.ts'
import { INCARNATIONS } from './013-incarnations.ts'
import { LEASE } from './014-lease.ts'
import { PROOF_KEY } from './015-proof-key.ts'
import { PUBLIC_STEPS } from './016-public-steps.ts'

interface Migration {
  readonly number: number
  readonly name: string
  readonly statements: string
}

const MIGRATIONS: readonly Migration[] = [
  { number: 1, name: 'base', statements: BASE },
  { number: 2, name: 'battles', statements: BATTLES },
  { number: 3, name: 'economy', statements: ECONOMY },
  { number: 4, name: 'prices', statements: PRICES },
  { number: 5, name: 'social', statements: SOCIAL },
  { number: 6, name: 'reading', statements: READING },
  { number: 7, name: 'notes', statements: NOTES },
  { number: 8, name: 'keys', statements: KEYS },
  { number: 9, name: 'id-marks', statements: ID_MARKS },
  { number: 10, name: 'projection', statements: PROJECTION },
  { number: 11, name: 'public', statements: PUBLIC },
  { number: 12, name: 'journal-blocks', statements: JOURNAL_BLOCKS },
  { number: 13, name: 'incarnations', statements: INCARNATIONS },
  { number: 14, name: 'lease', statements: LEASE },
  { number: 15, name: 'proof-key', statements: PROOF_KEY },
  { number: 16, name: 'public-steps', statements: PUBLIC_STEPS },
]

interface MigrateOptions {
  /** Role of the server, which may only read and write rows. */
  readonly serverRole?: string
}

export interface MigrateResult {
  readonly applied: readonly string[]
  readonly version: number
}

const checksumOf = (migration: Migration): string =>
  createHash('sha256').update(migration.statements).digest('hex')

const MIGRATE_LOCK = 7_203_115_001

/**
 * Brings the schema up to date. If nothing is to be done it only reads, so that the server's role
 * needs no right to create (RELIABILITY 6).
 */
export async function migrate(
  connection: ConnectionOptions,
  options: MigrateOptions = {},
): Promise<MigrateResult> {
  const sql = connect(connection, { name: 'migrate' })
  try {
    const found = await sql<{ exists: boolean }[]>`
      select to_regclass(${`${connection.schema}.migration`}) is not null as exists`
    if (found[0].exists && (await pending(sql as unknown as Tx)).length === 0) {
      return { applied: [], version: MIGRATIONS.length }
    }
    return await sql.begin((tx) => migrateInside(tx, connection.schema, options))
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    const text = error instanceof Error ? error.message : String(error)
    throw new DatabaseSetupError(
      `the tables in schema ${connection.schema} are not up to date and this role may not change ` +
        `them (${text}): run "npx orrery migrate" under a role that may`,
    )
  } finally {
    await disconnect(sql)
  }
}

async function pending(tx: Tx): Promise<Migration[]> {
  const rows = await tx<{ number: number; name: string; checksum: string }[]>`
    select number, name, checksum from migration order by number`
  const known = new Map(MIGRATIONS.map((migration) => [migration.number, migration]))
  for (const row of rows) {
    const ours = known.get(row.number)
    if (!ours) {
      throw new DatabaseSetupError(
        `the tables were made by a newer release (step ${row.number}, ${row.name}): start that one`,
      )
    }
    if (checksumOf(ours) !== row.checksum) {
      throw new DatabaseSetupError(`migration ${row.number} (${row.name}) is not the one applied`)
    }
    known.delete(row.number)
  }
  return [...known.values()]
}

async function migrateInside(
  tx: Tx,
  schema: string,
  options: MigrateOptions,
): Promise<MigrateResult> {
  // With two concurrent starts the second waits here and then finds nothing to do.
  await tx`select pg_advisory_xact_lock(${MIGRATE_LOCK})`
  await tx`create schema if not exists ${tx(schema)}`
  await tx`
    create table if not exists migration (
      number int primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`
  const pendingMigrations = await pending(tx)
  for (const migration of pendingMigrations) {
    await tx.unsafe(migration.statements)
    await tx`insert into migration (number, name, checksum)
      values (${migration.number}, ${migration.name}, ${checksumOf(migration)})`
  }
  if (options.serverRole !== undefined) await grant(tx, schema, options.serverRole)
  const applied = pendingMigrations.map((migration) => migration.name)
  return { applied, version: MIGRATIONS.length }
}

async function grant(tx: Tx, schema: string, role: string): Promise<void> {
  await tx`grant usage on schema ${tx(schema)} to ${tx(role)}`
  await tx`
    grant select, insert, update, delete on all tables in schema ${tx(schema)} to ${tx(role)}`
  await tx`grant usage, select, update on all sequences in schema ${tx(schema)} to ${tx(role)}`
}
