/**
 * Opens the database for the server and the tools: the one of DATABASE_URL, or the embedded one in
 * DATA_DIR.
 */
import { type ConnectionOptions, SCHEMA_DEFAULT, waitForDatabase } from './db.ts'
import { openEmbedded, SERVER_ROLE } from './embedded.ts'
import { type MigrateResult, migrate } from './migrations/index.ts'

interface OpenOptions {
  /** Absent or empty: the embedded database. */
  readonly databaseUrl?: string
  readonly dataDir: string
  readonly schema?: string
  /** True for the server: it takes over an embedded database that a killed server left running. */
  readonly adopt?: boolean
  /** True for the process that makes a fork there (fork-place.ts). */
  readonly isFork?: boolean
  readonly log?: (text: string) => void
  /** The option that gave `databaseUrl`; absent: the setting. */
  readonly namedBy?: string
}

export interface OpenDatabase {
  /** Connection for normal work. */
  readonly connection: ConnectionOptions
  /** Connection for migrations. */
  readonly owner: ConnectionOptions
  readonly embedded: boolean
  /** Migrates the tables and grants them to the server's role. */
  migrate(): Promise<MigrateResult>
  /** Stops an embedded database that belongs to this process, unless another one uses it. */
  stop(): Promise<void>
}

/** Opens the database; throws DatabaseSetupError with what to do. */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  const schema = options.schema ?? SCHEMA_DEFAULT
  if (options.databaseUrl) {
    const connection: ConnectionOptions = { url: options.databaseUrl, schema }
    const { log, namedBy } = options
    await waitForDatabase(connection, { log, ...(namedBy === undefined ? {} : { namedBy }) })
    return {
      connection,
      owner: connection,
      embedded: false,
      migrate: () => migrate(connection),
      stop: async () => {},
    }
  }
  const { connection, owner, stop } = await openEmbedded({
    dataDir: options.dataDir,
    schema,
    adopt: options.adopt ?? false,
    isFork: options.isFork,
    log: options.log,
  })
  await waitForDatabase(connection)
  return {
    connection,
    owner,
    embedded: true,
    migrate: () => migrate(owner, { serverRole: SERVER_ROLE }),
    stop,
  }
}
