/**
 * The standby of a gateway (STANDBY=on): a second world thread of the process follows the world and
 * leads it once nobody else does. For the gateway it is a node like any other: it has its own
 * replica, and commands to it cross the bus.
 */
import type { NodeFigures } from './core/ports.ts'
import { threadWaitedMs } from './engine/thread-cpu.ts'
import { type Log, SYSTEM_CLOCK } from './net/ports.ts'
import { createWorldLink, type WorldLink } from './net/world-link.ts'
import type { SpawnOptions, WorldThread } from './net/world-thread.ts'
import type { ConnectionOptions, Sql } from './storage/db.ts'
import { takeIncarnation } from './storage/incarnation.ts'
import { leaseKeeper } from './storage/lease.ts'

/** Delay before another thread stands by in place of one that has ended. */
const REPLACE_DELAY_MS = 1_000

interface StandByOptions {
  readonly sql: Sql
  readonly connection: ConnectionOptions
  readonly log: Log
  /** Returns how world threads of a node are started. */
  readonly spawn: (incarnation: number) => (options: SpawnOptions) => WorldThread
  /**
   * Called when this process starts to lead; resolves with a function that ends the leader's work.
   */
  readonly leads: (link: WorldLink) => Promise<() => Promise<unknown>>
}

export interface StandBy {
  /** Returns the figures of the whole process: the gateway's, and the leader's where it leads. */
  figures(gateway: NodeFigures | undefined): NodeFigures | undefined
  stop(): Promise<void>
}

/** One thread that stands by, or leads, until it has ended or was replaced. */
interface Turn {
  readonly link: WorldLink
  end(how: End): Promise<void>
}

/** Why a turn ends. `lost`: another node leads, or the thread has ended too often. */
type End = 'stops' | 'hands_over' | 'lost'

async function begin(
  { sql, connection, log, spawn, leads }: StandByOptions,
  over: (how: End) => void,
): Promise<Turn> {
  const incarnation = await takeIncarnation(sql)
  const closers: (() => Promise<unknown>)[] = []
  let isOver = false
  let thread: WorldThread | undefined
  const start = spawn(incarnation)
  const failed = (text: string): void => {
    log.error({}, `another thread will stand by: ${text}`)
    over('lost')
  }
  const lease = leaseKeeper(connection, incarnation, failed)
  const link = createWorldLink({
    spawn: (about) => {
      thread = start(about)
      return thread
    },
    onFatal: failed,
    node: {
      leads() {
        lease.keep()
        leads(link).then(
          // A turn may end before its leader's work has begun.
          (close) => void (isOver ? close().catch(() => {}) : closers.push(close)),
          (error: unknown) => log.error({ err: error }, 'operators cannot reach this server'),
        )
      },
      stepDown() {
        log.info({}, 'stepping down: an operator has a standby take over')
        over('hands_over')
      },
    },
    incarnations: { first: incarnation, take: () => takeIncarnation(sql) },
    log,
    clock: { ...SYSTEM_CLOCK, waitedMs: threadWaitedMs },
  })
  return {
    link,
    async end(how) {
      isOver = true
      for (const close of closers.splice(0)) await close().catch(() => {})
      // A world that is not up yet has nothing to finish.
      const isFinishing = link.isUp() && how !== 'lost'
      const stopped = link.stop(how === 'hands_over')
      if (!isFinishing) thread?.terminate()
      await stopped
      await lease.release()
    },
  }
}

/** Stands by until stopped: each thread that has ended is replaced. */
export async function standBy(given: StandByOptions): Promise<StandBy> {
  let takeovers = 0
  const options: StandByOptions = {
    ...given,
    leads(link) {
      takeovers += 1
      return given.leads(link)
    },
  }
  let isOver = false
  let turn: Turn | undefined
  let replacing: Promise<void> | undefined
  const replace = async (how: End): Promise<void> => {
    await turn?.end(how).catch((error: unknown) => {
      options.log.error({ err: error }, 'a thread that stood by did not end well')
    })
    turn = undefined
    let hasWarned = false
    const warn = (error: unknown): undefined => {
      if (!hasWarned) {
        options.log.warn(
          { err: error },
          'no thread stands by: the start is repeated until one does',
        )
      }
      hasWarned = true
    }
    while (!turn && !isOver) {
      await new Promise((resolve) => setTimeout(resolve, REPLACE_DELAY_MS))
      // Repeated, as the database may be away.
      turn = isOver ? undefined : await begin(options, over).catch(warn)
    }
  }
  const over = (how: End): void => {
    if (isOver) return
    replacing ??= replace(how).finally(() => {
      replacing = undefined
    })
  }
  turn = await begin(options, over)
  return {
    figures(gateway) {
      const own = turn?.link.cluster()
      if (!gateway || !own?.leads) return gateway && { ...gateway, takeovers }
      const { takeoverMs, sentRowBytes, sentInputs } = own
      const largestMessage = Math.max(own.largestMessage, gateway.largestMessage)
      const figures = { takeovers, takeoverMs, sentRowBytes, sentInputs, largestMessage }
      return { ...gateway, ...figures, leads: true }
    },
    async stop() {
      isOver = true
      await replacing
      await turn?.end('stops')
    },
  }
}
