/**
 * Clients that stop reading among many that read on: they must be closed with 1000 once their queue
 * is full or has not moved for 10 s; the others must notice nothing, and the server's memory must
 * be bounded.
 * `node dist/test/fault/slow.js --count 5 --players 2000 --slow 50`.
 */
import { type TestDatabase, withDatabase } from '../databases.ts'
import { newName, newPlayer, openSocket, type RawSocket, request } from '../e2e/wire.ts'
import { type ChildServer, startChild } from '../servers.ts'

import { dice, endChild, residentMb, runAsProgram, sleep, type Verdict } from './program.ts'

interface SlowOptions {
  readonly database: TestDatabase
  readonly players: number
  /** Number of players who stop reading. */
  readonly slow: number
  readonly seed: number
  /** MiB that the server may grow by; 50 by default. */
  readonly growthMbMax?: number
  /** Judges latencies too; only for a machine with no other load. */
  readonly isJudged: boolean
}

const GROWTH_MB_MAX = 50
const ASK_EVERY_MS = 1_000
/** Well above the 10 s without progress after which a socket is closed. */
const CLOSED_MS_MAX = 60_000
/** Time between two large answers, so that the server has time for other clients. */
const ASK_MS = 10
const READ_ON_MS = 1_000
const ASK_MORE_EVERY_MS = 1_000
/** Bytes sent to a client that stops reading: loopback buffers some 4 MB, the rest is queued. */
const STALL_BYTES = 4_800_000
const FLOOD_BYTES = 12_000_000
/** Every so many clients one is flooded until its queue is full; the others wait for the 10 s. */
const FLOOD_EVERY = 10
const MEMORY_EVERY_MS = 50

const CONNECT_AT_ONCE = 50

interface Member {
  readonly socket: RawSocket
  readonly isV2: boolean
  closed: { code: number; reason: string } | undefined
}

async function join(url: string, i: number): Promise<Member> {
  const isV2 = i % 2 === 1
  const socket = await openSocket(url, isV2 ? '/ws/v2' : '/ws')
  const member: Member = { socket, isV2, closed: undefined }
  void socket.closed.then((how) => {
    member.closed = how
  })
  send(member, 'game_auth', 'register', newPlayer(newName()))
  await socket.next('logged_in')
  return member
}

const send = ({ socket, isV2 }: Member, tool: string, action: string, payload = {}, id?: string) =>
  socket.send({
    ...(isV2 ? { tool, action } : { type: action }),
    payload,
    ...(id === undefined ? {} : { request_id: id }),
  })

async function joinAll(url: string, count: number): Promise<Member[]> {
  const members: Member[] = []
  for (let i = 0; i < count; i += CONNECT_AT_ONCE) {
    const joining = Array.from({ length: Math.min(CONNECT_AT_ONCE, count - i) }, (_, k) =>
      join(url, i + k),
    )
    members.push(...(await Promise.all(joining)))
  }
  return members
}

/** Milliseconds that queries have taken. */
interface Latencies {
  readonly tookMs: number[]
  isOver: boolean
}

/** Sends a query every second; throws if one is not answered. */
async function sendQueries(member: Member, state: Latencies, delayMs: number): Promise<void> {
  await sleep(delayMs)
  for (let i = 0; !state.isOver; i++) {
    const since = performance.now()
    send(member, 'game', 'get_status', {}, `ask ${i}`)
    let frame = await member.socket.next()
    while (frame.request_id !== `ask ${i}`) frame = await member.socket.next()
    state.tookMs.push(performance.now() - since)
    await sleep(ASK_EVERY_MS)
  }
}

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

interface Figures {
  readonly answers: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly peakMb: number
}

/**
 * Lets the others send queries while something happens; returns their figures and the server's peak
 * memory.
 */
async function during(
  server: ChildServer,
  others: readonly Member[],
  happening: () => Promise<void>,
): Promise<Figures> {
  const state: Latencies = { tookMs: [], isOver: false }
  const asking = others.map((member, i) =>
    sendQueries(member, state, (i / others.length) * ASK_EVERY_MS),
  )
  let peakMb = residentMb(server)
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(server))
  }, MEMORY_EVERY_MS)
  await happening()
  state.isOver = true
  await Promise.all(asking)
  clearInterval(timer)
  const sorted = state.tookMs.toSorted((a, b) => a - b)
  return {
    answers: sorted.length,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    peakMb,
  }
}

/** Returns the size of the answer that is used to fill the queues. */
async function bigAnswer(member: Member): Promise<number> {
  member.socket.rest()
  send(member, 'game', 'get_commands', {}, 'big')
  await member.socket.next()
  return JSON.stringify(member.socket.frames.at(-1)).length
}

interface Flood {
  readonly bytes: number
  /** Size of an answer, for v1 and for v2. */
  readonly answers: readonly [number, number]
  readonly everyMs: number
  /** Returns true to end the flood early. */
  until?(): boolean
}

/** Requests about this many bytes of answers. */
async function requestBytes(member: Member, flood: Flood): Promise<void> {
  const { bytes, answers, everyMs, until: isOver = () => false } = flood
  const answerBytes = answers[member.isV2 ? 1 : 0]
  for (let sent = 0; sent < bytes && !member.closed && !isOver(); sent += answerBytes) {
    send(member, 'game', 'get_commands')
    await sleep(everyMs)
  }
}

/** Returns the server's own count of sockets closed with 1000. */
async function closedCount(url: string): Promise<number> {
  const { text } = await request(`${url}/metrics`)
  return Number(/^orrery_socket_closes_total\{code="1000"\} (\d+)$/m.exec(text)?.[1] ?? 0)
}

/**
 * Lets slow readers request more than the kernel buffers, the flooded ones one at a time. If they
 * have stopped reading, waits until all are closed or time is up; closed ones then read on.
 */
async function requestFromAll(url: string, slow: readonly Member[], about: Asking): Promise<void> {
  const { answers, isReading } = about
  const floods = slow.filter((_, i) => i % FLOOD_EVERY === 0)
  const stalls = slow.filter((_, i) => i % FLOOD_EVERY !== 0)
  const waitFor = async (count: number): Promise<void> => {
    if (isReading) return
    const end = performance.now() + CLOSED_MS_MAX
    while ((await closedCount(url)) < count && performance.now() < end) await sleep(200)
  }
  if (!isReading) for (const { socket } of slow) socket.socket.pause()
  for (const [i, member] of floods.entries()) {
    await requestBytes(member, { bytes: FLOOD_BYTES, answers, everyMs: ASK_MS })
    await waitFor(i + 1)
    member.socket.socket.resume()
  }
  const everyMs = stalls.length * ASK_MS
  const stallBytes = { bytes: STALL_BYTES, answers, everyMs }
  await Promise.all(stalls.map((stall) => requestBytes(stall, stallBytes)))
  // If the kernel has buffered all of it, a little more each second fills its buffers.
  let isOver = isReading
  const more = { bytes: FLOOD_BYTES, answers, everyMs: ASK_MORE_EVERY_MS, until: () => isOver }
  const asking = isReading ? [] : stalls.map((stall) => requestBytes(stall, more))
  await waitFor(slow.length)
  isOver = true
  await Promise.all(asking)
  for (const { socket } of stalls) socket.socket.resume()
  await sleep(READ_ON_MS)
}

interface Asking {
  readonly answers: readonly [number, number]
  /** True to measure what the same answers cost when the clients read them. */
  readonly isReading: boolean
}

/** Runs a server with many readers, some of which stop reading. */
export async function stopReaders(options: SlowOptions): Promise<Verdict> {
  const {
    database,
    players,
    slow: slowCount,
    seed,
    growthMbMax = GROWTH_MB_MAX,
    isJudged,
  } = options
  const server = await startChild({
    DATABASE_URL: database.url,
    DATABASE_SCHEMA: database.schema(),
    TICK_MS: '1000',
    MAX_ENTITIES: '50000',
    LIMITS: 'off',
    WORKERS: '0',
    SEED: String(seed),
  })
  const members = await joinAll(server.url, players)
  const roll = dice(seed)
  const slow = members.toSorted(() => roll() - 0.5).slice(0, slowCount)
  const others = members.filter((member) => !slow.includes(member))
  const answers = [await bigAnswer(members[0]), await bigAnswer(members[1])] as const
  const requestFrom = (clients: readonly Member[], isReading: boolean) => () =>
    requestFromAll(server.url, clients, { answers, isReading })
  // Not the slow ones, because the kernel buffers more for clients that have read much.
  const before = await during(server, others, requestFrom(others.slice(0, slow.length), true))
  const meanwhile = await during(server, others, requestFrom(slow, false))
  const closed = await closedCount(server.url)
  const ends = slow.map((member) => member.closed)
  const grownMb = meanwhile.peakMb - before.peakMb
  const lostOthers = others.filter((member) => member.closed)
  const slowed = meanwhile.p99Ms / before.p99Ms - 1
  const broken = [
    ...(closed === slow.length ? [] : [`${closed} of ${slow.length} were closed with 1000`]),
    ...(lostOthers.length === 0 ? [] : [`${lostOthers.length} others were closed`]),
    ...(grownMb <= growthMbMax ? [] : [`the server grew by ${Math.round(grownMb)} MiB`]),
    ...(isJudged && slowed > 0.1 ? [`p99 rose by ${Math.round(slowed * 100)} %`] : []),
  ]
  for (const { socket } of members) socket.socket.terminate()
  broken.push(...(await endChild(server)))
  const notified = ends.filter((how) => how?.code === 1000)
  const reasons = [...new Set(notified.map((how) => how?.reason))].join(', ')
  const summary =
    `${closed} of ${slow.length} that stopped reading were closed (${notified.length} read the close frame: ` +
    `${reasons}), ${others.length} others: p50 ${before.p50Ms.toFixed(1)} and then ` +
    `${meanwhile.p50Ms.toFixed(1)} ms, p99 ${before.p99Ms.toFixed(1)} and then ` +
    `${meanwhile.p99Ms.toFixed(1)} ms, memory + ${Math.round(grownMb)} MiB`
  return { summary, broken }
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Lets clients stop reading among many that read on.',
    defaults: { count: 1, seed: 1, players: 2_000, slow: 50, judge: 0 },
  },
  ({ count, seed, players, slow, judge }) =>
    withDatabase(async (database) => {
      const runs: Verdict[] = []
      for (let i = 0; i < count; i++)
        runs.push(
          await stopReaders({ database, players, slow, seed: seed + i, isJudged: judge === 1 }),
        )
      const summary = runs.map((run) => run.summary).join('; ')
      return { summary, broken: runs.flatMap(({ broken }) => broken) }
    }),
)
