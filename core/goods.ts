/**
 * Items in double-entry bookkeeping: containers hold stacks, and items only move from one container
 * to another. Sources and sinks (mined, burned …) are containers too, and the only ones that may
 * have negative quantities, so that each item sums to zero (invariant I2). Callers check space and
 * permission.
 */
import { assert } from './assert.ts'
import type { TableDef } from './columns.ts'
import { defineTable, f64, ref, rowsOf, u8, u16, u32 } from './columns.ts'
import { GOODS_FILL_MAX_PCT, NAMED_ROWS, ROWS, ROWS_MIN } from './limits.ts'
import { divFloor } from './math.ts'
import type { CheckDef } from './registry.ts'
import type { Row, World, WorldView } from './types.ts'

export const Container = defineTable('container', ROWS.containers, {
  named: u8('1 for a source or sink: its quantities may be negative'),
  first: ref('stack', 'head of its list of stacks'),
  kinds: u16('number of stacks'),
  packages: u16('packages that are in it'),
  packageSpace: u32('space that they take in a hold', { derived: true }),
})

export const Stack = defineTable(
  'stack',
  ROWS.stacks,
  {
    container: ref('container', 'who holds it'),
    item: u16('index into GOODS', { catalog: 'goods' }),
    units: f64('quantity; never 0'),
    next: ref('stack', 'next stack of the container'),
  },
  { rowsMin: ROWS_MIN.stacks },
)

/** The tables that moving goods writes. */
export const GOODS_WRITES: readonly TableDef[] = [Container, Stack]

/**
 * Sources and sinks of items, in this order (append only). `fitted` takes a unit when a module is
 * fitted and gives one when it is taken off, since modules on ships and in wrecks are not items.
 * `packaging` takes the cargo containers that packages are made of; `quests` gives what missions
 * hand over; `correction` gives and takes what operators correct.
 */
export const NAMED_CONTAINERS = [
  'mined',
  'starter_kit',
  'supply',
  'consumption',
  'burned',
  'jettison_expired',
  'produced',
  'pirate_loot',
  'destroyed',
  'fitted',
  'scrap',
  'confiscated',
  'drones',
  'wildlife',
  'arena',
  'construction',
  'ranch',
  'repairs',
  'packaging',
  'shipyards',
  'quests',
  'correction',
] as const
export type NamedContainer = (typeof NAMED_CONTAINERS)[number]

/** Opens the named containers of a new world as its first rows, with some for later releases. */
export function openNamedContainers(world: World): void {
  assert(NAMED_CONTAINERS.length <= NAMED_ROWS, 'more named containers than rows set aside')
  for (let row = 1; row <= NAMED_ROWS; row++) {
    assert(world.take(Container) === row, 'named containers are not the first rows')
    world.write(Container).named[row] = 1
  }
}

/** Returns the container of a source or sink. */
export const namedContainer = (name: NamedContainer): Row => NAMED_CONTAINERS.indexOf(name) + 1

/** Opens an empty container. */
export function openContainer(world: World): Row {
  return world.take(Container)
}

/**
 * Returns whether the tables are so full that commands may not move goods any more: the remaining
 * rows are reserved for earlier commitments (deliveries, payments in goods).
 */
export function holdsNoMoreGoods(view: WorldView): boolean {
  return [Stack, Container].some((table) => {
    const rows = rowsOf(table, view.maxEntities)
    return rows - view.roomIn(table) > divFloor(rows * GOODS_FILL_MAX_PCT, 100)
  })
}

/** Returns whether a container holds neither goods nor packages. */
export function isBare(view: WorldView, container: Row): boolean {
  const { first, packages } = view.read(Container)
  return first[container] === 0 && packages[container] === 0
}

/** Releases an empty container. */
export function closeContainer(world: World, container: Row): void {
  assert(isBare(world, container), 'a container is closed with items in it')
  world.release(Container, container)
}

/** Returns the units of an item in a container. O(kinds held). */
export function unitsIn(view: WorldView, container: Row, item: number): number {
  const stack = view.read(Stack)
  let row = view.read(Container).first[container]
  while (row !== 0) {
    if (stack.item[row] === item) return stack.units[row]
    row = stack.next[row]
  }
  return 0
}

/** A quantity of an item. */
export interface Held {
  readonly item: number
  readonly units: number
}

/** Adds up goods of several lists, by good ascending. */
export function sumHeld(goods: readonly Held[]): Held[] {
  const sums = new Map<number, number>()
  for (const { item, units } of goods) sums.set(item, (sums.get(item) ?? 0) + units)
  return [...sums].map(([item, units]) => ({ item, units })).sort((a, b) => a.item - b.item)
}

/** Returns what a container holds, in order of item index. */
export function contentsOf(view: WorldView, container: Row): Held[] {
  const stack = view.read(Stack)
  const held: Held[] = []
  let row = view.read(Container).first[container]
  while (row !== 0) {
    held.push({ item: stack.item[row], units: stack.units[row] })
    row = stack.next[row]
  }
  return held
}

/** Changes a container's quantity of an item; its list stays sorted by item. O(kinds held). */
function change(world: World, container: Row, item: number, delta: number): void {
  const holder = world.write(Container)
  const stack = world.write(Stack)
  let before = 0
  let row = holder.first[container]
  while (row !== 0 && stack.item[row] < item) {
    before = row
    row = stack.next[row]
  }
  const found = row !== 0 && stack.item[row] === item
  const units = (found ? stack.units[row] : 0) + delta
  assert(Number.isSafeInteger(units), 'a quantity exceeds 2^53-1')
  assert(units >= 0 || holder.named[container] === 1, `container ${container} lacks item ${item}`)
  if (found && units !== 0) {
    stack.units[row] = units
    return
  }
  if (found) {
    if (before === 0) holder.first[container] = stack.next[row]
    else stack.next[before] = stack.next[row]
    holder.kinds[container]--
    world.release(Stack, row)
    return
  }
  if (units === 0) return
  const added = world.take(Stack)
  stack.container[added] = container
  stack.item[added] = item
  stack.units[added] = units
  stack.next[added] = row
  if (before === 0) holder.first[container] = added
  else stack.next[before] = added
  holder.kinds[container]++
}

/** Moves units of an item between containers. Callers first check that the giver has them. */
export function moveItems(world: World, from: Row, to: Row, item: number, units: number): void {
  assert(Number.isSafeInteger(units) && units >= 0, `moving ${units} units`)
  if (units === 0 || from === to) return
  const container = world.read(Container)
  assert(container.alive[from] === 1 && container.alive[to] === 1, 'moving to a closed container')
  change(world, from, item, -units)
  change(world, to, item, units)
}

/** Checks I2: the quantities of each item sum to zero. */
export const itemsSumToZero: CheckDef = {
  name: 'I2 each item sums to zero',
  run(view, full) {
    if (!full) return
    const stack = view.read(Stack)
    const sums = new Map<number, number>()
    for (let row = 1; row <= view.highOf(Stack); row++) {
      if (stack.alive[row] === 0) continue
      if (stack.units[row] === 0) assert(false, `stack ${row} is empty`)
      const item = stack.item[row]
      sums.set(item, (sums.get(item) ?? 0) + stack.units[row])
    }
    for (const [item, sum] of sums) assert(sum === 0, `item ${item} sums to ${sum}`)
  },
}
