/**
 * The leader of a world is killed, frozen and woken, or loses its lock connection, again and again
 * under load: a standby goes on from its replica, nothing that was answered is lost, nothing is
 * done twice, and a leader that was replaced says nothing more. The bus goes away as well.
 * `node dist/test/fault/failover.js --count 30 [--players 6] [--gateways 1] [--seed 1]`.
 * Source: SCALE 6.
 */
import { subjectsOf } from '../../core/bus.ts'
import { openBus } from '../../storage/bus.ts'
import { unpackMessage } from '../../storage/bus-messages.ts'
import { LEADER_BEAT, ROW_PART } from '../../storage/bus-shapes.ts'
import { connect, disconnect, type Sql } from '../../storage/db.ts'
import { readEpoch } from '../../storage/epoch.ts'
import { readLease } from '../../storage/lease.ts'
import { type BusServer, startBusServer } from '../bus-server.ts'
import { type TestDatabase, withDatabase } from '../databases.ts'
import { type ChildServer, type Settings, startChild } from '../servers.ts'
import { audit, resultsOf } from './audit.ts'
import { type Crew, startCrew } from './crew.ts'
import { lookAt } from './kill.ts'
import { dice, figureOf, runAsProgram, sleep, until, type Verdict } from './program.ts'

const FAULTS = ['kill', 'freeze', 'cut', 'bus'] as const
type FaultKind = (typeof FAULTS)[number]

interface FailoverOptions {
  readonly database: TestDatabase
  /** Of each kind. */
  readonly count: number
  readonly players: number
  readonly gateways: number
  readonly seed: number
  /** How long the bus is away, by turns. */
  readonly busAwayS: readonly number[]
  readonly say?: (text: string) => void
}

interface Failovers extends Verdict {
  /** From each fault until the next tick was durable, by kind. */
  readonly tookMs: Readonly<Record<FaultKind, readonly number[]>>
}

const TICK_MS = 500
const MAX_ENTITIES = 20_000
/** SCALE 6; judged on a machine that has nothing else to do. */
const TICK_AFTER_MS_MAX = 10_000
const BUS_AFTER_MS_MAX = 2_000
const WORK_MS = 1_000
const RESULTS_MIN = 40
const RESULTS_MS_MAX = 60_000

interface Nodes {
  readonly options: FailoverOptions
  readonly schema: string
  readonly bus: BusServer
  readonly sql: Sql
  readonly broken: string[]
  readonly roll: () => number
  gateways: ChildServer[]
  leader: ChildServer
  standby: ChildServer
}

function settingsOf(database: TestDatabase, schema: string, bus: BusServer): Settings {
  return {
    ...{ DATABASE_URL: database.url, DATABASE_SCHEMA: schema, BUS_URL: bus.url },
    ...{ TICK_MS: String(TICK_MS), MAX_ENTITIES: String(MAX_ENTITIES), LIMITS: 'off' },
    ...{ WORKERS: '0', SNAPSHOT_EVERY: '10', SNAPSHOT_KEEP: '1000', SPECTATOR_DELAY: '0' },
    ...{ HASH_EVERY: '2', CHECK_EVERY: '10' },
  }
}

async function openNodes(options: FailoverOptions): Promise<Nodes> {
  const { database, seed } = options
  const schema = database.schema()
  const bus = await startBusServer()
  const settings = settingsOf(database, schema, bus)
  const leader = await startChild({ ...settings, ROLE: 'world' })
  const [standby, ...gateways] = await Promise.all([
    startChild({ ...settings, ROLE: 'standby' }),
    ...Array(options.gateways)
      .fill(0)
      .map(() => startChild({ ...settings, ROLE: 'gateway' })),
  ])
  const sql = connect(database.connection(schema), { name: 'failover' })
  const roll = dice(seed)
  return { options, schema, bus, sql, broken: [], roll, gateways, leader, standby }
}

/** Listens for what no leader may say: an old one after a new one, or a row sent before. */
async function overhear({ bus, sql, broken }: Nodes): Promise<() => Promise<void>> {
  const listener = await openBus(bus.url, () => {})
  const subjects = subjectsOf(await readEpoch(sql))
  let [leadership, batch] = [0, 0]
  const note = (text: string): void => void (broken.length < 100 && broken.push(text))
  listener.subscribe(subjects.leader, (bytes) => {
    const beat = unpackMessage(LEADER_BEAT, bytes)
    if (beat.leadership < leadership) {
      note(`the leader of epoch ${beat.leadership} spoke after that of epoch ${leadership}`)
    }
    leadership = Math.max(leadership, beat.leadership)
  })
  listener.subscribe(subjects.rows, (bytes) => {
    const row = unpackMessage(ROW_PART, bytes)
    if (row.part !== 0) return
    if (row.batch <= batch) note(`row ${row.batch} was sent after row ${batch}`)
    batch = Math.max(batch, row.batch)
  })
  return listener.close
}

const lastTick = async (sql: Sql): Promise<number> => {
  const [{ tick }] = await sql<{ tick: number }[]>`select max(tick) as tick from journal`
  return tick
}

/** Resolves with the milliseconds until there is a tick that was not begun before the fault. */
async function untilNextTick({ sql }: Nodes, sinceMs: number): Promise<number> {
  const tick = await lastTick(sql)
  await until('the next tick', async () => (await lastTick(sql)) > tick)
  return performance.now() - sinceMs
}

/** The leader is gone: the standby leads, and another one stands by. */
async function replace(nodes: Nodes): Promise<void> {
  const { options, schema, bus } = nodes
  nodes.leader = nodes.standby
  await until('led by the standby', () => nodes.leader.log().includes('this node leads the world'))
  const settings = settingsOf(options.database, schema, bus)
  nodes.standby = await startChild({ ...settings, ROLE: 'standby' })
}

async function kill(nodes: Nodes): Promise<number> {
  const sinceMs = performance.now()
  nodes.leader.process.kill('SIGKILL')
  const tookMs = await untilNextTick(nodes, sinceMs)
  await replace(nodes)
  return tookMs
}

async function freeze(nodes: Nodes): Promise<number> {
  const zombie = nodes.leader
  const sinceMs = performance.now()
  zombie.process.kill('SIGSTOP')
  const tookMs = await untilNextTick(nodes, sinceMs)
  zombie.process.kill('SIGCONT')
  const how = await zombie.ended
  const isClear = /another (node leads|server)/.test(zombie.log())
  if (how !== 1 || !isClear) {
    nodes.broken.push(`the frozen leader ended with ${how}: ${zombie.log().slice(-500)}`)
  }
  await replace(nodes)
  return tookMs
}

/** The leader gets the lock again, or ends and is replaced. */
async function cut(nodes: Nodes): Promise<number> {
  const { sql, leader } = nodes
  const { holder } = await readLease(sql)
  const sinceMs = performance.now()
  const ended = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like ${`orrery world lock %@${holder}`}`
  if (ended.length !== 1) nodes.broken.push(`${ended.length} lock connections of the leader`)
  const tookMs = await untilNextTick(nodes, sinceMs)
  if (leader.process.exitCode !== null) await replace(nodes)
  return tookMs
}

/** Queries are answered meanwhile, and afterwards every node comes to the head. */
async function takeBusAway(nodes: Nodes, awayS: number): Promise<number> {
  const { bus, gateways } = nodes
  await bus.down()
  await sleep(awayS * 1_000)
  await bus.up()
  const sinceMs = performance.now()
  const isFresh = async ({ url }: ChildServer): Promise<boolean> =>
    (await figureOf(url, 'orrery_bus_connected')) === 1 &&
    (await figureOf(url, 'orrery_replica_staleness_seconds')) < 1
  for (const gateway of gateways) await until('at the head again', () => isFresh(gateway))
  return performance.now() - sinceMs
}

/** Lets the crew finish, ends all nodes cleanly, and compares. */
async function settle(nodes: Nodes, crew: Crew): Promise<{ results: number; hash: string }> {
  const { options, schema, gateways, leader, standby, broken } = nodes
  const endMs = performance.now() + RESULTS_MS_MAX
  while (resultsOf(crew) < RESULTS_MIN && performance.now() < endMs) await sleep(100)
  await crew.rest()
  const shown = await lookAt(gateways[0].url, crew)
  for (const server of [...gateways, standby, leader]) {
    server.process.kill('SIGTERM')
    const how = await server.ended
    if (how !== 0) broken.push(`SIGTERM ended a node with ${how}: ${server.log().slice(-500)}`)
    // It has compared the hash of each second tick with the leader's.
    if (/cannot follow/.test(server.log())) broken.push('a replica came to another hash')
  }
  const { database } = options
  const found = await audit({
    ...{ database, schema, crew, shown, tickMs: TICK_MS, maxEntities: MAX_ENTITIES },
  })
  broken.push(...found.broken)
  const open = crew.deeds.filter(({ state }) => state === 'sent')
  broken.push(...open.map(({ player, command }) => `${player}: ${command} was never answered`))
  return { results: found.results, hash: found.hash }
}

export async function failAgainAndAgain(options: FailoverOptions): Promise<Failovers> {
  const { count, players, seed, busAwayS, say = () => {} } = options
  const nodes = await openNodes(options)
  const endListening = await overhear(nodes)
  const crew = startCrew({ url: nodes.gateways[0].url, players, seed })
  const tookMs: Record<FaultKind, number[]> = { kill: [], freeze: [], cut: [], bus: [] }
  try {
    await crew.everyoneIn()
    const how: Record<Exclude<FaultKind, 'bus'>, (nodes: Nodes) => Promise<number>> = {
      ...{ kill, freeze, cut },
    }
    for (let i = 0; i < count; i++) {
      for (const kind of ['kill', 'cut', 'freeze'] as const) {
        await sleep(WORK_MS * (0.5 + nodes.roll()))
        tookMs[kind].push(await how[kind](nodes))
        say(
          `${kind} ${i + 1} of ${count}: next tick after ${Math.round(tookMs[kind].at(-1) ?? 0)} ms`,
        )
      }
    }
    for (const awayS of busAwayS) {
      tookMs.bus.push(await takeBusAway(nodes, awayS))
      say(`bus away for ${awayS} s: at the head after ${Math.round(tookMs.bus.at(-1) ?? 0)} ms`)
    }
    const { results, hash } = await settle(nodes, crew)
    const figures = FAULTS.map((kind) => {
      const most = Math.round(Math.max(0, ...tookMs[kind]))
      return `${tookMs[kind].length} ${kind} (at most ${most} ms)`
    })
    const summary = `${figures.join(', ')}; ${results} acknowledged results, hash ${hash}`
    return { summary, broken: nodes.broken, tookMs }
  } finally {
    for (const { process } of [...nodes.gateways, nodes.standby, nodes.leader]) {
      process.kill('SIGKILL')
    }
    await endListening()
    await nodes.bus.close()
    await disconnect(nodes.sql, 0)
  }
}

/** Returns what took longer than is promised. */
function lateOf({ tookMs }: Failovers): string[] {
  return FAULTS.flatMap((kind) => {
    const most = kind === 'bus' ? BUS_AFTER_MS_MAX : TICK_AFTER_MS_MAX
    return tookMs[kind].filter((ms) => ms > most).map((ms) => `${kind}: ${Math.round(ms)} ms`)
  })
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Kills, freezes and cuts off the leader of a world that has standbys, under load.',
    defaults: { count: 30, seed: 1, players: 6, gateways: 1 },
  },
  async ({ count, seed, players, gateways }) => {
    // The count is of all faults of a leader.
    const each = Math.max(1, Math.round(count / 3))
    const done = await withDatabase((database) =>
      failAgainAndAgain({
        ...{ database, count: each, players, gateways, seed, busAwayS: [1, 10], say: console.log },
      }),
    )
    return { summary: done.summary, broken: [...done.broken, ...lateOf(done)] }
  },
)
