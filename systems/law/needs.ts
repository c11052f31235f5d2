/** What commands of law need, and the moves that meet it. */
import { defineNeed } from '../../core/command.ts'
import { detainingEmpire } from './model.ts'
import { libertyRefusal, reviewDetention } from './rules.ts'

/**
 * Needed by the commands that the sheet marks J. A detained player who can pay by now does so.
 * Undocking as a part of another command needs it too. Source: factions.md section 10.
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
