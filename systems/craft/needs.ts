/** What commands of production need, and the moves that meet it. */
import { defineNeed } from '../../core/command.ts'
import { DOCKED } from '../travel/needs.ts'
import { type CraftParams, requestOf } from './model.ts'

/** Docked, for those forms that order something. */
export const DOCKED_TO_ORDER = defineNeed({
  name: 'docked',
  errors: DOCKED.errors,
  // the forms that read say themselves where they can be asked
  check: () => undefined,
  ensure(world, player, params) {
    const request = requestOf(params as CraftParams, true)
    const orders = !('code' in request) && (request.form === 'order' || request.form === 'bulk')
    return orders ? DOCKED.ensure(world, player, params) : undefined
  },
})
