/** What commands of factions need. */
import { defineNeed } from '../../core/command.ts'
import { memberRefusal } from './model.ts'

/** In a faction. */
export const IN_FACTION = defineNeed({
  name: 'in_faction',
  errors: ['not_in_faction'],
  check: memberRefusal,
  ensure: memberRefusal,
})
