/** Wire shapes of NPC ships. Source: contract, PirateInfo. */
import { bools, ints, obj, opt, strings } from '../../core/params.ts'

export const pirateSchema = obj({
  ...strings('name', 'pirate_id', 'status', 'tier'),
  ...bools('is_boss'),
  ...opt(ints('hull', 'max_hull', 'shield', 'max_shield')),
})
