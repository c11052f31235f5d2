/** The ship exchange: showrooms, listings and purchases. Source: ships.md sections 8, 10. */
import { beforeEach, describe, expect, test } from 'vitest'
import { itemIndex, SHIP_CLASSES, shipClassIndex } from '../../../core/catalog/index.ts'
import { namedContainer } from '../../../core/goods.ts'
import { namedAccount, post } from '../../../core/ledger.ts'
import { PRICE_CREDITS_MAX, SHIPS_PER_PLAYER_MAX } from '../../../core/limits.ts'
import { MAX_SAFE } from '../../../core/math.ts'
import type { Eid } from '../../../core/types.ts'
import { statOf, walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { baseId, capitalOf, hasService } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { PlayerCombat } from '../../../systems/combat/state.ts'
import { policyOf } from '../../../systems/insurance/model.ts'
import { openPolicy, quoteShip } from '../../../systems/insurance/rules.ts'
import { salesTaxBps } from '../../../systems/market/model.ts'
import { tieShip } from '../../../systems/salvage/tow-rules.ts'
import { activeShip, loadCargo, modulesOf, shipById, shipId } from '../../../systems/ship/model.ts'
import { createShip } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { listShipForSale } from '../../../systems/shipyard/listing-commands.ts'
import {
  isBuildable,
  isListed,
  listingById,
  listingId,
  listingsAt,
  showroomPrice,
} from '../../../systems/shipyard/model.ts'
import { ShipListing } from '../../../systems/shipyard/state.ts'
import { incomeOf } from '../../../systems/tax/model.ts'
import { dockShip, undockShip } from '../../../systems/travel/rules.ts'
import { Location } from '../../../systems/travel/state.ts'
import {
  answerOf,
  CLASS,
  freshScene,
  goTo,
  idOfShip,
  otherBase,
  park,
  refused,
  result,
  type Scene,
  stationCredits,
  stored,
  wallet,
} from './scene.ts'

let scene: Scene
beforeEach(async () => {
  scene = await freshScene()
})

const tax = (pilot: Eid, price: number) =>
  Math.floor((price * salesTaxBps(scene.small.world, pilot, scene.base)) / 10_000)
const list = (ship: Eid, price: number, pilot = scene.other) =>
  result(scene, pilot, 'list_ship_for_sale', { ship_id: idOfShip(scene, ship), price })
const buy = (listing_id: string, pilot = scene.player) =>
  result(scene, pilot, 'buy_listed_ship', { listing_id })
const listing = (price = 10_000, shipClass = CLASS) => {
  const ship = park(scene, scene.other, shipClass)
  return { ship, ...list(ship, price) }
}
interface Browsed {
  count: number
  listings: {
    listing_id: string
    class_id: string
    price: number
    seller: string
    cargo_capacity: number
    speed: number
  }[]
  buy_orders: unknown[]
}
const browse = (params: object = {}) =>
  answerOf(scene, scene.player, 'browse_ships', params) as unknown as Browsed

describe('browse_ships', () => {
  test('shows the showroom of a capital, cheapest ships first', () => {
    const { small } = scene
    const base = capitalOf(small.world, 0)
    const shown = browse({ base_id: baseId(small.world, base) })
    expect(shown.count).toBe(19)
    const prices = shown.listings.map(({ price }) => price)
    expect(prices).toEqual([...prices].sort((a, b) => a - b))
    for (const { class_id, price, seller, ...figures } of shown.listings) {
      const shipClass = shipClassIndex(class_id)
      expect(figures.cargo_capacity).toBeGreaterThanOrEqual(SHIP_CLASSES[shipClass].cargo_capacity)
      expect(figures.speed).toBeGreaterThan(0)
      expect(isBuildable(SHIP_CLASSES[shipClass])).toBe(true)
      expect(price).toBe(showroomPrice(shipClass))
      expect(seller).toBe(small.world.texts.get(small.world.read(Base).name[base]))
    }
  })

  test('filters by class and price, and shows the listings of another base', () => {
    const { small } = scene
    const { listing_id } = listing(777)
    expect(browse({ max_price: 777 }).listings).toMatchObject([{ listing_id, price: 777 }])
    expect(browse({ class_id: 'the_unsaid' }).count).toBe(0)
    const elsewhere = otherBase(scene, (row) => !hasService(small.world, row, 'shipyard'))
    expect(browse({ base_id: baseId(small.world, elsewhere) })).toMatchObject({
      count: 0,
      buy_orders: [],
    })
  })

  test('is refused for unknown stations and classes, and while undocked', () => {
    const { small, player } = scene
    expect(small.ask(player, 'browse_ships', { base_id: 'x' })).toMatchObject({
      code: 'station_not_found',
    })
    expect(small.ask(player, 'browse_ships', { class_id: 'x' })).toMatchObject({
      code: 'unknown_class',
    })
    undockShip(small.world, activeShip(small.world, player))
    expect(small.ask(player, 'browse_ships')).toMatchObject({ code: 'not_docked' })
  })
})

describe('list_ship_for_sale', () => {
  test('takes a fee of one percent for good, and empties the hold', () => {
    const { small, other } = scene
    const ship = park(scene, other)
    loadCargo(small.world, ship, namedContainer('supply'), itemIndex('iron_ore'), 5)
    const before = wallet(scene, other)
    const answer = list(ship, 12_345)
    expect(answer).toMatchObject({ fee: 124, price: 12_345, credits_left: before - 124 })
    expect(stored(scene, other, 'iron_ore')).toBe(5)
    expect(isListed(small.world, ship)).toBe(true)
    const ship_id = idOfShip(scene, ship)
    expect(answerOf(scene, other, 'list_ships').ships).toContainEqual(
      expect.objectContaining({
        ship_id,
        listing_id: answer.listing_id,
        listing_price: 12_345,
        listing_base_id: baseId(small.world, scene.base),
      }),
    )
    expect(result(scene, other, 'cancel_ship_listing', answer)).toMatchObject({ ship_id })
    expect(wallet(scene, other)).toBe(before - 124)
    expect(isListed(small.world, ship)).toBe(false)
  })

  test('costs at least one credit, and takes any price up to 10^12', () => {
    const { other } = scene
    expect(list(park(scene, other), 1).fee).toBe(1)
    const expensive = { ship_id: idOfShip(scene, park(scene, other)), price: PRICE_CREDITS_MAX }
    expect(refused(scene, other, 'list_ship_for_sale', expensive).code).toBe('no_credits')
    expect(listShipForSale.params.properties.price).toMatchObject({
      minimum: 1,
      maximum: PRICE_CREDITS_MAX,
    })
  })

  test('is refused for active, listed, distant and issue ships, and those of others', () => {
    const { small, player, other } = scene
    const code = (ship: Eid, pilot = other) =>
      refused(scene, pilot, 'list_ship_for_sale', { ship_id: idOfShip(scene, ship), price: 10 })
        .code
    expect(code(activeShip(small.world, other))).toBe('active_ship')
    const { ship } = listing()
    expect(code(ship)).toBe('already_listed')
    expect(code(ship, player)).toBe('ship_not_found')
    const away = park(
      scene,
      other,
      CLASS,
      otherBase(scene, () => true),
    )
    expect(code(away)).toBe('not_stored_here')
    const issue = createShip(small.world, {
      owner: other,
      shipClass: shipClassIndex('clause'),
      modules: [],
      issue: true,
    })
    dockShip(small.world, issue, scene.base)
    expect(code(issue)).toBe('issue_item')
  })

  test('ship_occupied: a ship under tow is not listed', () => {
    const { small, other } = scene
    const ship = park(scene, other)
    const tug = createShip(small.world, {
      owner: other,
      shipClass: shipClassIndex('tugboat'),
      modules: [itemIndex('tow_rig_basic')],
    })
    dockShip(small.world, tug, scene.base)
    small.world.write(Player).ship[other] = tug
    tieShip(small.world, tug, ship)
    const answer = refused(scene, other, 'list_ship_for_sale', {
      ship_id: idOfShip(scene, ship),
      price: 10,
    })
    expect(answer.code).toBe('ship_occupied')
  })

  test('already_listed: a listed ship cannot be switched to, scrapped or withdrawn', () => {
    const { small, other, base } = scene
    const { ship } = listing()
    const ship_id = idOfShip(scene, ship)
    expect(refused(scene, other, 'switch_ship', { ship_id }).code).toBe('already_listed')
    expect(refused(scene, other, 'scrap_ship', { ship_id }).code).toBe('already_listed')
    expect(refused(scene, other, 'withdraw_items', { item_id: ship_id, quantity: 1 }).code).toBe(
      'already_listed',
    )
    expect(small.world.read(Location).base[ship]).toBe(base)
  })

  test('trading_restricted: a player restricted from trade lists no ship', () => {
    const { small, other } = scene
    const ship = park(scene, other)
    small.world.write(PlayerCombat).restrictedUntil[other] = small.world.tick + 50
    expect(
      refused(scene, other, 'list_ship_for_sale', { ship_id: idOfShip(scene, ship), price: 5 })
        .code,
    ).toBe('trading_restricted')
  })
})

describe('cancel_ship_listing', () => {
  test('is refused to all but the seller, and for unknown listings', () => {
    const { player, base, small } = scene
    const { listing_id } = listing()
    expect(refused(scene, player, 'cancel_ship_listing', { listing_id }).code).toBe('not_owner')
    expect(refused(scene, player, 'cancel_ship_listing', { listing_id: 'x' }).code).toBe(
      'listing_not_found',
    )
    const shown = listingId(small.world, listingsAt(small.world, base)[0])
    expect(refused(scene, player, 'cancel_ship_listing', { listing_id: shown }).code).toBe(
      'not_owner',
    )
  })
})

describe('buy_listed_ship', () => {
  test('pays the seller and the tax at once, and the buyer flies the ship', () => {
    const { small, player, other, base } = scene
    const { ship, listing_id } = listing(10_000)
    const oldShip = activeShip(small.world, player)
    const [buyerBefore, sellerBefore] = [wallet(scene, player), wallet(scene, other)]
    const answer = buy(listing_id)
    expect(answer).toMatchObject({
      class_id: CLASS,
      price: 10_000,
      sales_tax: tax(player, 10_000),
      ship_id: shipId(small.world, ship),
      old_ship_id: shipId(small.world, oldShip),
    })
    // The old ship carried the fuel cells and the kit of a new player.
    expect(answer.message).toMatch(/ is stored here\. Its cargo is in your storage; /)
    expect(wallet(scene, player)).toBe(buyerBefore - 10_000 - tax(player, 10_000))
    expect(wallet(scene, other)).toBe(sellerBefore + 10_000)
    expect(activeShip(small.world, player)).toBe(ship)
    expect(small.world.read(Ship).owner[ship]).toBe(player)
    expect(small.world.read(Location).base[oldShip]).toBe(base)
    expect(statOf(small.world, player, 'ships_purchased')).toBe(1)
    expect(incomeOf(small.world, other, 'ship_sale')).toBe(10_000)
    expect(listingById(small.world, listing_id)).toBe(0)
  })

  test('keeps modules fitted and ends the insurance', () => {
    const { small, other, base, player } = scene
    const ship = createShip(small.world, {
      owner: other,
      shipClass: shipClassIndex(CLASS),
      modules: [itemIndex('mining_laser_i')],
    })
    dockShip(small.world, ship, base)
    openPolicy(small.world, ship, base, quoteShip(small.world, other, ship))
    buy(list(ship, 500).listing_id)
    expect(policyOf(small.world, ship)).toBe(0)
    expect(modulesOf(small.world, ship)).toHaveLength(1)
    expect(activeShip(small.world, player)).toBe(ship)
  })

  test('pays the station for a ship of its showroom', () => {
    const { small, player, base } = scene
    const row = listingsAt(small.world, base).find((shown) => {
      const hull = small.world.read(ShipListing).ship[shown]
      return SHIP_CLASSES[small.world.read(Ship).class[hull]].piloting_required === 0
    })
    const id = listingId(small.world, row ?? 0)
    const before = stationCredits(scene)
    const answer = buy(id)
    expect(stationCredits(scene) - before).toBeGreaterThanOrEqual(answer.price as number)
    const ship = shipById(small.world, answer.ship_id)
    expect(activeShip(small.world, player)).toBe(ship)
    expect(small.world.read(Location).base[ship]).toBe(base)
  })

  test('sells to the first of two buyers in one tick', () => {
    const { small, player, base } = scene
    const third = small.join('Third')
    post(small.world, namedAccount('starting_grant'), walletOf(small.world, third), 50_000)
    goTo(scene, third, base)
    const { listing_id } = listing(1_000)
    const answers = small.tick(
      { player, command: 'buy_listed_ship', params: { listing_id } },
      { player: third, command: 'buy_listed_ship', params: { listing_id } },
    )
    const codes = [...answers.values()].map((answer) => (answer.ok ? 'ok' : answer.code))
    expect(codes.sort()).toEqual(['listing_not_found', 'ok'])
  })

  test('is refused for unknown and own listings, without skill, credits or room', () => {
    const { player, other } = scene
    const code = (listing_id: string, pilot = player) =>
      refused(scene, pilot, 'buy_listed_ship', { listing_id }).code
    expect(code('x')).toBe('listing_not_found')
    const { listing_id } = listing(2_000_000)
    expect(code(listing_id, other)).toBe('own_listing')
    expect(code(listing_id)).toBe('no_credits')
    expect(code(listing(10, 'provender').listing_id)).toBe('piloting_required')
    const cheap = listing(10).listing_id
    for (let i = 1; i < SHIPS_PER_PLAYER_MAX; i++) park(scene, player)
    expect(code(cheap)).toBe('ship_limit')
  })

  test('is refused elsewhere, to restricted players and beyond what the seller can hold', () => {
    const { small, player, other, base } = scene
    const { listing_id } = listing(10)
    goTo(
      scene,
      player,
      otherBase(scene, () => true),
    )
    const code = () => refused(scene, player, 'buy_listed_ship', { listing_id }).code
    expect(code()).toBe('wrong_station')
    goTo(scene, player, base)
    const half = Math.floor((MAX_SAFE - wallet(scene, other)) / 2)
    const sellerWallet = walletOf(small.world, other)
    const sources = [namedAccount('missions'), namedAccount('achievements')]
    for (const source of sources) post(small.world, source, sellerWallet, half)
    expect(code()).toBe('amount_too_large')
    for (const source of sources) post(small.world, sellerWallet, source, half)
    small.world.write(PlayerCombat).restrictedUntil[player] = small.world.tick + 50
    expect(code()).toBe('trading_restricted')
  })
})
