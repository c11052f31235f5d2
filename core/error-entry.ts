/**
 * A row of the error table: the HTTP status and what a player reads. Of several sentences, the
 * first is used for which the details have every `<placeholder>`; the last has no placeholders.
 * `phrase` writes a placeholder out: `<need credit>` counts, `<names or>` lists alternatives,
 * `<fits|free>` takes the first of these that the details have.
 */
import { phrase } from './error-phrase.ts'
import { marked } from './say.ts'

export interface ErrorEntry {
  readonly status: number
  /** Complete without details. */
  readonly message: string
  /** Used with details, the most specific first. */
  readonly sentences: readonly Sentence[]
}

/** Words and placeholders in alternation, with words first and last. */
interface Sentence {
  readonly words: readonly string[]
  readonly gaps: readonly Gap[]
}

interface Gap {
  readonly names: readonly string[]
  readonly noun: string
}

const GAP = /<([a-z_|]+)(?: ([a-z ]+))?>/

function sentenceOf(text: string): Sentence {
  const pieces = marked(text).split(GAP)
  const gaps: Gap[] = []
  for (let index = 1; index < pieces.length; index += 3)
    gaps.push({ names: pieces[index].split('|'), noun: pieces[index + 1] ?? '' })
  return { words: pieces.filter((_, index) => index % 3 === 0), gaps }
}

/** Makes an entry of one sentence, or of several, the most specific first. */
export function e(text: string | readonly string[], status = 400): ErrorEntry {
  const texts = typeof text === 'string' ? [text] : text
  return {
    status,
    message: marked(texts[texts.length - 1]),
    sentences: texts.slice(0, -1).map(sentenceOf),
  }
}

/** Returns the sentence of an entry for these details. */
export function sentenceFor(
  { sentences, message }: ErrorEntry,
  details: Readonly<Record<string, unknown>> | undefined,
): string {
  if (!details) return message
  for (const { words, gaps } of sentences) {
    const names = gaps.map((gap) => gap.names.find((name) => details[name] !== undefined))
    if (names.includes(undefined)) continue
    let text = words[0]
    for (let index = 0; index < gaps.length; index++) {
      const name = names[index] as string
      text += phrase(details[name], name, gaps[index].noun) + words[index + 1]
    }
    return text
  }
  return message
}
