/**
 * `npm start` as people run and stop it: what a start logs, and that a signal ends the server, its
 * database and its whole process group.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findClusterPaths } from '../../storage/embedded-files.ts'
import { readPostmaster } from '../../storage/embedded-server.ts'
import { npmStart } from '../readme/npm.ts'
import { freePort } from '../servers.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'orrery-npm-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const start = async () => {
  const { PATH = '', HOME = '' } = process.env
  const settings = { DATA_DIR: dataDir, MAX_ENTITIES: '20000', TICK_MS: '1000' }
  return npmStart({ env: { PATH, HOME, ...settings, PORT: String(await freePort()) } })
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

type Kill = (pid: number, signal: 'SIGTERM' | 'SIGINT') => void
const TO_NPM: Kill = (pid, signal) => void process.kill(pid, signal)
const TO_GROUP: Kill = (pid, signal) => void process.kill(-pid, signal)

interface Line {
  readonly level: number
  readonly msg: string
  readonly server?: string
}

const linesOf = (log: string): Line[] =>
  log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)

/** Log messages of the first start, in order. */
const STEPS = [
  /^making the embedded database in /,
  /^brought the tables up to date$/,
  /^generating the world$/,
  /^ready$/,
]

/**
 * Starts the server and ends it by signals. Returns, for each step, the index of the log line that
 * reports it, or -1.
 */
async function startAndStop(signal: 'SIGTERM' | 'SIGINT', kills: readonly Kill[]) {
  const server = await start()
  const url = String(linesOf(server.log()).at(-1)?.server)
  const addresses = { level: 30, server: url, docs: `${url}/docs`, page: `${url}/` }
  expect(linesOf(server.log()).at(-1)).toMatchObject(addresses)
  expect((await fetch(addresses.docs)).status).toBe(200)
  for (const kill of kills) kill(server.pid, signal)
  expect(await server.ended).toBe(0)
  expect(server.log()).toContain('stopping: last tick, snapshot, goodbye')
  expect(isRunning(-server.pid)).toBe(false)
  expect(readPostmaster(findClusterPaths(dataDir))).toBeUndefined()
  return STEPS.map((message) => linesOf(server.log()).findIndex(({ msg }) => message.test(msg)))
}

test('the first start logs its steps in order, and SIGTERM to npm stops it', async () => {
  const indexes = await startAndStop('SIGTERM', [TO_NPM])
  expect(indexes).not.toContain(-1)
  expect(indexes).toEqual(indexes.toSorted((a, b) => a - b))
})

test('a second start skips the setup, and two SIGINTs to its process group stop it', async () => {
  const indexes = await startAndStop('SIGINT', [TO_GROUP, TO_GROUP])
  expect(indexes.slice(0, -1)).toEqual([-1, -1, -1])
})
