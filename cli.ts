/**
 * Composition root of `npx orrery`: the operators' tools. Exit codes: 0 done, 1 failed (the reason
 * is on stderr), 2 the command line makes no sense.
 */
import { CommanderError } from 'commander'
import { createProgram } from './cli/program.ts'
import { faultOf, UsageError } from './cli/tool.ts'

// Whoever reads the report may have seen enough (| head).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
try {
  await createProgram().parseAsync(process.argv)
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else {
    process.stderr.write(`${faultOf(error)}\n`)
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
}
// Everything is closed by now; a timer that some deadline left behind must not hold the shell.
process.stdout.write('', () => process.exit())
