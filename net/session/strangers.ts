/**
 * Sessions without a login, each counted for the address that opened it. If there are too many, the
 * least recently used one ends: of that address, or of the address with the most. Thus no address
 * can displace the sessions of others. Source: RELIABILITY 5 (A4).
 */
import { STRANGERS_PER_ADDRESS_MAX } from '../../core/limits.ts'

export interface Strangers<T> {
  /** Sessions by address, in the order of last use. */
  readonly shares: Map<string, Set<T>>
  size: number
  readonly sizeMax: number
  readonly shareMax: number
}

/** Returns an empty set; with `limits` false, only the limit over all addresses applies. */
export const createStrangers = <T>(sizeMax: number, limits: boolean): Strangers<T> => ({
  shares: new Map(),
  size: 0,
  sizeMax,
  shareMax: limits ? STRANGERS_PER_ADDRESS_MAX : sizeMax,
})

/** Removes a session from the set, if it is in it, after a login or its end. */
export function removeStranger<T>(strangers: Strangers<T>, address: string, session: T): void {
  const share = strangers.shares.get(address)
  if (!share?.delete(session)) return
  strangers.size -= 1
  if (share.size === 0) strangers.shares.delete(address)
}

/** Adds a session or records its use: it becomes the most recently used of its address. */
export function keepStranger<T>(strangers: Strangers<T>, address: string, session: T): void {
  removeStranger(strangers, address, session)
  const share = strangers.shares.get(address) ?? new Set()
  strangers.shares.set(address, share.add(session))
  strangers.size += 1
}

/** Returns the address with the most sessions. O(addresses); called only when the set is full. */
function largestShare<T>(strangers: Strangers<T>): string {
  let largest = ''
  let maxSize = 0
  for (const [address, { size }] of strangers.shares) {
    if (size > maxSize) [largest, maxSize] = [address, size]
  }
  return largest
}

/**
 * Makes room for one more session of an address. `isBusy`: true for a session that must not end
 * now; `end` ends one that is already removed from the set.
 */
export function makeRoom<T>(
  strangers: Strangers<T>,
  address: string,
  { isBusy, end }: { isBusy(session: T): boolean; end(session: T): void },
): void {
  const endOldest = (from: string): boolean => {
    for (const session of strangers.shares.get(from) ?? []) {
      if (isBusy(session)) continue
      removeStranger(strangers, from, session)
      end(session)
      return true
    }
    return false
  }
  const isOver = (): boolean => (strangers.shares.get(address)?.size ?? 0) >= strangers.shareMax
  while (isOver() && endOldest(address));
  while (strangers.size >= strangers.sizeMax && endOldest(largestShare(strangers)));
}
