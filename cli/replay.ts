/** `orrery replay`: the journal from a snapshot on, with the hashes it meets. */
import { type Command, Option } from 'commander'
import { UsageError } from '../config.ts'
import type { Engine } from '../core/engine.ts'
import { stateHash } from '../core/hash.ts'
import type { Sql } from '../storage/db.ts'
import { listSnapshots, loadSnapshot, type SnapshotRow } from '../storage/snapshots.ts'
import { wholeFrom } from './command-line.ts'
import { reading } from './database.ts'
import { count } from './format.ts'
import { addTool, DATABASE, type Tool, type ToolDef, ToolError } from './tool.ts'
import { engineOf, lastBatch, replay, rowsBehind } from './world.ts'

interface Met {
  readonly batch: number
  readonly tick: number
  /** Place of a batch of immediates behind its tick; 0 for the tick itself. */
  readonly part: number
  readonly inputs: number
  readonly hash: string
  /** True when the journal has this hash too. */
  readonly journalled: boolean
}

interface Span {
  readonly from?: number
  readonly to: number
  readonly untilHash?: string
  /** A hash behind each row, not only where the journal has one. */
  readonly every: boolean
}

const replayTool: ToolDef = {
  usage: 'replay',
  summary: 'replay the journal from one tick to another and print the hashes',
  help:
    'Begins with the newest snapshot at or before --from, and compares every hash that the journal\n' +
    'has. Exit code 1 when one differs, or when --until-hash is never met. Writes nothing.',
  settings: DATABASE,
  options: [
    new Option('--from <tick>', 'first tick; absent: that of the newest snapshot').argParser(
      wholeFrom(0),
    ),
    new Option('--to <tick>', 'last tick; absent: the last one there is').argParser(wholeFrom(0)),
    new Option(
      '--until-hash <hash>',
      'stop at the first batch after which the world has this hash',
    ),
    new Option('--every', 'print a hash behind every batch'),
  ],
  run(tool, _, options) {
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
    return reading(tool, (sql) => replaySpan(tool, sql, span))
  },
}

/** The newest snapshot at or before a tick. */
async function findStart(sql: Sql, span: Span): Promise<SnapshotRow> {
  const rows = await listSnapshots(sql)
  const tick = Math.min(span.from ?? span.to, span.to)
  const found = rows.find((row) => row.tick <= tick)
  if (found) return found
  const ticks = rows.map((row) => row.tick).join(', ')
  throw new ToolError(
    `No snapshot at or before tick ${tick} is kept; there are those of ticks ${ticks}. Journal and ` +
      'snapshots before the oldest one are pruned (SNAPSHOT_KEEP).',
  )
}

async function replaySpan(tool: Tool, sql: Sql, span: Span) {
  const start = await findStart(sql, span)
  const image = await loadSnapshot(sql, start.id, {
    onProgress: (done, all) => tool.progress('chunks of the snapshot read', done, all),
  })
  const engine = await engineOf(tool, image)
  const { batch, tick, hash } = start
  const met: Met[] = []
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
    lines.push(ran.found ? 'The hash was met here.' : `The hash ${span.untilHash} was never met.`)
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
  readonly met: Met[]
}

async function run(tool: Tool, sql: Sql, { engine, span, met }: Running) {
  const { world } = engine
  const all = (await lastBatch(sql, span.to)) - world.batch
  let rows = 0
  for await (const row of rowsBehind(sql, world.batch)) {
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
