/**
 * Convoys: what a capital has run out of and needs comes from the station that has most of it,
 * bought by one manager of another and paid at once. As much as a freighter holds is flown there;
 * the rest, and all where no convoy goes, is there at once. Source: balance.md section 4.
 */
import { assert } from '../../core/assert.ts'
import { ESSENTIALS, GOODS } from '../../core/catalog/index.ts'
import { contentsOf } from '../../core/goods.ts'
import { addToList } from '../../core/groups.ts'
import { balanceOf, post } from '../../core/ledger.ts'
import { divCeil, divFloor } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Base } from '../base/state.ts'
import { formConvoy } from '../npc/convoy-rules.ts'
import { unloadCargo } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { isPirateBase } from './model.ts'
import { fillPct, managedAt, managedValue, midOf } from './quote-model.ts'
import { Book, KEEPERS, Managed } from './state.ts'
import { managedOf, takeFromStock, unitsInStock } from './stock-model.ts'

/**
 * Percent of the target up to which a capital sends for a good, and above which a base gives. ours:
 * balance.md section 4 has it send at 30, but works leave 35 of what they work up: no convoy ever
 * came for the ore that they stood still for. At 40 it would bring in what imports are dear by.
 */
const SHORT_PCT = 38
const PLENTY_PCT = 90
/** Part of the target that one convoy brings. */
const LOAD_DIVISOR = 20

const ESSENTIAL = new Set(ESSENTIALS)
const IS_ESSENTIAL = GOODS.map(({ id }) => ESSENTIAL.has(id))

/** Returns the rows of all stations that keep a good. */
function keepersOf(view: WorldView, item: number): readonly Row[] {
  const keepers = view.index(KEEPERS)
  if (keepers.size === 0) {
    const { alive, book } = view.read(Managed)
    const { item: itemOf } = view.read(Book)
    for (let row = 1; row <= view.highOf(Managed); row++) {
      if (alive[row] === 1) addToList(keepers, itemOf[book[row]], row)
    }
  }
  return keepers.get(item) ?? []
}

/** Returns who has most of a good for its size, if that is plenty; 0: nobody. */
function giverOf(view: WorldView, item: number): Row {
  const { base, stock, target } = view.read(Managed)
  let giver = 0
  let best = PLENTY_PCT
  for (const row of keepersOf(view, item)) {
    const fill = fillPct(stock[row], target[row])
    if (fill <= best || isPirateBase(view, base[row])) continue
    giver = row
    best = fill
  }
  return giver
}

/** Lets a capital buy a load of a good that it lacks. */
function sendFor(world: World, taker: Row, giver: Row): void {
  const { base, book, stock, target } = world.read(Managed)
  const { manager } = world.read(Base)
  const item = world.read(Book).item[book[taker]]
  const [from, to] = [base[giver], base[taker]]
  const value = managedValue(world, giver)
  const price = midOf({ stock: stock[giver], target: target[giver], value })
  const units = Math.min(
    Math.max(1, divFloor(target[taker], LOAD_DIVISOR)),
    stock[giver] - divCeil(target[giver] * PLENTY_PCT, 100),
    unitsInStock(world, from, item),
    divFloor(balanceOf(world, manager[to]), price),
  )
  if (units <= 0) return
  // The buyer bears what happens to them on the way.
  post(world, manager[to], manager[from], units * price)
  const { stock: store } = world.read(Base)
  const shipped = formConvoy(world, { from, to, item, units, stock: store[from] })
  world.write(Managed).stock[giver] -= shipped
  const rest = units - shipped
  takeFromStock(world, from, store[to], item, rest)
  world.write(Managed).stock[taker] += rest
}

/**
 * Sends convoys for all that a capital is short of. O(goods it keeps + who keeps what it lacks).
 */
export function sendConvoys(world: World, capital: Eid): void {
  const { book, stock, target } = world.read(Managed)
  const { item } = world.read(Book)
  for (const row of managedAt(world, capital)) {
    const good = item[book[row]]
    if (!IS_ESSENTIAL[good] || fillPct(stock[row], target[row]) > SHORT_PCT) continue
    const giver = giverOf(world, good)
    if (giver !== 0) sendFor(world, row, giver)
  }
}

/** Puts into a capital's stock what a freighter has brought. */
export function receiveConvoy(world: World, ship: Eid, base: Eid): void {
  const { stock: store } = world.read(Base)
  for (const { item, units } of contentsOf(world, world.read(Ship).hold[ship])) {
    const managed = managedOf(world, base, item)
    assert(managed !== 0, `base ${base} has no use for what a convoy brings`)
    unloadCargo(world, ship, store[base], item, units)
    world.write(Managed).stock[managed] += units
  }
}
