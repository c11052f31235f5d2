/**
 * The database stopped, or all its processes held still, for a while under a server under load.
 * Source: RELIABILITY 5, F3. `node dist/test/fault/database-away.js --count 4 [--seed 1]
 * [--seconds 1,1,10,10]`: each length goes by turns with both ways.
 */
import { type Cluster, openCluster } from './cluster.ts'
import { enlistWatchers, type Outage, type Outlived, outlive } from './outage.ts'
import { runAsProgram, type Verdict } from './program.ts'
import { settle, startStorm } from './storm.ts'

interface AwayOptions {
  readonly count: number
  readonly seed: number
  /** Lengths of the outages, in turns; absent: as the table has them. */
  readonly seconds?: readonly number[]
  readonly say?: (text: string) => void
}

const PLAYERS = 10
/** The first four are CI's; twelve are the release's. */
const SECONDS = [1, 10, 10, 1, 60, 60, 300, 300, 10, 1, 60, 10]

const WAYS = ['stopped', 'held still'] as const

function outageOf(cluster: Cluster, index: number, seconds: number): Outage {
  const way = WAYS[index % WAYS.length]
  return {
    way: `${way} for ${seconds} s`,
    seconds,
    hurt: async () => (way === 'stopped' ? cluster.stop() : cluster.freeze()),
    heal: async () => (way === 'stopped' ? cluster.start() : cluster.thaw()),
  }
}

export async function takeDatabaseAway(options: AwayOptions): Promise<Verdict> {
  const { count, seed, seconds = SECONDS, say = () => {} } = options
  const cluster = await openCluster()
  try {
    const { database } = cluster
    const storm = await startStorm({ database, players: PLAYERS, seed })
    const watchers = await enlistWatchers(storm.server.url, seed)
    const outlived: Outlived[] = []
    for (let i = 0; i < count; i++) {
      const outage = outageOf(cluster, i, seconds[i % seconds.length])
      const one = await outlive(storm, watchers, outage)
      outlived.push(one)
      say(
        `outage ${i + 1} of ${count}, ${outage.way}: on after ${Math.round(one.backMs)} ms, ` +
          `queries in ${Math.round(one.queryMs)} ms`,
      )
    }
    for (const { client } of watchers) await client.close()
    const { broken, results, hash } = await settle(storm)
    const most = (of: (one: Outlived) => number): number =>
      Math.round(Math.max(...outlived.map(of)))
    return {
      summary:
        `${count} outages of the database: on after at most ${most((one) => one.backMs)} ms, ` +
        `15 queries meanwhile in at most ${most((one) => one.queryMs)} ms; ` +
        `${results} acknowledged results, hash ${hash}`,
      broken: [...outlived.flatMap((one) => one.broken), ...broken],
    }
  } finally {
    await cluster.close()
  }
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Takes the database away for a while, under a server under load.',
    defaults: { count: 4, seed: 1, seconds: SECONDS.join() },
  },
  ({ count, seed, seconds }) =>
    takeDatabaseAway({ count, seed, seconds: seconds.split(',').map(Number), say: console.log }),
)
