/**
 * What pages of the live game read of the past and of the feed: the fields that they name, and of
 * what type. Source: WEB 1.3 and 2, marked [site].
 */
import {
  b,
  each,
  fields,
  i,
  list,
  map,
  may,
  maybe,
  n,
  type Reader,
  s,
  some,
  t,
  typed,
} from './reader.ts'

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
export const PAST_READERS: Readonly<Record<string, Reader>> = {
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
