/**
 * Opens many connections from one address in a few seconds, in a process of its own:
 * `node dist/bench/flood.js <ws url> <address> <count> <seconds>`. Counts how each ended and prints
 * the counts as JSON; accepted connections stay open until the end.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'

export interface FloodFigures {
  /** Accepted connections. */
  readonly opened: number
  /** Refused with 4003 and a retry_after. */
  readonly capped: number
  /** Anything else: another code, no code, no answer. */
  readonly others: number
}

const CAPPED = /\bretry_after=[1-9]\d*\b/
const CAP_CODE = 4003
/** How long to wait for an answer. */
const TIMEOUT_MS = 10_000
const STEP_MS = 20

const [url, localAddress, countText, secondsText] = process.argv.slice(2)
const count = Number(countText)
const perMs = count / (Number(secondsText) * 1_000)
const open = new Set<WebSocket>()
let capped = 0
let others = 0
let ended = 0

function connectOne(): void {
  const socket = new WebSocket(url, { localAddress, perMessageDeflate: false })
  open.add(socket)
  socket.on('error', () => {})
  socket.on('close', (code, reason) => {
    if (!open.delete(socket)) return
    ended += 1
    if (code === CAP_CODE && CAPPED.test(String(reason))) capped += 1
    else others += 1
  })
}

const since = performance.now()
for (let made = 0; made < count; await sleep(STEP_MS)) {
  const due = Math.min(count, Math.ceil((performance.now() - since) * perMs))
  for (; made < due; made++) connectOne()
}
const end = performance.now() + TIMEOUT_MS
const isAnswered = (): boolean => [...open].every(({ readyState }) => readyState === WebSocket.OPEN)
while (!isAnswered() && performance.now() < end) await sleep(STEP_MS)
// A refused socket is open for a moment before its close frame comes.
await sleep(1_000)
const opened = [...open].filter(({ readyState }) => readyState === WebSocket.OPEN).length
const figures: FloodFigures = { opened, capped, others: others + open.size - opened }
console.log(JSON.stringify({ ...figures, seconds: (performance.now() - since) / 1_000, ended }))
process.exit(0)
