/**
 * What a message of the bus must look like before it is used. The bus is the operator's own, but one
 * bad message (another release, another program on the same servers) must end nobody who listens.
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

/** A check for each field of a message; fields without one are passed over. */
export type Shape<T extends object> = { readonly [K in keyof T]-?: Check }

/** Of names: of nodes, commands, hosts, requests. */
const TEXT_MAX = 1_024
/** Nothing that a node sends inflates to more. */
export const ROW_BYTES_MAX = 2 ** 28
const ROW_PARTS_MAX = ROW_BYTES_MAX / ROW_PART_BYTES_MAX

const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0
const isFlag: Check = (value) => typeof value === 'boolean'
const isText: Check = (value) => typeof value === 'string' && value.length <= TEXT_MAX
const isBytes: Check = (value) => value instanceof Uint8Array
/**
 * Checks for a plain object: the unpacker turns other bytes into numbers, lists and types of its
 * own.
 */
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

/** Says whether a value is an object whose fields are as the shape says. */
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

/** What main reads of an answer without asking. */
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

/** A row as it crosses the bus. */
export interface SentRow extends EncodedRow {
  /** When the leader knew that it is durable, by the leader's clock. */
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
