/**
 * The fuzzer: players on all framings send random messages, round after round. After each round the
 * world stands still and its hash is taken; some rounds send only messages that no rule accepts. At
 * the end the journal is compared with what was sent, and replayed in two twins of the world.
 */
import { createDice, type Dice } from '../../core/dice.ts'
import { FRAME_BYTES_BEFORE_LOGIN_MAX } from '../../core/limits-net.ts'
import type { Registry } from '../../core/registry.ts'
import type { JournalInput } from '../../core/types.ts'
import { connect as connectSql, disconnect } from '../../storage/db.ts'
import { readJournal } from '../../storage/journal.ts'
import type { TestDatabase } from '../databases.ts'
import { startTestServer, type TestServer } from '../servers.ts'
import {
  type Attempt,
  drawAttempt,
  drawRefused,
  judge,
  judgeCode,
  mayBlock,
  SESSION_GONE,
} from './attempts.ts'
import { type Answer, requestIdIn } from './driver.ts'
import type { FuzzReport } from './fuzz-report.ts'
import { createPatience, type Patience, sleep } from './patience.ts'
import { createPlan, type Plan } from './plan.ts'
import {
  createPlayer,
  FRAMINGS,
  logInAgain,
  type Player,
  registerPlayer,
  socketOf,
} from './player.ts'
import { type Checkpoint, compareTwins, type TwinReport } from './twin.ts'

interface FuzzOptions {
  readonly count: number
  readonly seed: number
  /** Players on each framing. */
  readonly players?: number
  readonly onProgress?: (tried: number) => void
}

const PLAYERS = 12
const ATTEMPTS_PER_ROUND = 25
/** A player is replaced by a new one after this many rounds: rate limits are by player. */
const ROUNDS_PER_PLAYER = 6
/** Rows with refusals between two comparisons of the twins; a difference is then located by row. */
const COMPARE_EVERY = 25
const REFUSED_ROUND_EVERY = 5
/** Ids that the server gives to requests without one: a part for the process, then a number. */
const MADE_BY_SERVER = /^[0-9a-f]{8}-[0-9a-z]+$/
const TICK_EVERY_MS = 25
const FAILURES_MAX = 20
/** After this time a reply counts as missing; the share of late ones is judged at the end. */
const REPLY_SECONDS = 5
const LATE_MS = 1_000
const LATE_SHARE_MAX = 0.02
/** The same for replies that wait for ticks, or on MCP for a rate limit. */
const BLOCKED_SECONDS = 40

interface Run {
  readonly options: FuzzOptions
  readonly server: TestServer
  readonly registry: Registry
  readonly patience: Patience
  readonly failures: string[]
  readonly counts: Map<string, Map<string, number>>
  readonly codes: Map<string, number>
  readonly plans: Map<string, Plan>
  readonly latencies: number[]
  /** Whether each request_id was accepted. */
  readonly answered: Map<string, boolean>
  readonly checkpoints: Checkpoint[]
  /** Spans of ticks in which nothing may be journalled. */
  readonly quiet: { after: number; until: number }[]
  readonly state: {
    left: number
    tried: number
    named: number
    ok: number
    refused: number
    closed: number
  }
}

const bump = (map: Map<string, number>, key: string): void =>
  void map.set(key, (map.get(key) ?? 0) + 1)

function fail(run: Run, player: Player, attempt: Attempt, why: string): void {
  if (run.failures.length >= FAILURES_MAX) return
  const text = attempt.message.body.toString('latin1').slice(0, 300)
  const { kind, what } = attempt
  run.failures.push(`${player.driver.framing} ${kind} (${what.slice(0, 200)}): ${why}\n  ${text}`)
}

function recordAnswer(run: Run, player: Player, attempt: Attempt, answer: Answer): void {
  const { framing } = player.driver
  const kinds = run.counts.get(framing) ?? new Map<string, number>()
  run.counts.set(framing, kinds)
  bump(kinds, attempt.kind)
  run.state.tried += 1
  if (!answer.isReply) run.state.closed += 1
  else if (answer.ok) run.state.ok += 1
  else run.state.refused += 1
  if (answer.code) bump(run.codes, answer.code)
}

/** Remembers which request_ids were accepted: the journal may hold no others. */
function recordId(run: Run, attempt: Attempt, answer: Answer): void {
  const id = requestIdIn(attempt.message.body)
  if (typeof id !== 'string') return
  run.answered.set(id, (run.answered.get(id) ?? false) || answer.ok || !answer.isReply)
}

function checkFrames(run: Run, player: Player, attempt: Attempt): void {
  const socket = socketOf(player.driver)
  if (!socket) return
  for (const breach of socket.breaches()) fail(run, player, attempt, breach)
  for (const { type, payload } of socket.late()) {
    if (type !== 'action_error') continue
    // Two tools may have an action of the same name.
    const defs = player.defs.filter(
      ({ name, v2 }) => name === payload.command || v2?.action === payload.command,
    )
    const wrongs = defs.map((def) => judgeCode(String(payload.code), def))
    const isWrong = wrongs.every((wrong) => wrong !== undefined)
    if (isWrong) fail(run, player, attempt, `later ${wrongs[0] ?? `answer to ${payload.command}`}`)
  }
}

async function tryOne(run: Run, player: Player, attempt: Attempt): Promise<void> {
  const { driver } = player
  await checkEnd(run, player)
  const before = player.last
  player.last = attempt
  const since = performance.now()
  const blocks = mayBlock(driver, attempt) || driver.framing.startsWith('mcp')
  const seconds = blocks ? BLOCKED_SECONDS : REPLY_SECONDS
  try {
    const sent = driver.send(attempt.message)
    const answer = await run.patience.within(seconds, sent, () => attempt.kind)
    if (!blocks) run.latencies.push(performance.now() - since)
    recordAnswer(run, player, attempt, answer)
    recordId(run, attempt, answer)
    // The frame before (a mutated logout) may have ended the connection, seen only now.
    const isEarlier = before?.mayClose === true && (!answer.isReply || isTooLarge(attempt, answer))
    const wrong = isEarlier ? undefined : judge(attempt, answer)
    if (wrong) fail(run, player, attempt, `${wrong}: ${answer.text} (after ${nameOf(before)})`)
    checkFrames(run, player, attempt)
    const isGone = isLoggedOut(attempt, answer) || isTooLarge(attempt, answer)
    if (isGone || !driver.isOpen) await logInAgain(player, run.patience)
  } catch (error) {
    fail(run, player, attempt, String(error))
    await replace(run, player)
  }
}

const nameOf = (attempt: Attempt | undefined): string =>
  attempt
    ? `${attempt.kind} ${attempt.def?.name ?? ''} ${attempt.message.body.toString('latin1').slice(0, 300)}`
    : 'nothing'

/** Checks a connection that ended after its answer: only certain attempts may close it. */
async function checkEnd(run: Run, player: Player): Promise<void> {
  const { driver, last } = player
  if (driver.isOpen) return
  if (last && !last.mayClose) {
    const code = socketOf(driver)?.closedWith()
    fail(run, player, last, `the connection ended later, with ${code}`)
  }
  await logInAgain(player, run.patience)
}

/** Returns whether a message is refused for its size, as large ones are before login. */
const isTooLarge = ({ message }: Attempt, { text }: Answer): boolean =>
  message.body.length > FRAME_BYTES_BEFORE_LOGIN_MAX && text.includes('payload_too_large')

/** Returns whether the player is logged out; answers to requests with own headers do not tell. */
function isLoggedOut(attempt: Attempt, answer: Answer): boolean {
  if (attempt.kind === 'request') return false
  if (SESSION_GONE.test(answer.code)) return true
  return attempt.def?.name === 'logout' && answer.ok
}

async function replace(run: Run, player: Player): Promise<void> {
  run.state.named += 1
  const name = `Fz ${run.options.seed % 1_000_000} ${run.state.named}`
  await registerPlayer(player, run.patience, name)
}

async function tryMany(run: Run, player: Player, dice: Dice, onlyRefused: boolean): Promise<void> {
  for (let i = 0; i < ATTEMPTS_PER_ROUND && run.state.left > 0; i++) {
    run.state.left -= 1
    const { driver, defs, pool } = player
    const newId = (): string => {
      run.state.named += 1
      return JSON.stringify(`r${run.state.named}`)
    }
    const source = { dice, driver, defs, pool, newId, plan: planOf(run, player) }
    await tryOne(run, player, onlyRefused ? drawRefused(source) : drawAttempt(source))
  }
}

/** Returns the plan that the players of a framing share. */
function planOf({ plans }: Run, { driver, defs }: Player): Plan {
  const plan = plans.get(driver.framing) ?? createPlan(defs, driver.framing.endsWith('2'))
  plans.set(driver.framing, plan)
  return plan
}

/** Runs ticks while anybody waits for one; returns a function that stops this. */
function startTicking(run: Run): () => Promise<void> {
  let isOver = false
  const ticking = (async () => {
    while (!isOver) {
      if (run.server.link.pending() > 0) await run.server.link.step(1)
      await sleep(TICK_EVERY_MS)
    }
  })()
  return async () => {
    isOver = true
    await ticking
  }
}

/** Waits for all answers, runs one more tick and hashes the world. */
async function checkpoint(run: Run): Promise<Checkpoint> {
  const { link } = run.server
  while (link.pending() > 0) await link.step(1)
  const found = await link.step(1)
  run.checkpoints.push(found)
  return found
}

async function runRounds(run: Run, players: readonly Player[], dice: Dice): Promise<void> {
  const branches = players.map((_, i) => dice.branch(`player ${i}`))
  let last = await checkpoint(run)
  for (let round = 1; run.state.left > 0; round++) {
    const onlyRefused = round % REFUSED_ROUND_EVERY === 0
    const stop = startTicking(run)
    await Promise.all(
      players.map(async (player, i) => {
        if (!onlyRefused && round % ROUNDS_PER_PLAYER === 0) await replace(run, player)
        await tryMany(run, player, branches[i], onlyRefused)
      }),
    )
    await stop()
    const found = await checkpoint(run)
    if (onlyRefused) run.quiet.push({ after: last.tick, until: found.tick })
    last = found
    run.options.onProgress?.(run.state.tried)
    if (run.failures.length >= FAILURES_MAX) return
  }
}

/** Checks the journal against the twins, the quiet spans, and the messages that were accepted. */
async function compareJournal(run: Run, database: TestDatabase): Promise<TwinReport> {
  const sql = connectSql(database.connection(run.server.schema), { name: 'fuzz' })
  const journalled = new Set<string>()
  const spans = new Set<string>()
  async function* rows() {
    for await (const row of readJournal(sql, 0)) {
      const { tick } = row
      // Immediates run between their tick and the next.
      const moment = row.part === 0 ? tick : tick + 0.5
      const isQuiet = run.quiet.some(({ after, until }) => moment > after && moment <= until)
      // A player may reconnect after a late end: no message of theirs asked for that.
      const sent = row.inputs.filter(({ command }) => !command.startsWith('internal:'))
      if (isQuiet && sent.length > 0) {
        const commands = sent.map(({ command }) => command).join(', ')
        spans.add(`tick ${tick} has inputs though all were refused: ${commands}`)
      }
      yield row
    }
  }
  const work = {
    shape: { seed: 1, tickMs: 1_000, maxEntities: 20_000 },
    checkpoints: run.checkpoints,
    compareEvery: COMPARE_EVERY,
    onInput: ({ requestId }: JournalInput, isRefused: boolean) => {
      // The journal also holds what the archive refused, with that outcome.
      if (requestId === undefined || isRefused || MADE_BY_SERVER.test(requestId)) return
      journalled.add(requestId)
    },
  }
  let report = await compareTwins(rows(), work)
  // Compares once more row by row, to name the row that differs.
  if (report.difference) report = await compareTwins(rows(), { ...work, compareEvery: 1 })
  await disconnect(sql)
  run.failures.push(...spans)
  for (const id of journalled) {
    if (run.answered.get(id) === false) run.failures.push(`${id} was refused, but is journalled`)
    if (!run.answered.has(id)) run.failures.push(`${id} is journalled, but nobody sent it`)
  }
  if (report.difference) run.failures.push(report.difference)
  return report
}

/** Collects uncaught errors of the server's process until the returned function is called. */
function watchProcess(failures: string[]): () => void {
  const uncaught = (error: unknown): void => void failures.push(`uncaught: ${String(error)}`)
  process.on('uncaughtException', uncaught)
  process.on('unhandledRejection', uncaught)
  return () => {
    process.off('uncaughtException', uncaught)
    process.off('unhandledRejection', uncaught)
  }
}

function newRun(options: FuzzOptions, server: TestServer, failures: string[]): Run {
  return {
    options,
    server,
    registry: server.net.net.registry,
    patience: createPatience(),
    failures,
    counts: new Map(),
    codes: new Map(),
    plans: new Map(),
    latencies: [],
    answered: new Map(),
    checkpoints: [],
    quiet: [],
    state: { left: options.count, tried: 0, named: 0, ok: 0, refused: 0, closed: 0 },
  }
}

/** Runs the fuzzer against a server of its own. */
export async function runFuzz(database: TestDatabase, options: FuzzOptions): Promise<FuzzReport> {
  const failures: string[] = []
  const unwatch = watchProcess(failures)
  try {
    const run = newRun(options, await startAttacked(database, failures), failures)
    const { tick } = await attack(run)
    const twin = await compareJournal(run, database)
    const { tried, named, ok, refused, closed } = run.state
    const latencies = Float64Array.from(run.latencies).sort()
    const late = latencies.filter((ms) => ms > LATE_MS).length
    if (late > latencies.length * LATE_SHARE_MAX) failures.push(`${late} replies took over 1 s`)
    const { counts, codes } = run
    const sums = { accepted: ok, refused, closed, latencies, failures, twin }
    const plans = [...run.plans.values()]
    const coverage = {
      tried: plans.reduce((sum, plan) => sum + plan.taken(), 0),
      all: plans.reduce((sum, plan) => sum + plan.size, 0),
    }
    return { tried, ticks: tick, players: named, counts, codes, coverage, ...sums }
  } finally {
    unwatch()
  }
}

/** Starts a server whose whole journal is kept, and whose logged errors count as failures. */
function startAttacked(database: TestDatabase, failures: string[]): Promise<TestServer> {
  const log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (fields: object, text: string) => {
      const { err } = fields as { err?: Error }
      if (failures.length < FAILURES_MAX) failures.push(`logged: ${text} ${err?.stack ?? ''}`)
    },
  }
  const settings = {
    SNAPSHOT_EVERY: '100000',
    SNAPSHOT_KEEP: '1000',
    // Hashes are compared with those of the twins at every checkpoint.
    HASH_EVERY: '50',
    CHECK_EVERY: '5',
  }
  return startTestServer(database, { settings, hooks: { log } })
}

/** Runs all rounds, from the first player to the server's clean stop. */
async function attack(run: Run): Promise<{ tick: number }> {
  const { server, failures, options } = run
  const players = FRAMINGS.flatMap((framing) =>
    Array.from({ length: options.players ?? PLAYERS }, () =>
      createPlayer(server.url, framing, run.registry),
    ),
  )
  for (const player of players) await replace(run, player)
  await runRounds(run, players, createDice(options.seed))
  if (server.link.ends() > 0) failures.push('the world thread ended')
  if (({} as Record<string, unknown>).polluted !== undefined) failures.push('a prototype changed')
  await Promise.all(players.map((player) => player.driver.close()))
  run.patience.stop()
  const { tick } = server.link.state()
  await server.stop()
  return { tick }
}
