/**
 * A PostgreSQL that belongs to one test, which may kill, stop, freeze and fill it. Nothing brings
 * it back but the test.
 */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, disconnect } from '../../storage/db.ts'
import { openEmbedded } from '../../storage/embedded.ts'
import { startTimeOf } from '../../storage/embedded-files.ts'
import { type TestDatabase, testDatabase, urlOf } from '../databases.ts'
import { until } from './program.ts'

export interface Cluster {
  readonly database: TestDatabase
  /** Its first process. */
  pid(): number
  /** kill -9 of the first process alone: the others notice and end. */
  kill(): void
  /** Ends it as an operator would, while clients are connected. */
  stop(): Promise<void>
  /** Brings it up again, on the same port; nothing when it runs. */
  start(): Promise<void>
  /** Stops the clock of all its processes, or lets it go on. */
  freeze(): void
  thaw(): void
  /** Kills the process behind a connection of this application_name. */
  killBackend(name: string): Promise<void>
  /** The folder it stands in. */
  readonly folder: string
  close(): Promise<void>
}

/** Returns the ids of a process and all its descendants, the parent first. */
function family(pid: number): number[] {
  const below = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      return parent === pid ? [Number(name)] : []
    } catch {
      // Ended meanwhile.
      return []
    }
  })
  return [pid, ...below]
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // Ended meanwhile.
    }
  }
}

interface ClusterOptions {
  /** An empty folder to stand in; absent: a new one that goes away with it. */
  readonly folder?: string
}

export async function openCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'orrery-fault-'))
  // As root the database runs under another user.
  chmodSync(folder, 0o755)
  const open = () => openEmbedded({ dataDir: folder, schema: 'public', adopt: false })
  let opened = await open()
  const isUp = (): boolean => startTimeOf(opened.pid) !== undefined
  const database = testDatabase('embedded', urlOf(opened.owner), async () => {
    await opened.stop()
    if (!options.folder) rmSync(folder, { recursive: true, force: true })
  })
  const sql = async <T>(text: string): Promise<T[]> => {
    const client = connect(database.connection('public'), { name: 'fault' })
    try {
      return (await client.unsafe(text)) as unknown as T[]
    } finally {
      await disconnect(client, 0)
    }
  }
  return {
    database,
    folder,
    pid: () => opened.pid,
    kill: () => void process.kill(opened.pid, 'SIGKILL'),
    async stop() {
      process.kill(opened.pid, 'SIGINT')
      await until('stopped', () => !isUp())
    },
    async start() {
      const answers = () =>
        sql('select 1').then(
          () => true,
          () => false,
        )
      await until('gone or up', async () => !isUp() || (await answers()))
      if (!isUp()) opened = await open()
    },
    freeze: () => signalAll(family(opened.pid), 'SIGSTOP'),
    thaw: () => signalAll(family(opened.pid).reverse(), 'SIGCONT'),
    async killBackend(name) {
      const rows = await sql<{ pid: number }>(
        `select pid from pg_stat_activity where application_name = '${name}'`,
      )
      signalAll(
        rows.map(({ pid }) => pid),
        'SIGKILL',
      )
    },
    async close() {
      signalAll(family(opened.pid).reverse(), 'SIGCONT')
      try {
        await database.close()
      } finally {
        // Left running where a server that failed still uses it.
        if (isUp()) signalAll([opened.pid], 'SIGQUIT')
      }
    },
  }
}
