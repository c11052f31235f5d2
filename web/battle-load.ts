/**
 * Reads the log of a battle page by page into a replay, and follows a current battle: new rows come
 * on its topic; ticks that the topic missed are read from the log. Source: WEB 1.3, 2.
 */
import { type Signal, signal } from '@preact/signals'
import type { BattleLogBody } from '../core/public/past.ts'
import { type Failure, type Freshness, forget, openBody } from './api.ts'
import { extendReplay, NO_REPLAY, type Replay, type ReplayRow } from './battle-model.ts'
import { type BattleTurn, rowOfTopic } from './battle-topic.ts'
import { newestTick } from './clock.ts'
import { hrefOf } from './router.ts'
import { listen } from './stream.ts'

/** Rows per request; fewer for a large battle, whose rows are long. */
const PAGE_ROWS = 200
const PAGE_ROWS_MIN = 10
const PAGE_SHIPS = 4_000
/** The most that is kept of one battle: ticks, and ships summed over all ticks. */
export const ROWS_MAX = 2_000
const SHIPS_MAX = 100_000

export interface LogState {
  readonly replay: Replay
  /** Ticks of the whole battle. */
  readonly total: number
  /** Whether all pages so far have been read. */
  readonly isComplete: boolean
  readonly failure?: Failure
  /** Path of the last page requested, for "as JSON" and for retrying. */
  readonly path: string
}

function pathOf({ id, ships, epoch }: Followed, from: number): string {
  const rows = Math.floor(PAGE_SHIPS / Math.max(1, ships))
  const limit = Math.max(PAGE_ROWS_MIN, Math.min(PAGE_ROWS, rows))
  return hrefOf('/api/battle/log', {
    battle_id: id,
    tick_start: String(from),
    limit: String(limit),
    e: epoch,
  })
}

/** Returns whether no more of a battle is read. */
export function isFull({ frames }: Replay): boolean {
  const ships = frames.at(-1)?.ships.length ?? 0
  return frames.length >= ROWS_MAX || frames.length * ships >= SHIPS_MAX
}

interface PageRead {
  readonly path: string
  readonly freshness: Freshness
  readonly take: (body: BattleLogBody) => void
  readonly fail: (failure?: Failure) => void
}

/** Reads a page once, with retries after failures; returns a function that stops. */
function readPage({ path, freshness, take, fail }: PageRead): () => void {
  const { state, close } = openBody<BattleLogBody>(path, freshness)
  let isOpen = true
  const end = () => {
    if (!isOpen) return
    isOpen = false
    close()
    // The replay has these rows now, and the same page may have more at the next request.
    forget(path)
  }
  const stop = state.subscribe(({ data, failure }) => {
    if (!isOpen) return
    fail(failure)
    if (!data) return
    end()
    take(data)
  })
  return () => {
    stop()
    end()
  }
}

const isTurn = (data: unknown, id: string): data is BattleTurn =>
  (data as { battle_id?: unknown } | null)?.battle_id === id

interface Followed {
  readonly id: string
  /** The first tick to read. */
  readonly from: number
  readonly isActive: boolean
  /** The number of ships that took part. */
  readonly ships: number
  /** Part of the address, so that pages cached before a restore are not shown after it. */
  readonly epoch: string | undefined
}

/** Reads the log of a battle, and follows it if it is active, until `close` is called. */
export function followLog(followed: Followed): {
  readonly state: Signal<LogState>
  close(): void
} {
  const { id, from, isActive } = followed
  const path = pathOf(followed, from)
  const state = signal<LogState>({ replay: NO_REPLAY, total: 0, isComplete: false, path })
  let stopReading: (() => void) | undefined
  const nextTick = (): number => (state.peek().replay.frames.at(-1)?.tick ?? from - 1) + 1

  const take = (rows: readonly ReplayRow[], change: Partial<LogState>) => {
    const replay = extendReplay(state.peek().replay, rows)
    state.value = { ...state.peek(), ...change, replay }
  }
  const read = () => {
    stopReading?.()
    const page = pathOf(followed, nextTick())
    const takePage = ({ entries, has_more, total_ticks }: BattleLogBody) => {
      take(entries, { total: total_ticks })
      const isMore = has_more && entries.length > 0 && !isFull(state.peek().replay)
      state.value = { ...state.peek(), isComplete: !isMore }
      if (isMore) read()
    }
    const fail = (failure?: Failure) => {
      state.value = { ...state.peek(), failure, path: page }
    }
    const freshness = isActive ? 'T' : 'I'
    stopReading = readPage({ path: page, freshness, take: takePage, fail })
  }
  read()
  const stopFollowing = isActive ? follow({ id, state, nextTick, take, read }) : undefined
  return {
    state,
    close: () => {
      stopReading?.()
      stopFollowing?.()
    },
  }
}

interface Following {
  readonly id: string
  readonly state: Signal<LogState>
  nextTick(): number
  take(rows: readonly ReplayRow[], change: Partial<LogState>): void
  read(): void
}

/** Takes rows from the topic and reads missing ticks from the log; returns how to stop. */
function follow({ id, state, nextTick, take, read }: Following): () => void {
  const isDone = () => {
    const { replay } = state.peek()
    const isOver = replay.frames.at(-1)?.events.some(({ kind }) => kind === 'end')
    return isOver || isFull(replay)
  }
  let isListening = true
  const stop = listen([`battle:${id}`], (message) => {
    if (message.type !== 'topic' || !isTurn(message.data, id) || isDone()) return
    const { data } = message
    const isNext = state.peek().isComplete && data.tick === nextTick()
    if (isNext) take([rowOfTopic(data)], { total: state.peek().total + 1 })
  })
  const stopListening = () => {
    if (isListening) stop()
    isListening = false
  }
  // The topic of a finished battle disappears, and subscriptions that still name it then fail.
  const stopAtEnd = state.subscribe(() => {
    if (isDone()) stopListening()
  })
  const stopWatching = newestTick.subscribe((tick) => {
    if (state.peek().isComplete && tick >= nextTick() && !isDone()) read()
  })
  return () => {
    stopAtEnd()
    stopListening()
    stopWatching()
  }
}
