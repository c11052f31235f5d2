/**
 * What pages of the live game read of a server, as reader functions by address: the fields that
 * they name, and of what type. They say what they miss.
 * Source: WEB 1.2, 1.3, 1.5 and 2, marked [site].
 */

/** Lists what a page would miss in a value. */
type Reader = (value: unknown, at: string) => string[]

const typed =
  (what: string, is: (value: unknown) => boolean): Reader =>
  (value, at) =>
    is(value) ? [] : [`${at} is no ${what}: ${JSON.stringify(value)?.slice(0, 60)}`]

const s = typed('text', (value) => typeof value === 'string')
const n = typed('number', (value) => typeof value === 'number' && Number.isFinite(value))
const i = typed('whole number', (value) => Number.isSafeInteger(value))
const b = typed('boolean', (value) => typeof value === 'boolean')
const t = typed(
  'time',
  (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value),
)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What may be missing. */
const maybe =
  (reader: Reader): Reader =>
  (value, at) =>
    value === undefined ? [] : reader(value, at)

const list =
  (reader: Reader): Reader =>
  (value, at) =>
    Array.isArray(value)
      ? value.flatMap((entry, index) => reader(entry, `${at}[${index}]`))
      : [`${at} is no list`]

/** A list that this test has filled. */
const some =
  (reader: Reader): Reader =>
  (value, at) =>
    Array.isArray(value) && value.length === 0 ? [`${at} is empty`] : list(reader)(value, at)

const map =
  (reader: Reader): Reader =>
  (value, at) =>
    isRecord(value)
      ? Object.entries(value).flatMap(([key, entry]) => reader(entry, `${at}.${key}`))
      : [`${at} is no object`]

const fields =
  (readers: Readonly<Record<string, Reader>>): Reader =>
  (value, at) =>
    isRecord(value)
      ? Object.entries(readers).flatMap(([name, reader]) => reader(value[name], `${at}.${name}`))
      : [`${at} is no object`]

const each = <R extends Reader>(reader: R, names: string): Record<string, R> =>
  Object.fromEntries(names.split(' ').map((name) => [name, reader]))
const may = (reader: Reader, names: string): Record<string, Reader> => each(maybe(reader), names)

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

/* The past */

const battle = fields({
  ...each(s, 'battle_id system_id system_name status category'),
  ...may(s, 'origin_poi outcome'),
  ...each(i, 'start_tick duration_ticks participant_count total_damage ships_destroyed'),
  sides: some(
    fields({ side_id: i, ...may(s, 'faction_id faction_tag'), participants: maybe(list(s)) }),
  ),
  ...may(list(s), 'destroyed_names player_names'),
  top_damage: maybe(fields({ username: s, damage: i })),
  winning_side: maybe(i),
  ended_at: maybe(t),
})

const battleLog = fields({
  ...each(s, 'battle_id status'),
  total_ticks: i,
  has_more: b,
  entries: some(
    fields({
      ...each(s, 'battle_id system_id'),
      tick: i,
      attacks: maybe(
        some(
          fields({
            ...each(s, 'attacker_id target_id damage_type'),
            hit_success: b,
            ...each(i, 'final_damage shield_damage hull_damage'),
          }),
        ),
      ),
      kills: maybe(some(fields(each(s, 'killer_id victim_id cause')))),
      snapshots: list(
        fields({
          ...each(s, 'player_id username stance zone'),
          ...each(i, 'side_id hull max_hull shield max_shield'),
          ...each(n, 'x y'),
        }),
      ),
    }),
  ),
})

const thread = {
  ...each(s, 'id title author category'),
  ...may(s, 'author_empire author_faction_tag'),
  created_at: t,
  ...each(i, 'reply_count upvotes'),
  pinned: b,
  is_dev_team: maybe(b),
}

/** By address; `{name}` stands for what the test fills in. */
export const SITE_READERS: Readonly<Record<string, Reader>> = {
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
  '/api/battles': fields({ battles: some(battle), total: i, has_more: b }),
  '/api/battle/summary?battle_id={battle}': battle,
  '/api/battle/log?battle_id={battle}': battleLog,
  '/api/market/vwap-history/{item}?days=0': fields({
    ...each(s, 'item_id item_name'),
    history: some(
      fields({
        date: typed('day', (value) => /^\d{4}-\d\d-\d\d$/.test(String(value))),
        vwap: n,
        ...each(i, 'volume notional fill_count'),
      }),
    ),
  }),
  '/api/market/fills?hours=168': fields({
    fills: some(
      fields({
        ...each(s, 'id item_id item_name station_id station_name buyer_name seller_name'),
        ...each(s, 'order_type'),
        timestamp: t,
        ...each(i, 'quantity price_each total'),
        is_npc: b,
      }),
    ),
  }),
  '/api/market/fills/top?hours=168': fields({
    items: some(
      fields({ ...each(s, 'item_id item_name'), ...each(i, 'trade_count volume'), vwap: n }),
    ),
  }),
  '/api/market/fills/stats?hours=168': fields({
    ...each(i, 'total_count total_volume npc_fill_count npc_fill_volume'),
    ...each(i, 'player_fill_count player_fill_volume'),
  }),
  '/api/forum': fields({ threads: some(fields(thread)), ...each(i, 'total_pages total') }),
  '/api/forum/thread/{thread}': fields({
    thread: fields({
      ...thread,
      content: s,
      replies: some(
        fields({
          ...each(s, 'author content'),
          ...may(s, 'author_empire author_faction_tag'),
          created_at: t,
          is_dev_team: b,
          upvotes: i,
        }),
      ),
    }),
  }),
  '/api/changelog': fields({
    current_version: s,
    ...each(i, 'page per_page total total_pages'),
    releases: some(fields({ ...each(s, 'version release_date'), notes: some(s) })),
  }),
}

/* The feed */

const tallied = (name: string, amount: string) => some(fields({ [name]: s, [amount]: i }))

const EVENT_DATA: Readonly<Record<string, Reader>> = {
  connected: fields({ tick: i }),
  tick: fields({ tick: i }),
  player_joined: fields(each(s, 'username empire')),
  player_destroyed: fields({ ...each(s, 'victim system_name'), ...may(s, 'killer cause') }),
  pirate_destroyed: fields({
    ...each(s, 'killer pirate_name system_name'),
    pirate_tier: i,
    is_boss: b,
  }),
  combat: fields({ ...each(s, 'attacker defender'), winner: maybe(s) }),
  faction_created: fields(each(s, 'leader faction_name faction_tag')),
  faction_war: fields(each(s, 'aggressor defender')),
  faction_peace: fields(each(s, 'faction1_name faction2_name')),
  base_constructed: fields(each(s, 'builder base_name system_name')),
  base_destroyed: fields({ base_name: s, attacker: maybe(s) }),
  exchange_fill: fields({
    ...each(s, 'item_name station_name order_type seller buyer'),
    ...each(i, 'quantity price_each total'),
  }),
  mining_summary: fields({ miner_count: i, resources: tallied('resource_name', 'quantity') }),
  crafting_summary: fields({ crafter_count: i, items: tallied('item_name', 'count') }),
  system_activity: fields({ players: list(s), total: i, system_name: s }),
  jump: fields(each(s, 'player to_system_name')),
  forum_post: fields({ ...each(s, 'author title'), is_dev_team: b }),
  forum_reply: fields({ ...each(s, 'author thread_title'), is_dev_team: b }),
  server_announcement: fields(each(s, 'title message')),
}

const eventHead = fields({
  ...each(s, 'type'),
  timestamp: t,
  player_info: maybe(map(fields({ empire: s, faction_tag: maybe(s) }))),
})

/** Lists what a page would miss in a message of the feed. */
export function missedInEvent(message: {
  readonly type: string
  readonly data: unknown
}): string[] {
  const read = EVENT_DATA[message.type]
  if (!read) return [`${message.type} is no type that pages know`]
  return [...eventHead(message, message.type), ...read(message.data, message.type)]
}
