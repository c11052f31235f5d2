/** Public books while their market is away: reported once as gone, and again when it is back. */
import { expect, test } from 'vitest'
import { PUBLIC_ROUND_TICKS } from '../../../core/limits.ts'
import { BOOK_HEAD, type BookPatch } from '../../../core/public/frame.ts'
import { baseId } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { bestLevel } from '../../../systems/market/book-model.ts'
import { ASK, Book, Level } from '../../../systems/market/state.ts'
import { createBooks } from '../../../systems/spectator/book-views.ts'
import { runToEnd } from '../../public-world.ts'
import { smallWorld, uncheck } from '../../small-world.ts'

const [ITEM, ASKED] = [BOOK_HEAD.indexOf('item'), BOOK_HEAD.indexOf('ask_quantity')]

test('a book that changes while its market is off is reported as gone, and anew when it is on', async () => {
  const small = await smallWorld()
  uncheck(small)
  const { world } = small
  small.ticks(1)
  const books = createBooks()
  const { base, item } = world.read(Book)
  const rows = Array.from({ length: 100 }, (_, i) => i + 1)
  /** Returns the units for sale in a book of a patch. */
  const asked = (patch: BookPatch | undefined, row: number): number | undefined => {
    if (!patch) return undefined
    for (let i = 0; i < patch.heads.length; i += BOOK_HEAD.length) {
      const head = patch.heads.subarray(i, i + BOOK_HEAD.length)
      const isOfBase = patch.bases[head[0]] === baseId(world, base[row])
      if (isOfBase && head[ITEM] === item[row]) return head[ASKED]
    }
    return undefined
  }
  const first = runToEnd(books.take(world, true))
  const sold = rows.filter((row) => (asked(first, row) ?? 0) > 0)
  const [one, other] = sold.filter((row) => base[row] === base[sold[0]])
  const next = () => {
    world.tick++
    return runToEnd(books.take(world, false))
  }
  const round = (row: number): number[] =>
    Array.from({ length: PUBLIC_ROUND_TICKS }, () => asked(next(), row)).filter(
      (units) => units !== undefined,
    )
  const { services } = world.write(Base)
  const offered = services[base[one]]
  services[base[one]] = 0
  const level = bestLevel(world, one, ASK)
  const { units, stationUnits } = world.write(Level)
  const before = asked(first, one) as number
  const gone = units[level] + stationUnits[level]
  units[level] = 0
  stationUnits[level] = 0
  world.write(Book).changedTick[one] = world.tick + 1
  expect(asked(next(), one)).toBe(0)
  expect(round(one)).toEqual([])
  services[base[one]] = offered
  expect(round(one)).toEqual([before - gone])
  // One that does not change meanwhile as well.
  const same = asked(first, other)
  services[base[one]] = 0
  expect(round(other)).toEqual([0])
  services[base[one]] = offered
  expect(round(other)).toEqual([same])
})
