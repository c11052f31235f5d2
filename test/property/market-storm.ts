/**
 * A storm of orders on the exchanges of five bases: every player sends one command a tick, alone or
 * in bulk, sound or not, through the real engine. After each tick every invariant of the world is
 * checked, and of each of these exchanges all that market.md section 11 says. What is sent follows
 * from the seed and the world, so that the same storm blows on any number of kernel threads.
 */
import { assert } from '../../core/assert.ts'
import { itemIndex } from '../../core/catalog/index.ts'
import type { Engine } from '../../core/engine.ts'
import { moveItems, namedContainer } from '../../core/goods.ts'
import { stateHash } from '../../core/hash.ts'
import { namedAccount, post } from '../../core/ledger.ts'
import { playerNumber } from '../../core/pending.ts'
import type { JournalInput, JournalRow, WorldImage } from '../../core/ports.ts'
import { finishBatch } from '../../core/publish.ts'
import { createRegistry } from '../../core/registry.ts'
import { runTick } from '../../core/tick.ts'
import { RULES_VERSION } from '../../core/version.ts'
import type { Eid, World } from '../../core/world.ts'
import { walletOf } from '../../systems/account/rules.ts'
import { openLocker } from '../../systems/cargo/rules.ts'
import { checkExchange } from '../../systems/market/checks.ts'
import { Order } from '../../systems/market/columns.ts'
import { ordersOf } from '../../systems/market/order-list.ts'
import { orderId } from '../../systems/market/rules.ts'
import { DOMAINS } from '../../systems/registry.ts'
import { dockedBase } from '../../systems/travel/rules.ts'
import { loadWorld, openEngine } from '../../world-start.ts'
import { createDice, type Dice } from '../sim/dice.ts'
import { smallWorld } from '../small-world.ts'

const TICK_MS = 10_000
const MAX_ENTITIES = 10_000
const WALL_MS = 1_900_000_000_000
const PLAYERS = 40
const EMPIRES = ['solarian', 'voidborn', 'crimson', 'nebula', 'outerrim']
/** Some that managers stock, some that only players trade. */
const ITEMS = ['steel_plate', 'fuel_cell', 'iron_ore', 'repair_kit', 'gold_ore', 'titanium_ore']
const CREDITS = 50_000_000
const UNITS = 20_000
const BASES_CHECKED = EMPIRES.length

export interface StormOptions {
  readonly seed: number
  /** Rows of commands to send, at least. */
  readonly count: number
  readonly workers?: number
}

export interface Storm {
  readonly hash: string
  readonly ticks: number
  readonly rows: number
  /** Answers by command and code. */
  readonly answers: ReadonlyMap<string, number>
}

let made: Promise<WorldImage> | undefined

/** Traders with credits and goods at the capitals of all empires. */
async function stage(): Promise<WorldImage> {
  const small = await smallWorld({ maxEntities: MAX_ENTITIES })
  const { world } = small
  for (let i = 0; i < PLAYERS; i++) {
    const player = small.join(`Trader ${i}`, EMPIRES[i % EMPIRES.length])
    post(world, namedAccount('starting_grant'), walletOf(world, player), CREDITS)
    const locker = openLocker(world, player, dockedBase(world, player))
    for (const item of ITEMS) {
      moveItems(world, namedContainer('supply'), locker, itemIndex(item), UNITS)
    }
  }
  return small.image()
}

/** Values that no order may have, and the largest and smallest that it may. */
const ODD_PRICES = [0, -1, 1, 1e12, 1e12 + 1, Number.MAX_SAFE_INTEGER]
const ODD_UNITS = [0, -7, 1, 1e9, 1e9 + 1, Number.MAX_SAFE_INTEGER]

const priceOf = (dice: Dice): number =>
  dice.chance(3) ? dice.pick(ODD_PRICES) : 10 + dice.below(40)
const unitsOf = (dice: Dice): number =>
  dice.chance(3) ? dice.pick(ODD_UNITS) : 1 + dice.below(dice.chance(10) ? 2_000 : 50)
const itemOf = (dice: Dice): string => (dice.chance(2) ? 'no such thing' : dice.pick(ITEMS))

/** Mostly an own order, sometimes somebody's, sometimes none. */
function orderOf(world: World, player: Eid, dice: Dice): string {
  if (dice.chance(3)) return 'no such order'
  const whose = dice.chance(4) ? 1 + dice.below(PLAYERS) : player
  const own = ordersOf(world, whose)
  return own.length === 0 ? 'none' : orderId(world, dice.pick(own))
}

function rowsOf<R>(dice: Dice, row: () => R): R[] {
  const count = dice.chance(1) ? 51 : 1 + dice.below(50)
  return Array.from({ length: count }, row)
}

interface Wish {
  readonly command: string
  readonly params: Record<string, unknown>
  readonly rows: number
}

const single = (command: string, params: Record<string, unknown>): Wish => ({
  command,
  params,
  rows: 1,
})

function wishOf(world: World, player: Eid, dice: Dice): Wish {
  const limit = () => ({
    item_id: itemOf(dice),
    quantity: unitsOf(dice),
    price_each: priceOf(dice),
  })
  const change = () => ({ order_id: orderOf(world, player, dice), new_price: priceOf(dice) })
  const create = dice.pick(['create_buy_order', 'create_sell_order'])
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

const listed = (command: string, name: string, rows: readonly unknown[]): Wish => ({
  command,
  params: { [name]: rows },
  rows: rows.length,
})

function runStormTick(engine: Engine, dice: Dice, answers: Map<string, number>): number {
  const { world } = engine
  const inputs: JournalInput[] = []
  let rows = 0
  for (let player = 1; player <= PLAYERS; player++) {
    if (dice.chance(10)) continue
    const { command, params, rows: count } = wishOf(world, player, dice)
    const number = playerNumber(world, player)
    inputs.push({ ref: number, player: number, command, params, framing: 'ws1' })
    rows += count
  }
  const run = runTick(engine, inputs, WALL_MS + world.tick * TICK_MS)
  const archived = run.outbox.writes.map(({ ref }) => [String(ref), { ok: true, result: {} }])
  const row: JournalRow = {
    batch: world.batch + 1,
    tick: world.tick,
    part: 0,
    rulesVersion: RULES_VERSION,
    wallMs: world.wallMs,
    inputs: run.inputs,
    archived: Object.fromEntries(archived),
    hash: null,
  }
  for (const { command, outcome } of finishBatch(engine, run, row).answers) {
    const key = `${command} ${outcome.ok ? 'ok' : outcome.code}`
    answers.set(key, (answers.get(key) ?? 0) + 1)
  }
  return rows
}

/** Bases that the traders are docked at. */
const basesOf = (world: World): Eid[] => [
  ...new Set(Array.from({ length: PLAYERS }, (_, i) => dockedBase(world, i + 1))),
]

export async function runStorm({ seed, count, workers = 0 }: StormOptions): Promise<Storm> {
  made ??= stage()
  const registry = createRegistry(DOMAINS)
  const world = loadWorld({ registry, tickMs: TICK_MS, maxEntities: MAX_ENTITIES }, await made)
  const engine = await openEngine(world, registry, {
    workers,
    threadFile: new URL('../../kernel-thread.js', import.meta.url).href,
    breakEvenNs: 0,
    checkEvery: 1,
  })
  const dice = createDice(seed)
  const bases = basesOf(world)
  const answers = new Map<string, number>()
  assert(bases.length === BASES_CHECKED, 'the traders are elsewhere')
  let rows = 0
  let ticks = 0
  for (; rows < count; ticks++) {
    rows += runStormTick(engine, dice, answers)
    for (const base of bases) checkExchange(world, base)
    await engine.section.settled()
  }
  await engine.section.close()
  assert(world.countOf(Order) > 0, 'nothing is left on the books')
  return { hash: stateHash(world), ticks, rows, answers }
}
