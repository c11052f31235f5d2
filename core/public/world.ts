/**
 * What a stranger may read about the world at the public tick: the bodies of the public web API.
 * What is not named here does not exist for strangers. Source: WEB 1.2, 1.5.
 */
import {
  bools,
  ints,
  list,
  mapOf,
  named,
  numbers,
  opt,
  type Static,
  strings,
  Type,
} from '../params.ts'

/** Pages of the live game read the fields up to `total_systems`. */
export const statsBody = named('PublicStats', {
  ...strings('version', 'public_at', 'epoch'),
  ...ints('online_players', 'total_players', 'total_systems', 'tick'),
  ...ints('forum_threads', 'forum_replies', 'tick_ms', 'delay_ticks'),
})
export type StatsBody = Static<typeof statsBody>

/* Map */

export const mapSystem = named('PublicMapSystem', {
  ...strings('id', 'name', 'empire'),
  ...numbers('x', 'y'),
  ...ints('police_level'),
  position: named('PublicPosition', numbers('x', 'y')),
  connections: list(Type.String()),
  ...opt({ ...strings('empire_color'), ...bools('is_home', 'is_stronghold') }),
})

export const mapBody = named('PublicMap', {
  systems: list(mapSystem),
  empires: mapOf(Type.String()),
})
export type MapBody = Static<typeof mapBody>

/** Jumps in progress between two systems, all with the same departure. */
const transit = named('PublicTransit', {
  ...strings('from_system', 'to_system'),
  ...ints('start_tick', 'arrival_tick', 'count'),
})

export const activityBody = named('PublicActivity', {
  ...ints('current_tick'),
  /** Players online by system. */
  online: mapOf(Type.Integer()),
  /** Id of a battle by system. */
  battles: mapOf(Type.String()),
  strongholds: mapOf(Type.Boolean()),
  transits: list(transit),
  /** Pirates and ships of empires by system. */
  npc: mapOf(Type.Integer()),
  /** How much fighting there was by system in the last 60 ticks, from 0 to 100. */
  heat: mapOf(Type.Integer()),
})
export type ActivityBody = Static<typeof activityBody>

export const territoryBody = named('PublicTerritory', {
  systems: mapOf(
    named('PublicHolding', {
      ...strings('color'),
      ...opt({ ...strings('empire', 'faction_tag'), ...bools('contested') }),
    }),
  ),
  /** Tags of two factions at war. */
  wars: list(named('PublicWar', { ...strings('a', 'b'), ...ints('since_tick') })),
})
export type TerritoryBody = Static<typeof territoryBody>

const seenPlayer = named('PublicSeenPlayer', {
  ...strings('username'),
  ...opt(strings('clan_tag', 'status', 'primary_color', 'secondary_color')),
})

const systemPoi = named('PublicPoi', {
  ...strings('id', 'name', 'type'),
  ...numbers('x', 'y'),
  ...bools('has_base'),
  ...ints('online'),
  ...opt({
    ...strings('class', 'base_id', 'station_name', 'station_empire', 'station_faction_name'),
    ...strings('station_faction_tag', 'station_faction_color', 'station_condition'),
    /** At most 50, named ones only; `online` counts the anonymous too. */
    players: list(seenPlayer),
    station_services: list(Type.String()),
  }),
})

/** Flights between two charted places of a system, all with the same departure. */
const localFlight = named('PublicLocalFlight', {
  ...strings('from_poi', 'to_poi'),
  ...ints('start_tick', 'arrival_tick', 'count'),
})

export const systemBody = named('PublicSystem', {
  ...strings('id', 'name', 'description', 'security_status'),
  ...ints('police_level', 'pirates', 'empire_npcs'),
  ...bools('is_stronghold'),
  ...opt(strings('empire')),
  connections: list(Type.String()),
  pois: list(systemPoi),
  /** ours: the page draws local flights. */
  flights: list(localFlight),
})
export type SystemBody = Static<typeof systemBody>

/* Stations */

const stationHead = {
  ...strings('id', 'type', 'name', 'description', 'empire', 'empire_name'),
  ...strings('system_id', 'system_name', 'condition', 'condition_text'),
  ...ints('satisfaction_pct', 'weapon_dps'),
  ...bools('wrecked'),
  ...opt(strings('faction_id', 'faction_name', 'faction_tag', 'faction_color')),
  services: list(Type.String()),
}

export const stationsBody = named('PublicStations', {
  stations: list(named('PublicStation', { ...stationHead, ...ints('facility_count') })),
  empires: list(named('PublicEmpire', strings('id', 'name', 'color'))),
})
export type StationsBody = Static<typeof stationsBody>

export const stationBody = named('PublicStationDetail', {
  ...stationHead,
  ...ints('hull', 'max_hull', 'shield', 'max_shield', 'armor', 'weapon_reach'),
  ...bools('public_access'),
  facilities: list(
    named('PublicFacility', {
      ...strings('id', 'name', 'description', 'active_description', 'category'),
      ...strings('service_type', 'empire', 'lore'),
      ...ints('level'),
      ...bools('unique', 'maintenance_satisfied', 'active'),
    }),
  ),
})
export type StationBody = Static<typeof stationBody>

/* Market */

const quote = {
  ...strings('item_id', 'item_name', 'category'),
  ...ints('base_value', 'best_bid', 'best_ask', 'bid_quantity', 'ask_quantity', 'spread'),
  ...numbers('spread_pct'),
  ...opt({
    ...ints('bid_quantity_at_best', 'bid_quantity_reasonable', 'bid_quantity_station_mgr'),
    ...ints('ask_quantity_at_best', 'ask_quantity_reasonable', 'ask_quantity_station_mgr'),
  }),
}

const categories = list(Type.String())

/** One row for each item and empire; 0: no order. */
export const marketBody = named('PublicMarket', {
  items: list(named('PublicQuote', { ...quote, ...strings('empire') })),
  categories,
  empires: list(named('PublicEmpireName', strings('id', 'name'))),
})
export type MarketBody = Static<typeof marketBody>

export const stationMarketBody = named('PublicStationMarket', {
  ...strings('base_id', 'base_name', 'empire', 'empire_name'),
  items: list(named('PublicStationQuote', quote)),
  categories,
})
export type StationMarketBody = Static<typeof stationMarketBody>

const levels = list(named('PublicLevel', ints('price', 'quantity', 'cumulative')))

/** At most 50 levels per side, best first. */
export const depthBody = named('PublicDepth', {
  ...strings('base_id', 'base_name', 'item_id', 'item_name'),
  bids: levels,
  asks: levels,
})
export type DepthBody = Static<typeof depthBody>

export const itemMarketBody = named('PublicItemMarket', {
  ...strings('item_id', 'item_name', 'category'),
  ...ints('base_value'),
  stations: list(
    named('PublicItemQuote', {
      ...strings('base_id', 'base_name', 'system_id', 'empire'),
      ...ints('best_bid', 'best_ask', 'bid_quantity', 'ask_quantity', 'spread', 'volume_24h'),
      ...numbers('spread_pct', 'vwap_24h'),
    }),
  ),
})
export type ItemMarketBody = Static<typeof itemMarketBody>

const mover = named('PublicMover', {
  ...strings('item_id', 'item_name', 'category'),
  ...ints('recent_volume'),
  ...numbers('surge_ratio', 'recent_vwap', 'previous_vwap', 'price_change_pct'),
  ...opt(ints('recent_units')),
})

export const moversBody = named('PublicMovers', {
  ...strings('generated_at'),
  ...ints('recent_hours', 'baseline_hours'),
  volume_surges: list(mover),
  new_demand: list(mover),
  price_gainers: list(mover),
  price_losers: list(mover),
  arbitrage: list(
    named('PublicArbitrage', {
      ...strings('item_id', 'item_name', 'category', 'buy_empire', 'buy_empire_name'),
      ...strings('sell_empire', 'sell_empire_name'),
      ...ints('buy_price', 'sell_price', 'margin', 'depth'),
      ...numbers('margin_pct'),
      ...opt(strings('buy_base', 'buy_base_name', 'sell_base', 'sell_base_name')),
    }),
  ),
})
export type MoversBody = Static<typeof moversBody>

/* Ranks, players, factions */

const playerRank = named('PublicPlayerRank', {
  ...ints('rank', 'value'),
  ...strings('username', 'empire'),
  ...opt(bools('npc')),
})
const factionRank = named('PublicFactionRank', {
  ...ints('rank', 'value'),
  ...strings('name', 'tag'),
})

/** Boards of holdings are empty: they would reveal what is withheld. */
export const leaderboardBody = named('PublicLeaderboard', {
  ...strings('generated_at'),
  players: mapOf(list(playerRank)),
  factions: mapOf(list(factionRank)),
  exchange: mapOf(list(playerRank)),
})
export type LeaderboardBody = Static<typeof leaderboardBody>

const achiever = named('PublicAchiever', {
  ...strings('name'),
  ...ints('earned', 'points'),
  ...opt(strings('empire', 'tag')),
})

export const achievementRanksBody = named('PublicAchievementRanks', {
  ...strings('generated_at'),
  players: list(achiever),
  factions: list(achiever),
})
export type AchievementRanksBody = Static<typeof achievementRanksBody>

const achievementSum = named('PublicAchievementSum', ints('earned', 'total', 'points'))
const marks = opt({ titles: list(Type.String()), emblems: list(Type.String()) })

const categoryRank = named('PublicCategoryRank', {
  ...strings('category', 'label'),
  ...ints('rank', 'value'),
})

export const playerBody = named('PublicPlayer', {
  ...strings('username', 'empire', 'created_at'),
  ...bools('online'),
  ...ints('ranks_top_n'),
  ...opt({
    ...strings('empire_name', 'clan_tag', 'status_message', 'primary_color', 'secondary_color'),
    ...strings('ranks_generated_at'),
    titles: list(Type.String()),
    faction: named('PublicMembership', {
      ...strings('name', 'tag', 'joined_at'),
      ...opt(strings('role')),
    }),
    location: named('PublicWhereabouts', {
      ...strings('system_id', 'system_name'),
      ...opt(strings('docked_station_id', 'docked_station_name')),
    }),
  }),
  stats: named('PublicPlayerStats', {
    ...ints('credits_earned', 'ships_destroyed', 'ships_lost', 'pirates_destroyed'),
    ...ints('damage_dealt', 'ore_mined', 'items_crafted', 'trades_completed'),
    ...ints('exchange_credits_earned', 'missions_completed', 'systems_explored'),
    ...ints('jumps_completed', 'distance_traveled', 'wormholes_traversed'),
    ...ints('time_played', 'times_docked'),
  }),
  ranks: list(categoryRank),
  achievements: achievementSum,
})
export type PlayerBody = Static<typeof playerBody>

export const factionBody = named('PublicFaction', {
  ...strings('id', 'name', 'tag', 'created_at'),
  ...ints('member_count', 'ranks_top_n'),
  ...opt(strings('description', 'charter', 'primary_color', 'secondary_color', 'emblem')),
  ...opt(strings('leader', 'founder')),
  ...marks,
  members: list(
    named('PublicMember', {
      ...strings('username', 'joined_at', 'last_seen'),
      ...ints('role_priority'),
      ...opt(strings('role')),
    }),
  ),
  allies: list(named('PublicAlly', strings('name', 'tag'))),
  enemies: list(named('PublicEnemy', strings('name', 'tag'))),
  wars: list(
    named('PublicFactionWar', {
      ...strings('target_name', 'target_tag', 'started_at'),
      ...bools('aggressor'),
      ...ints('our_kills', 'their_kills'),
      ...opt(strings('reason')),
    }),
  ),
  stations: list(
    named('PublicFactionStation', {
      ...strings('id', 'name'),
      ...opt(strings('system_id', 'system_name')),
    }),
  ),
  ranks: list(categoryRank),
  achievements: achievementSum,
})
export type FactionBody = Static<typeof factionBody>

export const achievementsBody = named('PublicAchievements', {
  subject: named('PublicAchievementSubject', {
    ...strings('type', 'name'),
    ...opt(strings('empire', 'faction_tag')),
    ...marks,
  }),
  summary: achievementSum,
  achievements: list(
    named('PublicAchievement', {
      ...strings('id', 'name', 'description', 'category'),
      ...ints('points'),
      ...bools('hidden', 'earned'),
      ...numbers('rarity_pct'),
      ...opt(strings('earned_at', 'title', 'emblem')),
    }),
  ),
})
export type AchievementsBody = Static<typeof achievementsBody>

/* Catalogue */

const part = named('PublicRecipePart', {
  ...strings('item_id', 'item_name'),
  ...ints('quantity'),
})

const recipe = named('PublicRecipe', {
  ...strings('recipe_id', 'recipe_name', 'recipe_category'),
  ...ints('crafting_time'),
  inputs: list(part),
  outputs: list(part),
  ...opt({
    required_skills: mapOf(Type.Integer()),
    facilities: list(
      named('PublicRecipeFacility', {
        ...strings('id', 'name'),
        ...ints('level'),
        ...opt(numbers('recipe_multiplier')),
      }),
    ),
  }),
})

export const itemsBody = named('PublicItems', {
  items: mapOf(
    named('PublicItem', {
      ...strings('id', 'name', 'description', 'category'),
      ...ints('size', 'base_value'),
      ...bools('stackable', 'tradeable'),
      ...opt({
        ...strings('rarity'),
        produced_by: list(recipe),
        consumed_by: list(recipe),
        /** `type`, `cpu_usage`, `power_usage`, and figures as the catalogue has them. */
        module: mapOf(Type.Unknown()),
      }),
    }),
  ),
})
export type ItemsBody = Static<typeof itemsBody>

export const mobileBaseBody = named('PublicMobileBase', strings('system'))
