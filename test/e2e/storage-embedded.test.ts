/**
 * The embedded database: first start, later starts, orphaned processes, tools next to a server, and
 * other users.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ArchiveWrite } from '../../core/archive-calls.ts'
import { openDatabase } from '../../storage/database.ts'
import { connect, disconnect } from '../../storage/db.ts'
import { openEmbedded } from '../../storage/embedded.ts'
import { findClusterPaths, startTimeOf } from '../../storage/embedded-files.ts'
import { stopServer } from '../../storage/embedded-server.ts'
import { DatabaseSetupError } from '../../storage/errors.ts'
import { imageAt, journalRow, openStore, plain } from '../unit/storage/fixture.ts'
import { spawnOrrery } from './cli.ts'

const schema = 'world'
const SCRIPT = new URL('./storage-child.js', import.meta.url).pathname
let folder: string
let dataDir: string
const isRoot = process.getuid?.() === 0
const children: ChildProcess[] = []
/** Close what a test has opened: after a failure it would keep the world's lock from the others. */
const closers: (() => Promise<void>)[] = []

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'orrery-embedded-'))
  chmodSync(folder, 0o755)
  dataDir = join(folder, 'data')
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const close of closers.splice(0)) await close()
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Starts a process that opens the database of a folder and commits a row; resolves once it has. */
async function startChild(dir: string, user: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, [SCRIPT, dir], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: '/',
    ...user,
  })
  children.push(child)
  const output = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data) => resolve(String(data)))
    child.once('exit', (code) => reject(new Error(`the child ended with ${code}`)))
  })
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
  return { child, report: JSON.parse(output) as { pid: number; head: number }, ended }
}

const isRunning = (pid: number): boolean => startTimeOf(pid) !== undefined

test('the first start makes the database, and a second one opens it quickly', async () => {
  const first = await openEmbedded({ dataDir, schema, adopt: true })
  expect(first.started).toBe(true)
  await first.stop()
  expect(isRunning(first.pid)).toBe(false)
  const since = performance.now()
  const database = await openDatabase({ dataDir, schema, adopt: true })
  const openMs = performance.now() - since
  console.log(`second start of the embedded database: ${Math.round(openMs)} ms`)
  expect(openMs).toBeLessThan(10_000)
  expect((await database.migrate()).applied).toEqual([
    'base',
    'battles',
    'economy',
    'prices',
    'social',
    'reading',
    'notes',
    'keys',
    'id-marks',
    'projection',
    'public',
    'journal-blocks',
    'incarnations',
    'lease',
    'proof-key',
    'public-steps',
  ])
  const store = await openStore(database.connection)
  await store.commit(journalRow(1), [])
  await store.saveSnapshot(imageAt(1))
  expect(plain(await store.latestSnapshot())).toEqual(plain(imageAt(1)))
  await store.close()
  await database.stop()
})

test('stopServer waits until the process has ended', async () => {
  const script = `process.on('SIGINT', () => setTimeout(() => process.exit(), 300))
    console.log('up')`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  await once(child.stdout, 'data')
  await stopServer(Number(child.pid))
  expect(isRunning(Number(child.pid))).toBe(false)
})

test('the database is durable, and the server’s role may only read and write rows', async () => {
  const database = await openDatabase({ dataDir, schema, adopt: true })
  const sql = connect(database.connection, { name: 'test' })
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    const rows = await sql<{ value: string }[]>`select current_setting(${name}) as value`
    expect(rows[0].value).toBe('on')
  }
  await expect(sql`create table mine (x int)`).rejects.toThrow(/permission denied/)
  await expect(sql`drop table journal`).rejects.toThrow(/must be owner/)
  await disconnect(sql)
  const { socket: _, ...tcp } = database.connection
  const right = connect(tcp, { name: 'test' })
  expect((await right`select 1 as one`)[0].one).toBe(1)
  await disconnect(right)
  const wrong = connect({ ...tcp, password: 'wrong' }, { name: 'test' })
  await expect(wrong`select 1`).rejects.toThrow(/password authentication failed/)
  await disconnect(wrong)
  expect(statSync(join(dataDir, 'postgres', 'settings.json')).mode & 0o077).toBe(0)
  await database.stop()
})

test('the next start adopts the database of a killed server and stops it in the end', async () => {
  const { child, report, ended } = await startChild(dataDir)
  child.kill('SIGKILL')
  await ended
  expect(isRunning(report.pid)).toBe(true)
  // A tool uses the orphaned database and leaves it running.
  const tool = await openEmbedded({ dataDir, schema, adopt: false })
  expect(tool).toMatchObject({ pid: report.pid, started: false })
  await tool.stop()
  expect(isRunning(report.pid)).toBe(true)
  const server = await openEmbedded({ dataDir, schema, adopt: true })
  expect(server).toMatchObject({ pid: report.pid, started: false })
  const store = await openStore(server.connection, { lockWaitMs: 3_000 })
  expect(store.headBatch).toBe(report.head)
  await store.close()
  await server.stop()
  expect(isRunning(report.pid)).toBe(false)
})

test('a killed database starts again with every committed row', async () => {
  const { child, report, ended } = await startChild(dataDir)
  process.kill(report.pid, 'SIGKILL')
  child.kill('SIGKILL')
  await ended
  const database = await openEmbedded({ dataDir, schema, adopt: true })
  expect(database.pid).not.toBe(report.pid)
  const store = await openStore(database.connection, { lockWaitMs: 3_000 })
  expect(store.headBatch).toBe(report.head)
  await store.close()
  await database.stop()
})

test('a database killed under a server restarts without losing or doubling a batch', async () => {
  const database = await openEmbedded({ dataDir, schema, adopt: true })
  const store = await openStore(database.connection)
  closers.push(
    () => store.close(),
    () => database.stop(),
  )
  const from = store.headBatch
  const chatWrite = (batch: number): ArchiveWrite => ({
    method: 'postChat',
    args: {
      channel: 'local',
      scope: 'local:kill',
      senderId: 's',
      sender: 'S',
      content: `${batch}`,
    },
  })
  for (let kill = 0; kill < 3; kill++) {
    const victim = database.pid
    setTimeout(() => process.kill(victim, 'SIGKILL'), 5 + kill * 7)
    const end = performance.now() + 1_500
    while (performance.now() < end) {
      const batch = store.headBatch + 1
      await store.commit(journalRow(batch), [chatWrite(batch)])
    }
    // The new process accepts batches before `database.pid` names it.
    await expect.poll(() => database.pid).not.toBe(victim)
  }
  let expected = from
  for await (const row of store.journalAfter(from)) expect(row.batch).toBe(++expected)
  expect(expected).toBe(store.headBatch)
  const sql = connect(database.connection, { name: 'test' })
  const messages = await sql<{ content: string }[]>`
    select content from chat
    where scope = 'local:kill' and content::bigint > ${from} order by id`
  expect(messages.map((row) => Number(row.content))).toEqual(
    Array.from({ length: expected - from }, (_, i) => from + 1 + i),
  )
  await disconnect(sql)
})

test('a tool next to a running server uses its database and does not stop it', async () => {
  const { child, report, ended } = await startChild(dataDir)
  const tool = await openDatabase({ dataDir, schema })
  const sql = connect(tool.connection, { name: 'tool' })
  const rows = await sql<{ head: number }[]>`select head_batch as head from world`
  expect(rows[0].head).toBe(report.head)
  await disconnect(sql)
  await tool.stop()
  expect(isRunning(report.pid)).toBe(true)
  child.stdin?.write('stop\n')
  expect(await ended).toBe(0)
  expect(isRunning(report.pid)).toBe(false)
})

test('a server that starts during a tool keeps the database that the tool started', async () => {
  const tool = await openEmbedded({ dataDir, schema, adopt: false })
  const { child, report, ended } = await startChild(dataDir)
  expect(report.pid).toBe(tool.pid)
  await tool.stop()
  expect(isRunning(report.pid)).toBe(true)
  child.stdin?.write('stop\n')
  expect(await ended).toBe(0)
  expect(isRunning(report.pid)).toBe(false)
})

test('a tool that uses a running database keeps it when its server stops', async () => {
  const { child, report, ended } = await startChild(dataDir)
  const tool = await openEmbedded({ dataDir, schema, adopt: false })
  expect(tool).toMatchObject({ pid: report.pid, started: false })
  child.stdin?.write('stop\n')
  expect(await ended).toBe(0)
  const sql = connect(tool.connection, { name: 'tool' })
  expect((await sql<{ head: number }[]>`select head_batch as head from world`)[0].head).toBe(
    report.head,
  )
  await disconnect(sql)
  // Nobody else is left, so the tool stops the database.
  await tool.stop()
  expect(isRunning(report.pid)).toBe(false)
})

test('a tool does not stop a database that does not answer but belongs to a server', async () => {
  const { report } = await startChild(dataDir)
  process.kill(report.pid, 'SIGSTOP')
  closers.push(async () => {
    process.kill(report.pid, 'SIGCONT')
  })
  await expect(openEmbedded({ dataDir, schema, adopt: false })).rejects.toThrow(
    new RegExp(`process ${report.pid}\\) does not answer. Process \\d+ uses it`),
  )
  expect(isRunning(report.pid)).toBe(true)
})

test('two simultaneous starts share one database', async () => {
  const both = await Promise.all([
    startChild(join(folder, 'twice')),
    startChild(join(folder, 'twice')),
  ])
  expect(both[0].report.pid).toBe(both[1].report.pid)
  for (const { child, ended } of both) {
    child.stdin?.write('stop\n')
    expect(await ended).toBe(0)
  }
  expect(isRunning(both[0].report.pid)).toBe(false)
})

test.runIf(isRoot)('a start finds its user while another one is writing the name', () => {
  const home = join(folder, 'writing', 'postgres')
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'user'), '')
  expect(findClusterPaths(dirname(home)).runAs?.uid).toBeGreaterThan(0)
})

test.runIf(isRoot)('a plain user can start a database, but not in another’s folder', async () => {
  const uid = Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' }))
  const gid = Number(execFileSync('id', ['-g', 'nobody'], { encoding: 'utf8' }))
  const home = join(folder, 'plain')
  mkdirSync(home)
  chownSync(home, uid, gid)
  const { child, report, ended } = await startChild(join(home, 'data'), { uid, gid })
  expect(report.head).toBe(1)
  child.stdin?.write('stop\n')
  expect(await ended).toBe(0)
  await expect(startChild(dataDir, { uid, gid })).rejects.toThrow('ended with 1')
})

test.runIf(isRoot)('a folder that its user cannot reach has its database elsewhere', async () => {
  const closed = join(folder, 'closed')
  mkdirSync(closed, { mode: 0o700 })
  const database = await openEmbedded({ dataDir: join(closed, 'data'), schema, adopt: true })
  const elsewhere = String(database.connection.socket).replace(/\/run\/[^/]*$/, '')
  try {
    expect(elsewhere.startsWith(folder)).toBe(false)
    expect(existsSync(join(elsewhere, 'cluster', 'PG_VERSION'))).toBe(true)
  } finally {
    await database.stop()
    rmSync(elsewhere, { recursive: true })
  }
})

test('a path too long for a socket works, and bad settings are refused', async () => {
  const long = join(folder, 'x'.repeat(100), 'data')
  const database = await openEmbedded({ dataDir: long, schema, adopt: true })
  const socket = String(database.connection.socket)
  // The path of a Unix socket may have 107 bytes.
  expect(Buffer.byteLength(socket)).toBeLessThan(107)
  await database.stop()
  rmSync(join(socket, '..'), { recursive: true })
  await expect(
    openDatabase({
      databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
      dataDir,
      schema: 'Bad Name',
    }),
  ).rejects.toThrow(DatabaseSetupError)
})

test('a tool interrupted while its database starts leaves no database running', async () => {
  const dir = join(folder, 'interrupted')
  const tool = spawnOrrery(['migrate'], { DATA_DIR: dir })
  await tool.until(/making the embedded database/)
  tool.process.kill('SIGINT')
  expect(await tool.ended).toBe(1)
  const found = await openEmbedded({ dataDir: dir, schema, adopt: true })
  expect(found.started).toBe(true)
  await found.stop()
}, 120_000)

test('a folder without its settings file is refused with the path of its database', async () => {
  const dir = join(folder, 'halved')
  const embedded = await openEmbedded({ dataDir: dir, schema, adopt: true })
  await embedded.stop()
  const home = join(dir, 'postgres')
  const elsewhere = join(home, 'elsewhere')
  const cluster = existsSync(elsewhere) ? readFileSync(elsewhere, 'utf8').trim() : home
  rmSync(join(home, 'settings.json'))
  const refusal = openEmbedded({ dataDir: dir, schema, adopt: true })
  await expect(refusal).rejects.toThrow(
    `is still in ${join(cluster, 'cluster')}: put the file back`,
  )
}, 120_000)

test('a database of root stays where it was made, whatever its user can reach later', () => {
  if (!isRoot) return
  const before = process.umask(0o077)
  try {
    const closed = mkdtempSync(join(folder, 'closed-'))
    const { cluster } = findClusterPaths(join(closed, 'data'))
    expect(cluster.startsWith(closed)).toBe(false)
    expect(statSync(dirname(cluster)).mode & 0o011).toBe(0o011)
    mkdirSync(cluster)
    chmodSync(closed, 0o755)
    expect(findClusterPaths(join(closed, 'data')).cluster).toBe(cluster)
    renameSync(join(closed, 'data'), join(closed, 'moved'))
    expect(() => findClusterPaths(join(closed, 'moved'))).toThrow(/was moved or copied/)
    rmSync(dirname(cluster), { recursive: true })

    const open = mkdtempSync(join(folder, 'open-'))
    chmodSync(open, 0o755)
    mkdirSync(findClusterPaths(join(open, 'data')).cluster)
    chmodSync(open, 0o700)
    expect(() => findClusterPaths(join(open, 'data'))).toThrow(/can no longer reach the database/)
  } finally {
    process.umask(before)
  }
})
