/**
 * `orrery start` as `--help` and the completion show it. bin/orrery.mjs passes such a line to
 * main.ts before it loads commander, so that the server starts sooner.
 */
import type { Command } from 'commander'
import { SETTINGS } from '../config.ts'
import { addSettings, ToolError } from './tool.ts'

const HELP = `
Each setting is read from the environment ([NAME, default]) or given as a flag; a secret may be
kept in a file instead (NAME_FILE). The first start makes the database and the world. SIGTERM and
SIGINT end the server after its current tick and a snapshot: exit code 0.`

export function addStartCommand(parent: Command): void {
  const command = parent
    .command('start')
    .description('start the server; it runs until SIGTERM or SIGINT')
    .addHelpText('after', HELP)
    .action(() => {
      throw new ToolError('The server is started by "npx orrery start", or by "npm start".')
    })
  addSettings(
    command,
    SETTINGS.map(({ name }) => name),
  )
}
