/** What commands of fleets need, and the moves that meet it. */
import { ensureAll, type Need } from '../../core/command.ts'
import { AT_LIBERTY } from '../law/needs.ts'
import { DOCKED } from '../travel/needs.ts'
import type { WRITES } from './model.ts'

export type Write = (typeof WRITES)[number]

export const NEEDS_OF: Partial<Record<Write, readonly Need[]>> = {
  board: [AT_LIBERTY, DOCKED],
  disembark: [DOCKED],
}

/** What the action named by the call needs: asked once its turn has come. */
export const AS_THE_ACTION_NEEDS: Need = {
  name: 'as_the_action_needs',
  errors: [...new Set([...AT_LIBERTY.errors, ...DOCKED.errors])],
  // of what only looks: it needs nothing
  check: () => undefined,
  ensure(world, player, params) {
    const { action } = params as { action: string }
    const needs = Object.hasOwn(NEEDS_OF, action) ? NEEDS_OF[action as Write] : undefined
    return ensureAll(needs ?? [], world, player, params)
  },
}
