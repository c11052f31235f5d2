/**
 * The letters of drone scripts: tokens with their places, one at a time, so that the first thing
 * that is wrong in a text is what is told. Source: drones.md section 3.1.
 */

/** Source: drones.md section 3.7. */
export const SCRIPT_FAULTS = [
  'too_long',
  'bad_char',
  'unterminated_string',
  'unexpected_token',
  'missing_end',
  'unknown_function',
  'missing_paren',
  'wrong_arity',
  'wrong_arg_type',
  'bool_compared',
  'value_not_compared',
  'bad_operator',
  'bad_modulo',
  'unknown_action',
  'action_forbidden',
  'missing_argument',
  'bad_stance',
  'nesting_too_deep',
] as const
export type ScriptFaultKind = (typeof SCRIPT_FAULTS)[number]

export interface ScriptFault {
  readonly kind: ScriptFaultKind
  /** From 1. */
  readonly line: number
  /** From 1, in code points. */
  readonly column: number
  /** What is wrong, without the place. */
  readonly text: string
}

/** Carries a fault out of the parser; never leaves this folder. */
export class ScriptError extends Error {
  readonly fault: ScriptFault

  constructor(fault: ScriptFault) {
    super(fault.text)
    this.fault = fault
  }
}

export interface Place {
  readonly line: number
  readonly column: number
}

export function refuse(kind: ScriptFaultKind, { line, column }: Place, text: string): never {
  throw new ScriptError({ kind, line, column, text })
}

export type TokenKind = 'word' | 'string' | 'number' | 'sign' | 'end'

export interface Token extends Place {
  readonly kind: TokenKind
  /** Of a string what is between the quotes. */
  readonly text: string
  /** A separator stood before it. */
  readonly afterSep: boolean
}

const NUMBER_DIGITS_MAX = 9
const SIGNS_OF_TWO: readonly string[] = ['==', '!=', '<=', '>=']
const SIGNS_OF_ONE: readonly string[] = ['<', '>', '%', '(', ')']

const isDigit = (c: string | undefined): boolean => c !== undefined && c >= '0' && c <= '9'
const isLetter = (c: string | undefined): boolean =>
  c !== undefined && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c === '_')

/**
 * ours: what no text table, journal or terminal should be given: controls but tab, line feed and
 * carriage return, and halves of surrogate pairs.
 */
function isForbidden(c: string): boolean {
  const code = c.codePointAt(0) ?? 0
  if (code < 0x20) return code !== 9 && code !== 10 && code !== 13
  return code === 0x7f || (code >= 0xd800 && code <= 0xdfff)
}

interface Cursor extends Place {
  readonly source: readonly string[]
  at: number
  line: number
  column: number
}

function step(cursor: Cursor): string {
  const c = cursor.source[cursor.at++]
  if (isForbidden(c)) refuse('bad_char', cursor, 'a character that no script may have')
  if (c === '\n') {
    cursor.line++
    cursor.column = 1
  } else cursor.column++
  return c
}

/** Passes what is between tokens; true when a separator was among it. */
function skip(cursor: Cursor): boolean {
  const { source } = cursor
  let isSeparated = false
  for (let c = source[cursor.at]; cursor.at < source.length; c = source[cursor.at]) {
    if (c === '/' && source[cursor.at + 1] === '/') {
      while (cursor.at < source.length && source[cursor.at] !== '\n') step(cursor)
    } else if (c === '\n' || c === ';') {
      isSeparated = true
      step(cursor)
    } else if (c === ' ' || c === '\t' || c === '\r') step(cursor)
    else break
  }
  return isSeparated
}

function run(cursor: Cursor, test: (c: string | undefined) => boolean): string {
  let text = ''
  while (test(cursor.source[cursor.at])) text += step(cursor)
  return text
}

function quoted(cursor: Cursor, place: Place): string {
  const { source } = cursor
  step(cursor)
  let text = ''
  while (source[cursor.at] !== '"') {
    if (cursor.at >= source.length || source[cursor.at] === '\n') {
      refuse('unterminated_string', place, 'a text that does not end on its line')
    }
    text += step(cursor)
  }
  step(cursor)
  return text
}

function sign(cursor: Cursor, place: Place): string {
  const c = step(cursor)
  const two = c + (cursor.source[cursor.at] ?? '')
  if (SIGNS_OF_TWO.includes(two)) {
    step(cursor)
    return two
  }
  if (!SIGNS_OF_ONE.includes(c)) refuse('bad_char', place, `"${c}" means nothing here`)
  return c
}

function number(cursor: Cursor, place: Place): string {
  const digits = run(cursor, isDigit)
  if (digits.length > NUMBER_DIGITS_MAX) {
    refuse('unexpected_token', place, `a number has at most ${NUMBER_DIGITS_MAX} digits`)
  }
  return digits
}

/** Gives the tokens of a text, given as its code points; after the last, `end` for ever. */
export function lexer(source: readonly string[]): () => Token {
  const cursor: Cursor = { source, at: 0, line: 1, column: 1 }
  return () => {
    const afterSep = skip(cursor)
    const place = { line: cursor.line, column: cursor.column }
    const token = (kind: TokenKind, text: string): Token => ({ ...place, kind, text, afterSep })
    const c = source[cursor.at]
    if (c === undefined) return token('end', '')
    if (c === '"') return token('string', quoted(cursor, place))
    if (isDigit(c)) return token('number', number(cursor, place))
    if (!isLetter(c)) return token('sign', sign(cursor, place))
    return token(
      'word',
      run(cursor, (next) => isLetter(next) || isDigit(next)),
    )
  }
}
