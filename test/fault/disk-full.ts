/**
 * Fills the disk of the database under a loaded server: first for snapshots alone, which must not
 * stop ticks; then for the journal, which is like an absent database and must not keep half a tick.
 * In the form `refuse` PostgreSQL refuses rows of a table with the code of a full disk, after
 * whatever the transaction has written before (a limit on the size of files would give another
 * code); in the form `tmpfs` a disk of 64 MiB is filled up (needs root).
 * Source: RELIABILITY 5, F4. `node dist/test/fault/disk-full.js --count 1 [--form tmpfs]`.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, disconnect } from '../../storage/db.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { connectWatchers, runOutage } from './outage.ts'
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
/** PostgreSQL's message. */
const DISK_FULL = /No space left on device/

/** Runs statements in the schema of the server. */
async function runSql({ cluster, storm }: Scene, statements: string): Promise<void> {
  const sql = connect(cluster.database.connection(storm.server.schema), { name: 'filler' })
  try {
    await sql.unsafe(statements)
  } finally {
    await disconnect(sql, 0)
  }
}

/** Makes every insert into this table fail for lack of space. */
const refuseInserts = (scene: Scene, table: string): Promise<void> =>
  runSql(
    scene,
    `create or replace function disk_full() returns trigger language plpgsql as $$ begin
       raise exception 'could not extend file: No space left on device' using errcode = '53100';
     end $$;
     create trigger disk_full before insert on ${table}
     for each row execute function disk_full()`,
  )
const acceptInserts = (scene: Scene, table: string): Promise<void> =>
  runSql(scene, `drop trigger disk_full on ${table}`)

/** Waits until snapshots have failed, and checks that ticks have continued. */
async function watchFailingSnapshots(storm: Storm, broken: string[]): Promise<void> {
  const { tick } = storm.server.link.state()
  const from = storm.logged.length
  const complaints = (): readonly string[] => storm.logged.slice(from)
  const isPast = () => storm.server.link.state().tick >= tick + TICKS_WITHOUT_SNAPSHOT
  await until('past some snapshots', () => isPast() || storm.fatal.length > 0)
  const failed = complaints().filter((text) => /the snapshot of tick \d+ failed/.test(text))
  if (failed.length === 0) broken.push('no snapshot failed on a full disk')
  if (!failed.every((text) => DISK_FULL.test(text)))
    broken.push(`a snapshot failed for another reason: ${failed[0]}`)
  if (complaints().some((text) => /database away/.test(text)))
    broken.push('snapshots paused the ticks')
  broken.push(...storm.fatal)
}

/** Requests a snapshot, which must succeed. */
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
  await refuseInserts(scene, 'snapshot_chunk')
  await watchFailingSnapshots(storm, broken)
  await acceptInserts(scene, 'snapshot_chunk')
  await takeSnapshot(storm, broken)
  say('only snapshots failed, and they succeed again')
  const watchers = await connectWatchers(storm.server.url, seed)
  const from = storm.logged.length
  const result = await runOutage(storm, watchers, {
    way: 'disk full (refuse)',
    seconds: AWAY_S,
    begin: () => refuseInserts(scene, 'journal'),
    end: () => acceptInserts(scene, 'journal'),
  })
  for (const { client } of watchers) await client.close()
  const complaints = storm.logged.slice(from).filter((text) => /database away/.test(text))
  if (complaints.length === 0 || !complaints.every((text) => DISK_FULL.test(text)))
    broken.push(`the log says of the full disk: ${complaints[0] ?? 'nothing'}`)
  await takeSnapshot(storm, broken)
  return [...broken, ...result.broken]
}

/** Fills the disk to the last byte: PostgreSQL may stop, and starts again once space is freed. */
async function fillDisk({ cluster, storm, seed, say }: Scene): Promise<string[]> {
  const broken: string[] = []
  const filler = join(cluster.folder, 'filler')
  const watchers = await connectWatchers(storm.server.url, seed)
  const result = await runOutage(storm, watchers, {
    way: 'disk full (tmpfs)',
    seconds: AWAY_S,
    async begin() {
      const { bavail, bsize } = statfsSync(cluster.folder)
      try {
        writeFileSync(filler, Buffer.alloc(bavail * bsize))
      } catch (error) {
        // The database has used some of the space meanwhile.
        if ((error as { code?: string }).code !== 'ENOSPC') throw error
      }
    },
    async end() {
      rmSync(filler)
      await cluster.start()
    },
  })
  say(`resumed ${Math.round(result.backMs)} ms after the disk was freed`)
  for (const { client } of watchers) await client.close()
  await takeSnapshot(storm, broken)
  return [...broken, ...result.broken]
}

/** Mounts a small disk and returns a folder on it; undefined if any folder will do. */
function mountSmall(form: Form): string | undefined {
  if (form !== 'tmpfs') return undefined
  const folder = mkdtempSync(join(tmpdir(), 'orrery-full-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${TMPFS_MIB}m`, 'tmpfs', folder])
  return folder
}

/** Fills this number of disks in turn, each with its own database and world. */
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
      const strike = form === 'refuse' ? refuseRows : fillDisk
      broken.push(...(await strike({ cluster, storm, seed: seed + i, say })))
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
    about: 'Fills the disk of the database under a loaded server, and frees it.',
    defaults: { count: 1, seed: 1, form: 'refuse' },
  },
  ({ count, seed, form }) => {
    const found = FORMS.find((known) => known === form)
    if (!found) throw new Error(`--form ${form}: must be ${FORMS.join(' or ')}`)
    return fillAgainAndAgain({ count, seed, form: found, say: console.log })
  },
)
