/**
 * What a station does with its stock in a cycle: some goods grow back, its citizens buy and use
 * others, and its works make what runs short out of what is there. Goods only move between stock,
 * sources and sinks; credits only between the manager and the citizens. Source: balance.md sections
 * 4 and 5.
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

/** How works make a good. */
interface Work {
  readonly depth: number
  readonly inputs: readonly { readonly item: number; readonly units: number }[]
  /** Units of the good that a run gives; what comes out besides it is lost. */
  readonly output: number
  /** Credits for a run. */
  readonly wages: number
}

/** Wages are this part of what a run adds in value. */
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
  const worth = inputs.reduce((sum, { item, units }) => sum + GOODS[item].base_value * units, 0)
  const added = Math.max(0, GOODS[itemIndex(id)].base_value * output - worth)
  return { depth, inputs, output, wages: divFloor(added, WAGES_DIVISOR) }
}

const WORKS = GOODS.map(({ id }) => workOf(id))

/** How a good is created from nothing where it has run short. */
interface Floor {
  /** Percent of the target below which it is, and thousandths of it in a cycle. */
  readonly belowPct: number
  readonly perMille: number
}

const COMMON_FLOOR: Floor = { belowPct: 30, perMille: 5 }
/** ours: a point above the fifth that is never offered in asks, or none would ever be offered. */
const RARE_FLOOR: Floor = { belowPct: 21, perMille: 2 }

const IS_ESSENTIAL: ReadonlySet<string> = new Set(ESSENTIALS)

function floorOf(item: number): Floor | undefined {
  const row = GOODS[item]
  if (isModule(row) || row.extracted_by === undefined || !IS_ESSENTIAL.has(row.id)) return undefined
  return row.rarity === 'common' ? COMMON_FLOOR : RARE_FLOOR
}

const FLOORS = GOODS.map((_, item) => floorOf(item))

/** True of goods that are made, neither mined nor fitted: citizens use them. */
const IS_MADE = GOODS.map((row) => !isModule(row) && row.extracted_by === undefined)

/* The shelves of a station */

/** A good a station keeps, and what its turn does to it. */
interface Shelf {
  readonly managed: Row
  readonly item: number
  readonly target: number
  readonly part: number
  /** It grows back by itself. */
  readonly grows: boolean
  /** What a season has used of it more than usual, 1/10,000 of the target; below 0 brought in. */
  readonly seasonBps: number
  /** Units now, and those of them that lie in no ask. */
  stock: number
  free: number
  grown: number
  made: number
  used: number
}

/** Returns the shelves of a base, ascending by item: the order of its stacks, too. */
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

/** Moves the goods of a turn: each at most once from and to a source. */
function applyTurn(world: World, base: Eid, shelves: readonly Shelf[]): void {
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
 * Most of a target that works and citizens go by: a heap for large holds gives a place neither more
 * hands nor more mouths, and would eat up the ore of its miners. Source: ours.
 */
const PACE_TARGET_MAX = 8_000

/**
 * The same of imports that are made [ours]: they are used up as fast as large holds bring them, or
 * a region is traded out in a day.
 */
const UPKEEP_TARGET_MAX = 32_000

/** Returns whether a station uses a good up itself: docks, yards and garrison need imports. */
const isUpkeep = ({ item, part }: Shelf): boolean => part === IMPORT && IS_MADE[item]

/** Returns thousandths of a target, times what the players there are ask for. */
const pacedOf = ({ target }: Shelf, most: number, perMille: number, demand: number): number =>
  Math.min(target, most) * perMille * demand

/** Returns a part of a target, 1/10,000, but never nothing. */
const shareOf = (target: number, bps: number): number => divCeil(target * bps, 10_000)

/* Growing */

/** Percent of the target by which basic goods grow back in a cycle. Source: market.md section 7. */
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

/** Percent of the target up to which a season brings goods in. */
const SEASON_GOAL_PCT = 200

/** Returns the units that a season brings in. */
function broughtIn({ target, stock, seasonBps }: Shelf): number {
  if (seasonBps >= 0) return 0
  const room = Math.max(0, divFloor(target * SEASON_GOAL_PCT, 100) - stock)
  return Math.min(room, shareOf(target, -seasonBps))
}

function grow(shelf: Shelf): void {
  shelf.grown = Math.max(growthOf(shelf), broughtIn(shelf))
  add(shelf, shelf.grown)
}

/* Living */

/**
 * Thousandths of the target used in a cycle: of imports that are made, in plenty and of other
 * imports, and otherwise. ours: upkeep is more than the 10 of balance.md section 5, or the largest
 * holds and lines trade out their ports in a day.
 */
const UPKEEP_PER_MILLE = 20
const PLENTY_PER_MILLE = 10
const LIVING_PER_MILLE = 2
/** Percent of the target at which plenty begins, and down to which citizens use a good. */
const PLENTY_PCT = 100
const LIVING_END_PCT = 40
/** The same of imports that are made, by good. */
const IMPORT_ENDS_PCT = GOODS.map(({ id }) => importPct(id))

const endPct = (shelf: Shelf): number =>
  isUpkeep(shelf) ? IMPORT_ENDS_PCT[shelf.item] : LIVING_END_PCT
/** The citizens' choice begins at another good each time, this many further. */
const LIVING_STRIDE = 61

/** Returns the units of a good that citizens would use now. */
function wantedOf(view: WorldView, shelf: Shelf, demand: number): number {
  const { item, target, stock, part, grows, free } = shelf
  if (grows || (!IS_MADE[item] && part !== IMPORT)) return 0
  const fill = fillPct(stock, target)
  if (fill <= endPct(shelf)) return 0
  const isPlenty = fill > PLENTY_PCT || part === IMPORT
  const share = isUpkeep(shelf)
    ? pacedOf(shelf, UPKEEP_TARGET_MAX, UPKEEP_PER_MILLE, demand)
    : pacedOf(shelf, PACE_TARGET_MAX, isPlenty ? PLENTY_PER_MILLE : LIVING_PER_MILLE, demand)
  const cycle = divFloor(view.tick, CYCLE_TICKS)
  const units = divFloor(share * (cycle + 1), 1_000_000) - divFloor(share * cycle, 1_000_000)
  return Math.min(units, free, stock - divCeil(target * endPct(shelf), 100))
}

/** Percent of the target down to which a season has citizens use a good. */
const SEASON_END_PCT = 10

/** Returns the units that a season has citizens use. */
function seasonalWant({ target, stock, free, seasonBps }: Shelf): number {
  if (seasonBps <= 0) return 0
  const above = Math.max(0, stock - divCeil(target * SEASON_END_PCT, 100))
  return Math.min(shareOf(target, seasonBps), free, above)
}

/** Returns what citizens may spend on goods: what they have above their savings. */
const budgetOf = (view: WorldView, base: Eid, pool: Row): number =>
  Math.max(0, balanceOf(view, pool) - citizenSavings(view, base))

/**
 * Has citizens buy what they use at the middle price. What they cannot pay is not used, but for
 * what the station needs itself [ours]: citizens have not the credits for what large lines and
 * holds bring, and what fills a shelf would find no buyer again.
 */
function live(world: World, base: Eid, shelves: readonly Shelf[], demand: number): void {
  const pool = openCitizenPool(world, base)
  let budget = budgetOf(world, base, pool)
  let spent = 0
  const start = (divFloor(world.tick, CYCLE_TICKS) * LIVING_STRIDE) % Math.max(1, shelves.length)
  const usual = [...shelves.slice(start), ...shelves.slice(0, start)]
  // What a season asks for comes first.
  const order = usual.sort((a, b) => Number(b.seasonBps > 0) - Number(a.seasonBps > 0))
  for (const shelf of order) {
    const wanted = Math.max(wantedOf(world, shelf, demand), seasonalWant(shelf))
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

/** Percent of the target up to which works make a good, and an export. */
const WORKS_PCT = 60
const EXPORT_WORKS_PCT = 125
/** The same at capitals. ours: their shelves feed large lines, for which 60 is too expensive. */
const CAPITAL_WORKS_PCT = 100
/** Percent of its target that an input keeps. */
const INPUT_KEPT_PCT = 35
/**
 * Thousandths of the target that works make in a cycle. ours: balance.md section 4 has 20, at which
 * the largest lines eat up the parts of their capital.
 */
const WORKS_PER_MILLE = 30

/** Shelves by item. */
type Shelves = ReadonlyMap<number, Shelf>

/** Returns the most runs for which the inputs are there. */
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
 * Returns the stock up to which works make a good. An import they only keep from running out: it is
 * expensive here, for those who bring or make it. Source: balance.md sections 4, 5.
 */
function goalOf(shelf: Shelf, isCapital: boolean): number {
  const { part, target } = shelf
  const pct = isCapital ? CAPITAL_WORKS_PCT : part === EXPORT ? EXPORT_WORKS_PCT : WORKS_PCT
  return divCeil(target * (part === IMPORT ? endPct(shelf) : pct), 100)
}

interface Order {
  readonly shelf: Shelf
  readonly work: Work
  /** Units up to which it is made. */
  readonly goal: number
}

/** Returns what runs short and could be made here, the longest chain first. */
function orderWorks(shelves: readonly Shelf[], isCapital: boolean): Order[] {
  const orders: Order[] = []
  for (const shelf of shelves) {
    const work = WORKS[shelf.item]
    const goal = goalOf(shelf, isCapital)
    if (work && !shelf.grows && shelf.stock < goal) orders.push({ shelf, work, goal })
  }
  return orders.sort((a, b) => b.work.depth - a.work.depth || a.shelf.item - b.shelf.item)
}

/** Makes what runs short; the manager pays the wages of each run to the citizens, or it is not. */
function make(world: World, base: Eid, shelves: readonly Shelf[], demand: number): void {
  const { manager, capital } = world.read(Base)
  let credits = balanceOf(world, manager[base])
  let paid = 0
  const byItem = new Map(shelves.map((shelf) => [shelf.item, shelf]))
  for (const { shelf, work, goal } of orderWorks(shelves, capital[base] === 1)) {
    const { output, wages, inputs } = work
    const paced = divFloor(
      pacedOf(shelf, PACE_TARGET_MAX, WORKS_PER_MILLE, demand),
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
      assert(input, 'works run on what is kept')
      use(input, runs * units)
    }
    add(shelf, runs * output)
    shelf.made += runs * output
    credits -= runs * wages
    paid += runs * wages
  }
  post(world, manager[base], openCitizenPool(world, base), paid)
}

/** Takes a base's turn of a cycle. O(goods it keeps). */
export function workAt(world: World, base: Eid): void {
  const shelves = shelvesOf(world, base)
  if (shelves.length === 0) return
  const demand = demandPerMille(world)
  for (const shelf of shelves) grow(shelf)
  live(world, base, shelves, demand)
  make(world, base, shelves, demand)
  applyTurn(world, base, shelves)
}
