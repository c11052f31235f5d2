/**
 * `orrery replay`: replays the journal from a snapshot and prints hashes; or loads the world of a
 * past tick, to query it, serve it or write it to a file.
 */
import { type Command, Option } from 'commander'
import { UsageError } from '../config.ts'
import type { Engine } from '../core/engine.ts'
import { stateHash } from '../core/hash.ts'
import { captureWorld, createImageMemory } from '../core/image.ts'
import type { JournalRow } from '../core/ports.ts'
import type { World } from '../core/types.ts'
import { createAccounts } from '../storage/accounts.ts'
import type { Sql } from '../storage/db.ts'
import { type PackedImage, packImageAtOnce } from '../storage/snapshot-format.ts'
import { listSnapshots, loadSnapshot, type SnapshotRow } from '../storage/snapshots.ts'
import { exportPast } from '../storage/transfer-past.ts'
import { wholeFrom } from './command-line.ts'
import { reading, withDatabase } from './database.ts'
import { findAccount, NAMES } from './find.ts'
import { count, size } from './format.ts'
import { requireReach, SPEED_MAX, settleArchive, worldAt } from './past.ts'
import {
  addTool,
  DATABASE,
  type Options,
  type Report,
  type Tool,
  type ToolDef,
  ToolError,
} from './tool.ts'
import { newFile } from './transfer.ts'
import { engineOf, journalRowsAfter, lastBatch, replay } from './world.ts'

interface HashLine {
  readonly batch: number
  readonly tick: number
  /** Which batch of immediates after its tick; 0 for the tick itself. */
  readonly part: number
  readonly inputs: number
  readonly hash: string
  /** Whether the journal has this hash too. */
  readonly journalled: boolean
}

interface Span {
  readonly from?: number
  readonly to: number
  readonly untilHash?: string
  /** Whether to compute a hash after each row, not only where the journal has one. */
  readonly every: boolean
}

const tickOption = (flags: string, about: string): Option =>
  new Option(flags, about).argParser(wholeFrom(0))

const replayTool: ToolDef = {
  usage: 'replay',
  summary: 'replay the journal and print its hashes; or open the world of a past tick',
  help:
    'Begins with the newest snapshot at or before --from, and compares every hash in the journal.\n' +
    'Exit code 1 if one differs, or if --until-hash never occurs. Writes nothing.\n\n' +
    'With --at: opens the world at the end of a tick. "snapshot list" shows which ticks can be\n' +
    `reached. A running server is not disturbed. ${NAMES}\n` +
    '"snapshot import" imports a file that --export wrote; that world continues from there.\n\n' +
    'With --at and --serve: opens a server on HOST and that port, with all channels and the live\n' +
    'page, whose clock is stopped. It answers all queries and refuses commands that would change the\n' +
    'world (past_world). Step it by lines on standard input (step 10, run 5, pause, tick, quit) or\n' +
    'by POST /past/step?ticks=10, from this machine or with METRICS_TOKEN. Log in as any player of\n' +
    'that tick by name, with the password shown at the start, which is new for each run; their own\n' +
    'passwords, tokens and API keys are not valid. With that password one can read everything that\n' +
    'any player could read.',
  settings: [...DATABASE, 'HOST', 'METRICS_TOKEN'],
  options: [
    tickOption(
      '--from <tick>',
      'print hashes from this tick on; the replay begins after the newest snapshot at or before it',
    ),
    tickOption('--to <tick>', 'last tick; absent: the newest one'),
    new Option(
      '--until-hash <hash>',
      'stop at the first batch after which the world has this hash',
    ),
    new Option('--every', 'print a hash after every batch'),
    tickOption('--at <tick>', 'the world at the end of this tick').conflicts([
      'from',
      'to',
      'untilHash',
      'every',
    ]),
    new Option('--query <command>', 'with --at: answer this query as of that tick'),
    new Option('--player <name>', 'with --query: as this player; absent: not logged in'),
    new Option('--params <json>', 'parameters of the query').default('{}', 'none'),
    new Option('--export <file>', 'with --at: write that world to a file, with accounts'),
    new Option('--force', 'overwrite an existing file'),
    new Option('--serve <port>', 'with --at: open that world to clients, on HOST; 0: any port')
      .argParser(wholeFrom(0, 65_535))
      .conflicts(['query', 'player', 'export', 'force', 'json']),
    new Option(
      '--speed <ticks>',
      'with --serve: run this many ticks per second, to the end',
    ).argParser(wholeFrom(1, SPEED_MAX)),
  ],
  run(tool, _, options) {
    if (options.speed !== undefined && options.serve === undefined) {
      throw new UsageError('--speed needs --serve.')
    }
    if (options.at !== undefined) {
      return options.serve === undefined ? replayAt(tool, options) : serve(tool, options)
    }
    for (const only of ['query', 'player', 'export', 'serve']) {
      if (options[only] !== undefined) throw new UsageError(`--${only} needs --at.`)
    }
    return replaySpan(tool, spanOf(options))
  },
}

/** Opens the world at a tick to clients. */
const serve = (tool: Tool, options: Options): Promise<Report> =>
  withDatabase(tool, async (opened) => {
    const { serveAt } = await import('./serve.ts')
    return serveAt(tool, opened, {
      at: options.at as number,
      port: options.serve as number,
      speed: options.speed as number | undefined,
    })
  })

/** Reports the world at a tick: the answer of a query, a file, or just its hash. */
async function replayAt(tool: Tool, options: Options): Promise<Report> {
  const at = options.at as number
  const name = options.query as string | undefined
  const file = options.export as string | undefined
  if (name === undefined && options.player !== undefined) {
    throw new UsageError('--player needs --query.')
  }
  const path = file === undefined ? undefined : newFile(file, options.force === true)
  if (path !== undefined) {
    await withDatabase(tool, async ({ sql }) => {
      await requireReach(sql, at)
      await settleArchive(tool, sql, at)
    })
  }
  return reading(tool, async (sql) => {
    const asked = options.player as string | undefined
    const account = asked === undefined ? undefined : await findAccount(createAccounts(sql), asked)
    // The snapshot in a file is the state right after the tick; later immediates follow as rows.
    let image: PackedImage | undefined
    const keep = (world: World, { tick, part }: JournalRow): void => {
      if (tick === at && part === 0) image = packed(world)
    }
    const engine = await worldAt(tool, sql, at, path === undefined ? undefined : keep)
    const { world } = engine
    const { batch, tick } = world
    const end = { batch, tick, hash: stateHash(world) }
    const lines = [`batch ${batch} (tick ${tick}) has ${end.hash}`]
    let answer: object = {}
    if (name !== undefined) {
      const { queryWorld } = await import('./past-query.ts')
      if (account && !world.rowOf(world.players, account.number)) {
        throw new ToolError(`At tick ${tick} there was no player ${account.username} yet.`)
      }
      const query = { name, params: options.params as string, player: account?.number ?? 0 }
      const result = queryWorld(engine, query)
      answer = { query: name, result }
      lines.push(JSON.stringify(result, null, 2))
    }
    if (path !== undefined) {
      const { bytes, rows } = await exportPast(sql, path, image ?? packed(world), {
        end: { batch, tick, wallMs: world.wallMs },
        onProgress: tool.progress,
      })
      answer = { ...answer, file: path, bytes, rows }
      lines.push(`${path}: ${size(bytes)}. It contains accounts: keep it secret.`)
    }
    return { data: { ...end, ...answer }, text: lines.join('\n') }
  })
}

const packed = (world: World): PackedImage =>
  packImageAtOnce(captureWorld(world, createImageMemory()))

function spanOf(options: Options): Span {
  const span: Span = {
    from: options.from as number | undefined,
    to: (options.to as number | undefined) ?? Number.MAX_SAFE_INTEGER,
    untilHash: (options.untilHash as string | undefined)?.toLowerCase(),
    every: options.every === true,
  }
  if (span.from !== undefined && span.to < span.from) {
    throw new UsageError(`--to ${span.to} lies before --from ${span.from}.`)
  }
  if (span.untilHash !== undefined && !/^[0-9a-f]{16}$/.test(span.untilHash)) {
    throw new UsageError('--until-hash takes a state hash: 16 hexadecimal digits.')
  }
  return span
}

/** Returns the newest snapshot at or before a tick. */
async function findStart(sql: Sql, span: Span): Promise<SnapshotRow> {
  const rows = await listSnapshots(sql)
  const tick = Math.min(span.from ?? span.to, span.to)
  const found = rows.find((row) => row.tick <= tick)
  if (found) return found
  const oldest =
    rows.length === 0 ? 'there is none yet' : `the oldest is of tick ${rows.at(-1)?.tick}`
  throw new ToolError(
    `No snapshot at or before tick ${tick} is kept; ${oldest}. The SNAPSHOT_KEEP settings control ` +
      'how long snapshots and journal are kept.',
  )
}

const replaySpan = (tool: Tool, span: Span): Promise<Report> =>
  reading(tool, (sql) => replayRows(tool, sql, span))

async function replayRows(tool: Tool, sql: Sql, span: Span): Promise<Report> {
  const start = await findStart(sql, span)
  // The start may be from before a change of the rules, which this release cannot replay.
  await requireReach(sql, start.tick)
  const image = await loadSnapshot(sql, start.id, {
    onProgress: (done, all) => tool.progress('chunks of the snapshot read', done, all),
  })
  const engine = await engineOf(tool, image)
  const { batch, tick, hash } = start
  const met: HashLine[] = []
  const isFoundAtOnce = span.untilHash === hash
  const ran = isFoundAtOnce ? { rows: 0, found: true } : await run(tool, sql, { engine, span, met })
  const { world } = engine
  const end = { batch: world.batch, tick: world.tick, hash: stateHash(world) }
  const lines = [
    `from the snapshot of batch ${batch} (tick ${tick}) ${hash}`,
    ...met.map(
      (one) =>
        `batch ${one.batch} tick ${one.tick}${one.part === 0 ? '' : ` part ${one.part}`}  ${one.hash}` +
        (one.journalled ? '  as in the journal' : ''),
    ),
    `${count(ran.rows, 'row')} replayed; batch ${end.batch} (tick ${end.tick}) has ${end.hash}`,
  ]
  if (span.untilHash !== undefined) {
    lines.push(
      ran.found ? 'The hash was found here.' : `The hash ${span.untilHash} never occurred.`,
    )
  }
  return {
    data: {
      start: { batch, tick, hash },
      hashes: met,
      rows: ran.rows,
      end,
      ...(span.untilHash === undefined ? {} : { untilHash: span.untilHash, found: ran.found }),
    },
    text: lines.join('\n'),
    failed: span.untilHash !== undefined && !ran.found,
  }
}

interface Running {
  readonly engine: Engine
  readonly span: Span
  readonly met: HashLine[]
}

async function run(tool: Tool, sql: Sql, { engine, span, met }: Running) {
  const { world } = engine
  const all = (await lastBatch(sql, span.to)) - world.batch
  let rows = 0
  for await (const row of journalRowsAfter(sql, world.batch)) {
    if (row.tick > span.to) break
    await replay(engine, row)
    tool.progress('batches replayed', ++rows, all)
    const { batch, tick, part, inputs } = row
    const isAsked = span.every || span.untilHash !== undefined
    const hash = row.hash ?? (isAsked ? stateHash(world) : undefined)
    const isShown = tick >= (span.from ?? 0) && (row.hash !== null || span.every)
    if (hash !== undefined && isShown) {
      met.push({ batch, tick, part, inputs: inputs.length, hash, journalled: row.hash !== null })
    }
    if (hash === span.untilHash && hash !== undefined) return { rows, found: true }
  }
  return { rows, found: false }
}

export function addReplayTool(parent: Command): void {
  addTool(parent, replayTool)
}
