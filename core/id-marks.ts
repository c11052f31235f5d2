/**
 * High-water marks of the numbers that ids are made from. They are kept beside the journal, outside
 * the world, so that a world that is rolled back never reuses an id from the part cut off. Keys are
 * the names of tables, and the names of counters after COUNTER.
 */
import { touch } from './store.ts'
import type { World } from './types.ts'
import { COUNTERS, defineIndex } from './world.ts'

export type IdMarks = Readonly<Record<string, number>>

const COUNTER = '#'
/** ours: marks are raised this far ahead, so that most batches need not store any. */
const MARGIN = 256

/** Returns the next number of each table, and the last one of each counter. */
function idMarksOf(world: World): IdMarks {
  const marks: Record<string, number> = {}
  for (const [name, { nextSeq }] of world.stores) marks[name] = nextSeq
  for (const [name, last] of world.records(COUNTERS).entries()) marks[COUNTER + name] = last
  return marks
}

/** Ensures that no number below these marks is given out from now on. */
export function raiseIds(world: World, marks: IdMarks): void {
  for (const [name, store] of world.stores) {
    const mark = marks[name] ?? 0
    if (mark <= store.nextSeq) continue
    store.nextSeq = mark
    touch(store)
  }
  const counters = world.records(COUNTERS)
  for (const name of Object.keys(marks).sort()) {
    if (!name.startsWith(COUNTER)) continue
    const counter = name.slice(COUNTER.length)
    if (marks[name] > (counters.get(counter) ?? 0)) counters.set(counter, marks[name])
  }
}

/** Returns the highest value of each mark. */
export function mergeMarks(...all: readonly IdMarks[]): IdMarks {
  const marks: Record<string, number> = {}
  for (const some of all) {
    for (const [name, mark] of Object.entries(some)) marks[name] = Math.max(marks[name] ?? 0, mark)
  }
  return marks
}

/** The marks already stored; a world that was just loaded has to store all of them again. */
const STORED = defineIndex('stored id marks', () => ({ marks: {} as IdMarks }))

/**
 * Returns the marks to store, MARGIN ahead, and counts them as stored from now on; undefined unless
 * some number has passed its stored mark.
 */
export function marksToStore(world: World): IdMarks | undefined {
  const stored = world.index(STORED)
  const current = Object.entries(idMarksOf(world))
  if (current.every(([name, mark]) => mark <= (stored.marks[name] ?? -1))) return undefined
  const ahead = Object.fromEntries(current.map(([name, mark]) => [name, mark + MARGIN]))
  stored.marks = mergeMarks(stored.marks, ahead)
  return stored.marks
}
