/** Reading notes: `read_note`, `get_notes`. Source: social.md section 3. */
import { archive, query } from '../../core/command.ts'
import { ok } from '../../core/errors.ts'
import { bools, ints, list, obj, optional, page, pageSize, strings } from '../../core/params.ts'
import { isoTime } from '../../core/time.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { noteParam } from './commands.ts'
import { noteId, noteTitle } from './model.ts'
import { notesOf, readableNote } from './rules.ts'
import { NOTES_LISTED_DEFAULT, NOTES_LISTED_MAX, Note } from './state.ts'

/** ours: a note is worth what somebody gives for it; nobody else buys it. */
const VALUE = 0

/** What is told of a note without opening it. */
function renderNote(view: WorldView, note: Row) {
  const { author, createdMs } = view.read(Note)
  return {
    note_id: noteId(view, note),
    title: noteTitle(view, note),
    created_by: usernameOf(view, author[note]),
    created_at: isoTime(createdMs[note]),
    value: VALUE,
  }
}

export const readNote = archive({
  name: 'read_note',
  v2: { tool: 'game_social', action: 'read_note', rename: { note_id: 'target' } },
  summary: 'Reads a note in a hold or locker of yours, or in a store of your faction.',
  category: 'social',
  as: 'query',
  method: 'readNote',
  params: obj({ note_id: noteParam() }),
  result: obj({
    ...strings('content', 'created_at', 'created_by', 'note_id', 'title', 'updated_at'),
    ...ints('value'),
  }),
  needs: [],
  errors: ['note_not_found'],
  scope(view, player, { note_id }) {
    const found = readableNote(view, player, note_id)
    if (!found.ok) return found
    const note = found.result
    const { seq, updatedMs } = view.read(Note)
    const told = { ...renderNote(view, note), updated_at: isoTime(updatedMs[note]) }
    return ok({ note: seq[note], told })
  },
})

export const getNotes = query({
  name: 'get_notes',
  v2: { tool: 'game_social', action: 'get_notes' },
  summary: 'Lists the notes in your holds and lockers, the oldest first.',
  category: 'social',
  params: obj({ page: optional(page()), page_size: optional(pageSize(NOTES_LISTED_MAX)) }),
  result: obj({
    ...bools('has_more'),
    ...ints('page', 'page_size', 'total_count'),
    notes: list(
      obj({
        ...strings('created_at', 'created_by', 'note_id', 'title'),
        ...ints('content_length', 'value'),
      }),
    ),
  }),
  needs: [],
  errors: [],
  run(view, player, params) {
    const all = notesOf(view, player)
    const page = params.page ?? 1
    const size = Math.min(params.page_size ?? NOTES_LISTED_DEFAULT, NOTES_LISTED_MAX)
    const { characters } = view.read(Note)
    return ok({
      notes: all.slice((page - 1) * size, page * size).map((note) => ({
        ...renderNote(view, note),
        content_length: characters[note],
      })),
      ...{ page, page_size: size, total_count: all.length, has_more: page * size < all.length },
    })
  },
})
