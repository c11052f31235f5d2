/**
 * A PostgreSQL that belongs to one test, which may kill, stop, freeze and fill it. Only the test
 * starts it again.
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
  /** Returns the id of its first process. */
  pid(): number
  /** Kills its first process with SIGKILL; the others notice and end. */
  kill(): void
  /** Stops it as an operator would, while clients are connected. */
  stop(): Promise<void>
  /** Starts it again on the same port, unless it runs. */
  start(): Promise<void>
  /** Pauses all its processes; `thaw` resumes them. */
  freeze(): void
  thaw(): void
  /** Kills the processes that serve connections of this application_name. */
  killBackend(name: string): Promise<void>
  /** Its data folder. */
  readonly folder: string
  close(): Promise<void>
}

/** Returns the ids of a process and its children, the parent first. */
function family(pid: number): number[] {
  const children = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      return parent === pid ? [Number(name)] : []
    } catch {
      // The process has ended meanwhile.
      return []
    }
  })
  return [pid, ...children]
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has ended meanwhile.
    }
  }
}

interface ClusterOptions {
  /** An empty folder to use; by default a new one, which `close` removes. */
  readonly folder?: string
}

export async function openCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'orrery-fault-'))
  // Under root, the database runs as another user, who must be able to enter the folder.
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
        // It still runs if a server that failed has not closed its connections.
        if (isUp()) signalAll([opened.pid], 'SIGQUIT')
      }
    },
  }
}
