/**
 * The command `facility`: v1 has one with an action, v2 an address each. Both are made from one
 * table of actions, each of its own kind. Source: crafting.md section 7.
 */
import { actionCommands } from '../../core/action-table.ts'
import { type Asked, FACILITY_PARAMS, type FacilityAction } from './action.ts'
import { BUILDING_ACTIONS } from './actions-build.ts'
import { QUEUEING } from './actions-jobs.ts'
import { LOOKING } from './actions-look.ts'
import { RANCHING } from './actions-ranch.ts'

export const FACILITY_ACTIONS: readonly FacilityAction[] = [
  ...LOOKING,
  ...BUILDING_ACTIONS,
  ...QUEUEING,
  ...RANCHING,
]

export const facilityCommands = actionCommands<Asked>({
  name: 'facility',
  tool: 'game_facility',
  category: 'facility',
  summary: 'Facilities at bases: build, upgrade, run, furnish, rent out and sell them.',
  params: FACILITY_PARAMS,
  rows: FACILITY_ACTIONS,
  changes: ['player', 'cargo', 'skills'],
  help: {
    description: 'Builds, runs, upgrades and sells facilities at bases.',
    notes: [
      'Quarters come before all that is yours alone; a lockbox before all that is your faction’s.',
      'Credits and materials are taken when building begins; it ends ticks later by itself.',
      'Rent is due every 100 ticks. What is not paid adds up, and in the end the station takes it.',
      'Dismantling gives all materials back, in packages of 100; each takes a cargo container.',
    ],
  },
})
