/** The captain's log: up to 20 long entries a player, newest first. Texts are in the archive. */
import { archive } from '../../core/command.ts'
import { ok } from '../../core/errors.ts'
import { LOG_ENTRIES_MAX, LOG_ENTRY_BYTES_MAX, TEXT_CHARACTERS_MAX } from '../../core/limits.ts'
import { bools, int, ints, obj, opt, optional, str, strings } from '../../core/params.ts'
import { cleanText } from '../../core/text-rules.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { Player } from '../account/state.ts'

/** Durable number: what the archive knows a player by. */
const numberOf = (view: WorldView, player: Eid): number => view.read(Player).seq[player]

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
    return text.ok ? ok({ player: numberOf(view, player), entry: text.result }) : text
  },
  tell(world, { player }: Addition) {
    addStat(world, world.rowOf(Player, player), 'captains_log_entries', 1)
    return []
  },
  answer: (_view, _scope: Addition, added: { created_at: string }) => ({
    index: 0,
    created_at: added.created_at,
    message: 'Entry added as number 0.',
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
  scope: (view, player, params) => ok({ player: numberOf(view, player), index: params.index }),
  answer: (_view, deleted: Deletion, { remaining_count }: { remaining_count: number }) => ({
    index: deleted.index,
    message: `Entry ${deleted.index} deleted; ${remaining_count} left.`,
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
      player: numberOf(view, player),
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
  scope: (view, player, params) => ok({ player: numberOf(view, player), index: params.index }),
})
