/**
 * The frames of a WebSocket: the differences between its two versions, and the frames of a reply.
 */
import type { CommandDef } from '../../core/command.ts'
import { type Failure, invalidFields, type Outcome, ok } from '../../core/errors.ts'
import type { Answer, PackedResult } from '../../core/ports.ts'
import type { Registry } from '../../core/registry.ts'
import { MARK } from '../../core/say.ts'
import { unpack } from '../../core/wire/packed.ts'
import { namesOf, versionOf } from '../names.ts'
import {
  ackPayload,
  actionError,
  actionResult,
  type PackedOutcome,
  packedResult,
  refusalPayload,
  structured,
} from '../publish/frames.ts'
import type { Net, Reply } from '../session/types.ts'
import { isObject, type Params } from '../validate.ts'
import { encodeFrame, encodingOf, type Format, type Frame, packedFrame } from './codec.ts'

type Payload = Record<string, unknown>

/** The differences between the two WebSocket versions. */
export interface WsFraming {
  readonly framing: 'ws1' | 'ws2'
  /** Returns the command that a frame names, or refuses the frame. */
  address(net: Net, frame: Params): WsTarget | Failure
  /** Returns type and payload of a success. */
  success(def: CommandDef, payload: Payload): { type: string; payload: Payload }
  /** Returns the same for the answer to a query whose result is already encoded. */
  packedSuccess(def: CommandDef, packed: PackedResult): { type: string; payload: string }
  /** True if answers without a request_id are sent in the order of their commands. */
  readonly answersInOrder: boolean
}

export interface WsTarget {
  readonly def: CommandDef
  readonly params: Params
  /** Set if the framing answers itself (help of a tool). */
  readonly answer?: Reply['outcome']
}

/** The properties of a connection that its frames depend on. */
export interface FrameContext {
  readonly net: Net
  readonly wire: WsFraming
  readonly format: Format
}

/** Returns the payload of a frame; an empty object if it has none. Refuses: invalid_payload. */
export function payloadParams({ payload }: Params): Outcome<Params, 'invalid_payload'> {
  if (payload === undefined || payload === null) return ok({})
  return isObject(payload) ? ok(payload) : invalidFields({ field: 'payload', expected: 'object' })
}

/** Encodes a frame of a connection, with the command names of its version. */
export function encode(
  conn: FrameContext,
  type: string,
  payload: Payload,
  requestId?: string,
): Frame {
  const frameOf = (body: unknown) =>
    requestId === undefined
      ? { type, payload: body }
      : { type, request_id: requestId, payload: body }
  const encoding = encodingOf(conn.format)
  const encoded = encodeFrame(encoding, frameOf(payload))
  if (!encoded.includes(MARK.open)) return encoded
  // Only the payload: the request_id belongs to the client and is returned unchanged.
  const names = namesOf(conn.net.registry)
  const named = names.value(versionOf(conn.wire.framing), payload)
  return encodeFrame(encoding, frameOf(named))
}

function loginFrames(
  conn: FrameContext,
  login: NonNullable<Reply['login']>,
  requestId?: string,
): Frame[] {
  const frames: Frame[] = []
  const isNew = login.password !== undefined
  if (isNew) {
    const { password, identity } = login
    frames.push(encode(conn, 'registered', { password, player_id: identity.playerId }, requestId))
  }
  if (login.reconnected) frames.push(encode(conn, 'reconnected', login.reconnected))
  frames.push(encode(conn, 'logged_in', login.state, isNew ? undefined : requestId))
  return frames
}

function packedReply({ net, wire }: FrameContext, reply: Reply): string {
  const { framing } = wire
  const packed = reply.packed as PackedResult
  if (reply.acknowledged) return packed.frame ?? outcomeFrame(net.registry, framing, reply)
  const { type, payload } = wire.packedSuccess(reply.def, packed)
  const frame = packedFrame(type, reply.requestId, payload)
  return namesOf(net.registry).text(versionOf(framing), frame)
}

/** Returns the JSON frame of a packed outcome, with the command names of the version. */
function outcomeFrame(
  registry: Registry,
  framing: WsFraming['framing'],
  outcome: PackedOutcome,
): string {
  const frame = packedResult(framing, outcome)
  return namesOf(registry).text(versionOf(framing), frame)
}

/** Joins the frames of packed outcomes before they may be sent, so that less is left to do then. */
export function joinFrames({ registry }: Pick<Net, 'registry'>, answers: readonly Answer[]): void {
  for (const answer of answers) {
    const { packed, framing, command } = answer
    const def = registry.commands.get(command)
    if (!def || !packed || (framing !== 'ws1' && framing !== 'ws2')) continue
    packed.frame = outcomeFrame(registry, framing, { def, ...answer })
  }
}

/** Type and payload of plain acknowledgements, which are the same for each use of a command. */
type Acknowledgement = ReturnType<WsFraming['packedSuccess']>
const ACKNOWLEDGEMENTS: Readonly<
  Record<WsFraming['framing'], WeakMap<CommandDef, Acknowledgement>>
> = { ws1: new WeakMap(), ws2: new WeakMap() }

/** Returns true for an acknowledgement that only says that a command is accepted. */
function isPlainAcknowledgement({ stage, outcome }: Reply): boolean {
  if (stage !== 'accepted' || !outcome.ok) return false
  for (const name in outcome.result as Payload) if (name !== 'pending') return false
  return true
}

function acknowledgementFrame({ net, wire }: FrameContext, reply: Reply): string {
  const { framing } = wire
  const { def, requestId } = reply
  let known = ACKNOWLEDGEMENTS[framing].get(def)
  if (!known) {
    const { type, payload } = wire.success(def, ackPayload(framing, reply))
    const named = namesOf(net.registry).value(versionOf(framing), payload)
    known = { type, payload: JSON.stringify(named) }
    ACKNOWLEDGEMENTS[framing].set(def, known)
  }
  return packedFrame(known.type, requestId, known.payload)
}

/** Returns the frames of a reply, in order: one, or several for a login. */
export function replyFrames(conn: FrameContext, given: Reply): Frame[] {
  const { net, wire } = conn
  const { framing } = wire
  if (given.packed && conn.format === 'json') {
    return [packedReply(conn, given)]
  }
  if (conn.format === 'json' && isPlainAcknowledgement(given))
    return [acknowledgementFrame(conn, given)]
  const reply = unpack(given)
  const { outcome, requestId, def } = reply
  if (reply.login && outcome.ok) return loginFrames(conn, reply.login, requestId)
  if (!outcome.ok) {
    net.metrics.errors.inc({ code: outcome.code })
    // An action that a battle interrupts is reported by an error frame (interface, Shapes of
    // errors).
    const isError = !reply.acknowledged || outcome.code === 'combat_interrupt'
    return isError
      ? [encode(conn, 'error', refusalPayload(reply, outcome), requestId)]
      : [encode(conn, 'action_error', actionError(framing, reply, outcome), requestId)]
  }
  if (reply.stage === 'final' && reply.acknowledged)
    return [encode(conn, 'action_result', actionResult(framing, reply), requestId)]
  const payload =
    reply.stage === 'accepted' ? ackPayload(framing, reply) : structured(framing, reply)
  const success = wire.success(def, payload)
  return [encode(conn, success.type, success.payload, requestId)]
}
