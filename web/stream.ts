/**
 * The event feed: one EventSource per browser. The tab that holds a lock leads: it reads the stream
 * and forwards each message; the others send it their topics over a BroadcastChannel. Without locks
 * each tab reads for itself. Source: WEB 2, 4.
 */
import { signal } from '@preact/signals'
import type { FeedData, FeedType } from '../core/public/events.ts'
import type { TopicType } from '../core/public/topics.ts'
import { reloadAll } from './api.ts'
import { tickArrived, tickMs } from './clock.ts'

/** A message of the feed, or of another topic, whose data the listener interprets. */
export type StreamMessage =
  | {
      [T in FeedType]: {
        readonly id: string
        readonly type: T
        readonly data: FeedData[T]
        readonly timestamp?: string
        readonly tick: number
      }
    }[FeedType]
  | {
      readonly id: string
      readonly type: 'topic'
      readonly topic: TopicType | 'ops'
      readonly data: unknown
    }

type Listener = (message: StreamMessage) => void

const NAME = 'orrery-stream'
const TOPICS_MAX = 8
/** A tab that has been hidden for this long stops reading. */
const HIDDEN_MS_MAX = 300_000
/** The same where each tab has its own stream: browsers limit the connections to a host. */
const HIDDEN_MS_ALONE = 2_000
const SETTLE_MS = 150
const ANNOUNCE_EVERY_MS = 20_000
const ANNOUNCED_MS_MAX = 60_000
const BACKOFF_MS_MAX = 30_000
/** How long to wait before a refused list of topics is requested again. */
const REFUSED_MS = 60_000
/** A stream counts as dead if nothing arrives for this long and for this many ticks. */
const SILENT_MS_MAX = 60_000
const SILENT_TICKS_MAX = 5
/** Kept for views that open later. */
const RECENT_MAX = 300

type StreamState = 'connecting' | 'live' | 'away' | 'resting'
export const streamState = signal<StreamState>('connecting')
/** The latest messages of the feed, oldest first. */
export const recent = signal<readonly StreamMessage[]>([])

const listeners = new Map<Listener, readonly string[]>()
const tab = `${Date.now().toString(36)}.${Math.random().toString(36).slice(2)}`
/** Topics of other tabs, and when each tab last announced them. */
const otherTabs = new Map<string, { readonly topics: readonly string[]; readonly atMs: number }>()
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(NAME) : undefined

let isLeader = false
let isResting = false
let source: EventSource | undefined
let sourceTopics = ''
let lastId = ''
let failures = 0
/** No new stream is opened before this time. */
let retryAtMs = 0
/** When the stream was opened, or last delivered a message. */
let lastMessageMs = 0
/** The list that was refused: the server refuses all topics if one of them does not exist. */
let refused = { topics: '', untilMs: 0 }
let settling: ReturnType<typeof setTimeout> | undefined

const ownTopics = (): string[] => (isResting ? [] : ['feed', ...[...listeners.values()].flat()])

/** Types of topic messages, such as `map`, and of their tables of indexes, such as `map_table`. */
const OWN_TYPE = /^(map|market|system|item|battle|ops)(_table)?$/
/** The latest tick and the latest tables of the topics, for tabs that open later. */
let latestTick: StreamMessage | undefined
const tables = new Map<string, StreamMessage>()
const TABLES_MAX = 32

function keepTable(message: StreamMessage): void {
  if (message.type !== 'topic' || !message.topic.endsWith('_table')) return
  const name = `${message.topic} ${(message.data as { system?: string }).system ?? ''}`
  // The latest come last; only systems have many.
  tables.delete(name)
  tables.set(name, message)
  if (tables.size <= TABLES_MAX) return
  const oldest = [...tables.keys()].find((key) => key.startsWith('system_table'))
  if (oldest !== undefined) tables.delete(oldest)
}

/** Handles a message of the stream, on every tab. */
function receive(message: StreamMessage): void {
  streamState.value = isResting ? 'resting' : 'live'
  keepTable(message)
  if (message.type === 'tick' || message.type === 'connected') {
    latestTick = message
    tickArrived(message.data.tick)
  } else if (message.type === 'reset') {
    recent.value = []
    reloadAll()
  } else if (message.type !== 'topic') {
    if (recent.value.some(({ id }) => id === message.id)) return
    recent.value = [...recent.value.slice(1 - RECENT_MAX), message]
  }
  for (const listener of listeners.keys()) listener(message)
}

function parse(event: MessageEvent<string>): StreamMessage | undefined {
  try {
    const body = JSON.parse(event.data)
    if (!OWN_TYPE.test(body.type)) return { ...body, id: event.lastEventId }
    return { id: event.lastEventId, type: 'topic', topic: body.type, data: body.data }
  } catch {
    return undefined
  }
}

function forgetSilentTabs(): void {
  const now = Date.now()
  for (const [id, { atMs }] of otherTabs) if (now - atMs > ANNOUNCED_MS_MAX) otherTabs.delete(id)
}

/** Returns the topics of all tabs, the feed first, up to as many as a stream may have. */
function allTopics(): string[] {
  forgetSilentTabs()
  const all = [...ownTopics(), ...[...otherTabs.values()].flatMap(({ topics }) => topics)]
  return [...new Set(all)].slice(0, TOPICS_MAX)
}

/** Returns the topics to request: after a refusal only those that always exist. */
function topicsToRequest(): string {
  const topics = allTopics()
  const isRefused = refused.topics === topics.join(',') && Date.now() < refused.untilMs
  return topics.filter((name) => !isRefused || name === 'feed' || name === 'map').join(',')
}

function markAway(): void {
  streamState.value = 'away'
  channel?.postMessage({ kind: 'away' })
}

/**
 * Handles a refusal: if the whole list was refused, the short one is requested for a while; if the
 * short one was, the whole list again.
 */
function handleRefusal(): void {
  const topics = allTopics().join(',')
  const isWhole = sourceTopics === topics
  refused = { topics, untilMs: isWhole ? Date.now() + REFUSED_MS : 0 }
  source = undefined
  failures++
  const waitMs = Math.min(BACKOFF_MS_MAX, 1_000 * 2 ** failures)
  retryAtMs = Date.now() + waitMs * (0.75 + Math.random() / 2)
  settle()
}

/** Closes a stream that is open but sends nothing, for example after the computer has slept. */
function endIfSilent(): void {
  const silentMs = Math.max(SILENT_MS_MAX, SILENT_TICKS_MAX * tickMs.peek())
  if (!source || Date.now() - lastMessageMs <= silentMs) return
  source.close()
  source = undefined
  markAway()
}

function connect(): void {
  const topics = topicsToRequest()
  if (topics === sourceTopics && source && source.readyState !== EventSource.CLOSED) return
  source?.close()
  source = undefined
  sourceTopics = topics
  if (topics === '') return
  const after = lastId ? `&after=${encodeURIComponent(lastId)}` : ''
  source = new EventSource(`/events?topics=${topics}${after}`)
  lastMessageMs = Date.now()
  source.onopen = () => {
    failures = 0
    lastMessageMs = Date.now()
  }
  source.onmessage = (event) => {
    lastMessageMs = Date.now()
    if (event.lastEventId) lastId = event.lastEventId
    const message = parse(event)
    if (!message) return
    receive(message)
    channel?.postMessage({ kind: 'message', message })
  }
  source.onerror = () => {
    markAway()
    // Refused, not interrupted: the browser does not reconnect by itself.
    if (source?.readyState === EventSource.CLOSED) handleRefusal()
  }
}

function settle(): void {
  clearTimeout(settling)
  settling = setTimeout(connect, Math.max(SETTLE_MS, retryAtMs - Date.now()))
}

function topicsChanged(): void {
  if (isLeader) settle()
  else channel?.postMessage({ kind: 'topics', tab, topics: ownTopics() })
}

/**
 * Subscribes to topics beside the feed; the listener gets every message of the stream. Returns the
 * function that unsubscribes.
 */
export function listen(topics: readonly string[], listener: Listener): () => void {
  listeners.set(listener, topics)
  for (const table of tables.values()) listener(table)
  topicsChanged()
  return () => {
    listeners.delete(listener)
    topicsChanged()
  }
}

function receiveFromTab({ data }: MessageEvent): void {
  if (data.kind === 'message' && !isLeader) {
    // The tab that leads next resumes from here. Tables may arrive late, with old ids.
    if (data.message.type !== 'topic' && data.message.id) lastId = data.message.id
    receive(data.message)
  } else if (data.kind === 'away' && !isLeader) streamState.value = 'away'
  else if (data.kind === 'ask' && !isLeader) topicsChanged()
  else if (data.kind === 'topics') {
    if (isLeader && !otherTabs.has(data.tab) && streamState.value === 'live')
      for (const message of [...tables.values(), latestTick])
        if (message) channel?.postMessage({ kind: 'message', message })
    forgetSilentTabs()
    otherTabs.set(data.tab, { topics: data.topics, atMs: Date.now() })
    if (isLeader) settle()
  }
}

function lead(): void {
  isLeader = true
  channel?.postMessage({ kind: 'ask' })
  settle()
}

function rest(): void {
  isResting = true
  streamState.value = 'resting'
  topicsChanged()
}

function watchVisibility(hiddenMsMax: number): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer)
    if (document.hidden) timer = setTimeout(rest, hiddenMsMax)
    else if (isResting) {
      isResting = false
      streamState.value = 'connecting'
      topicsChanged()
      reloadAll()
    }
  })
}

export function startStream(): void {
  channel?.addEventListener('message', receiveFromTab)
  const { locks } = navigator
  const isShared = locks !== undefined && channel !== undefined
  watchVisibility(isShared ? HIDDEN_MS_MAX : HIDDEN_MS_ALONE)
  setInterval(() => {
    endIfSilent()
    topicsChanged()
  }, ANNOUNCE_EVERY_MS)
  addEventListener('pagehide', () => channel?.postMessage({ kind: 'topics', tab, topics: [] }))
  topicsChanged()
  if (!isShared) {
    lead()
    return
  }
  // Held until this tab closes; then the next in the queue leads.
  void locks.request(NAME, () => {
    lead()
    return new Promise(() => {})
  })
}
