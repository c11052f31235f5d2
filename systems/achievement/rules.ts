/** Who has earned what: bits by number of the achievement, the times of earning, what is due. */
import { assert } from '../../core/assert.ts'
import type { AchievementRow, Criterion } from '../../core/catalog/index.ts'
import { FACTION_FEAT_WORDS, PLAYER_FEAT_WORDS } from '../../core/limits-achievement.ts'
import type { ReadonlyRecords, RecordsDef } from '../../core/records.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { Faction } from '../faction/columns.ts'
import { type Earned, FACTION_EARNED, FactionFeats, PLAYER_EARNED, PlayerFeats } from './columns.ts'
import { type Book, FACTION_BOOK, MARKS, type Marks, mark, PLAYER_BOOK } from './counter-rules.ts'

/** Players and factions earn alike: what is told apart is where it stands. */
export interface Kind {
  readonly book: Book
  readonly table: typeof Player | typeof Faction
  readonly feats: typeof PlayerFeats | typeof FactionFeats
  readonly words: number
  readonly records: RecordsDef<readonly Earned[]>
  marks(view: WorldView): Marks
}

export const OF_PLAYERS: Kind = {
  book: PLAYER_BOOK,
  table: Player,
  feats: PlayerFeats,
  words: PLAYER_FEAT_WORDS,
  records: PLAYER_EARNED,
  marks: (view) => view.index(MARKS).players,
}

export const OF_FACTIONS: Kind = {
  book: FACTION_BOOK,
  table: Faction,
  feats: FactionFeats,
  words: FACTION_FEAT_WORDS,
  records: FACTION_EARNED,
  marks: (view) => view.index(MARKS).factions,
}

export const KINDS: readonly Kind[] = [OF_PLAYERS, OF_FACTIONS]

export const aliveIn = (view: WorldView, { table }: Kind) => view.read(table as typeof Player).alive

export const numberOf = (view: WorldView, { table }: Kind, holder: Row): number =>
  view.read(table as typeof Player).seq[holder]

/** Bits of all holders, `words` of each. */
const bitsOf = (view: WorldView, { feats }: Kind) => view.read(feats as typeof PlayerFeats).earned

/** True for what a player or faction has earned. */
export function hasEarned(view: WorldView, kind: Kind, holder: Row, no: number): boolean {
  return ((bitsOf(view, kind)[holder * kind.words + (no >>> 5)] >>> (no & 31)) & 1) === 1
}

/** Sets the bit. */
export function setEarned(world: World, kind: Kind, holder: Row, no: number): void {
  assert(no < 32 * kind.words, `there is no bit for achievement ${no}`)
  assert(!hasEarned(world, kind, holder, no), `achievement ${no} is earned twice`)
  const { earned } = world.write(kind.feats as typeof PlayerFeats)
  const at = holder * kind.words + (no >>> 5)
  earned[at] = (earned[at] | (1 << (no & 31))) >>> 0
}

/** When what was earned, in that order. */
export const earnedBy = (view: WorldView, kind: Kind, holder: Row): readonly Earned[] => {
  const records: ReadonlyRecords<readonly Earned[]> = view.records(kind.records)
  return records.get(String(numberOf(view, kind, holder))) ?? []
}

/** Value of a counter by name. */
export function counterOf(view: WorldView, kind: Kind, holder: Row, name: string): number {
  const counter = kind.book.counters.get(name)
  assert(counter !== undefined, `there is no counter ${name}`)
  return kind.book.read(view, holder, counter)
}

/** True for a criterion that is met. */
export function meets(view: WorldView, kind: Kind, holder: Row, [name, op, target]: Criterion) {
  const value = counterOf(view, kind, holder, name)
  return op === '>=' ? value >= target : value <= target
}

/** True for what is not earned though everything is there for it. */
export function isDue(view: WorldView, kind: Kind, holder: Row, row: AchievementRow): boolean {
  if (hasEarned(view, kind, holder, row.no)) return false
  if (!row.criteria.every((criterion) => meets(view, kind, holder, criterion))) return false
  const before = row.after === undefined ? undefined : kind.book.byId.get(row.after)
  return before === undefined || hasEarned(view, kind, holder, before.no)
}

/** True while a counter of the definition waits to be looked at. */
export function isMarked(view: WorldView, kind: Kind, holder: Row, row: AchievementRow): boolean {
  const marked = kind.marks(view).get(holder)
  return row.criteria.some(([name]) => marked?.has(kind.book.counters.get(name) ?? -1))
}

/**
 * Marks again, after a start, whoever has met what is not earned: what the last batches before it
 * brought, and what a new release asks for.
 */
export function rebuildMarks(world: World): void {
  for (const kind of KINDS) {
    const marks = kind.marks(world)
    marks.clear()
    const alive = aliveIn(world, kind)
    for (let holder = 1; holder <= world.highOf(kind.table); holder++) {
      if (alive[holder] === 0) continue
      for (const row of kind.book.rows) {
        if (!isDue(world, kind, holder, row)) continue
        const [name] = row.criteria.find(([, op]) => op === '>=') as Criterion
        mark(marks, holder, kind.book.counters.get(name) as number)
      }
    }
  }
}

/** The emblem that a faction has earned last; undefined before the first. */
export function emblemOf(view: WorldView, faction: Row): string | undefined {
  const { rows } = OF_FACTIONS.book
  return earnedBy(view, OF_FACTIONS, faction)
    .map(([no]) => rows.find((row) => row.no === no)?.rewards.emblem)
    .findLast((emblem) => emblem !== undefined)
}
