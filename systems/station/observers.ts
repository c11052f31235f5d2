/** What stations say when a faction wants to end. */
import { fail } from '../../core/errors.ts'
import { guard } from '../../core/guard.ts'
import { disbanding } from '../faction/state.ts'
import { basesOf } from './model.ts'

/** Refuses while the faction owns bases: they have no other owner. */
export const basesFirst = guard(disbanding, (view, { faction }) => {
  const bases = basesOf(view, faction).length
  return bases > 0 ? fail('faction_owns_bases', { bases }) : undefined
})
