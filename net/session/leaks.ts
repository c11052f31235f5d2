/** Buckets that leak at a steady rate, by key: for amounts, and for counts that come in crowds. */
import { LIMITER_KEYS_MAX } from '../../core/limits.ts'

export interface Leak {
  level: number
  atMs: number
}

/** What is in a bucket by now. */
export function levelOf(
  leaks: Map<string, Leak>,
  key: string,
  perMs: number,
  nowMs: number,
): number {
  const leak = leaks.get(key)
  return leak ? Math.max(0, leak.level - (nowMs - leak.atMs) * perMs) : 0
}

export function setLevel(leaks: Map<string, Leak>, key: string, leak: Leak): void {
  leaks.delete(key)
  leaks.set(key, leak)
  if (leaks.size <= LIMITER_KEYS_MAX) return
  const [oldest] = leaks.keys()
  leaks.delete(oldest)
}
