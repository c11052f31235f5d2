/** `orrery snapshot export, import, restore`: worlds as files, and worlds wound back. */
import { statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { restoreWorld } from '../storage/restore.ts'
import { exportWorld, importWorld, type TransferResult } from '../storage/transfer.ts'
import { pickSnapshot, SNAPSHOT_NAMES, withDatabase } from './database.ts'
import { count, digits, size } from './format.ts'
import { addTool, DATABASE, type ToolDef, ToolError } from './tool.ts'

const held = ({ journalRows, rows }: TransferResult): string =>
  `${count(journalRows, 'journal row')}, ${count(rows.player ?? 0, 'player')}, ` +
  `${count(rows.account ?? 0, 'account')}, ` +
  count(
    (rows.chat ?? 0) + (rows.action_log ?? 0) + (rows.captains_log ?? 0) + (rows.battle_log ?? 0),
    'archive row',
  )

/** Returns the whole path of a file to write; throws ToolError where it cannot be, or exists. */
export function newFile(file: string, mayReplace: boolean): string {
  const path = resolve(file)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) throw new ToolError(`${path} is a folder: name a file in it.`)
  if (found && !mayReplace) {
    throw new ToolError(`${path} already exists: name another file, or add --force.`)
  }
  const folder = dirname(path)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return path
  throw new ToolError(`There is no folder ${folder}: make it first, or name another file.`)
}

const exportTool: ToolDef = {
  usage: 'export <file>',
  summary: 'the whole world, accounts and archive with it, as one checked file',
  help: `${SNAPSHOT_NAMES}\nA server may run meanwhile: the file is one moment of its world.`,
  settings: DATABASE,
  options: [
    new Option('--snapshot <snapshot>', 'snapshot to begin with; the journal follows').default(
      'newest',
    ),
    new Option('--force', 'overwrite an existing file'),
  ],
  run: (tool, [file], options) =>
    withDatabase(tool, async ({ sql }) => {
      const path = newFile(file, options.force === true)
      const { batch } = await pickSnapshot(sql, String(options.snapshot))
      const done = await exportWorld(sql, path, { batch, onProgress: tool.progress })
      const text =
        `${path}: ${size(done.bytes)}, the world up to batch ${done.batch} ` +
        `(snapshot of batch ${batch}, ${held(done)}). It holds accounts: keep it as secret as they are.`
      return { data: { file: path, ...done }, text }
    }),
}

const importTool: ToolDef = {
  usage: 'import <file>',
  summary: 'fill an empty database from an export; all of it or nothing',
  help: 'Makes the tables where they are missing. No server may run on them.',
  settings: DATABASE,
  options: [new Option('--replace', 'discard the world that is there')],
  async run(tool, [file], options) {
    const path = resolve(file)
    await stat(path)
    return withDatabase(
      tool,
      async ({ database }) => {
        await database.migrate()
        const replace = options.replace === true
        const done = await importWorld(database.connection, path, {
          replace,
          onProgress: tool.progress,
        })
        const text =
          `The world up to batch ${done.batch} is now in schema ${database.connection.schema} ` +
          `(snapshot of batch ${done.snapshotBatch}, ${held(done)}).`
        const { bytes: _, ...data } = done
        return { data: { file: path, ...data }, text }
      },
      { mayMake: true },
    )
  },
}

const restoreTool: ToolDef = {
  usage: 'restore <snapshot>',
  summary: 'wind the world back to a snapshot: everything after it is cut',
  help:
    `${SNAPSHOT_NAMES}\n` +
    'Journal, newer snapshots, archive and registrations of later batches go for good: see what\n' +
    'with --dry-run, and keep them with "snapshot export". Refuses while a server runs.',
  settings: DATABASE,
  options: [new Option('--dry-run', 'only count what would go')],
  run: (tool, [name], options) =>
    withDatabase(tool, async ({ database, sql }) => {
      const { batch, hash } = await pickSnapshot(sql, name)
      const dryRun = options.dryRun === true
      const done = await restoreWorld(database.connection, batch, {
        dryRun,
        onProgress: tool.progress,
      })
      const cut = Object.entries(done.cut)
        .map(([table, rows]) => `${table} ${digits(rows)}`)
        .join(', ')
      const text = dryRun
        ? `Back to batch ${batch} (tick ${done.tick}) would cut: ${cut}.`
        : `The world is at batch ${batch} (tick ${done.tick}, hash ${hash}); cut: ${cut}.`
      return { data: { ...done, hash, dryRun }, text }
    }),
}

export function addMoveTools(parent: Command): void {
  for (const def of [exportTool, importTool, restoreTool]) addTool(parent, def)
}
