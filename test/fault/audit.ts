/**
 * Checks what must hold after faults: every acknowledged result is in the journal exactly once, and
 * the world equals that of a twin which replays the same journal without interruption.
 */
import type { Params } from '../../bench/client.ts'
import { type ArchiveWrite, isProjected } from '../../core/archive-calls.ts'
import { stateHash } from '../../core/hash.ts'
import type { JournalRow } from '../../core/ports.ts'
import { createRegistry } from '../../core/registry.ts'
import type { JournalInput } from '../../core/types.ts'
import { openEngine, replayRow } from '../../engine/start.ts'
import { connect, disconnect, type Sql } from '../../storage/db.ts'
import { readJournal } from '../../storage/journal.ts'
import { listSnapshots } from '../../storage/snapshots.ts'
import { DOMAINS } from '../../systems/registry.ts'
import { bornWorld } from '../born-world.ts'
import type { TestDatabase } from '../databases.ts'
import type { CommandRecord, Crew } from './crew.ts'

export interface Audit {
  /** Descriptions of broken promises; empty when all hold. */
  readonly broken: readonly string[]
  readonly batches: number
  readonly tick: number
  readonly hash: string
  /** Number of acknowledged results that were compared. */
  readonly results: number
  /** Requests on sockets that ran, but whose outcome was never read: the socket had ended. */
  readonly unheard: readonly string[]
}

interface AuditOptions {
  readonly database: TestDatabase
  readonly schema: string
  readonly crew: Crew
  readonly tickMs: number
  readonly maxEntities: number
  /** The last state that each player was sent, by name: the payload of a v1 get_status. */
  readonly shown: ReadonlyMap<string, Params>
}

const BROKEN_SHOWN_MAX = 20
const isOnSocket = ({ channel }: CommandRecord): boolean => channel === 'ws1' || channel === 'ws2'

/** Audits a server that has stopped cleanly: compares its last snapshot with the twin's world. */
export async function audit(options: AuditOptions): Promise<Audit> {
  const connection = options.database.connection(options.schema)
  const sql = connect(connection, { name: 'audit' })
  try {
    const twin = await runTwin(sql, options)
    const broken = [
      ...twin.broken,
      ...comparePerRequest(options.crew.records, twin.inputs),
      ...(await comparePerPlayer(sql, options.crew, twin.inputs)),
      ...(await compareChat(sql, options.crew.chatMessages)),
      ...(await compareArchive(sql, twin.archive, options.crew)),
      ...compareMined(options),
    ]
    const results = resultsOf(options.crew)
    const { batches, tick, hash } = twin
    const unheard = listUnheard(options.crew.records, twin.inputs)
    return { broken: broken.slice(0, BROKEN_SHOWN_MAX), batches, tick, hash, results, unheard }
  } finally {
    await disconnect(sql)
  }
}

/** Rows of the archive that follow from the journal alone, each as a line of text. */
interface Archived {
  readonly actions: string[]
  readonly fills: string[]
  readonly names: string[]
}

interface Twin {
  readonly inputs: readonly JournalInput[]
  readonly archive: Archived
  readonly broken: readonly string[]
  readonly batches: number
  readonly tick: number
  readonly hash: string
}

/** Replays the whole journal on a world of the same seed, without interruption. */
async function runTwin(sql: Sql, { tickMs, maxEntities }: AuditOptions): Promise<Twin> {
  const registry = createRegistry(DOMAINS)
  const snapshots = await listSnapshots(sql)
  const last = snapshots[0]
  const world = bornWorld({ registry, seed: last.seed, tickMs, maxEntities })
  const engine = await openEngine(world, registry, { checkEvery: 10 })
  const inputs: JournalInput[] = []
  const archive: Archived = { actions: [], fills: [], names: [] }
  const broken: string[] = []
  const hashes = new Map(snapshots.map(({ batch, hash }) => [batch, hash]))
  for await (const row of readJournal(sql, 0)) {
    // Lets other work of this process run.
    await new Promise((resolve) => setImmediate(resolve))
    replayRow(engine, row)
    inputs.push(...row.inputs)
    for (const write of world.outbox.writes.filter(isProjected)) recordWrite(archive, row, write)
    const saved = hashes.get(world.batch)
    if (saved !== undefined && saved !== stateHash(world))
      broken.push(`the snapshot of batch ${world.batch} is not what the twin has`)
  }
  const hash = stateHash(world)
  if (last.batch !== world.batch)
    broken.push(`the last snapshot is of batch ${last.batch}, the journal ends at ${world.batch}`)
  await engine.section.close()
  return { inputs, archive, broken, batches: world.batch, tick: world.tick, hash }
}

/** Records the rows that a write puts into the archive. */
function recordWrite(archive: Archived, { batch, tick }: JournalRow, write: ArchiveWrite): void {
  if (write.method === 'logActions') {
    for (const { player, eventType, summary } of write.args.rows) {
      archive.actions.push(`batch ${batch}: ${player} ${eventType} ${summary}`)
    }
  } else if (write.method === 'recordFills') {
    const { items, bases, bought, byStation, fromStation, units, credits, trades } = write.args
    for (const [i, item] of items.entries()) {
      const parties = `${bought[i]} ${byStation[i]} ${fromStation[i]}`
      const sums = `${units[i]} ${credits[i]} ${trades[i]}`
      archive.fills.push(`batch ${batch}: ${tick}-${i + 1} ${item} ${bases[i]} ${parties} ${sums}`)
    }
  } else if (write.method === 'logBattles') {
    for (const { battle, names = [] } of write.args.rows) {
      archive.names.push(...names.map((name) => `batch ${batch}: ${battle} ${name}`))
    }
  }
}

/** Commands that run in a batch: all that the crew sends, except queries. */
const WRITES = new Set([
  'travel',
  'mine',
  'sell',
  'refuel',
  'set_status',
  'captains_log_add',
  'chat',
])
const isWrite = (command: string): boolean => WRITES.has(command)

/** Returns the number of acknowledged results to compare. */
export const resultsOf = ({ records }: Crew): number =>
  records.filter(({ state, command }) => state === 'ok' && isWrite(command)).length

/** Refusals of commands that were not accepted, which no batch may have. */
const NOT_RUN = new Set([
  'action_pending',
  'in_transit',
  'rate_limited',
  'restarting',
  'internal_error',
])

/** Compares requests sent on WebSocket, which have ids that the journal keeps. */
function comparePerRequest(
  records: readonly CommandRecord[],
  inputs: readonly JournalInput[],
): string[] {
  const journalled = new Map<string, number>()
  for (const { requestId } of inputs) {
    if (requestId !== undefined) journalled.set(requestId, (journalled.get(requestId) ?? 0) + 1)
  }
  const broken: string[] = []
  for (const [requestId, count] of journalled)
    if (count > 1) broken.push(`${requestId} ran ${count} times`)
  for (const record of records) {
    if (!isOnSocket(record) || record.requestId === undefined) continue
    const what = `${record.command} ${record.requestId}`
    if (record.outcomes > 1) broken.push(`${what} was answered ${record.outcomes} times`)
    const hasRun = isWrite(record.command) && (record.isOutcome || record.state === 'ok')
    if (hasRun && !journalled.has(record.requestId))
      broken.push(`${what} was answered and is in no batch`)
    if (journalled.has(record.requestId) && NOT_RUN.has(record.code ?? ''))
      broken.push(`${what} was refused with ${record.code}, and ran`)
  }
  return broken
}

function listUnheard(records: readonly CommandRecord[], inputs: readonly JournalInput[]): string[] {
  const ran = new Set(inputs.map(({ requestId }) => requestId))
  return records
    .filter((record) => isOnSocket(record) && record.outcomes === 0 && ran.has(record.requestId))
    .map(({ command, requestId, state }) => `${command} ${requestId} (${state})`)
}

/**
 * Compares counts by player and command, for channels whose requests have no id: at least as many
 * ran as were acknowledged, and at most as many as were sent.
 */
async function comparePerPlayer(
  sql: Sql,
  crew: Crew,
  inputs: readonly JournalInput[],
): Promise<string[]> {
  const rows = await sql<{ number: number; username: string }[]>`
    select number, username from player`
  const names = new Map(rows.map(({ number, username }) => [number, username]))
  const ran = new Map<string, number>()
  const count = (map: Map<string, number>, key: string): void =>
    void map.set(key, (map.get(key) ?? 0) + 1)
  for (const { player, command } of inputs) count(ran, `${names.get(player)}: ${command}`)
  const sent = new Map<string, number>()
  const acknowledged = new Map<string, number>()
  for (const record of crew.records) {
    if (!isWrite(record.command)) continue
    count(sent, `${record.player}: ${record.command}`)
    if (record.state === 'ok') count(acknowledged, `${record.player}: ${record.command}`)
  }
  const broken: string[] = []
  for (const [key, times] of acknowledged) {
    if ((ran.get(key) ?? 0) < times) broken.push(`${key}: ${times} answered, ${ran.get(key)} ran`)
  }
  for (const [key, times] of sent) {
    if ((ran.get(key) ?? 0) > times) broken.push(`${key}: ${times} sent, ${ran.get(key)} ran`)
  }
  return broken
}

/** Checks that each acknowledged chat message is in the archive exactly once. */
async function compareChat(sql: Sql, messages: readonly string[]): Promise<string[]> {
  const rows = await sql<{ content: string; count: number }[]>`
    select content, count(*)::int as count from chat where channel = 'local' group by content`
  const kept = new Map(rows.map(({ content, count }) => [content, count]))
  const lost = messages.filter((content) => !kept.has(content))
  return [
    ...lost.map((content) => `chat is lost: ${content}`),
    ...rows.filter(({ count }) => count > 1).map(({ content }) => `chat twice: ${content}`),
  ]
}

/** Compares the archive, row by row, with what the twin derives from the journal. */
async function compareArchive(sql: Sql, twin: Archived, { records }: Crew): Promise<string[]> {
  const actions = await sql<Line[]>`
    select 'batch ' || batch || ': ' || player || ' ' || event_type || ' ' || summary as line
    from action_log order by id`
  const fills = await sql<Line[]>`
    select 'batch ' || batch || ': ' || tick || '-' || n || ' ' || item || ' ' || base || ' '
      || bought::text || ' ' || by_station::text || ' ' || from_station::text || ' ' || units
      || ' ' || credits || ' ' || trades as line
    from fill order by tick, n`
  const names = await sql<Line[]>`
    select 'batch ' || batch || ': ' || battle || ' ' || name_key as line
    from battle_name order by batch, battle, name_key`
  const unsummed = await sql`
    select 1 from fill_hour full join (
      select tick / 360 * 360 as tick, item, sum(trades) as trades, sum(units) as units,
        sum(credits) as credits
      from fill group by 1, 2) as summed using (tick, item, trades, units, credits)
    where fill_hour is null or summed is null`
  const hasSold = records.some(({ command, state }) => command === 'sell' && state === 'ok')
  return [
    ...(twin.actions.length === 0 ? ['no action was logged'] : []),
    ...(hasSold && twin.fills.length === 0 ? ['goods were sold, but there is no fill'] : []),
    ...compareRows('the action log', actions, twin.actions),
    ...compareRows('the tape', fills, twin.fills),
    ...compareRows('the names of battles', names, twin.names),
    ...(unsummed.length === 0 ? [] : ['the hours of the tape are not the sums of its fills']),
  ]
}

interface Line {
  readonly line: string
}

function compareRows(what: string, rows: readonly Line[], twin: readonly string[]): string[] {
  const firstDifferent = rows.findIndex(({ line }, i) => line !== twin[i])
  if (firstDifferent < 0 && rows.length === twin.length) return []
  const i = firstDifferent < 0 ? rows.length : firstDifferent
  return [
    `${what} has ${rows.length} rows of ${twin.length}; ` +
      `row ${i} is ${rows[i]?.line}, of the twin ${twin[i]}`,
  ]
}

/** Checks that the recovered state includes the ore of every acknowledged yield. */
function compareMined({ crew, shown }: AuditOptions): string[] {
  const broken: string[] = []
  for (const { name } of crew.members) {
    const player = shown.get(name)?.player as { stats?: Record<string, number> } | undefined
    const stats = player?.stats
    if (!stats) {
      broken.push(`${name} was shown no state`)
      continue
    }
    const mines = crew.records.filter(
      (record) => record.player === name && record.command === 'mine',
    )
    const known = crew.mined.get(name) ?? 0
    const isAllKnown = mines.every(({ state }) => state === 'ok' || state === 'refused')
    const isRight = isAllKnown ? stats.ore_mined === known : stats.ore_mined >= known
    if (!isRight) broken.push(`${name} mined ${known} by the answers, ${stats.ore_mined} by state`)
  }
  return broken
}
