/** What commands of fleets need, and the moves that meet it. */
import { defineNeed, ensureAll, type Need } from '../../core/command.ts'
import { AT_LIBERTY } from '../law/needs.ts'
import { DOCKED } from '../travel/needs.ts'
import type { WRITES } from './model.ts'

export type Write = (typeof WRITES)[number]

const NEEDS_OF = {
  board: [AT_LIBERTY, DOCKED],
  disembark: [DOCKED],
} as const satisfies Partial<Record<Write, readonly Need[]>>
type NeedCode = (typeof AT_LIBERTY | typeof DOCKED)['errors'][number]

export const needsOf = (action: string): readonly Need<NeedCode>[] =>
  Object.hasOwn(NEEDS_OF, action) ? NEEDS_OF[action as keyof typeof NEEDS_OF] : []

/** What the action named by the call needs: asked once its turn has come. */
export const AS_THE_ACTION_NEEDS = defineNeed({
  name: 'as_the_action_needs',
  errors: [...new Set([...AT_LIBERTY.errors, ...DOCKED.errors])],
  // of what only looks: it needs nothing
  check: () => undefined,
  ensure(world, player, params) {
    const { action } = params as { action: string }
    return ensureAll(needsOf(action), world, player, params)
  },
})
