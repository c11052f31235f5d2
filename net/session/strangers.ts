/**
 * Sessions that nobody is logged in on, each counted for the address that made it. When there are
 * too many, the longest unused one of that address goes, or of the address that holds most: however
 * many a stranger makes, those of others stay.
 * Source: RELIABILITY 5 (A4).
 */
import { STRANGERS_PER_ADDRESS_MAX } from '../../core/limits.ts'

export interface Strangers<T> {
  /** By address; those of one in the order of last use. */
  readonly shares: Map<string, Set<T>>
  size: number
  readonly sizeMax: number
  readonly shareMax: number
}

/** `limits` false: an address has no share of its own; the bound over all stays. */
export const createStrangers = <T>(sizeMax: number, limits: boolean): Strangers<T> => ({
  shares: new Map(),
  size: 0,
  sizeMax,
  shareMax: limits ? STRANGERS_PER_ADDRESS_MAX : sizeMax,
})

export function removeStranger<T>(strangers: Strangers<T>, address: string, one: T): boolean {
  const share = strangers.shares.get(address)
  if (!share?.delete(one)) return false
  strangers.size -= 1
  if (share.size === 0) strangers.shares.delete(address)
  return true
}

/** Adds one, or notes its use: it becomes the last of its address to go. */
export function keepStranger<T>(strangers: Strangers<T>, address: string, one: T): void {
  removeStranger(strangers, address, one)
  const share = strangers.shares.get(address) ?? new Set()
  strangers.shares.set(address, share.add(one))
  strangers.size += 1
}

/** O(addresses), and only when all places are taken. */
function largestShare<T>(strangers: Strangers<T>): string {
  let largest = ''
  let most = 0
  for (const [address, { size }] of strangers.shares) {
    if (size > most) [largest, most] = [address, size]
  }
  return largest
}

/**
 * Makes room for one more of an address. `isBusy` tells who may not go now; `end` ends one, which
 * need not remove it.
 */
export function makeRoom<T>(
  strangers: Strangers<T>,
  address: string,
  { isBusy, end }: { isBusy(one: T): boolean; end(one: T): void },
): void {
  const endOldest = (from: string): boolean => {
    for (const one of strangers.shares.get(from) ?? []) {
      if (isBusy(one)) continue
      removeStranger(strangers, from, one)
      end(one)
      return true
    }
    return false
  }
  const isOver = (): boolean => (strangers.shares.get(address)?.size ?? 0) >= strangers.shareMax
  while (isOver() && endOldest(address));
  while (strangers.size >= strangers.sizeMax && endOldest(largestShare(strangers)));
}
