/** Conditions of faction commands. */
import { defineNeed } from '../../core/command.ts'
import { memberRefusal } from './model.ts'

/** Requires that the player is in a faction. */
export const IN_FACTION = defineNeed({
  name: 'in_faction',
  errors: ['not_in_faction'],
  check: memberRefusal,
  ensure: memberRefusal,
})
