/**
 * Shapes of bus messages, checked before use. The bus belongs to the operator, but one bad message
 * (another release, another program on the same servers) must not end any listener.
 */
import type {
  LeaderBeat,
  NodeAnswers,
  NodeBeat,
  RowPart,
  Slice,
  StepDownReply,
} from '../core/bus.ts'
import { NODE_ANSWERS_MAX, ROW_PART_BYTES_MAX, SLICE_COMMANDS_MAX } from '../core/limits-cluster.ts'
import type { Answer } from '../core/ports.ts'
import { FRAMINGS, type Submission } from '../core/types.ts'
import type { EncodedRow } from './journal-row.ts'

type Check = (value: unknown) => boolean

/** A check for each field of a message; unknown fields are ignored. */
export type Shape<T extends object> = { readonly [K in keyof T]-?: Check }

/** Largest length of names of nodes, commands, hosts, requests. */
const TEXT_MAX = 1_024
/** Limit of an inflated row. */
export const ROW_BYTES_MAX = 2 ** 28
const ROW_PARTS_MAX = ROW_BYTES_MAX / ROW_PART_BYTES_MAX

const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0
const isFlag: Check = (value) => typeof value === 'boolean'
const isText: Check = (value) => typeof value === 'string' && value.length <= TEXT_MAX
const isBytes: Check = (value) => value instanceof Uint8Array
/** Checks for a plain object: the unpacker may return numbers, lists and types of its own. */
const isObject: Check = (value) =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const oneOf =
  (words: readonly unknown[]): Check =>
  (value) =>
    words.includes(value)
const listOf =
  (check: Check, max: number): Check =>
  (value) =>
    Array.isArray(value) && value.length <= max && value.every(check)

/** Returns whether a value is an object whose fields match the shape. */
export const hasShape = <T extends object>(shape: Shape<T>, value: unknown): value is T =>
  isObject(value) &&
  Object.entries<Check>(shape).every(([name, check]) =>
    check((value as Readonly<Record<string, unknown>>)[name]),
  )

const shaped =
  <T extends object>(shape: Shape<T>): Check =>
  (value) =>
    hasShape(shape, value)

const SUBMISSION: Shape<Submission> = {
  ref: isCount,
  player: isCount,
  command: isText,
  params: isObject,
  framing: oneOf(FRAMINGS),
  requestId: optional(isText),
  secret: optional(isObject),
}

export const SLICE: Shape<Slice> = {
  node: isCount,
  sender: isCount,
  slice: isCount,
  got: isCount,
  applied: isCount,
  commands: listOf(shaped(SUBMISSION), SLICE_COMMANDS_MAX),
}

/** The fields of an answer that main reads unchecked. */
const ANSWER: Shape<Pick<Answer, 'ref' | 'player' | 'command' | 'framing' | 'stage' | 'tick'>> &
  Shape<{ readonly outcome: object }> = {
  ref: isCount,
  player: isCount,
  command: isText,
  framing: oneOf(FRAMINGS),
  stage: oneOf(['accepted', 'final']),
  tick: isCount,
  outcome: shaped({ ok: isFlag }),
}

export const NODE_ANSWERS: Shape<NodeAnswers> = {
  leadership: isCount,
  sender: isCount,
  first: isCount,
  answers: listOf(shaped(ANSWER), NODE_ANSWERS_MAX),
  isBehind: optional(isFlag),
}

export const LEADER_BEAT: Shape<LeaderBeat> = { leadership: isCount, from: isCount, head: isCount }

export const NODE_BEAT: Shape<NodeBeat> = {
  node: isCount,
  role: oneOf(['world', 'gateway', 'standby']),
  leads: isFlag,
  leadership: isCount,
  applied: isCount,
  head: isCount,
  tick: isCount,
  host: isText,
  pid: isCount,
  release: isText,
}

export const STEP_DOWN_REPLY: Shape<StepDownReply> = { ok: isFlag, text: optional(isText) }

export const ROW_PART: Shape<RowPart> = {
  batch: isCount,
  part: isCount,
  parts: (value) => isCount(value) && Number(value) >= 1 && Number(value) <= ROW_PARTS_MAX,
  bytes: (value) => value instanceof Uint8Array && value.length <= ROW_PART_BYTES_MAX,
}

/** A row as sent over the bus. */
export interface SentRow extends EncodedRow {
  /** Time at which the leader knew that it is durable, by its clock. */
  readonly durableMs: number
}

export const SENT_ROW: Shape<SentRow> = {
  batch: isCount,
  tick: isCount,
  part: isCount,
  rulesVersion: isCount,
  wallMs: (value) => Number.isFinite(value),
  durableMs: (value) => Number.isFinite(value),
  body: isBytes,
  hash: (value) => value === null || isText(value),
  checksum: isBytes,
}
