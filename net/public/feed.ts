/**
 * The public feed: topics with their recent messages, and their readers. A message is encoded once;
 * a reader gets all its topics in one write per tick. A reader that stops reading is closed and can
 * resume from the id of its last message. This file knows nothing about the world. Source: WEB 2.
 */
import { assert } from '../../core/assert.ts'
import {
  FEED_RING_TICKS,
  WATCHED_BATTLES_MAX,
  WATCHED_ITEMS_MAX,
  WATCHED_SYSTEMS_MAX,
  WATCHERS_MAX,
  WATCHERS_PER_ADDRESS_MAX,
} from '../../core/limits.ts'
import type { FeedData, FeedMessage, FeedType } from '../../core/public/events.ts'
import type { Topic, TopicMessage } from '../../core/public/topics.ts'
import { feedStamp } from '../../core/time.ts'
import type { Stream } from '../http/answer.ts'
import { addEntry, entryOf, type MessageId, START } from './ring.ts'
import {
  type Channel,
  type FeedFigures,
  flush,
  leave,
  newChannel,
  newFigures,
  type Readers,
  type Refused,
  sweep,
  type Watcher,
  welcome,
  write,
} from './watchers.ts'

/** Makes the messages of a public tick for the topics other than `feed` and `ops`. */
export interface TopicSource {
  /**
   * Returns the first messages for a new reader of a topic; undefined if there is no such place or
   * battle.
   */
  greet(topic: Topic): readonly TopicMessage[] | undefined
  /** Returns the messages of a topic about the tick that has just become public. */
  updates(topic: Topic): readonly TopicMessage[]
}

/** A tick that becomes public. */
interface PublicNews {
  readonly tick: number
  readonly wallMs: number
  readonly online: number
  readonly battles: number
  readonly events: readonly FeedMessage[]
}

interface State extends Readers {
  readonly source: TopicSource
  readonly channels: Map<string, Channel>
  /** True once a tick has been published. */
  hasBegun: boolean
  isClosed: boolean
}

interface NewWatcher {
  readonly address: string
  readonly topics: ReadonlyMap<string, Topic>
  /** Id of the last message the reader has; absent for a new reader. */
  readonly after?: MessageId
  /** Sends the head of the response; called once the reader is admitted. */
  open(): Stream
  cutOff(): void
  onGone(handler: () => void): void
}

export type { Refused } from './watchers.ts'

export interface Feed {
  /** Admits a reader, or returns why it is refused. */
  join(watcher: NewWatcher): Refused | undefined
  /** Publishes a tick. */
  publish(news: PublicNews): void
  /**
   * Publishes an event to `feed` at once, without waiting for a tick: forum posts, announcements.
   */
  publishEvent<T extends FeedType>(
    type: T,
    data: FeedData[T],
    names?: FeedMessage['player_info'],
  ): void
  /** Publishes to the topic `ops`, if it has readers. */
  publishOps(body: object): void
  hasOperators(): boolean
  /** Sends heartbeats to silent streams and closes readers that have stalled. */
  sweep(elapsedMs: number): void
  /** Ends all streams; no reader is admitted from then on. */
  close(): void
  watchers(): number
  figures(): FeedFigures
}

/* Messages */

function nextId(state: State): MessageId {
  const { tick, n } = state.newest
  state.newest = { tick, n: n + 1 }
  return state.newest
}

function addBody({ ring }: Channel, id: MessageId, body: object): void {
  addEntry(ring, entryOf(id, body))
}

function addEvent<T extends FeedType>(
  state: State,
  channel: Channel,
  type: T,
  data: FeedData[T],
  player_info?: FeedMessage['player_info'],
): void {
  const id = nextId(state)
  const timestamp = feedStamp(state.wallMs, id.n)
  const names = player_info && Object.keys(player_info).length > 0 ? { player_info } : {}
  addBody(channel, id, { type, data, timestamp, tick: id.tick, ...names })
}

function addMessage(state: State, channel: Channel, { type, data }: TopicMessage): void {
  const id = nextId(state)
  addBody(channel, id, { type, data, timestamp: feedStamp(state.wallMs, id.n), tick: id.tick })
}

/** Resets all readers, since message ids would otherwise decrease. */
function resetReaders(state: State, tick: number): void {
  state.newest = { tick, n: -1 }
  const reset = { type: 'reset', data: { reason: 'restored' }, tick }
  const entry = entryOf(nextId(state), { ...reset, timestamp: feedStamp(state.wallMs, 0) })
  for (const channel of [state.common, ...state.channels.values()]) {
    const { ring } = channel
    ring.entries.length = 0
    ring.bytes = 0
    ring.lost = entry.id
  }
  for (const watcher of [...state.watchers]) write(state, watcher, entry.bytes, entry.id)
}

/**
 * Marks everything before the first tick as lost: messages of an earlier process are not available.
 */
function begin(state: State, tick: number): void {
  state.hasBegun = true
  for (const { ring } of [state.common, feedOf(state)]) ring.lost = { tick, n: -1 }
}

/** Removes topics that have had no reader for as long as their ring reaches back. */
function forgetTopics({ channels }: State, tick: number): void {
  for (const [name, { watchers, leftTick, topic }] of channels) {
    if (watchers > 0 || topic.name === 'feed') continue
    if (tick - leftTick >= FEED_RING_TICKS) channels.delete(name)
  }
}

function publish(state: State, news: PublicNews): void {
  const { tick, wallMs, events, online, battles } = news
  if (state.isClosed) return
  state.wallMs = wallMs
  // A replacement world thread may publish the public tick again: ids continue.
  if (tick < state.newest.tick) resetReaders(state, tick)
  else if (tick > state.newest.tick) state.newest = { tick, n: -1 }
  if (!state.hasBegun) begin(state, tick)
  forgetTopics(state, tick)
  for (const event of events) addBody(feedOf(state), nextId(state), event)
  for (const channel of state.channels.values()) {
    const { name } = channel.topic
    if (name === 'feed' || name === 'ops') continue
    for (const message of state.source.updates(channel.topic)) addMessage(state, channel, message)
  }
  addEvent(state, state.common, 'tick', { tick, online, battles })
  flush(state)
}

function feedOf({ channels }: State): Channel {
  const channel = channels.get('feed')
  assert(channel, 'the feed has lost its own topic')
  return channel
}

/* Readers */

const TOPIC_BOUNDS: Readonly<Partial<Record<Topic['name'], number>>> = {
  battle: WATCHED_BATTLES_MAX,
  item: WATCHED_ITEMS_MAX,
  system: WATCHED_SYSTEMS_MAX,
}

/**
 * Returns whether there is room for one more topic of this kind. To make room, removes one without
 * readers that is not requested either.
 */
function hasRoom({ channels }: State, { name }: Topic, asked: ReadonlyMap<string, Topic>): boolean {
  const bound = TOPIC_BOUNDS[name]
  if (bound === undefined) return true
  const alive = [...channels].filter(([, { topic }]) => topic.name === name)
  if (alive.length < bound) return true
  const idle = alive.find(([key, { watchers }]) => watchers === 0 && !asked.has(key))
  if (idle) channels.delete(idle[0])
  return idle !== undefined
}

/**
 * Returns the channels of topics and creates missing ones; those created before a refusal expire on
 * their own.
 */
function channelsOf(
  state: State,
  topics: ReadonlyMap<string, Topic>,
): { channels: Channel[]; greeting: TopicMessage[] } | Refused {
  const greeting: TopicMessage[] = []
  const channels: Channel[] = []
  for (const [name, topic] of topics) {
    const isOfSource = topic.name !== 'feed' && topic.name !== 'ops'
    const known = state.channels.get(name)
    // A reader that reconnects after the end of a battle may still read its end.
    const greeted = isOfSource ? (state.source.greet(topic) ?? (known && [])) : []
    if (!greeted) return 'no_topic'
    greeting.push(...greeted)
    if (!known && !hasRoom(state, topic, topics)) return 'too_many_topics'
    const channel = known ?? newChannel(topic, state.newest)
    // Counts as abandoned from the start, so that it expires if this reader is refused.
    if (!known) channel.leftTick = state.newest.tick
    state.channels.set(name, channel)
    channels.push(channel)
  }
  return { channels, greeting }
}

function join(state: State, asked: NewWatcher): Refused | undefined {
  if (state.isClosed) return 'closed'
  const { address } = asked
  const own = state.byAddress.get(address) ?? 0
  if (state.watchers.size >= WATCHERS_MAX || own >= WATCHERS_PER_ADDRESS_MAX) return 'too_many'
  const found = channelsOf(state, asked.topics)
  if (typeof found === 'string') return found
  const { channels, greeting } = found
  for (const channel of channels) channel.watchers += 1
  state.byAddress.set(address, own + 1)
  const watcher: Watcher = {
    address,
    channels,
    key: [...asked.topics.keys()].sort().join(),
    stream: asked.open(),
    cutOff: asked.cutOff,
    sent: state.newest,
    silentMs: 0,
    stalledMs: 0,
    pending: 0,
  }
  state.watchers.add(watcher)
  asked.onGone(() => leave(state, watcher))
  write(state, watcher, welcome(state, channels, greeting, asked.after), state.newest)
  return undefined
}

/** Creates a feed to which no tick has been published yet. */
export function createFeed(source: TopicSource, clock: State['clock'], log: State['log']): Feed {
  const state: State = {
    source,
    clock,
    log,
    channels: new Map([['feed', newChannel({ name: 'feed' }, START)]]),
    common: newChannel({ name: 'feed' }, START),
    watchers: new Set(),
    byAddress: new Map(),
    figures: newFigures(),
    newest: START,
    wallMs: clock.wallMs(),
    isFlushing: false,
    hasBegun: false,
    isClosed: false,
  }
  const operators = (): Channel | undefined => state.channels.get('ops')
  return {
    join: (watcher) => {
      const refused = join(state, watcher)
      if (refused) state.figures.refused[refused] += 1
      return refused
    },
    publish: (news) => publish(state, news),
    publishEvent: (type, data, names) => {
      addEvent(state, feedOf(state), type, data, names)
      flush(state)
    },
    publishOps: (body) => {
      const channel = operators()
      if (!channel) return
      const id = nextId(state)
      const timestamp = feedStamp(state.wallMs, id.n)
      addBody(channel, id, { type: 'ops', data: body, timestamp, tick: id.tick })
      flush(state)
    },
    hasOperators: () => (operators()?.watchers ?? 0) > 0,
    sweep: (elapsedMs) => sweep(state, elapsedMs),
    close: () => {
      state.isClosed = true
      for (const watcher of [...state.watchers]) {
        watcher.stream.end()
        leave(state, watcher)
      }
    },
    watchers: () => state.watchers.size,
    figures: () => state.figures,
  }
}
