/**
 * Linked lists kept in the columns of tables: each row has its owner and the next row of the list,
 * the owner has the head. One declaration gives link, unlink, walk and check. The columns are saved
 * as they are, so a hot loop may walk them directly.
 */
import { assert } from './assert.ts'
import type { ColumnDefs, TableDef } from './columns.ts'
import type { Row, World, WorldView } from './types.ts'

type ColumnOf<C extends ColumnDefs> = keyof C & string

interface ListDef<M extends ColumnDefs, O extends ColumnDefs> {
  readonly many: TableDef<M>
  /** Column of `many`: the row of `one` whose list the row is in; 0: in none. */
  readonly via: ColumnOf<M>
  readonly next: ColumnOf<M>
  /** With it a row leaves its list in O(1), without it in O(list). */
  readonly previous?: ColumnOf<M>
  readonly one: TableDef<O>
  readonly head: ColumnOf<O>
  /** With it a row joins the end of its list in O(1), without it in O(list). */
  readonly tail?: ColumnOf<O>
  /** `by`: ascending by a column of `many`; equal rows in the order in which they were added. */
  readonly order: 'latest-first' | 'oldest-first' | { readonly by: ColumnOf<M> }
  /** `remove` clears the links of the row it releases: part of the state hash of kept worlds. */
  readonly emptiesRemoved?: true
}

export interface Relation {
  readonly name: string
  readonly many: TableDef
  readonly one: TableDef
  /** Returns the whole list, in its order. */
  rows(view: WorldView, holder: Row): Row[]
  /** Adds a row that is in no list. */
  link(world: World, row: Row, holder: Row): void
  /** Takes a row out of its list; the row stays in use, in no list. */
  unlink(world: World, row: Row): void
  /** Takes a row out of its list and releases the row. */
  remove(world: World, row: Row): void
  /** Asserts that each row is once in the list of its owner, and that no list holds other rows. */
  check(view: WorldView): void
}

/** The same declaration without the column names in its type. */
interface List {
  readonly many: TableDef
  readonly via: string
  readonly next: string
  readonly previous?: string
  readonly one: TableDef
  readonly head: string
  readonly tail?: string
  readonly order: 'latest-first' | 'oldest-first' | { readonly by: string }
  readonly emptiesRemoved?: true
}
type Numbers = { [row: number]: number }

const columnsOf = (world: World, table: TableDef) => world.write(table) as Record<string, Numbers>

function rowsOf(list: List, view: WorldView, holder: Row): Row[] {
  const next = view.read(list.many)[list.next]
  const rows: Row[] = []
  for (let row = view.read(list.one)[list.head][holder]; row !== 0; row = next[row]) rows.push(row)
  return rows
}

/** Returns the row after which another belongs in an ordered list; 0: at the head. */
function positionByKey(list: List, view: WorldView, row: Row, holder: Row): Row {
  assert(typeof list.order === 'object', 'the list has no key')
  const columns = view.read(list.many)
  const key = columns[list.order.by]
  if (list.tail && list.previous) {
    let before = view.read(list.one)[list.tail][holder]
    while (before !== 0 && key[before] > key[row]) before = columns[list.previous][before]
    return before
  }
  let before = 0
  let after = view.read(list.one)[list.head][holder]
  while (after !== 0 && key[after] <= key[row]) {
    before = after
    after = columns[list.next][after]
  }
  return before
}

/** Returns the row after which another belongs; 0: at the head. */
function positionOf(list: List, view: WorldView, row: Row, holder: Row): Row {
  if (list.order === 'latest-first') return 0
  if (list.order !== 'oldest-first') return positionByKey(list, view, row, holder)
  return list.tail
    ? view.read(list.one)[list.tail][holder]
    : (rowsOf(list, view, holder).at(-1) ?? 0)
}

/** Links two rows as neighbours; row 0 stands for the end of the list. */
function join(list: List, world: World, holder: Row, before: Row, after: Row): void {
  const columns = columnsOf(world, list.many)
  const ends = columnsOf(world, list.one)
  if (before === 0) ends[list.head][holder] = after
  else columns[list.next][before] = after
  if (after === 0) {
    if (list.tail) ends[list.tail][holder] = before
  } else if (list.previous) columns[list.previous][after] = before
}

function linkRow(list: List, world: World, row: Row, holder: Row): void {
  const columns = columnsOf(world, list.many)
  assert(columns.alive[row] === 1 && columns[list.via][row] === 0, `row ${row} is in a list`)
  columns[list.via][row] = holder
  const before = positionOf(list, world, row, holder)
  const after = before === 0 ? world.read(list.one)[list.head][holder] : columns[list.next][before]
  join(list, world, holder, before, row)
  join(list, world, holder, row, after)
}

function previousOf(list: List, view: WorldView, row: Row, holder: Row): Row {
  const columns = view.read(list.many)
  if (list.previous) return columns[list.previous][row]
  let before = 0
  let current = view.read(list.one)[list.head][holder]
  for (; current !== 0 && current !== row; current = columns[list.next][current]) before = current
  assert(current === row, `row ${row} of ${list.many.name} is not in the list of ${holder}`)
  return before
}

function leaveList(list: List, world: World, row: Row): void {
  const columns = world.read(list.many)
  const holder = columns[list.via][row]
  assert(holder !== 0, `row ${row} of ${list.many.name} is in no list`)
  join(list, world, holder, previousOf(list, world, row, holder), columns[list.next][row])
}

function clearLinks(list: List, world: World, row: Row): void {
  const columns = columnsOf(world, list.many)
  columns[list.next][row] = 0
  if (list.previous) columns[list.previous][row] = 0
}

/**
 * Checks a row. A message is made only for a row that is wrong: making one for each row would cost
 * more than the check.
 */
function checkRow(list: List, view: WorldView, row: Row, holder: Row, before: Row): void {
  const columns = view.read(list.many)
  if (columns.alive[row] === 0) assert(false, `row ${row} is in a list but not in use`)
  if (columns[list.via][row] !== holder) {
    assert(false, `row ${row} is in the list of ${holder} but has another owner`)
  }
  if (list.previous && columns[list.previous][row] !== before) {
    assert(false, `row ${row} is linked in one direction only`)
  }
  if (typeof list.order !== 'object' || before === 0) return
  const key = columns[list.order.by]
  if (key[before] > key[row]) assert(false, `row ${row} is out of order`)
}

/** Walks the list of one holder; returns its length. */
function checkList(list: List, view: WorldView, holder: Row, lengthMax: number): number {
  const next = view.read(list.many)[list.next]
  const ends = view.read(list.one)
  let before = 0
  let length = 0
  for (let row = ends[list.head][holder]; row !== 0; row = next[row]) {
    checkRow(list, view, row, holder, before)
    before = row
    if (++length > lengthMax) assert(false, `the list of ${holder} has a cycle or too many rows`)
  }
  if (list.tail && ends[list.tail][holder] !== before) {
    assert(false, `the tail of the list of ${holder} is not its last row`)
  }
  return length
}

function checkLists(list: List, view: WorldView): void {
  const { alive, [list.via]: via } = view.read(list.many)
  let unseen = 0
  for (let row = 1; row <= view.highOf(list.many); row++) {
    if (alive[row] === 1 && via[row] !== 0) unseen++
  }
  const holders = view.read(list.one)
  for (let holder = 1; holder <= view.highOf(list.one); holder++) {
    if (holders.alive[holder] === 1) unseen -= checkList(list, view, holder, unseen)
  }
  assert(unseen === 0, `${unseen} rows of ${list.many.name} are in no list`)
}

/** Declares a list; `DomainDef.relations` of the domain of `many` names it. */
export function relation<M extends ColumnDefs, O extends ColumnDefs>(
  name: string,
  declared: ListDef<M, O>,
): Relation {
  const list: List = declared
  return {
    name,
    many: list.many,
    one: list.one,
    rows: (view, holder) => rowsOf(list, view, holder),
    link: (world, row, holder) => linkRow(list, world, row, holder),
    unlink(world, row) {
      leaveList(list, world, row)
      clearLinks(list, world, row)
      columnsOf(world, list.many)[list.via][row] = 0
    },
    remove(world, row) {
      leaveList(list, world, row)
      if (list.emptiesRemoved) clearLinks(list, world, row)
      world.release(list.many, row)
    },
    check: (view) => checkLists(list, view),
  }
}
