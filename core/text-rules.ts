/**
 * The rules for every free text of a player: chat, logs, notes, status messages (not user names or
 * passwords). A text that passes is stored and returned unchanged; passing it through them again
 * changes nothing.
 */
import { type Failure, fail, invalidFields, type Outcome, ok } from './errors.ts'

export interface TextRule {
  /** Longest text, in units. */
  readonly max: number
  readonly unit: 'codepoints' | 'bytes'
  /** Name of the field in the refusal. */
  readonly field: string
  /** An empty text clears the field. */
  readonly mayBeEmpty?: true
  /** Line breaks and tabs are refused: it is a name or title, which lists show. */
  readonly oneLine?: true
}

/** Codes with which a text may be refused. */
export type TextError = 'invalid_payload' | 'too_long'

const LONE_SURROGATE = /\p{Surrogate}/u
/** C0 and C1 controls except line feed and tab. */
const CONTROL = /[^\P{Cc}\n\t]/u
/**
 * Characters that are not seen: format characters (bidi overrides, joiners, tags) and everything
 * else that renders as nothing. The two variation selectors that emoji use pass, but not one after
 * another, which could carry a hidden message.
 */
const INVISIBLE = /\p{Cf}|(?![\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}|[\uFE0E\uFE0F]{2}/u
/** Only white space and the braille pattern without dots, a symbol that looks like a space. */
const BLANK = /^[\s\u2800]*$/u

/**
 * Returns the text as it is stored: NFC, trimmed. Refusals: `invalid_payload` (lone surrogate,
 * control or invisible character, nothing left), `too_long`. Source: social.md, text rules.
 */
export function cleanText(value: string, rule: TextRule): Outcome<string, TextError> {
  const forbidden = forbiddenIn(value)
  if (forbidden) return malformed(rule, forbidden)
  const text = BLANK.test(value) ? '' : value.normalize('NFC').trim()
  if (text === '' && !rule.mayBeEmpty) return malformed(rule, 'a text that is not empty')
  if (rule.oneLine && !isOneLine(text)) return malformed(rule, 'one line')
  const length = rule.unit === 'bytes' ? byteLength(text) : codePointLength(text)
  if (length > rule.max) {
    return fail('too_long', { field: rule.field, max: rule.max, length, unit: rule.unit })
  }
  return ok(text)
}

function forbiddenIn(value: string): string | undefined {
  if (LONE_SURROGATE.test(value)) return 'well-formed Unicode'
  if (CONTROL.test(value)) return 'free of control characters other than line feed and tab'
  if (INVISIBLE.test(value)) return 'free of invisible and direction-changing characters'
  return undefined
}

function malformed(rule: TextRule, expected: string): Failure<'invalid_payload'> {
  return invalidFields({ field: rule.field, expected })
}

/** Returns true for a text without line breaks and tabs, as titles and names must be. */
export const isOneLine = (text: string): boolean => !/[\n\t\p{Zl}\p{Zp}]/u.test(text)

/** Returns the length in code points. */
export function codePointLength(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

/** Returns the length in UTF-8. */
export function byteLength(text: string): number {
  let bytes = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) bytes += 1
    else if (unit < 0x800) bytes += 2
    else if (unit >= 0xd800 && unit < 0xdc00) {
      bytes += 4
      i++
    } else bytes += 3
  }
  return bytes
}

/** Returns the key of a user name, which is the same for names that count as equal. */
export function usernameKey(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
}

/** Returns a colour in wire format: `#RRGGBB`. */
export const colorText = (rgb: number): string =>
  `#${rgb.toString(16).toUpperCase().padStart(6, '0')}`
