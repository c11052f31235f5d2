/**
 * Sends one command 2,300 times in a row, valid or not, on sockets and over HTTP. Each of them gets
 * a clear answer, nothing stays behind in queues or memory, and no invalid one enters the journal.
 */
import { Agent } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CommandDef } from '../../core/command.ts'
import { ERRORS } from '../../core/errors.ts'
import { connect, disconnect } from '../../storage/db.ts'
import { readJournal } from '../../storage/journal.ts'
import { type TestDatabase, testDatabases } from '../databases.ts'
import { startTestServer, type TestServer } from '../servers.ts'
import type { Answer, Json } from './driver.ts'
import { ask, httpAnswer } from './http-driver.ts'
import { createPatience, type Patience, sleep } from './patience.ts'
import { createPlayer, type Player, registerPlayer, socketOf } from './player.ts'

const TIMES = 2_300
const REQUESTS_AT_ONCE = 16
const TICK_EVERY_MS = 50
const RSS_GROWTH_MIB_MAX = 256

interface Case {
  readonly command: string
  readonly params: Json
  /** The command is invalid, and must not enter the journal. */
  readonly isWrong?: true
}

const CASES: readonly Case[] = [
  { command: 'get_status', params: {} },
  { command: 'mine', params: {} },
  { command: 'chat', params: { channel: 'system', content: 'Again.' } },
  { command: 'chat', params: { channel: 'system', content: 7 }, isWrong: true },
  { command: 'captains_log_add', params: { entry: 'Again.' } },
  { command: 'captains_log_add', params: {}, isWrong: true },
  { command: 'travel', params: { target_poi: 'nowhere_at_all' } },
  { command: 'travel', params: { target_poi: { x: [] } }, isWrong: true },
]

let databases: TestDatabase[]
let server: TestServer
let patience: Patience
let players = 0
beforeAll(async () => {
  databases = await testDatabases()
  const settings = { SNAPSHOT_EVERY: '100000' }
  server = await startTestServer(databases[databases.length - 1], { settings })
  patience = createPatience()
})
afterAll(async () => {
  patience.stop()
  await server.stop()
  for (const database of databases) await database.close()
})

/** Returns the parameters under their names on v2, where they differ. */
function named(def: CommandDef, params: Json, isV2: boolean): Json {
  const rename = isV2 ? (def.v2?.rename ?? {}) : {}
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [rename[name] ?? name, value]),
  )
}

async function journalled(): Promise<Map<string, number>> {
  const database = databases[databases.length - 1]
  const sql = connect(database.connection(server.schema), { name: 'test' })
  const counts = new Map<string, number>()
  for await (const row of readJournal(sql, 0)) {
    for (const { command } of row.inputs) counts.set(command, (counts.get(command) ?? 0) + 1)
  }
  await disconnect(sql)
  return counts
}

/** Sends all frames at once; resolves when as many answers have arrived. */
async function blastSocket(player: Player, body: Buffer): Promise<Answer[]> {
  const socket = socketOf(player.driver)
  if (!socket) throw new Error('not a socket')
  return socket.blast(Array.from({ length: TIMES }, () => body))
}

async function blastHttp(player: Player, def: CommandDef, params: string): Promise<Answer[]> {
  const message = player.driver.compose(def, params)
  const headers = {
    'content-type': 'application/json',
    'x-session-id': player.driver.session ?? '',
  }
  const agent = new Agent({ keepAlive: true, maxSockets: REQUESTS_AT_ONCE })
  const answers: Answer[] = []
  let left = TIMES
  const sendInTurn = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      answers.push(httpAnswer(await ask(server.url, { ...message, headers }, agent)))
    }
  }
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, sendInTurn))
  agent.destroy()
  return answers
}

function startTicking(): () => Promise<void> {
  let isOver = false
  const ticking = (async () => {
    while (!isOver) {
      if (server.link.pending() > 0) await server.link.step(1)
      await sleep(TICK_EVERY_MS)
    }
  })()
  return async () => {
    isOver = true
    await ticking
  }
}

/** Waits until everything acknowledged has had its tick, so that it is in the journal. */
async function settled(): Promise<void> {
  while (server.link.pending() > 0) await sleep(TICK_EVERY_MS)
}

async function repeat(player: Player, def: CommandDef, testCase: Case): Promise<void> {
  const { framing } = player.driver
  const isV2 = framing.endsWith('2')
  await settled()
  const before = testCase.isWrong ? await journalled() : undefined
  const text = JSON.stringify(named(def, testCase.params, isV2))
  const sent = socketOf(player.driver)
    ? blastSocket(player, player.driver.compose(def, text, '"again"').body)
    : blastHttp(player, def, text)
  const answers = await patience.within(60, sent, () => `${testCase.command} on ${framing}`)
  expect(answers.length).toBe(TIMES)
  const unclear = answers.filter(
    ({ isReply, ok, code }) =>
      !isReply || (!ok && (!(code in ERRORS) || code === 'internal_error')),
  )
  expect(unclear).toEqual([])
  if (!before) return
  expect(answers.filter(({ ok }) => ok)).toEqual([])
  expect((await journalled()).get(testCase.command)).toBe(before.get(testCase.command))
}

for (const framing of ['ws1', 'ws2', 'http1', 'http2'] as const) {
  test(`each command sent ${TIMES} times gets ${TIMES} clear answers on ${framing}`, async () => {
    const stop = startTicking()
    const rssBefore = process.memoryUsage().rss
    try {
      for (const testCase of CASES) {
        const player = createPlayer(server.url, framing, server.net.net.registry)
        // On v2, get_status has another definition: it reads a section of the state.
        const def = player.defs.find(({ name }) => name === testCase.command)
        if (!def) continue
        players += 1
        await registerPlayer(player, patience, `Again And Again ${players}`)
        await repeat(player, def, testCase)
        await player.driver.close()
      }
      await settled()
    } finally {
      await stop()
    }
    await server.link.step(1)
    expect([server.link.waiting(), server.link.pending(), server.link.ends()]).toEqual([0, 0, 0])
    const grownMiB = (process.memoryUsage().rss - rssBefore) / 2 ** 20
    console.log(`${framing}: RSS grew by ${grownMiB.toFixed(0)} MiB`)
    expect(grownMiB).toBeLessThan(RSS_GROWTH_MIB_MAX)
  }, 180_000)
}
