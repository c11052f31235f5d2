/**
 * Convoys: a freighter of the empire of a capital, with the goods that its manager has bought
 * aboard, and the ships that go along.
 */
import { defineEntity, ref, u8, u16, u32 } from '../../core/columns.ts'
import { defineOccurrence } from '../../core/occurrence.ts'
import type { Eid } from '../../core/types.ts'

/** Convoys in the world, and of one capital. ours: the sheet moves goods and names no ships. */
export const CONVOYS_MAX = 16
export const CONVOYS_OF_CAPITAL_MAX = 4
/** Ships that go along with a freighter. */
export const GUARDS_MAX = 2
/** Jumps of the longest way. */
export const CONVOY_JUMPS_MAX = 20
/** Ticks between the decision and the departure: for pilots to plan by. */
export const LOADING_TICKS = 60

export const Convoy = defineEntity('convoy', CONVOYS_MAX, {
  ship: ref('ship', 'the freighter; 0 once it is gone'),
  guards: ref('ship', 'who goes along; 0 none', { width: GUARDS_MAX }),
  from: ref('base', 'who gave the goods'),
  to: ref('base', 'the capital that has paid for them'),
  item: u16('index into GOODS', { catalog: 'goods' }),
  system: ref('system', 'where the freighter is, or was last'),
  jumps: u8('of the whole way'),
  lawless: u8('systems without law on the way'),
  nextTick: u32('first tick in which it flies on'),
  closed: u8('1 once its end has been announced'),
})

/** A freighter has come to the capital with what is left aboard. */
export const convoyArrived = defineOccurrence<{ ship: Eid; base: Eid }>('convoyArrived')
