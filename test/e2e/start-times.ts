/**
 * Measures the first and the second start on the embedded database, from the start of the process
 * to the first answered health check: `node dist/test/e2e/start-times.js [--uid 1000 --gid 1000]`.
 */
import { spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newTool, wholeFrom } from '../../cli/command-line.ts'
import { freePort } from '../servers.ts'

const MAIN = new URL('../../main.js', import.meta.url).pathname
const PATIENCE_MS = 120_000

const { uid, gid = uid } = newTool(
  'node dist/test/e2e/start-times.js',
  'Measures the first and the second start on the embedded database.',
)
  .option('--uid <n>', 'user that the server runs as', wholeFrom(0))
  .option('--gid <n>', 'its group (default: as --uid)', wholeFrom(0))
  .parse()
  .opts<{ uid?: number; gid?: number }>()
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const folder = mkdtempSync(join(tmpdir(), 'orrery-start-'))
chmodSync(folder, 0o755)
if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
const user = uid === undefined ? `uid ${process.getuid?.()}` : `uid ${uid}`

for (const start of ['first', 'second']) {
  const port = await freePort()
  const since = performance.now()
  const child = spawn(process.execPath, [MAIN, '--port', String(port)], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'ignore', 'inherit'],
    ...(uid === undefined ? {} : { uid, gid }),
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined)
    if (answer?.ok) break
    if (child.exitCode !== null || performance.now() - since > PATIENCE_MS)
      throw new Error(`the ${start} start as ${user} failed`)
    await sleep(10)
  }
  console.log(`${start} start as ${user}: ready after ${Math.round(performance.now() - since)} ms`)
  const stopSince = performance.now()
  child.kill('SIGTERM')
  const code = await ended
  console.log(`stopped with ${code} after ${Math.round(performance.now() - stopSince)} ms`)
  if (code !== 0) process.exitCode = 1
}
rmSync(folder, { recursive: true, force: true })
