/** `orrery snapshot create, list, inspect, diff, prune`: takes, shows and deletes snapshots. */
import { type Command, Option } from 'commander'
import { SETTINGS, UsageError } from '../config.ts'
import { captureWorld, createImageMemory } from '../core/image.ts'
import { RULES_VERSION } from '../core/version.ts'
import type { Sql } from '../storage/db.ts'
import { WorldLockedError } from '../storage/errors.ts'
import { createBatchStore, type PostgresStore } from '../storage/journal.ts'
import {
  KEEPING_DEFAULT,
  type Keeping,
  pruneWorld,
  readKept,
  readTickMs,
} from '../storage/keeping.ts'
import { listCosts, readJournalSize, readReach } from '../storage/reach.ts'
import { inspectSnapshot } from '../storage/snapshot-tools.ts'
import {
  findSnapshot,
  listSnapshots,
  loadSnapshot,
  type SnapshotRow,
} from '../storage/snapshots.ts'
import { callTools, type ToolReply } from '../storage/tools-channel.ts'
import { wholeFrom } from './command-line.ts'
import { type Opened, pickSnapshot, reading, SNAPSHOT_NAMES, withDatabase } from './database.ts'
import { diffText, diffWorlds } from './diff.ts'
import { count, pairs, size, table, time } from './format.ts'
import { reachText } from './past.ts'
import {
  addTool,
  DATABASE,
  givenFlags,
  messageOf,
  type Options,
  type Report,
  type Tool,
  type ToolDef,
  ToolError,
} from './tool.ts'
import { verifyTool } from './verify.ts'
import { engineOf, loadGame, replay } from './world.ts'

/** Longer than any snapshot of a full world takes. */
const CREATE_WAIT_MS = 300_000
const LOCK_WAIT_MS = 500

/** The settings that control how long snapshots and journal are kept. */
const KEEPING_SETTINGS = SETTINGS.filter(({ name }) => /^SNAPSHOT_KEEP/.test(name))
const KEEPING = KEEPING_SETTINGS.map(({ name }) => name)

/** Deletes nothing: what to keep is a setting of the server, which this tool may not have. */
const KEEP_ALL: Keeping = { ...KEEPING_DEFAULT, newest: Number.MAX_SAFE_INTEGER }

/** Returns whether the operator says what to keep: the defaults may keep less than the server. */
const namesKeeping = (options: Options): boolean =>
  givenFlags(KEEPING_SETTINGS, options).length > 0 ||
  KEEPING.some((name) => process.env[name] !== undefined)

/** Returns a snapshot without its number in the database. */
const withoutId = ({ id: _, ...row }: SnapshotRow) => row

const create: ToolDef = {
  usage: 'create',
  summary: 'take a snapshot now, by the running server if there is one',
  settings: DATABASE,
  run: (tool) => withDatabase(tool, (opened) => createSnapshot(tool, opened)),
}

async function createSnapshot(tool: Tool, { database, sql }: Opened): Promise<Report> {
  const [before] = await listSnapshots(sql)
  const problem = await requestSnapshot(sql)
  if (problem === undefined) {
    const newest = await findSnapshot(sql)
    return created(newest, newest.id === before?.id ? 'none' : 'server')
  }
  let store: PostgresStore
  try {
    store = await createBatchStore(database.connection, {
      rulesVersion: RULES_VERSION,
      keep: KEEP_ALL,
      lockWaitMs: LOCK_WAIT_MS,
      log: (_, __, text) => tool.note(text),
    })
  } catch (error) {
    if (!(error instanceof WorldLockedError)) throw error
    throw new ToolError(
      `The world is in use (${error.message}), but the request for a snapshot failed: ${problem}.`,
    )
  }
  try {
    return await createAlone(tool, sql, store)
  } finally {
    await store.close()
  }
}

/** Requests a snapshot from the server; returns undefined if it took one, else the reason. */
async function requestSnapshot(sql: Sql): Promise<string | undefined> {
  let reply: ToolReply
  try {
    reply = await callTools(sql, { kind: 'snapshot' }, CREATE_WAIT_MS)
  } catch (error) {
    return messageOf(error)
  }
  if (!reply.ok) throw new ToolError(`The server could not take the snapshot: ${reply.text}.`)
  return undefined
}

async function createAlone(tool: Tool, sql: Sql, store: PostgresStore): Promise<Report> {
  const image = await store.latestSnapshot()
  if (!image) throw new ToolError('There is no world yet: start the server once (npm start).')
  if (image.batch === store.headBatch) return created(await findSnapshot(sql, image.batch), 'none')
  const engine = await engineOf(tool, image)
  let rows = 0
  for await (const row of store.journalAfter(image.batch)) {
    await replay(engine, row)
    tool.progress('batches replayed', ++rows, store.headBatch - image.batch)
  }
  await store.saveSnapshot(captureWorld(engine.world, createImageMemory()))
  return created(await findSnapshot(sql, engine.world.batch), 'tool')
}

function created(row: SnapshotRow, by: 'server' | 'tool' | 'none'): Report {
  const what = `batch ${row.batch}, tick ${row.tick}, hash ${row.hash}`
  const how = {
    server: `The running server took a snapshot: ${what}.`,
    tool: `No server is running; took a snapshot of the recovered world: ${what}.`,
    none: `Nothing has happened since the newest snapshot: ${what}.`,
  }
  return { data: { by, ...withoutId(row) }, text: how[by] }
}

const list: ToolDef = {
  usage: 'list',
  summary: 'list the kept snapshots with their sizes, and the ticks within reach',
  help:
    'Kept as: newest (always), all (of the last hours), hourly, daily, turn (settings or rules\n' +
    'changed there, and no replay can cross it); "due": the next prune deletes it. Alone: stored for\n' +
    'this snapshot only; shared: needed by other snapshots as well.',
  settings: [...DATABASE, ...KEEPING],
  run: (tool) =>
    reading(tool, async (sql) => {
      const tickMs = await readTickMs(sql)
      const costs = await listCosts(sql)
      const { snapshotKeep } = tool.config
      const { tiers, bytes: keptBytes } = await readKept(sql, costs, snapshotKeep)
      const rows = costs.map((row, index) => ({ ...row, tier: tiers[index] ?? 'due' }))
      const journal = await readJournalSize(sql)
      const reach = await readReach(sql)
      const lines = rows.map((row) => [
        ...[row.batch, row.tick, row.rulesVersion].map(String),
        row.hash,
        row.tier,
        size(row.aloneBytes),
        size(row.sharedBytes),
        size(row.rawBytes),
        time(row.createdAt),
      ])
      const names = [
        'batch',
        'tick',
        'rules',
        'hash',
        'kept as',
        'alone',
        'shared',
        'size',
        'taken',
      ]
      const { rows: hot, bytes, compressedRows, compressedBytes, uncompressedBytes } = journal
      const ends = [
        `The journal keeps ${count(hot, 'row')} (${size(bytes)}), back to batch ${journal.batch}` +
          (compressedRows === 0
            ? '.'
            : `; before them ${count(compressedRows, 'row')} compressed from ` +
              `${size(uncompressedBytes)} to ${size(compressedBytes)}.`),
        `Kept in total: ${size(keptBytes)}, of at most ${size(snapshotKeep.bytesMax)} ` +
          '(SNAPSHOT_KEEP_MB).',
        ...reach.map((one) => reachText(one, tickMs)),
      ]
      return {
        data: { snapshots: rows.map(withoutId), journal, keptBytes, tickMs, reach },
        text: [table(names, lines), ...ends].join('\n'),
      }
    }),
}

const inspect: ToolDef = {
  usage: 'inspect [snapshot]',
  summary: 'what a snapshot contains; by default the newest',
  help: SNAPSHOT_NAMES,
  settings: DATABASE,
  run: (tool, [name = 'newest']) =>
    reading(tool, async (sql) => {
      const found = await pickSnapshot(sql, name)
      const { tables, recordTables, ...row } = await inspectSnapshot(sql, found.id)
      const facts = pairs([
        ['batch', String(row.batch)],
        ['tick', String(row.tick)],
        ['seed', String(row.seed)],
        ['rules version', String(row.rulesVersion)],
        ['state hash', row.hash],
        ['world time', time(row.wallMs)],
        ['taken', time(row.createdAt)],
        ['size', size(row.rawBytes)],
        ['stored', `${size(row.storedBytes)} in ${count(row.chunks, 'chunk')}`],
      ])
      const held = table(
        ['table', 'rows used', 'columns'],
        tables.map(({ name, rows, columns }) => [name, rows, columns]),
      )
      const { id: _, ...data } = row
      return {
        data: { ...data, tables, recordTables },
        text: `${facts}\n\n${held}\n\nrecords: ${recordTables.join(', ')}`,
      }
    }),
}

const diff: ToolDef = {
  usage: 'diff <before> <after>',
  summary: 'what changed between two snapshots, by component and row',
  help: SNAPSHOT_NAMES,
  settings: DATABASE,
  options: [
    new Option('--rows <count>', 'rows shown per table').default(10).argParser(wholeFrom(0)),
    new Option('--table <name>', 'only this table or component'),
  ],
  run: (tool, [before, after], options) =>
    reading(tool, async (sql) => {
      const load = async (name: string) => {
        const row = await pickSnapshot(sql, name)
        return loadSnapshot(sql, row.id, {
          onProgress: (done, all) => tool.progress(`chunks of batch ${row.batch} read`, done, all),
        })
      }
      const found = diffWorlds(await load(before), await load(after), {
        registry: await loadGame(),
        rowsMax: options.rows as number,
        table: options.table as string | undefined,
      })
      return { data: found, text: diffText(found) }
    }),
}

const prune: ToolDef = {
  usage: 'prune',
  summary: 'delete snapshots that no tier keeps, and the journal before the oldest one left',
  help: 'A running server prunes automatically after each snapshot.',
  settings: [...DATABASE, ...KEEPING],
  options: [
    new Option(
      '--keep <count>',
      'keep only this many of the newest; absent: what the settings keep',
    ).argParser(wholeFrom(1)),
  ],
  run: (tool, _, options) =>
    withDatabase(tool, async ({ sql }) => {
      const newest = options.keep as number | undefined
      if (newest === undefined && !namesKeeping(options)) {
        throw new UsageError(
          'Say what to keep: --keep, or the SNAPSHOT_KEEP settings of the server.',
        )
      }
      const none = { allHours: 0, hourlyDays: 0, dailyDays: 0 }
      const keep: Keeping = {
        ...tool.config.snapshotKeep,
        ...(newest === undefined ? {} : { newest, ...none }),
      }
      const { damage, ...gone } = await pruneWorld(sql, keep)
      if (damage !== undefined) tool.note(`Not compressed: ${damage}.`)
      const text =
        `Deleted ${count(gone.snapshots, 'snapshot')}, ${count(gone.journalRows, 'journal row')}, ` +
        `${count(gone.journalBlocks, 'block')} of compressed rows and ${count(gone.chunks, 'chunk')}.`
      return { data: { keep, ...gone }, text }
    }),
}

export function addSnapshotTools(parent: Command): void {
  for (const def of [create, list, inspect, verifyTool, diff, prune]) addTool(parent, def)
}
