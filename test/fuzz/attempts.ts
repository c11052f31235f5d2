/**
 * The attempts of the fuzzer: each is one random message, and what must be true of its answer.
 * Commands and parameters come from the registry, so a new command is fuzzed without a line here.
 */
import { type CommandDef, isMutation } from '../../core/command.ts'
import type { Dice } from '../../core/dice.ts'
import { ERRORS } from '../../core/errors.ts'
import { isInternal } from '../../net/addresses.ts'
import { OF_EVERY_COMMAND } from '../../net/docs/errors-page.ts'
import type { Answer, Driver, Message } from './driver.ts'
import { canChange, type Plan, variantsFor } from './plan.ts'
import { randomBytes, randomRequest, randomRpc } from './random.ts'
import { TRAPS } from './traps.ts'
import { type Change, type Field, fieldsOf, type Pool, validParams } from './values.ts'

export const KINDS = [
  'valid',
  'near',
  'envelope',
  'trap',
  'request_id',
  'mutated',
  'bytes',
  'request',
] as const
type Kind = (typeof KINDS)[number]

export interface Attempt {
  readonly kind: Kind
  readonly what: string
  readonly message: Message
  /** The command that the message names, if any. */
  readonly def?: CommandDef
  /** What is done to one of its fields. */
  readonly change?: Change
  /** Anything but a refusal is a failure; the refusal's code must match. */
  readonly refusedWith?: RegExp
  /** The server may answer by ending the connection. */
  readonly mayClose?: true
}

export interface Source {
  readonly dice: Dice
  readonly driver: Driver
  readonly defs: readonly CommandDef[]
  readonly pool: Pool
  /** What B1 tries next on this framing. */
  readonly plan: Plan
  /** A request_id as JSON text that nobody has used. */
  newId(): string
}

const isV2 = (driver: Driver): boolean => driver.framing.endsWith('2')
const isSocket = (driver: Driver): boolean => driver.framing.startsWith('ws')

/** Returns the commands that can be sent on a framing. */
export function reachable(defs: Iterable<CommandDef>, framing: string): CommandDef[] {
  return [...defs].filter((def) => {
    if (isInternal(def)) return false
    return framing.endsWith('2') ? def.v2 !== undefined : def.v1 !== false
  })
}

/** Codes that any command may be refused with before it runs. */
const UNNAMED = new Set<string>([
  ...OF_EVERY_COMMAND,
  'not_available_on_websocket',
  'already_authenticated',
])
/** The player is not logged in, or the session of MCP is unknown. */
export const SESSION_GONE = /^(session_[a-z]+|not_authenticated|rpc_-32001)$/
const NEVER = new Set(['internal_error', 'persist_timeout', 'restarting'])
const BAD_PARAMETER = /^(missing_action|invalid_[a-z_]+|[a-z_]+_required)$/

function json(params: Record<string, unknown>): string {
  return JSON.stringify(params)
}

function drawCommand(source: Source): { def: CommandDef; fields: Field[] } {
  const { dice, defs, driver } = source
  const def = dice.pick(defs)
  return { def, fields: fieldsOf(def, isV2(driver)) }
}

function drawValid(source: Source): Attempt {
  const { def, fields } = drawCommand(source)
  const params = validParams(source.dice, fields, source.pool)
  const message = source.driver.compose(def, json(params), source.newId())
  const mayClose = def.name === 'logout' ? { mayClose: true as const } : {}
  return { kind: 'valid', what: `${def.name} ${json(params)}`, message, def, ...mayClose }
}

/**
 * Makes an attempt with one field wrong, missing, extra, at a bound or of another type, by the
 * plan.
 */
function drawNear(source: Source): Attempt {
  const { def, change } = source.plan.next(source.dice)
  const made = drawChanged(source, def, change) ?? drawValid(source)
  return { ...made, change, def }
}

/** Makes such an attempt for a random command, one that the schema surely refuses. */
function drawNearAndWrong(source: Source): Attempt {
  const { def } = drawCommand(source)
  const change = source.dice.pick(['wrong', 'missing', 'type'] as const)
  return drawChanged(source, def, change, true) ?? drawEnvelope(source)
}

/** Makes a command with one change; undefined if none of its fields allows it. */
function drawChanged(
  source: Source,
  def: CommandDef,
  change: Change,
  onlyWrong = false,
): Attempt | undefined {
  const { dice, driver, pool } = source
  const fields = fieldsOf(def, isV2(driver))
  const params = validParams(dice, fields, pool)
  if (change === 'extra') {
    const extra = { ...params, no_such_field: dice.pick([1, 'x', null, {}, [[]]]), action_id: 7 }
    return nearAttempt(source, def, { params: extra, what: 'with fields that are not declared' })
  }
  const candidates = fields.filter((field) => canChange(field, change, onlyWrong))
  if (candidates.length === 0) return undefined
  const field = dice.pick(candidates)
  if (change === 'missing') {
    delete params[field.name]
    const isWrong = field.required
    return nearAttempt(source, def, { params, what: `without ${field.name}`, isWrong })
  }
  const variant = dice.pick(variantsFor(field, change, onlyWrong))
  params[field.name] = variant.value
  // On MCP the field session_id is the protocol's own.
  const isOwn = driver.framing.startsWith('mcp') && field.name === 'session_id'
  return nearAttempt(source, def, {
    params,
    what: `${field.name}: ${variant.what}`,
    isWrong: variant.isWrong && !isOwn,
  })
}

interface Nearly {
  readonly params: Record<string, unknown>
  readonly what: string
  readonly isWrong?: boolean
}

function nearAttempt(source: Source, def: CommandDef, made: Nearly): Attempt {
  const message = source.driver.compose(def, json(made.params), source.newId())
  const what = `${def.name} ${made.what}`
  const refusedWith = made.isWrong ? { refusedWith: BAD_PARAMETER } : {}
  return { kind: 'near', what, message, def, ...refusedWith }
}

const PAYLOADS = ['7', '"text"', '[]', 'true', '[{"a":1}]']

/** Makes a bad frame: an unknown command, no object, or no command at all. */
function drawEnvelope(source: Source): Attempt {
  const { dice, driver } = source
  const { def } = drawCommand(source)
  const payload = dice.pick(PAYLOADS)
  if (!isSocket(driver)) {
    const message = driver.compose(def, payload)
    const refusedWith = driver.framing.startsWith('http') ? /^invalid_json$/ : /./
    return { kind: 'envelope', what: `${def.name}: body ${payload}`, message, refusedWith }
  }
  const id = source.newId()
  const frames: [string, RegExp][] = [
    [`{"type":"no_such_command","tool":"no_such_tool","request_id":${id}}`, /^unknown_/],
    [`{"type":7,"tool":[],"request_id":${id}}`, /^invalid_payload$/],
    [`{"request_id":${id}}`, /^invalid_payload$/],
    [driver.compose(def, payload, id).body.toString(), /^invalid_payload$/],
    ['[]', /^invalid_json$/],
    ['""', /^invalid_json$/],
    ['', /^invalid_json$/],
    ['null', /^invalid_json$/],
    [`{"type":"get_status","tool":"game","action":"get_status"} {}`, /^invalid_json$/],
  ]
  const [text, refusedWith] = dice.pick(frames)
  const message = { body: Buffer.from(text) }
  return { kind: 'envelope', what: text.slice(0, 100), message, refusedWith }
}

const HOLE = '"@@hole@@"'

/** Puts hostile JSON in the place of a field, or of the whole payload. */
function drawTrap(source: Source): Attempt {
  const { dice, driver, pool } = source
  const { def, fields } = drawCommand(source)
  const { what, raw } = dice.pick(TRAPS)
  const params = validParams(dice, fields, pool)
  const name = fields.length > 0 && dice.chance(85) ? dice.pick(fields).name : 'no_such_field'
  params[name] = '@@hole@@'
  const payload = dice.chance(5) ? raw : json(params).replace(HOLE, () => raw)
  const message = driver.compose(def, payload, source.newId())
  return { kind: 'trap', what: `${def.name} ${name}: ${what}`, message, def }
}

const REQUEST_IDS: readonly (readonly [string, (id: string) => string, boolean])[] = [
  ['empty', () => '""', true],
  ['128 characters', (id) => JSON.stringify(id.padEnd(128, '-')), true],
  ['129 characters', (id) => JSON.stringify(id.padEnd(129, '-')), false],
  ['128 astral characters', (id) => JSON.stringify(id + '\u{1f680}'.repeat(128 - id.length)), true],
  [
    '129 astral characters',
    (id) => JSON.stringify(id + '\u{1f680}'.repeat(129 - id.length)),
    false,
  ],
  ['combining', (id) => JSON.stringify(`${id}e\u0301`), true],
  ['NUL', (id) => `"${id}\\u0000"`, false],
  ['a lone surrogate', (id) => `"${id}\\ud83d"`, false],
  ['a number', () => '12', false],
  ['null', () => 'null', false],
  ['a list', () => '["a"]', false],
  ['an object', () => '{"id":"a"}', false],
]

function drawRequestId(source: Source, onlyWrong: boolean): Attempt {
  const { dice, driver } = source
  if (!isSocket(driver)) return onlyWrong ? drawNearAndWrong(source) : drawNear(source)
  const cases = onlyWrong ? REQUEST_IDS.filter(([, , isGood]) => !isGood) : REQUEST_IDS
  const [what, make, isGood] = dice.pick(cases)
  const { def, fields } = drawCommand(source)
  const params = validParams(dice, fields, source.pool)
  const id = make(JSON.parse(source.newId()) as string)
  const message = driver.compose(def, json(params), id)
  const refusedWith = isGood ? {} : { refusedWith: /^(invalid_request_id|invalid_payload)$/ }
  const mayClose = def.name === 'logout' ? { mayClose: true as const } : {}
  return {
    kind: 'request_id',
    what: `${def.name}: ${what}`,
    message,
    def,
    ...refusedWith,
    ...mayClose,
  }
}

/** Makes a valid message and changes, cuts, doubles or inserts some of its bytes. */
function drawMutated(source: Source): Attempt {
  const { dice } = source
  const made = drawValid(source)
  let body = Buffer.from(made.message.body)
  for (let i = 0; i <= dice.below(3); i++) body = mutate(dice, body)
  const message = { ...made.message, body }
  return { kind: 'mutated', what: body.toString('latin1').slice(0, 200), message, mayClose: true }
}

function mutate(dice: Dice, body: Buffer): Buffer<ArrayBuffer> {
  const start = dice.below(body.length + 1)
  const length = Math.min(1 + dice.below(8), body.length - start)
  const [before, part, after] = [
    body.subarray(0, start),
    body.subarray(start, start + length),
    body.subarray(start + length),
  ]
  switch (dice.below(5)) {
    case 0:
      return Buffer.concat([before, randomBytes(dice, length), after])
    case 1:
      return Buffer.concat([before, after])
    case 2:
      return Buffer.concat([before, part, part, after])
    case 3:
      return Buffer.concat([before, randomBytes(dice, 1 + dice.below(8)), part, after])
    default:
      return Buffer.concat([
        before,
        Buffer.from(dice.pick(['{', '}', '"', '\\', '[', ',', '0'])),
        after,
      ])
  }
}

function drawBytes(source: Source): Attempt {
  const { dice, driver } = source
  const body = randomBytes(dice, dice.chance(5) ? 20_000 : dice.below(200))
  const binary = isSocket(driver) && dice.chance(50) ? { isBinary: true as const } : {}
  const message = { ...driver.compose(dice.pick(source.defs), '{}'), body, ...binary }
  return { kind: 'bytes', what: `${body.length} bytes`, message, mayClose: true }
}

function drawRequest(source: Source): Attempt {
  const { dice, driver } = source
  if (isSocket(driver)) return drawMutated(source)
  const isRpc = driver.framing.startsWith('mcp') && dice.chance(70)
  const made = isRpc ? randomRpc(dice, driver) : randomRequest(dice, driver)
  return { kind: 'request', mayClose: true, ...made }
}

/** Percent by kind: B1 takes 60, some of them valid so that the world moves; B2 takes 40. */
const WEIGHTS: readonly (readonly [number, (source: Source) => Attempt])[] = [
  [11, drawValid],
  [40, drawNear],
  [3, drawEnvelope],
  [4, drawTrap],
  [2, (source) => drawRequestId(source, false)],
  [17, drawMutated],
  [9, drawBytes],
  [14, drawRequest],
]

/** Draws the next attempt. */
export function drawAttempt(source: Source): Attempt {
  let left = source.dice.below(100)
  for (const [weight, make] of WEIGHTS) {
    if (left < weight) return make(source)
    left -= weight
  }
  return drawValid(source)
}

/** Draws the next attempt that no rule could accept. */
export function drawRefused(source: Source): Attempt {
  if (source.dice.chance(15)) return drawRequestId(source, true)
  return source.dice.chance(20) ? drawEnvelope(source) : drawNearAndWrong(source)
}

/** Returns the codes that a command may answer with. */
function codesOf(def: CommandDef): Set<string> {
  const needs = def.kind === 'session' ? [] : def.needs
  return new Set([...def.errors, ...needs.flatMap((need) => [...need.errors])])
}

/** Returns what is wrong with a code, if anything. */
export function judgeCode(code: string, def: CommandDef | undefined): string | undefined {
  if (NEVER.has(code)) return `answered ${code}`
  if (code.startsWith('rpc_')) return undefined
  if (!(code in ERRORS)) return `code ${code} is not in the table`
  if (!def || UNNAMED.has(code) || codesOf(def).has(code)) return undefined
  return `${def.name} does not name ${code}`
}

/** Returns what is wrong with an answer, if anything. */
export function judge(attempt: Attempt, answer: Answer): string | undefined {
  const { def, refusedWith, mayClose, kind } = attempt
  if (!answer.isReply) return mayClose ? undefined : 'the connection ended'
  if (answer.status !== undefined && answer.status >= 500) return `status ${answer.status}`
  if (refusedWith && answer.ok) return 'accepted, but the schema refuses it'
  // A mutated message may have been a logout, a request the end of a session.
  if (SESSION_GONE.test(answer.code)) return undefined
  if (refusedWith && !refusedWith.test(answer.code)) return `refused with ${answer.code}`
  if (answer.ok || kind === 'request') return undefined
  if (answer.code === '') return 'neither a result nor a code'
  const status = ERRORS[answer.code as keyof typeof ERRORS]?.status
  const isHttp = attempt.message.path?.startsWith('/api') ?? false
  if (isHttp && status !== undefined && answer.status !== status)
    return `${answer.code} with status ${answer.status}, not ${status}`
  return judgeCode(answer.code, kind === 'mutated' ? undefined : def)
}

/** Returns whether the answer may take ticks. */
export const mayBlock = (driver: Driver, attempt: Attempt): boolean =>
  !isSocket(driver) && (attempt.def === undefined || isMutation(attempt.def))
