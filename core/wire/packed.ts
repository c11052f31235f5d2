/**
 * Outcomes of mutations and answers to queries are passed to main as JSON text when they go to
 * WebSockets, and so are the events of a tick: there are thousands a second, and objects would be
 * copied into the message and out of it before they are written. As text, a tick of 2,000 answers
 * costs main a third.
 */
import { fail, ok } from '../errors.ts'
import { MESSAGES_AHEAD } from '../limits.ts'
import type {
  Answer,
  Messages,
  PackedList,
  PackedResult,
  PublishedBatch,
  PublishedEmission,
} from '../ports.ts'
import type { MessageSink } from './describe.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  isObject(value) ? value : value === undefined || value === null ? {} : { result: value }

/** Packs the outcome of a mutation for which a WebSocket waits; returns others unchanged. */
export function packAnswer(answer: Answer): Answer {
  const { framing, outcome, stage, sections } = answer
  const isV1 = framing === 'ws1'
  if (!outcome.ok || stage !== 'final' || !(isV1 || framing === 'ws2')) return answer
  const result = isV1 ? (outcome.result ?? {}) : asObject(outcome.result)
  const { message } = result as { message?: unknown }
  const packed = {
    result: textOf(result),
    ...(sections ? { sections: textOf(sections) } : {}),
    ...(typeof message === 'string' ? { message: JSON.stringify(message) } : {}),
  }
  const { ref, player, command, requestId, tick, autoDocked, autoUndocked } = answer
  const head = { ref, player, command, framing, requestId, stage, tick, outcome: PACKED, packed }
  return autoDocked || autoUndocked ? { ...head, autoDocked, autoUndocked } : head
}

/** The outcome of an answer whose result is packed as text. */
const PACKED = ok(undefined)

/** JSON of entries that go to many recipients: each is serialized once. */
const TEXTS = new WeakMap<object, string>()

/** Marks an entry of a list or map that is part of several answers and never changes again. */
export function shareTexts<T extends object>(entry: T): T {
  TEXTS.set(entry, '')
  return entry
}

/** Returns whether an entry is marked as shared. */
export const isShared = (entry: object): boolean => TEXTS.has(entry)

/**
 * A map that can only be packed: its own entries, and the JSON, without braces, of further entries
 * that many such maps share.
 */
export class PartlyShared {
  readonly own: object
  readonly others: string
  constructor(own: object, others: string) {
    this.own = own
    this.others = others
  }
}

function sharedText(entry: object): string {
  const known = TEXTS.get(entry)
  if (known) return known
  const text = JSON.stringify(entry)
  if (known !== undefined) TEXTS.set(entry, text)
  return text
}

/** Levels that are searched for shared entries: the sections, and lists or maps of a section. */
const JOINED_DEPTH = 2

/** Writes a value as JSON. Shared entries down to JOINED_DEPTH are joined from their texts. */
const textOf = (value: unknown): string =>
  joinedText(value, JOINED_DEPTH) ?? JSON.stringify(value) ?? 'null'

/** Returns the JSON of a value that is shared or contains shared entries; else undefined. */
function joinedText(value: unknown, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return listText(value)
  if (value instanceof PartlyShared) return joinPairs(JSON.stringify(value.own), value.others)
  if (TEXTS.has(value)) return sharedText(value)
  return depth === 0 ? undefined : mapText(value as Readonly<Record<string, unknown>>, depth - 1)
}

/** Returns the JSON of a list whose first entry is shared, since most are then; else undefined. */
function listText(list: readonly unknown[]): string | undefined {
  const [first] = list
  if (typeof first !== 'object' || first === null || !TEXTS.has(first)) return undefined
  let text = ''
  for (const entry of list) {
    const own = joinedText(entry, 0) ?? JSON.stringify(entry) ?? 'null'
    text = text === '' ? own : `${text},${own}`
  }
  return `[${text}]`
}

/** Returns the JSON of a map with its shared values after the others; undefined if it has none. */
function mapText(map: Readonly<Record<string, unknown>>, depth: number): string | undefined {
  let joined = ''
  const others: string[] = []
  for (const name in map) {
    const text = joinedText(map[name], depth)
    if (text === undefined) others.push(name)
    else joined = joined === '' ? nameText(name) + text : `${joined},${nameText(name)}${text}`
  }
  if (joined === '') return undefined
  const left: Record<string, unknown> = {}
  for (const name of others) left[name] = map[name]
  return joinPairs(JSON.stringify(left), joined)
}

/** Appends further pairs to the JSON of a map. */
const joinPairs = (map: string, others: string): string =>
  map === '{}' ? `{${others}}` : `${map.slice(0, -1)},${others}}`

const NAMES_KEPT_MAX = 1_000
const NAMES = new Map<string, string>()

/** Returns the JSON of a name with its colon, cached: most are fields of definitions. */
function nameText(name: string): string {
  const known = NAMES.get(name)
  if (known !== undefined) return known
  const text = `${JSON.stringify(name)}:`
  if (NAMES.size < NAMES_KEPT_MAX) NAMES.set(name, text)
  return text
}

/** Renders the result of a command as text, for v2. */
export type Describe = (command: string, result: Readonly<Record<string, unknown>>) => string

/**
 * Packs the answer to a query for which a WebSocket waits, unless the archive has yet to answer it.
 * A result that cannot be serialized is answered with internal_error: it must not end the world.
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
      ? { result: textOf(result), namesAction: Object.hasOwn(result, 'action') }
      : { result: textOf(result), words: JSON.stringify(describe(command, result)) }
  return { packed: texts, ...answer, outcome: ok(undefined) }
}

/** Packs a tick. Batches of immediates stay as they are: answers are few, and main reads some. */
export function packBatch(batch: PublishedBatch): PublishedBatch {
  if (batch.tick === 0) return batch
  const sink = packingSink()
  for (const answer of batch.answers) sink.answer(answer)
  for (const emission of batch.emissions) sink.emission(emission)
  return { ...batch, ...sink.kept() }
}

/**
 * Returns a sink that packs the messages of a tick at once, while their objects are young. With
 * `ahead`, it passes them on in groups and keeps only the last ones.
 */
export function packingSink(ahead?: (messages: Messages) => void): MessageSink {
  let answers: Answer[] = []
  let emissions: PublishedEmission[] = []
  const passOn = (): void => {
    if (!ahead || answers.length + emissions.length < MESSAGES_AHEAD) return
    ahead({ answers, emissions })
    answers = []
    emissions = []
  }
  return {
    answer(answer) {
      answers.push(packAnswer(answer))
      passOn()
    },
    emission(emission) {
      emissions.push(packEmission(emission))
      passOn()
    },
    kept: () => ({ answers, emissions }),
  }
}

const NO_FIELDS = {}

/** Packs an event, unless main builds on it or reads it. */
function packEmission(emission: PublishedEmission): PublishedEmission {
  const { type, payload, to, feed, list } = emission
  if (feed || list || type.startsWith('internal:')) return emission
  return { type, payload: NO_FIELDS, to, text: JSON.stringify(payload) }
}

/** What has a packed result: an answer, or the reply made from it. */
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

/** Returns an emission as it was before it was packed, with its long list in the payload. */
export function wholeEmission({ list, text, ...emission }: PublishedEmission): PublishedEmission {
  if (text !== undefined) return { ...emission, payload: JSON.parse(text) }
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
