/**
 * Repeated simultaneous logins of a player at two gateways: one socket must stay open, and every
 * other one must be closed with 4001, including the one left from the last race.
 * `node dist/test/fault/two-logins.js --count 200 [--players 4] [--seed 1]`. Source: SCALE 5 and 8.
 */
import type { Client } from '../../bench/client.ts'
import { connect } from '../../bench/clients.ts'
import { type TestDatabase, withDatabase } from '../databases.ts'
import { newPlayer } from '../e2e/wire.ts'
import { endNodes, openNodes } from './nodes.ts'
import { dice, runAsProgram, sleep, until, type Verdict } from './program.ts'

interface RacesOptions {
  readonly database: TestDatabase
  readonly count: number
  readonly players: number
  readonly seed: number
}

const REPLACED = 4_001
/** Longest time by which one login starts after the other. */
const APART_MS_MAX = 30
/** Time after which a second socket must be closed, even on a busy machine. */
const SETTLED_MS = 500
const PATIENCE_MS = 30_000

interface Racer {
  readonly username: string
  readonly password: string
  /** The socket left from the last race. */
  last: Client
}

async function join(url: string, name: string): Promise<Racer> {
  const last = await connect(url, 'ws2')
  const made = await last.call('register', newPlayer(name))
  if (!made.ok) throw new Error(`${name}: ${made.code} ${made.message}`)
  return { username: name, password: String(made.result.password), last }
}

/** Runs a race; returns the milliseconds until only one socket was open. */
async function race(
  racer: Racer,
  urls: readonly string[],
  { roll, broken }: { readonly roll: () => number; readonly broken: string[] },
): Promise<number> {
  const { username, password } = racer
  const newer = await Promise.all(urls.map((url) => connect(url, roll() < 0.5 ? 'ws1' : 'ws2')))
  const all = [...newer, racer.last]
  const open = (): Client[] => all.filter(({ closed }) => !closed)
  const sinceMs = performance.now()
  const laterIndex = Math.floor(roll() * urls.length)
  const delayMs = roll() * APART_MS_MAX
  const replies = newer.map(async (client, i) => {
    if (i === laterIndex) await sleep(delayMs)
    return client.call('login', { username, password })
  })
  await until(`one socket of ${username}`, () => open().length <= 1, PATIENCE_MS)
  const tookMs = performance.now() - sinceMs
  await Promise.all(replies)
  await sleep(SETTLED_MS)
  const [live, ...others] = open()
  if (!live || others.length > 0) {
    broken.push(`${username}: ${open().length} live sockets after a race`)
    racer.last = live ?? (await connect(urls[0], 'ws2'))
    return tookMs
  }
  for (const { closed } of all) {
    if (closed && closed.code !== REPLACED) broken.push(`${username}: closed with ${closed.code}`)
  }
  const status = await live.call('get_status')
  if (!status.ok) broken.push(`${username}: the socket that is left answers ${status.code}`)
  racer.last = live
  return tookMs
}

export async function raceAgainAndAgain(options: RacesOptions): Promise<Verdict> {
  const { database, count, players, seed } = options
  const nodes = await openNodes({ database, gateways: 2 })
  const { broken, gateways } = nodes
  const urls = gateways.map(({ url }) => url)
  try {
    const racers = await Promise.all(
      Array.from({ length: players }, (_, i) => join(urls[i % urls.length], `Racer ${seed} ${i}`)),
    )
    let left = count
    let slowestMs = 0
    const lanes = racers.map(async (racer, i) => {
      const roll = dice(seed + i)
      while (left-- > 0) slowestMs = Math.max(slowestMs, await race(racer, urls, { roll, broken }))
    })
    await Promise.all(lanes)
    for (const { last } of racers) await last.close()
    const summary =
      `${count} races of two logins at two gateways: one socket was left after at most ` +
      `${Math.round(slowestMs)} ms, the others closed with ${REPLACED}`
    return { summary, broken }
  } finally {
    await endNodes(nodes)
  }
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Repeatedly logs players in at two gateways at the same time.',
    defaults: { count: 200, players: 4, seed: 1 },
  },
  (flags) => withDatabase((database) => raceAgainAndAgain({ database, ...flags })),
)
