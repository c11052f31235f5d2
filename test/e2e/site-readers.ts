/**
 * What pages of the live game read of the world as it is, by address: the fields that they name,
 * and of what type. Source: WEB 1.2, 1.5, marked [site].
 */
import { b, each, fields, i, list, map, may, maybe, n, type Reader, s, some, t } from './reader.ts'

/* The world now */

const stats = fields({
  ...each(s, 'version'),
  ...each(i, 'online_players total_players total_systems tick forum_threads forum_replies'),
})

const chart = fields({
  systems: some(
    fields({
      ...each(s, 'id name empire'),
      ...each(n, 'x y'),
      position: fields(each(n, 'x y')),
      police_level: i,
      connections: list(s),
      ...may(s, 'empire_color'),
      ...may(b, 'is_home is_stronghold'),
    }),
  ),
  empires: map(s),
})

const activity = fields({
  current_tick: i,
  online: map(i),
  battles: map(s),
  strongholds: map(b),
  transits: list(
    fields({ ...each(s, 'from_system to_system'), ...each(i, 'start_tick arrival_tick count') }),
  ),
})

const system = fields({
  ...each(s, 'id name description security_status'),
  ...may(s, 'empire'),
  ...each(i, 'police_level pirates empire_npcs'),
  is_stronghold: b,
  connections: list(s),
  pois: some(
    fields({
      ...each(s, 'id name type'),
      ...may(s, 'class base_id station_name station_empire station_faction_name'),
      ...may(s, 'station_faction_tag station_faction_color station_condition'),
      ...each(n, 'x y'),
      has_base: b,
      online: i,
      players: maybe(
        list(fields({ username: s, ...may(s, 'clan_tag status primary_color secondary_color') })),
      ),
      station_services: maybe(list(s)),
    }),
  ),
})

const stationHead = {
  ...each(s, 'id type name description empire empire_name system_id system_name'),
  ...each(s, 'condition condition_text'),
  ...may(s, 'faction_id faction_name faction_tag faction_color'),
  services: list(s),
  ...each(i, 'satisfaction_pct weapon_dps'),
  wrecked: b,
}
const stations = fields({
  stations: some(fields({ ...stationHead, facility_count: i })),
  empires: list(fields(each(s, 'id name color'))),
})
const station = fields({
  ...stationHead,
  ...each(i, 'hull max_hull shield max_shield armor weapon_reach'),
  public_access: b,
  facilities: list(
    fields({
      ...each(s, 'id name description active_description category service_type empire lore'),
      level: i,
      ...each(b, 'unique maintenance_satisfied active'),
    }),
  ),
})

const quote = {
  ...each(s, 'item_id item_name category'),
  ...each(i, 'base_value best_bid best_ask bid_quantity ask_quantity spread'),
  spread_pct: n,
  ...may(i, 'bid_quantity_at_best ask_quantity_at_best bid_quantity_reasonable'),
  ...may(i, 'ask_quantity_reasonable bid_quantity_station_mgr ask_quantity_station_mgr'),
}
const market = fields({
  items: some(fields({ ...quote, empire: s })),
  categories: some(s),
  empires: some(fields(each(s, 'id name'))),
})
const stationMarket = fields({
  ...each(s, 'base_id base_name empire empire_name'),
  items: some(fields(quote)),
  categories: some(s),
})
const levels = list(fields(each(i, 'price quantity cumulative')))
const depth = fields({
  ...each(s, 'base_id base_name item_id item_name'),
  bids: levels,
  asks: levels,
})
const moves = list(
  fields({
    ...each(s, 'item_id item_name category'),
    ...may(i, 'recent_units'),
    ...each(n, 'recent_volume surge_ratio recent_vwap previous_vwap price_change_pct'),
  }),
)
const movers = fields({
  generated_at: t,
  ...each(i, 'recent_hours baseline_hours'),
  ...each(moves, 'volume_surges new_demand price_gainers price_losers'),
  arbitrage: list(
    fields({
      ...each(s, 'item_id item_name category buy_empire buy_empire_name sell_empire'),
      ...each(s, 'sell_empire_name'),
      ...may(s, 'buy_base buy_base_name sell_base sell_base_name'),
      ...each(n, 'buy_price sell_price margin margin_pct depth'),
    }),
  ),
})

const ranked = fields({ ...each(i, 'rank value'), ...each(s, 'username empire'), npc: maybe(b) })
const leaderboard = fields({
  generated_at: t,
  players: map(list(ranked)),
  factions: map(list(fields({ ...each(i, 'rank value'), ...each(s, 'name tag') }))),
  exchange: map(list(ranked)),
})
const achievers = list(fields({ name: s, ...may(s, 'empire tag'), ...each(i, 'earned points') }))
const achievementRanks = fields({ generated_at: t, players: achievers, factions: achievers })
const achieved = fields(each(i, 'earned total points'))
const ranks = list(fields({ ...each(s, 'category label'), ...each(i, 'rank value') }))

const player = fields({
  ...each(s, 'username empire'),
  ...may(s, 'empire_name clan_tag status_message primary_color secondary_color'),
  created_at: t,
  online: b,
  titles: maybe(list(s)),
  faction: maybe(fields({ ...each(s, 'name tag'), ...may(s, 'role'), joined_at: t })),
  location: maybe(
    fields({
      ...each(s, 'system_id system_name'),
      ...may(s, 'docked_station_id docked_station_name'),
    }),
  ),
  stats: fields({
    ...each(i, 'credits_earned ships_destroyed ships_lost pirates_destroyed damage_dealt'),
    ...each(i, 'ore_mined items_crafted trades_completed exchange_credits_earned'),
    ...each(i, 'missions_completed systems_explored jumps_completed distance_traveled'),
    ...each(i, 'wormholes_traversed time_played times_docked'),
  }),
  ranks,
  ranks_top_n: i,
  ranks_generated_at: maybe(t),
  achievements: achieved,
})

const faction = fields({
  ...each(s, 'id name tag'),
  ...may(s, 'description charter primary_color secondary_color emblem leader founder'),
  created_at: t,
  member_count: i,
  members: some(
    fields({
      ...each(s, 'username'),
      ...may(s, 'role'),
      role_priority: i,
      ...each(t, 'joined_at last_seen'),
    }),
  ),
  ...each(list(fields(each(s, 'name tag'))), 'allies enemies'),
  wars: list(
    fields({
      ...each(s, 'target_name target_tag'),
      aggressor: b,
      started_at: t,
      reason: maybe(s),
      ...each(i, 'our_kills their_kills'),
    }),
  ),
  stations: list(fields({ ...each(s, 'id name'), ...may(s, 'system_id system_name') })),
  ...may(list(s), 'titles emblems'),
  ranks,
  ranks_top_n: i,
  achievements: achieved,
})

const achievements = fields({
  subject: fields({
    ...each(s, 'type name'),
    ...may(s, 'empire faction_tag'),
    ...may(list(s), 'titles emblems'),
  }),
  summary: achieved,
  achievements: some(
    fields({
      ...each(s, 'id name description category'),
      points: i,
      ...each(b, 'hidden earned'),
      earned_at: maybe(t),
      rarity_pct: n,
      ...may(s, 'title emblem'),
    }),
  ),
})

const parts = list(fields({ ...each(s, 'item_id item_name'), quantity: i }))
const recipes = list(
  fields({
    ...each(s, 'recipe_id recipe_name recipe_category'),
    crafting_time: i,
    required_skills: maybe(map(i)),
    ...each(parts, 'inputs outputs'),
    facilities: maybe(
      list(fields({ ...each(s, 'id name'), level: i, recipe_multiplier: maybe(n) })),
    ),
  }),
)
const items = fields({
  items: map(
    fields({
      ...each(s, 'id name description category'),
      ...each(i, 'size base_value'),
      rarity: maybe(s),
      ...each(b, 'stackable tradeable'),
      ...may(recipes, 'produced_by consumed_by'),
      module: maybe(fields({ type: s, ...each(i, 'cpu_usage power_usage') })),
    }),
  ),
})

/** By address; `{name}` stands for what the test fills in. */
export const WORLD_READERS: Readonly<Record<string, Reader>> = {
  '/api/stats': stats,
  '/api/map': chart,
  '/api/map/activity': activity,
  '/api/map/system/{system}': system,
  '/api/stations': stations,
  '/api/stations/{station}': station,
  '/api/market': market,
  '/api/market/station/{station}': stationMarket,
  '/api/market/depth/{station}/{item}': depth,
  '/api/market/movers': movers,
  '/api/leaderboard': leaderboard,
  '/api/leaderboard/achievements': achievementRanks,
  '/api/players/{player}': player,
  '/api/players/{player}/achievements': achievements,
  '/api/factions/{faction}': faction,
  '/api/factions/{faction}/achievements': achievements,
  '/api/items': items,
  '/wheres-mobile-base': fields({ system: s }),
}
