/** What players and factions have earned: a bit for each achievement, when, and what is due. */
import { assert } from '../../core/assert.ts'
import {
  ACHIEVEMENTS,
  type AchievementRow,
  type Criterion,
  FACTION_ACHIEVEMENTS,
  SKILL_COUNTER,
  SKILLS,
} from '../../core/catalog/index.ts'
import type { ReadonlyRecords, RecordsDef } from '../../core/records.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { Player, PlayerStats, STATS, STATS_WIDTH } from '../account/state.ts'
import { Faction } from '../faction/state.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../skill/state.ts'
import {
  type Earned,
  FACTION_COUNTERS,
  FACTION_COUNTERS_WIDTH,
  FACTION_EARNED,
  FACTION_FEAT_WORDS,
  FactionFeats,
  MARKS,
  type Marks,
  OWN_COUNTERS,
  PLAYER_COUNTERS_WIDTH,
  PLAYER_EARNED,
  PLAYER_FEAT_WORDS,
  PlayerFeats,
} from './state.ts'

/** Numbers of the first of OWN_COUNTERS, and of the first skill level, in PLAYER_COUNTERS. */
export const FIRST_OWN = STATS.length
export const FIRST_SKILL = FIRST_OWN + OWN_COUNTERS.length
/** Counters of players: lifetime ones by their index, then OWN_COUNTERS, then skill levels. */
export const PLAYER_COUNTERS: readonly string[] = [
  ...STATS,
  ...OWN_COUNTERS,
  ...SKILLS.map(({ id }) => `${SKILL_COUNTER}${id}`),
]

/** A definition with the numbers of the counters that its criteria name. */
interface Definition extends AchievementRow {
  readonly counters: readonly number[]
}

/** Definitions, and their indexes by counter, id and number. */
interface Book {
  readonly rows: readonly Definition[]
  /** Number of a counter by name. */
  readonly counters: ReadonlyMap<string, number>
  /** By number of the counter: the targets set on it, and the definitions that set one. */
  readonly targets: readonly (readonly number[])[]
  readonly byCounter: readonly (readonly Definition[])[]
  readonly byId: ReadonlyMap<string, Definition>
  readonly byNumber: ReadonlyMap<number, Definition>
  /** Definitions that can be earned only after another one, by the id of that one. */
  readonly followers: ReadonlyMap<string, readonly Definition[]>
  /** Returns a reader of the counters of players or factions, valid until the world changes. */
  reader(view: WorldView): CounterReader
}

/** Returns the value of a counter of a player or faction. */
type CounterReader = (holder: Row, counter: number) => number

function indexDefinitions(
  catalog: readonly AchievementRow[],
  names: readonly string[],
  reader: Book['reader'],
): Book {
  const counters = new Map(names.map((name, index) => [name, index]))
  const rows = catalog.map((row) => ({
    ...row,
    counters: row.criteria.map(([name]) => counters.get(name) ?? -1),
  }))
  const targetsOn = (row: AchievementRow, name: string) =>
    row.criteria.flatMap(([counter, op, target]) =>
      counter === name && op === '>=' ? [target] : [],
    )
  const followers = new Map<string, Definition[]>()
  for (const row of rows) {
    if (row.after === undefined) continue
    followers.set(row.after, [...(followers.get(row.after) ?? []), row])
  }
  return {
    rows,
    counters,
    targets: names.map((name) => rows.flatMap((row) => targetsOn(row, name))),
    byCounter: names.map((name) => rows.filter((row) => targetsOn(row, name).length > 0)),
    byId: new Map(rows.map((row) => [row.id, row])),
    byNumber: new Map(rows.map((row) => [row.no, row])),
    followers,
    reader,
  }
}

function readPlayers(view: WorldView): CounterReader {
  const { values } = view.read(PlayerStats)
  const { counters } = view.read(PlayerFeats)
  const { level } = view.read(PlayerSkills)
  return (player, counter) => {
    if (counter < FIRST_OWN) return values[player * STATS_WIDTH + counter]
    if (counter < FIRST_SKILL) return counters[player * PLAYER_COUNTERS_WIDTH + counter - FIRST_OWN]
    return level[player * SKILLS_WIDTH + counter - FIRST_SKILL]
  }
}

function readFactions(view: WorldView): CounterReader {
  const { counters } = view.read(FactionFeats)
  return (faction, counter) => counters[faction * FACTION_COUNTERS_WIDTH + counter]
}

/** Returns the value of a faction's counter by its index. */
export const factionValue = (view: WorldView, faction: Row, counter: number): number =>
  readFactions(view)(faction, counter)

/** The achievements of players, and of factions, with their indexes. */
export const PLAYER_BOOK: Book = indexDefinitions(ACHIEVEMENTS, PLAYER_COUNTERS, readPlayers)
export const FACTION_BOOK: Book = indexDefinitions(
  FACTION_ACHIEVEMENTS,
  FACTION_COUNTERS,
  readFactions,
)

/** The kind of achievements that players earn. */
export const OF_PLAYERS: Kind = {
  book: PLAYER_BOOK,
  table: Player,
  feats: PlayerFeats,
  words: PLAYER_FEAT_WORDS,
  records: PLAYER_EARNED,
  marks: (view) => view.index(MARKS).players,
}

/** The kind of achievements that factions earn. */
export const OF_FACTIONS: Kind = {
  book: FACTION_BOOK,
  table: Faction,
  feats: FactionFeats,
  words: FACTION_FEAT_WORDS,
  records: FACTION_EARNED,
  marks: (view) => view.index(MARKS).factions,
}

export const KINDS: readonly Kind[] = [OF_PLAYERS, OF_FACTIONS]

/* The server refuses to start with definitions that nothing can fulfil. */
for (const { book, words } of KINDS) {
  for (const { id, no, criteria, after } of book.rows) {
    assert(no < 32 * words, `achievement ${id}: there is no bit ${no}`)
    assert(after === undefined || book.byId.has(after), `achievement ${id} follows an unknown one`)
    assert(
      criteria.some(([, op]) => op === '>='),
      `achievement ${id} has no criterion that a rise can meet`,
    )
    const isKnown = criteria.every(([counter]) => book.counters.has(counter))
    assert(isKnown, `achievement ${id} names an unknown counter`)
  }
}

/** Where the achievements of players, or of factions, are defined and stored. */
export interface Kind {
  readonly book: Book
  readonly table: typeof Player | typeof Faction
  readonly feats: typeof PlayerFeats | typeof FactionFeats
  readonly words: number
  readonly records: RecordsDef<readonly Earned[]>
  marks(view: WorldView): Marks
}

/* The casts below: both tables of a Kind have the column that is read. */

/** Returns the column that says which rows of the holders are in use. */
export const aliveIn = (view: WorldView, { table }: Kind) => view.read(table as typeof Player).alive

/** Returns the durable number of a player or faction. */
export const seqOf = (view: WorldView, { table }: Kind, holder: Row): number =>
  view.read(table as typeof Player).seq[holder]

/** Returns true for an achievement that a player or faction has earned. */
export function hasEarned(view: WorldView, kind: Kind, holder: Row, no: number): boolean {
  const { earned } = view.read(kind.feats as typeof PlayerFeats)
  return ((earned[holder * kind.words + (no >>> 5)] >>> (no & 31)) & 1) === 1
}

/** Returns what a player or faction has earned, and when, in the order of earning. */
export const earnedBy = (view: WorldView, kind: Kind, holder: Row): readonly Earned[] => {
  const records: ReadonlyRecords<readonly Earned[]> = view.records(kind.records)
  return records.get(String(seqOf(view, kind, holder))) ?? []
}

/** Returns the value of a counter by name. */
export function counterOf(view: WorldView, kind: Kind, holder: Row, name: string): number {
  const counter = kind.book.counters.get(name)
  assert(counter !== undefined, `there is no counter ${name}`)
  return kind.book.reader(view)(holder, counter)
}

/** Returns true for a criterion that is met. */
export function meets(view: WorldView, kind: Kind, holder: Row, [name, op, target]: Criterion) {
  const value = counterOf(view, kind, holder, name)
  return op === '>=' ? value >= target : value <= target
}

/** Returns true when all criteria of a definition are met. */
function isMet(read: CounterReader, holder: Row, { counters, criteria }: Definition): boolean {
  for (let i = 0; i < counters.length; i++) {
    const value = read(holder, counters[i])
    const [, op, target] = criteria[i]
    if (op === '>=' ? value < target : value > target) return false
  }
  return true
}

/**
 * Returns true for an achievement whose conditions are met and that is not earned yet. A caller
 * that checks many holders passes one reader of their counters.
 */
export function isDue(
  view: WorldView,
  kind: Kind,
  holder: Row,
  row: Definition,
  read = kind.book.reader(view),
): boolean {
  if (!isMet(read, holder, row) || hasEarned(view, kind, holder, row.no)) return false
  const before = row.after === undefined ? undefined : kind.book.byId.get(row.after)
  return before === undefined || hasEarned(view, kind, holder, before.no)
}

/** Returns true while a counter of the definition is marked. */
export function isMarked(view: WorldView, kind: Kind, holder: Row, row: AchievementRow): boolean {
  const marked = kind.marks(view).get(holder)
  return row.criteria.some(([name]) => marked?.has(kind.book.counters.get(name) ?? -1))
}

/** Returns the emblem that a faction has earned last; undefined before the first. */
export function emblemOf(view: WorldView, faction: Row): string | undefined {
  const { byNumber } = OF_FACTIONS.book
  return earnedBy(view, OF_FACTIONS, faction)
    .map(([no]) => byNumber.get(no)?.rewards.emblem)
    .findLast((emblem) => emblem !== undefined)
}
