/** Ships in garages of factions: nobody's until a member takes one. */
import { defineComponent, ref, u32 } from '../../core/columns.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Ship } from '../ship/state.ts'

export const Garaged = defineComponent(Ship, 'garaged', {
  faction: ref('faction', 'whose garage it is in, at the base where it is docked; 0 none'),
  depositor: ref('player', 'who brought it'),
  depositTick: u32('tick in which it came'),
})

/** Hulls by faction, in the order of the tick they came in, then of their number. */
export const GARAGES = defineIndex('fitting.garages', () => new Map<Row, Eid[]>())
