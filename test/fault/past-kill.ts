/**
 * Kills the tools of the time machine with SIGKILL while they work on the database: prune, fork to
 * a schema and to a folder, export. Everything within reach must stay so, with the same hashes; a
 * killed tool must leave a complete world or none, and its next run to the same place must remove
 * what is left.
 * `node dist/test/fault/past-kill.js --count 40 [--seed 1]`.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Params } from '../../bench/client.ts'
import { connect, disconnect, type Sql } from '../../storage/db.ts'
import { type TestDatabase, withDatabase } from '../databases.ts'
import { orreryHere, spawnOrrery } from '../e2e/orrery.ts'
import { startTestServer, type TestServer } from '../servers.ts'
import { dice, runAsProgram, sleep, type Verdict } from './program.ts'
import { liveTiny } from './tiny.ts'

interface PastKillOptions {
  readonly database: TestDatabase
  readonly count: number
  readonly seed: number
  readonly say?: (text: string) => void
}

const SETTINGS = {
  MAX_ENTITIES: '2000',
  TICK_MS: '1000',
  HASH_EVERY: '1',
  // The server drops no snapshots itself, so that prune always has some to drop.
  SNAPSHOT_EVERY: '3',
  SNAPSHOT_KEEP: '1000',
}
const KEPT = 6
const TICKS_A_ROUND = 4
const POLL_MS = 5
const STARTED_MS_MAX = 120_000

type Kind = 'prune' | 'schema' | 'export' | 'folder'
const KINDS: readonly Kind[] = ['prune', 'schema', 'export', 'folder']

interface Scene {
  readonly options: PastKillOptions
  readonly server: TestServer
  /** A connection of the test to the database. */
  readonly sql: Sql
  readonly settings: Readonly<Record<string, string>>
  readonly folder: string
  /** State hashes by tick, as the server logged them. */
  readonly hashes: Map<number, string>
  readonly roll: () => number
  /** Time that each kind takes from its first statement to its end when it is not killed. */
  readonly workMs: Map<Kind, number>
  readonly broken: string[]
}

const forkSchemaOf = (schema: string): string => `${schema}_fork`
const exportIn = (folder: string): string => join(folder, 'world.orrery')

/** Returns the command line of a tool on the world, always with the same target. */
function lineOf({ options, server, folder, hashes }: Scene, kind: Kind): string[] {
  const lastTick = String([...hashes.keys()].at(-1))
  const { url } = options.database
  if (kind === 'prune') return ['snapshot', 'prune', '--keep', String(KEPT)]
  if (kind === 'export') return ['snapshot', 'export', exportIn(folder), '--force']
  const fork = ['fork', '--at', lastTick, '--ticks', '2']
  return kind === 'schema'
    ? [...fork, '--to', url, '--to-schema', forkSchemaOf(server.schema)]
    : [...fork, '--to', join(folder, 'fork')]
}

async function report(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Params> {
  const { code, stdout, stderr } = await orreryHere([...args, '--json', '--quiet'], settings)
  if (code === 0) return JSON.parse(stdout) as Params
  throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
}

/** Steps some ticks, so that there is something new to keep, to drop and to fork. */
async function stepTicks({ server, hashes }: Scene): Promise<void> {
  for (let i = 0; i < TICKS_A_ROUND; i++) {
    const { tick, hash } = await server.link.step(1)
    hashes.set(tick, hash)
  }
}

/** Starts a tool, and waits until it is connected to the database. */
async function startWork(scene: Scene, kind: Kind) {
  const { settings, sql, folder } = scene
  const began = new Date()
  const tool = spawnOrrery(lineOf(scene, kind), { ...settings, TMPDIR: join(folder, 'tmp') })
  let isOver = false
  void tool.ended.then(() => {
    isOver = true
  })
  const end = performance.now() + STARTED_MS_MAX
  for (let isSeen = false; !isSeen && !isOver; ) {
    const rows = await sql`
      select 1 from pg_stat_activity
      where application_name = 'orrery tool' and backend_start > ${began}`
    isSeen = rows.length > 0
    if (performance.now() > end) throw new Error(`${kind} never connected`)
    await sleep(POLL_MS)
  }
  return tool
}

/** Runs a tool to its end and records its time. */
async function runToEnd(scene: Scene, kind: Kind): Promise<void> {
  const tool = await startWork(scene, kind)
  const since = performance.now()
  const how = await tool.ended
  if (how !== 0) scene.broken.push(`${kind}, not killed, ended with ${how}: ${tool.output()}`)
  scene.workMs.set(kind, performance.now() - since)
}

/** Checks that a fork or an export has left a complete world or none; removes it. */
async function checkTarget(scene: Scene, kind: Kind): Promise<void> {
  const { sql, server, settings, folder, broken } = scene
  if (kind === 'schema') {
    const schema = forkSchemaOf(server.schema)
    const [{ exists }] = await sql<{ exists: boolean }[]>`
      select to_regclass(${`${schema}.world`}) is not null as exists`
    const ofFork = { ...settings, DATABASE_SCHEMA: schema }
    if (exists) await report(['snapshot', 'verify', '--all'], ofFork)
    await sql.unsafe(`drop schema if exists ${schema} cascade`)
  }
  if (kind === 'export' && existsSync(exportIn(folder))) {
    await report(['compare', exportIn(folder), exportIn(folder)], settings)
    rmSync(exportIn(folder))
  }
  const dataDir = join(folder, 'fork')
  if (kind !== 'folder' || !existsSync(dataDir)) return
  const ofFolder = { DATA_DIR: dataDir }
  if (!readdirSync(dataDir).some((name) => name.startsWith('fork-under-way'))) {
    await report(['snapshot', 'verify', '--all'], ofFolder)
    rmSync(dataDir, { recursive: true, force: true })
    return
  }
  const { code, stderr } = await orreryHere(['snapshot', 'list'], ofFolder)
  if (code !== 1 || !stderr.includes('an unfinished fork'))
    broken.push(`an incomplete fork was not refused: ${code} ${stderr}`)
}

/** Checks that everything from a tick on is undamaged and replays to the same hashes. */
async function checkWorld(scene: Scene, firstTick: number): Promise<void> {
  const { settings, hashes, roll, broken } = scene
  const verified = await report(['snapshot', 'verify', '--all'], settings)
  if (verified.ok !== true) broken.push(`the world is damaged: ${JSON.stringify(verified)}`)
  const ticks = [...hashes.keys()].filter((tick) => tick >= firstTick)
  for (const tick of [ticks[0], ticks[Math.floor(roll() * ticks.length)]]) {
    const { hash } = await report(['replay', '--at', String(tick)], settings)
    if (hash !== hashes.get(tick)) broken.push(`tick ${tick} has ${hash}, not ${hashes.get(tick)}`)
  }
}

/**
 * Removes the hashes of ticks that immediates have followed: the tools' hash of a tick includes
 * those, the server's does not.
 */
async function dropUnclearHashes({ sql, server, hashes }: Scene): Promise<void> {
  const rows = await sql.unsafe<{ tick: number }[]>(
    `select distinct tick from ${server.schema}.journal where part > 0`,
  )
  for (const { tick } of rows) hashes.delete(tick)
}

/** Returns the tick of the oldest snapshot that a prune must keep. */
async function oldestKept({ settings }: Scene): Promise<number> {
  const { snapshots } = await report(['snapshot', 'list'], settings)
  const kept = snapshots as { tick: number }[]
  return kept[Math.min(KEPT, kept.length) - 1].tick
}

/** Kills a tool while it works; returns false if it had already ended. */
async function killOne(scene: Scene, kind: Kind): Promise<boolean> {
  await stepTicks(scene)
  await dropUnclearHashes(scene)
  const firstTick = await oldestKept(scene)
  const tool = await startWork(scene, kind)
  await sleep(scene.roll() * (scene.workMs.get(kind) ?? 0))
  tool.process.kill('SIGKILL')
  const how = await tool.ended
  if (how !== 'SIGKILL' && how !== 0) {
    scene.broken.push(`${kind} ended with ${how}: ${tool.output()}`)
  }
  await checkTarget(scene, kind)
  await checkWorld(scene, firstTick)
  return how === 'SIGKILL'
}

/** Checks that nothing of the killed runs is left once each tool has run to its end. */
async function checkLeftovers(scene: Scene): Promise<void> {
  const { sql, server, folder, broken } = scene
  for (const kind of KINDS) {
    await runToEnd(scene, kind)
    await checkTarget(scene, kind)
  }
  const schemas = await sql<{ name: string }[]>`
    select nspname as name from pg_namespace where nspname like ${`${server.schema}_fork%`}`
  const left = [
    ...schemas.map(({ name }) => `schema ${name}`),
    ...readdirSync(join(folder, 'tmp')),
    ...readdirSync(folder).filter((name) => name !== 'tmp'),
  ]
  if (left.length > 0) broken.push(`left behind: ${left.join(', ')}`)
}

/** Kills the tools in turn. */
export async function killThePast(options: PastKillOptions): Promise<Verdict> {
  const { database, count, seed, say = () => {} } = options
  const folder = mkdtempSync(join(tmpdir(), 'orrery-past-kill-'))
  // Under root, the database runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'tmp'))
  const server = await startTestServer(database, { settings: SETTINGS })
  const { schema } = server
  const settings = { DATABASE_URL: database.url, DATABASE_SCHEMA: schema, ...SETTINGS }
  const sql = connect(database.connection('public'), { name: 'past kill' })
  const scene: Scene = {
    options,
    server,
    sql,
    settings,
    folder,
    hashes: new Map(),
    roll: dice(seed),
    workMs: new Map(),
    broken: [],
  }
  let inTime = 0
  try {
    await liveTiny(server)
    for (let i = 0; i < KEPT; i++) await stepTicks(scene)
    for (const kind of KINDS) {
      await runToEnd(scene, kind)
      await checkTarget(scene, kind)
      await stepTicks(scene)
    }
    for (let i = 0; i < count; i++) {
      const kind = KINDS[i % KINDS.length]
      const isInTime = await killOne(scene, kind)
      if (isInTime) inTime++
      say(`kill ${i + 1} of ${count}: ${kind} ${isInTime ? 'while it worked' : 'had ended'}`)
    }
    await checkLeftovers(scene)
  } finally {
    await disconnect(sql)
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const took = [...scene.workMs].map(([kind, ms]) => `${kind} ${Math.round(ms)} ms`)
  return {
    summary:
      `${count} kills of prune, fork and export, ${inTime} while they worked; ` +
      `times without a kill: ${took.join(', ')}`,
    broken: scene.broken,
  }
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Kills prune, fork and export while they work.',
    defaults: { count: 40, seed: 1 },
  },
  ({ count, seed }) =>
    withDatabase((database) => killThePast({ database, count, seed, say: console.log })),
)
