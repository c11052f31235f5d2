/**
 * The disk full under the database, under a server under load. First for snapshots alone, which
 * must not stop ticks; then for the journal, which is as if the database were away, and nothing of
 * a tick is kept half. Two forms: `refuse` has PostgreSQL refuse rows of a table with the code of a
 * full disk, behind whatever the transaction has written before (a limit on the size of files would
 * give another code), `tmpfs` stands on 64 MiB that are filled up (root).
 * Source: RELIABILITY 5, F4. `node dist/test/fault/disk-full.js --count 1 [--form tmpfs]`.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, disconnect } from '../../storage/db.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { enlistWatchers, outlive } from './outage.ts'
import { runAsProgram, until, type Verdict } from './program.ts'
import { type Storm, settle, startStorm } from './storm.ts'

const FORMS = ['refuse', 'tmpfs'] as const
type Form = (typeof FORMS)[number]

interface DiskFullOptions {
  readonly count: number
  readonly seed: number
  readonly form: Form
  readonly say?: (text: string) => void
}

const PLAYERS = 8
const AWAY_S = 3
const TICKS_WITHOUT_SNAPSHOT = 25
const TMPFS_MIB = 64
/** How PostgreSQL says it. */
const DISK_FULL = /No space left on device/

/** Runs statements in the schema of the server. */
async function run({ cluster, storm }: Scene, statements: string): Promise<void> {
  const sql = connect(cluster.database.connection(storm.server.schema), { name: 'filler' })
  try {
    await sql.unsafe(statements)
  } finally {
    await disconnect(sql, 0)
  }
}

/** Makes every insert into this table fail for lack of space. */
const fill = (scene: Scene, table: string): Promise<void> =>
  run(
    scene,
    `create or replace function disk_full() returns trigger language plpgsql as $$ begin
       raise exception 'could not extend file: No space left on device' using errcode = '53100';
     end $$;
     create trigger disk_full before insert on ${table}
     for each row execute function disk_full()`,
  )
const free = (scene: Scene, table: string): Promise<void> =>
  run(scene, `drop trigger disk_full on ${table}`)

/** Snapshots fail one after the other, and ticks go on. */
async function failSnapshots(storm: Storm, broken: string[]): Promise<void> {
  const { tick } = storm.server.link.state()
  const from = storm.logged.length
  const complaints = (): readonly string[] => storm.logged.slice(from)
  await until('past some snapshots', () => {
    return storm.server.link.state().tick >= tick + TICKS_WITHOUT_SNAPSHOT || storm.fatal.length > 0
  })
  const failed = complaints().filter((text) => /the snapshot of tick \d+ failed/.test(text))
  if (failed.length === 0) broken.push('no snapshot failed on a full disk')
  if (!failed.every((text) => DISK_FULL.test(text))) broken.push(`why they failed: ${failed[0]}`)
  if (complaints().some((text) => /database away/.test(text)))
    broken.push('snapshots paused the ticks')
  broken.push(...storm.fatal)
}

/** Takes a snapshot by hand, which must succeed. */
async function takeSnapshot(storm: Storm, broken: string[]): Promise<void> {
  const error = await storm.server.link.snapshot()
  if (error !== undefined) broken.push(`a snapshot after the disk was freed: ${error}`)
}

interface Scene {
  readonly cluster: Cluster
  readonly storm: Storm
  readonly seed: number
  readonly say: (text: string) => void
}

async function refuseRows(scene: Scene): Promise<string[]> {
  const { storm, seed, say } = scene
  const broken: string[] = []
  await fill(scene, 'snapshot_chunk')
  await failSnapshots(storm, broken)
  await free(scene, 'snapshot_chunk')
  await takeSnapshot(storm, broken)
  say('snapshots failed alone, and succeed again')
  const watchers = await enlistWatchers(storm.server.url, seed)
  const from = storm.logged.length
  const outlived = await outlive(storm, watchers, {
    way: 'disk full (refuse)',
    seconds: AWAY_S,
    hurt: () => fill(scene, 'journal'),
    heal: () => free(scene, 'journal'),
  })
  for (const { client } of watchers) await client.close()
  const complaints = storm.logged.slice(from).filter((text) => /database away/.test(text))
  if (complaints.length === 0 || !complaints.every((text) => DISK_FULL.test(text)))
    broken.push(`what was logged about the full disk: ${complaints[0] ?? 'nothing'}`)
  await takeSnapshot(storm, broken)
  return [...broken, ...outlived.broken]
}

/** Fills the disk to the last byte: PostgreSQL may stop, and starts only after space is freed. */
async function fillDisk({ cluster, storm, seed, say }: Scene): Promise<string[]> {
  const broken: string[] = []
  const filler = join(cluster.folder, 'filler')
  const watchers = await enlistWatchers(storm.server.url, seed)
  const outlived = await outlive(storm, watchers, {
    way: 'disk full (tmpfs)',
    seconds: AWAY_S,
    async hurt() {
      const { bavail, bsize } = statfsSync(cluster.folder)
      try {
        writeFileSync(filler, Buffer.alloc(bavail * bsize))
      } catch (error) {
        // The database took some of it meanwhile.
        if ((error as { code?: string }).code !== 'ENOSPC') throw error
      }
    },
    async heal() {
      rmSync(filler)
      await cluster.start()
    },
  })
  say(`went on ${Math.round(outlived.backMs)} ms after the disk was freed`)
  for (const { client } of watchers) await client.close()
  await takeSnapshot(storm, broken)
  return [...broken, ...outlived.broken]
}

/** Mounts a small disk and returns a folder on it; undefined if any folder will do. */
function mountSmall(form: Form): string | undefined {
  if (form !== 'tmpfs') return undefined
  const folder = mkdtempSync(join(tmpdir(), 'orrery-full-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${TMPFS_MIB}m`, 'tmpfs', folder])
  return folder
}

/** Fills one disk after the other, each with a database and a world of its own. */
export async function fillAgainAndAgain(options: DiskFullOptions): Promise<Verdict> {
  const { count, seed, form, say = () => {} } = options
  const broken: string[] = []
  let results = 0
  for (let i = 0; i < count; i++) {
    const folder = mountSmall(form)
    const cluster = await openCluster({ folder })
    try {
      const { database } = cluster
      const storm = await startStorm({ database, players: PLAYERS, seed: seed + i })
      const hurt = form === 'refuse' ? refuseRows : fillDisk
      broken.push(...(await hurt({ cluster, storm, seed: seed + i, say })))
      const settled = await settle(storm)
      broken.push(...settled.broken)
      results += settled.results
      say(`full disk ${i + 1} of ${count} (${form}): ${settled.results} results in place`)
    } finally {
      await cluster.close()
      if (folder) {
        execFileSync('umount', ['--lazy', folder])
        rmdirSync(folder)
      }
    }
  }
  return { summary: `${count} full disks (${form}), ${results} acknowledged results`, broken }
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Fills the disk under the database, under a server under load, and frees it.',
    defaults: { count: 1, seed: 1, form: 'refuse' },
  },
  ({ count, seed, form }) => {
    const found = FORMS.find((one) => one === form)
    if (!found) throw new Error(`--form ${form}: there are ${FORMS.join(' and ')}`)
    return fillAgainAndAgain({ count, seed, form: found, say: console.log })
  },
)
