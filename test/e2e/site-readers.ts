/**
 * The fields, with their types, that pages of the live game read of the present world, by address.
 * Source: WEB 1.2, 1.5, marked [site].
 */
import {
  bool,
  each,
  fields,
  integer,
  list,
  map,
  may,
  maybe,
  number,
  type Reader,
  some,
  text,
  time,
} from './reader.ts'

/* The world now */

const stats = fields({
  ...each(text, 'version'),
  ...each(integer, 'online_players total_players total_systems tick forum_threads forum_replies'),
})

const chart = fields({
  systems: some(
    fields({
      ...each(text, 'id name empire'),
      ...each(number, 'x y'),
      position: fields(each(number, 'x y')),
      police_level: integer,
      connections: list(text),
      ...may(text, 'empire_color'),
      ...may(bool, 'is_home is_stronghold'),
    }),
  ),
  empires: map(text),
})

const activity = fields({
  current_tick: integer,
  online: map(integer),
  battles: map(text),
  strongholds: map(bool),
  transits: list(
    fields({
      ...each(text, 'from_system to_system'),
      ...each(integer, 'start_tick arrival_tick count'),
    }),
  ),
})

const system = fields({
  ...each(text, 'id name description security_status'),
  ...may(text, 'empire'),
  ...each(integer, 'police_level pirates empire_npcs'),
  is_stronghold: bool,
  connections: list(text),
  pois: some(
    fields({
      ...each(text, 'id name type'),
      ...may(text, 'class base_id station_name station_empire station_faction_name'),
      ...may(text, 'station_faction_tag station_faction_color station_condition'),
      ...each(number, 'x y'),
      has_base: bool,
      online: integer,
      players: maybe(
        list(
          fields({
            username: text,
            ...may(text, 'clan_tag status primary_color secondary_color'),
          }),
        ),
      ),
      station_services: maybe(list(text)),
    }),
  ),
})

const stationHead = {
  ...each(text, 'id type name description empire empire_name system_id system_name'),
  ...each(text, 'condition condition_text'),
  ...may(text, 'faction_id faction_name faction_tag faction_color'),
  services: list(text),
  ...each(integer, 'satisfaction_pct weapon_dps'),
  wrecked: bool,
}
const stations = fields({
  stations: some(fields({ ...stationHead, facility_count: integer })),
  empires: list(fields(each(text, 'id name color'))),
})
const station = fields({
  ...stationHead,
  ...each(integer, 'hull max_hull shield max_shield armor weapon_reach'),
  public_access: bool,
  facilities: list(
    fields({
      ...each(text, 'id name description active_description category service_type empire lore'),
      level: integer,
      ...each(bool, 'unique maintenance_satisfied active'),
    }),
  ),
})

const quote = {
  ...each(text, 'item_id item_name category'),
  ...each(integer, 'base_value best_bid best_ask bid_quantity ask_quantity spread'),
  spread_pct: number,
  ...may(integer, 'bid_quantity_at_best ask_quantity_at_best bid_quantity_reasonable'),
  ...may(integer, 'ask_quantity_reasonable bid_quantity_station_mgr ask_quantity_station_mgr'),
}
const market = fields({
  items: some(fields({ ...quote, empire: text })),
  categories: some(text),
  empires: some(fields(each(text, 'id name'))),
})
const stationMarket = fields({
  ...each(text, 'base_id base_name empire empire_name'),
  items: some(fields(quote)),
  categories: some(text),
})
const levels = list(fields(each(integer, 'price quantity cumulative')))
const depth = fields({
  ...each(text, 'base_id base_name item_id item_name'),
  bids: levels,
  asks: levels,
})
const moves = list(
  fields({
    ...each(text, 'item_id item_name category'),
    ...may(integer, 'recent_units'),
    ...each(number, 'recent_volume surge_ratio recent_vwap previous_vwap price_change_pct'),
  }),
)
const movers = fields({
  generated_at: time,
  ...each(integer, 'recent_hours baseline_hours'),
  ...each(moves, 'volume_surges new_demand price_gainers price_losers'),
  arbitrage: list(
    fields({
      ...each(text, 'item_id item_name category buy_empire buy_empire_name sell_empire'),
      ...each(text, 'sell_empire_name'),
      ...may(text, 'buy_base buy_base_name sell_base sell_base_name'),
      ...each(number, 'buy_price sell_price margin margin_pct depth'),
    }),
  ),
})

const ranked = fields({
  ...each(integer, 'rank value'),
  ...each(text, 'username empire'),
  npc: maybe(bool),
})
const leaderboard = fields({
  generated_at: time,
  players: map(list(ranked)),
  factions: map(list(fields({ ...each(integer, 'rank value'), ...each(text, 'name tag') }))),
  exchange: map(list(ranked)),
})
const achievers = list(
  fields({ name: text, ...may(text, 'empire tag'), ...each(integer, 'earned points') }),
)
const achievementRanks = fields({ generated_at: time, players: achievers, factions: achievers })
const achieved = fields(each(integer, 'earned total points'))
const ranks = list(fields({ ...each(text, 'category label'), ...each(integer, 'rank value') }))

const player = fields({
  ...each(text, 'username empire'),
  ...may(text, 'empire_name clan_tag status_message primary_color secondary_color'),
  created_at: time,
  online: bool,
  titles: maybe(list(text)),
  faction: maybe(fields({ ...each(text, 'name tag'), ...may(text, 'role'), joined_at: time })),
  location: maybe(
    fields({
      ...each(text, 'system_id system_name'),
      ...may(text, 'docked_station_id docked_station_name'),
    }),
  ),
  stats: fields({
    ...each(integer, 'credits_earned ships_destroyed ships_lost pirates_destroyed damage_dealt'),
    ...each(integer, 'ore_mined items_crafted trades_completed exchange_credits_earned'),
    ...each(integer, 'missions_completed systems_explored jumps_completed distance_traveled'),
    ...each(integer, 'wormholes_traversed time_played times_docked'),
  }),
  ranks,
  ranks_top_n: integer,
  ranks_generated_at: maybe(time),
  achievements: achieved,
})

const faction = fields({
  ...each(text, 'id name tag'),
  ...may(text, 'description charter primary_color secondary_color emblem leader founder'),
  created_at: time,
  member_count: integer,
  members: some(
    fields({
      ...each(text, 'username'),
      ...may(text, 'role'),
      role_priority: integer,
      ...each(time, 'joined_at last_seen'),
    }),
  ),
  ...each(list(fields(each(text, 'name tag'))), 'allies enemies'),
  wars: list(
    fields({
      ...each(text, 'target_name target_tag'),
      aggressor: bool,
      started_at: time,
      reason: maybe(text),
      ...each(integer, 'our_kills their_kills'),
    }),
  ),
  stations: list(fields({ ...each(text, 'id name'), ...may(text, 'system_id system_name') })),
  ...may(list(text), 'titles emblems'),
  ranks,
  ranks_top_n: integer,
  achievements: achieved,
})

const achievements = fields({
  subject: fields({
    ...each(text, 'type name'),
    ...may(text, 'empire faction_tag'),
    ...may(list(text), 'titles emblems'),
  }),
  summary: achieved,
  achievements: some(
    fields({
      ...each(text, 'id name description category'),
      points: integer,
      ...each(bool, 'hidden earned'),
      earned_at: maybe(time),
      rarity_pct: number,
      ...may(text, 'title emblem'),
    }),
  ),
})

const parts = list(fields({ ...each(text, 'item_id item_name'), quantity: integer }))
const recipes = list(
  fields({
    ...each(text, 'recipe_id recipe_name recipe_category'),
    crafting_time: integer,
    required_skills: maybe(map(integer)),
    ...each(parts, 'inputs outputs'),
    facilities: maybe(
      list(fields({ ...each(text, 'id name'), level: integer, recipe_multiplier: maybe(number) })),
    ),
  }),
)
const items = fields({
  items: map(
    fields({
      ...each(text, 'id name description category'),
      ...each(integer, 'size base_value'),
      rarity: maybe(text),
      ...each(bool, 'stackable tradeable'),
      ...may(recipes, 'produced_by consumed_by'),
      module: maybe(fields({ type: text, ...each(integer, 'cpu_usage power_usage') })),
    }),
  ),
})

/** Readers by address; the test fills in `{name}`. */
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
  '/wheres-mobile-base': fields({ system: text }),
}
