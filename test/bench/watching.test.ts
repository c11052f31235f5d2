/** How a run of spectators judges its bounds: they hold only if all of them were measured. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { ServerFigures } from '../../bench/server-figures.ts'
import { describeRun, paceOf } from '../../bench/watching.ts'

type Cpu = ServerFigures['cpu']

const cpuOf = (main: number): Cpu => [
  { atMs: 0, main: 0, world: 0, all: 0 },
  { atMs: 1_000, main, world: 0.1, all: 0.5 },
]

interface Change {
  readonly cpu?: Cpu
  readonly bytes?: number[]
  readonly bodyMs?: number[]
  readonly ticks?: number
  /** Latencies of the queries of players who play at the same time, ms. */
  readonly queryMs?: number[]
  /** Delays of the ticks that were seen, from the boundary to the last frame, ms. */
  readonly toSockets?: number[]
}

function isSoundWith(change: Change = {}) {
  const { cpu = cpuOf(0.1), queryMs = [], toSockets = [], ...counted } = change
  const run = {
    wanted: 10,
    opened: 10,
    closed: 0,
    refused: 0,
    ticks: 5,
    missed: 0,
    twice: 0,
    resets: 0,
    bytes: [10, 11],
    bodyMs: [1, 2],
    ...counted,
  }
  const server: ServerFigures = {
    loopMs: [],
    blockMs: [],
    rssMiB: 1,
    rss: [],
    seenMs: new Map(),
    ticks: new Map(toSockets.map((ms, tick) => [tick, { tick_to_sockets_ms: ms }])),
    cpu,
    stop: () => {},
  }
  const part = { server, queryMs }
  return describeRun(run, { tickMs: 1_000, without: part, with: part }).isSound
}

test('a run is sound only if all its bounds were measured', () => {
  expect(isSoundWith()).toBe(true)
  expect(isSoundWith({ cpu: [] })).toBe(false)
  expect(isSoundWith({ ticks: 0 })).toBe(false)
  expect(isSoundWith({ bytes: [] })).toBe(false)
  expect(isSoundWith({ bodyMs: [] })).toBe(false)
  const queryMs = [1, 2]
  expect(isSoundWith({ queryMs, toSockets: [9, 9, 9, 5, 6] })).toBe(true)
  expect(isSoundWith({ queryMs })).toBe(false)
})

/** Serves these answers one after the other, then repeats the last one. */
async function startAnswering(...answers: readonly (readonly [status: number, body: object])[]) {
  let answered = 0
  const server = createServer((_, response) => {
    const [status, body] = answers[Math.min(answered, answers.length - 1)]
    answered += 1
    response.writeHead(status).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

test('paceOf waits for the first public frame, and reports a server that refuses', async () => {
  const early = await startAnswering(
    [503, { error: 'not_ready' }],
    [429, { error: 'rate_limited' }],
    [200, { tick_ms: 400 }],
  )
  expect(await paceOf(early.url, { max: 5_000, between: 1 })).toEqual({ tickMs: 400, step: 3 })
  early.close()
  const never = await startAnswering([503, { error: 'not_ready' }])
  await expect(paceOf(never.url, { max: 5, between: 1 })).rejects.toThrow(/503 .*not_ready/)
  never.close()
  const other = await startAnswering([404, { error: 'not_found' }])
  await expect(paceOf(other.url, { max: 60_000, between: 1 })).rejects.toThrow(/404/)
  other.close()
})
