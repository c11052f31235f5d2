/** What commands of sensing need, and the moves that meet it. */
import { defineNeed } from '../../core/command.ts'
import { ShipCombat } from '../combat/state.ts'
import { shipOf } from '../travel/drift-model.ts'
import { UNDOCKED } from '../travel/needs.ts'
import { type CloakParams, wanted } from './model.ts'

/* Scan */

/** In space, a flight held up by a battle included. */
export const IN_SPACE = defineNeed({
  ...UNDOCKED,
  ensure: (world, player, params) =>
    world.read(ShipCombat).participant[shipOf(world, player)] !== 0
      ? undefined
      : UNDOCKED.ensure(world, player, params),
})

/** A cloak goes on in space only; it goes off anywhere. */
export const IN_SPACE_TO_HIDE = defineNeed({
  ...UNDOCKED,
  ensure: (world, player, params) =>
    wanted(world, player, params as CloakParams)
      ? UNDOCKED.ensure(world, player, params)
      : undefined,
})
