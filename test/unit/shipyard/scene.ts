/** Two pilots with credits at a base with a shipyard, for tests. */
import {
  GOODS,
  type ItemRow,
  itemIndex,
  SHIP_CLASSES,
  shipClassIndex,
} from '../../../core/catalog/index.ts'
import type { Outcome } from '../../../core/errors.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid, Row, World } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { hasService } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { openLocker, storedUnits } from '../../../systems/cargo/model.ts'
import { booksAt } from '../../../systems/market/book-model.ts'
import { salesTaxBps } from '../../../systems/market/model.ts'
import { Book } from '../../../systems/market/state.ts'
import { activeShip, shipId } from '../../../systems/ship/model.ts'
import { createShip } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { billOf } from '../../../systems/shipyard/materials-model.ts'
import { commissionsOf, laborCost, statusOf } from '../../../systems/shipyard/model.ts'
import { materialCost } from '../../../systems/shipyard/quote-rules.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { dockShip } from '../../../systems/travel/rules.ts'
import { oncePerMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { allowGiving } from '../trade/stage.ts'

/** An allowance for gifts that covers any price. */
const MAY_GIVE = 2 ** 52

export const CLASS = 'footnote'
export const CLASS_INDEX = shipClassIndex(CLASS)

interface Result {
  [field: string]: unknown
  commission_id: string
  listing_id: string
  order_id: string
  ship_id: string
}

export interface Scene {
  readonly small: SmallWorld
  readonly player: Eid
  readonly other: Eid
  readonly base: Eid
}

/** Returns a base with a yard of the same empire where only players sell parts. */
function yardOf(world: World, capital: Eid): Eid {
  const { alive, empire } = world.read(Base)
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (alive[base] === 0 || base === capital || empire[base] !== empire[capital]) continue
    const hasServices = (['shipyard', 'market', 'storage', 'insurance'] as const).every((service) =>
      hasService(world, base, service),
    )
    const sells = booksAt(world, base).some((book) => isPart(world.read(Book).item[book]))
    if (hasServices && !sells) return base
  }
  throw new Error('every yard of the empire trades in parts')
}

/** Returns whether only yards want an item: steel and boards are sold everywhere. */
const isPart = (item: number): boolean => {
  const { id, category } = GOODS[item] as ItemRow
  return category === 'component' && id !== 'circuit_board' && PARTS.has(id)
}

const PARTS = new Set(billOf(CLASS_INDEX, false).map(({ item }) => GOODS[item].id))

async function makeScene(): Promise<Scene> {
  const small = await smallWorld({ maxEntities: 4_000 })
  const player = small.join('Buyer')
  const other = small.join('Seller')
  const base = yardOf(small.world, dockedBase(small.world, player))
  for (const pilot of [player, other]) {
    dockShip(small.world, activeShip(small.world, pilot), base)
    post(small.world, namedAccount('starting_grant'), walletOf(small.world, pilot), 1_000_000)
    allowGiving(small.world, pilot, MAY_GIVE)
  }
  return { small, player, other, base }
}

const template = oncePerMap(makeScene)

/** Returns a fresh copy of the scene. */
export async function freshScene(): Promise<Scene> {
  const scene = await template()
  return { ...scene, small: await scene.small.reload() }
}

export const wallet = ({ small }: Scene, pilot: Eid): number =>
  balanceOf(small.world, walletOf(small.world, pilot))

/** Returns the credits of a station, those in its treasury and with its manager. */
export function stationCredits({ small, base }: Scene): number {
  const { treasury, manager } = small.world.read(Base)
  return balanceOf(small.world, treasury[base]) + balanceOf(small.world, manager[base])
}

export const stored = ({ small, base }: Scene, pilot: Eid, id: string): number =>
  storedUnits(small.world, pilot, base, itemIndex(id))

export function give({ small, base }: Scene, pilot: Eid, id: string, units: number): void {
  const locker = openLocker(small.world, pilot, base)
  moveItems(small.world, namedContainer('supply'), locker, itemIndex(id), units)
}

/** Puts all materials of a ship class into a player's locker. */
export function giveBill(scene: Scene, pilot: Eid, bare = false, shipClass = CLASS_INDEX): void {
  const { small, base } = scene
  const locker = openLocker(small.world, pilot, base)
  for (const { item, units } of billOf(shipClass, bare)) {
    moveItems(small.world, namedContainer('supply'), locker, item, units)
  }
}

/** Runs ticks until the yard has bought what a player's commission lacks. */
export function untilBegun({ small, player }: Scene): Row {
  const [row] = commissionsOf(small.world, player)
  for (let i = 0; i < 101 && statusOf(small.world, row) === 'sourcing'; i++) small.ticks(1)
  return row
}

/** Makes a ship of a player, parked at the base. */
export function park(scene: Scene, pilot: Eid, shipClass: string = CLASS, base = scene.base): Eid {
  const { world } = scene.small
  const ship = createShip(world, {
    owner: pilot,
    shipClass: shipClassIndex(shipClass),
    modules: [],
  })
  dockShip(world, ship, base)
  return ship
}

export const idOfShip = ({ small }: Scene, ship: Eid): string => shipId(small.world, ship)

/** Returns the result of a command that must succeed. */
export function result({ small }: Scene, pilot: Eid, command: string, params: object = {}): Result {
  const outcome = small.act(pilot, command, params)
  if (!outcome.ok) throw new Error(`${command}: ${outcome.code} ${outcome.message}`)
  return outcome.result as Result
}

/** Returns the result of a query that must succeed. */
export function answerOf(
  { small }: Scene,
  pilot: Eid,
  command: string,
  params: object = {},
): Result {
  const outcome = small.ask(pilot, command, params)
  if (!outcome.ok) throw new Error(`${command}: ${outcome.code} ${outcome.message}`)
  return outcome.result as Result
}

/** Returns what a refused command, which takes a tick, must not change. */
const figures = ({ small, player, other }: Scene) => {
  const { world } = small
  const figuresOf = (pilot: Eid) => [
    balanceOf(world, walletOf(world, pilot)),
    activeShip(world, pilot),
  ]
  return JSON.stringify([figuresOf(player), figuresOf(other), world.countOf(Ship), columns(small)])
}

const columns = (small: SmallWorld): unknown =>
  ['commission', 'ship_listing', 'ship_order', 'for_sale', 'yard', 'locker'].map((name) => {
    const store = small.world.stores.get(name)
    if (!store) throw new Error(`no table ${name}`)
    return Object.values(store.columns).map((column) => [...column.subarray(0, store.high + 1)])
  })

/** Returns the refusal of a mutation, which must change nothing of players, yards and lockers. */
export function refused(scene: Scene, pilot: Eid, command: string, params: object = {}) {
  const before = figures(scene)
  const outcome = scene.small.act(pilot, command, params) as Outcome<unknown>
  if (outcome.ok) throw new Error(`${command} was not refused`)
  if (figures(scene) !== before) throw new Error(`${command} changed something`)
  return { code: outcome.code, details: outcome.details ?? {} }
}

/** Returns the first open base that suits, other than the one of the scene. */
export function otherBase({ small, base }: Scene, suits: (base: Eid) => boolean): Eid {
  const { alive, pirateRepRequired } = small.world.read(Base)
  for (let row = 1; row <= small.world.highOf(Base); row++) {
    if (row !== base && alive[row] === 1 && pirateRepRequired[row] === 0 && suits(row)) return row
  }
  throw new Error('there is no such base')
}

export const hasYard = ({ small }: Scene, base: Eid): boolean =>
  hasService(small.world, base, 'shipyard')

/** Docks the active ship of a player at another base. */
export function goTo({ small }: Scene, pilot: Eid, base: Eid): void {
  dockShip(small.world, activeShip(small.world, pilot), base)
}

/** Returns the payloads of a type that a player was sent since the last call. */
export const payloadsTo = (
  { small }: Scene,
  pilot: Eid,
  type: string,
): Record<string, unknown>[] => {
  const number = small.world.read(Player).seq[pilot]
  return small
    .takeEmissions()
    .filter((emission) => emission.type === type && emission.to.includes(number))
    .map(({ payload }) => payload as Record<string, unknown>)
}

/** Returns the catalogue row of a class. */
export const classRow = (id: string) => SHIP_CLASSES[shipClassIndex(id)]
export type { Eid, Row }

export const LABOR = laborCost(CLASS_INDEX)
export const BILL = billOf(CLASS_INDEX, false)

/** Returns functions with which tests order commissions in the current scene. */
export function commissioning(scene: () => Scene) {
  const commission = (params: object = {}) =>
    result(scene(), scene().player, 'commission_ship', { ship_class: CLASS, ...params })
  return {
    commission,
    /** Orders a commission with materials that the player provides. */
    commissionProvided(params: object = {}) {
      giveBill(scene(), scene().player)
      return commission({ provide_materials: true, ...params })
    },
    cost: () => materialCost(scene().small.world, scene().base, BILL),
    salesTaxOn: (credits: number) =>
      Math.floor(
        (credits * salesTaxBps(scene().small.world, scene().player, scene().base)) / 10_000,
      ),
    /** Offers the materials of a ship on the exchange, at a share of their base value. */
    offerBill(share = 1, but: readonly string[] = []): void {
      giveBill(scene(), scene().other)
      for (const { item, units } of BILL) {
        const { id, base_value } = GOODS[item]
        if (but.includes(id)) continue
        const price_each = Math.max(1, Math.floor(base_value * share))
        const order = { item_id: id, quantity: units, price_each }
        result(scene(), scene().other, 'create_sell_order', order)
      }
    },
  }
}
