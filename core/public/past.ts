/**
 * What a stranger may read about the past, up to the public tick: bodies made from the archive.
 * Source: WEB 1.3.
 */
import {
  anyObject,
  bools,
  ints,
  list,
  named,
  numbers,
  opt,
  type Static,
  strings,
  Type,
} from '../params.ts'
import { logRowSchema } from './battle-log.ts'
import { activityBody, territoryBody } from './world.ts'

/* Battles */

const battleSide = named('PublicBattleSide', {
  ...ints('side_id'),
  ...opt({ ...strings('faction_id', 'faction_tag'), participants: list(Type.String()) }),
})

/** While the battle is fought, `outcome`, `winning_side` and `ended_at` are absent. */
export const battleSummary = named('PublicBattleSummary', {
  ...strings('battle_id', 'system_id', 'system_name', 'status', 'category'),
  ...ints('start_tick', 'duration_ticks', 'participant_count', 'total_damage'),
  ...ints('ships_destroyed', 'ships_captured'),
  sides: list(battleSide),
  captures: list(
    named('PublicCapture', {
      ...ints('tick'),
      ...opt(strings('ship_class', 'from', 'to')),
    }),
  ),
  ...opt({
    ...strings('origin_poi', 'outcome', 'ended_at'),
    ...ints('winning_side'),
    destroyed_names: list(Type.String()),
    player_names: list(Type.String()),
    top_damage: named('PublicTopDamage', { ...strings('username'), ...ints('damage') }),
  }),
})
export type BattleSummary = Static<typeof battleSummary>

export const battlesBody = named('PublicBattles', {
  battles: list(battleSummary),
  ...ints('total'),
  ...bools('has_more'),
})
export type BattlesBody = Static<typeof battlesBody>

export const battleLogBody = named('PublicBattleLog', {
  ...strings('battle_id', 'status'),
  ...ints('total_ticks'),
  ...bools('has_more'),
  /** One entry per tick, as in `get_battle_log`. */
  entries: list(logRowSchema),
})
export type BattleLogBody = Static<typeof battleLogBody>

/* Market */

export const vwapHistoryBody = named('PublicVwapHistory', {
  ...strings('item_id', 'item_name'),
  /** `volume` in units, `notional` in credits, `date` as YYYY-MM-DD. */
  history: list(
    named('PublicPriceDay', {
      ...strings('date'),
      ...numbers('vwap'),
      ...ints('volume', 'notional', 'fill_count'),
    }),
  ),
})
export type VwapHistoryBody = Static<typeof vwapHistoryBody>

/** Players are not named here: a name is that of the station, or "". */
const fillRow = named('PublicFill', {
  ...strings('id', 'timestamp', 'item_id', 'item_name', 'station_id', 'station_name'),
  ...strings('buyer_name', 'seller_name', 'order_type'),
  ...ints('quantity', 'price_each', 'total'),
  ...bools('is_npc'),
})
export const fillsBody = named('PublicFills', { fills: list(fillRow) })
export type FillsBody = Static<typeof fillsBody>

export const topFillsBody = named('PublicTopFills', {
  items: list(
    named('PublicTopFill', {
      ...strings('item_id', 'item_name'),
      ...ints('trade_count', 'volume'),
      ...numbers('vwap'),
    }),
  ),
})
export type TopFillsBody = Static<typeof topFillsBody>

export const fillStatsBody = named('PublicFillStats', {
  ...ints('total_count', 'total_volume', 'npc_fill_count', 'npc_fill_volume'),
  ...ints('player_fill_count', 'player_fill_volume'),
})
export type FillStatsBody = Static<typeof fillStatsBody>

/* Forum and changes */

const threadHead = {
  ...strings('id', 'title', 'author', 'category', 'created_at'),
  ...ints('reply_count', 'upvotes'),
  ...bools('pinned'),
  ...opt({ ...strings('author_empire', 'author_faction_tag'), ...bools('is_dev_team') }),
}

/** Pages count from 0. */
export const forumBody = named('PublicForum', {
  threads: list(named('PublicThreadHead', threadHead)),
  ...ints('total_pages', 'total'),
})
export type ForumBody = Static<typeof forumBody>

export const threadBody = named('PublicThread', {
  thread: named('PublicThreadWhole', {
    ...threadHead,
    ...strings('content'),
    replies: list(
      named('PublicReply', {
        ...strings('author', 'content', 'created_at'),
        ...bools('is_dev_team'),
        ...ints('upvotes'),
        ...opt(strings('author_empire', 'author_faction_tag')),
      }),
    ),
  }),
})
export type ThreadBody = Static<typeof threadBody>

/** Pages count from 1. */
export const changelogBody = named('PublicChangelog', {
  ...strings('current_version'),
  ...ints('page', 'per_page', 'total', 'total_pages'),
  releases: list(
    named('PublicRelease', {
      ...strings('version', 'release_date'),
      notes: list(Type.String()),
    }),
  ),
})
export type ChangelogBody = Static<typeof changelogBody>

/* History */

/** At most 720 points: the timeline that the page lets readers scrub through. */
export const historyBody = named('PublicHistory', {
  ticks: list(
    named('PublicMoment', {
      ...ints('tick', 'online', 'battles', 'fills', 'kills'),
      ...strings('at'),
    }),
  ),
})
export type HistoryBody = Static<typeof historyBody>

/** What strangers were shown at a tick, or last before it: `tick` is the one of the frame. */
export const momentBody = named('PublicPastFrame', {
  ...ints('tick'),
  ...strings('at'),
  activity: activityBody,
  territory: territoryBody,
  battles: list(battleSummary),
})
export type MomentBody = Static<typeof momentBody>

/**
 * Consecutive frames, up to the next that is kept whole. `changes` turn the frame before into that
 * of the tick (difference.ts): members of objects that are new or different, null for those that
 * are gone; lists as runs: [first, count] of the rows before, [index, 1, changes] for one that
 * changed, [row] for a new one.
 */
export const stepsBody = named('PublicPastSteps', {
  steps: list(
    named('PublicPastStep', {
      ...ints('tick'),
      ...opt({ frame: momentBody, changes: anyObject() }),
    }),
  ),
  /** True if no further step can be added. */
  ...bools('complete'),
})
export type StepsBody = Static<typeof stepsBody>
