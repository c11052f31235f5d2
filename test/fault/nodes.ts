/**
 * A world of several processes under the load of a crew, for programs that strike the processes or
 * the bus between them. In the end all processes stop cleanly, and audit.ts checks the world.
 */
import { GAME_REFUSALS } from '../../bench/miner.ts'
import { connect, disconnect, type Sql } from '../../storage/db.ts'
import { type BusServer, startBusServer } from '../bus-server.ts'
import type { TestDatabase } from '../databases.ts'
import { type ChildServer, type Settings, startChild } from '../servers.ts'
import { type Audit, audit, resultsOf } from './audit.ts'
import type { Crew } from './crew.ts'
import { readStates } from './kill.ts'
import { sleep } from './program.ts'

const TICK_MS = 500
const MAX_ENTITIES = 20_000
const RESULTS_MIN = 40
const RESULTS_MS_MAX = 60_000

export interface Nodes {
  readonly database: TestDatabase
  readonly schema: string
  readonly bus: BusServer
  readonly sql: Sql
  /** Descriptions of broken promises. */
  readonly broken: string[]
  readonly gateways: ChildServer[]
  leader: ChildServer
  start(role: 'world' | 'standby' | 'gateway'): Promise<ChildServer>
}

interface NodesOptions {
  readonly database: TestDatabase
  readonly gateways: number
  readonly settings?: Settings
  /** Further settings of the first leader. */
  readonly leaderSettings?: Settings
  /** Further settings of the first gateways. */
  readonly gatewaySettings?: Settings
  /** Starts the bus; by default the one of tests. */
  readonly startBus?: () => Promise<BusServer>
}

export async function openNodes(options: NodesOptions): Promise<Nodes> {
  const { database, gateways: count, startBus = startBusServer } = options
  const schema = database.schema()
  const bus = await startBus()
  const settings: Settings = {
    DATABASE_URL: database.url,
    DATABASE_SCHEMA: schema,
    BUS_URL: bus.url,
    TICK_MS: String(TICK_MS),
    MAX_ENTITIES: String(MAX_ENTITIES),
    LIMITS: 'off',
    WORKERS: '0',
    SNAPSHOT_EVERY: '10',
    SNAPSHOT_KEEP: '1000',
    SPECTATOR_DELAY: '0',
    HASH_EVERY: '2',
    CHECK_EVERY: '10',
    ...options.settings,
  }
  const start: Nodes['start'] = (role) => startChild({ ...settings, ROLE: role })
  const leader = await startChild({ ...settings, ...options.leaderSettings, ROLE: 'world' })
  const gateways = await Promise.all(
    Array.from({ length: count }, () =>
      startChild({ ...settings, ...options.gatewaySettings, ROLE: 'gateway' }),
    ),
  )
  const sql = connect(database.connection(schema), { name: 'nodes' })
  return { database, schema, bus, sql, broken: [], gateways, leader, start }
}

/** Lets the crew finish, stops all nodes cleanly, the leader last, and audits the world. */
export async function settleNodes(
  { database, schema, gateways, leader, broken }: Nodes,
  crew: Crew,
  others: readonly ChildServer[] = [],
): Promise<Pick<Audit, 'results' | 'hash' | 'unheard'>> {
  const endMs = performance.now() + RESULTS_MS_MAX
  while (resultsOf(crew) < RESULTS_MIN && performance.now() < endMs) await sleep(100)
  await crew.finish()
  const shown = await readStates(gateways[0].url, crew)
  for (const server of [...gateways, ...others, leader]) {
    server.process.kill('SIGTERM')
    const how = await server.ended
    if (how !== 0) broken.push(`SIGTERM ended a node with ${how}: ${server.log().slice(-500)}`)
    // A replica compares its hashes with those that the leader has written.
    if (/cannot follow/.test(server.log())) broken.push('a replica had another hash')
  }
  const found = await audit({
    database,
    schema,
    crew,
    shown,
    tickMs: TICK_MS,
    maxEntities: MAX_ENTITIES,
  })
  broken.push(...found.broken)
  const open = crew.records.filter(({ state }) => state === 'sent')
  broken.push(...open.map(({ player, command }) => `${player}: ${command} was never answered`))
  return found
}

/** Lists the refusals that the crew got for reasons other than the rules of the game. */
export const errorsOf = ({ records }: Crew): string[] =>
  records
    .filter(({ state, code }) => state === 'refused' && !GAME_REFUSALS.has(code ?? ''))
    .map(({ player, channel, command, code }) => `${player}: ${command} on ${channel}: ${code}`)

/** Kills all nodes that still run, and closes bus and connection. */
export async function endNodes(
  { gateways, leader, bus, sql }: Nodes,
  others: readonly ChildServer[] = [],
): Promise<void> {
  for (const { process } of [...gateways, ...others, leader]) process.kill('SIGKILL')
  await bus.close()
  await disconnect(sql, 0)
}
