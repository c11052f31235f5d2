/**
 * Composition root of `npx orrery`: the operators' tools. Exit codes: 0 done, 1 failed (the reason
 * is on stderr), 2 the command line makes no sense.
 */
import { runProgram } from './cli/program.ts'
import { faultOf } from './cli/tool.ts'

let unsaid: NodeJS.ErrnoException | undefined
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of the pipe may close it early (| head).
  if (error.code === 'EPIPE' || unsaid) return
  unsaid = error
  process.stderr.write(`The report could not be written. ${faultOf(error)}\n`)
})
const code = await runProgram(process.argv)
// Everything is closed by now; a timer that some deadline left behind must not hold the shell.
process.stdout.write('', () => setImmediate(() => process.exit(unsaid ? 1 : code)))
