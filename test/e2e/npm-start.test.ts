/**
 * `npm start` as people type it and stop it: what the first one says, and that the server ends with
 * its last tick, and all of it.
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
const ONE: Kill = (pid, signal) => void process.kill(pid, signal)
const GROUP: Kill = (pid, signal) => void process.kill(-pid, signal)

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

/** What the first start does, in its order. */
const STEPS = [
  /^making the embedded database in /,
  /^brought the tables up to date$/,
  /^generating the world$/,
  /^ready$/,
]

test('the first start says what it does and where to begin; the second has less to do', async () => {
  const saidBy = async (): Promise<Line[]> => {
    const server = await start()
    try {
      const url = String(linesOf(server.log()).at(-1)?.server)
      const addresses = { level: 30, server: url, docs: `${url}/docs`, page: `${url}/` }
      expect(linesOf(server.log()).at(-1)).toMatchObject(addresses)
      expect((await fetch(addresses.docs)).status).toBe(200)
    } finally {
      ONE(server.pid, 'SIGTERM')
    }
    expect(await server.ended).toBe(0)
    return linesOf(server.log())
  }
  const placesIn = (lines: readonly Line[]): number[] =>
    STEPS.map((message) => lines.findIndex(({ msg }) => message.test(msg)))
  const places = placesIn(await saidBy())
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(placesIn(await saidBy()).slice(0, -1)).toEqual([-1, -1, -1])
})

test.each<[string, 'SIGTERM' | 'SIGINT', Kill[]]>([
  ['SIGTERM to npm', 'SIGTERM', [ONE]],
  ['SIGINT to its whole group, twice', 'SIGINT', [GROUP, GROUP]],
])('%s ends server and database, with a last snapshot and code 0', async (_, signal, kills) => {
  const server = await start()
  for (const kill of kills) kill(server.pid, signal)
  expect(await server.ended).toBe(0)
  expect(server.log()).toContain('stopping: last tick, snapshot, goodbye')
  expect(isRunning(-server.pid)).toBe(false)
  expect(readPostmaster(findClusterPaths(dataDir))).toBeUndefined()
})
