/**
 * People for hire at bases, and ships without fit crew. The numbers of people aboard are columns of
 * Ship, because kernels write losses in battles and boardings there.
 */
import { defineComponent, u16, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineTag } from '../../core/query.ts'
import { defineRecords } from '../../core/records.ts'
import { Base } from '../base/state.ts'
import { Ship } from '../ship/state.ts'

/** Limit of crew, and of marines, that a faction keeps in reserve at a base. */
export const FACTION_RESERVE_PEOPLE_MAX = 500

/** Pools of a base. Written by personnel.refill and by commands that hire or treat people. */
export const Pools = defineComponent(Base, 'pools', {
  crew: u16('crew for hire'),
  marines: u16('marines for hire'),
  medical: u16('people whom its infirmary can still treat'),
})
export const POOL_NAMES = ['crew', 'marines', 'medical'] as const
export type PoolName = (typeof POOL_NAMES)[number]

/** The recovery of a ship’s injured crew. */
export const Survivors = defineComponent(Ship, 'survivors', {
  rallyTick: u32('tick in which an injured member of a crew with nobody fit recovers; 0 = none'),
})

/** Tags ships outside battles that have injured but no fit crew: one member will recover. */
export const Leaderless = defineTag('ship', 'leaderless')

/** Numbers of people, by role and condition. */
export interface People {
  readonly fitCrew: number
  readonly fitMarines: number
  readonly injuredCrew: number
  readonly injuredMarines: number
}

/** Reserves by `faction number:base number`; empty ones have no record. */
export const RESERVES = defineRecords<People>('faction_reserves', ROWS.factionStores)

/** Credits for hiring and for treating one person. */
export const PRICES = {
  recruit: { crew: 25, marines: 120 },
  treat: { crew: 40, marines: 80 },
} as const
