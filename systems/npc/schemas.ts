/** Wire shapes of NPC ships. Source: contract, PirateInfo, EmpireNPCInfo. */
import { bools, ints, obj, opt, strings } from '../../core/params.ts'

export const pirateSchema = obj({
  ...strings('name', 'pirate_id', 'status', 'tier'),
  ...bools('is_boss'),
  ...opt(ints('hull', 'max_hull', 'shield', 'max_shield')),
  ...opt(strings('faction_key', 'faction_name', 'primary_color', 'secondary_color')),
})

export const empireNpcSchema = obj({
  ...strings('empire', 'name', 'npc_id', 'role'),
  ...bools('in_combat'),
  ...opt(strings('fleet_name', 'ship_class', 'ship_name')),
})
