/** The captain's log, newest entry first, and reading the action log. Texts are in the archive. */
import { archive } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import {
  ACTION_LOG_ROWS_DEFAULT,
  ACTION_LOG_ROWS_MAX,
  ACTION_LOG_TYPES_MAX,
  LOG_ENTRIES_MAX,
  LOG_ENTRY_BYTES_MAX,
  PAGE_MAX,
  TEXT_CHARACTERS_MAX,
} from '../../core/limits.ts'
import {
  anyObject,
  bools,
  int,
  ints,
  list,
  obj,
  opt,
  optional,
  page,
  pageSize,
  ref,
  str,
  strings,
  Type,
} from '../../core/params.ts'
import { playerNumber } from '../../core/pending.ts'
import { cleanText } from '../../core/text-rules.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { Player } from '../account/state.ts'
import { factionByText, factionIdOf, factionOf } from '../faction/model.ts'
import { LOG_CATEGORIES } from './state.ts'

const index = () => int('Entry, 0 being the newest.', { example: 0 })

const entry = obj({ ...strings('created_at', 'entry'), ...ints('index') })

type Addition = { readonly player: number; readonly entry: string }

export const captainsLogAdd = archive({
  name: 'captains_log_add',
  v2: { tool: 'game_social', action: 'captains_log_add', rename: { entry: 'content' } },
  summary: `Adds an entry to your captain's log; beyond ${LOG_ENTRIES_MAX} the oldest is dropped.`,
  category: 'social',
  as: 'immediate',
  method: 'addLogEntry',
  params: obj({
    entry: str(`The entry, at most ${LOG_ENTRY_BYTES_MAX} bytes of UTF-8.`, {
      max: TEXT_CHARACTERS_MAX,
      example: 'Day 12. Sold the ore, bought a better laser.',
    }),
  }),
  result: obj({ ...strings('created_at', 'message'), ...ints('index') }),
  needs: [],
  errors: ['invalid_payload', 'too_long', 'rate_limited'],
  scope(view, player, params) {
    const text = cleanText(params.entry, {
      max: LOG_ENTRY_BYTES_MAX,
      unit: 'bytes',
      field: 'entry',
    })
    return text.ok ? ok({ player: playerNumber(view, player), entry: text.result }) : text
  },
  notify(world, { player }: Addition) {
    addStat(world, world.rowOf(Player, player), 'captains_log_entries', 1)
    return []
  },
  answer: (_view, _scope: Addition, added: { created_at: string }) => ({
    index: 0,
    created_at: added.created_at,
    message: 'The entry is added as number 0.',
  }),
})

type Deletion = { readonly player: number; readonly index: number }

export const captainsLogDelete = archive({
  name: 'captains_log_delete',
  v2: { tool: 'game_social', action: 'captains_log_delete' },
  summary: "Deletes an entry of your captain's log; older ones move up.",
  category: 'social',
  as: 'immediate',
  method: 'deleteLogEntry',
  params: obj({ index: index() }),
  result: obj({ ...strings('message'), ...ints('index', 'remaining_count') }),
  needs: [],
  errors: ['invalid_index', 'rate_limited'],
  scope: (view, player, params) => ok({ player: playerNumber(view, player), index: params.index }),
  answer: (_view, deleted: Deletion, { remaining_count }: { remaining_count: number }) => ({
    index: deleted.index,
    message: `Entry ${deleted.index} is deleted; ${remaining_count} are left.`,
    remaining_count,
  }),
})

export const captainsLogList = archive({
  name: 'captains_log_list',
  v2: { tool: 'game_social', action: 'captains_log_list' },
  summary: "Pages through your captain's log, one entry a page.",
  category: 'social',
  as: 'query',
  method: 'listLog',
  params: obj({ index: optional(index()) }),
  result: obj({
    ...ints('index', 'total_count', 'max_entries'),
    ...bools('has_next', 'has_prev'),
    ...opt({ entry }),
  }),
  needs: [],
  errors: ['invalid_index'],
  scope: (view, player, params) =>
    ok({
      player: playerNumber(view, player),
      ...(params.index === undefined ? {} : { index: params.index }),
    }),
})

export const captainsLogGet = archive({
  name: 'captains_log_get',
  v2: { tool: 'game_social', action: 'captains_log_get' },
  summary: "Reads one entry of your captain's log.",
  category: 'social',
  as: 'query',
  method: 'getLogEntry',
  params: obj({ index: index() }),
  result: entry,
  needs: [],
  errors: ['invalid_index'],
  scope: (view, player, params) => ok({ player: playerNumber(view, player), index: params.index }),
})

/* Reading one's own action log, or that of one's faction. Source: social.md section 8. */

const eventType = () => str('Event type.', { min: 1, max: 64, example: 'trading.buy' })

/** Owner of an action log: a player by number, or a faction by id. */
type LogOwner = { readonly player: number } | { readonly factionId: string }

/** Returns the owner of the requested log; undefined for a faction the player is not in. */
function logOwnerOf(view: WorldView, player: Eid, factionId?: string): LogOwner | undefined {
  if (factionId === undefined) return { player: playerNumber(view, player) }
  const faction = factionByText(view, factionId)
  if (faction === 0 || faction !== factionOf(view, player)) return undefined
  return { factionId: factionIdOf(view, faction) }
}

/** Returns true for a category of the log, or for `all`. */
const isCategory = (text: string): boolean =>
  text === 'all' || (LOG_CATEGORIES as readonly string[]).includes(text)

export const getActionLog = archive({
  name: 'get_action_log',
  v2: { tool: 'game_social', action: 'get_action_log' },
  summary: 'Lists what happened to you, or to your faction, newest first; kept for 30 days.',
  category: 'social',
  as: 'query',
  method: 'actionLog',
  params: obj({
    category: optional(
      str(`Only this category: ${LOG_CATEGORIES.join(', ')}.`, {
        min: 1,
        max: 64,
        example: 'trading',
      }),
    ),
    event_type: optional(
      Type.Union([eventType(), Type.Array(eventType(), { maxItems: ACTION_LOG_TYPES_MAX })], {
        description: `Only these event types: one, or a list of at most ${ACTION_LOG_TYPES_MAX}.`,
        examples: ['trading.buy'],
      }),
    ),
    faction_id: optional(
      ref(
        'faction',
        str('The log of your faction instead of your own: its id or tag.', { example: 'FREE' }),
      ),
    ),
    page: optional(page()),
    page_size: optional(pageSize(ACTION_LOG_ROWS_MAX)),
    since_id: optional(
      int('Only entries after this id, oldest first; page is ignored.', { min: 0, example: 1200 }),
    ),
  }),
  result: obj({
    ...strings('category'),
    ...opt(strings('event_type', 'faction_id')),
    ...opt({ event_types: list(Type.String()) }),
    entries: list(
      obj({
        ...ints('id', 'tick'),
        ...strings('category', 'event_type', 'summary', 'created_at'),
        ...opt({ data: anyObject() }),
      }),
    ),
    ...bools('has_more'),
    ...ints('page', 'page_size', 'total', 'total_pages'),
    ...opt(ints('since_id', 'next_since_id')),
  }),
  needs: [],
  errors: ['invalid_category', 'not_a_member'],
  scope(view, player, { category, event_type, faction_id, page, page_size, since_id }) {
    if (category !== undefined && !isCategory(category)) {
      return fail('invalid_category', { category, categories: [...LOG_CATEGORIES] })
    }
    const owner = logOwnerOf(view, player, faction_id)
    if (!owner) {
      return fail('not_a_member', { faction_id }, 'That is the log of a faction you are not in.')
    }
    const types = typeof event_type === 'string' ? [event_type] : (event_type ?? [])
    return ok({
      ...owner,
      ...(category === undefined || category === 'all' ? {} : { category }),
      ...(types.length === 0 ? {} : { eventTypes: [...new Set(types)] }),
      page: Math.min(page ?? 1, PAGE_MAX),
      pageSize: Math.min(page_size ?? ACTION_LOG_ROWS_DEFAULT, ACTION_LOG_ROWS_MAX),
      ...(since_id === undefined ? {} : { sinceId: since_id }),
    })
  },
})
