/** Unread bytes are bounded for each address and in all; the largest holder is closed. */
import { expect, test } from 'vitest'
import { UNREAD_BYTES_MAX, UNREAD_BYTES_PER_ADDRESS_MAX } from '../../../core/limits.ts'
import { countUnread, createUnread, type Reader } from '../../../net/session/unread.ts'

const MIB = 1024 * 1024

function reader(address: string, dropped: string[], name = address): Reader {
  return { address, unreadBytes: 0, drop: () => void dropped.push(name) }
}

test('an address beyond its share loses its largest reader, and no other address does', () => {
  const unread = createUnread(true)
  const dropped: string[] = []
  const other = reader('b', dropped)
  countUnread(unread, other, 4 * MIB)
  const own = ['a1', 'a2', 'a3'].map((name) => reader('a', dropped, name))
  countUnread(unread, own[0], UNREAD_BYTES_PER_ADDRESS_MAX / 2)
  countUnread(unread, own[1], UNREAD_BYTES_PER_ADDRESS_MAX / 2 - 1)
  expect(dropped).toEqual([])
  countUnread(unread, own[2], 2)
  expect(dropped).toEqual(['a1'])
  expect(unread.bytes).toBe(4 * MIB + UNREAD_BYTES_PER_ADDRESS_MAX / 2 + 1)
})

test('beyond the total bound the largest reader is closed, not the latest', () => {
  const unread = createUnread(true)
  const dropped: string[] = []
  const count = UNREAD_BYTES_MAX / (4 * MIB)
  const readers = Array.from({ length: count }, (_, i) => reader(`10.0.0.${i}`, dropped))
  for (const holder of readers) countUnread(unread, holder, 4 * MIB)
  countUnread(unread, reader('10.0.1.1', dropped), 1)
  expect(dropped).toEqual(['10.0.0.0'])
  for (const holder of readers) countUnread(unread, holder, 0)
  expect(unread.bytes).toBe(1)
  expect([...unread.shares.keys()]).toEqual(['10.0.1.1'])
})

test('without limits only the total bound holds, not the share of an address', () => {
  const unread = createUnread(false)
  const dropped: string[] = []
  for (let i = 0; i < UNREAD_BYTES_MAX / MIB; i++)
    countUnread(unread, reader('a', dropped, `${i}`), MIB)
  expect(dropped).toEqual([])
  countUnread(unread, reader('a', dropped, 'last'), 2 * MIB)
  expect(dropped).toEqual(['last'])
})
