/**
 * The forum: its categories, ids and days, and the limits on writes per player and per tick.
 * Threads and replies are archive text, found and counted in SQL. Source: social.md section 2.
 */
import { EMPIRES } from '../../core/catalog/index.ts'
import { type Failure, fail, waitRefusal } from '../../core/errors.ts'
import {
  FORUM_REPLIES_PER_HOUR,
  FORUM_THREADS_PER_HOUR,
  FORUM_VOTES_PER_HOUR,
  FORUM_WRITES_PER_TICK_MAX,
} from '../../core/limits.ts'
import { divCeil } from '../../core/math.ts'
import { playerNumber } from '../../core/pending.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { playerId, usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { parseTime } from '../chat/time-model.ts'
import { factionOf, factionTag } from '../faction/model.ts'
import { FORUM_USE, type ForumKind, WRITES } from './state.ts'

const HOUR_MS = 3_600_000

/** Categories and what they are for. Source: social.md section 2; texts ours. */
export const CATEGORIES: Readonly<Record<string, string>> = {
  general: 'Anything that fits no other category.',
  strategies: 'Ways to fly, fight and earn, and how they turned out.',
  bugs: 'What does not work as it should.',
  features: 'Ideas for what is missing.',
  trading: 'Prices, routes, and who wants what.',
  factions: 'Recruiting, treaties and quarrels.',
  'help-wanted': 'Work for others, and others for work.',
  'custom-tools': 'Clients, bots and spreadsheets.',
  lore: 'The worlds and those who live there.',
  creative: 'Stories, songs and drawings.',
}
const DEFAULT_CATEGORY = 'general'

/** Returns the category of a name, general for unknown ones. Source: social.md section 2. */
export function categoryOf(text: string): string {
  const name = text.trim().toLowerCase()
  return Object.hasOwn(CATEGORIES, name) ? name : DEFAULT_CATEGORY
}

/** Returns the number of a thread or reply; undefined for a text that is not an id. */
export const postNumber = (id: string): number | undefined =>
  /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined

/** Returns when a day (YYYY-MM-DD) begins, UTC, in ms since 1970; undefined for other text. */
export const dayStart = (text: string): number | undefined =>
  /^\d{4}-\d\d-\d\d$/.test(text) ? parseTime(`${text}T00:00:00Z`) : undefined

/** Returns what the archive stores about the author with each post. */
export function authorOf(view: WorldView, player: Eid) {
  const { empire, seq } = view.read(Player)
  const faction = factionOf(view, player)
  return {
    player: seq[player],
    authorId: playerId(view, player),
    author: usernameOf(view, player),
    empire: EMPIRES[empire[player]].id,
    ...(faction === 0 ? {} : { factionTag: factionTag(view, faction) }),
  }
}

/* Limits on writing */

const PER_HOUR: Readonly<Record<ForumKind, number>> = {
  threads: FORUM_THREADS_PER_HOUR,
  replies: FORUM_REPLIES_PER_HOUR,
  votes: FORUM_VOTES_PER_HOUR,
}

/**
 * Returns the times of the player's writes in the last hour, in ms; none after a clock set back.
 */
export const recentWrites = (view: WorldView, player: Eid, kind: ForumKind): readonly number[] =>
  (view.records(FORUM_USE).get(String(playerNumber(view, player)))?.[kind] ?? []).filter(
    (ms) => ms > view.wallMs - HOUR_MS && ms <= view.wallMs,
  )

/**
 * Refuses a write beyond the limits: rate_limited with wait_seconds. Counts a write that passes
 * against the limit of the tick.
 */
export function postRefusal(
  view: WorldView,
  player: Eid,
  kind: ForumKind,
): Failure<'rate_limited'> | undefined {
  const times = recentWrites(view, player, kind)
  if (times.length >= PER_HOUR[kind]) {
    const wait_seconds = Math.max(1, divCeil(times[0] + HOUR_MS - view.wallMs, 1_000))
    return fail('rate_limited', { wait_seconds }, `You have used up your ${kind} of this hour.`)
  }
  const writes = view.index(WRITES)
  if (writes.tick !== view.tick) {
    writes.tick = view.tick
    writes.count = 0
  }
  if (writes.count >= FORUM_WRITES_PER_TICK_MAX) {
    return waitRefusal(view, 1, 'The forum is busy.')
  }
  writes.count++
  return undefined
}
