/**
 * The item table. Columns hold indexes into it: raw, made, gear, ammunition. Append within a
 * file's last group only before the first release; afterwards new rows go to the end of the whole
 * list.
 */
import { deepFreeze } from './freeze.ts'
import { AMMO_ITEMS } from './items-ammo.ts'
import { BOUND_ITEMS } from './items-bound.ts'
import { GEAR_ITEMS } from './items-gear.ts'
import { MADE_ITEMS } from './items-goods.ts'
import { LETTER_ITEMS } from './items-letters.ts'
import { PARTS_ITEMS } from './items-parts.ts'
import { RAW_ITEMS } from './items-raw.ts'
import { STOCK_ITEMS } from './items-stock.ts'
import { SUPPLY_ITEMS } from './items-supply.ts'
import { TRADE_ITEMS } from './items-trade.ts'
import type { ItemRow, Rarity } from './types.ts'

export const ITEMS: readonly ItemRow[] = deepFreeze([
  ...RAW_ITEMS,
  ...MADE_ITEMS,
  ...GEAR_ITEMS,
  ...AMMO_ITEMS,
  ...STOCK_ITEMS,
  ...PARTS_ITEMS,
  ...TRADE_ITEMS,
  ...SUPPLY_ITEMS,
  ...BOUND_ITEMS,
  ...LETTER_ITEMS,
])

export const RARITIES: readonly Rarity[] = ['common', 'uncommon', 'rare', 'exotic', 'legendary']

/** Returns the rank of a rarity: 0 common ... 4 legendary. Source: mining.md section 1. */
export function rarityRank(rarity: Rarity | undefined): number {
  return Math.max(0, RARITIES.indexOf(rarity ?? 'common'))
}
