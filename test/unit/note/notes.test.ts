/** Notes: writing, reading, listing and deleting. Source: social.md section 3. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Outcome } from '../../../core/errors.ts'
import type { Eid } from '../../../core/types.ts'
import { Package } from '../../../systems/cargo/state.ts'
import { writtenBy } from '../../../systems/note/model.ts'
import {
  NOTE_CHARACTERS_PER_AUTHOR_MAX,
  NOTES_PER_AUTHOR_MAX,
  Note,
} from '../../../systems/note/state.ts'
import { activeShip, spaceUsed } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { onSmallMap, type SmallWorld } from '../../small-world.ts'
import { refusesNow } from '../faction/scene.ts'
import { done } from '../trade/stage.ts'
import { archivedArgs, desk, fill, noteIdsOf, unload, writeNote } from './scene.ts'

onSmallMap()

let small: SmallWorld
let ada: Eid
let ben: Eid
beforeEach(async () => {
  ;({ small, ada, ben } = await desk())
})

const usedSpace = (player: Eid): number =>
  small.world.read(Ship).cargoUsed[activeShip(small.world, player)]
const read = (player: Eid, note_id: string): Outcome<unknown> =>
  small.ask(player, 'read_note', { note_id })

describe('create_note', () => {
  test('puts a note of size 1 into the hold, and its text into the archive', () => {
    const before = usedSpace(ada)
    const made = done(
      small,
      ada,
      'create_note',
      { title: ' Lanes ', content: ' Go \u{1f680}\n' },
      'ask',
    )
    expect(made).toMatchObject({
      title: 'Lanes',
      content_length: 4,
      note_id: expect.stringMatching(/^note:[0-9a-f-]{36}$/),
    })
    expect(usedSpace(ada)).toBe(before + 1)
    expect(spaceUsed(small.world, activeShip(small.world, ada))).toBe(before + 1)
    expect(archivedArgs(small, 'writeNote')).toEqual([{ note: 1, content: 'Go \u{1f680}' }])
    expect(done(small, ada, 'get_cargo', {}, 'ask').cargo).toContainEqual({
      item_id: made.note_id,
      name: 'Lanes',
      quantity: 1,
      size: 1,
    })
    small.ticks(1)
  })

  const invalidCases: [string, object][] = [
    ['too_long', { title: 'x'.repeat(101), content: 'a' }],
    ['too_long', { title: 'Lanes', content: 'x'.repeat(100_001) }],
    ['invalid_payload', { title: ' ', content: 'a' }],
    ['invalid_payload', { title: 'two\nlines', content: 'a' }],
    ['invalid_payload', { title: 'two\u2028lines', content: 'a' }],
    ['invalid_payload', { title: 'Lanes', content: '\n' }],
    ['invalid_payload', { title: 'Lanes', content: 'a\u202eb' }],
  ]
  test('refuses invalid titles and texts', () => {
    for (const [code, params] of invalidCases) refusesNow(small, ada, ['create_note', params], code)
    expect(archivedArgs(small, 'writeNote')).toEqual([])
    const longest = { title: 'x'.repeat(100), content: '\u{1f680}'.repeat(100_000) }
    expect(small.ask(ada, 'create_note', longest).ok).toBe(true)
  })

  test('refuses no_cargo_space and not_docked', () => {
    const note = ['create_note', { title: 'Lanes', content: 'a' }] as const
    fill(small, ada, 0)
    refusesNow(small, ada, note, { code: 'no_cargo_space', details: { need: 1, fits: 0 } })
    unload(small, ada, 1)
    expect(small.ask(ada, ...note).ok).toBe(true)
    expect(small.act(ben, 'undock').ok).toBe(true)
    refusesNow(small, ben, note, 'not_docked')
  })

  test('refuses limit_reached beyond 100 notes and 1,000,000 characters an author', () => {
    const long = { title: 'Long', content: 'x'.repeat(100_000) }
    for (let i = 0; i < 10; i++) expect(small.ask(ada, 'create_note', long).ok).toBe(true)
    const shortNote = ['create_note', { title: 'Short', content: 'x' }] as const
    const max = NOTE_CHARACTERS_PER_AUTHOR_MAX
    refusesNow(small, ada, shortNote, { code: 'limit_reached', details: { max, have: max } })
    const [first] = noteIdsOf(small, ada)
    refusesNow(
      small,
      ada,
      ['write_note', { note_id: first, content: `${long.content.slice(1)}yy` }],
      'too_long',
    )
    done(small, ada, 'write_note', { note_id: first, content: 'x'.repeat(50_000) }, 'ask')
    expect(writtenBy(small.world, ada)).toEqual({ notes: 10, characters: max - 50_000 })
    for (let i = 10; i < NOTES_PER_AUTHOR_MAX; i++) writeNote(small, ada)
    refusesNow(small, ada, shortNote, { code: 'limit_reached', details: { max: 100, have: 100 } })
    done(small, ada, 'delete_note', { note_id: first }, 'ask')
    expect(small.ask(ada, ...shortNote).ok).toBe(true)
    const length = max - writtenBy(small.world, ada).characters + 17
    const last = noteIdsOf(small, ada).at(-1)
    const content = 'x'.repeat(length)
    refusesNow(small, ada, ['write_note', { note_id: last, content }], 'limit_reached')
    small.ticks(1)
  })

  test('refuses limit_reached when the world has no more rows', () => {
    const rows = small.world.stores.get('note')!
    const before = rows.rowsMax
    Object.assign(rows, { rowsMax: 0 })
    refusesNow(small, ada, ['create_note', { title: 'Lanes', content: 'a' }], 'limit_reached')
    Object.assign(rows, { rowsMax: before })
    expect(small.ask(ada, 'create_note', { title: 'Lanes', content: 'a' }).ok).toBe(true)
  })
})

describe('write_note', () => {
  test('replaces the whole text', () => {
    const note_id = writeNote(small, ada)
    const written = done(small, ada, 'write_note', { note_id, content: ' Anew. ' }, 'ask')
    expect(written).toMatchObject({ note_id, content_length: 5 })
    expect(archivedArgs(small, 'writeNote').at(-1)).toEqual({ note: 1, content: 'Anew.' })
  })

  test('refuses note_not_found, too_long, invalid_payload and not_docked', () => {
    const note_id = writeNote(small, ada)
    const write = (content: string, id = note_id) =>
      ['write_note', { note_id: id, content }] as const
    refusesNow(small, ada, write('x', 'note:constructor'), 'note_not_found')
    refusesNow(small, ada, write('x', note_id.slice(5)), 'note_not_found')
    refusesNow(small, ben, write('x'), 'note_not_found')
    refusesNow(small, ada, write('x'.repeat(100_001)), 'too_long')
    refusesNow(small, ada, write(' '), 'invalid_payload')
    expect(small.act(ada, 'undock').ok).toBe(true)
    refusesNow(small, ada, write('x'), 'not_docked')
  })
})

describe('read_note', () => {
  test('requests the text from the archive, with the details of the note', () => {
    const note_id = writeNote(small, ada)
    expect(read(ada, note_id.toUpperCase().replace('NOTE:', 'note:'))).toMatchObject({
      ok: true,
      result: {
        note: 1,
        view: { note_id, title: 'Lanes', created_by: 'Ada', value: 0 },
      },
    })
    expect(small.act(ada, 'undock').ok).toBe(true)
    expect(read(ada, note_id).ok).toBe(true)
  })

  test('refuses note_not_found to all who do not hold it', () => {
    const note_id = writeNote(small, ada)
    expect(read(ben, note_id)).toMatchObject({ code: 'note_not_found' })
    expect(read(ada, '__proto__')).toMatchObject({ code: 'note_not_found' })
  })
})

describe('get_notes', () => {
  test('lists held notes in pages, oldest first, without their texts', () => {
    const ids = Array.from({ length: 25 }, (_, i) => writeNote(small, ada, `Page ${i}`))
    const first = done(small, ada, 'get_notes', {}, 'ask')
    expect(first).toMatchObject({ page: 1, page_size: 20, total_count: 25, has_more: true })
    expect((first.notes as object[])[0]).toEqual({
      note_id: ids[0],
      title: 'Page 0',
      created_by: 'Ada',
      content_length: 16,
      value: 0,
      created_at: expect.stringMatching(/Z$/),
    })
    const second = done(small, ada, 'get_notes', { page: 2 }, 'ask')
    expect(second).toMatchObject({ page: 2, has_more: false })
    expect(second.notes).toHaveLength(5)
    expect(done(small, ada, 'get_notes', { page: 9 }, 'ask').notes).toEqual([])
    const all = done(small, ada, 'get_notes', { page_size: 1_000 }, 'ask')
    expect(all).toMatchObject({ page_size: 100, total_count: 25 })
    expect(noteIdsOf(small, ben)).toEqual([])
  })
})

describe('delete_note', () => {
  test('frees the space and the row, and deletes the text', () => {
    const before = usedSpace(ada)
    const note_id = writeNote(small, ada)
    expect(done(small, ada, 'delete_note', { note_id }, 'ask')).toMatchObject({
      note_id,
      title: 'Lanes',
    })
    expect(usedSpace(ada)).toBe(before)
    expect([small.world.countOf(Note), small.world.countOf(Package)]).toEqual([0, 0])
    expect(archivedArgs(small, 'dropNote')).toEqual([{ note: 1 }])
    expect(writtenBy(small.world, ada)).toEqual({ notes: 0, characters: 0 })
    expect(read(ada, note_id)).toMatchObject({ code: 'note_not_found' })
    small.ticks(1)
    expect(writeNote(small, ada)).not.toBe(note_id)
  })

  test('refuses note_not_found and not_docked', () => {
    const request = ['delete_note', { note_id: writeNote(small, ada) }] as const
    refusesNow(small, ben, request, 'note_not_found')
    refusesNow(small, ada, ['delete_note', { note_id: 'iron_ore' }], 'note_not_found')
    expect(small.act(ada, 'undock').ok).toBe(true)
    refusesNow(small, ada, request, 'not_docked')
  })
})

test('a restored world has the same notes and counts', async () => {
  const ids = [writeNote(small, ada, 'One'), writeNote(small, ada, 'Two')]
  small.act(ada, 'deposit_items', { item_id: ids[1], quantity: 1 })
  const restored = await small.reload()
  expect(restored.hash()).toBe(small.hash())
  expect(noteIdsOf(restored, ada)).toEqual(ids)
  expect(writtenBy(restored.world, ada)).toEqual({ notes: 2, characters: 32 })
  restored.ticks(2)
  small.ticks(2)
  expect(restored.hash()).toBe(small.hash())
})
