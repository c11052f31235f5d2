/** The condition of being at liberty, and how a detained player meets it. */
import { defineNeed } from '../../core/command.ts'
import { detainingEmpire } from './model.ts'
import { libertyRefusal, reviewDetention } from './rules.ts'

/**
 * Condition of the commands that detention forbids (marked J in the source), and of undocking as
 * part of another command. A detained player who can pay by now pays and is released, and so
 * is one whose term is over. Source: factions.md section 10.
 */
export const AT_LIBERTY = defineNeed({
  name: 'at_liberty',
  errors: ['detained'],
  check: libertyRefusal,
  ensure(world, player) {
    if (detainingEmpire(world, player) >= 0) reviewDetention(world, player)
    return libertyRefusal(world, player)
  },
})
