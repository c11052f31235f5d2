/** The letters that new pilots carry to the next dock: one per empire, bound to their carrier. */
import { goods } from './goods-row.ts'
import type { EmpireId } from './map-types.ts'
import type { ItemRow } from './types.ts'

export const LETTERS: Readonly<Record<EmpireId, string>> = {
  solarian: 'served_notice',
  voidborn: 'ark_paper_letter',
  crimson: 'anvil_letter',
  nebula: 'birthday_greeting',
  outerrim: 'alls_well_note',
}

export const LETTER_ITEMS: readonly ItemRow[] = goods('quest', [
  [LETTERS.solarian, 'Served Notice', 60, 'Folded in three, sealed in two places, dull in all.'],
  [LETTERS.voidborn, 'Letter on Ark Paper', 60, 'The ink is older than whoever wrote with it.'],
  [
    LETTERS.crimson,
    'Letter About an Anvil',
    60,
    'Three generations late, and not one word of sorry.',
  ],
  [LETTERS.nebula, 'Birthday Greeting', 60, 'The fortieth of its kind, on the good paper.'],
  [LETTERS.outerrim, 'All’s-Well Note', 60, 'Four words. People have crossed a winter for them.'],
]).map((row) => ({ ...row, tradeable: false, quest_item: true }))
