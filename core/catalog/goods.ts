/**
 * One index space for everything a hold, store or market counts: GOODS = items, then modules.
 * Columns store the index, so the order is part of the saved world. Look-ups go by id, or by id or
 * display name ignoring case.
 */
import { assert } from '../assert.ts'
import { deepFreeze } from './freeze.ts'
import { ITEMS } from './items.ts'
import { MODULES } from './modules.ts'
import { SHIP_CLASSES } from './ships.ts'
import { SKILLS } from './skills.ts'
import type { GoodRow, ModuleRow, ShipClassRow, SkillRow } from './types.ts'

export const GOODS: readonly GoodRow[] = deepFreeze([...ITEMS, ...MODULES])

/** GOODS from this index on are modules. */
export const FIRST_MODULE = ITEMS.length

export function isModule(row: GoodRow): row is ModuleRow {
  return 'slot' in row
}

interface Named {
  id: string
  name: string
}

function indexById(rows: readonly Named[]): ReadonlyMap<string, number> {
  return new Map(rows.map((row, index) => [row.id, index]))
}

const GOOD_INDEX = indexById(GOODS)
const SHIP_CLASS_INDEX = indexById(SHIP_CLASSES)
const SKILL_INDEX = indexById(SKILLS)

/** Returns the index into GOODS of an item or module id; -1 when unknown. */
export function itemIndex(id: string): number {
  return GOOD_INDEX.get(id) ?? -1
}

/** Returns the index into SHIP_CLASSES; -1 when unknown. */
export function shipClassIndex(id: string): number {
  return SHIP_CLASS_INDEX.get(id) ?? -1
}

/** Returns the index into SKILLS; -1 when unknown. */
export function skillIndex(id: string): number {
  return SKILL_INDEX.get(id) ?? -1
}

/** Returns the row of an id that code or data names; asserts that it exists. */
export function goodOf(id: string): GoodRow {
  const row = GOODS[itemIndex(id)]
  assert(row, `catalog: no good ${id}`)
  return row
}

/** Returns the class of an id that code or data names; asserts that it exists. */
export function shipClassOf(id: string): ShipClassRow {
  const row = SHIP_CLASSES[shipClassIndex(id)]
  assert(row, `catalog: no ship class ${id}`)
  return row
}

/** Returns the skill of an id that code or data names; asserts that it exists. */
export function skillOf(id: string): SkillRow {
  const row = SKILLS[skillIndex(id)]
  assert(row, `catalog: no skill ${id}`)
  return row
}

const fold = (text: string) => text.trim().toLowerCase().replaceAll('’', "'")

function indexByText(rows: readonly Named[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  const add = (text: string, index: number) => {
    const list = found.get(text)
    if (list === undefined) found.set(text, [index])
    else if (!list.includes(index)) list.push(index)
  }
  for (const [index, row] of rows.entries()) {
    add(fold(row.id), index)
    add(fold(row.name), index)
  }
  return found
}

const GOODS_BY_TEXT = indexByText(GOODS)
const SHIPS_BY_TEXT = indexByText(SHIP_CLASSES)
const NONE: readonly number[] = Object.freeze([])

function findRows(
  byId: ReadonlyMap<string, number>,
  byText: ReadonlyMap<string, readonly number[]>,
  text: string,
): readonly number[] {
  const exact = byId.get(text)
  return exact === undefined ? (byText.get(fold(text)) ?? NONE) : [exact]
}

/**
 * Returns the indices into GOODS that an id or display name may mean: none if it is unknown,
 * several if it is ambiguous. An exact id takes precedence.
 */
export function findGoods(text: string): readonly number[] {
  return findRows(GOOD_INDEX, GOODS_BY_TEXT, text)
}

/** Returns what `findGoods` does, for SHIP_CLASSES. */
export function findShipClasses(text: string): readonly number[] {
  return findRows(SHIP_CLASS_INDEX, SHIPS_BY_TEXT, text)
}
