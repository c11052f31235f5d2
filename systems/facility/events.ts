/** What owners are told of their rent; it cannot be muted. Source: crafting.md section 7. */
import { defineEvent } from '../../core/event.ts'
import { ints, obj, opt, strings } from '../../core/params.ts'

export const facilityRentWarning = defineEvent({
  type: 'facility_rent_warning',
  summary: 'Rent of facilities of yours at a base is not paid; after the grace they are taken.',
  fields: obj({
    ...strings('base_id', 'base_name', 'message'),
    ...opt({
      ...ints('missed_cycles', 'grace_cycles', 'credits_owed', 'facilities_behind'),
      ...strings('faction_id'),
    }),
  }),
  queue: 'system',
})

export const facilityReclaimed = defineEvent({
  type: 'facility_reclaimed',
  summary:
    'A station has taken facilities of yours for rent that was not paid, or gives them back.',
  fields: obj({
    ...strings('base_id', 'base_name', 'message'),
    ...opt({ ...ints('facilities'), ...strings('faction_id') }),
  }),
  queue: 'system',
})
