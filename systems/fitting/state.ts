/** Ships in garages of factions; they have no owner until a member claims one. */
import { defineComponent, ref, u32 } from '../../core/columns.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Ship } from '../ship/state.ts'

/** A hull in the garage of a faction; all 0 for other ships. */
export const Garaged = defineComponent(Ship, 'garaged', {
  faction: ref('faction', 'owner of the garage, at the base where it is docked; 0 none'),
  depositor: ref('player', 'player who gave it'),
  depositTick: u32('tick in which it was given'),
})

/** Hulls by faction, in the order of the tick of their deposit, then of their number. */
export const GARAGES = defineIndex('fitting.garages', () => new Map<Row, Eid[]>())
