/** Two traders with credits and goods at one base, and an item that no manager stocks there. */
import { GOODS } from '../../../core/catalog/index.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { openLocker, storedUnits } from '../../../systems/cargo/model.ts'
import { bestLevel, bookOf } from '../../../systems/market/book-model.ts'
import { salesTaxBps } from '../../../systems/market/model.ts'
import { ASK, Level } from '../../../systems/market/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { oncePerMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { allowGiving } from '../trade/stage.ts'

/** Enough for both traders to pay any price: no part of it is refused as a gift. */
const MAY_GIVE = 2 ** 52

/** The fields that the result of an order command may have. */
export interface Result {
  [field: string]: unknown
  order_id: string
  results: (Record<string, unknown> & { order_id: string })[]
}

export interface Scene {
  readonly small: SmallWorld
  readonly player: Eid
  readonly other: Eid
  readonly base: Eid
  readonly item: number
  readonly item_id: string
}

async function make(): Promise<Scene> {
  const small = await smallWorld()
  const player = small.join('Trader')
  const other = small.join('Rival')
  const base = dockedBase(small.world, player)
  const item = GOODS.findIndex(
    (good, index) =>
      bookOf(small.world, base, index) === 0 && 'category' in good && good.category === 'refined',
  )
  const scene = { small, player, other, base, item, item_id: GOODS[item].id }
  for (const who of [player, other]) {
    post(small.world, namedAccount('starting_grant'), walletOf(small.world, who), 1_000_000)
    allowGiving(small.world, who, MAY_GIVE)
    give(scene, who, 1_000)
  }
  return scene
}

const firstScene = oncePerMap(make)

/** Returns the scene in its first state, reloaded for each test. */
export async function freshScene(): Promise<Scene> {
  const scene = await firstScene()
  return { ...scene, small: await scene.small.reload() }
}

export const give = ({ small, base, item }: Scene, who: Eid, units: number): void =>
  moveItems(small.world, namedContainer('supply'), openLocker(small.world, who, base), item, units)

export const wallet = ({ small }: Scene, who: Eid): number =>
  balanceOf(small.world, walletOf(small.world, who))

export const stored = ({ small, base, item }: Scene, who: Eid): number =>
  storedUnits(small.world, who, base, item)

/** Returns the result of a mutation that must succeed. */
export function result({ small }: Scene, who: Eid, command: string, params: object): Result {
  const outcome = small.act(who, command, params)
  if (!outcome.ok) throw new Error(`${outcome.code} ${outcome.message}`)
  return outcome.result as Result
}

/** Returns the error code of a mutation, or ok. */
export function code({ small }: Scene, who: Eid, command: string, params: object): string {
  const outcome = small.act(who, command, params)
  return outcome.ok ? 'ok' : outcome.code
}

export const sell = (scene: Scene, who: Eid, quantity: number, price_each: number): Result =>
  result(scene, who, 'create_sell_order', { item_id: scene.item_id, quantity, price_each })

export const bid = (scene: Scene, who: Eid, quantity: number, price_each: number): Result =>
  result(scene, who, 'create_buy_order', { item_id: scene.item_id, quantity, price_each })

/** Returns the sales tax that the player pays on these credits. */
export const taxOn = ({ small, player, base }: Scene, credits: number): number =>
  Math.floor((credits * salesTaxBps(small.world, player, base)) / 10_000)

export function bestAsk({ small, base, item }: Scene): number {
  const level = bestLevel(small.world, bookOf(small.world, base, item), ASK)
  return level === 0 ? 0 : small.world.read(Level).price[level]
}
