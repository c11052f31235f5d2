/** Needs of the commands of jobs. */
import { defineNeed } from '../../core/command.ts'
import { DOCKED } from '../travel/needs.ts'
import { type CraftParams, requestOf } from './model.ts'

/** Requires the player to be docked, for the forms that order something. */
export const DOCKED_TO_ORDER = defineNeed({
  name: 'docked',
  errors: DOCKED.errors,
  // Forms that only read have their own refusals.
  check: () => undefined,
  ensure(world, player, params) {
    const request = requestOf(params as CraftParams, true)
    const orders = !('code' in request) && (request.form === 'order' || request.form === 'bulk')
    return orders ? DOCKED.ensure(world, player, params) : undefined
  },
})
