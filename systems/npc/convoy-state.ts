/**
 * Convoys: a freighter that brings the goods that the manager of a capital has bought, and the
 * ships that guard it.
 */
import { defineEntity, ref, u8, u16, u32 } from '../../core/columns.ts'
import { defineOccurrence } from '../../core/occurrence.ts'
import type { Eid } from '../../core/types.ts'

/**
 * Limits of convoys in the world and to one capital. ours: in the sheet goods move without ships.
 */
export const CONVOYS_MAX = 16
export const CONVOYS_OF_CAPITAL_MAX = 4
/** Limit of guards in a convoy. */
export const GUARDS_MAX = 2
/** Limit of jumps on a route. */
export const CONVOY_JUMPS_MAX = 20
/** Ticks between the forming of a convoy and its departure, so that pilots can plan for it. */
export const LOADING_TICKS = 60

/** A convoy. */
export const Convoy = defineEntity('convoy', CONVOYS_MAX, {
  ship: ref('ship', 'the freighter; 0 once it is gone'),
  guards: ref('ship', 'ships that guard the freighter; 0 = none', { width: GUARDS_MAX }),
  from: ref('base', 'base that the goods come from'),
  to: ref('base', 'the capital that has paid for the goods'),
  item: u16('good that it carries: index into GOODS', { catalog: 'goods' }),
  system: ref('system', 'system where the freighter is, or last was'),
  jumps: u8('jumps on the whole route'),
  lawless: u8('lawless systems on the route'),
  nextTick: u32('first tick in which it may leave its present place'),
  closed: u8('1 once its end has been announced'),
})

/** Raised when a freighter reaches its capital with the goods that it still has. */
export const convoyArrived = defineOccurrence<{ ship: Eid; base: Eid }>('convoyArrived')
