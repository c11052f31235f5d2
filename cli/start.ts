/**
 * `orrery start`, only for `--help` and completion: bin/orrery.mjs runs main.ts directly, without
 * loading commander, so that the server starts sooner.
 */
import type { Command } from 'commander'
import { SETTINGS } from '../config.ts'
import { addSettings, ToolError } from './tool.ts'

const HELP = `
Each setting is read from the environment ([NAME, default]) or given as a flag; a secret may be
kept in a file instead (NAME_FILE). The first start creates the database and the world. SIGTERM and
SIGINT stop the server after its current tick and a snapshot, with exit code 0.`

export function addStartCommand(parent: Command): void {
  const command = parent
    .command('start')
    .description('start the server; it runs until SIGTERM or SIGINT')
    .addHelpText('after', HELP)
    .action(() => {
      throw new ToolError('Start the server with "npx orrery start" or "npm start".')
    })
  addSettings(
    command,
    SETTINGS.map(({ name }) => name),
  )
}
