/**
 * Bodies of the public API, cached by path, and renewed according to their freshness while a view
 * shows them. After a failure the last data stays. Source: WEB 1.1, 4.
 */
import { type Signal, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { newestTick, tickMs } from './clock.ts'

/** How long a body is fresh: a tick, a minute, an hour, forever. */
export type Freshness = 'T' | 'M' | 'H' | 'I'

export interface Failure {
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number
  readonly code: string
  readonly message: string
  /** When the request is retried, by performance.now(). */
  readonly retryAtMs: number
}

export interface Loaded<T> {
  readonly data?: T
  readonly failure?: Failure
  /** False until the first answer. */
  readonly isSettled: boolean
}

interface Entry {
  readonly path: string
  /** The freshness that the latest reader wants. */
  freshness: Freshness
  readonly state: Signal<Loaded<unknown>>
  readers: number
  failures: number
  isBusy: boolean
  /** Whether the pending request was sent before a reset, so that its answer is discarded. */
  isOutdated: boolean
  dueMs: number
}

const ENTRIES_MAX = 96
const BACKOFF_MS_MAX = 30_000
const TIMEOUT_MS = 20_000
/** How long to wait before requesting again what was not found. */
const GONE_MS = 60_000
/** The shortest time between requests for bodies that change with each tick. */
const TICK_MS_MIN = 1_000
const CHECK_MS = 250

const entries = new Map<string, Entry>()

const lifeMs = ({ freshness }: Entry): number => {
  if (freshness === 'T') return Math.max(TICK_MS_MIN, tickMs.value)
  return freshness === 'M' ? 60_000 : freshness === 'H' ? 3_600_000 : Number.POSITIVE_INFINITY
}

function entryOf(path: string, freshness: Freshness): Entry {
  let entry = entries.get(path)
  if (entry) {
    // The latest used come last, so that what is being rendered is not evicted before it opens.
    entries.delete(path)
    entries.set(path, entry)
  } else {
    for (const [old, { readers }] of entries) {
      if (entries.size < ENTRIES_MAX) break
      if (readers === 0) entries.delete(old)
    }
    const state = signal<Loaded<unknown>>({ isSettled: false })
    const idle = { readers: 0, failures: 0, isBusy: false, isOutdated: false, dueMs: 0 }
    entry = { path, freshness, state, ...idle }
    entries.set(path, entry)
  }
  return entry
}

async function failureOf(response: Response, entry: Entry): Promise<Failure> {
  const refusal = (await response.json().catch(() => ({}))) as {
    error?: unknown
    message?: unknown
  }
  const after = Number(response.headers.get('retry-after'))
  const soonMs = after > 0 ? after * 1_000 : backoffMs(entry)
  const waitMs = response.status === 404 ? GONE_MS : soonMs
  return {
    status: response.status,
    code: typeof refusal.error === 'string' ? refusal.error : `http_${response.status}`,
    message:
      typeof refusal.message === 'string'
        ? refusal.message
        : `The server answered ${response.status}.`,
    retryAtMs: performance.now() + waitMs,
  }
}

const backoffMs = ({ failures }: Entry): number =>
  Math.min(BACKOFF_MS_MAX, 1_000 * 2 ** failures) * (0.75 + Math.random() / 2)

async function load(entry: Entry): Promise<void> {
  entry.isBusy = true
  const before = entry.state.peek()
  try {
    const response = await fetch(entry.path, {
      cache: entry.freshness === 'I' ? 'default' : 'no-cache',
      credentials: 'omit',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (response.ok) {
      const data = await response.json()
      if (entry.isOutdated) return
      entry.state.value = { data, isSettled: true }
      entry.failures = 0
      entry.dueMs = performance.now() + lifeMs(entry)
      return
    }
    fail(entry, before, await failureOf(response, entry))
  } catch {
    const message = 'The server does not answer. Check that it runs and that you are online.'
    const retryAtMs = performance.now() + backoffMs(entry)
    fail(entry, before, { status: 0, code: 'offline', message, retryAtMs })
  } finally {
    entry.isBusy = false
    if (entry.isOutdated) entry.dueMs = 0
    entry.isOutdated = false
  }
}

function fail(entry: Entry, before: Loaded<unknown>, failure: Failure): void {
  entry.failures = Math.min(entry.failures + 1, 5)
  entry.dueMs = failure.retryAtMs
  const data = failure.status === 404 ? undefined : before.data
  entry.state.value = { data, failure, isSettled: true }
}

function renew(): void {
  if (document.hidden) return
  const nowMs = performance.now()
  for (const entry of entries.values()) {
    if (entry.readers > 0 && !entry.isBusy && entry.dueMs <= nowMs) void load(entry)
  }
}

/** Requests a body again at once. */
export function retry(path: string): void {
  const entry = entries.get(path)
  if (entry && !entry.isBusy) void load(entry)
}

/** Opens a body outside of a component; returns its state and a function to close it. */
export function openBody<T>(
  path: string,
  freshness: Freshness,
): { readonly state: Signal<Loaded<T>>; close(): void } {
  const entry = entryOf(path, freshness)
  if (entry.freshness !== freshness) {
    entry.freshness = freshness
    entry.dueMs = Math.min(entry.dueMs, performance.now() + lifeMs(entry))
  }
  entry.readers++
  if (!entry.isBusy && entry.dueMs <= performance.now()) void load(entry)
  return {
    state: entry.state as Signal<Loaded<T>>,
    close: () => {
      entry.readers--
    },
  }
}

/** Removes a body without readers from the cache. */
export function forget(path: string): void {
  if (entries.get(path)?.readers === 0) entries.delete(path)
}

const NOTHING = signal<Loaded<never>>({ isSettled: false })

/** Returns a body, kept fresh while the component is mounted; without a path requests nothing. */
export function useBody<T>(path: string | undefined, freshness: Freshness): Signal<Loaded<T>> {
  const state = useMemo(
    () => (path === undefined ? NOTHING : entryOf(path, freshness).state),
    [path, freshness],
  )
  useEffect(
    () => (path === undefined ? undefined : openBody(path, freshness).close),
    [path, freshness],
  )
  return state as Signal<Loaded<T>>
}

/** Keeps open bodies fresh; those that change with each tick are renewed when a new tick comes. */
export function startRenewing(): void {
  setInterval(renew, CHECK_MS)
  document.addEventListener('visibilitychange', renew)
  newestTick.subscribe(() => {
    const nowMs = performance.now()
    for (const entry of entries.values()) {
      const isOld = entry.dueMs - nowMs < lifeMs(entry) - TICK_MS_MIN
      if (entry.freshness === 'T' && entry.failures === 0 && isOld) entry.dueMs = nowMs
    }
    renew()
  })
}

/** Reloads all bodies, after the world was set back or the stream lost its place. */
export function reloadAll(): void {
  for (const entry of entries.values()) {
    entry.dueMs = 0
    entry.isOutdated = entry.isBusy
  }
  renew()
}
