/**
 * Outcomes of mutations and answers to queries cross to main as JSON text when they go to
 * WebSockets: there are thousands a second, and objects would be copied into the message and out of
 * it before they are written. A tick of 2,000 answers costs main a third of that.
 */
import { fail, ok } from '../errors.ts'
import type {
  Answer,
  PackedList,
  PackedResult,
  PublishedBatch,
  PublishedEmission,
} from '../ports.ts'
import { runSteps } from '../steps.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  isObject(value) ? value : value === undefined || value === null ? {} : { result: value }

/** Packs the outcome of a mutation for which a WebSocket waits; returns others unchanged. */
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

/** JSON of entries that go to many recipients: each is written once. */
const TEXTS = new WeakMap<object, string>()

/** Marks an entry of a list that further answers will hold too and that never changes again. */
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

/** Writes a result as JSON; the entries of shared lists are joined from their texts. */
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

/** Describes the result of a command in words, for v2. */
export type Describe = (command: string, result: Readonly<Record<string, unknown>>) => string

/**
 * Packs the answer to a query for which a WebSocket waits, unless the archive has yet to answer it.
 * A result that cannot be written is internal_error: it must not end the world.
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

/** Packs the answers of a tick. Those of immediates are few, and main reads some of them. */
export function packBatch(batch: PublishedBatch): PublishedBatch {
  return runSteps(packSteps(batch))
}

/** Does the same in steps of one answer. */
export function* packSteps(batch: PublishedBatch): Generator<void, PublishedBatch> {
  if (batch.tick === 0) return batch
  const answers: Answer[] = []
  for (const answer of batch.answers) {
    answers.push(packAnswer(answer))
    yield
  }
  return { ...batch, answers }
}

/** Carries a packed result: an answer, or the reply that is made of it. */
interface Carrier {
  readonly outcome: Answer['outcome']
  readonly sections?: Answer['sections']
  readonly packed?: PackedResult
}

/** Returns an answer as it was before it was packed. */
export function unpack<T extends Carrier>(carrier: T): T {
  const { packed, ...rest } = carrier
  if (!packed) return carrier
  return {
    ...rest,
    outcome: ok(JSON.parse(packed.result)),
    ...(packed.sections ? { sections: JSON.parse(packed.sections) } : {}),
  } as unknown as T
}

/** Returns an emission with its long list in the payload. */
export function wholeEmission({ list, ...emission }: PublishedEmission): PublishedEmission {
  return list ? { ...emission, payload: wholePayload(emission.payload, list) } : emission
}

/** Returns a payload with its list. */
export const wholePayload = (
  payload: PublishedEmission['payload'],
  { name, entries }: Pick<PackedList, 'name' | 'entries'>,
): PublishedEmission['payload'] => ({
  ...payload,
  [name]: entries.map((entry) => JSON.parse(entry)),
})
