/** Leaky buckets by key: they limit amounts and bursts of counts to a steady rate. */
import { LIMITER_KEYS_MAX } from '../../core/limits.ts'

/** The level of a bucket at a time; it falls at a steady rate from then on. */
export interface Leak {
  level: number
  atMs: number
}

/** Returns the current level of the bucket of a key. */
export function leakLevel(
  leaks: Map<string, Leak>,
  key: string,
  perMs: number,
  nowMs: number,
): number {
  const leak = leaks.get(key)
  return leak ? Math.max(0, leak.level - (nowMs - leak.atMs) * perMs) : 0
}

/** Deletes the entry that was added longest ago if there are more than `max`. */
export function evictOldest<K>(entries: Map<K, unknown> | Set<K>, max: number): void {
  if (entries.size <= max) return
  const [oldest] = entries.keys()
  entries.delete(oldest)
}

/** Sets the bucket of a key; if there are too many keys, the one set longest ago is dropped. */
export function setLevel(leaks: Map<string, Leak>, key: string, leak: Leak): void {
  leaks.delete(key)
  leaks.set(key, leak)
  evictOldest(leaks, LIMITER_KEYS_MAX)
}
