/** Invariants of notes. Source: social.md section 12. */
import { assert } from '../../core/assert.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Package } from '../cargo/state.ts'
import { writtenBy } from './model.ts'
import {
  NOTE_CHARACTERS_MAX,
  NOTE_CHARACTERS_PER_AUTHOR_MAX,
  NOTES_PER_AUTHOR_MAX,
  Note,
} from './state.ts'

/** Counts the packages that are notes. */
function countPlaced(view: WorldView): number {
  const { alive, note } = view.read(Package)
  let placed = 0
  for (let pkg = 1; pkg <= view.highOf(Package); pkg++) {
    if (alive[pkg] === 1 && note[pkg] !== 0) placed++
  }
  return placed
}

/** Checks that every note has a package and counts for its author. */
export const notesHold: CheckDef = {
  name: 'a note stands in one place, and counts for its author',
  run(view, full) {
    if (!full) return
    const { alive, pkg, author, characters } = view.read(Note)
    const packages = view.read(Package)
    const sums = new Map<Eid, { notes: number; characters: number }>()
    for (let note = 1; note <= view.highOf(Note); note++) {
      if (alive[note] === 0) continue
      const isPlaced = packages.alive[pkg[note]] === 1 && packages.note[pkg[note]] === note
      assert(isPlaced, `note ${note} has no package`)
      const length = characters[note]
      assert(length >= 1 && length <= NOTE_CHARACTERS_MAX, `note ${note} is ${length} long`)
      const sum = sums.get(author[note]) ?? { notes: 0, characters: 0 }
      sums.set(author[note], { notes: sum.notes + 1, characters: sum.characters + length })
    }
    assert(countPlaced(view) === view.countOf(Note), 'the package of a note has no note')
    for (const [player, { notes, characters: length }] of sums) {
      const counted = writtenBy(view, player)
      const isSame = counted.notes === notes && counted.characters === length
      assert(isSame, `author ${player} has written ${notes} notes`)
      assert(notes <= NOTES_PER_AUTHOR_MAX, `author ${player} has written too many notes`)
      assert(length <= NOTE_CHARACTERS_PER_AUTHOR_MAX, `author ${player} has written too much`)
    }
  },
}
