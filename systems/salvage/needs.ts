/** What looting needs, and the move that meets it. */
import { defineNeed } from '../../core/command.ts'
import { inTransit } from '../travel/location-model.ts'
import { UNDOCKED } from '../travel/needs.ts'
import { isOwnTow } from './model.ts'

/** In space, except for looting what is in one's own tow. */
export const AT_WRECK = defineNeed({
  name: 'at_wreck',
  errors: UNDOCKED.errors,
  check: UNDOCKED.check,
  ensure(world, player, params) {
    const { wreck_id } = params as LootParams
    const needsNoSpace = wreck_id === undefined || isOwnTow(world, player, wreck_id)
    return needsNoSpace ? inTransit(world, player) : UNDOCKED.ensure(world, player, params)
  },
})

export interface LootParams {
  readonly wreck_id?: string
  readonly item_id?: string
  readonly module_id?: string
  readonly quantity?: number
}
