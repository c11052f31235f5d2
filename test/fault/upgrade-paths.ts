/**
 * Starts this release on worlds of earlier releases, several seeds of each. Each world must start
 * from the tables of its release, keep every credit and every unit, and report how far back it can
 * be replayed, and by which release. The releases are built from this repository's history, because
 * thirty worlds would be larger than the sources; old-worlds has one world of each release.
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

interface UpgradeOptions {
  readonly count: number
  readonly seed: number
  readonly releases: number
  readonly say: (text: string) => void
}

const TICKS_AFTER = 3
/** Settings of the new server; a world keeps some of the settings it was made with. */
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

/** Builds a release in a folder of its own, with the packages of this release. */
function buildRelease(rules: number, folder: string): string {
  const tree = join(folder, String(rules))
  mkdirSync(tree)
  const archive = join(folder, `${rules}.tar`)
  git('archive', '--format=tar', '-o', archive, commitOf(rules))
  execFileSync('tar', ['-xf', archive, '-C', tree])
  rmSync(archive)
  symlinkSync(join(PROJECT, 'node_modules'), join(tree, 'node_modules'))
  const tsc = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc')
  // The types of newer packages may differ, so tsc may fail; what matters is that it wrote files.
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', tree], { encoding: 'utf8' })
  if (existsSync(join(tree, 'dist', 'test', 'servers.js'))) return tree
  throw new Error(`release ${RULES_RELEASES[rules]} cannot be built: ${stdout.slice(0, 2_000)}`)
}

/** The credits by account and the units by stack in the newest snapshot. */
interface Ledger {
  readonly credits: Float64Array
  readonly units: Float64Array
}

function numbersOf(image: WorldImage, table: string, name: string): Float64Array {
  const column = image.tables
    .find((candidate) => candidate.name === table)
    ?.columns.find((candidate) => candidate.name === name)
  if (!column) throw new Error(`the snapshot has no ${table}.${name}`)
  const { bytes } = column as ColumnImage
  return new Float64Array(Uint8Array.from(bytes).buffer)
}

async function ledgerOf(database: TestDatabase, schema: string): Promise<Ledger> {
  const sql = connect(database.connection(schema), { name: 'reader' })
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

/** Returns the first row that has changed, -1 if none has; `after` may have more rows. */
function firstChanged(before: Float64Array, after: Float64Array): number {
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

/** Starts this release on an old world and checks it. */
async function upgrade(database: TestDatabase, schema: string, rules: number) {
  const broken: string[] = []
  const before = await ledgerOf(database, schema)
  const settings = { DATABASE_URL: database.url, DATABASE_SCHEMA: schema, ...SETTINGS }
  const server = await startTestServer(database, { schema, settings: SETTINGS })
  const { tick } = server.link.state()
  // No tick has run yet, so any difference is due to the upgrade itself.
  await report(['snapshot', 'create'], settings)
  const after = await ledgerOf(database, schema)
  const account = firstChanged(before.credits, after.credits)
  if (account >= 0)
    broken.push(`account ${account} has ${after.credits[account]} of ${before.credits[account]}`)
  const stack = firstChanged(before.units, after.units)
  if (stack >= 0) broken.push(`stack ${stack} has ${after.units[stack]} of ${before.units[stack]}`)
  // These ticks run every check in full.
  await server.link.step(TICKS_AFTER)
  await server.stop()
  const { reach } = (await report(['snapshot', 'list'], settings)) as unknown as {
    reach: Reached[]
  }
  const old = reach.find(({ rulesVersion }) => rulesVersion === rules)
  const own = reach.find(({ rulesVersion }) => rulesVersion === RULES_VERSION)
  if (!old || old.toTick < tick - 1) broken.push(`the past under rules ${rules} is not reported`)
  if (own?.toTick !== tick + TICKS_AFTER + 1) broken.push(`reach ends at ${own?.toTick}`)
  const recent = await report(['replay', '--at', String(tick + TICKS_AFTER)], settings)
  if (recent.tick !== tick + TICKS_AFTER)
    broken.push(`replay under this release: ${JSON.stringify(recent)}`)
  const past = await report(['replay', '--at', String(Math.max(0, tick - 2))], settings)
  const words = `Within reach of release ${RULES_RELEASES[rules]}`
  if (!String(past.error).includes(words))
    broken.push(`the release that can replay the past is not named: ${past.error}`)
  return { broken, old, own }
}

/** Makes and upgrades this number of worlds, shared among the releases. */
async function upgradeWorlds({ count, seed, releases, say }: UpgradeOptions): Promise<Verdict> {
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
          (_, index) => seed + index,
        )
        if (seeds.length === 0) continue
        const tree = buildRelease(rules, folder)
        const schemas = seeds.map(() => database.schema())
        const args = seeds.map((worldSeed, index) => `${worldSeed}:${schemas[index]}`)
        execFileSync(process.execPath, [MAKE_OLD, tree, database.url, ...args], { stdio: 'pipe' })
        for (const [index, schema] of schemas.entries()) {
          const found = await upgrade(database, schema, rules)
          const what = `${release}, seed ${seeds[index]}`
          for (const promise of found.broken) broken.push(`${what}: ${promise}`)
          const { old, own } = found
          say(
            `${what}: ${found.broken.length === 0 ? 'ok' : 'BROKEN'}; release ${release} replays ` +
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
    about: 'Builds earlier releases from the history, and starts this one on their worlds.',
    defaults: { count: 30, seed: 1, releases: 3 },
  },
  (flags) => upgradeWorlds({ ...flags, say: console.log }),
)
