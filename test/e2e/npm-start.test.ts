/** `npm start` as people type it and stop it: the server ends with its last tick, and all of it. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findClusterPaths } from '../../storage/embedded-files.ts'
import { readPostmaster } from '../../storage/embedded-server.ts'
import { freePort, PROJECT } from '../servers.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'orrery-npm-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** Starts it in a process group of its own, as a terminal does. */
async function npmStart() {
  const { PATH, HOME } = process.env
  const child = spawn('npm', ['start', '--', '--port', String(await freePort())], {
    cwd: PROJECT,
    env: { PATH, HOME, DATA_DIR: dataDir, MAX_ENTITIES: '20000', TICK_MS: '1000' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  let log = ''
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      log += String(chunk)
      if (log.includes('"msg":"ready"')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}: ${log}`)))
  })
  return { pid: child.pid as number, ended, log: () => log }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

type Kill = (pid: number, signal: 'SIGTERM' | 'SIGINT') => void
const ONE: Kill = (pid, signal) => void process.kill(pid, signal)
const GROUP: Kill = (pid, signal) => void process.kill(-pid, signal)

test.each<[string, 'SIGTERM' | 'SIGINT', Kill[]]>([
  ['SIGTERM to npm', 'SIGTERM', [ONE]],
  ['SIGINT to its whole group, twice', 'SIGINT', [GROUP, GROUP]],
])('%s ends server and database, with a last snapshot and code 0', async (_, signal, kills) => {
  const server = await npmStart()
  for (const kill of kills) kill(server.pid, signal)
  expect(await server.ended).toBe(0)
  expect(server.log()).toContain('stopping: last tick, snapshot, goodbye')
  expect(isRunning(-server.pid)).toBe(false)
  expect(readPostmaster(findClusterPaths(dataDir))).toBeUndefined()
})
