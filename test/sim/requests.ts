/**
 * Checks what a bot has sent and received: each command gets exactly one final answer, and at most
 * one acknowledgement before it, under its own request_id and no other (I13).
 */
import type { CommandDef } from '../../core/command.ts'
import { isMutation } from '../../core/command.ts'
import { isImmediate } from '../../core/inbox.ts'
import type { Audit } from './audit.ts'
import type { Stage } from './stage.ts'

interface Sent {
  readonly id: string
  readonly command: string
  readonly isMutation: boolean
  /** True for a command whose success must be in the journal. */
  readonly writes: boolean
  readonly sentTick: number
  /** The connection it was sent on, compared by identity. */
  readonly connection: object
  /** True where frames carry the request_id; HTTP has none. */
  readonly hasId: boolean
  isAcknowledged: boolean
  /** Tick at which a journey ends, from the acknowledgement. */
  arrivalTick: number
  isFinal: boolean
  /** The connection on which its final answer was read. */
  answeredOn?: object
  /** True once its connection is gone: it may be answered or not. */
  isLost: boolean
}

export interface Tally {
  answers: number
  refusals: number
  events: number
  sent: number
  readonly codes: Map<string, number>
  readonly commands: Map<string, number>
  /** Counts of commands that were not refused, by name. */
  readonly done: Map<string, number>
}

export const createTally = (): Tally => ({
  answers: 0,
  refusals: 0,
  events: 0,
  sent: 0,
  codes: new Map(),
  commands: new Map(),
  done: new Map(),
})

export interface Requests {
  /** Records a command about to be sent; its id is unique in the simulation. */
  record(def: CommandDef, params: Payload, connection: object, hasId: boolean): Sent
  acknowledged(id: string, payload: Payload): void
  /**
   * Called with a final answer and the connection that read it; it has a `code` if the command was
   * refused.
   */
  final(id: string, answer: Final, connection: object): void
  /** Called when an event was read. */
  event(): void
  /** Called when a connection is gone, with all that is unanswered on it. */
  lose(connection: object): void
  open(): Sent[]
  /** Returns acknowledged mutations whose connection is gone and whose outcome was never read. */
  unreadOutcomes(): Sent[]
  readonly openCount: () => number
}

export type Payload = Readonly<Record<string, unknown>>

interface Final {
  readonly code?: string
  readonly message?: string
  /** The tick in action_result and action_error. */
  readonly tick?: number
  /** True for an answer other than action_result and action_error. */
  readonly isPlain: boolean
}

const KEPT_MAX = 4_000

const bump = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

interface RequestsOptions {
  readonly name: string
  readonly stage: Stage
  readonly audit: Audit
  readonly tally: Tally
  readonly tick: () => number
}

export function createRequests(options: RequestsOptions): Requests {
  const { name, stage, audit, tally, tick } = options
  const all = new Map<string, Sent>()
  const open = new Map<string, Sent>()
  let count = 0

  const find = (id: string, what: string): Sent | undefined => {
    const sent = all.get(id)
    if (!sent) stage.broken(`I13: ${name} got ${what} for request_id ${id}, which it never sent`)
    return sent
  }
  const checkOutcome = (sent: Sent, answer: Final): void => {
    const { id, command } = sent
    const { code } = answer
    if (code === 'internal_error' && answer.message?.startsWith('The query failed'))
      stage.broken(`${command} ended with a bug: ${answer.message}`)
    if (answer.tick !== undefined && answer.tick > audit.durable.tick)
      stage.broken(`durability: ${command} is answered for tick ${answer.tick}, not yet durable`)
    const isDone = !code && sent.writes && !(sent.isMutation && answer.isPlain)
    if (isDone && sent.hasId) audit.claimed(id, command)
  }
  return {
    record(def, params, connection, hasId) {
      count += 1
      const sent: Sent = {
        id: `${name}-${count}`,
        command: def.name,
        isMutation: isMutation(def),
        writes: isMutation(def) || isImmediate(def, { params }) || isWrite(def),
        sentTick: tick(),
        connection,
        hasId,
        isAcknowledged: false,
        arrivalTick: 0,
        isFinal: false,
        isLost: false,
      }
      all.set(sent.id, sent)
      open.set(sent.id, sent)
      if (all.size > KEPT_MAX) forgetOldest(all)
      tally.sent += 1
      bump(tally.commands, def.name)
      return sent
    },
    acknowledged(id, payload) {
      const sent = find(id, 'an acknowledgement')
      if (!sent) return
      if (!sent.isMutation) stage.broken(`${sent.command} is no mutation, yet ${id} is pending`)
      // A newer login at another node may have read the outcome before this one reads of it.
      const isOvertaken = sent.isFinal && sent.answeredOn !== sent.connection
      if (sent.isAcknowledged || (sent.isFinal && !isOvertaken))
        stage.broken(`${sent.command} (${id}) is acknowledged twice or after its answer`)
      sent.isAcknowledged = true
      sent.arrivalTick = Number(payload.arrival_tick ?? 0) || 0
    },
    final(id, answer, connection) {
      const sent = find(id, 'an answer')
      if (!sent) return
      if (sent.isFinal) stage.broken(`${sent.command} (${id}) is answered twice`)
      sent.isFinal = true
      sent.answeredOn = connection
      open.delete(id)
      tally.answers += 1
      if (answer.code) {
        tally.refusals += 1
        bump(tally.codes, answer.code)
      } else bump(tally.done, sent.command)
      checkOutcome(sent, answer)
    },
    event() {
      tally.events += 1
    },
    lose(connection) {
      for (const sent of [...open.values()]) {
        if (sent.connection !== connection) continue
        sent.isLost = true
        open.delete(sent.id)
      }
    },
    unreadOutcomes: () =>
      [...all.values()].filter((sent) => sent.isLost && sent.isAcknowledged && !sent.isFinal),
    open: () => [...open.values()],
    openCount: () => open.size,
  }
}

const isWrite = (def: CommandDef): boolean => def.kind === 'archive' && def.as !== 'query'

function forgetOldest(all: Map<string, Sent>): void {
  const [oldest] = all.keys()
  if (all.get(oldest)?.isFinal) all.delete(oldest)
}
