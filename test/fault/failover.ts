/**
 * Kills the leader of a world, freezes and resumes it, or cuts its lock connection, repeatedly and
 * under load. A standby must take over with its replica, no acknowledged result may be lost or
 * done twice, and a replaced leader must send nothing more.
 * `node dist/test/fault/failover.js --count 30 [--players 6] [--gateways 1] [--seed 1]`.
 * Source: SCALE 6.
 */
import { subjectsOf } from '../../core/bus.ts'
import { openBus } from '../../storage/bus.ts'
import { unpackMessage } from '../../storage/bus-messages.ts'
import { LEADER_BEAT, ROW_PART } from '../../storage/bus-shapes.ts'
import type { Sql } from '../../storage/db.ts'
import { readEpoch } from '../../storage/epoch.ts'
import { readLease } from '../../storage/lease.ts'
import { type TestDatabase, withDatabase } from '../databases.ts'
import type { ChildServer } from '../servers.ts'
import { startCrew } from './crew.ts'
import { endNodes, type Nodes, openNodes, settleNodes } from './nodes.ts'
import { dice, runAsProgram, sleep, until, type Verdict } from './program.ts'

const FAULTS = ['kill', 'freeze', 'cut'] as const
type FaultKind = (typeof FAULTS)[number]

interface FailoverOptions {
  readonly database: TestDatabase
  /** Number of faults of each kind. */
  readonly count: number
  readonly players: number
  readonly gateways: number
  readonly seed: number
  readonly say?: (text: string) => void
}

interface Failovers extends Verdict {
  /** Milliseconds from each fault until the next tick was durable, by kind. */
  readonly tookMs: Readonly<Record<FaultKind, readonly number[]>>
}

/** SCALE 6; judged only on a machine with no other load. */
const TICK_AFTER_MS_MAX = 10_000
const WORK_MS = 1_000
/** Broken promises kept, so that a leader that keeps sending does not flood the list. */
const BROKEN_MAX = 100

interface NodesWithStandby extends Nodes {
  standby: ChildServer
}

/** Listens on the bus for heartbeats of replaced leaders and for rows that are sent again. */
async function listenOnBus({ bus, sql, broken }: Nodes): Promise<() => Promise<void>> {
  const listener = await openBus(bus.url, () => {})
  const subjects = subjectsOf(await readEpoch(sql))
  let [leadership, batch] = [0, 0]
  const record = (text: string): void => {
    if (broken.length < BROKEN_MAX) broken.push(text)
  }
  listener.subscribe(subjects.leader, (bytes) => {
    const beat = unpackMessage(LEADER_BEAT, bytes)
    if (beat.leadership < leadership) {
      record(`the leader of epoch ${beat.leadership} sent after that of epoch ${leadership}`)
    }
    leadership = Math.max(leadership, beat.leadership)
  })
  listener.subscribe(subjects.rows, (bytes) => {
    const row = unpackMessage(ROW_PART, bytes)
    if (row.part !== 0) return
    if (row.batch <= batch) record(`row ${row.batch} was sent after row ${batch}`)
    batch = Math.max(batch, row.batch)
  })
  return listener.close
}

const lastTick = async (sql: Sql): Promise<number> => {
  const [{ tick }] = await sql<{ tick: number }[]>`select max(tick) as tick from journal`
  return tick
}

/** Resolves with the milliseconds from the fault until the next tick is durable. */
async function untilNextTick({ sql }: Nodes, sinceMs: number): Promise<number> {
  const tick = await lastTick(sql)
  await until('the next tick', async () => (await lastTick(sql)) > tick)
  return performance.now() - sinceMs
}

/** Waits until the standby leads, and starts another standby. */
async function replace(nodes: NodesWithStandby): Promise<void> {
  nodes.leader = nodes.standby
  await until('led by the standby', () => nodes.leader.log().includes('this node leads the world'))
  nodes.standby = await nodes.start('standby')
}

async function kill(nodes: NodesWithStandby): Promise<number> {
  const sinceMs = performance.now()
  nodes.leader.process.kill('SIGKILL')
  const tookMs = await untilNextTick(nodes, sinceMs)
  await replace(nodes)
  return tookMs
}

async function freeze(nodes: NodesWithStandby): Promise<number> {
  const frozen = nodes.leader
  const sinceMs = performance.now()
  frozen.process.kill('SIGSTOP')
  const tookMs = await untilNextTick(nodes, sinceMs)
  frozen.process.kill('SIGCONT')
  const how = await frozen.ended
  const isExplained = /another (node leads|server)/.test(frozen.log())
  if (how !== 1 || !isExplained) {
    nodes.broken.push(`the frozen leader ended with ${how}: ${frozen.log().slice(-500)}`)
  }
  await replace(nodes)
  return tookMs
}

/** Ends the leader's lock connection: it either gets the lock again, or ends and is replaced. */
async function cut(nodes: NodesWithStandby): Promise<number> {
  const { sql, leader } = nodes
  const { holder } = await readLease(sql)
  const sinceMs = performance.now()
  const ended = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like ${`orrery world lock %@${holder}.%`}`
  if (ended.length !== 1) nodes.broken.push(`${ended.length} lock connections of the leader`)
  const tookMs = await untilNextTick(nodes, sinceMs)
  if (leader.process.exitCode !== null) await replace(nodes)
  return tookMs
}

export async function failAgainAndAgain(options: FailoverOptions): Promise<Failovers> {
  const { count, players, seed, say = () => {} } = options
  const opened = await openNodes(options)
  const nodes: NodesWithStandby = { ...opened, standby: await opened.start('standby') }
  const roll = dice(seed)
  const endListening = await listenOnBus(nodes)
  const crew = startCrew({ url: nodes.gateways[0].url, players, seed })
  const tookMs: Record<FaultKind, number[]> = { kill: [], freeze: [], cut: [] }
  try {
    await crew.untilLoggedIn()
    const strike = { kill, freeze, cut }
    for (let i = 0; i < count; i++) {
      for (const kind of ['kill', 'cut', 'freeze'] as const) {
        await sleep(WORK_MS * (0.5 + roll()))
        tookMs[kind].push(await strike[kind](nodes))
        say(
          `${kind} ${i + 1} of ${count}: next tick after ${Math.round(tookMs[kind].at(-1) ?? 0)} ms`,
        )
      }
    }
    const { results, hash } = await settleNodes(nodes, crew, [nodes.standby])
    const figures = FAULTS.map((kind) => {
      const slowestMs = Math.round(Math.max(0, ...tookMs[kind]))
      return `${tookMs[kind].length} ${kind} (at most ${slowestMs} ms)`
    })
    const summary = `${figures.join(', ')}; ${results} acknowledged results, hash ${hash}`
    return { summary, broken: nodes.broken, tookMs }
  } finally {
    await endListening()
    await endNodes(nodes, [nodes.standby])
  }
}

/** Lists the faults after which the next tick took longer than is promised. */
function lateOf({ tookMs }: Failovers): string[] {
  return FAULTS.flatMap((kind) =>
    tookMs[kind]
      .filter((ms) => ms > TICK_AFTER_MS_MAX)
      .map((ms) => `${kind}: ${Math.round(ms)} ms until the next tick`),
  )
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Kills, freezes and cuts off the leader of a world that has standbys, under load.',
    defaults: { count: 30, seed: 1, players: 6, gateways: 1 },
  },
  async ({ count, seed, players, gateways }) => {
    // The count is of all faults, of which there are three kinds.
    const perKind = Math.max(1, Math.round(count / FAULTS.length))
    const done = await withDatabase((database) =>
      failAgainAndAgain({ database, count: perKind, players, gateways, seed, say: console.log }),
    )
    return { summary: done.summary, broken: [...done.broken, ...lateOf(done)] }
  },
)
