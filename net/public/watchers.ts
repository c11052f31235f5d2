/**
 * Readers of the public feed: what each is sent first, sending new messages in slices, and closing
 * readers that are too slow. Source: WEB 2.
 */
import {
  FEED_BACKLOG,
  FEED_HEARTBEAT_MS,
  FEED_RETRY_MS,
  PUBLISH_SLICE_MS,
  PUBLISH_SLICE_SOCKETS,
  WATCHER_STALL_MS,
  WATCHER_UNSENT_BYTES_MAX,
} from '../../core/limits.ts'
import type { Topic, TopicMessage } from '../../core/public/topics.ts'
import { feedStamp } from '../../core/time.ts'
import type { Stream } from '../http/answer.ts'
import type { Log } from '../ports.ts'
import { createTurns, type Turns } from '../publish/turns.ts'
import {
  createRing,
  entriesAfter,
  entryOf,
  isAfter,
  joinEntries,
  type MessageId,
  type Ring,
} from './ring.ts'

/** A topic with its recent messages. */
export interface Channel {
  readonly topic: Topic
  readonly ring: Ring
  /** The last message published before this topic existed. */
  readonly since: MessageId
  watchers: number
  /** Public tick in which the last reader left. */
  leftTick: number
}

/** A reader of the feed. */
export interface Watcher {
  readonly address: string
  readonly channels: readonly Channel[]
  /** Names of its topics; equal for readers of the same topics. */
  readonly key: string
  readonly stream: Stream
  cutOff(): void
  /** The last message the reader was sent. */
  sent: MessageId
  silentMs: number
  stalledMs: number
  pending: number
}

/** Why a reader was closed: it read too slowly, or could not be written to. */
type Closed = 'slow' | 'failed'

/** Figures since the start of the process. */
export interface FeedFigures {
  bytes: number
  readonly refused: Record<Refused, number>
  readonly closed: Record<Closed, number>
}

export type Refused = 'no_topic' | 'too_many' | 'too_many_topics' | 'closed'

export const newFigures = (): FeedFigures => ({
  bytes: 0,
  refused: { no_topic: 0, too_many: 0, too_many_topics: 0, closed: 0 },
  closed: { slow: 0, failed: 0 },
})

/** State that all readers share. */
export interface Readers {
  readonly clock: { wallMs(): number; monoMs(): number }
  readonly log: Pick<Log, 'error'>
  /** Messages for all readers: ticks and resets. */
  readonly common: Channel
  readonly watchers: Set<Watcher>
  readonly byAddress: Map<string, number>
  readonly figures: FeedFigures
  newest: MessageId
  /** Wall time of the public tick. */
  wallMs: number
  isFlushing: boolean
}

export const newChannel = (topic: Topic, newest: MessageId): Channel => ({
  topic,
  ring: createRing(newest),
  since: newest,
  watchers: 0,
  leftTick: 0,
})

/** Encoded greetings, as the most recent reader was sent them. */
const GREETED = new WeakMap<TopicMessage, ReturnType<typeof entryOf>>()

/**
 * Returns the bytes of a greeting, encoded once for all readers who start after the same message.
 */
function greetingBytes(message: TopicMessage, id: MessageId, timestamp: string): Buffer {
  const known = GREETED.get(message)
  if (known?.id.tick === id.tick && known.id.n === id.n) return known.bytes
  const { type, data } = message
  const entry = entryOf(id, { type, data, timestamp, tick: id.tick })
  GREETED.set(message, entry)
  return entry.bytes
}

/**
 * Returns what a reader is sent first: the messages it missed, or a fresh start. A topic created
 * after its last message is new to the reader. The reader may also ask for an older topic that it
 * has not read before, so tables are always sent.
 */
export function welcome(
  readers: Readers,
  channels: readonly Channel[],
  greeting: readonly TopicMessage[],
  after: MessageId | undefined,
): Buffer {
  const { newest, common } = readers
  const isNew = ({ since }: Channel): boolean => after !== undefined && isAfter(since, after)
  const known = [common, ...channels.filter((channel) => !isNew(channel))]
  const isKept =
    after && !isAfter(after, newest) && !known.some(({ ring }) => isAfter(ring.lost, after))
  const id = after && isKept ? after : newest
  const timestamp = feedStamp(readers.wallMs, 0)
  const made = (type: string, data: object): Buffer =>
    entryOf(id, { type, data, timestamp, tick: id.tick }).bytes
  const parts: Buffer[] = [Buffer.from(`retry: ${FEED_RETRY_MS}\n\n`)]
  if (after && !isKept) parts.push(made('reset', { reason: 'not_kept' }))
  if (!isKept) parts.push(made('connected', { tick: id.tick }))
  for (const message of greeting) parts.push(greetingBytes(message, id, timestamp))
  if (after && isKept) {
    parts.push(joinEntries(known.map(({ ring }) => entriesAfter(ring, after))))
    return Buffer.concat(parts)
  }
  const feed = channels.find(({ topic }) => topic.name === 'feed')
  if (feed) parts.push(joinEntries([feed.ring.entries.slice(-FEED_BACKLOG)]))
  return Buffer.concat(parts)
}

/** Removes a reader; does nothing if it has left already. */
export function leave(readers: Readers, watcher: Watcher): void {
  if (!readers.watchers.delete(watcher)) return
  const { address, channels } = watcher
  const others = (readers.byAddress.get(address) ?? 1) - 1
  if (others > 0) readers.byAddress.set(address, others)
  else readers.byAddress.delete(address)
  for (const channel of channels) {
    channel.watchers -= 1
    channel.leftTick = readers.newest.tick
  }
}

function closeFor(readers: Readers, watcher: Watcher, why: Closed): void {
  readers.figures.closed[why] += 1
  leave(readers, watcher)
  // Cutting off a connection that is gone may fail as well.
  try {
    watcher.cutOff()
  } catch (error) {
    readers.log.error({ err: error }, 'a connection of the feed could not be cut off')
  }
}

/**
 * Writes to a reader. A reader with too many unsent bytes is closed, since no message may be left
 * out; so is one that cannot be written to. The bytes of this write count from the next one on.
 */
export function write(readers: Readers, watcher: Watcher, bytes: Buffer, sent: MessageId): void {
  const { stream } = watcher
  if (stream.pending() > WATCHER_UNSENT_BYTES_MAX) {
    closeFor(readers, watcher, 'slow')
    return
  }
  watcher.sent = sent
  watcher.silentMs = 0
  try {
    stream.write(bytes)
    readers.figures.bytes += bytes.byteLength
  } catch (error) {
    readers.log.error({ err: error }, 'a reader of the feed could not be written to and is closed')
    closeFor(readers, watcher, 'failed')
  }
}

/**
 * Sends readers all messages they have not been sent yet, in slices, including those published
 * meanwhile.
 */
export function flush(readers: Readers): void {
  if (readers.isFlushing) return
  readers.isFlushing = true
  flushAll(readers).catch((error) => {
    readers.log.error({ err: error }, 'not all readers were sent the new messages')
  })
}

async function flushAll(readers: Readers): Promise<void> {
  try {
    const turns = createTurns(readers.clock.monoMs)
    for (let done: MessageId | undefined; done !== readers.newest; ) {
      done = readers.newest
      await flushRound(readers, turns)
    }
  } finally {
    readers.isFlushing = false
  }
}

/** Sends new messages to all readers; ends early when more have been published meanwhile. */
async function flushRound(readers: Readers, turns: Turns): Promise<void> {
  const { newest } = readers
  const made = new Map<string, Buffer>()
  let count = 0
  for (const watcher of [...readers.watchers]) {
    if (!isAfter(newest, watcher.sent) || !readers.watchers.has(watcher)) continue
    const bytes = unsentOf(watcher, readers.common, made)
    if (bytes.byteLength > 0) write(readers, watcher, bytes, newest)
    else watcher.sent = newest
    count += 1
    if (count % PUBLISH_SLICE_SOCKETS !== 0 && turns.sliceMs() < PUBLISH_SLICE_MS) continue
    await turns.next()
    if (readers.newest !== newest) return
  }
}

/**
 * Returns the bytes of all messages that a reader has not been sent. `made`: bytes by position and
 * topics, shared within this round.
 */
function unsentOf(
  { key, channels, sent }: Watcher,
  common: Channel,
  made: Map<string, Buffer>,
): Buffer {
  const position = `${sent.tick}.${sent.n} ${key}`
  const known = made.get(position)
  if (known) return known
  const bytes = joinEntries([common, ...channels].map(({ ring }) => entriesAfter(ring, sent)))
  made.set(position, bytes)
  return bytes
}

const HEARTBEAT = Buffer.from(':\n\n')

/** Sends heartbeats to silent readers, closes stalled ones. `elapsedMs`: since the last sweep. */
export function sweep(readers: Readers, elapsedMs: number): void {
  for (const watcher of [...readers.watchers]) {
    watcher.silentMs += elapsedMs
    const pending = watcher.stream.pending()
    const isStalled = watcher.pending > 0 && pending >= watcher.pending
    watcher.stalledMs = isStalled ? watcher.stalledMs + elapsedMs : 0
    watcher.pending = pending
    if (watcher.stalledMs >= WATCHER_STALL_MS) closeFor(readers, watcher, 'slow')
    else if (watcher.silentMs >= FEED_HEARTBEAT_MS) write(readers, watcher, HEARTBEAT, watcher.sent)
  }
}
