/** Needs of scan and cloak. */
import { defineNeed } from '../../core/command.ts'
import { ShipCombat } from '../combat/state.ts'
import { shipOf } from '../travel/location-model.ts'
import { UNDOCKED } from '../travel/needs.ts'
import { type CloakParams, requestedCloak } from './model.ts'

/** Requires the player to be in space, but lets them scan in a battle that delays a flight. */
export const IN_SPACE_TO_SCAN = defineNeed({
  ...UNDOCKED,
  ensure: (world, player, params) =>
    world.read(ShipCombat).participant[shipOf(world, player)] !== 0
      ? undefined
      : UNDOCKED.ensure(world, player, params),
})

/** Requires the player to be in space to switch a cloak on; it can be switched off anywhere. */
export const IN_SPACE_TO_HIDE = defineNeed({
  ...UNDOCKED,
  ensure: (world, player, params) =>
    requestedCloak(world, player, params as CloakParams)
      ? UNDOCKED.ensure(world, player, params)
      : undefined,
})
