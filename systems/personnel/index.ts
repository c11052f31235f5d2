/**
 * Personnel: hiring, treating and moving crew and marines, the reserves of factions, and the
 * recovery of survivors.
 */
import type { DomainDef } from '../../core/registry.ts'
import { recruitPersonnel } from './commands.ts'
import { crewAdmission } from './model.ts'
import { factionPersonnel, transferPersonnel } from './reserve-commands.ts'
import { fillPools, tagLeaderless } from './rules.ts'
import { personnelUpdate } from './schemas.ts'
import { Pools, RESERVES, Survivors } from './state.ts'
import {
  poolsAreSound,
  rallySurvivors,
  refillPools,
  releaseReserves,
  survivorsAreScheduled,
} from './systems.ts'
import { treatPersonnel } from './treat-commands.ts'

export const personnelDomain: DomainDef = {
  name: 'personnel',
  tables: [Pools, Survivors],
  records: [RESERVES],
  commands: [recruitPersonnel, transferPersonnel, treatPersonnel, factionPersonnel],
  events: [personnelUpdate],
  systems: [rallySurvivors, refillPools],
  checks: [poolsAreSound, survivorsAreScheduled],
  admission: crewAdmission,
  genesis: fillPools,
  observers: [releaseReserves],
  rebuild: tagLeaderless,
}
