/**
 * Stops the database, or pauses all its processes, for a while under a loaded server.
 * Source: RELIABILITY 5, F3. `node dist/test/fault/database-away.js --count 4 [--seed 1]
 * [--seconds 1,1,10,10]`: stops and pauses alternate, and lengths are taken in turn.
 */
import { type Cluster, openCluster } from './cluster.ts'
import { connectWatchers, type Outage, type OutageResult, runOutage } from './outage.ts'
import { runAsProgram, type Verdict } from './program.ts'
import { settle, startStorm } from './storm.ts'

interface AwayOptions {
  readonly count: number
  readonly seed: number
  /** Lengths of the outages, taken in turn; by default SECONDS. */
  readonly seconds?: readonly number[]
  readonly say?: (text: string) => void
}

const PLAYERS = 10
/** Twelve outages, as a release asks for. */
const SECONDS = [1, 10, 10, 1, 60, 60, 300, 300, 10, 1, 60, 10]

const WAYS = ['stopped', 'paused'] as const

function outageOf(cluster: Cluster, index: number, seconds: number): Outage {
  const way = WAYS[index % WAYS.length]
  return {
    way: `${way} for ${seconds} s`,
    seconds,
    begin: async () => (way === 'stopped' ? cluster.stop() : cluster.freeze()),
    end: async () => (way === 'stopped' ? cluster.start() : cluster.thaw()),
  }
}

export async function takeDatabaseAway(options: AwayOptions): Promise<Verdict> {
  const { count, seed, seconds = SECONDS, say = () => {} } = options
  const cluster = await openCluster()
  try {
    const { database } = cluster
    const storm = await startStorm({ database, players: PLAYERS, seed })
    const watchers = await connectWatchers(storm.server.url, seed)
    const outages: OutageResult[] = []
    for (let i = 0; i < count; i++) {
      const outage = outageOf(cluster, i, seconds[i % seconds.length])
      const result = await runOutage(storm, watchers, outage)
      outages.push(result)
      say(
        `outage ${i + 1} of ${count}, ${outage.way}: resumed after ` +
          `${Math.round(result.backMs)} ms, queries in ${Math.round(result.queryMs)} ms`,
      )
    }
    for (const { client } of watchers) await client.close()
    const { broken, results, hash } = await settle(storm)
    const slowestMs = (field: 'backMs' | 'queryMs'): number =>
      Math.round(Math.max(...outages.map((result) => result[field])))
    return {
      summary:
        `${count} outages of the database: resumed after at most ${slowestMs('backMs')} ms, ` +
        `15 queries meanwhile in at most ${slowestMs('queryMs')} ms; ` +
        `${results} acknowledged results, hash ${hash}`,
      broken: [...outages.flatMap((result) => result.broken), ...broken],
    }
  } finally {
    await cluster.close()
  }
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Takes the database away for a while under a loaded server.',
    defaults: { count: 4, seed: 1, seconds: SECONDS.join() },
  },
  ({ count, seed, seconds }) =>
    takeDatabaseAway({ count, seed, seconds: seconds.split(',').map(Number), say: console.log }),
)
