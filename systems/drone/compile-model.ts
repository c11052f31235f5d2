/**
 * The parser of drone scripts: turns a text into a program, or reports its first fault. One pass
 * with one token of lookahead, recursive as IF nests. Source: drones.md sections 3.2, 3.3, 3.7.
 */
import { assert } from '../../core/assert.ts'
import { words } from '../../core/params.ts'
import { withArticle } from '../../core/say.ts'
import { codePointLength } from '../../core/text-rules.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { type Action, DRONE_ACTIONS, DRONE_TYPES, mayDo } from './figures-model.ts'
import { lexer, refuse, ScriptError, type ScriptFault, type Token } from './lexer-model.ts'
import {
  ANY,
  COMPARISONS,
  FN,
  type FunctionName,
  OP,
  type Program,
  WIDTH,
} from './program-model.ts'
import {
  DRONE_INSTRUCTIONS_MAX,
  DRONE_NESTING_MAX,
  DRONE_SCRIPT_CHARACTERS_MAX,
  DroneScript,
  DroneWord,
} from './state.ts'

type Compiled =
  | { readonly ok: true; readonly program: Program }
  | { readonly ok: false; readonly fault: ScriptFault }

/** Actions that take a text. Source: drones.md section 3.2, argAction. */
const TAKES_TEXT: ReadonlySet<string> = new Set<Action>(
  words('MOVE ATTACK STANCE REPAIR LOOT SALVAGE'),
)

/** ours: drones neither flee nor board. Source: drones.md section 3.3. */
const STANCES: readonly string[] = ['fire', 'evade', 'brace']

/** Functions that return true or false, with the literal they take. */
const PREDICATES: Readonly<Record<string, '' | 'string' | 'number' | 'optional'>> = {
  cargo_full: '',
  traveling: '',
  at: 'string',
  enemy_nearby: '',
  pirate_nearby: '',
  in_battle: '',
  resource_available: 'optional',
  ally_hull_below: 'number',
}
/** Functions that return a number. */
const NUMBERS: readonly string[] = ['hull_pct', 'cargo_pct', 'owner_hull_pct', 'tick']
const STATEMENT = 'IF, SET_MEM or an action'

interface Parser {
  readonly type: number
  readonly next: () => Token
  token: Token
  readonly code: number[]
  readonly texts: Map<string, number>
  depth: number
}

/** Returns the name of a token in messages. */
function nameOf({ kind, text }: Token): string {
  if (kind === 'end') return 'the end'
  return kind === 'string' ? 'a text' : text
}

const unexpected = (token: Token, expected: string): never =>
  refuse('unexpected_token', token, `expected ${expected}, found ${nameOf(token)}`)

function take(parser: Parser): Token {
  const { token } = parser
  parser.token = parser.next()
  return token
}

const isWord = ({ token }: Parser, text: string): boolean =>
  token.kind === 'word' && token.text === text
const isSign = ({ token }: Parser, text: string): boolean =>
  token.kind === 'sign' && token.text === text

function textIndex({ texts }: Parser, text: string): number {
  const index = texts.get(text) ?? texts.size
  texts.set(text, index)
  return index
}

/** Appends an instruction; returns its index. */
function put(parser: Parser, head: number, a = 0, b = 0): number {
  const index = parser.code.length / WIDTH
  parser.code.push(head, a, b)
  return index
}

/** Makes an instruction jump to the one that comes next. */
function landHere({ code }: Parser, index: number): void {
  code[index * WIDTH] = (code[index * WIDTH] | ((code.length / WIDTH) << 16)) >>> 0
}

/* Statements */

/** Takes a text argument of an action or of SET_MEM. */
function parseText(parser: Parser, statement: string): Token {
  const { token } = parser
  if (token.kind === 'string') return take(parser)
  if (token.kind === 'number')
    refuse('wrong_arg_type', token, `${statement} takes a text, not a number`)
  return refuse('missing_argument', token, `${statement} needs a text`)
}

function parseAction(parser: Parser): void {
  const token = take(parser)
  const action = (DRONE_ACTIONS as readonly string[]).indexOf(token.text)
  if (action < 0) refuse('unknown_action', token, `there is no action ${token.text}`)
  if (!mayDo(parser.type, token.text)) {
    const type = DRONE_TYPES[parser.type]
    refuse('action_forbidden', token, `${withArticle(type)} drone cannot ${token.text}`)
  }
  let word = ''
  if (TAKES_TEXT.has(token.text)) {
    const argument = parseText(parser, token.text)
    word = argument.text
    if (token.text === 'STANCE' && !STANCES.includes(word)) {
      refuse('bad_stance', argument, `a stance is one of ${STANCES.join(', ')}`)
    }
  }
  put(parser, OP.act | (action << 4) | (1 << 12), textIndex(parser, word))
}

function parseSetMem(parser: Parser): void {
  take(parser)
  const key = parseText(parser, 'SET_MEM').text
  const value = parseText(parser, 'SET_MEM').text
  put(parser, OP.set | (1 << 12), textIndex(parser, key), textIndex(parser, value))
}

/**
 * Parses statements up to END, ELSE or the end. Returns true when there is an action among them:
 * what follows it can never run and leaves no code.
 */
function parseList(parser: Parser): boolean {
  let length = -1
  while (parser.token.kind !== 'end' && !isWord(parser, 'END') && !isWord(parser, 'ELSE')) {
    if (parser.token.kind !== 'word') unexpected(parser.token, STATEMENT)
    if (isWord(parser, 'IF')) parseIf(parser)
    else if (isWord(parser, 'SET_MEM')) parseSetMem(parser)
    else {
      parseAction(parser)
      if (length < 0) length = parser.code.length
    }
    if (length >= 0) parser.code.length = length
  }
  return length >= 0
}

/** Cost of an IF, charged with its first branch. */
const IF_COST = 1

function parseIf(parser: Parser): void {
  const opening = parser.token
  if (++parser.depth > DRONE_NESTING_MAX) {
    refuse('nesting_too_deep', opening, `IF stands in IF ${DRONE_NESTING_MAX} deep at most`)
  }
  const exits: number[] = []
  let cost = IF_COST
  let branch = -1
  for (;;) {
    take(parser)
    branch = parseCondition(parser, cost)
    cost = 0
    const acts = parseList(parser)
    if (!isWord(parser, 'ELSE')) break
    take(parser)
    if (!acts) exits.push(put(parser, OP.jump))
    landHere(parser, branch)
    branch = -1
    if (isWord(parser, 'IF') && !parser.token.afterSep) continue
    put(parser, OP.else | (1 << 12))
    parseList(parser)
    break
  }
  if (!isWord(parser, 'END')) {
    if (parser.token.kind === 'end') refuse('missing_end', parser.token, 'an IF without its END')
    unexpected(parser.token, 'END')
  }
  take(parser)
  if (branch >= 0) landHere(parser, branch)
  for (const exit of exits) landHere(parser, exit)
  parser.depth--
}

/* Conditions */

/** Takes the literal between the parentheses of a function; undefined where there is none. */
function parseArgument(parser: Parser, name: Token, takes: string): Token | undefined {
  if (!isSign(parser, '(')) refuse('missing_paren', parser.token, `${name.text} needs ( )`)
  take(parser)
  const { token } = parser
  let argument: Token | undefined
  if (token.kind === 'string' || token.kind === 'number') {
    if (takes === '') refuse('wrong_arity', token, `${name.text} takes nothing between ( )`)
    const kind = takes === 'number' ? 'number' : 'string'
    if (token.kind !== kind) {
      refuse('wrong_arg_type', token, `${name.text} takes a ${kind === 'string' ? 'text' : kind}`)
    }
    argument = take(parser)
  } else if (isSign(parser, ')') && takes !== '' && takes !== 'optional') {
    refuse('wrong_arity', token, `${name.text} needs a ${takes === 'string' ? 'text' : takes}`)
  }
  if (parser.token.kind === 'string' || parser.token.kind === 'number') {
    refuse('wrong_arity', parser.token, `${name.text} takes one thing between ( )`)
  }
  if (!isSign(parser, ')')) refuse('missing_paren', parser.token, `${name.text} needs its )`)
  take(parser)
  return argument
}

/** Returns the index into COMPARISONS of a token; 0 none. */
const comparisonOf = ({ kind, text }: Token): number =>
  kind === 'sign' ? Math.max(0, (COMPARISONS as readonly string[]).indexOf(text)) : 0

function parseCondition(parser: Parser, cost: number): number {
  const name = parser.token
  if (name.kind !== 'word') unexpected(name, 'a condition')
  take(parser)
  if (Object.hasOwn(PREDICATES, name.text)) return parsePredicate(parser, name, cost)
  if (NUMBERS.includes(name.text)) return parseNumber(parser, name, cost)
  if (name.text === 'mem') return parseMemory(parser, name, cost)
  return refuse('unknown_function', name, `there is no function ${name.text}`)
}

/** Costs of a branch with its call, and of one that also compares. */
const CALL_COST = 2
const COMPARED_COST = 3

const branchHead = (name: Token, compare: number, cost: number): number =>
  OP.if | (FN[name.text as FunctionName] << 4) | (compare << 8) | (cost << 12)

function parsePredicate(parser: Parser, name: Token, cost: number): number {
  const argument = parseArgument(parser, name, PREDICATES[name.text])
  if (comparisonOf(parser.token) > 0) {
    refuse('bool_compared', parser.token, `${name.text} is true or false by itself`)
  }
  if (isSign(parser, '%')) refuse('bad_modulo', parser.token, 'only tick() has a remainder')
  let operand = 0
  if (argument?.kind === 'number') operand = Number(argument.text)
  else if (argument) operand = textIndex(parser, argument.text)
  else if (name.text === 'resource_available') operand = ANY
  return put(parser, branchHead(name, 0, cost + CALL_COST), operand)
}

/** Takes the comparison that a value needs. */
function parseComparison(parser: Parser, name: Token): number {
  const compare = comparisonOf(parser.token)
  if (compare === 0) {
    refuse('value_not_compared', parser.token, `${name.text} must be compared with something`)
  }
  take(parser)
  return compare
}

function parseModulus(parser: Parser, name: Token): number {
  if (!isSign(parser, '%')) return 0
  const sign = take(parser)
  if (name.text !== 'tick') refuse('bad_modulo', sign, 'only tick() has a remainder')
  const { token } = parser
  const modulus = token.kind === 'number' ? Number(token.text) : 0
  if (modulus < 1) refuse('bad_modulo', token, 'tick() % needs a number of at least 1')
  take(parser)
  return modulus
}

function parseNumber(parser: Parser, name: Token, cost: number): number {
  parseArgument(parser, name, '')
  const modulus = parseModulus(parser, name)
  const compare = parseComparison(parser, name)
  const { token } = parser
  if (token.kind === 'string') refuse('wrong_arg_type', token, `${name.text} is a number`)
  if (token.kind !== 'number') unexpected(token, 'a number')
  take(parser)
  const head = branchHead(name, compare, cost + COMPARED_COST)
  return put(parser, head, Number(token.text), modulus)
}

function parseMemory(parser: Parser, name: Token, cost: number): number {
  const key = parseArgument(parser, name, 'string')
  if (isSign(parser, '%')) refuse('bad_modulo', parser.token, 'only tick() has a remainder')
  const operator = parser.token
  const compare = parseComparison(parser, name)
  if (compare > 2) refuse('bad_operator', operator, 'texts are equal (==) or not (!=)')
  const { token } = parser
  if (token.kind === 'number') refuse('wrong_arg_type', token, 'mem is a text')
  if (token.kind !== 'string') unexpected(token, 'a text')
  take(parser)
  const head = branchHead(name, compare, cost + COMPARED_COST)
  return put(parser, head, textIndex(parser, key?.text ?? ''), textIndex(parser, token.text))
}

function parse(source: string, type: number): Program {
  const next = lexer(source)
  const texts = new Map<string, number>()
  const parser: Parser = { type, next, token: next(), code: [], texts, depth: 0 }
  parseList(parser)
  if (parser.token.kind !== 'end') unexpected(parser.token, STATEMENT)
  put(parser, OP.end)
  const instructions = parser.code.length / WIDTH
  assert(instructions <= DRONE_INSTRUCTIONS_MAX, `a script has ${instructions} instructions`)
  return { code: parser.code, texts: [...texts.keys()] }
}

/** Returns whether a text is past the bound, in code points; a far longer one is not counted. */
const isTooLong = (source: string): boolean =>
  source.length > 2 * DRONE_SCRIPT_CHARACTERS_MAX ||
  codePointLength(source) > DRONE_SCRIPT_CHARACTERS_MAX

/** Compiles a script for a type of drone (index into DRONE_TYPES), or returns its first fault. */
export function compile(source: string, type: number): Compiled {
  assert(DRONE_TYPES[type] !== undefined, `there is no type of drone ${type}`)
  if (isTooLong(source)) {
    const text = `a script has at most ${DRONE_SCRIPT_CHARACTERS_MAX} characters`
    return { ok: false, fault: { kind: 'too_long', line: 1, column: 1, text } }
  }
  try {
    return { ok: true, program: parse(source, type) }
  } catch (error) {
    if (error instanceof ScriptError) return { ok: false, fault: error.fault }
    throw error
  }
}

/** ours: the first line distinguishes scripts in a list. */
const PREVIEW_CHARACTERS_MAX = 60

export const sourceOf = (view: WorldView, script: Row): string =>
  script === 0 ? '' : view.texts.get(view.read(DroneScript).source[script])

/** Returns the part of a script that a list shows. */
export function previewOf(view: WorldView, script: Row): string {
  const [line] = sourceOf(view, script).trim().split('\n', 1)
  return [...line].slice(0, PREVIEW_CHARACTERS_MAX).join('').trim()
}

/** Returns whether there is no room for another script with its words. */
export function lacksScriptRoom(view: WorldView, program: Program): boolean {
  return isNearlyFull(view, DroneScript) || program.texts.length > view.roomIn(DroneWord)
}
