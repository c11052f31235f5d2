/** The list of arena challenges, one line each. Columns hold indexes into it: append only. */
import type { DamageType } from './types.ts'

type ChallengeLine = Pick<ChallengeRow, 'id' | 'name' | 'lore' | 'circuit' | 'enemies'> &
  Partial<ChallengeRow>

const EMPIRE: readonly ChallengeLine[] = [
  {
    id: 'first_bout',
    name: 'First Bout',
    circuit: 'empire',
    everywhere: true,
    lore: 'Everybody wins this one. The house likes to see faces come back.',
    enemies: [{ npc: 'straw_pilot' }],
  },
  {
    id: 'two_hands',
    name: 'Two Hands',
    circuit: 'empire',
    lore: 'A pair of regulars who finish each other’s sentences and, with luck, each other’s shots.',
    enemies: [{ npc: 'ring_hand' }, { npc: 'ring_hand' }],
    requires: ['first_bout'],
  },
  {
    id: 'standing_still',
    name: 'Standing Still',
    circuit: 'empire',
    lore: 'Nothing to win by shooting. Be here when the bell rings.',
    enemies: [{ npc: 'ring_hand' }, { npc: 'ring_hand' }],
    objective: 'survive_ticks',
    objectiveTicks: 12,
    requires: ['first_bout'],
  },
  {
    id: 'hare_course',
    name: 'The Hare Course',
    circuit: 'empire',
    lore: 'The hare knows one trick: the exit. Close it first.',
    enemies: [{ npc: 'hare', flees: true }],
    objective: 'no_enemy_escape',
    requires: ['two_hands'],
  },
  {
    id: 'bell_and_candle',
    name: 'Bell and Candle',
    circuit: 'empire',
    lore: 'One candle, one opponent. The match ends when the flame does.',
    enemies: [{ npc: 'longshot' }],
    objective: 'time_limit',
    objectiveTicks: 40,
    requires: ['two_hands'],
  },
  {
    id: 'featherweight',
    name: 'Featherweight',
    circuit: 'empire',
    lore: 'Small hulls only; the ring has been hung with paper lanterns.',
    enemies: [{ npc: 'lantern_twin' }, { npc: 'lantern_twin' }],
    rules: [{ rule: 'hull_tier', max: 1 }],
    requires: ['two_hands'],
  },
  {
    id: 'bare_knuckle',
    name: 'Bare Knuckle',
    circuit: 'empire',
    lore: 'No borrowed shields. The referees check twice.',
    enemies: [{ npc: 'ring_hand' }, { npc: 'net_caster' }],
    rules: [{ rule: 'no_shield_modules' }],
    requires: ['two_hands'],
  },
  {
    id: 'candlelight',
    name: 'Candlelight',
    circuit: 'empire',
    lore: 'Light against light: whatever burns powder stays in the locker.',
    enemies: [{ npc: 'lantern_twin' }, { npc: 'choir_gunner' }],
    rules: [{ rule: 'no_ammo_weapons' }],
    requires: ['featherweight'],
  },
  {
    id: 'one_gun',
    name: 'One Gun',
    circuit: 'empire',
    lore: 'One weapon a ship. The crowd brings rulers and argues about what counts.',
    enemies: [{ npc: 'longshot' }, { npc: 'net_caster' }],
    rules: [{ rule: 'max_weapons', max: 1 }],
    requires: ['bare_knuckle'],
  },
  {
    id: 'relay',
    name: 'The Relay',
    circuit: 'empire',
    lore: 'They come one after another, the way the old courts did it.',
    enemies: [{ npc: 'ring_hand' }],
    waves: [
      { name: 'Second runner', npcs: [{ npc: 'lantern_twin' }], whenEnemiesRemaining: 0 },
      { name: 'Third runner', npcs: [{ npc: 'house_guard' }], whenEnemiesRemaining: 0 },
    ],
    requires: ['two_hands'],
  },
  {
    id: 'slow_dance',
    name: 'The Slow Dance',
    circuit: 'empire',
    lore: 'Heavy frames at walking pace, to music.',
    enemies: [{ npc: 'house_guard' }, { npc: 'house_guard' }],
    rules: [{ rule: 'max_speed', max: 3 }],
    requires: ['relay'],
  },
  {
    id: 'iron_hour',
    name: 'The Iron Hour',
    circuit: 'empire',
    lore: 'Iron on iron. Bring only what throws.',
    enemies: [{ npc: 'house_guard' }, { npc: 'ring_hand' }],
    rules: [{ rule: 'damage_type', type: 'kinetic' }],
    requires: ['one_gun'],
  },
  {
    id: 'rising_tide',
    name: 'Rising Tide',
    circuit: 'empire',
    lore: 'The gates open on the beat. Nobody has asked the drummer to slow down.',
    enemies: [{ npc: 'ring_hand' }],
    objective: 'survive_ticks',
    objectiveTicks: 60,
    waves: [
      { name: 'First gate', npcs: [{ npc: 'ring_hand' }, { npc: 'net_caster' }], afterTicks: 10 },
      { name: 'Second gate', npcs: [{ npc: 'house_guard' }], afterTicks: 20 },
      {
        name: 'Third gate',
        npcs: [{ npc: 'house_guard' }, { npc: 'choir_gunner' }],
        afterTicks: 35,
      },
    ],
    requires: ['relay', 'standing_still'],
  },
]

const OUTLAW: readonly ChallengeLine[] = [
  {
    id: 'exchequer',
    name: 'The Exchequer',
    circuit: 'outlaw',
    lore: 'The tollkeepers are counting. So is the clock.',
    enemies: [{ npc: 'toll_bomber' }, { npc: 'ring_hand' }],
    rules: [{ rule: 'empty_hold' }],
    objective: 'time_limit',
    objectiveTicks: 60,
  },
  {
    id: 'no_leash',
    name: 'No Leash',
    circuit: 'outlaw',
    lore: 'Nets and hooks are for fishermen. Here you keep a rival by being worth fighting.',
    enemies: [{ npc: 'oath_duelist' }],
    rules: [{ rule: 'no_tackle' }],
  },
  {
    id: 'alone',
    name: 'Alone',
    circuit: 'outlaw',
    lore: 'One ship. One. The pit has a very good memory for numbers.',
    enemies: [{ npc: 'oath_duelist' }, { npc: 'longshot' }],
    rules: [{ rule: 'side_size', max: 1 }],
    requires: ['no_leash'],
  },
  {
    id: 'mechanics_out',
    name: 'Mechanics Out',
    circuit: 'outlaw',
    lore: 'No patching. What breaks stays broken, and the crowd keeps a list.',
    enemies: [{ npc: 'oath_duelist' }, { npc: 'toll_bomber' }],
    rules: [{ rule: 'no_repair' }],
    requires: ['no_leash'],
  },
  {
    id: 'sober',
    name: 'Sober',
    circuit: 'outlaw',
    lore: 'Nothing injected, nothing boosted, nothing borrowed.',
    enemies: [{ npc: 'pit_champion' }],
    rules: [{ rule: 'no_boosters' }],
    requires: ['alone'],
  },
  {
    id: 'no_kennel',
    name: 'No Kennel',
    circuit: 'outlaw',
    lore: 'Leave the drones at home. They upset the betting.',
    enemies: [{ npc: 'pit_champion' }, { npc: 'choir_gunner' }],
    rules: [{ rule: 'no_drones' }],
    requires: ['alone'],
  },
  {
    id: 'smugglers_gate',
    name: 'The Smugglers’ Gate',
    circuit: 'outlaw',
    lore: 'Two runners, one gate, and a wager that neither makes it.',
    enemies: [{ npc: 'hare', flees: true }, { npc: 'hare', flees: true }, { npc: 'house_guard' }],
    objective: 'no_enemy_escape',
    requires: ['exchequer'],
  },
  {
    id: 'five_acts',
    name: 'Five Acts',
    circuit: 'outlaw',
    lore: 'A tragedy in the old style. You are the chorus; try to be the last one talking.',
    enemies: [{ npc: 'ring_hand' }, { npc: 'ring_hand' }],
    waves: [
      {
        name: 'Second act',
        npcs: [{ npc: 'net_caster' }, { npc: 'longshot' }],
        whenEnemiesRemaining: 1,
      },
      {
        name: 'Third act',
        npcs: [{ npc: 'house_guard' }, { npc: 'choir_gunner' }],
        whenEnemiesRemaining: 1,
      },
      {
        name: 'Fourth act',
        npcs: [{ npc: 'oath_duelist' }, { npc: 'toll_bomber' }],
        afterTicks: 15,
        whenEnemiesRemaining: 1,
      },
      { name: 'Fifth act', npcs: [{ npc: 'pit_champion' }], whenEnemiesRemaining: 0 },
    ],
    requires: ['mechanics_out'],
  },
  {
    id: 'the_matron',
    name: 'The Matron',
    circuit: 'outlaw',
    lore: 'She has buried better pilots than you and remembers all of their birthdays.',
    enemies: [{ npc: 'ash_matron' }],
    rules: [{ rule: 'hull_scale', max: 3 }],
    requires: ['sober'],
  },
  {
    id: 'hall_of_glass',
    name: 'Hall of Glass',
    circuit: 'outlaw',
    lore: 'The prince fights his reflection. You are the reflection.',
    enemies: [{ npc: 'mirror_prince' }],
    objective: 'time_limit',
    objectiveTicks: 120,
    waves: [{ name: 'The reflection cracks', npcs: [{ npc: 'mirror_prince' }], afterTicks: 30 }],
    requires: ['the_matron'],
  },
  {
    id: 'the_undefeated',
    name: 'The Undefeated',
    circuit: 'outlaw',
    lore: 'Forty years in the ring. The board above the gate shows one number, and it is not falling.',
    enemies: [{ npc: 'old_undefeated' }],
    rules: [{ rule: 'side_size', max: 5 }],
    waves: [
      {
        name: 'His seconds',
        npcs: [{ npc: 'pit_champion' }, { npc: 'pit_champion' }],
        afterTicks: 25,
      },
    ],
    requires: ['hall_of_glass', 'five_acts'],
  },
]

export const CHALLENGE_LINES: readonly ChallengeLine[] = [...EMPIRE, ...OUTLAW]

/** Rules that a loadout may have to meet; the error code is `rule_` and the name. */
export const LOADOUT_RULES = [
  'hull_tier',
  'hull_scale',
  'max_speed',
  'max_weapons',
  'damage_type',
  'no_ammo_weapons',
  'no_drones',
  'no_boosters',
  'no_shield_modules',
  'no_repair',
  'no_tackle',
  'empty_hold',
  'side_size',
] as const
export type LoadoutRuleName = (typeof LOADOUT_RULES)[number]

/** A rule that a loadout has to meet. */
export interface LoadoutRule {
  readonly rule: LoadoutRuleName
  /** The maximum allowed, if the rule has a number. */
  readonly max?: number
  /** For `damage_type`: the one that is allowed. */
  readonly type?: DamageType
}

/** An enemy of a challenge; one that `flees` tries to leave the ring. */
export interface Enemy {
  /** Id of a fighter. */
  readonly npc: string
  readonly flees?: true
}

/** Enemies that appear together. */
export interface Wave {
  readonly name: string
  readonly npcs: readonly Enemy[]
  /** Appears this many ticks after the beginning. */
  readonly afterTicks?: number
  /** Appears when at most this many enemies are left. With `afterTicks`: when both hold. */
  readonly whenEnemiesRemaining?: number
}

const OBJECTIVES = ['eliminate', 'survive_ticks', 'time_limit', 'no_enemy_escape'] as const
type ObjectiveName = (typeof OBJECTIVES)[number]

export interface ChallengeRow {
  readonly id: string
  readonly name: string
  readonly lore: string
  /** Which arenas offer it: those of empires, or those of strongholds. */
  readonly circuit: 'empire' | 'outlaw'
  /** Fought in every arena of its circuit, not in one only. */
  readonly everywhere?: true
  readonly rules: readonly LoadoutRule[]
  readonly objective: ObjectiveName
  /** Ticks of the objectives `survive_ticks` and `time_limit`. */
  readonly objectiveTicks: number
  readonly enemies: readonly Enemy[]
  readonly waves: readonly Wave[]
  /** Ids of challenges that must have been won once. */
  readonly requires: readonly string[]
}
