/** Modules for boarding ships, and against being boarded. Source: combat.md section 10. */
import { modules } from './module-row.ts'
import type { ModuleRow } from './types.ts'

export const BOARDING_MODULES: readonly ModuleRow[] = [
  ...modules('tackle', 'utility', [
    [
      'harpoon_winch',
      'Harpoon Winch',
      3_400,
      3,
      8,
      { latch_strength: 2 },
      'Reels the other ship in, or you to it.',
    ],
  ]),
  ...modules('security', 'defense', [
    [
      'slick_plating',
      'Slick Plating',
      2_900,
      2,
      4,
      { latch_resistance_bonus: 3 },
      'Oiled, polished and curved. Clamps slide off and swear.',
    ],
    [
      'security_bulkheads',
      'Security Bulkheads',
      4_600,
      3,
      6,
      { boarding_defense_bonus: 25 },
      'Every corridor ends in a door that the crew can shut and you cannot.',
    ],
    [
      'crew_armory',
      'Crew Armory',
      2_100,
      2,
      4,
      { crew_combat_bonus: 40 },
      'One rifle a bunk, and a poster on which end is which.',
    ],
  ]),
]
