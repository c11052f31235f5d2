/**
 * Composition root of `npx orrery`: the operators' tools. Exit codes: 0 done, 1 failed (the reason
 * is on stderr), 2 the command line makes no sense.
 */
import { runProgram } from './cli/program.ts'

// Whoever reads the report may have seen enough (| head).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
process.exitCode = await runProgram(process.argv)
// Everything is closed by now; a timer that some deadline left behind must not hold the shell.
process.stdout.write('', () => process.exit())
