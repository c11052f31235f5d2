/**
 * The lexer of drone scripts: tokens with their places, one at a time, so that the first fault of a
 * text is reported. Source: drones.md section 3.1.
 */
import { DRONE_FAULT_CHARACTERS_MAX } from './state.ts'

/** Codes of what may be wrong with a script. Source: drones.md section 3.7. */
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
type ScriptFaultKind = (typeof SCRIPT_FAULTS)[number]

/** The first fault of a script, and its place. */
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

interface Place {
  readonly line: number
  readonly column: number
}

/** Refuses a script. The message is cut, since a word may be as long as the script. */
export function refuse(kind: ScriptFaultKind, { line, column }: Place, message: string): never {
  const start = [...message].slice(0, DRONE_FAULT_CHARACTERS_MAX).join('')
  const text = start === message ? message : `${start} ...`
  throw new ScriptError({ kind, line, column, text })
}

type TokenKind = 'word' | 'string' | 'number' | 'sign' | 'end'

export interface Token extends Place {
  readonly kind: TokenKind
  /** The text of the token; of a string what is between the quotes. */
  readonly text: string
  /** Whether a separator came before it. */
  readonly afterSep: boolean
}

const NUMBER_DIGITS_MAX = 9
const SIGNS_OF_TWO: readonly string[] = ['==', '!=', '<=', '>=']
const SIGNS_OF_ONE: readonly string[] = ['<', '>', '%', '(', ')']

const TAB = 9
const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const SPACE = 32
const QUOTE = 34
const SLASH = 47
const SEMICOLON = 59

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95
const isLetterOrDigit = (code: number): boolean => isLetter(code) || isDigit(code)
const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

/**
 * Returns whether a character is a forbidden control; ours: all but tab, line feed and carriage
 * return are kept out of text table, journal and terminals.
 */
const isControl = (code: number): boolean =>
  (code < SPACE && code !== TAB && code !== LINE_FEED && code !== CARRIAGE_RETURN) ||
  (code >= 0x7f && code <= 0x9f)

interface Cursor extends Place {
  readonly source: string
  offset: number
  line: number
  column: number
}

const peek = ({ source, offset }: Cursor, ahead = 0): number => source.charCodeAt(offset + ahead)

/** Moves past a code point; refuses controls and halves of surrogate pairs. */
function step(cursor: Cursor): void {
  const code = peek(cursor)
  const isPair = isHigh(code) && isLow(peek(cursor, 1))
  if (isControl(code) || (!isPair && (isHigh(code) || isLow(code)))) {
    refuse('bad_char', cursor, 'a character that no script may have')
  }
  cursor.offset += isPair ? 2 : 1
  cursor.column++
  if (code !== LINE_FEED) return
  cursor.line++
  cursor.column = 1
}

const isOver = ({ source, offset }: Cursor): boolean => offset >= source.length

/** Moves past spaces, comments and separators; returns true when there was a separator. */
function skip(cursor: Cursor): boolean {
  let isSeparated = false
  while (!isOver(cursor)) {
    const code = peek(cursor)
    if (code === SLASH && peek(cursor, 1) === SLASH) {
      while (!isOver(cursor) && peek(cursor) !== LINE_FEED) step(cursor)
    } else if (code === LINE_FEED || code === SEMICOLON) {
      isSeparated = true
      step(cursor)
    } else if (code === SPACE || code === TAB || code === CARRIAGE_RETURN) step(cursor)
    else break
  }
  return isSeparated
}

function takeWhile(cursor: Cursor, test: (code: number) => boolean): string {
  const start = cursor.offset
  while (!isOver(cursor) && test(peek(cursor))) step(cursor)
  return cursor.source.slice(start, cursor.offset)
}

function quoted(cursor: Cursor, place: Place): string {
  step(cursor)
  const start = cursor.offset
  while (isOver(cursor) || peek(cursor) !== QUOTE) {
    if (isOver(cursor) || peek(cursor) === LINE_FEED) {
      refuse('unterminated_string', place, 'a text that does not end on its line')
    }
    step(cursor)
  }
  const text = cursor.source.slice(start, cursor.offset)
  step(cursor)
  return text
}

function sign(cursor: Cursor, place: Place): string {
  const start = cursor.offset
  step(cursor)
  const two = cursor.source.slice(start, start + 2)
  if (SIGNS_OF_TWO.includes(two)) {
    step(cursor)
    return two
  }
  const one = cursor.source.slice(start, cursor.offset)
  if (!SIGNS_OF_ONE.includes(one)) refuse('bad_char', place, `"${one}" means nothing here`)
  return one
}

function number(cursor: Cursor, place: Place): string {
  const digits = takeWhile(cursor, isDigit)
  if (digits.length > NUMBER_DIGITS_MAX) {
    refuse('unexpected_token', place, `a number has at most ${NUMBER_DIGITS_MAX} digits`)
  }
  return digits
}

/** Returns the kind of the token that begins here. */
function kindOf(cursor: Cursor): TokenKind {
  if (isOver(cursor)) return 'end'
  const code = peek(cursor)
  if (code === QUOTE) return 'string'
  if (isDigit(code)) return 'number'
  return isLetter(code) ? 'word' : 'sign'
}

const READ: Readonly<Record<TokenKind, (cursor: Cursor, place: Place) => string>> = {
  end: () => '',
  string: quoted,
  number,
  word: (cursor) => takeWhile(cursor, isLetterOrDigit),
  sign,
}

/** Returns a function that returns the next token of a text; after the last always `end`. */
export function lexer(source: string): () => Token {
  const cursor: Cursor = { source, offset: 0, line: 1, column: 1 }
  return () => {
    const afterSep = skip(cursor)
    const { line, column } = cursor
    const kind = kindOf(cursor)
    return { line, column, kind, text: READ[kind](cursor, { line, column }), afterSep }
  }
}
