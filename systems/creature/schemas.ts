/** Wire shapes of creatures. Source: contract, CreatureInfo and WildlifeSurvey. */
import { bools, ints, obj, opt, strings } from '../../core/params.ts'

export const creatureSchema = obj({
  ...strings('creature_id', 'name', 'role', 'species'),
  ...ints('hull', 'max_hull'),
  ...bools('in_combat'),
  ...opt(strings('brand_faction', 'brand_ranch')),
  ...opt(bools('branded')),
})

/** What a survey tells of a species in a system. */
export const wildlifeSchema = obj({
  ...strings('species', 'name', 'role', 'abundance'),
  ...ints('estimate'),
  ...opt(ints('ranched')),
})
