/** Where the player must be to loot, and the undocking that brings them there. */
import { defineNeed } from '../../core/command.ts'
import { inTransit } from '../travel/location-model.ts'
import { UNDOCKED } from '../travel/needs.ts'
import { isOwnTow } from './model.ts'

/**
 * Requires the player to be in space; the wreck in their own tow, which is the default, may also be
 * looted while docked.
 */
export const AT_WRECK = defineNeed({
  name: 'at_wreck',
  errors: UNDOCKED.errors,
  check: UNDOCKED.check,
  ensure(world, player, params) {
    const { wreck_id } = params as LootParams
    const isTowed = wreck_id === undefined || isOwnTow(world, player, wreck_id)
    return isTowed ? inTransit(world, player) : UNDOCKED.ensure(world, player, params)
  },
})

export interface LootParams {
  readonly wreck_id?: string
  readonly item_id?: string
  readonly module_id?: string
  readonly quantity?: number
}
