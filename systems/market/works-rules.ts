/**
 * What happens to the stock of a station in a cycle: some goods grow back, citizens buy and use
 * others, and the station's works produce scarce goods from others in stock. Goods only move
 * between stock, sources and sinks; credits only between the manager and the citizens. Source:
 * balance.md sections 4 and 5.
 */
import { assert } from '../../core/assert.ts'
import {
  ESSENTIALS,
  GOODS,
  importPct,
  isModule,
  itemIndex,
  MAKINGS,
} from '../../core/catalog/index.ts'
import { Container, moveItems, namedContainer, Stack } from '../../core/goods.ts'
import { balanceOf, post } from '../../core/ledger.ts'
import { divCeil, divFloor } from '../../core/math.ts'
import { CYCLE_TICKS } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { demandPerMille } from '../account/population-model.ts'
import { regionOf } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { openCitizenPool } from '../facility/rules.ts'
import { citizenSavings } from '../passenger/model.ts'
import { seasonalUseBps } from '../season/model.ts'
import { fillPct, managedAt, managedValue, midOf } from './quote-model.ts'
import { Book, Managed, PARTS } from './state.ts'

const EXPORT = PARTS.indexOf('export')
const IMPORT = PARTS.indexOf('import')

/* Tables by good */

/** How works produce a good. */
interface Work {
  /** Length of the longest chain of recipes behind the good. */
  readonly depth: number
  readonly inputs: readonly { readonly item: number; readonly units: number }[]
  /** Units of the good for each run; other outputs are lost. */
  readonly output: number
  /** Credits for a run. */
  readonly wages: number
}

/** Divisor of the value that a run adds: this part of it is paid as wages. */
const WAGES_DIVISOR = 2

function workOf(id: string): Work | undefined {
  const making = MAKINGS.get(id)
  if (!making) return undefined
  const { recipe, depth } = making
  const output = recipe.outputs.find(({ item_id }) => item_id === id)?.quantity ?? 0
  const inputs = recipe.inputs.map(({ item_id, quantity }) => ({
    item: itemIndex(item_id),
    units: quantity,
  }))
  const inputValue = inputs.reduce(
    (sum, { item, units }) => sum + GOODS[item].base_value * units,
    0,
  )
  const addedValue = Math.max(0, GOODS[itemIndex(id)].base_value * output - inputValue)
  return { depth, inputs, output, wages: divFloor(addedValue, WAGES_DIVISOR) }
}

const WORKS = GOODS.map(({ id }) => workOf(id))

/** How a scarce good is created from nothing. */
interface Floor {
  /** Stock below which it is created, percent of the target. */
  readonly belowPct: number
  /** Units created in a cycle, thousandths of the target. */
  readonly perMille: number
}

const COMMON_FLOOR: Floor = { belowPct: 30, perMille: 5 }
/** ours: one percent above the fifth that is never offered, or none would ever be offered. */
const RARE_FLOOR: Floor = { belowPct: 21, perMille: 2 }

const IS_ESSENTIAL: ReadonlySet<string> = new Set(ESSENTIALS)

function floorOf(item: number): Floor | undefined {
  const row = GOODS[item]
  if (isModule(row) || row.extracted_by === undefined || !IS_ESSENTIAL.has(row.id)) return undefined
  return row.rarity === 'common' ? COMMON_FLOOR : RARE_FLOOR
}

const FLOORS = GOODS.map((_, item) => floorOf(item))

/** By item: true for goods that are made, neither mined nor fitted. Citizens use these. */
const IS_MADE = GOODS.map((row) => !isModule(row) && row.extracted_by === undefined)

/* The shelves of a station */

/** A good that a station stocks, and what happens to it in this cycle. */
interface Shelf {
  readonly managed: Row
  readonly item: number
  readonly target: number
  readonly part: number
  /** True if it grows back. */
  readonly grows: boolean
  /** Additional use by a season, 1/10,000 of the target; negative if the season supplies it. */
  readonly seasonBps: number
  /** Units now. */
  stock: number
  /** Units now that are in no ask. */
  free: number
  grown: number
  made: number
  used: number
}

/** Returns the shelves of a base, ascending by item like its stacks. */
function shelvesOf(view: WorldView, base: Eid): Shelf[] {
  const { book, target, supply, stock, part } = view.read(Managed)
  const { item: itemOf } = view.read(Book)
  const stack = view.read(Stack)
  const region = regionOf(view, base)
  let row = view.read(Container).first[view.read(Base).stock[base]]
  return managedAt(view, base).map((managed) => {
    const item = itemOf[book[managed]]
    while (row !== 0 && stack.item[row] < item) row = stack.next[row]
    const free = row !== 0 && stack.item[row] === item ? stack.units[row] : 0
    return {
      managed,
      item,
      target: target[managed],
      part: part[managed],
      grows: supply[managed] === 1,
      seasonBps: seasonalUseBps(view, region, item),
      stock: stock[managed],
      free,
      grown: 0,
      made: 0,
      used: 0,
    }
  })
}

function add(shelf: Shelf, units: number): void {
  shelf.stock += units
  shelf.free += units
}

function use(shelf: Shelf, units: number): void {
  shelf.stock -= units
  shelf.free -= units
  shelf.used += units
}

/** Moves the goods of a cycle, each at most once for growth, production and use. */
function applyCycle(world: World, base: Eid, shelves: readonly Shelf[]): void {
  const { stock } = world.write(Managed)
  const container = world.read(Base).stock[base]
  for (const { managed, item, grown, made, used, stock: after } of shelves) {
    if (grown + made + used === 0) continue
    moveItems(world, namedContainer('supply'), container, item, grown)
    moveItems(world, namedContainer('produced'), container, item, made)
    moveItems(world, container, namedContainer('consumption'), item, used)
    stock[managed] = after
  }
}

/**
 * Limit of the target that the pace of works and citizens is based on. ours: a large stock means
 * neither more workers nor more consumers, and would use up the ore of the local miners.
 */
const PACE_TARGET_MAX = 8_000

/**
 * The same limit for upkeep goods. ours: they must be used up as fast as large ships deliver them,
 * or a region would need no deliveries after a day.
 */
const UPKEEP_TARGET_MAX = 32_000

/** Returns whether a good is for upkeep: an import that is made, which the station itself uses. */
const isUpkeep = ({ item, part }: Shelf): boolean => part === IMPORT && IS_MADE[item]

/** Returns the pace of works or citizens: units in a cycle, times 1,000,000. */
const paceOf = ({ target }: Shelf, targetMax: number, perMille: number, demand: number): number =>
  Math.min(target, targetMax) * perMille * demand

/** Returns a share of a target in 1/10,000, rounded up. */
const shareOf = (target: number, bps: number): number => divCeil(target * bps, 10_000)

/* Growth */

/** Growth of basic goods in a cycle, percent of the target. Source: market.md section 7. */
const GROWTH_PCT = 1

function growthOf({ item, target, stock, grows }: Shelf): number {
  if (grows) {
    return stock >= target
      ? 0
      : Math.min(target - stock, Math.max(1, divFloor(target * GROWTH_PCT, 100)))
  }
  const floor = FLOORS[item]
  if (!floor || fillPct(stock, target) >= floor.belowPct) return 0
  return Math.max(1, divFloor(target * floor.perMille, 1_000))
}

/** Stock up to which a season supplies goods, percent of the target. */
const SEASON_GOAL_PCT = 200

/** Returns the units that a season supplies. */
function seasonalSupply({ target, stock, seasonBps }: Shelf): number {
  if (seasonBps >= 0) return 0
  const room = Math.max(0, divFloor(target * SEASON_GOAL_PCT, 100) - stock)
  return Math.min(room, shareOf(target, -seasonBps))
}

function grow(shelf: Shelf): void {
  shelf.grown = Math.max(growthOf(shelf), seasonalSupply(shelf))
  add(shelf, shelf.grown)
}

/* Consumption */

/**
 * Use in a cycle, thousandths of the target: of upkeep goods, of plentiful goods and other imports,
 * and of all others. ours: upkeep is more than the 10 of balance.md section 5, or the largest ships
 * would fill their ports in a day.
 */
const UPKEEP_PER_MILLE = 20
const PLENTY_PER_MILLE = 10
const USE_PER_MILLE = 2
/**
 * Stock above which a good is plentiful, and down to which citizens use it, percent of the target.
 */
const PLENTY_PCT = 100
const USE_END_PCT = 40
/** Stock down to which an upkeep good is used, by good, percent of the target. */
const IMPORT_ENDS_PCT = GOODS.map(({ id }) => importPct(id))

/** Returns the stock down to which a good is used, percent of the target. */
const endPct = (shelf: Shelf): number =>
  isUpkeep(shelf) ? IMPORT_ENDS_PCT[shelf.item] : USE_END_PCT
/** In each cycle citizens start with the good this many places further on. */
const USE_STRIDE = 61

/** Returns the units of a good that citizens want to use in this cycle. */
function wantedOf(view: WorldView, shelf: Shelf, demand: number): number {
  const { item, target, stock, part, grows, free } = shelf
  if (grows || (!IS_MADE[item] && part !== IMPORT)) return 0
  const fill = fillPct(stock, target)
  if (fill <= endPct(shelf)) return 0
  const isPlenty = fill > PLENTY_PCT || part === IMPORT
  const share = isUpkeep(shelf)
    ? paceOf(shelf, UPKEEP_TARGET_MAX, UPKEEP_PER_MILLE, demand)
    : paceOf(shelf, PACE_TARGET_MAX, isPlenty ? PLENTY_PER_MILLE : USE_PER_MILLE, demand)
  const cycle = divFloor(view.tick, CYCLE_TICKS)
  const units = divFloor(share * (cycle + 1), 1_000_000) - divFloor(share * cycle, 1_000_000)
  return Math.min(units, free, stock - divCeil(target * endPct(shelf), 100))
}

/** Stock down to which a season makes citizens use a good, percent of the target. */
const SEASON_END_PCT = 10

/** Returns the units that a season makes citizens use. */
function seasonalDemand({ target, stock, free, seasonBps }: Shelf): number {
  if (seasonBps <= 0) return 0
  const above = Math.max(0, stock - divCeil(target * SEASON_END_PCT, 100))
  return Math.min(shareOf(target, seasonBps), free, above)
}

/** Returns the credits that citizens may spend on goods: those above their savings. */
const budgetOf = (view: WorldView, base: Eid, pool: Row): number =>
  Math.max(0, balanceOf(view, pool) - citizenSavings(view, base))

/**
 * Makes citizens buy the goods they use at the middle price. They use only what they can pay for,
 * except upkeep goods. ours: citizens cannot pay for all that large ships deliver, and goods that
 * fill the stock would never be bought again.
 */
function consume(world: World, base: Eid, shelves: readonly Shelf[], demand: number): void {
  const pool = openCitizenPool(world, base)
  let budget = budgetOf(world, base, pool)
  let spent = 0
  const start = (divFloor(world.tick, CYCLE_TICKS) * USE_STRIDE) % Math.max(1, shelves.length)
  const rotated = [...shelves.slice(start), ...shelves.slice(0, start)]
  // Goods that a season requires come first.
  const order = rotated.sort((a, b) => Number(b.seasonBps > 0) - Number(a.seasonBps > 0))
  for (const shelf of order) {
    const wanted = Math.max(wantedOf(world, shelf, demand), seasonalDemand(shelf))
    if (wanted <= 0) continue
    const { managed, stock, target } = shelf
    const price = midOf({ stock, target, value: managedValue(world, managed) })
    const units = Math.min(wanted, divFloor(budget, price))
    use(shelf, isUpkeep(shelf) ? wanted : units)
    budget -= units * price
    spent += units * price
  }
  post(world, pool, world.read(Base).manager[base], spent)
}

/* Works */

/** Stock up to which works produce a good, and an export, percent of the target. */
const WORKS_PCT = 60
const EXPORT_WORKS_PCT = 125
/**
 * The same at capitals. ours: they supply large production lines, for which 60 is too expensive.
 */
const CAPITAL_WORKS_PCT = 100
/** Stock of an input that works leave, percent of its target. */
const INPUT_KEPT_PCT = 35
/**
 * Production of works in a cycle, thousandths of the target. ours: balance.md section 4 has 20, but
 * then the largest production lines use up the parts of their capital.
 */
const WORKS_PER_MILLE = 30

/** Shelves by item. */
type Shelves = ReadonlyMap<number, Shelf>

/** Returns the number of runs that the stock of inputs allows. */
function runsOfInputs({ inputs }: Work, byItem: Shelves): number {
  let runs = Number.MAX_SAFE_INTEGER
  for (const { item, units } of inputs) {
    const shelf = byItem.get(item)
    if (!shelf) return 0
    const spare = shelf.stock - divCeil(shelf.target * INPUT_KEPT_PCT, 100)
    runs = Math.min(runs, divFloor(Math.max(0, Math.min(spare, shelf.free)), units))
  }
  return runs
}

/**
 * Returns the stock up to which works produce a good. Of imports they produce only a minimum, so
 * that these stay expensive for the players who deliver or make them. Source: balance.md sections
 * 4, 5.
 */
function goalOf(shelf: Shelf, isCapital: boolean): number {
  const { part, target } = shelf
  const pct = isCapital ? CAPITAL_WORKS_PCT : part === EXPORT ? EXPORT_WORKS_PCT : WORKS_PCT
  return divCeil(target * (part === IMPORT ? endPct(shelf) : pct), 100)
}

interface WorkOrder {
  readonly shelf: Shelf
  readonly work: Work
  /** Stock up to which the good is produced, units. */
  readonly goal: number
}

/** Returns the goods that are scarce and can be produced here, the longest chain first. */
function planWorks(shelves: readonly Shelf[], isCapital: boolean): WorkOrder[] {
  const orders: WorkOrder[] = []
  for (const shelf of shelves) {
    const work = WORKS[shelf.item]
    const goal = goalOf(shelf, isCapital)
    if (work && !shelf.grows && shelf.stock < goal) orders.push({ shelf, work, goal })
  }
  return orders.sort((a, b) => b.work.depth - a.work.depth || a.shelf.item - b.shelf.item)
}

/** Produces scarce goods, as far as the manager can pay the wages to the citizens. */
function produce(world: World, base: Eid, shelves: readonly Shelf[], demand: number): void {
  const { manager, capital } = world.read(Base)
  let credits = balanceOf(world, manager[base])
  let paid = 0
  const byItem = new Map(shelves.map((shelf) => [shelf.item, shelf]))
  for (const { shelf, work, goal } of planWorks(shelves, capital[base] === 1)) {
    const { output, wages, inputs } = work
    const paced = divFloor(
      paceOf(shelf, PACE_TARGET_MAX, WORKS_PER_MILLE, demand),
      1_000_000 * output,
    )
    const runs = Math.min(
      divCeil(goal - shelf.stock, output),
      Math.max(1, paced),
      runsOfInputs(work, byItem),
      wages === 0 ? Number.MAX_SAFE_INTEGER : divFloor(credits, wages),
    )
    if (runs === 0) continue
    for (const { item, units } of inputs) {
      const input = byItem.get(item)
      assert(input, 'works use goods that the station stocks')
      use(input, runs * units)
    }
    add(shelf, runs * output)
    shelf.made += runs * output
    credits -= runs * wages
    paid += runs * wages
  }
  post(world, manager[base], openCitizenPool(world, base), paid)
}

/** Runs a cycle of a station's stock. O(goods that it stocks). */
export function workAt(world: World, base: Eid): void {
  const shelves = shelvesOf(world, base)
  if (shelves.length === 0) return
  const demand = demandPerMille(world)
  for (const shelf of shelves) grow(shelf)
  consume(world, base, shelves, demand)
  produce(world, base, shelves, demand)
  applyCycle(world, base, shelves)
}
