/** Needs of scan and cloak. */
import { defineNeed } from '../../core/command.ts'
import { ShipCombat } from '../combat/state.ts'
import { shipOf } from '../travel/location-model.ts'
import { UNDOCKED } from '../travel/needs.ts'
import { type CloakParams, requestedCloak } from './model.ts'

/** In space, also during a flight that a battle delays. */
export const IN_SPACE_TO_SCAN = defineNeed({
  ...UNDOCKED,
  ensure: (world, player, params) =>
    world.read(ShipCombat).participant[shipOf(world, player)] !== 0
      ? undefined
      : UNDOCKED.ensure(world, player, params),
})

/** In space to switch a cloak on; it goes off anywhere. */
export const IN_SPACE_TO_HIDE = defineNeed({
  ...UNDOCKED,
  ensure: (world, player, params) =>
    requestedCloak(world, player, params as CloakParams)
      ? UNDOCKED.ensure(world, player, params)
      : undefined,
})
