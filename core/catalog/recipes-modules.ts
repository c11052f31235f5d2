/**
 * Makes one recipe per module from its family and price: it takes the module one grade lower, the
 * parts of the family, and frames and boards until all parts are worth four fifths of the price.
 */
import { assert } from '../assert.ts'
import { goodOf, isModule, itemIndex } from './goods.ts'
import type { RecipeRow } from './industry-types.ts'
import { FAMILIES, type Family, GUNS } from './module-families.ts'
import { MODULES } from './modules.ts'
import { recipe } from './recipe-row.ts'
import type { MaterialRow, ModuleRow } from './types.ts'

const BRACKETS: readonly number[] = [1_000, 6_000, 25_000]
const NUMERALS: readonly string[] = ['i', 'ii', 'iii', 'iv', 'v']
/** Per mille of the price that all parts together may be worth. Source: ours. */
const SHARE = 800
/** Goods that fill the rest, the most expensive first, with the maximum of each. */
const FILLERS: readonly (readonly [id: string, max: number])[] = [
  ['hull_frame', 20],
  ['circuit_board', 8],
  ['steel_plate', 12],
  ['iron_ingot', 6],
]

function familyOf(row: ModuleRow): Family {
  const found = row.slot === 'weapon' ? GUNS[row.damage_type ?? ''] : FAMILIES[row.type]
  assert(found, `catalog: no parts for modules of type ${row.type}`)
  return found
}

/** Returns the grade of a module; 0 for a first grade or a module that has none. */
function gradeOf(row: ModuleRow): number {
  return Math.max(0, NUMERALS.indexOf(row.id.slice(row.id.lastIndexOf('_') + 1)))
}

/** Returns the same module one grade lower. */
function gradeBelow(row: ModuleRow): string | undefined {
  const grade = gradeOf(row)
  if (grade === 0) return undefined
  const stem = row.id.slice(0, row.id.lastIndexOf('_'))
  const names = [`${stem}_${NUMERALS[grade - 1]}`, ...(grade === 1 ? [stem] : [])]
  return names.find((id) => itemIndex(id) >= 0 && isModule(goodOf(id)))
}

function billOf(row: ModuleRow): MaterialRow[] {
  const bill: MaterialRow[] = []
  let room = Math.trunc((row.base_value * SHARE) / 1_000)
  const take = (item_id: string, budget: number, max: number) => {
    const { base_value } = goodOf(item_id)
    const quantity = Math.min(max, Math.trunc(budget / base_value))
    if (quantity < 1) return
    bill.push({ item_id, quantity })
    room -= quantity * base_value
  }
  const below = gradeBelow(row)
  if (below) take(below, goodOf(below).base_value, 1)
  const bracket = BRACKETS.filter((price) => row.base_value >= price).length
  const parts = familyOf(row).parts[bracket]!.split(' ')
  for (const [index, part] of parts.entries()) {
    take(part, Math.trunc(room / (parts.length - index)), 1_000)
  }
  for (const [id, max] of FILLERS) {
    if (!bill.some((part) => part.item_id === id)) take(id, room, max)
  }
  return bill
}

function recipeOfModule(row: ModuleRow): RecipeRow {
  const { verb, notes } = familyOf(row)
  const inputs = billOf(row).map((part) => `${part.quantity} ${part.item_id}`)
  return recipe(row.slot === 'weapon' ? 'weapons' : 'modules', [
    `build_${row.id}`,
    `${verb} ${row.name}`,
    `${inputs.join(' ')} > 1 ${row.id}`,
    notes[Math.min(2, gradeOf(row))]!,
    row.base_value >= BRACKETS[2]! ? { facility_only: true } : {},
  ])
}

export const MODULE_RECIPES: readonly RecipeRow[] = MODULES.filter(
  (row) => !row.hidden && !row.quest_item,
).map(recipeOfModule)
