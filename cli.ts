/**
 * Composition root of `npx orrery`: the operators' tools. Exit codes: 0 done, 1 failed (the reason
 * is on stderr), 2 the command line is invalid.
 */
import { runProgram } from './cli/program.ts'
import { faultOf } from './cli/tool.ts'
import { isLateWrite } from './storage/db.ts'

let writeError: NodeJS.ErrnoException | undefined
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of the pipe may close it early (| head).
  if (error.code === 'EPIPE' || writeError) return
  writeError = error
  process.stderr.write(`The report could not be written. ${faultOf(error)}\n`)
})
process.on('uncaughtException', (error) => {
  // The statement has been refused already, and the tool must still clean up.
  if (isLateWrite(error)) return
  process.stderr.write(`${faultOf(error)}\n`)
  process.exit(1)
})
const code = await runProgram(process.argv)
// Everything is closed by now; a timer left over from a deadline must not keep the process alive.
process.stdout.write('', () => setImmediate(() => process.exit(writeError ? 1 : code)))
