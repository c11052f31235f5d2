/**
 * Worlds of the releases before, of several seeds each, under this one: each starts from the tables
 * that its release has left, keeps every credit and every unit, and says how far back it replays,
 * and by which release. The releases are built from this repository's history: thirty worlds would
 * weigh more in every clone than the sources do, and one of each release is kept in old-worlds.
 * `node dist/test/fault/upgrade-paths.js --count 30 [--seed 1] [--releases 3]`.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Params } from '../../bench/client.ts'
import type { ColumnImage, WorldImage } from '../../core/ports.ts'
import { RULES_RELEASES, RULES_VERSION } from '../../core/version.ts'
import { connect, disconnect } from '../../storage/db.ts'
import { loadLatest } from '../../storage/snapshots.ts'
import { noLog } from '../../storage/store-log.ts'
import { type TestDatabase, withDatabase } from '../databases.ts'
import { orreryHere } from '../e2e/orrery.ts'
import { PROJECT, startTestServer } from '../servers.ts'
import { runAsProgram, type Verdict } from './program.ts'

interface Paths {
  readonly count: number
  readonly seed: number
  readonly releases: number
  readonly say: (text: string) => void
}

const TICKS_AFTER = 3
/** What a settings file of today would have; the world keeps what it ran with. */
const SETTINGS = { MAX_ENTITIES: '2000', TICK_MS: '1000', HASH_EVERY: '1', CHECK_EVERY: '1' }
const MAKE_OLD = new URL('./make-old.js', import.meta.url).pathname

const git = (...args: string[]): string =>
  execFileSync('git', ['-C', PROJECT, ...args], { encoding: 'utf8', maxBuffer: 2 ** 30 }).trim()

/** Returns the last commit under the rules of a release. */
function commitOf(rules: number): string {
  const [last] = git(
    'log',
    '--format=%H',
    '-G',
    `RULES_VERSION = ${rules}$`,
    '--',
    'core/version.ts',
  )
    .split('\n')
    .filter((commit) => commit !== '')
  if (!last) throw new Error(`the history does not reach back to rules ${rules}: fetch all of it`)
  return `${last}^`
}

/** Builds a release in a folder of its own, with the packages of this one. */
function buildRelease(rules: number, folder: string): string {
  const tree = join(folder, String(rules))
  mkdirSync(tree)
  const archive = join(folder, `${rules}.tar`)
  git('archive', '--format=tar', '-o', archive, commitOf(rules))
  execFileSync('tar', ['-xf', archive, '-C', tree])
  rmSync(archive)
  symlinkSync(join(PROJECT, 'node_modules'), join(tree, 'node_modules'))
  const tsc = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc')
  // Types of newer packages may differ: what was written counts.
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', tree], { encoding: 'utf8' })
  if (existsSync(join(tree, 'dist', 'test', 'servers.js'))) return tree
  throw new Error(`release ${RULES_RELEASES[rules]} cannot be built: ${stdout.slice(0, 2_000)}`)
}

/** What the newest snapshot holds of two tables: credits by account, units by stack. */
interface Ledger {
  readonly credits: Float64Array
  readonly units: Float64Array
}

function numbersOf(image: WorldImage, table: string, name: string): Float64Array {
  const column = image.tables
    .find((one) => one.name === table)
    ?.columns.find((one) => one.name === name)
  if (!column) throw new Error(`the snapshot has no ${table}.${name}`)
  const { bytes } = column as ColumnImage
  return new Float64Array(Uint8Array.from(bytes).buffer)
}

async function ledgerOf(database: TestDatabase, schema: string): Promise<Ledger> {
  const sql = connect(database.connection(schema), { name: 'looker' })
  try {
    const image = await loadLatest(sql, { log: noLog })
    if (!image) throw new Error('there is no snapshot')
    return {
      credits: numbersOf(image, 'account', 'credits'),
      units: numbersOf(image, 'stack', 'units'),
    }
  } finally {
    await disconnect(sql)
  }
}

/** Says where two ledgers differ; what came later is behind. */
function movedIn(before: Float64Array, after: Float64Array): number {
  return before.findIndex((value, row) => value !== after[row])
}

async function report(args: string[], settings: Record<string, string>): Promise<Params> {
  const { stdout, stderr } = await orreryHere([...args, '--json', '--quiet'], settings)
  if (stdout === '') throw new Error(`${args.join(' ')}: ${stderr}`)
  return JSON.parse(stdout) as Params
}

interface Reached {
  readonly rulesVersion: number
  readonly fromTick: number
  readonly toTick: number
}

/** Starts an old world under this release, and looks at what became of it. */
async function upgrade(database: TestDatabase, schema: string, rules: number) {
  const broken: string[] = []
  const before = await ledgerOf(database, schema)
  const settings = { DATABASE_URL: database.url, DATABASE_SCHEMA: schema, ...SETTINGS }
  const server = await startTestServer(database, { schema, settings: SETTINGS })
  const { tick } = server.link.state()
  // Nothing has run: only what the upgrade itself does may differ.
  await report(['snapshot', 'create'], settings)
  const after = await ledgerOf(database, schema)
  const moved = movedIn(before.credits, after.credits)
  if (moved >= 0)
    broken.push(`account ${moved} has ${after.credits[moved]} of ${before.credits[moved]}`)
  const taken = movedIn(before.units, after.units)
  if (taken >= 0) broken.push(`stack ${taken} has ${after.units[taken]} of ${before.units[taken]}`)
  // Every check in its full form, each tick.
  await server.link.step(TICKS_AFTER)
  await server.stop()
  const { reach } = (await report(['snapshot', 'list'], settings)) as unknown as {
    reach: Reached[]
  }
  const old = reach.find(({ rulesVersion }) => rulesVersion === rules)
  const own = reach.find(({ rulesVersion }) => rulesVersion === RULES_VERSION)
  if (!old || old.toTick < tick - 1) broken.push(`the past under rules ${rules} is not reported`)
  if (own?.toTick !== tick + TICKS_AFTER + 1) broken.push(`reach ends at ${own?.toTick}`)
  const now = await report(['replay', '--at', String(tick + TICKS_AFTER)], settings)
  if (now.tick !== tick + TICKS_AFTER) broken.push(`replay of today: ${JSON.stringify(now)}`)
  const past = await report(['replay', '--at', String(Math.max(0, tick - 2))], settings)
  const words = `Within reach of release ${RULES_RELEASES[rules]}`
  if (!String(past.error).includes(words))
    broken.push(`the way back is not reported: ${past.error}`)
  return { broken, old, own }
}

/** Makes and upgrades this many worlds, shared among the releases. */
async function takePaths({ count, seed, releases, say }: Paths): Promise<Verdict> {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-releases-'))
  const broken: string[] = []
  let worlds = 0
  try {
    await withDatabase(async (database) => {
      for (let i = 0; i < releases; i++) {
        const rules = RULES_VERSION - releases + i
        const release = RULES_RELEASES[rules]
        const seeds = Array.from(
          { length: Math.floor((count + i) / releases) },
          (_, place) => seed + place,
        )
        if (seeds.length === 0) continue
        const tree = buildRelease(rules, folder)
        const schemas = seeds.map(() => database.schema())
        const args = seeds.map((one, place) => `${one}:${schemas[place]}`)
        execFileSync(process.execPath, [MAKE_OLD, tree, database.url, ...args], { stdio: 'pipe' })
        for (const [place, schema] of schemas.entries()) {
          const found = await upgrade(database, schema, rules)
          const what = `${release}, seed ${seeds[place]}`
          for (const one of found.broken) broken.push(`${what}: ${one}`)
          const { old, own } = found
          say(
            `${what}: ${found.broken.length === 0 ? 'goes on' : 'BROKEN'}; release ${release} replays ` +
              `ticks ${old?.fromTick} to ${old?.toTick}, this one ${own?.fromTick} to ${own?.toTick}`,
          )
          worlds++
        }
      }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { summary: `${worlds} worlds of ${releases} releases taken over`, broken }
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Builds the releases before from history, and takes their worlds over.',
    defaults: { count: 30, seed: 1, releases: 3 },
  },
  (flags) => takePaths({ ...flags, say: console.log }),
)
