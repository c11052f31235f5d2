/**
 * A connection to the database that loses bytes for three seconds and then works again, under a
 * loaded server: neither side is notified, so the server has to detect that no answer comes. Then a
 * disk so slow that a commit takes seconds, which the server must not mistake for a fault. No
 * command may be lost or done twice. `node dist/test/fault/swallow.js --count 6 [--seed 1]`.
 */
import { connect, disconnect } from '../../storage/db.ts'
import { type TestDatabase, withDatabase } from '../databases.ts'
import { type DatabaseProxy, type Swallowed, startProxy } from '../unit/storage/proxy.ts'
import { dice, runAsProgram, sleep, until, type Verdict } from './program.ts'
import { type Storm, settle, startStorm } from './storm.ts'

interface SwallowOptions {
  readonly database: TestDatabase
  readonly count: number
  readonly seed: number
  readonly say?: (text: string) => void
}

const PLAYERS = 8
const LOAD_MS = 400
const WAYS: readonly Swallowed[] = ['answers', 'requests', 'both']
const SWALLOW_MS = 3_000
/** Longest time from the first lost byte until batches are committed again. */
const RECOVERY_MS_MAX = 6_500
const BATCHES_AFTER = 3
const SLOW_S = 6

interface Scene {
  readonly options: SwallowOptions
  readonly proxy: DatabaseProxy
  readonly storm: Storm
}

const untilRecovered = async ({ storm }: Scene, batch: number, what: string): Promise<void> => {
  const hasRecovered = () => storm.server.link.state().batch >= batch + BATCHES_AFTER
  await until(`recovered after ${what}`, () => hasRecovered() || storm.fatal.length > 0)
}

/** Loses bytes in the given direction; returns the milliseconds until the server had recovered. */
async function swallow(scene: Scene, way: Swallowed): Promise<number> {
  const { proxy, storm } = scene
  const { batch } = storm.server.link.state()
  const since = performance.now()
  proxy.swallow(way)
  setTimeout(() => proxy.pass(), SWALLOW_MS)
  // Several batches, because the one under way may have been durable already.
  await untilRecovered(scene, batch, `${way} swallowed`)
  return performance.now() - since
}

/** Makes one commit take seconds; returns what the server logs about the database. */
async function slowDown(scene: Scene): Promise<string[]> {
  const { options, storm } = scene
  const { logged, server } = storm
  const sql = connect(options.database.connection(server.schema), { name: 'slow disk' })
  try {
    await sql.unsafe(`
      create sequence slow_disk;
      create function slow_disk() returns trigger language plpgsql as $$ begin
        if nextval('slow_disk') = 1 then perform pg_sleep(${SLOW_S}); end if;
        return new;
      end $$;
      create trigger slow_disk before insert on journal for each row execute function slow_disk()`)
    const from = logged.length
    await sleep(SLOW_S * 1_000)
    await untilRecovered(scene, server.link.state().batch, 'a slow disk')
    return logged.slice(from).filter((text) => /database/.test(text))
  } finally {
    await sql.unsafe('drop trigger if exists slow_disk on journal')
    await disconnect(sql, 0)
  }
}

export async function swallowAgainAndAgain(options: SwallowOptions): Promise<Verdict> {
  const { database, count, seed, say = () => {} } = options
  const proxy = await startProxy(database.connection('public'))
  const url = String(proxy.connection.url)
  const storm = await startStorm({ database, url, players: PLAYERS, seed })
  const scene = { options, proxy, storm }
  const roll = dice(seed)
  const broken: string[] = []
  let slowestMs = 0
  for (let i = 0; i < count; i++) {
    await sleep(roll() * LOAD_MS)
    const way = WAYS[i % WAYS.length]
    const tookMs = await swallow(scene, way)
    say(`${way} swallowed for ${SWALLOW_MS} ms: recovered after ${Math.round(tookMs)} ms`)
    if (tookMs > RECOVERY_MS_MAX) broken.push(`${way}: recovered after ${Math.round(tookMs)} ms`)
    slowestMs = Math.max(slowestMs, tookMs)
  }
  const complaints = await slowDown(scene)
  broken.push(...complaints.map((text) => `the server mistook a slow disk for a fault: ${text}`))
  const settled = await settle(storm)
  await proxy.close()
  return {
    summary:
      `${count} times bytes swallowed for ${SWALLOW_MS} ms: recovered after at most ` +
      `${Math.round(slowestMs)} ms; a commit of ${SLOW_S} s; ${settled.results} acknowledged ` +
      `results, hash ${settled.hash}`,
    broken: [
      ...broken,
      ...settled.broken,
      ...storm.fatal,
      ...storm.crew.dropped.map((text) => `a socket ended: ${text}`),
    ],
  }
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Swallows all bytes between the server and its database for three seconds.',
    defaults: { count: 6, seed: 1 },
  },
  ({ count, seed }) =>
    withDatabase((database) => swallowAgainAndAgain({ database, count, seed, say: console.log })),
)
