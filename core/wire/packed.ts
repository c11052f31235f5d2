/**
 * Outcomes of mutations and answers to queries on their way to WebSockets cross to main as JSON
 * text: thousands come in a second, and a tree of objects would be copied into the message, out of
 * it, and only then be written. A tick of 2,000 answers costs main a third.
 */
import { fail, ok } from '../errors.ts'
import type {
  Answer,
  PackedList,
  PackedResult,
  PublishedBatch,
  PublishedEmission,
} from '../ports.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  isObject(value) ? value : value === undefined || value === null ? {} : { result: value }

/** The answer with its result as text, where a WebSocket waits for the outcome of a mutation. */
export function packAnswer(answer: Answer): Answer {
  const { framing, outcome, stage, sections } = answer
  const isV1 = framing === 'ws1'
  if (!outcome.ok || stage !== 'final' || !(isV1 || framing === 'ws2')) return answer
  const { sections: _, ...rest } = answer
  const result = isV1 ? (outcome.result ?? {}) : asObject(outcome.result)
  const { message } = result as { message?: unknown }
  const packed = {
    result: JSON.stringify(result),
    ...(sections ? { sections: JSON.stringify(sections) } : {}),
    ...(typeof message === 'string' ? { message: JSON.stringify(message) } : {}),
  }
  return { ...rest, outcome: ok(undefined), packed }
}

/** Texts of entries that many are told: each is written once. */
const TEXTS = new WeakMap<object, string>()

/** Entries of a list that further answers will hold too, and that nobody changes any more. */
export function shareTexts<T extends object>(entry: T): T {
  TEXTS.set(entry, '')
  return entry
}

function sharedText(entry: object): string {
  const known = TEXTS.get(entry)
  if (known) return known
  const text = JSON.stringify(entry)
  if (known !== undefined) TEXTS.set(entry, text)
  return text
}

const isShared = (value: unknown): value is readonly object[] =>
  Array.isArray(value) && value.length > 0 && TEXTS.has(value[0])

/** JSON of a result; of lists with shared entries these texts are joined. */
function resultText(result: Readonly<Record<string, unknown>>): string {
  const shared = Object.entries(result).filter(([, value]) => isShared(value))
  if (shared.length === 0) return JSON.stringify(result)
  const names = new Set(shared.map(([name]) => name))
  const others = Object.entries(result).filter(([name]) => !names.has(name))
  const head = JSON.stringify(Object.fromEntries(others))
  const lists = shared.map(
    ([name, list]) =>
      `${JSON.stringify(name)}:[${(list as readonly object[]).map(sharedText).join(',')}]`,
  )
  return `${head === '{}' ? '{' : `${head.slice(0, -1)},`}${lists.join(',')}}`
}

/** What v2 says in words of the result of a command. */
export type Describe = (command: string, result: Readonly<Record<string, unknown>>) => string

/**
 * The answer to a query with its result as text, where a WebSocket waits for it. That of an archive
 * query is not there yet. What cannot be written is internal_error: it must not end the world.
 */
export function packQuery(answer: Answer, describe: Describe): Answer {
  try {
    return packed(answer, describe)
  } catch (error) {
    const sentence = `The server failed at this: ${String(error)}`
    return { ...answer, outcome: fail('internal_error', undefined, sentence) }
  }
}

function packed(answer: Answer, describe: Describe): Answer {
  const { framing, command, outcome, stage, archive } = answer
  const isPacked = framing === 'ws1' || framing === 'ws2'
  if (!outcome.ok || stage !== 'final' || archive || !isPacked) return answer
  const result = asObject(outcome.result)
  const texts =
    framing === 'ws1'
      ? { result: resultText(result), namesAction: Object.hasOwn(result, 'action') }
      : { result: resultText(result), words: JSON.stringify(describe(command, result)) }
  return { ...answer, outcome: ok(undefined), packed: texts }
}

/** The answers of a tick, packed. Those of immediates are few, and main looks into some of them. */
export function packBatch(batch: PublishedBatch): PublishedBatch {
  const steps = packSteps(batch)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** The same in steps of one answer. */
export function* packSteps(batch: PublishedBatch): Generator<void, PublishedBatch> {
  if (batch.tick === 0) return batch
  const answers: Answer[] = []
  for (const answer of batch.answers) {
    answers.push(packAnswer(answer))
    yield
  }
  return { ...batch, answers }
}

/** What may carry a packed result: an answer, and the reply that is made of it. */
interface Carrier {
  readonly outcome: Answer['outcome']
  readonly sections?: Answer['sections']
  readonly packed?: PackedResult
}

/** As it was before it was packed. */
export function unpack<T extends Carrier>(carrier: T): T {
  const { packed, ...rest } = carrier
  if (!packed) return carrier
  return {
    ...rest,
    outcome: ok(JSON.parse(packed.result)),
    ...(packed.sections ? { sections: JSON.parse(packed.sections) } : {}),
  } as unknown as T
}

/** The emission as it would be without a long list of its own. */
export function wholeEmission({ list, ...emission }: PublishedEmission): PublishedEmission {
  return list ? { ...emission, payload: wholePayload(emission.payload, list) } : emission
}

/** A payload with its list. */
export const wholePayload = (
  payload: PublishedEmission['payload'],
  { name, entries }: Pick<PackedList, 'name' | 'entries'>,
): PublishedEmission['payload'] => ({
  ...payload,
  [name]: entries.map((entry) => JSON.parse(entry)),
})
