/**
 * The leader of a world is killed, frozen and woken, or loses its lock connection, again and again
 * under load: a standby goes on from its replica, nothing that was answered is lost, nothing is
 * done twice, and a leader that was replaced says nothing more.
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
  /** Of each kind. */
  readonly count: number
  readonly players: number
  readonly gateways: number
  readonly seed: number
  readonly say?: (text: string) => void
}

interface Failovers extends Verdict {
  /** From each fault until the next tick was durable, by kind. */
  readonly tookMs: Readonly<Record<FaultKind, readonly number[]>>
}

/** SCALE 6; judged on a machine that has nothing else to do. */
const TICK_AFTER_MS_MAX = 10_000
const WORK_MS = 1_000

interface Led extends Nodes {
  standby: ChildServer
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

/** Ends the leader: the standby takes over, and another standby starts. */
async function replace(nodes: Led): Promise<void> {
  nodes.leader = nodes.standby
  await until('led by the standby', () => nodes.leader.log().includes('this node leads the world'))
  nodes.standby = await nodes.start('standby')
}

async function kill(nodes: Led): Promise<number> {
  const sinceMs = performance.now()
  nodes.leader.process.kill('SIGKILL')
  const tookMs = await untilNextTick(nodes, sinceMs)
  await replace(nodes)
  return tookMs
}

async function freeze(nodes: Led): Promise<number> {
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

/** Cuts the leader off: it either gets the lock again, or ends and is replaced. */
async function cut(nodes: Led): Promise<number> {
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

export async function failAgainAndAgain(options: FailoverOptions): Promise<Failovers> {
  const { count, players, seed, say = () => {} } = options
  const opened = await openNodes(options)
  const nodes: Led = { ...opened, standby: await opened.start('standby') }
  const roll = dice(seed)
  const endListening = await overhear(nodes)
  const crew = startCrew({ url: nodes.gateways[0].url, players, seed })
  const tookMs: Record<FaultKind, number[]> = { kill: [], freeze: [], cut: [] }
  try {
    await crew.everyoneIn()
    const how: Record<FaultKind, (nodes: Led) => Promise<number>> = { kill, freeze, cut }
    for (let i = 0; i < count; i++) {
      for (const kind of ['kill', 'cut', 'freeze'] as const) {
        await sleep(WORK_MS * (0.5 + roll()))
        tookMs[kind].push(await how[kind](nodes))
        say(
          `${kind} ${i + 1} of ${count}: next tick after ${Math.round(tookMs[kind].at(-1) ?? 0)} ms`,
        )
      }
    }
    const { results, hash } = await settleNodes(nodes, crew, [nodes.standby])
    const figures = FAULTS.map((kind) => {
      const most = Math.round(Math.max(0, ...tookMs[kind]))
      return `${tookMs[kind].length} ${kind} (at most ${most} ms)`
    })
    const summary = `${figures.join(', ')}; ${results} acknowledged results, hash ${hash}`
    return { summary, broken: nodes.broken, tookMs }
  } finally {
    await endListening()
    await endNodes(nodes, [nodes.standby])
  }
}

/** Returns what took longer than is promised. */
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
    // The count is of all faults of a leader.
    const each = Math.max(1, Math.round(count / 3))
    const done = await withDatabase((database) =>
      failAgainAndAgain({ database, count: each, players, gateways, seed, say: console.log }),
    )
    return { summary: done.summary, broken: [...done.broken, ...lateOf(done)] }
  },
)
