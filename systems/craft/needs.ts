/** What commands of jobs need. */
import { defineNeed } from '../../core/command.ts'
import { DOCKED } from '../travel/needs.ts'
import { type CraftParams, requestOf } from './model.ts'

/** Docked, for the forms that order something. */
export const DOCKED_TO_ORDER = defineNeed({
  name: 'docked',
  errors: DOCKED.errors,
  // Forms that only look refuse by themselves where they cannot be used.
  check: () => undefined,
  ensure(world, player, params) {
    const request = requestOf(params as CraftParams, true)
    const orders = !('code' in request) && (request.form === 'order' || request.form === 'bulk')
    return orders ? DOCKED.ensure(world, player, params) : undefined
  },
})
