/** Reading the action log: one's own, or that of one's faction. Source: social.md section 8. */
import { archive } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import {
  ACTION_LOG_ROWS_DEFAULT,
  ACTION_LOG_ROWS_MAX,
  ACTION_LOG_TYPES_MAX,
  PAGE_MAX,
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
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { factionByText, factionIdOf, factionOf } from '../faction/model.ts'
import { LOG_CATEGORIES } from './state.ts'

const eventType = () => str('Event type.', { min: 1, max: 64, example: 'trading.buy' })

/** One stream: a player's by number, or a faction's by id. */
type Stream = { readonly player: number } | { readonly factionId: string }

/** The stream asked for; undefined for the log of a faction the player is not in. */
function streamOf(view: WorldView, player: Eid, factionId?: string): Stream | undefined {
  if (factionId === undefined) return { player: view.read(Player).seq[player] }
  const faction = factionByText(view, factionId)
  if (faction === 0 || faction !== factionOf(view, player)) return undefined
  return { factionId: factionIdOf(view, faction) }
}

/** True for a category of the log; `all` is none, as if it were absent. */
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
    const stream = streamOf(view, player, faction_id)
    if (!stream) {
      return fail('not_a_member', { faction_id }, 'That is the log of a faction you are not in.')
    }
    const types = typeof event_type === 'string' ? [event_type] : (event_type ?? [])
    return ok({
      ...stream,
      ...(category === undefined || category === 'all' ? {} : { category }),
      ...(types.length === 0 ? {} : { eventTypes: [...new Set(types)] }),
      page: Math.min(page ?? 1, PAGE_MAX),
      pageSize: Math.min(page_size ?? ACTION_LOG_ROWS_DEFAULT, ACTION_LOG_ROWS_MAX),
      ...(since_id === undefined ? {} : { sinceId: since_id }),
    })
  },
})
