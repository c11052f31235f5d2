/**
 * The database away for a while under a server under load: ticks pause, sockets stay, queries are
 * answered from memory, new mutations wait, and afterwards each is answered once. How it goes away
 * is the caller's. Source: RELIABILITY 5, F3 and F4.
 */
import { CHANNELS, type Client, type Reply } from '../../bench/client.ts'
import { connect } from '../../bench/clients.ts'
import { request } from '../e2e/wire.ts'
import { sleep, until } from './program.ts'
import type { Storm } from './storm.ts'

/** Players besides the crew, who look and wait while the database is away: one a channel. */
interface Watcher {
  readonly client: Client
  /** Outcomes that came by themselves: second ones. */
  readonly extra: string[]
  isDocked: boolean
}

export interface Outage {
  /** What is done, for the messages. */
  readonly way: string
  readonly seconds: number
  hurt(): Promise<void>
  heal(): Promise<void>
}

export interface Outlived {
  readonly broken: readonly string[]
  /** From the cure until batches came through again. */
  readonly backMs: number
  /** Slowest answer from memory meanwhile. */
  readonly queryMs: number
}

/** Longer than a tick and its commit; the world has come to rest when nothing moved for so long. */
const REST_MS = 1_500
/** Silence that a query which waits for the database would keep; a busy machine is not so slow. */
const QUERY_MS_MAX = 20_000
const BATCHES_AFTER = 4
/** Any outage of this length is seen: the database answers nothing, or keeps a commit waiting. */
const UNREADY_AFTER_S = 10
const QUERIES = ['get_status', 'get_cargo', 'get_system']
const BURST_LOOK_TICKS = 10
/** Ticks that a look of ten tick lengths may see besides: the one under way, the one now due. */
const BURST_MORE = 2

export async function enlistWatchers(url: string, seed: number): Promise<Watcher[]> {
  return Promise.all(
    CHANNELS.map(async (channel) => {
      const client = await connect(url, channel, { idPrefix: `watcher ${seed} ${channel} ` })
      const watcher: Watcher = { client, extra: [], isDocked: true }
      const username = `Watcher ${seed} ${channel}`
      const made = await client.call('register', {
        username,
        empire: 'solarian',
        registration_code: 'x',
      })
      if (!made.ok) throw new Error(`${username}: ${made.code} ${made.message}`)
      client.onPush = ({ type, requestId }) => {
        if (requestId !== undefined) watcher.extra.push(`${username}: a second ${type}`)
      }
      return watcher
    }),
  )
}

/** Resolves with the batch at which the world has come to rest. */
async function untilStill({ server }: Storm): Promise<number> {
  let batch = -1
  await until('at rest', async () => {
    batch = server.link.state().batch
    await sleep(REST_MS)
    return server.link.state().batch === batch
  })
  return batch
}

/** Reads the world on every channel while the database is away. */
async function look(watchers: readonly Watcher[], broken: string[]): Promise<number> {
  const since = performance.now()
  await Promise.all(
    watchers.flatMap(({ client }) =>
      QUERIES.map(async (query) => {
        const late = sleep(QUERY_MS_MAX).then(
          (): Reply => ({ ok: false, result: {}, code: 'late' }),
        )
        const reply = await Promise.race([client.call(query), late])
        if (!reply.ok) broken.push(`${query} on ${client.channel} while away: ${reply.code}`)
      }),
    ),
  )
  return performance.now() - since
}

interface Waiting {
  readonly watcher: Watcher
  readonly command: string
  reply: Reply | undefined
}

/** Sends a mutation of each watcher, which must wait; a second one finds the slot taken. */
function sendAll(watchers: readonly Watcher[]): Waiting[] {
  return watchers.map((watcher) => {
    const waiting: Waiting = {
      watcher,
      command: watcher.isDocked ? 'undock' : 'dock',
      reply: undefined,
    }
    void watcher.client.call(waiting.command).then((reply) => {
      waiting.reply = reply
    })
    return waiting
  })
}

function judgeAnswers(waiting: readonly Waiting[], broken: string[]): void {
  for (const { watcher, command, reply } of waiting) {
    if (reply?.ok) watcher.isDocked = command === 'dock'
    else broken.push(`${command} on ${watcher.client.channel} afterwards: ${reply?.code}`)
    broken.push(...watcher.extra.splice(0))
    if (watcher.client.closed) broken.push(`${watcher.client.channel} of a watcher was closed`)
  }
}

async function judgePace({ server }: Storm, broken: string[]): Promise<void> {
  const { tick, tickMs } = server.link.state()
  await sleep(BURST_LOOK_TICKS * tickMs)
  const ran = server.link.state().tick - tick
  const most = BURST_LOOK_TICKS + BURST_MORE
  if (ran > most) broken.push(`${ran} ticks in ${BURST_LOOK_TICKS} tick lengths after the outage`)
}

/** Runs one outage, from the first failing commit to the last late answer. */
export async function outlive(
  storm: Storm,
  watchers: readonly Watcher[],
  outage: Outage,
): Promise<Outlived> {
  const broken: string[] = []
  const droppedBefore = storm.crew.dropped.length
  await outage.hurt()
  const sinceMs = performance.now()
  const still = await untilStill(storm)
  const waiting = sendAll(watchers)
  const queryMs = await look(watchers, broken)
  await until('acknowledged', () => storm.server.link.pending() >= watchers.length)
  const again = await watchers[0].client.call(waiting[0].command)
  if (again.code !== 'action_pending') broken.push(`a second mutation while away: ${again.code}`)
  await sleep(Math.max(0, outage.seconds * 1_000 - (performance.now() - sinceMs)))
  await look(watchers, broken)
  const early = waiting.filter(({ reply }) => reply !== undefined)
  for (const { watcher, command, reply } of early) {
    broken.push(`${command} on ${watcher.client.channel} while away: ${reply?.code ?? 'done'}`)
  }
  const ready = await request(`${storm.server.url}/readyz`)
  if (outage.seconds >= UNREADY_AFTER_S && ready.status !== 503)
    broken.push(`/readyz answered ${ready.status} while away`)
  const { batch } = storm.server.link.state()
  if (batch !== still) broken.push(`batch ${batch} came out while away, after ${still}`)
  const backSince = performance.now()
  await outage.heal()
  const isBack = () => storm.server.link.state().batch >= still + BATCHES_AFTER
  await until(`on after ${outage.way}`, () => isBack() || storm.fatal.length > 0)
  const backMs = performance.now() - backSince
  const isReady = async () => (await request(`${storm.server.url}/readyz`)).status === 200
  await until(`ready after ${outage.way}`, isReady)
  await judgePace(storm, broken)
  await until('answered', () => waiting.every(({ reply }) => reply !== undefined))
  judgeAnswers(waiting, broken)
  const dropped = storm.crew.dropped.slice(droppedBefore)
  broken.push(...storm.fatal, ...dropped.map((text) => `a socket ended: ${text}`))
  return { broken: broken.map((text) => `${outage.way}: ${text}`), backMs, queryMs }
}
