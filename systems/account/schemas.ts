/** Wire shapes of players, and of the answers of register and login. */
import {
  bools,
  ints,
  list,
  mapOf,
  named,
  obj,
  opt,
  optional,
  strings,
  Type,
} from '../../core/params.ts'
import { moduleSchema, shipSchema } from '../ship/schemas.ts'
import { placeSchema, systemSchema } from '../travel/schemas.ts'
import { STATS } from './state.ts'

const counts = mapOf(Type.Integer())

/** Lifetime counters; those of taxes are kept by the tax domain. */
export const statsSchema = named('PlayerStats', {
  ...opt(ints(...STATS)),
  ...opt(ints('credits_earned_taxable_snapshot', 'market_purchases_deductible_snapshot')),
  ...opt(ints('last_income_tax_assessed_at', 'last_property_tax_assessed_at')),
  ...opt(ints('market_tax_loss_carryforward', 'prayer_distance_traveled', 'time_played')),
  credits_earned_taxable_by_category: optional(counts),
  credits_earned_taxable_by_category_snapshot: optional(counts),
})

/** Fields that both versions share. */
const shared = {
  ...strings('id', 'username', 'empire'),
  ...ints('credits'),
  ...opt(strings('clan_tag', 'status_message', 'primary_color', 'secondary_color', 'home_base')),
  ...opt(strings('faction_id', 'faction_rank', 'towing_ship_id', 'towing_wreck_id')),
  ...opt(strings('trading_restricted_until')),
  ...opt(bools('is_cloaked', 'anonymous')),
  stats: optional(statsSchema),
}

const standing = obj({
  ...ints('reputation', 'baseline'),
  ...opt(ints('outstanding_bounty')),
  ...opt(strings('jailed_until')),
})

/** What v1 adds: location, times, skills. */
const record = {
  ...shared,
  ...opt(strings('current_system', 'current_poi', 'current_ship_id', 'docked_at_base')),
  ...opt(strings('created_at', 'last_login_at', 'last_active_at', 'last_command_at')),
  ...opt(strings('last_chat_check')),
  ...opt(ints('experience')),
  skills: optional(counts),
  skill_xp: optional(counts),
}

/** v1 Player in the answers of logins. */
export const playerSchema = named('Player', {
  ...record,
  ...opt(strings('distress_last_sent_at', 'riding_ship_id', 'fleet_id')),
  reputation: optional(counts),
  reputation_baseline: optional(counts),
  citizenships: optional(
    mapOf(obj({ ...strings('empire_id', 'granted_at'), ...opt(strings('granted_by')) })),
  ),
  discovered_systems: optional(mapOf(Type.Unknown())),
  last_chat_check_map: optional(mapOf(Type.String())),
  jail: optional(
    obj(
      opt({ ...ints('bounty_owed', 'rep_restoration'), ...strings('empire_id', 'jailed_until') }),
    ),
  ),
})

/** v1 Player in the answer of get_status. */
export const playerStatusSchema = named('PlayerStatus', {
  ...record,
  citizenships: list(Type.String()),
  standings: mapOf(standing),
  revealed_pois: mapOf(Type.Boolean()),
  completed_missions: optional(mapOf(Type.String())),
})

/** v2 section `player`. */
export const playerSection = named('PlayerSection', {
  ...shared,
  ...opt(strings('home_poi', 'home_system')),
  citizenships: list(Type.String()),
  standings: mapOf(standing),
})

const goods = list(obj({ ...strings('item_id'), ...ints('quantity') }))

const pendingTrade = named('PendingTrade', {
  ...strings('id', 'offerer_id', 'target_id', 'poi_id', 'status', 'created_at', 'expires_at'),
  ...ints('offer_credits', 'request_credits'),
  offer_items: goods,
  request_items: goods,
})

/** State that both register and login answer with. */
const loginState = {
  player: playerSchema,
  ship: shipSchema,
  modules: optional(list(moduleSchema)),
  system: systemSchema,
  poi: placeSchema,
}

export const registerSchema = named('RegisterResponse', {
  ...strings('password', 'player_id', 'message'),
  ...opt(strings('username', 'empire', 'session_id')),
  ...loginState,
})

export const loginSchema = named('LoginResponse', {
  ...strings('message'),
  ...opt(strings('username', 'empire', 'player_id', 'session_id')),
  ...loginState,
  ship: optional(shipSchema),
  pending_trades: list(pendingTrade),
  unread_chat: optional(obj(ints('system', 'local', 'faction', 'private'))),
  recent_chat: optional(list(Type.Unknown())),
  release_info: optional(
    obj({ ...strings('version', 'release_date'), notes: list(Type.String()) }),
  ),
})

/** A poll answers with its status until the human has decided, and then like a login. */
export const loginLinkPollSchema = Type.Union([
  obj({ ...strings('status'), ...opt(ints('interval')) }),
  loginSchema,
])

/** What internal:bind returns to the main thread. */
export const stateSchema = obj({
  ...loginState,
  ship: optional(shipSchema),
  pending_trades: list(pendingTrade),
})
