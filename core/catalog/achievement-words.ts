/** The words for what achievement counters count, from which criteria are rendered. */
import type { Criterion } from './achievement-row.ts'
import { deepFreeze } from './freeze.ts'
import { skillOf } from './goods.ts'

/** Prefix of the counters that stand for the level of a skill. */
export const SKILL_COUNTER = 'skill.'

const PLAYER_WORDS: Readonly<Record<string, string>> = deepFreeze({
  arena_challenges_won: 'arena challenges won',
  bases_destroyed: 'stations wrecked',
  battles_fled: 'battles escaped',
  battles_started: 'battles begun',
  bounty_earned: 'credits of bounty collected',
  captains_log_entries: 'entries in the captain’s log',
  chat_messages_sent: 'chat messages sent',
  cloak_activations: 'times cloaked',
  consumables_used: 'consumables used',
  contraband_sold: 'units of contraband sold',
  creatures_hunted: 'creatures hunted down',
  credits_earned: 'credits earned',
  credits_gifted: 'credits given away',
  customs_evaded: 'customs checks evaded',
  damage_dealt: 'points of damage dealt',
  damage_taken: 'points of damage taken',
  deaths_by_pirate: 'ships lost to pirates',
  deaths_by_player: 'ships lost to other captains',
  deaths_by_wildlife: 'ships lost to wildlife',
  deep_core_pois_discovered: 'deep cores discovered',
  distance_traveled: 'GU flown between systems',
  drone_actions: 'actions done by drones',
  exchange_credits_earned: 'credits earned on exchanges',
  exchange_items_bought: 'units bought on exchanges',
  exchange_items_sold: 'units sold on exchanges',
  facilities_built: 'facilities begun',
  facility_items_produced: 'units made in facilities',
  factions_founded: 'factions founded',
  fleet_jumps_led: 'ships led through jumps',
  forum_posts_created: 'forum posts written',
  gifts_sent: 'gifts sent',
  insurance_claims_made: 'insurance claims made',
  insurance_policies_bought: 'insurance policies bought',
  items_crafted: 'units crafted',
  items_jettisoned: 'units jettisoned',
  jumps_completed: 'jumps completed',
  missions_abandoned: 'missions abandoned',
  missions_completed: 'missions completed',
  modules_installed: 'modules installed',
  npcs_destroyed: 'ships of empires destroyed',
  ore_mined: 'units mined',
  pirates_destroyed: 'pirates destroyed',
  refuels_given: 'ships refuelled',
  repairs_given: 'ships repaired',
  scans_performed: 'scans performed',
  self_destructs: 'own ships scuttled',
  ships_captured: 'hulls taken by boarding',
  ships_commissioned: 'ships commissioned',
  ships_destroyed: 'ships destroyed',
  ships_purchased: 'ships purchased',
  skill_levels_gained: 'skill levels gained',
  surveys_made: 'systems surveyed',
  systems_visited: 'systems visited',
  tax_prepaid: 'credits of tax paid ahead',
  times_destroyed: 'own ships destroyed',
  times_docked: 'dockings',
  trades_completed: 'trades completed',
  void_drifts: 'drifts through the void',
  wreck_items_looted: 'units taken from wrecks',
  wrecks_emptied: 'wrecks worked to the end',
  wrecks_scrapped: 'wrecks scrapped',
  wrecks_sold: 'wrecks sold',
})

const FACTION_WORDS: Readonly<Record<string, string>> = deepFreeze({
  members: 'members at one time',
  treasury: 'credits in the treasury at one time',
  facilities: 'facilities begun for the faction',
  roles: 'roles of its own made',
  ships_destroyed: 'ships destroyed by members',
  pirates_destroyed: 'pirates destroyed by members',
  bases_destroyed: 'stations wrecked by members',
  damage_dealt: 'points of damage dealt by members',
  creatures_hunted: 'creatures hunted down by members',
  ships_captured: 'hulls taken by members',
  ore_mined: 'units mined by members',
  items_crafted: 'units crafted by members',
  missions_completed: 'missions completed by members',
  jumps_completed: 'jumps completed by members',
  systems_visited: 'first visits of members to systems',
  deep_core_pois_discovered: 'deep cores discovered by members',
  wrecks_emptied: 'wrecks worked to the end by members',
  exchange_credits_earned: 'credits earned by members on exchanges',
  fleet_jumps_led: 'ships led through jumps by members',
  times_destroyed: 'ships lost by members',
})

/** Returns the names of the counters that have words: of players, or of factions. */
export const wordedCounters = (faction: boolean): readonly string[] =>
  Object.keys(faction ? FACTION_WORDS : PLAYER_WORDS)

function wordsOf(counter: string, faction: boolean): string {
  if (counter.startsWith(SKILL_COUNTER)) {
    return `level of ${skillOf(counter.slice(SKILL_COUNTER.length))?.name ?? counter}`
  }
  return (faction ? FACTION_WORDS : PLAYER_WORDS)[counter] ?? counter
}

/** Writes a number as 1,234,567, whatever the locale of the machine. */
const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',')

function renderOne([counter, op, target]: Criterion, faction: boolean): string {
  const words = wordsOf(counter, faction)
  if (op === '>=') return `${words}: at least ${grouped(target)}`
  return target === 0 ? `${words}: none` : `${words}: at most ${grouped(target)}`
}

/** Returns the criteria, all of which must be met, in words for players. */
export function renderCriteria(criteria: readonly Criterion[], faction: boolean): string {
  const text = criteria.map((criterion) => renderOne(criterion, faction)).join('; ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
