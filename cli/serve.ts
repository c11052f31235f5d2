/** Serves a past world to clients: `orrery replay --at T --serve PORT`. */
import { createInterface } from 'node:readline'
import { fail } from '../core/errors.ts'
import type { JournalRow } from '../core/ports.ts'
import { startPast } from '../engine/past.ts'
import { respondFlat } from '../net/http/answers.ts'
import { respondJson } from '../net/http/exchange.ts'
import { metricsRefusal } from '../net/http/operator-routes.ts'
import { createNet } from '../net/net.ts'
import { type Log, SYSTEM_CLOCK } from '../net/ports.ts'
import { describeWith } from '../net/publish/frames.ts'
import type { Route } from '../net/router.ts'
import { hashPassword, newPassword } from '../net/session/auth.ts'
import type { Net } from '../net/session/types.ts'
import { createWorldLink, type WorldLink } from '../net/world-link.ts'
import { netConfig, websiteOf } from '../net-config.ts'
import { createAccounts } from '../storage/accounts.ts'
import { connect, disconnect, type Sql } from '../storage/db.ts'
import { readEpoch } from '../storage/epoch.ts'
import { StorageDamageError } from '../storage/errors.ts'
import { openPastArchive } from '../storage/past-archive.ts'
import { oldestBatch } from '../storage/reach.ts'
import { consistently, type Opened } from './database.ts'
import { SPEED_MAX, worldAt } from './past.ts'
import { pastAccounts } from './past-accounts.ts'
import type { Report, Tool } from './tool.ts'
import { journalRowsAfter } from './world.ts'

interface ServeOptions {
  readonly at: number
  readonly port: number
  /** Ticks per second to run; absent: the operator steps the world. */
  readonly speed?: number
}

/** Larger than those of all servers, so that refs in the journal differ from those of this tool. */
const INCARNATION = 33_554_431
const SIGNALS = ['SIGINT', 'SIGTERM'] as const
const STEP_TICKS_MAX = 100_000

const HELP = 'step [ticks] · run [ticks per second] · pause · tick · quit'

/** Returns whether an error occurred because a prune has deleted the rows after a batch. */
const isPruned = async (sql: Sql, error: unknown, batch: number): Promise<boolean> =>
  error instanceof StorageDamageError && (await oldestBatch(sql)) > batch

/** Reads the journal rows after a batch one by one, including those that a server adds later. */
function createRowReader(sql: Sql, batch: number, note: (text: string) => void) {
  let last = batch
  let rows: AsyncIterator<JournalRow> | undefined
  let next: JournalRow | undefined
  let isOver = false
  const read = async (): Promise<JournalRow | undefined> => {
    rows ??= journalRowsAfter(sql, last)
    const { value, done } = await rows.next()
    if (done) rows = undefined
    return done ? undefined : value
  }
  return {
    async peek(): Promise<JournalRow | undefined> {
      if (next || isOver) return next
      try {
        next = await read()
      } catch (error) {
        if (!(await isPruned(sql, error, last))) throw error
        isOver = true
        note(`The journal after batch ${last} is no longer kept: the world cannot go on from here.`)
      }
      return next
    },
    take(): void {
      if (next) last = next.batch
      next = undefined
    },
  }
}

/** Returns a log for the parts of the server; it writes to the stream of the tool. */
const logOf = (tool: Tool): Log => ({
  debug: () => {},
  info: () => {},
  warn: (fields, text) => tool.note(`${text} ${JSON.stringify(fields)}`),
  error: (fields, text) =>
    tool.note(
      `${text} ${String((fields as { err?: Error }).err?.stack ?? JSON.stringify(fields))}`,
    ),
})

/** Lets everybody who may read the metrics step the world over HTTP. */
const stepRoute = (net: Net, step: (ticks: number) => Promise<Stepped>): Route => ({
  method: 'POST',
  path: '/past/step',
  async handle(exchange) {
    const refusal = metricsRefusal(net, exchange)
    if (refusal) return respondFlat(net, exchange, refusal)
    const text = exchange.query.get('ticks') ?? '1'
    const ticks = ticksOf(text)
    if (ticks === undefined) {
      const expected = `a whole number from 1 to ${STEP_TICKS_MAX}`
      return respondFlat(net, exchange, fail('invalid_payload', { field: 'ticks', expected }))
    }
    respondJson(exchange, 200, await step(ticks))
  },
})

function ticksOf(text: string): number | undefined {
  const ticks = Number(text)
  return /^\d+$/.test(text) && ticks >= 1 && ticks <= STEP_TICKS_MAX ? ticks : undefined
}

interface Stepped {
  readonly tick: number
  readonly hash: string
  /** Whether the journal ended before all ticks had run. */
  readonly isAtEnd: boolean
}

/** Opens a past world behind the interface of a world thread, with the archive of that moment. */
async function openPast(tool: Tool, { database, sql }: Opened, at: number) {
  const engine = await consistently(sql, (tx) => worldAt(tool, tx, at))
  const { world, registry } = engine
  const archive = await openPastArchive(database.connection, world)
  const reader = connect(database.connection, { name: 'past journal' })
  const log = logOf(tool)
  let giveUp: (error: unknown) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    giveUp = reject
  })
  failed.catch(() => {})
  const past = startPast({
    engine,
    ...createRowReader(reader, world.batch, tool.note),
    moved: archive.moveTo,
    describe: describeWith(registry),
    failed: giveUp,
  })
  const link = createWorldLink({
    spawn: () => past,
    onFatal: (text) => giveUp(new Error(text)),
    incarnations: { first: INCARNATION, take: async () => INCARNATION },
    log,
    clock: SYSTEM_CLOCK,
  })
  let last: Promise<unknown> = Promise.resolve()
  return {
    engine,
    link,
    failed,
    log,
    archive: archive.archive,
    step(ticks: number): Promise<Stepped> {
      // One at a time, so that each result counts only its own ticks.
      const stepped = last.then(async () => {
        const before = world.tick
        const { tick, hash } = await Promise.race([link.step(ticks), failed])
        return { tick, hash, isAtEnd: tick < before + ticks }
      })
      last = stepped.catch(() => {})
      return stepped
    },
    async close(): Promise<void> {
      await archive.close()
      await disconnect(reader, 0)
      await engine.section.close()
    },
  }
}

/** Serves a past world until a signal or `quit`. */
export async function serveAt(
  tool: Tool,
  opened: Opened,
  { at, port, speed }: ServeOptions,
): Promise<Report> {
  const epoch = `${await readEpoch(opened.sql)}-past`
  const past = await openPast(tool, opened, at)
  // No await before the network listens to the world: it would miss the world's only frame.
  const { engine, link, failed, log, step } = past
  const { world, registry } = engine
  const local = { ...tool.config, port, registrationOpen: true, publicUrl: undefined }
  const password = newPassword()
  const config = {
    ...netConfig(local),
    spectatorDelay: 0,
    motd: `A past world, as it was at tick ${at}: it answers queries, and nothing can change it.`,
  }
  const wasThere = (number: number): boolean => world.rowOf(world.players, number) !== 0
  const net = createNet({
    registry,
    link,
    config,
    log,
    archive: past.archive,
    accounts: pastAccounts(createAccounts(opened.sql), hashPassword(password), wasThere),
    epoch,
    routes: (made) => [stepRoute(made, step)],
  })
  try {
    await Promise.race([link.ready, failed])
    const url = websiteOf(local, await net.listen(local.host, port))
    config.website = url
    // Not a note, since --quiet must not suppress it.
    process.stdout.write(
      `The world of tick ${world.tick} is at ${url}, until Ctrl-C. Log in as any of its players by\n` +
        `name with the password of this run: ${password}\n` +
        `${HELP}; or POST ${url}/past/step?ticks=1\n`,
    )
    opened.takeSignals()
    await Promise.race([control(tool, { link, step, speed }), failed])
  } finally {
    net.drain()
    await link.stop()
    await net.close()
    await past.close()
  }
  const end = { at, tick: world.tick, batch: world.batch }
  return { data: end, text: `Served from tick ${at} to tick ${world.tick}.` }
}

interface Controlled {
  readonly link: WorldLink
  step(ticks: number): Promise<Stepped>
  readonly speed: number | undefined
}

/** Steps the world as the operator commands on standard input; resolves on `quit` or a signal. */
function control(tool: Tool, { link, step, speed }: Controlled): Promise<void> {
  const input = createInterface({ input: process.stdin })
  let timer: NodeJS.Timeout | undefined
  const pause = (): void => clearInterval(timer)
  return new Promise((resolve, reject) => {
    const report = ({ tick, hash, isAtEnd }: Stepped): void =>
      tool.note(`tick ${tick} has ${hash}${isAtEnd ? '; the journal ends here' : ''}`)
    const run = (perSecond: number): void => {
      pause()
      let isStepping = false
      timer = setInterval(() => {
        // A tick that takes too long must not be followed by a burst of late ones.
        if (isStepping) return
        isStepping = true
        step(1).then((stepped) => {
          isStepping = false
          if (!stepped.isAtEnd) return
          pause()
          report(stepped)
        }, reject)
      }, 1_000 / perSecond)
    }
    const execute = (line: string): void => {
      const [word = '', text = '1'] = line.trim().split(/\s+/)
      const number = ticksOf(text)
      if (word === 'step' && number !== undefined) step(number).then(report, reject)
      else if (word === 'run' && number !== undefined && number <= SPEED_MAX) run(number)
      else if (word === 'pause') pause()
      else if (word === 'tick') tool.note(`tick ${link.state().tick}`)
      else if (word === 'quit') end()
      else if (word !== '') tool.note(HELP)
    }
    const end = (): void => {
      pause()
      input.close()
      process.stdin.unref?.()
      for (const signal of SIGNALS) process.off(signal, end)
      resolve()
    }
    input.on('line', execute)
    for (const signal of SIGNALS) process.once(signal, end)
    if (speed !== undefined) run(speed)
  })
}
