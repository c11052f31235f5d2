/**
 * Outcomes of mutations on their way to WebSockets cross to main as JSON text: thousands come with
 * one tick, and a tree of objects would be copied into the message, out of it, and only then be
 * written. A tick of 2,000 answers costs main a third.
 */
import { ok } from './errors.ts'
import type {
  Answer,
  PackedList,
  PackedResult,
  PublishedBatch,
  PublishedEmission,
} from './ports.ts'

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
