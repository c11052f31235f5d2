/** Preconditions of mission commands: docked where the mission requires it. */
import { defineNeed } from '../../core/command.ts'
import { callMeant } from '../distress/model.ts'
import { DOCKED } from '../travel/needs.ts'
import { missionById, needsDocking } from './model.ts'
import type { OfferParams } from './offers-model.ts'

/** Docked, to use the board of a base; a distress call can be accepted anywhere. */
export const DOCKED_AT_BOARD = defineNeed({
  name: 'docked_at_board',
  errors: DOCKED.errors,
  check: () => undefined,
  ensure: (world, player, params) =>
    callMeant(world, (params as OfferParams).mission_id) === 0
      ? DOCKED.ensure(world, player, params)
      : undefined,
})

/** Docked, for missions that are completed at a base. */
export const DOCKED_TO_DELIVER = defineNeed({
  name: 'docked_to_deliver',
  errors: DOCKED.errors,
  check: () => undefined,
  ensure(world, player, params) {
    const { mission_id = '' } = params as { mission_id?: string }
    const mission = missionById(world, player, mission_id)
    if (mission === 0 || !needsDocking(world, mission)) return undefined
    return DOCKED.ensure(world, player, params)
  },
})
