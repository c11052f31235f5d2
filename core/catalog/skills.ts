/**
 * Every skill: category, bonus per level, prerequisites, what trains it. Source:
 * missions.md section 5.
 */
import { deepFreeze } from './freeze.ts'
import type { EmpireId } from './map-types.ts'
import type { SkillCategory, SkillRow } from './types.ts'

interface SkillExtra {
  needs?: Record<string, number>
  empire?: EmpireId
}

type SkillLine = readonly [
  id: string,
  name: string,
  bonus: Record<string, number>,
  trainedBy: string,
  description: string,
  extra?: SkillExtra,
]

export const SKILL_LEVEL_MAX = 100

/** XP from level L to L+1: 35L²+70L+60. */
export const XP_PER_LEVEL: readonly number[] = deepFreeze(
  Array.from({ length: SKILL_LEVEL_MAX }, (_, level) => 35 * level * level + 70 * level + 60),
)

const LINES: readonly (readonly [SkillCategory, readonly SkillLine[]])[] = [
  [
    'Combat',
    [
      [
        'weapons',
        'Weapons',
        { damage_pct: 1, crit_permille: 2 },
        'Dealing damage.',
        'Knowing what a gun wants.',
      ],
      [
        'gunnery',
        'Gunnery',
        { damage_pct: 1 },
        'Firing volleys.',
        'Hitting hard with all barrels at once.',
        { needs: { weapons: 3 } },
      ],
      [
        'shields',
        'Shields',
        { shield_pct: 1, recharge_pct: 1, resistance_pct: 1 },
        'Shield damage taken from enemies.',
        'Keeping the boundary up.',
      ],
      [
        'armor',
        'Armor',
        { armor_pct: 1, hull_pct: 1 },
        'Hull damage taken from enemies.',
        'Making plate count twice.',
      ],
      [
        'tactics',
        'Tactics',
        { accuracy_pct: 1, evasion_pct: 1 },
        'Hits, dodges and escapes.',
        'Being where the shot is not.',
        { needs: { weapons: 5 } },
      ],
      [
        'bounty_hunting',
        'Bounty Hunting',
        { bounty_pct: 1 },
        'Killing pirates.',
        'Getting paid for other people’s sins.',
        { needs: { weapons: 3 } },
      ],
      [
        'piracy',
        'Piracy',
        { raid_loot_pct: 1, customs_evasion_pct: 1 },
        'Player kills outside war.',
        'Taking what was not offered.',
        { needs: { weapons: 5 } },
      ],
      [
        'solarian_doctrine',
        'Concordance Doctrine',
        { accuracy_bonus: 1 },
        'Missions for the Concordance.',
        'Measured fire, by the book the magistrates wrote.',
        { empire: 'solarian' },
      ],
      [
        'crimson_oath',
        'Blood Oath',
        { wounded_damage_pct: 1, armor_bypass_pct: 1 },
        'Missions for the Oathhold.',
        'Fight harder as the hull gives, and strike through plate.',
        { empire: 'crimson' },
      ],
    ],
  ],
  [
    'Navigation',
    [
      [
        'navigation',
        'Navigation',
        { fuel_pct: -1, jump_fuel_pct: -1, jump_time_pct: -1 },
        'Jumps and travel.',
        'Shorter, cheaper lines between stars; never below half.',
      ],
    ],
  ],
  [
    'Mining',
    [
      [
        'mining',
        'Mining',
        { yield_pct: 1 },
        'Extracting resources.',
        'Reading rock, ice and cloud.',
      ],
      [
        'deep_core_mining',
        'Deep Core Mining',
        { deep_yield_pct: 5 },
        'Mining with a power of 3 or more, deep surveys.',
        'Working where the pressure does the mining.',
        { needs: { mining: 10 } },
      ],
      [
        'nebula_attunement',
        'Cloud Attunement',
        { gas_yield_pct: 1, sensor_range_pct: 1 },
        'Missions for the League.',
        'Feeling the drift of gas before the gauges do.',
        { empire: 'nebula' },
      ],
    ],
  ],
  [
    'Trading',
    [
      [
        'trading',
        'Trading',
        { market_insight: 1 },
        'Fills on the exchange.',
        'Seeing the shape of a book.',
      ],
      [
        'smuggling',
        'Smuggling',
        { customs_evasion_pct: 1 },
        'Selling at pirate bases.',
        'Looking dull at a checkpoint.',
      ],
    ],
  ],
  [
    'Crafting',
    [
      [
        'crafting',
        'Crafting',
        {},
        'Workshop runs.',
        'Good hands at the bench: your workshop is faster with every level.',
      ],
      [
        'refining',
        'Refining',
        {},
        'Refining runs at a workshop.',
        'Knowing when the melt is ready: your workshop refines faster with every level.',
      ],
    ],
  ],
  [
    'Salvaging',
    [
      [
        'salvaging',
        'Salvaging',
        { salvage_yield_pct: 1 },
        'Emptying and scrapping wrecks.',
        'Finding the worth in what is left.',
      ],
      [
        'outer_rim_survival',
        'Rim Survival',
        { salvage_yield_pct: 1, field_repair_pct: 1 },
        'Missions for the Compact.',
        'Wire, tape and stubbornness.',
        { empire: 'outerrim' },
      ],
    ],
  ],
  [
    'Support',
    [
      [
        'scanning',
        'Scanning',
        { scan_power_pct: 1, survey_power_pct: 1 },
        'Scans and surveys.',
        'Hearing a whisper through a storm.',
      ],
      [
        'stealth',
        'Stealth',
        { cloak_pct: 1, customs_evasion_pct: 1 },
        'Time cloaked, evasions.',
        'The craft of not being there.',
        { needs: { scanning: 2 } },
      ],
      [
        'leadership',
        'Leadership',
        { fleet_size: 1 },
        'Fleet jumps and faction duty.',
        'Being followed on purpose.',
      ],
      [
        'voidborn_mastery',
        'Quiet Mastery',
        { cloak_pct: 1, energy_damage_pct: 1 },
        'Missions for the Conclave.',
        'Stillness, and the blow out of it.',
        { empire: 'voidborn' },
      ],
    ],
  ],
  [
    'Engineering',
    [
      [
        'engineering',
        'Engineering',
        { module_usage_pct: -1 },
        'Component runs, running near full power.',
        'Making modules ask for less; never below half.',
      ],
    ],
  ],
  [
    'Drones',
    [
      [
        'drone_control',
        'Drone Control',
        { drone_stats_pct: 1, scripted_drones: 1 },
        'Successful drone actions.',
        'Minding several small machines at once.',
        { needs: { engineering: 2 } },
      ],
    ],
  ],
  [
    'Exploration',
    [
      [
        'exploration',
        'Exploration',
        { scan_range_pct: 1 },
        'First visits to systems.',
        'Going to see.',
      ],
      [
        'wormhole_navigation',
        'Wormhole Navigation',
        { exit_accuracy_pct: 1 },
        'Wormhole transits.',
        'Guessing the far end before entering the near one.',
        { needs: { navigation: 5, exploration: 3 } },
      ],
      [
        'xenobiology',
        'Xenobiology',
        { harvest_value_pct: 1 },
        'Hunting creatures.',
        'Which parts, and how to ask for them.',
        { needs: { scanning: 2 } },
      ],
    ],
  ],
  [
    'Ships',
    [
      [
        'piloting',
        'Piloting',
        { hull_tier_access: 1 },
        'Flying: travel, jumps, mining, fights.',
        'Larger hulls at 10, 20, 30, 50 and 70.',
      ],
    ],
  ],
  [
    'Faction',
    [
      [
        'corporation_management',
        'Corporation Management',
        { facility_tier_access: 1 },
        'Building facilities and keeping them, also offline; crew_quarters need no skill.',
        'Rent, rosters and the patience for both.',
      ],
    ],
  ],
]

function skillRow(category: SkillCategory, line: SkillLine): SkillRow {
  const [id, name, bonus, training_source, description, extra = {}] = line
  return {
    id,
    name,
    category,
    description,
    max_level: SKILL_LEVEL_MAX,
    ...(Object.keys(bonus).length > 0 ? { bonus_per_level: bonus } : {}),
    prerequisites: extra.needs ?? {},
    training_source,
    ...(extra.empire === undefined ? {} : { empire_restriction: extra.empire }),
    xp_per_level: XP_PER_LEVEL,
  }
}

export const SKILLS: readonly SkillRow[] = deepFreeze(
  LINES.flatMap(([category, lines]) => lines.map((line) => skillRow(category, line))),
)

export const SKILL_CATEGORIES: readonly SkillCategory[] = deepFreeze(
  LINES.map(([category]) => category),
)
