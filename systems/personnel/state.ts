/**
 * People for hire at bases, and crews of which nobody is fit. How many are aboard a ship is kept in
 * Ship: what weapon fire and boarders cost is written there by kernels.
 */
import { defineComponent, u16, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineTag } from '../../core/query.ts'
import { defineRecords } from '../../core/records.ts'
import { Base } from '../base/state.ts'
import { Ship } from '../ship/state.ts'

/** Crew, and marines, that a faction keeps in reserve at a base. */
export const FACTION_RESERVE_PEOPLE_MAX = 500

/** Written by personnel.refill, and when a player hires or has people treated. */
export const Pools = defineComponent(Base, 'pools', {
  crew: u16('crew for hire'),
  marines: u16('marines for hire'),
  medical: u16('people its infirmary can still treat'),
})
export const POOL_NAMES = ['crew', 'marines', 'medical'] as const
export type PoolName = (typeof POOL_NAMES)[number]

export const Survivors = defineComponent(Ship, 'survivors', {
  rallyTick: u32('tick in which one of the injured of a crew without fit is up again; 0 = none'),
})

/** Ships outside battles with injured crew and nobody fit: one of them will be up in time. */
export const Leaderless = defineTag('ship', 'leaderless')

/** Numbers of people, by what they are and how they fare. */
export interface People {
  readonly fitCrew: number
  readonly fitMarines: number
  readonly injuredCrew: number
  readonly injuredMarines: number
}

/** People whom a faction keeps at a base, by numbers `faction:base`; there while there are any. */
export const RESERVES = defineRecords<People>('faction_reserves', ROWS.factionStores)

export const PRICES = {
  recruit: { crew: 25, marines: 120 },
  treat: { crew: 40, marines: 80 },
} as const
