/**
 * Sessions that nobody is logged in on, each counted for the address that opened it. When there are
 * too many, the one unused for longest ends: of that address, or of the one that holds most.
 * However many a stranger opens, those of others stay. Source: RELIABILITY 5 (A4).
 */
import { STRANGERS_PER_ADDRESS_MAX } from '../../core/limits.ts'

export interface Strangers<T> {
  /** Sessions by address, in the order of last use. */
  readonly shares: Map<string, Set<T>>
  size: number
  readonly sizeMax: number
  readonly shareMax: number
}

/** Returns an empty set; with `limits` false, only the bound over all addresses holds. */
export const createStrangers = <T>(sizeMax: number, limits: boolean): Strangers<T> => ({
  shares: new Map(),
  size: 0,
  sizeMax,
  shareMax: limits ? STRANGERS_PER_ADDRESS_MAX : sizeMax,
})

/** Removes a session if it is in the set: somebody has logged in on it, or it has ended. */
export function removeStranger<T>(strangers: Strangers<T>, address: string, session: T): void {
  const share = strangers.shares.get(address)
  if (!share?.delete(session)) return
  strangers.size -= 1
  if (share.size === 0) strangers.shares.delete(address)
}

/** Adds a session, or records its use: it becomes the last of its address to end. */
export function keepStranger<T>(strangers: Strangers<T>, address: string, session: T): void {
  removeStranger(strangers, address, session)
  const share = strangers.shares.get(address) ?? new Set()
  strangers.shares.set(address, share.add(session))
  strangers.size += 1
}

/** Returns the address that holds most; O(addresses), and called only when all places are taken. */
function largestShare<T>(strangers: Strangers<T>): string {
  let largest = ''
  let most = 0
  for (const [address, { size }] of strangers.shares) {
    if (size > most) [largest, most] = [address, size]
  }
  return largest
}

/**
 * Makes room for one more session of an address. `isBusy` names those that may not end now; `end`
 * ends one, which is removed from the set here.
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
