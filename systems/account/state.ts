/**
 * Players: identity, settings, money and lifetime counters. A player is where the ship they fly is.
 */
import {
  defineComponent,
  defineEntity,
  f64,
  i8,
  ref,
  text,
  u8,
  u16,
  u32,
} from '../../core/columns.ts'
import { defineGrant } from '../../core/guard.ts'
import { ROWS } from '../../core/limits.ts'
import { defineTag } from '../../core/query.ts'
import { defineRecords } from '../../core/records.ts'
import type { Eid } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'

/** Channels a player can be bound on: bits of `bound`. */
export const BOUND = { ws: 1, http: 2, mcp: 4 } as const
export type BindChannel = keyof typeof BOUND

/** Room for empires in the columns by EMPIRES. */
export const EMPIRES_WIDTH = 8

/** A registered player. */
export const Player = defineEntity('player', ROWS.players, {
  username: text('user name as registered, NFC'),
  empire: u8('origin: index into EMPIRES; never changes'),
  wallet: ref('account', 'account that holds the credits'),
  ship: ref('ship', 'ship flown; 0 for a player who rides with another, or is ashore'),
  firstOwned: ref('ship', 'head of the list of ships that belong to the player'),
  homeBase: ref('base', 'where the player respawns after a death'),
  bound: u8('channels with a live socket or session: bits of BOUND; 0 = offline'),
  goneTick: u32('tick in which the last binding ended, while bound is 0'),
  muteMask: u16('muted notification channels: bit i is MUTE_CHANNELS[i]'),
  anonymous: u8('1 hides the identity from others'),
  cloaked: u8('1 while cloaked'),
  statusMessage: text('status message'),
  clanTag: text('clan tag, at most 4 characters'),
  primaryColor: u32('0xRRGGBB'),
  secondaryColor: u32('0xRRGGBB'),
  createdMs: f64('wall time of registration, ms since 1970'),
  lastLoginMs: f64('wall time of the last login, ms since 1970'),
  citizenSinceMs: f64('wall time of the grant by EMPIRES, ms since 1970; 0 = none', {
    width: EMPIRES_WIDTH,
  }),
  reputation: i8('standing with each of EMPIRES, -100…100', { width: EMPIRES_WIDTH }),
  lastCommandMs: f64('wall time of the last batch with a command of the player, ms since 1970'),
  lastActedTick: u32('tick of the last mutation accepted of the player; 0 none'),
})

/** Population figures by name; `active` is the number of active players. */
export const POPULATION = defineRecords<number>('population', 8)

/** Online: bound on some channel. */
export const Bound = defineTag('player', 'bound')
/** Derived from the column `cloaked`. */
export const Cloaked = defineTag('player', 'cloaked')

/**
 * Lifetime counters, in the order of their column index (append only). The names are the wire's.
 * Source: contract, Player.stats.
 */
export const STATS = [
  'ships_destroyed',
  'times_destroyed',
  'ore_mined',
  'credits_earned',
  'credits_spent',
  'trades_completed',
  'systems_visited',
  'items_crafted',
  'missions_completed',
  'bases_destroyed',
  'battles_fled',
  'battles_started',
  'captains_log_entries',
  'chat_messages_sent',
  'cloak_activations',
  'consumables_used',
  'contraband_sold',
  'credits_earned_taxable',
  'credits_gifted',
  'customs_evaded',
  'damage_dealt',
  'damage_taken',
  'deaths_by_pirate',
  'deaths_by_player',
  'deaths_by_self_destruct',
  'deaths_by_wildlife',
  'deep_core_pois_discovered',
  'distance_traveled',
  'exchange_credits_earned',
  'exchange_items_bought',
  'exchange_items_sold',
  'facilities_built',
  'facility_items_produced',
  'forum_posts_created',
  'gifts_received',
  'gifts_sent',
  'insurance_claims_made',
  'insurance_payouts_received',
  'insurance_policies_bought',
  'items_jettisoned',
  'jumps_completed',
  'market_purchases_deductible',
  'missions_abandoned',
  'missions_accepted',
  'modules_installed',
  'npcs_destroyed',
  'pirates_destroyed',
  'refuels_given',
  'repairs_given',
  'scans_performed',
  'self_destructs',
  'ships_commissioned',
  'ships_lost',
  'ships_purchased',
  'systems_explored',
  'tax_prepaid',
  'times_docked',
  'void_drifts',
  'wormholes_traversed',
  'wreck_items_looted',
  'wrecks_scrapped',
  'wrecks_sold',
] as const
export type StatName = (typeof STATS)[number]
/** Room for later counters; a wider column takes over an older snapshot's values. */
export const STATS_WIDTH = 64

/** What limits the gifts of a player: they may give what they earned, not what they were given. */
export const Giving = defineComponent(Player, 'giving', {
  given: f64('value of what they have given away, credits'),
  granted: f64('credits earned that may not be given away, such as rewards of stories'),
})

export const PlayerStats = defineComponent(Player, 'player_stats', {
  values: f64('lifetime counters by STATS', { width: STATS_WIDTH }),
})

/** The channels each node holds, by its incarnation; 0 is a server without a cluster. */
export type Holders = readonly (readonly [node: number, channels: number])[]

/**
 * Player number → the nodes that hold the channels in `bound`, the latest first. Players whom only
 * node 0 holds have no record.
 */
export const PRESENCE = defineRecords<Holders>('presence', ROWS.players, { isRare: true })

/** User name key (accounts.md section 2) → player number. */
export const USERNAMES = defineRecords<number>('usernames', ROWS.players)

/** Grants that two players are allies: of one fleet, one faction, or allied factions. */
export const allied = defineGrant<{ player: Eid; other: Eid }>('allied')

/** Followers by their target. */
export type Followers = Map<Eid, Set<Eid>>

/** Keys of station names, rebuilt when the number of stations differs from `count`. */
export const STATION_KEYS = defineIndex('account.station-keys', () => ({
  count: 0,
  keys: new Set<string>(),
}))
