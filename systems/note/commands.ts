/** Commands of notes: writing, deleting, reading and listing. Source: social.md section 3. */
import { archive, immediate, query } from '../../core/command.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { pageOf } from '../../core/paging.ts'
import {
  bools,
  ints,
  list,
  obj,
  optional,
  page,
  pageSize,
  str,
  strings,
} from '../../core/params.ts'
import { say } from '../../core/say.ts'
import { codePointLength } from '../../core/text-rules.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { Base } from '../base/state.ts'
import { holdsPackage, isNearlyFull, lockerOf, packagesIn } from '../cargo/model.ts'
import { createNote as createNotePackage, destroyPackage, packageId } from '../cargo/rules.ts'
import { NOTE_SIZE, Package } from '../cargo/state.ts'
import { factionOf } from '../faction/model.ts'
import { logAction } from '../log/rules.ts'
import { activeShip, freeSpace, shipsOf } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { DOCKED } from '../travel/needs.ts'
import {
  contentOf,
  noteById,
  noteId,
  noteNotFound,
  noteTitle,
  ownNote,
  rewriteNote,
  titleOf,
  tooManyRefusal,
  writableNote,
} from './model.ts'
import {
  NOTE_CHARACTERS_MAX,
  NOTE_PARAM_CHARACTERS_MAX,
  NOTE_TITLE_CHARACTERS_MAX,
  NOTES_PAGE,
  Note,
} from './state.ts'

const noteParam = () =>
  str(say`Id of a note, as listed by {get_notes} and {get_cargo}.`, {
    min: 1,
    example: 'note:0b1c2d3e-0000-8000-8000-000000000000',
  })

const contentParam = () =>
  str(`The text, at most ${NOTE_CHARACTERS_MAX} characters.`, {
    max: NOTE_PARAM_CHARACTERS_MAX,
    example: 'Past the third beacon the lane bends. Trust the drift, not the chart.',
  })

const shared = { category: 'social', needs: [DOCKED] }

export const createNote = immediate({
  ...shared,
  name: 'create_note',
  v2: { tool: 'game_social', action: 'create_note' },
  summary: 'Write a note; it is put in your hold and can be given, traded and stored like goods.',
  params: obj({
    title: str(`The title, at most ${NOTE_TITLE_CHARACTERS_MAX} characters.`, {
      max: NOTE_PARAM_CHARACTERS_MAX,
      example: 'The bend past the third beacon',
    }),
    content: contentParam(),
  }),
  result: obj({ ...strings('message', 'note_id', 'title'), ...ints('content_length') }),
  errors: ['invalid_payload', 'too_long', 'no_cargo_space', 'limit_reached'],
  run(world, player, params) {
    const title = titleOf(params.title)
    if (!title.ok) return title
    const content = contentOf(params.content)
    if (!content.ok) return content
    const characters = codePointLength(content.result)
    const refused = tooManyRefusal(world, player, { notes: 1, characters })
    if (refused) return refused
    const ship = activeShip(world, player)
    const fits = freeSpace(world, ship)
    if (fits < NOTE_SIZE) return fail('no_cargo_space', { need: NOTE_SIZE, fits })
    if (isNearlyFull(world, Note) || isNearlyFull(world, Package)) {
      return fail('limit_reached', { full: 'notes' })
    }
    const draft = { author: player, title: title.result, content: content.result, characters }
    const note_id = packageId(world, createNotePackage(world, ship, draft))
    const message = `Wrote the note "${title.result}"; it is in your hold.`
    logAction(world, player, 'other', 'note_created', message, { note_id })
    return ok({ note_id, title: title.result, content_length: characters, message })
  },
})

export const writeNote = immediate({
  ...shared,
  name: 'write_note',
  v2: { tool: 'game_social', action: 'write_note', rename: { note_id: 'target' } },
  summary: 'Replace the text of a note that you wrote and still hold.',
  params: obj({ note_id: noteParam(), content: contentParam() }),
  result: obj({ ...strings('message', 'note_id'), ...ints('content_length') }),
  errors: ['note_not_found', 'invalid_payload', 'too_long', 'limit_reached'],
  run(world, player, params) {
    const found = writableNote(world, player, params.note_id)
    if (!found.ok) return found
    const content = contentOf(params.content)
    if (!content.ok) return content
    const note = found.result
    const characters = codePointLength(content.result)
    const added = characters - world.read(Note).characters[note]
    const refused = tooManyRefusal(world, player, { notes: 0, characters: added })
    if (refused) return refused
    rewriteNote(world, note, content.result, characters)
    const note_id = noteId(world, note)
    const message = `Rewrote the note "${noteTitle(world, note)}".`
    logAction(world, player, 'other', 'note_written', message, { note_id })
    return ok({ note_id, content_length: characters, message })
  },
})

/** ours: not only its author but any holder may delete a note, or junk would stay forever. */
export const deleteNote = immediate({
  ...shared,
  name: 'delete_note',
  v2: { tool: 'game_social', action: 'delete_note', rename: { note_id: 'target' } },
  summary: 'Delete a note that you hold, for good.',
  params: obj({ note_id: noteParam() }),
  result: obj(strings('message', 'note_id', 'title')),
  errors: ['note_not_found'],
  run(world, player, params) {
    const found = ownNote(world, player, params.note_id)
    if (!found.ok) return found
    const note = found.result
    const note_id = noteId(world, note)
    const title = noteTitle(world, note)
    destroyPackage(world, world.read(Note).pkg[note], 'burned')
    const message = `Deleted the note "${title}".`
    logAction(world, player, 'other', 'note_deleted', message, { note_id })
    return ok({ note_id, title, message })
  },
})

/* Reading */

/** Value of a note, credits. ours: only players buy notes, at prices that they set. */
const VALUE = 0

/** Finds a note in a hold or locker of the player, or in a store of their faction. */
function readableNote(view: WorldView, player: Eid, id: string): Outcome<Row, 'note_not_found'> {
  const note = noteById(view, id)
  const pkg = view.read(Note).pkg[note]
  const mayRead = note !== 0 && holdsPackage(view, player, pkg, factionOf(view, player))
  return mayRead ? ok(note) : noteNotFound(id)
}

/** Returns the notes in a player's holds and lockers, oldest first. O(ships + bases). */
function notesOf(view: WorldView, player: Eid): Row[] {
  const { hold } = view.read(Ship)
  const places = shipsOf(view, player).map((ship) => hold[ship])
  for (let base = 1; base <= view.highOf(Base); base++) places.push(lockerOf(view, player, base))
  const { note } = view.read(Package)
  const notes = places.flatMap((place) => packagesIn(view, place).map((pkg) => note[pkg]))
  const { seq } = view.read(Note)
  return notes.filter((row) => row !== 0).sort((a, b) => seq[a] - seq[b])
}

/** Renders a note without its text. */
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
  summary: 'Read a note in a hold or locker of yours, or in a store of your faction.',
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
    const noteView = { ...renderNote(view, note), updated_at: isoTime(updatedMs[note]) }
    return ok({ note: seq[note], view: noteView })
  },
})

export const getNotes = query({
  name: 'get_notes',
  v2: { tool: 'game_social', action: 'get_notes' },
  summary: 'List the notes in your holds and lockers, oldest first.',
  category: 'social',
  params: obj({ page: optional(page()), page_size: optional(pageSize(NOTES_PAGE.max)) }),
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
    const { items, page, page_size, total, total_pages } = pageOf(
      notesOf(view, player),
      params,
      NOTES_PAGE,
    )
    const { characters } = view.read(Note)
    return ok({
      notes: items.map((note) => ({
        ...renderNote(view, note),
        content_length: characters[note],
      })),
      page,
      page_size,
      total_count: total,
      has_more: page < total_pages,
    })
  },
})
