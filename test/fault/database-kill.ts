/**
 * Kills the database with SIGKILL under a loaded server, and loses the request or the answer of a
 * commit. A batch that is in the journal must be published, any other written again, never both.
 * Source: RELIABILITY 5, F2. `node dist/test/fault/database-kill.js --count 10 [--seed 1]`.
 */
import { type DatabaseProxy, startProxy } from '../unit/storage/proxy.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { dice, runAsProgram, sleep, until, type Verdict } from './program.ts'
import { type Storm, settle, startStorm } from './storm.ts'

interface DatabaseKillOptions {
  readonly count: number
  readonly seed: number
  readonly say?: (text: string) => void
}

const PLAYERS = 10
const LOAD_MS = 400
/** Batches that must have been committed before the next kill. */
const BATCHES_BETWEEN = 4
/** The connection that commits. */
const WRITER = 'orrery world'

interface Scene {
  readonly cluster: Cluster
  readonly proxy: DatabaseProxy
  readonly storm: Storm
  readonly roll: () => number
}

/** Cuts the writer's connection at a point of its exchange, and kills the database at once. */
async function cutAndKill(scene: Scene, arm: (then: () => void) => void): Promise<void> {
  const { cluster, proxy } = scene
  const before = proxy.cuts
  arm(cluster.kill)
  await until('cut', () => proxy.cuts > before)
  await cluster.start()
}

/** Ways to strike, taken in turn. */
const WAYS: readonly { readonly way: string; strike(scene: Scene): Promise<void> }[] = [
  {
    way: 'at a random moment',
    async strike({ cluster }) {
      cluster.kill()
      await cluster.start()
    },
  },
  {
    way: 'the answer to a commit lost',
    strike: (scene) =>
      cutAndKill(scene, (then) => scene.proxy.cutAnswer('COMMIT\0', { of: WRITER, then })),
  },
  {
    way: 'a request lost',
    strike: (scene) =>
      cutAndKill(scene, (then) => scene.proxy.cutRequest('', { of: WRITER, then })),
  },
  {
    way: 'the answer to a row lost',
    strike: (scene) =>
      cutAndKill(scene, (then) => scene.proxy.cutAnswer('INSERT 0 1', { of: WRITER, then })),
  },
  {
    way: 'one backend',
    strike: ({ cluster }) => cluster.killBackend(WRITER),
  },
]

/** Kills the database repeatedly under one server, then compares all answers with the world. */
export async function killDatabase(options: DatabaseKillOptions): Promise<Verdict> {
  const { count, seed, say = () => {} } = options
  const cluster = await openCluster()
  try {
    const { database } = cluster
    const proxy = await startProxy(database.connection('public'))
    const url = String(proxy.connection.url)
    const storm = await startStorm({ database, url, players: PLAYERS, seed })
    const scene = { cluster, proxy, storm, roll: dice(seed) }
    const awayMs: number[] = []
    for (let i = 0; i < count; i++) {
      await sleep(scene.roll() * LOAD_MS)
      const { way, strike } = WAYS[i % WAYS.length]
      const { batch } = storm.server.link.state()
      const since = performance.now()
      await strike(scene)
      const hasResumed = () => storm.server.link.state().batch >= batch + BATCHES_BETWEEN
      const isOver = () => hasResumed() || storm.fatal.length > 0
      await until(`resumed after kill ${i + 1} (${way})`, isOver)
      awayMs.push(performance.now() - since)
      say(`kill ${i + 1} of ${count}, ${way}: resumed after ${Math.round(awayMs[i])} ms`)
    }
    const { broken, results, hash } = await settle(storm)
    const ends = storm.server.link.ends()
    await proxy.close()
    return {
      summary:
        `${count} kills of the database, ${proxy.cuts} at an exchange; resumed after at most ` +
        `${Math.round(Math.max(...awayMs))} ms; ${results} acknowledged results, hash ${hash}`,
      broken: [
        ...broken,
        ...storm.fatal,
        ...storm.crew.dropped.map((text) => `a socket ended: ${text}`),
        ...(ends > 0 ? [`the world thread ended ${ends} times`] : []),
      ],
    }
  } finally {
    await cluster.close()
  }
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Kills the database under a loaded server.',
    defaults: { count: 10, seed: 1 },
  },
  ({ count, seed }) => killDatabase({ count, seed, say: console.log }),
)
