/** The command line `npx orrery`, assembled from the tools in this folder. */
import { type Command, CommanderError } from 'commander'
import { UsageError } from '../config.ts'
import { RELEASE_TEXT } from '../release.ts'
import { addClusterTools } from './cluster.ts'
import { newProgram, USAGE_ERROR } from './command-line.ts'
import { addCompareTool } from './compare.ts'
import { addCompletionCommand } from './completion.ts'
import { addCorrectTools } from './correct.ts'
import { addExplainTool } from './explain.ts'
import { addForkTool } from './fork.ts'
import { addPlayerTool } from './player-tool.ts'
import { addProofTool } from './proof.ts'
import { addReplayTool } from './replay.ts'
import { addReportTools } from './reports.ts'
import { addSettingTools } from './settings.ts'
import { addSnapshotTools } from './snapshot.ts'
import { addStartCommand } from './start.ts'
import { addTokenTools } from './tokens.ts'
import { faultOf } from './tool.ts'
import { addTransferTools } from './transfer.ts'

const HELP = `
The database is that of DATABASE_URL, or the embedded one in DATA_DIR (./data), which is started for
as long as the tool works unless it is already running. Settings come from the environment or from
the flags of each tool. Exit codes: 0 done, 1 failed, 2 invalid command line.`

/** Builds the command line, which throws CommanderError where commander would end the process. */
export function createProgram(): Command {
  const program = newProgram('orrery')
    .description('The Orrery server, and tools for its operators.')
    .version(RELEASE_TEXT)
    .addHelpText('after', HELP)
  addStartCommand(program)
  const snapshot = program.command('snapshot').description('snapshots: take, check, move, restore')
  addSnapshotTools(snapshot)
  addTransferTools(snapshot)
  addReplayTool(program)
  addExplainTool(program)
  const correct = program
    .command('correct')
    .description('correct what belongs to a player: give, take back, move, restore a ship')
  addCorrectTools(correct)
  addForkTool(program)
  addCompareTool(program)
  addProofTool(program)
  addPlayerTool(program)
  addTokenTools(program)
  addReportTools(program)
  const cluster = program.command('cluster').description('several processes: who leads, step down')
  addClusterTools(cluster)
  addSettingTools(program)
  addCompletionCommand(program)
  return program
}

/**
 * Runs a command line, given as in process.argv, and returns the exit code: 0 done, 1 failed (the
 * reason is on stderr), 2 invalid command line.
 */
export async function runProgram(argv: readonly string[]): Promise<number> {
  process.exitCode = 0
  try {
    await createProgram().parseAsync(argv)
    return Number(process.exitCode)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR
    process.stderr.write(`${faultOf(error)}\n`)
    return error instanceof UsageError ? USAGE_ERROR : 1
  }
}
