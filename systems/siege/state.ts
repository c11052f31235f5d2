/**
 * Stations under attack. In a battle a ship row represents the station, and the hull and shield of
 * that row apply; at all other times those in the columns of Base do.
 */
import { defineComponent, ref, u8, u32 } from '../../core/columns.ts'
import type { Eid } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Base } from '../base/state.ts'
import { Ship } from '../ship/state.ts'

export const Siege = defineComponent(Base, 'siege', {
  ship: ref('ship', 'the hull that represents it in a battle; 0 while it is in none'),
  repairedTick: u32('tick in which a wrecked base works again; 0 = not wrecked'),
  disarmed: u8('1 from being wrecked until its guns are back'),
})

/** The hull that represents a station, from joining a battle to leaving it. */
export const StationHull = defineComponent(Ship, 'station_hull', {
  base: ref('base', 'the station it represents; 0 for ships'),
})

/** Bases that are in a battle, and bases that have something to repair. */
export const BESIEGED = defineIndex('siege.besieged', () => new Set<Eid>())
export const DAMAGED = defineIndex('siege.damaged', () => new Set<Eid>())
