/**
 * Attacks a server with all limits on from one address, while a player plays from another. The
 * server must keep answering, its memory must be bounded, and the player must notice nothing.
 * Source: RELIABILITY 5, A1 to A5.
 * `node dist/test/fault/attack.js --what chunks,batches,pings --seconds 60`.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import WebSocket from 'ws'
import { type TestDatabase, withDatabase } from '../databases.ts'
import { newName, newPlayer } from '../e2e/wire.ts'
import { type ChildServer, startChild } from '../servers.ts'
import { endChild, residentMb, runAsProgram, sleep, type Verdict } from './program.ts'

const PLAYER = { 'x-forwarded-for': '198.51.100.7' }
const LANES = new URL('./attack-lanes.js', import.meta.url).pathname
const HEALTH_MS_MAX = 1_000
const GROWTH_MB_MAX = 128
/** Memory that may remain afterwards: the young generation of the heap, three times 32 MiB. */
const LEFT_MB_MAX = 96
const PROBE_EVERY_MS = 100
const RELEASE_MS_MAX = 60_000
const PLAYER_EVERY_MS = 250
const ANSWER_MS_MAX = 10_000

interface Player {
  readonly socket: WebSocket
  answers: number
  readonly wrong: string[]
}

/** Registers a player on a WebSocket who records answers and errors. */
async function join(server: ChildServer): Promise<Player> {
  const socket = new WebSocket(`${server.url.replace(/^http/, 'ws')}/ws`, { headers: PLAYER })
  const player: Player = { socket, answers: 0, wrong: [] }
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', (code) => player.wrong.push(`the player was closed with ${code}`))
    socket.on('message', (data) => {
      const { type, payload } = JSON.parse(String(data))
      if (type === 'welcome')
        socket.send(JSON.stringify({ type: 'register', payload: newPlayer(newName()) }))
      if (type === 'logged_in') resolve()
      if (type === 'ok') player.answers += 1
      if (type === 'error') player.wrong.push(`the player got the error ${payload.code}`)
    })
  })
  return player
}

/** Observations from outside the server. */
interface Observed {
  probes: number
  slowestMs: number
  /** Without the time in which other processes had the core, or the test collected garbage. */
  slowestOwnMs: number
  peakMb: number
  readonly wrong: string[]
}

/**
 * Returns the milliseconds that the main threads of server and test have waited for a core so far:
 * test and attackers share the machine with the server.
 */
function waitedMs({ process: { pid } }: ChildServer): number {
  const ns = [`/proc/${pid}/task/${pid}`, `/proc/${process.pid}/task/${process.pid}`].map(
    (thread) => Number(readFileSync(`${thread}/schedstat`, 'utf8').split(' ')[1]),
  )
  return (ns[0] + ns[1]) / 1e6
}

async function probe(server: ChildServer, seen: Observed): Promise<void> {
  const waited = waitedMs(server)
  const busy = performance.eventLoopUtilization()
  const since = performance.now()
  try {
    const answer = await fetch(`${server.url}/health`, {
      headers: PLAYER,
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    })
    if (answer.status !== 200) seen.wrong.push(`/health answered ${answer.status}`)
  } catch (error) {
    seen.wrong.push(`/health: ${error instanceof Error ? error.message : error}`)
  }
  seen.probes += 1
  const tookMs = performance.now() - since
  seen.slowestMs = Math.max(seen.slowestMs, tookMs)
  // While the test waits for an answer its loop is idle: what it is busy with is its own.
  const ownMs = tookMs - (waitedMs(server) - waited) - performance.eventLoopUtilization(busy).active
  seen.slowestOwnMs = Math.max(seen.slowestOwnMs, ownMs)
}

/** Probes the server and lets the player send queries until a moment. */
async function watch(server: ChildServer, player: Player, untilMs: number): Promise<Observed> {
  const seen: Observed = { probes: 0, slowestMs: 0, slowestOwnMs: 0, peakMb: 0, wrong: [] }
  let sentMs = 0
  while (performance.now() < untilMs) {
    const isDue = performance.now() >= sentMs + PLAYER_EVERY_MS
    if (isDue && player.socket.readyState === WebSocket.OPEN) {
      sentMs = performance.now()
      player.socket.send(JSON.stringify({ type: 'get_status' }))
    }
    await probe(server, seen)
    seen.peakMb = Math.max(seen.peakMb, residentMb(server))
    await sleep(PROBE_EVERY_MS)
  }
  return seen
}

/** Waits until memory is released and collected; resolves with what remains, MiB. */
async function memoryLeft(server: ChildServer, player: Player, baseMb: number): Promise<number> {
  const end = performance.now() + RELEASE_MS_MAX
  while (residentMb(server) > baseMb + LEFT_MB_MAX && performance.now() < end)
    await watch(server, player, performance.now() + 1_000)
  return residentMb(server)
}

interface AttackOptions {
  readonly database: TestDatabase
  readonly what: string
  readonly seconds: number
}

export async function attack({ database, what, seconds }: AttackOptions): Promise<Verdict> {
  const server = await startChild({
    DATABASE_URL: database.url,
    DATABASE_SCHEMA: database.schema(),
    TICK_MS: '1000',
    MAX_ENTITIES: '20000',
    LIMITS: 'on',
    TRUSTED_PROXIES: '1',
    WORKERS: '0',
  })
  const player = await join(server)
  await watch(server, player, performance.now() + 2_000)
  const baseMb = residentMb(server)
  const { port } = new URL(server.url)
  const attackers = spawn(process.execPath, [LANES, port, what, String(seconds * 1_000)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const over = new Promise<unknown>((resolve) => attackers.once('close', resolve))
  const seen = await watch(server, player, performance.now() + seconds * 1_000)
  attackers.kill('SIGKILL')
  await over
  const leftMb = await memoryLeft(server, player, baseMb)
  const answersBefore = player.answers
  await watch(server, player, performance.now() + 1_000)
  const broken = [...seen.wrong, ...player.wrong]
  if (server.process.exitCode !== null) broken.push('the process is gone')
  if (seen.slowestOwnMs > HEALTH_MS_MAX)
    broken.push(`/health took ${Math.round(seen.slowestOwnMs)} ms`)
  if (seen.peakMb > baseMb + GROWTH_MB_MAX)
    broken.push(`the server grew by ${grown(seen.peakMb, baseMb)}`)
  if (leftMb > baseMb + LEFT_MB_MAX) broken.push(`the server kept ${grown(leftMb, baseMb)}`)
  if (player.answers <= answersBefore) broken.push('the player is not answered any more')
  player.socket.removeAllListeners('close')
  player.socket.terminate()
  broken.push(...(await endChild(server)))
  const summary =
    `${what} for ${seconds} s: /health ${seen.probes} times, slowest ${Math.round(seen.slowestMs)}` +
    ` ms (${Math.round(seen.slowestOwnMs)} without waiting for a core); memory ${Math.round(baseMb)} MiB, at most ${grown(seen.peakMb, baseMb)}, then` +
    ` ${grown(leftMb, baseMb)}; ${player.answers} answers to the player`
  return { summary, broken }
}

const grown = (mb: number, baseMb: number): string => `${(mb - baseMb).toFixed(1)} MiB more`

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Attacks a server and watches it.',
    defaults: { what: 'chunks,batches,unread,pings', seconds: 60 },
  },
  ({ what, seconds }) => withDatabase((database) => attack({ database, what, seconds })),
)
