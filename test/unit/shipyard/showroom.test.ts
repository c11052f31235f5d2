/** Showrooms of yards: their ships, prices and replacements. Source: balance.md section 4. */
import { beforeEach, expect, test } from 'vitest'
import { moveItems, namedContainer, unitsIn } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { managedAt } from '../../../systems/market/quote-model.ts'
import { Book, Managed } from '../../../systems/market/state.ts'
import { Ship } from '../../../systems/ship/state.ts'
import {
  commissionsAt,
  listingId,
  listingsAt,
  showroomPrice,
} from '../../../systems/shipyard/model.ts'
import {
  hullPrice,
  recordShowroomSale,
  replenishShowroom,
  showroomPlaces,
} from '../../../systems/shipyard/showroom-rules.ts'
import { Commission, ShipListing } from '../../../systems/shipyard/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

let small: SmallWorld
let player: Eid
let base: Eid

beforeEach(async () => {
  small = await smallWorld()
  player = small.join('Buyer')
  base = dockedBase(small.world, player)
  post(small.world, namedAccount('starting_grant'), walletOf(small.world, player), 1_000_000)
})

const shownCount = (): number => listingsAt(small.world, base).length

/** Buys the first ship of the showroom that a beginner may fly, and returns its class. */
function buyFromShowroom(): number {
  const { ship, price } = small.world.read(ShipListing)
  const { class: classOf } = small.world.read(Ship)
  const places = showroomPlaces(small.world, base).filter(({ tier }) => tier === 1)
  const easy = new Set(places.flatMap(({ classes }) => classes))
  const row = listingsAt(small.world, base).find((listing) => easy.has(classOf[ship[listing]]))!
  const shipClass = classOf[ship[row]]
  const paid = price[row]
  const listing_id = listingId(small.world, row)
  expect(small.act(player, 'buy_listed_ship', { listing_id })).toMatchObject({ ok: true })
  expect(paid).toBe(showroomPrice(shipClass))
  return shipClass
}

test('the showroom of a new capital is full', () => {
  const wanted = showroomPlaces(small.world, base).reduce((sum, { count }) => sum + count, 0)
  expect(wanted).toBeGreaterThan(12)
  expect(shownCount()).toBe(wanted)
})

test('each sale raises the price of the next ship for 2,160 ticks', () => {
  const shipClass = buyFromShowroom()
  expect(hullPrice(small.world, base, shipClass)).toBe(
    Math.trunc((showroomPrice(shipClass) * 104) / 100),
  )
  for (let i = 0; i < 20; i++) recordShowroomSale(small.world, base)
  expect(hullPrice(small.world, base, shipClass)).toBe(
    Math.trunc((showroomPrice(shipClass) * 140) / 100),
  )
  small.world.tick += 2_160
  expect(hullPrice(small.world, base, shipClass)).toBe(showroomPrice(shipClass))
})

test('a yard replaces a sold ship from the stock of its station', () => {
  const { world } = small
  buyFromShowroom()
  const before = shownCount()
  const { manager } = world.read(Base)
  const credits = balanceOf(world, manager[base])
  replenishShowroom(world, base)
  const [row] = commissionsAt(world, base)
  expect(world.read(Commission).player[row]).toBe(0)
  expect(credits - balanceOf(world, manager[base])).toBe(world.read(Commission).labor[row])
  expect(world.read(Commission).doneTick[row]).toBeGreaterThan(world.tick)
  small.ticks(world.read(Commission).doneTick[row] - world.tick)
  expect(shownCount()).toBe(before + 1)
})

test('a yard without parts builds nothing', () => {
  const { world } = small
  buyFromShowroom()
  const { stock, target, book } = world.write(Managed)
  for (const row of managedAt(world, base)) {
    const item = world.read(Book).item[book[row]]
    const store = world.read(Base).stock[base]
    const surplus = Math.min(
      Math.max(0, stock[row] - Math.floor(target[row] / 5)),
      unitsIn(world, store, item),
    )
    moveItems(world, store, namedContainer('consumption'), item, surplus)
    stock[row] -= surplus
  }
  replenishShowroom(world, base)
  expect(commissionsAt(world, base)).toHaveLength(0)
})
