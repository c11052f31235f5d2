/** `orrery snapshot export, import, restore`: worlds to and from files, and back to a snapshot. */
import { statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { describeConnection } from '../storage/db.ts'
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

/** Returns the full path of a file to write; throws ToolError if it exists or cannot be written. */
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
  summary: 'write the whole world, with accounts and archive, to one file with checksums',
  help: `${SNAPSHOT_NAMES}\nA server may keep running: the file holds one moment of its world.`,
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
        `(snapshot of batch ${batch}, ${held(done)}). It contains accounts: keep it secret.`
      return { data: { file: path, ...done }, text }
    }),
}

const importTool: ToolDef = {
  usage: 'import <file>',
  summary: 'fill an empty database from an export; all of it or nothing',
  help: 'Creates missing tables. No server may run on this database.',
  settings: DATABASE,
  options: [new Option('--replace', 'discard the existing world')],
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
          `at ${describeConnection(database.connection)} ` +
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
  summary: 'set the world back to a snapshot; everything after it is deleted',
  help:
    `${SNAPSHOT_NAMES}\n` +
    'Journal, newer snapshots, archive and registrations of later batches are deleted permanently:\n' +
    '--dry-run counts them, and "snapshot export" keeps a copy. Refused while a server runs.',
  settings: DATABASE,
  options: [new Option('--dry-run', 'only count what would be deleted')],
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
        ? `Going back to batch ${batch} (tick ${done.tick}) would delete: ${cut}.`
        : `The world is at batch ${batch} (tick ${done.tick}, hash ${hash}); deleted: ${cut}.`
      return { data: { ...done, hash, dryRun }, text }
    }),
}

export function addTransferTools(parent: Command): void {
  for (const def of [exportTool, importTool, restoreTool]) addTool(parent, def)
}
