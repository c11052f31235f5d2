/**
 * What one player has asked and what came back: each command has exactly one final answer, an
 * acknowledgement at most once and before it, under its own request_id and nobody else's (I13).
 */
import type { CommandDef } from '../../core/command.ts'
import { isMutation } from '../../core/command.ts'
import type { Audit } from './audit.ts'
import type { Stage } from './stage.ts'

interface Sent {
  readonly id: string
  readonly command: string
  readonly isMutation: boolean
  /** Writes: a success of it must be in the journal. */
  readonly writes: boolean
  readonly sentTick: number
  /** The connection it was sent on. */
  readonly on: object
  /** Its connection carries ids; HTTP does not. */
  readonly hasId: boolean
  isAcknowledged: boolean
  /** Tick a journey ends, from the acknowledgement. */
  arrivalTick: number
  isFinal: boolean
  /** Its connection is gone: an answer may come or not. */
  isLost: boolean
}

export interface Tally {
  answers: number
  refusals: number
  events: number
  sent: number
  readonly codes: Map<string, number>
  readonly commands: Map<string, number>
  /** Commands by name that were not refused. */
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
  /** Notes a command about to be sent; its id is unique in the simulation. */
  note(def: CommandDef, on: object, hasId: boolean): Sent
  acknowledged(id: string, payload: Payload): void
  /** A final answer; `code` when it was refused. */
  final(id: string, answer: Final): void
  /** An event was read. */
  event(): void
  /** A connection is gone with what is unanswered. */
  lose(on: object): void
  open(): Sent[]
  /** Mutations that were acknowledged, whose connection is gone, and whose outcome nobody read. */
  owed(): Sent[]
  readonly openCount: () => number
}

export type Payload = Readonly<Record<string, unknown>>

interface Final {
  readonly code?: string
  readonly message?: string
  /** From action_result and action_error. */
  readonly tick?: number
  /** Answered without an acknowledgement before. */
  readonly isPlain: boolean
}

const FORGOTTEN_AFTER = 4_000

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
    note(def, on, hasId) {
      count += 1
      const sent: Sent = {
        id: `${name}-${count}`,
        command: def.name,
        isMutation: isMutation(def),
        writes: isMutation(def) || def.kind === 'immediate' || isWrite(def),
        sentTick: tick(),
        on,
        hasId,
        isAcknowledged: false,
        arrivalTick: 0,
        isFinal: false,
        isLost: false,
      }
      all.set(sent.id, sent)
      open.set(sent.id, sent)
      if (all.size > FORGOTTEN_AFTER) forgetOldest(all)
      tally.sent += 1
      bump(tally.commands, def.name)
      return sent
    },
    acknowledged(id, payload) {
      const sent = find(id, 'an acknowledgement')
      if (!sent) return
      if (!sent.isMutation) stage.broken(`${sent.command} is no mutation, yet ${id} is pending`)
      if (sent.isAcknowledged || sent.isFinal)
        stage.broken(`${sent.command} (${id}) is acknowledged twice or after its answer`)
      sent.isAcknowledged = true
      sent.arrivalTick = Number(payload.arrival_tick ?? 0) || 0
    },
    final(id, answer) {
      const sent = find(id, 'an answer')
      if (!sent) return
      if (sent.isFinal) stage.broken(`${sent.command} (${id}) is answered twice`)
      sent.isFinal = true
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
    lose(on) {
      for (const sent of [...open.values()]) {
        if (sent.on !== on) continue
        sent.isLost = true
        open.delete(sent.id)
      }
    },
    owed: () =>
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
