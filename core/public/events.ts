/** Data of the public feed's events, by type; each event is one message. Source: WEB 2. */
import { bools, ints, list, mapOf, named, opt, type Static, strings, Type } from '../params.ts'

/** The players named in an event, by username, so that readers can link to their profiles. */
export const playerInfo = mapOf(
  named('FeedPlayerInfo', { ...strings('empire'), ...opt(strings('faction_tag')) }),
)

const tally = (id: string, name: string, amount: string) =>
  list(named(id, { ...strings(name), ...ints(amount) }))

/** The data of each type that the topic `feed` carries. */
export const FEED_EVENTS = {
  connected: named('FeedConnected', ints('tick')),
  tick: named('FeedTick', ints('tick', 'online', 'battles')),
  /** Events before this one are lost: the reader has to load everything again. */
  reset: named('FeedReset', strings('reason')),
  player_joined: named('FeedJoined', strings('username', 'empire')),
  player_destroyed: named('FeedDestroyed', {
    ...strings('victim', 'system_name'),
    ...opt(strings('killer', 'cause')),
  }),
  pirate_destroyed: named('FeedPirate', {
    ...strings('killer', 'pirate_name', 'system_name'),
    ...ints('pirate_tier'),
    ...bools('is_boss'),
  }),
  combat: named('FeedCombat', {
    ...strings('attacker', 'defender'),
    ...opt(strings('winner')),
  }),
  faction_created: named('FeedFaction', strings('leader', 'faction_name', 'faction_tag')),
  faction_war: named('FeedWar', strings('aggressor', 'defender')),
  faction_peace: named('FeedPeace', strings('faction1_name', 'faction2_name')),
  base_constructed: named('FeedBaseBuilt', strings('builder', 'base_name', 'system_name')),
  base_destroyed: named('FeedBaseLost', { ...strings('base_name'), ...opt(strings('attacker')) }),
  exchange_fill: named('FeedFill', {
    ...strings('item_name', 'station_name', 'order_type', 'seller', 'buyer'),
    ...ints('quantity', 'price_each', 'total'),
  }),
  mining_summary: named('FeedMining', {
    ...ints('miner_count'),
    resources: tally('FeedMined', 'resource_name', 'quantity'),
  }),
  crafting_summary: named('FeedCrafting', {
    ...ints('crafter_count'),
    items: tally('FeedCrafted', 'item_name', 'count'),
  }),
  system_activity: named('FeedActivity', {
    ...strings('system_name'),
    ...ints('total'),
    players: list(Type.String()),
  }),
  jump: named('FeedJump', strings('player', 'to_system_name')),
  forum_post: named('FeedPost', { ...strings('author', 'title'), ...bools('is_dev_team') }),
  forum_reply: named('FeedReply', {
    ...strings('author', 'thread_title'),
    ...bools('is_dev_team'),
  }),
  server_announcement: named('FeedAnnouncement', strings('title', 'message')),
} as const

export type FeedType = keyof typeof FEED_EVENTS
export type FeedData = { readonly [T in FeedType]: Static<(typeof FEED_EVENTS)[T]> }

/** A message of the feed; its id is `<tick>.<n>`. */
export interface FeedMessage<T extends FeedType = FeedType> {
  readonly type: T
  readonly data: FeedData[T]
  readonly timestamp: string
  readonly tick: number
  readonly player_info?: Static<typeof playerInfo>
}
