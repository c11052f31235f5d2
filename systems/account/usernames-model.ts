/** User names: which are allowed, and which are taken. Source: accounts.md section 2. */
import { RESERVED_CONTAINS, RESERVED_EQUALS } from '../../core/catalog/index.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { USERNAME_CHARACTERS_MAX, USERNAME_CHARACTERS_MIN } from '../../core/limits.ts'
import { usernameKey } from '../../core/text-rules.ts'
import type { WorldView } from '../../core/types.ts'
import { Base } from '../base/state.ts'
import { STATION_KEYS, USERNAMES } from './state.ts'

/** Returns a name in the form in which it is stored. */
export const storedUsername = (name: string): string => name.normalize('NFC')

/** Parts of composed emoji: joiner, variation selectors, keycap, skin tones, flags, tags. */
const EMOJI_PARTS =
  /[\u{200d}\u{fe00}-\u{fe0f}\u{20e3}\u{1f3fb}-\u{1f3ff}\u{1f1e6}-\u{1f1ff}\u{e0000}-\u{e007f}]/u

const LETTER = String.raw`[[\p{Lu}\p{Ll}\p{Lt}\p{Lo}]&&\p{Script=Latin}]\p{Mn}{0,2}`
const SIGN = String.raw`[0-9 _\-'.!]`
const EMOJI = String.raw`[[\p{Emoji}&&\p{Extended_Pictographic}]--[\u00a9\u00ae\u2122]]`
const ALLOWED = new RegExp(`^(?:${LETTER}|${SIGN}|${EMOJI})+$`, 'v')

const RUN_OF_MARKS = /\p{Mn}{3}/u

/** Returns the rule on length or characters that a name breaks, as a sentence, if any. */
export function nameProblem(name: string, max = USERNAME_CHARACTERS_MAX): string | undefined {
  const length = [...name].length
  if (length < USERNAME_CHARACTERS_MIN || length > max) {
    return `A name has ${USERNAME_CHARACTERS_MIN} to ${max} characters.`
  }
  if (name !== name.trim()) return 'A name neither starts nor ends with a space.'
  if (name.includes('  ')) return 'A name has no two spaces in a row.'
  if (EMOJI_PARTS.test(name)) return 'A name has no joined or modified emoji and no flags.'
  if (RUN_OF_MARKS.test(name)) return 'A letter carries two marks at most.'
  if (!ALLOWED.test(name)) {
    return "A name is made of Latin letters, digits, simple emoji and space _ - ' . ! only."
  }
  return undefined
}

function isReserved(key: string): boolean {
  const bare = key.normalize('NFKD').replace(/\p{M}/gu, '')
  return [key, bare]
    .map((form) => form.replaceAll(' ', ''))
    .some(
      (form) =>
        RESERVED_EQUALS.includes(form) || RESERVED_CONTAINS.some((word) => form.includes(word)),
    )
}

/** Discards the cached names of stations, after one was added, removed or renamed. */
export const invalidateStationNames = (view: WorldView): void => {
  view.index(STATION_KEYS).count = -1
}

/** Returns true where a station has the name with this key. */
export function isStationName(view: WorldView, key: string): boolean {
  const known = view.index(STATION_KEYS)
  if (known.count !== view.countOf(Base)) {
    known.count = view.countOf(Base)
    known.keys.clear()
    const base = view.read(Base)
    for (let row = 1; row <= view.highOf(Base); row++) {
      if (base.alive[row] === 1) known.keys.add(usernameKey(view.texts.get(base.name[row])))
    }
  }
  return known.keys.has(key)
}

/**
 * Refuses a name that cannot be registered, by the first rule it breaks: `invalid_username`,
 * `username_taken`.
 */
export function usernameRefusal(
  view: WorldView,
  name: string,
): Failure<'invalid_username' | 'username_taken'> | undefined {
  const stored = storedUsername(name)
  const problem = nameProblem(stored)
  if (problem) return fail('invalid_username', undefined, problem)
  const key = usernameKey(stored)
  if (isReserved(key)) {
    const message = 'This name contains a reserved word; choose another.'
    return fail('invalid_username', undefined, message)
  }
  if (isStationName(view, key)) {
    return fail('invalid_username', undefined, 'This is the name of a station; choose another.')
  }
  return view.records(USERNAMES).has(key) ? fail('username_taken') : undefined
}
