/** Builder that expands the compact lines of plain goods into full rows. */
import type { ItemCategory, ItemRow, Rarity } from './types.ts'

type GoodsRow = readonly [
  id: string,
  name: string,
  value: number,
  description: string,
  size?: number,
]

/** Expands lines of one category into item rows. */
export function goods(
  category: ItemCategory,
  rows: readonly GoodsRow[],
  rarity?: Rarity,
): ItemRow[] {
  return rows.map(([id, name, value, description, size = 1]) => ({
    id,
    name,
    description,
    category,
    size,
    base_value: value,
    stackable: true,
    tradeable: true,
    ...(rarity === undefined ? {} : { rarity }),
  }))
}
