/** Public books of a closed market: reported once as empty, and again when it reopens. */
import { expect, test } from 'vitest'
import { PUBLIC_ROUND_TICKS } from '../../../core/limits.ts'
import { BOOK_HEAD, type BookPatch } from '../../../core/public/frame.ts'
import { baseId } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { bestLevel } from '../../../systems/market/book-model.ts'
import { ASK, Book, Level } from '../../../systems/market/state.ts'
import { createBooks } from '../../../systems/spectator/book-views.ts'
import { runToEnd } from '../../public-world.ts'
import { onSmallMap, smallWorld, uncheck } from '../../small-world.ts'

onSmallMap()

const [ITEM, ASK_QUANTITY] = [BOOK_HEAD.indexOf('item'), BOOK_HEAD.indexOf('ask_quantity')]

test('a book is reported as empty once its market closes, and again when it reopens', async () => {
  const small = await smallWorld()
  uncheck(small)
  const { world } = small
  small.ticks(1)
  const books = createBooks()
  const { base, item } = world.read(Book)
  const rows = Array.from({ length: 100 }, (_, i) => i + 1)
  /** Returns the units for sale in a book of a patch. */
  const askUnits = (patch: BookPatch | undefined, row: number): number | undefined => {
    if (!patch) return undefined
    for (let i = 0; i < patch.heads.length; i += BOOK_HEAD.length) {
      const head = patch.heads.subarray(i, i + BOOK_HEAD.length)
      const isOfBase = patch.bases[head[0]] === baseId(world, base[row])
      if (isOfBase && head[ITEM] === item[row]) return head[ASK_QUANTITY]
    }
    return undefined
  }
  const first = runToEnd(books.take(world, true))
  const sold = rows.filter((row) => (askUnits(first, row) ?? 0) > 0)
  const [changed, unchanged] = sold.filter((row) => base[row] === base[sold[0]])
  const nextPatch = () => {
    world.tick++
    return runToEnd(books.take(world, false))
  }
  const unitsInRound = (row: number): number[] =>
    Array.from({ length: PUBLIC_ROUND_TICKS }, () => askUnits(nextPatch(), row)).filter(
      (units) => units !== undefined,
    )
  const { services } = world.write(Base)
  const openServices = services[base[changed]]
  services[base[changed]] = 0
  const level = bestLevel(world, changed, ASK)
  const { units, stationUnits } = world.write(Level)
  const before = askUnits(first, changed) as number
  const removed = units[level] + stationUnits[level]
  units[level] = 0
  stationUnits[level] = 0
  world.write(Book).changedTick[changed] = world.tick + 1
  expect(askUnits(nextPatch(), changed)).toBe(0)
  expect(unitsInRound(changed)).toEqual([])
  services[base[changed]] = openServices
  expect(unitsInRound(changed)).toEqual([before - removed])
  // The same holds for a book that does not change meanwhile.
  const unchangedUnits = askUnits(first, unchanged)
  services[base[changed]] = 0
  expect(unitsInRound(unchanged)).toEqual([0])
  services[base[changed]] = openServices
  expect(unitsInRound(unchanged)).toEqual([unchangedUnits])
})
