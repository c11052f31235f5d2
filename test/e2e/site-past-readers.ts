/**
 * The fields, with their types, that pages of the live game read of the past and of the feed.
 * Source: WEB 1.3 and 2, marked [site].
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
  typed,
} from './reader.ts'

/* The past */

const battle = fields({
  ...each(text, 'battle_id system_id system_name status category'),
  ...may(text, 'origin_poi outcome'),
  ...each(integer, 'start_tick duration_ticks participant_count total_damage ships_destroyed'),
  sides: some(
    fields({
      side_id: integer,
      ...may(text, 'faction_id faction_tag'),
      participants: maybe(list(text)),
    }),
  ),
  ...may(list(text), 'destroyed_names player_names'),
  top_damage: maybe(fields({ username: text, damage: integer })),
  winning_side: maybe(integer),
  ended_at: maybe(time),
})

const battleLog = fields({
  ...each(text, 'battle_id status'),
  total_ticks: integer,
  has_more: bool,
  entries: some(
    fields({
      ...each(text, 'battle_id system_id'),
      tick: integer,
      attacks: maybe(
        some(
          fields({
            ...each(text, 'attacker_id target_id damage_type'),
            hit_success: bool,
            ...each(integer, 'final_damage shield_damage hull_damage'),
          }),
        ),
      ),
      kills: maybe(some(fields(each(text, 'killer_id victim_id cause')))),
      snapshots: list(
        fields({
          ...each(text, 'player_id username stance zone'),
          ...each(integer, 'side_id hull max_hull shield max_shield'),
          ...each(number, 'x y'),
        }),
      ),
    }),
  ),
})

const thread = {
  ...each(text, 'id title author category'),
  ...may(text, 'author_empire author_faction_tag'),
  created_at: time,
  ...each(integer, 'reply_count upvotes'),
  pinned: bool,
  is_dev_team: maybe(bool),
}

/** Readers by address; the test fills in `{name}`. */
export const PAST_READERS: Readonly<Record<string, Reader>> = {
  '/api/battles': fields({ battles: some(battle), total: integer, has_more: bool }),
  '/api/battle/summary?battle_id={battle}': battle,
  '/api/battle/log?battle_id={battle}': battleLog,
  '/api/market/vwap-history/{item}?days=0': fields({
    ...each(text, 'item_id item_name'),
    history: some(
      fields({
        date: typed('day', (value) => /^\d{4}-\d\d-\d\d$/.test(String(value))),
        vwap: number,
        ...each(integer, 'volume notional fill_count'),
      }),
    ),
  }),
  '/api/market/fills?hours=168': fields({
    fills: some(
      fields({
        ...each(text, 'id item_id item_name station_id station_name buyer_name seller_name'),
        ...each(text, 'order_type'),
        timestamp: time,
        ...each(integer, 'quantity price_each total'),
        is_npc: bool,
      }),
    ),
  }),
  '/api/market/fills/top?hours=168': fields({
    items: some(
      fields({
        ...each(text, 'item_id item_name'),
        ...each(integer, 'trade_count volume'),
        vwap: number,
      }),
    ),
  }),
  '/api/market/fills/stats?hours=168': fields({
    ...each(integer, 'total_count total_volume npc_fill_count npc_fill_volume'),
    ...each(integer, 'player_fill_count player_fill_volume'),
  }),
  '/api/forum': fields({ threads: some(fields(thread)), ...each(integer, 'total_pages total') }),
  '/api/forum/thread/{thread}': fields({
    thread: fields({
      ...thread,
      content: text,
      replies: some(
        fields({
          ...each(text, 'author content'),
          ...may(text, 'author_empire author_faction_tag'),
          created_at: time,
          is_dev_team: bool,
          upvotes: integer,
        }),
      ),
    }),
  }),
  '/api/changelog': fields({
    current_version: text,
    ...each(integer, 'page per_page total total_pages'),
    releases: some(fields({ ...each(text, 'version release_date'), notes: some(text) })),
  }),
}

/* The feed */

const tallied = (name: string, amount: string) => some(fields({ [name]: text, [amount]: integer }))

const EVENT_DATA: Readonly<Record<string, Reader>> = {
  connected: fields({ tick: integer }),
  tick: fields({ tick: integer }),
  player_joined: fields(each(text, 'username empire')),
  player_destroyed: fields({ ...each(text, 'victim system_name'), ...may(text, 'killer cause') }),
  pirate_destroyed: fields({
    ...each(text, 'killer pirate_name system_name'),
    pirate_tier: integer,
    is_boss: bool,
  }),
  combat: fields({ ...each(text, 'attacker defender'), winner: maybe(text) }),
  faction_created: fields(each(text, 'leader faction_name faction_tag')),
  faction_war: fields(each(text, 'aggressor defender')),
  faction_peace: fields(each(text, 'faction1_name faction2_name')),
  base_constructed: fields(each(text, 'builder base_name system_name')),
  base_destroyed: fields({ base_name: text, attacker: maybe(text) }),
  exchange_fill: fields({
    ...each(text, 'item_name station_name order_type seller buyer'),
    ...each(integer, 'quantity price_each total'),
  }),
  mining_summary: fields({ miner_count: integer, resources: tallied('resource_name', 'quantity') }),
  crafting_summary: fields({ crafter_count: integer, items: tallied('item_name', 'count') }),
  system_activity: fields({ players: list(text), total: integer, system_name: text }),
  jump: fields(each(text, 'player to_system_name')),
  forum_post: fields({ ...each(text, 'author title'), is_dev_team: bool }),
  forum_reply: fields({ ...each(text, 'author thread_title'), is_dev_team: bool }),
  server_announcement: fields(each(text, 'title message')),
}

const eventHead = fields({
  ...each(text, 'type'),
  timestamp: time,
  player_info: maybe(map(fields({ empire: text, faction_tag: maybe(text) }))),
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
