/**
 * A server in this process under the load of a crew, for programs that strike its database or disk.
 * Its log is kept, and in the end audit.ts checks the world.
 */
import type { TestDatabase } from '../databases.ts'
import { type Settings, startTestServer, type TestServer } from '../servers.ts'
import { audit } from './audit.ts'
import { type Crew, startCrew } from './crew.ts'
import { readStates } from './kill.ts'
import { sleep } from './program.ts'

interface StormOptions {
  readonly database: TestDatabase
  /** URL by which the server reaches the database; by default that of the database. */
  readonly url?: string
  readonly players: number
  readonly seed: number
  readonly settings?: Settings
  readonly schema?: string
}

export interface Storm {
  readonly server: TestServer
  readonly crew: Crew
  /** Warnings and errors that the server has logged. */
  readonly logged: readonly string[]
  /** Reasons the server gave for ending its process. */
  readonly fatal: readonly string[]
  readonly options: StormOptions
}

const TICK_MS = 200
const MAX_ENTITIES = 20_000
const LAST_WORK_MS = 500

/** Settings of a small server with short ticks that keeps its whole journal. */
export const STORM_SETTINGS: Settings = {
  TICKS: 'timer',
  TICK_MS: String(TICK_MS),
  MAX_ENTITIES: String(MAX_ENTITIES),
  SNAPSHOT_EVERY: '10',
  SNAPSHOT_KEEP: '1000',
  HASH_EVERY: '1',
  CHECK_EVERY: '5',
  LIMITS: 'off',
  WORKERS: '0',
}

/** Starts a server whose log is kept, and its crew; resolves when everyone is logged in. */
export async function startStorm(options: StormOptions): Promise<Storm> {
  const { logged, fatal, server } = await startKept(options)
  const crew = startCrew({ url: server.url, players: options.players, seed: options.seed })
  await crew.untilLoggedIn()
  return { server, crew, logged, fatal, options }
}

/** Starts the server without a crew. */
export async function startKept({ database, url, settings, schema }: StormOptions) {
  const logged: string[] = []
  const fatal: string[] = []
  const keep = (_fields: object, text: string): void => void logged.push(text)
  const server = await startTestServer(
    { ...database, url: url ?? database.url },
    {
      schema,
      settings: {
        ...STORM_SETTINGS,
        ...settings,
      },
      hooks: {
        log: { debug: () => {}, info: () => {}, warn: keep, error: keep },
        onFatal: (text) => void fatal.push(text),
      },
    },
  )
  return { server, logged, fatal }
}

interface Settled {
  readonly broken: readonly string[]
  readonly results: number
  readonly hash: string
}

/** Lets the crew finish, stops the server cleanly and audits the world. */
export async function settle(storm: Storm): Promise<Settled> {
  const { server, crew, options } = storm
  await sleep(LAST_WORK_MS)
  await crew.finish()
  const shown = await readStates(server.url, crew)
  await server.stop()
  const found = await audit({
    database: options.database,
    schema: server.schema,
    crew,
    tickMs: TICK_MS,
    maxEntities: MAX_ENTITIES,
    shown,
  })
  const unanswered = crew.records.filter(({ state }) => state === 'sent')
  return {
    broken: [
      ...found.broken,
      ...unanswered.map(({ player, command }) => `${player}: ${command} was never answered`),
    ],
    results: found.results,
    hash: found.hash,
  }
}
