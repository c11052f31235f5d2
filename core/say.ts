/**
 * Sentences for players. They name a command in braces by its v1 name, `{view_storage}`, an action
 * of one as `{facility repair}`, a parameter as `{buy.item_id}`; `say` marks these names, and net
 * replaces them with those of the version in use. Also writes counts, articles and lists.
 */

/** Characters around a marked name: C1 controls, which no text of a player has (text-rules.ts). */
export const MARK = { open: '\u0091', close: '\u0092' } as const

const BRACED = /\{([a-z][a-z0-9_]*(?: [a-z_]+)?(?:\.[a-z_]+)?)\}/g

/** Returns a text of our own with its command names marked. */
export const marked = (text: string): string => text.replace(BRACED, `${MARK.open}$1${MARK.close}`)

const templates = new WeakMap<TemplateStringsArray, readonly string[]>()

/** Marks the names in the literal parts of a template; inserted values stay as they are. */
export function say(words: TemplateStringsArray, ...values: readonly unknown[]): string {
  let parts = templates.get(words)
  if (!parts) {
    parts = words.map(marked)
    templates.set(words, parts)
  }
  let text = parts[0]
  for (let index = 0; index < values.length; index++) text += `${values[index]}${parts[index + 1]}`
  return text
}

/** Writes a number with its noun: `1 unit`, `2 units`; pass `plural` if it is irregular. */
export const counted = (units: number, noun: string, plural = `${noun}s`): string =>
  `${units} ${units === 1 ? noun : plural}`

/** Words that begin with a vowel but sound as if they did not, and the other way round. */
const AS_CONSONANT = /^(?:one|uni|use|eu|ur[aei])/i
const AS_VOWEL = /^(?:[Hh](?:our|onest|eir)|8|11\b|18\b|[AEFHILMNORSX](?:[A-Z0-9]|\b))/

/** Returns the noun with its indefinite article: `a hull`, `an Oathreaver`. */
export function withArticle(noun: string): string {
  const isVowel = AS_VOWEL.test(noun) || (/^[aeiou]/i.test(noun) && !AS_CONSONANT.test(noun))
  return `${isVowel ? 'an' : 'a'} ${noun}`
}

/** Joins a list: `a`, `a and b`, `a, b and c`. */
export function listed(items: readonly string[], joint = 'and'): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} ${joint} ${items[items.length - 1]}`
}
