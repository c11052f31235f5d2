/**
 * Payloads that several framings share: answers, acknowledgements, outcomes, errors. Source: WIRE
 * 1, 2 and 4, accounts.md section 9.
 */
import type { CommandDef } from '../../core/command.ts'
import { definitionOf } from '../../core/engine.ts'
import { ERRORS, type ErrorCode, type Failure } from '../../core/errors.ts'
import type { PackedResult } from '../../core/ports.ts'
import type { Registry } from '../../core/registry.ts'
import type { Framing } from '../../core/types.ts'
import type { Describe } from '../../core/wire/packed.ts'
import { commandName, isV2 } from '../addresses.ts'
import { renderText } from '../render.ts'
import { waitSeconds, withWait } from '../session/limited.ts'
import type { Session } from '../session/session.ts'
import type { LoginView, Net, Reply } from '../session/types.ts'
import { isObject } from '../validate.ts'
import { packedFrame } from '../ws/codec.ts'

type Payload = Record<string, unknown>

/** Returns the payload of welcome, the first frame of a socket. */
export function welcomePayload(net: Net): Payload {
  const { config, link, clock } = net
  const { tick, tickMs } = link.state()
  return {
    version: config.version,
    release_date: config.releaseDate,
    release_notes: config.releaseNotes,
    tick_rate: Math.max(1, Math.round(tickMs / 1000)),
    current_tick: tick,
    server_time: Math.floor(clock.wallMs() / 1000),
    ...(config.motd === undefined ? {} : { motd: config.motd }),
    game_info: config.gameInfo,
    website: config.website,
    help_text: config.helpText,
    terms: config.terms,
  }
}

/**
 * Codes that were renamed in later releases; the older ones are kept and the new ones added as
 * alias. Source: newer.md section 2.
 */
const NEWER_NAMES: Partial<Record<ErrorCode, string>> = {
  no_credits: 'insufficient_credits',
  faction_no_credits: 'insufficient_credits',
}

/**
 * Returns the error object of every framing; the wait is in several fields because clients differ.
 */
export function errorPayload(failure: Failure): Payload {
  const { code, message, details: own } = withWait(failure)
  const newer = NEWER_NAMES[code]
  const details = newer ? { ...own, code_alias: newer } : own
  const payload: Payload = { code, message }
  const wait = waitSeconds(failure)
  if (wait !== undefined) {
    payload.wait_seconds = wait
    payload.retry_after = wait
  }
  if (details) payload.details = details
  for (const name of ['limit', 'scope', 'pending_command'])
    if (typeof details?.[name] === 'string') payload[name] = details[name]
  return payload
}

export const statusOf = (failure: Failure): number => ERRORS[failure.code].status

const flags = (reply: Reply): Payload => ({
  ...(reply.autoDocked ? { auto_docked: true } : {}),
  ...(reply.autoUndocked ? { auto_undocked: true } : {}),
})

const asObject = (value: unknown): Payload =>
  isObject(value) ? value : value === undefined || value === null ? {} : { result: value }

/**
 * Returns the answer of v1: the fields of the result, with the command name as `action` unless the
 * result has one.
 */
function v1Result(def: CommandDef, result: unknown, reply?: Reply): Payload {
  return { action: def.name, ...asObject(result), ...(reply ? flags(reply) : {}) }
}

/** Returns the answer of v2: the changed sections beside the command's own result. */
function v2Delta(reply: Reply, result: unknown): Payload {
  const own = asObject(result)
  const delta: Payload = { ...reply.sections, details: own }
  if (typeof own.message === 'string') delta.message = own.message
  return delta
}

/** Returns the structured answer of a successful command: v1 or v2, query or mutation. */
export function structured(framing: Framing, reply: Reply): Payload {
  const result = reply.outcome.ok ? reply.outcome.result : {}
  if (!isV2(framing)) return v1Result(reply.def, result, reply)
  if (reply.acknowledged) return { ...v2Delta(reply, result), ...flags(reply) }
  return { ...asObject(result), ...flags(reply) }
}

/** Returns the acknowledgement of a mutation. */
export function ackPayload(framing: Framing, reply: Reply): Payload {
  const command = commandName(reply.def, framing)
  const own = asObject(reply.outcome.ok ? reply.outcome.result : {})
  return {
    pending: true,
    command,
    message: `${command} is accepted; it resolves with the next tick.`,
    ...own,
  }
}

/** Returns the payload of action_result. */
export function actionResult(framing: Framing, reply: Reply): Payload {
  const result = reply.outcome.ok ? reply.outcome.result : {}
  return {
    command: commandName(reply.def, framing),
    tick: reply.tick,
    result: isV2(framing) ? v2Delta(reply, result) : (result ?? {}),
    ...flags(reply),
  }
}

/** What the frame of a packed outcome is made of. */
export type PackedOutcome = Pick<
  Reply,
  'def' | 'tick' | 'requestId' | 'autoDocked' | 'autoUndocked' | 'packed'
>

/**
 * Returns the JSON frame of action_result, assembled from parts that the world has already encoded.
 */
export function packedResult(framing: Framing, reply: PackedOutcome): string {
  const { def, tick, requestId } = reply
  const packed = reply.packed as PackedResult
  const name = JSON.stringify(commandName(def, framing))
  const docked = reply.autoDocked ? ',"auto_docked":true' : ''
  const undocked = reply.autoUndocked ? ',"auto_undocked":true' : ''
  const result = isV2(framing) ? packedDelta(packed) : packed.result
  const payload = `{"command":${name},"tick":${tick}${docked}${undocked},"result":${result}}`
  return packedFrame('action_result', requestId, payload)
}

/** Returns the same as `v1Result` for a result that is already encoded. */
export function packedV1Result(def: CommandDef, { result, namesAction }: PackedResult): string {
  if (namesAction) return result
  const head = `{"action":${JSON.stringify(def.name)}`
  return result === '{}' ? `${head}}` : `${head},${result.slice(1)}`
}

/** Returns the same as `v2Delta` for parts that are already encoded. */
function packedDelta({ sections, result, message }: PackedResult): string {
  const open = sections === undefined || sections === '{}' ? '{' : `${sections.slice(0, -1)},`
  return `${open}"details":${result}${message === undefined ? '' : `,"message":${message}`}}`
}

/**
 * Returns the error object of a command that ran. A docking or undocking before it stays in effect,
 * so its flag is included.
 */
export const refusalPayload = (reply: Reply, failure: Failure): Payload => ({
  ...errorPayload(failure),
  ...flags(reply),
})

/** Returns the payload of action_error. */
export function actionError(framing: Framing, reply: Reply, failure: Failure): Payload {
  return {
    command: commandName(reply.def, framing),
    tick: reply.tick,
    ...refusalPayload(reply, failure),
  }
}

/** Returns the text of a v2 answer, which is never empty. */
export function resultText(def: CommandDef, payload: Payload): string {
  return renderText(def, payload) || 'Done.'
}

/** Returns a function with which the world describes results of commands by their keys. */
export const describeWith =
  (registry: Registry): Describe =>
  (command, result) =>
    resultText(definitionOf(registry, command), result)

/** Returns the body of a login or registration over HTTP and MCP. Source: WIRE 4, item 10. */
export function loginPayload(net: Net, session: Session, login: LoginView): Payload {
  const { identity, state, password } = login
  const { username, empire, playerId } = identity
  const { config } = net
  const isNew = password !== undefined
  const head: Payload = isNew
    ? {
        message: `Welcome, ${username}. Keep the password: it is shown only now.`,
        username,
        empire,
        password,
        player_id: playerId,
      }
    : {
        message: login.isRepeat
          ? `${username} is logged in already.`
          : `Welcome back, ${username}.`,
        username,
        empire,
        player_id: playerId,
        release_info: {
          version: config.version,
          release_date: config.releaseDate,
          notes: config.releaseNotes,
        },
      }
  return {
    ...head,
    session_id: session.id,
    pending_trades: [],
    ...state,
    ...(login.reconnected ? { reconnected: login.reconnected } : {}),
  }
}
