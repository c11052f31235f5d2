/** `orrery cluster status, step-down`: the processes of a world that has several. */
import type { Command } from 'commander'
import { type Bus, type StepDownReply, subjectsOf } from '../core/bus.ts'
import { NODE_BEAT_MS } from '../core/limits-cluster.ts'
import { createRoster } from '../engine/roster.ts'
import { openBus } from '../storage/bus.ts'
import { packMessage, unpackMessage } from '../storage/bus-messages.ts'
import { STEP_DOWN_REPLY } from '../storage/bus-shapes.ts'
import { type Sql, sleep } from '../storage/db.ts'
import { type LeaseView, readLease } from '../storage/lease.ts'
import { withDatabase } from './database.ts'
import { pairs, table } from './format.ts'
import { addTool, DATABASE, type Report, type Tool, type ToolDef, ToolError } from './tool.ts'

/** Long enough for two heartbeats of a node on a busy machine. */
const LISTEN_MS = NODE_BEAT_MS * 4
const STEP_DOWN_REPLY_MS = 5_000
/** Time for the leader's last tick and for its successor to take over. */
const TAKEOVER_MS_MAX = 60_000
const POLL_MS = 50

const SETTINGS_NAMED = [...DATABASE, 'BUS_URL', 'BUS_URL_FILE']

interface Cluster {
  readonly bus: Bus
  readonly sql: Sql
}

/** Connects to the database and the bus of a cluster while `work` runs. */
async function withCluster(
  tool: Tool,
  work: (cluster: Cluster) => Promise<Report>,
): Promise<Report> {
  const { busUrl, databaseUrl } = tool.config
  if (!busUrl) {
    throw new ToolError(
      'This tool needs BUS_URL, the NATS servers between the processes of a world. A server with ' +
        'ROLE=all runs its world alone, without a cluster.',
    )
  }
  if (!databaseUrl) {
    throw new ToolError('This tool needs the DATABASE_URL that the processes of the world use.')
  }
  return withDatabase(tool, async ({ sql }) => {
    const bus = await openBus(busUrl, (_, __, text) => tool.note(text))
    try {
      return await work({ bus, sql })
    } finally {
      await bus.close()
    }
  })
}

/** The code of PostgreSQL for a table that does not exist. */
const UNDEFINED_TABLE = '42P01'

async function leaseOf(sql: Sql): Promise<LeaseView> {
  try {
    return await readLease(sql)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code !== UNDEFINED_TABLE) throw error
    throw new ToolError('The tables are those of an older release: run "npx orrery migrate".')
  }
}

const leaseData = ({ holder, epoch, isFree, leftMs }: LeaseView) => ({
  holder: isFree ? null : holder,
  epoch,
  expires_in_ms: isFree ? 0 : Math.round(leftMs),
})

async function showCluster(tool: Tool, { bus, sql }: Cluster): Promise<Report> {
  const lease = await leaseOf(sql)
  const roster = createRoster(bus, subjectsOf(lease.world).nodes, () => performance.now())
  tool.note(`listening to the nodes for ${LISTEN_MS / 1_000} s`)
  await sleep(LISTEN_MS)
  const heard = roster.nodes()
  roster.close()
  if (heard.length === 0) {
    throw new ToolError(
      `No process of this world has sent a heartbeat to BUS_URL in ${LISTEN_MS / 1_000} s. ` +
        'Start one (ROLE=world, standby or gateway) with this BUS_URL and this database.',
    )
  }
  const head = Math.max(...heard.map(({ beat }) => beat.head))
  const nodes = heard
    .map(({ beat, ageMs }) => ({
      ...beat,
      lag: head - beat.applied,
      heartbeat_age_ms: Math.round(ageMs),
      has_lease: !lease.isFree && lease.holder === beat.node,
    }))
    .toSorted((a, b) => a.node - b.node)
  const rows = nodes.map((node) => [
    String(node.node),
    node.role,
    node.leads ? 'leads' : 'follows',
    String(node.leadership),
    String(node.applied),
    node.lag,
    node.heartbeat_age_ms,
    node.has_lease ? 'yes' : '',
    `${node.host}/${node.pid}`,
    node.release,
  ])
  const columns = ['node', 'role', 'state', 'epoch', 'applied', 'lag', 'heartbeat ms', 'lease']
  const holder = lease.isFree
    ? 'none: no process leads the world'
    : `node ${lease.holder}, for ${Math.round(lease.leftMs)} ms unless it is renewed`
  const summary = pairs([
    ['lease', holder],
    ['epoch', String(lease.epoch)],
    ['last batch', String(head)],
  ])
  return {
    data: { lease: leaseData(lease), head, nodes },
    text: `${summary}\n\n${table([...columns, 'process', 'release'], rows)}`,
    failed: lease.isFree,
  }
}

async function askToStepDown(bus: Bus, lease: LeaseView): Promise<StepDownReply> {
  const subject = subjectsOf(lease.world).stepDown(lease.epoch)
  try {
    const reply = await bus.request(subject, packMessage({}), STEP_DOWN_REPLY_MS)
    return unpackMessage(STEP_DOWN_REPLY, reply)
  } catch {
    throw new ToolError(
      `The leader, node ${lease.holder}, does not answer at BUS_URL: it has just ended, or cannot ` +
        'reach NATS. "npx orrery cluster" lists the nodes.',
    )
  }
}

async function stepDown(tool: Tool, { bus, sql }: Cluster): Promise<Report> {
  const before = await leaseOf(sql)
  if (before.isFree) {
    throw new ToolError('Nobody leads this world now: there is nothing to hand over.')
  }
  const reply = await askToStepDown(bus, before)
  if (!reply.ok) throw new ToolError(`The leader stays: ${reply.text}.`)
  tool.note(`node ${before.holder} steps down`)
  const sinceMs = performance.now()
  for (;;) {
    const now = await leaseOf(sql)
    const tookMs = Math.round(performance.now() - sinceMs)
    if (now.holder !== before.holder && !now.isFree) {
      return {
        data: { from: before.holder, to: now.holder, epoch: now.epoch, took_ms: tookMs },
        text: `Node ${now.holder} has the lease by epoch ${now.epoch}, ${tookMs} ms after node ${before.holder} agreed.`,
      }
    }
    if (tookMs > TAKEOVER_MS_MAX) {
      throw new ToolError(
        `Node ${before.holder} stepped down, but no node has taken over in ${TAKEOVER_MS_MAX / 1_000} s.`,
      )
    }
    await sleep(POLL_MS)
  }
}

const statusTool: ToolDef = {
  usage: 'status',
  isDefault: true,
  summary:
    'list the nodes: role, epoch, applied batch, lag, heartbeat, and which one has the lease',
  help:
    'Each process sends a heartbeat twice a second; this tool listens for two seconds. lag: batches\n' +
    'that the process has not applied. Exits with 1 while no process leads.',
  settings: SETTINGS_NAMED,
  run: (tool) => withCluster(tool, (cluster) => showCluster(tool, cluster)),
}

const stepDownTool: ToolDef = {
  usage: 'step-down',
  summary: 'have the leader hand over to a standby at once, and exit',
  help:
    'The leader runs one more tick and exits with 0; if a service manager starts it again with\n' +
    'ROLE=standby, it becomes a standby. Refused if no standby has nearly all batches applied.',
  settings: SETTINGS_NAMED,
  run: (tool) => withCluster(tool, (cluster) => stepDown(tool, cluster)),
}

export function addClusterTools(parent: Command): void {
  for (const def of [statusTool, stepDownTool]) addTool(parent, def)
}
