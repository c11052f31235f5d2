/**
 * A server with all limits on, a player from one address, and strangers from another who attack it:
 * it answers all along, its memory stays, and the player notices nothing. Source: RELIABILITY 5,
 * A1 to A5. `node dist/test/fault/attack.js --what chunks,batches,pings --seconds 60`.
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
/** What must hold. */
const HEALTH_MS_MAX = 1_000
const GROWTH_MB_MAX = 128
/** The young generation may stay as large as it may become: three times 32 MiB. */
const LEFT_MB_MAX = 96
const LOOK_MS = 100
const FALL_MS = 60_000
const PLAYER_MS = 250
const ANSWER_MS_MAX = 10_000

interface Player {
  readonly socket: WebSocket
  answers: number
  readonly wrong: string[]
}

/** Logs a player in on a WebSocket who queries and acts all the time. */
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

/** What was seen from outside. */
interface Seen {
  probes: number
  /** Until the answer, and without the time in which the machine ran others instead. */
  slowestMs: number
  slowestOwnMs: number
  peakMb: number
  readonly wrong: string[]
}

/**
 * Milliseconds that the threads named have waited for a core so far: the tester and the attackers
 * share the machine with the server.
 */
function waitedMs({ process: { pid } }: ChildServer): number {
  const ns = [`/proc/${pid}/task/${pid}`, `/proc/${process.pid}/task/${process.pid}`].map(
    (thread) => Number(readFileSync(`${thread}/schedstat`, 'utf8').split(' ')[1]),
  )
  return (ns[0] + ns[1]) / 1e6
}

async function probe(server: ChildServer, seen: Seen): Promise<void> {
  const waited = waitedMs(server)
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
  seen.slowestOwnMs = Math.max(seen.slowestOwnMs, tookMs - (waitedMs(server) - waited))
}

async function watch(server: ChildServer, player: Player, untilMs: number): Promise<Seen> {
  const seen: Seen = { probes: 0, slowestMs: 0, slowestOwnMs: 0, peakMb: 0, wrong: [] }
  let asked = 0
  while (performance.now() < untilMs) {
    if (performance.now() >= asked + PLAYER_MS && player.socket.readyState === WebSocket.OPEN) {
      asked = performance.now()
      player.socket.send(JSON.stringify({ type: 'get_status' }))
    }
    await probe(server, seen)
    seen.peakMb = Math.max(seen.peakMb, residentMb(server))
    await sleep(LOOK_MS)
  }
  return seen
}

/** Waits until memory falls, once what was held is released and collected. */
async function fallen(server: ChildServer, player: Player, baseMb: number): Promise<number> {
  const end = performance.now() + FALL_MS
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
  const leftMb = await fallen(server, player, baseMb)
  const answersBefore = player.answers
  await watch(server, player, performance.now() + 1_000)
  const broken = [...seen.wrong, ...player.wrong]
  if (server.process.exitCode !== null) broken.push('the process is gone')
  if (seen.slowestOwnMs > HEALTH_MS_MAX)
    broken.push(`/health took ${Math.round(seen.slowestOwnMs)} ms`)
  if (seen.peakMb > baseMb + GROWTH_MB_MAX) broken.push(`it grew by ${grown(seen.peakMb, baseMb)}`)
  if (leftMb > baseMb + LEFT_MB_MAX) broken.push(`it kept ${grown(leftMb, baseMb)}`)
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
