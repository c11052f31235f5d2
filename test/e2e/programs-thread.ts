/**
 * The thread of `startPrograms`. A program that exits while its module is evaluated leaves that
 * module broken for whoever imports it later, so the tests' own thread never runs one.
 */
import { parentPort } from 'node:worker_threads'
import { catchWrites, type ToolRun } from './orrery.ts'

/** Runs a program of `npm run` in this thread, until it exits. */
async function runHere(file: string, args: readonly string[]): Promise<ToolRun> {
  const { argv, exit, exitCode } = process
  const { error: logError } = console
  let code: number | null = null
  // Some programs report every error, and so also the one that ends them here.
  console.error = () => {}
  process.argv = [process.execPath, file, ...args]
  process.exit = ((ends: number) => {
    code ??= ends
    throw new Error('the program has exited')
  }) as typeof exit
  const [out, err] = [catchWrites(process.stdout), catchWrites(process.stderr)]
  try {
    await import(file)
  } catch (error) {
    if (code === null) throw error
  } finally {
    out()
    err()
    Object.assign(process, { argv, exit, exitCode })
    console.error = logError
  }
  return { code, stdout: out(), stderr: err() }
}

parentPort?.on('message', async ({ file, args }: { file: string; args: readonly string[] }) => {
  parentPort?.postMessage(await runHere(file, args))
})
