/**
 * An outage of the database under a loaded server: ticks must pause, sockets stay open, queries be
 * answered from memory, and new mutations wait and be answered once afterwards. The caller decides
 * how the database goes away. Source: RELIABILITY 5, F3 and F4.
 */
import { CHANNELS, type Client, type Reply } from '../../bench/client.ts'
import { connect } from '../../bench/clients.ts'
import { request } from '../e2e/wire.ts'
import { sleep, until } from './program.ts'
import type { Storm } from './storm.ts'

/** A player on each channel, in addition to the crew, who acts only during the outage. */
interface Watcher {
  readonly client: Client
  /** Descriptions of second outcomes, which were pushed. */
  readonly extra: string[]
  isDocked: boolean
}

export interface Outage {
  /** Description for messages. */
  readonly way: string
  readonly seconds: number
  begin(): Promise<void>
  end(): Promise<void>
}

export interface OutageResult {
  readonly broken: readonly string[]
  /** Milliseconds from the end of the outage until batches were committed again. */
  readonly backMs: number
  /** Milliseconds that all queries during the outage have taken. */
  readonly queryMs: number
}

/** Longer than a tick and its commit: a world without a batch for this long has paused. */
const REST_MS = 1_500
/** A query without an answer for this long waits for the database; no busy machine is as slow. */
const QUERY_MS_MAX = 20_000
const BATCHES_AFTER = 4
/** Length from which an outage must make /readyz answer 503. */
const UNREADY_AFTER_S = 10
const QUERIES = ['get_status', 'get_cargo', 'get_system']
/** Tick lengths for which ticks are counted after the outage. */
const PACE_TICKS = 10
/** Ticks that may run in addition: the one under way and the one now due. */
const PACE_TICKS_EXTRA = 2

export async function connectWatchers(url: string, seed: number): Promise<Watcher[]> {
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

/** Resolves with the batch at which the world has paused. */
async function untilPaused({ server }: Storm): Promise<number> {
  let batch = -1
  await until('paused', async () => {
    batch = server.link.state().batch
    await sleep(REST_MS)
    return server.link.state().batch === batch
  })
  return batch
}

/** Sends queries on every channel; resolves with the milliseconds until all are answered. */
async function sendQueries(watchers: readonly Watcher[], broken: string[]): Promise<number> {
  const since = performance.now()
  await Promise.all(
    watchers.flatMap(({ client }) =>
      QUERIES.map(async (query) => {
        const late = sleep(QUERY_MS_MAX).then(
          (): Reply => ({ ok: false, result: {}, code: 'late' }),
        )
        const reply = await Promise.race([client.call(query), late])
        if (!reply.ok) broken.push(`${query} on ${client.channel} in the outage: ${reply.code}`)
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

/** Sends a mutation of each watcher, which must wait. */
function sendMutations(watchers: readonly Watcher[]): Waiting[] {
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

function checkAnswers(waiting: readonly Waiting[], broken: string[]): void {
  for (const { watcher, command, reply } of waiting) {
    if (reply?.ok) watcher.isDocked = command === 'dock'
    else broken.push(`${command} on ${watcher.client.channel} afterwards: ${reply?.code}`)
    broken.push(...watcher.extra.splice(0))
    if (watcher.client.closed) broken.push(`${watcher.client.channel} of a watcher was closed`)
  }
}

/** Checks that ticks do not come in a burst after the outage. */
async function checkPace({ server }: Storm, broken: string[]): Promise<void> {
  const { tick, tickMs } = server.link.state()
  await sleep(PACE_TICKS * tickMs)
  const ran = server.link.state().tick - tick
  if (ran > PACE_TICKS + PACE_TICKS_EXTRA)
    broken.push(`${ran} ticks in ${PACE_TICKS} tick lengths after the outage`)
}

/** Runs an outage, from the first failing commit to the last late answer. */
export async function runOutage(
  storm: Storm,
  watchers: readonly Watcher[],
  outage: Outage,
): Promise<OutageResult> {
  const broken: string[] = []
  const droppedBefore = storm.crew.dropped.length
  await outage.begin()
  const sinceMs = performance.now()
  const pausedBatch = await untilPaused(storm)
  const waiting = sendMutations(watchers)
  const queryMs = await sendQueries(watchers, broken)
  await until('acknowledged', () => storm.server.link.pending() >= watchers.length)
  const second = await watchers[0].client.call(waiting[0].command)
  if (second.code !== 'action_pending')
    broken.push(`a second mutation in the outage: ${second.code}`)
  await sleep(Math.max(0, outage.seconds * 1_000 - (performance.now() - sinceMs)))
  await sendQueries(watchers, broken)
  const early = waiting.filter(({ reply }) => reply !== undefined)
  for (const { watcher, command, reply } of early) {
    broken.push(`${command} on ${watcher.client.channel} in the outage: ${reply?.code ?? 'done'}`)
  }
  const ready = await request(`${storm.server.url}/readyz`)
  if (outage.seconds >= UNREADY_AFTER_S && ready.status !== 503)
    broken.push(`/readyz answered ${ready.status} in the outage`)
  const { batch } = storm.server.link.state()
  if (batch !== pausedBatch)
    broken.push(`batch ${batch} was published in the outage, after ${pausedBatch}`)
  const backSince = performance.now()
  await outage.end()
  const isBack = () => storm.server.link.state().batch >= pausedBatch + BATCHES_AFTER
  await until(`resumed after ${outage.way}`, () => isBack() || storm.fatal.length > 0)
  const backMs = performance.now() - backSince
  const isReady = async () => (await request(`${storm.server.url}/readyz`)).status === 200
  await until(`ready after ${outage.way}`, isReady)
  await checkPace(storm, broken)
  await until('answered', () => waiting.every(({ reply }) => reply !== undefined))
  checkAnswers(waiting, broken)
  const dropped = storm.crew.dropped.slice(droppedBefore)
  broken.push(...storm.fatal, ...dropped.map((text) => `a socket ended: ${text}`))
  return { broken: broken.map((text) => `${outage.way}: ${text}`), backMs, queryMs }
}
