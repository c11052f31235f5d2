/**
 * Counts bytes that clients have not read yet: buffered in this process for sockets and HTTP
 * answers, limited per address and in total. Above a limit the reader with the most bytes is
 * dropped, so that clients that never read cannot use up the memory of others. Source: RELIABILITY
 * 5 (A2, A3, A5).
 */
import { UNREAD_BYTES_MAX, UNREAD_BYTES_PER_ADDRESS_MAX } from '../../core/limits.ts'

/** A connection or exchange with unread bytes. */
export interface Reader {
  /** Key of the address it counts against. */
  readonly address: string
  /** Its unread bytes, as last counted. */
  unreadBytes: number
  /** Cuts the connection off and discards its bytes. */
  drop(): void
}

/** The unread bytes of an address. */
interface Share {
  bytes: number
  /** Readers with unread bytes. */
  readonly readers: Set<Reader>
}

export interface Unread {
  bytes: number
  readonly shares: Map<string, Share>
  /** False with LIMITS=off: only the total limit applies. */
  readonly limits: boolean
}

export const createUnread = (limits: boolean): Unread => ({ bytes: 0, shares: new Map(), limits })

function largestOf(readers: Iterable<Reader>): Reader | undefined {
  let largest: Reader | undefined
  for (const reader of readers) {
    if (reader.unreadBytes > (largest?.unreadBytes ?? 0)) largest = reader
  }
  return largest
}

function* everyReader(unread: Unread): Iterable<Reader> {
  for (const { readers } of unread.shares.values()) yield* readers
}

function count(unread: Unread, reader: Reader, bytes: number): Share | undefined {
  const share = unread.shares.get(reader.address) ?? { bytes: 0, readers: new Set() }
  share.bytes += bytes - reader.unreadBytes
  unread.bytes += bytes - reader.unreadBytes
  reader.unreadBytes = bytes
  if (bytes > 0) share.readers.add(reader)
  else share.readers.delete(reader)
  if (share.readers.size > 0) unread.shares.set(reader.address, share)
  else unread.shares.delete(reader.address)
  return share
}

function drop(unread: Unread, reader: Reader | undefined): boolean {
  if (!reader) return false
  count(unread, reader, 0)
  reader.drop()
  return true
}

/** Sets the unread bytes of a reader; drops the largest readers while a limit is exceeded. */
export function countUnread(unread: Unread, reader: Reader, bytes: number): void {
  if (bytes === reader.unreadBytes) return
  const share = count(unread, reader, bytes)
  if (unread.limits && share) {
    while (share.bytes > UNREAD_BYTES_PER_ADDRESS_MAX && drop(unread, largestOf(share.readers)));
  }
  while (unread.bytes > UNREAD_BYTES_MAX && drop(unread, largestOf(everyReader(unread))));
}
