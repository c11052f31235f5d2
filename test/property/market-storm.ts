/**
 * A storm of orders on the exchanges of five bases: every player sends one command a tick, alone or
 * in bulk, valid or not, through the real engine. After each tick every invariant of the world is
 * checked, and for each of these exchanges the equations of market.md section 11. What is sent
 * follows from the seed and the world, so that the storm is the same on any number of threads.
 */
import { assert } from '../../core/assert.ts'
import { facilityTypeIndex, itemIndex } from '../../core/catalog/index.ts'
import { createDice, type Dice } from '../../core/dice.ts'
import { moveItems, namedContainer } from '../../core/goods.ts'
import { namedAccount, post } from '../../core/ledger.ts'
import type { WorldImage } from '../../core/ports.ts'
import type { Eid, World } from '../../core/types.ts'
import { walletOf } from '../../systems/account/model.ts'
import { openLocker } from '../../systems/cargo/model.ts'
import { addFacility } from '../../systems/facility/lifecycle-rules.ts'
import { OF_FACTION, ONLINE } from '../../systems/facility/state.ts'
import { addMember, foundFaction } from '../../systems/faction/member-rules.ts'
import { factionOf, treasuryOf } from '../../systems/faction/model.ts'
import { openStore } from '../../systems/faction/store-model.ts'
import { factionOrders, ordersOf } from '../../systems/market/book-model.ts'
import { checkExchange } from '../../systems/market/checks.ts'
import { orderId } from '../../systems/market/model.ts'
import { Order as OpenOrder } from '../../systems/market/state.ts'
import { dockedBase } from '../../systems/travel/location-model.ts'
import { type DrivenWorld, driveWorld, empireOf, type Wish } from '../driven-world.ts'

const MAX_ENTITIES = 10_000
const PLAYERS = 40
/** Goods that managers stock, and goods that only players trade. */
const ITEMS = ['steel_plate', 'fuel_cell', 'iron_ore', 'repair_kit', 'gold_ore', 'titanium_ore']
const CREDITS = 50_000_000
const UNITS = 20_000
const BASES_CHECKED = 5
/** Players come from this many empires in turn; the first players lead factions. */
const EMPIRES = 5
const FACTIONS = 3
const OFFICER = 2

interface StormOptions {
  readonly seed: number
  /** Rows of commands to send, at least. */
  readonly count: number
  readonly workers?: number
}

interface Storm {
  readonly hash: string
  readonly ticks: number
  readonly rows: number
  /** Answers by command and code. */
  readonly answers: ReadonlyMap<string, number>
}

let startImage: Promise<WorldImage> | undefined

/** Makes traders with credits and goods at the capitals of all empires. */
async function stage(): Promise<WorldImage> {
  const driven = await driveWorld({ maxEntities: MAX_ENTITIES, isSmallMap: true })
  const { world } = driven
  for (let i = 0; i < PLAYERS; i++) {
    const player = driven.join(`Trader ${i}`, empireOf(i))
    post(world, namedAccount('starting_grant'), walletOf(world, player), CREDITS)
    const locker = openLocker(world, player, dockedBase(world, player))
    for (const item of ITEMS) {
      moveItems(world, namedContainer('supply'), locker, itemIndex(item), UNITS)
    }
  }
  for (let first = 1; first <= FACTIONS; first++) arrangeFaction(world, first)
  return driven.image()
}

/** Gives players of one empire a faction that can trade at their capital. */
function arrangeFaction(world: World, leader: Eid): void {
  const faction = foundFaction(world, leader, `House ${leader}`, `HSE${leader}`)
  post(world, namedAccount('missions'), treasuryOf(world, faction), CREDITS)
  const base = dockedBase(world, leader)
  const owner = { kind: OF_FACTION, player: 0, faction }
  for (const id of ['faction_lockbox', 'faction_market_desk', 'company_store']) {
    addFacility(world, { type: facilityTypeIndex(id), base, owner, status: ONLINE })
  }
  const store = openStore(world, { faction, base, bucket: 0 })
  for (const item of ITEMS) {
    moveItems(world, namedContainer('supply'), store, itemIndex(item), UNITS)
  }
  for (let player = leader + EMPIRES; player <= PLAYERS; player += EMPIRES * 2) {
    addMember(world, player, faction, OFFICER)
  }
}

/** Values that no order may have, and the largest and smallest that it may. */
const ODD_PRICES = [0, -1, 1, 1e12, 1e12 + 1, Number.MAX_SAFE_INTEGER]
const ODD_UNITS = [0, -7, 1, 1e9, 1e9 + 1, Number.MAX_SAFE_INTEGER]

const priceOf = (dice: Dice): number =>
  dice.chance(3) ? dice.pick(ODD_PRICES) : 10 + dice.below(40)
const unitsOf = (dice: Dice): number =>
  dice.chance(3) ? dice.pick(ODD_UNITS) : 1 + dice.below(dice.chance(10) ? 2_000 : 50)
const itemOf = (dice: Dice): string => (dice.chance(2) ? 'no such thing' : dice.pick(ITEMS))

/** Draws an order's id: mostly of an own order, at times of another player's or of none. */
function orderOf(world: World, player: Eid, dice: Dice): string {
  if (dice.chance(3)) return 'no such order'
  const owner = dice.chance(4) ? 1 + dice.below(PLAYERS) : player
  const faction = factionOf(world, player)
  const isOfFaction = faction !== 0 && dice.chance(40)
  const own = isOfFaction ? factionOrders(world, faction) : ordersOf(world, owner)
  return own.length === 0 ? 'none' : orderId(world, dice.pick(own))
}

function rowsOf<R>(dice: Dice, row: () => R): R[] {
  const count = dice.chance(1) ? 51 : 1 + dice.below(50)
  return Array.from({ length: count }, row)
}

interface Order {
  readonly command: string
  readonly params: Record<string, unknown>
  readonly rows: number
}

const single = (command: string, params: Record<string, unknown>): Order => ({
  command,
  params,
  rows: 1,
})

function wishOf(world: World, player: Eid, dice: Dice): Order {
  const limit = () => ({
    item_id: itemOf(dice),
    quantity: unitsOf(dice),
    price_each: priceOf(dice),
  })
  const change = () => ({ order_id: orderOf(world, player, dice), new_price: priceOf(dice) })
  const create = dice.pick(['create_buy_order', 'create_sell_order'])
  if (factionOf(world, player) !== 0 && dice.chance(40)) {
    const order = () => ({ ...limit(), ...(dice.chance(50) ? { private: true } : {}) })
    if (dice.chance(50)) return single(`faction_${create}`, order())
    return listed(`faction_${create}`, 'orders', rowsOf(dice, order))
  }
  const kind = dice.below(16)
  if (kind < 3) {
    const params = { item_id: itemOf(dice), quantity: unitsOf(dice), auto_list: dice.chance(50) }
    return single(dice.pick(['buy', 'sell']), params)
  }
  if (kind < 6) return single(create, { ...limit(), ...deliveryOf(dice, create) })
  if (kind < 7) return single('modify_order', change())
  if (kind < 8) return single('cancel_order', { order_id: orderOf(world, player, dice) })
  if (kind === 8 && dice.chance(20)) return single('cancel_order', { order_id: 'all' })
  if (kind < 12) return listed(create, 'orders', rowsOf(dice, limit))
  if (kind < 14) return listed('modify_order', 'orders', rowsOf(dice, change))
  return listed(
    'cancel_order',
    'order_ids',
    rowsOf(dice, () => orderOf(world, player, dice)),
  )
}

const deliveryOf = (dice: Dice, command: string): object =>
  command === 'create_buy_order' ? { deliver_to: dice.pick(['cargo', 'storage']) } : {}

const listed = (command: string, name: string, rows: readonly unknown[]): Order => ({
  command,
  params: { [name]: rows },
  rows: rows.length,
})

function runStormTick(driven: DrivenWorld, dice: Dice, answers: Map<string, number>): number {
  let rows = 0
  const wishes: Wish[] = []
  for (let player = 1; player <= PLAYERS; player++) {
    if (dice.chance(10)) continue
    const { command, params, rows: count } = wishOf(driven.world, player, dice)
    wishes.push({ player, command, params })
    rows += count
  }
  for (const { command, outcome } of driven.tick(wishes)) {
    const key = `${command} ${outcome.ok ? 'ok' : outcome.code}`
    answers.set(key, (answers.get(key) ?? 0) + 1)
  }
  return rows
}

/** Returns the bases that the traders are docked at. */
const basesOf = (world: World): Eid[] => [
  ...new Set(Array.from({ length: PLAYERS }, (_, i) => dockedBase(world, i + 1))),
]

export async function runStorm({ seed, count, workers = 0 }: StormOptions): Promise<Storm> {
  startImage ??= stage()
  const driven = await driveWorld({ maxEntities: MAX_ENTITIES, from: await startImage, workers })
  const { world } = driven
  const dice = createDice(seed)
  const bases = basesOf(world)
  const answers = new Map<string, number>()
  assert(bases.length === BASES_CHECKED, 'the traders are elsewhere')
  let rows = 0
  let ticks = 0
  for (; rows < count; ticks++) {
    rows += runStormTick(driven, dice, answers)
    for (const base of bases) checkExchange(world, base)
    await driven.settled()
  }
  const hash = driven.hash()
  await driven.close()
  assert(world.countOf(OpenOrder) > 0, 'nothing is left on the books')
  return { hash, ticks, rows, answers }
}
