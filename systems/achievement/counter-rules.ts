/**
 * What is counted towards achievements: the functions that other domains call. A rise that passes
 * no target costs a look at the few targets of its counter; one that does marks the player or the
 * faction, and the tick's end tests the definitions of that counter alone.
 * Source: missions.md section 6.
 */
import { assert } from '../../core/assert.ts'
import {
  ACHIEVEMENTS,
  type AchievementRow,
  FACTION_ACHIEVEMENTS,
  SKILL_COUNTER,
  SKILLS,
} from '../../core/catalog/index.ts'
import { FACTION_COUNTERS_WIDTH, PLAYER_COUNTERS_WIDTH } from '../../core/limits-achievement.ts'
import { MAX_SAFE } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { PlayerStats, STATS, STATS_WIDTH } from '../account/columns.ts'
import { Membership } from '../faction/columns.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../skill/columns.ts'
import {
  FACTION_COUNTERS,
  type FactionCounter,
  FactionFeats,
  type FactionPeak,
  OWN_COUNTERS,
  type OwnCounter,
  PlayerFeats,
} from './columns.ts'

assert(OWN_COUNTERS.length <= PLAYER_COUNTERS_WIDTH, 'the column of counters is too narrow')
assert(FACTION_COUNTERS.length <= FACTION_COUNTERS_WIDTH, 'the counters of factions are too many')

/** Players' counters: lifetime ones by their index, then the own ones, then levels of skills. */
const FIRST_OWN = STATS.length
const FIRST_SKILL = FIRST_OWN + OWN_COUNTERS.length
const PLAYER_COUNTERS: readonly string[] = [
  ...STATS,
  ...OWN_COUNTERS,
  ...SKILLS.map(({ id }) => `${SKILL_COUNTER}${id}`),
]

/** Definitions and what leads to them. */
export interface Book {
  readonly rows: readonly AchievementRow[]
  /** Number of a counter by name. */
  readonly counters: ReadonlyMap<string, number>
  /** By number of the counter: its targets, and the definitions that have one on it. */
  readonly targets: readonly (readonly number[])[]
  readonly byCounter: readonly (readonly AchievementRow[])[]
  readonly byId: ReadonlyMap<string, AchievementRow>
  /** Those that come after one, by its id. */
  readonly followers: ReadonlyMap<string, readonly AchievementRow[]>
  /** Value of a counter of a player or faction. */
  read(view: WorldView, holder: Row, counter: number): number
}

function bookOf(
  rows: readonly AchievementRow[],
  names: readonly string[],
  read: Book['read'],
): Book {
  const risesOn = (row: AchievementRow, name: string) =>
    row.criteria.flatMap(([counter, op, target]) =>
      counter === name && op === '>=' ? [target] : [],
    )
  const followers = new Map<string, AchievementRow[]>()
  for (const row of rows) {
    if (row.after === undefined) continue
    followers.set(row.after, [...(followers.get(row.after) ?? []), row])
  }
  return {
    rows,
    counters: new Map(names.map((name, index) => [name, index])),
    targets: names.map((name) => rows.flatMap((row) => risesOn(row, name))),
    byCounter: names.map((name) => rows.filter((row) => risesOn(row, name).length > 0)),
    byId: new Map(rows.map((row) => [row.id, row])),
    followers,
    read,
  }
}

function playerValue(view: WorldView, player: Eid, counter: number): number {
  if (counter < FIRST_OWN) return view.read(PlayerStats).values[player * STATS_WIDTH + counter]
  if (counter < FIRST_SKILL) {
    const at = player * PLAYER_COUNTERS_WIDTH + counter - FIRST_OWN
    return view.read(PlayerFeats).counters[at]
  }
  return view.read(PlayerSkills).level[player * SKILLS_WIDTH + counter - FIRST_SKILL]
}

const factionValue = (view: WorldView, faction: Row, counter: number): number =>
  view.read(FactionFeats).counters[faction * FACTION_COUNTERS_WIDTH + counter]

export const PLAYER_BOOK: Book = bookOf(ACHIEVEMENTS, PLAYER_COUNTERS, playerValue)
export const FACTION_BOOK: Book = bookOf(FACTION_ACHIEVEMENTS, FACTION_COUNTERS, factionValue)

/* Marks */

/** By row of the player or the faction: counters that have passed a target since the last look. */
export type Marks = Map<Row, Set<number>>

/** Derived: after a start, whoever has met what is not earned is marked again. */
export const MARKS = defineIndex('achievement.marks', () => ({
  players: new Map() as Marks,
  factions: new Map() as Marks,
}))

export function mark(marks: Marks, holder: Row, counter: number): void {
  const marked = marks.get(holder)
  if (marked) marked.add(counter)
  else marks.set(holder, new Set([counter]))
}

function passesTarget(targets: readonly number[], before: number, after: number): boolean {
  for (const target of targets) if (before < target && after >= target) return true
  return false
}

/* Counting */

const FACTION_INDEX = new Map<string, number>(FACTION_COUNTERS.map((name, index) => [name, index]))
/** The counter of factions that sums up a player's, by its number; -1 for none. */
const SUMMED_AS: readonly number[] = PLAYER_COUNTERS.map((name) => FACTION_INDEX.get(name) ?? -1)

/** Sets a counter of a faction that has risen. */
function setFaction(world: World, faction: Row, counter: number, value: number): void {
  const { counters } = world.write(FactionFeats)
  const at = faction * FACTION_COUNTERS_WIDTH + counter
  const before = counters[at]
  assert(value >= before, 'a counter of a faction falls')
  counters[at] = value
  if (passesTarget(FACTION_BOOK.targets[counter], before, value)) {
    mark(world.index(MARKS).factions, faction, counter)
  }
}

/** Adds to a counter of a faction; it stops at 2^53-1. */
export function raiseFaction(world: World, faction: Row, name: FactionCounter, n: number): void {
  assert(faction !== 0 && Number.isSafeInteger(n) && n >= 0, `counting ${n} ${name} of a faction`)
  const counter = FACTION_INDEX.get(name) as number
  setFaction(world, faction, counter, Math.min(MAX_SAFE, factionValue(world, faction, counter) + n))
}

/** Notes a figure of a faction, of which the highest counts. */
export function notePeak(world: World, faction: Row, name: FactionPeak, value: number): void {
  assert(faction !== 0 && Number.isSafeInteger(value), `noting ${value} ${name} of a faction`)
  const counter = FACTION_INDEX.get(name) as number
  if (value > factionValue(world, faction, counter)) setFaction(world, faction, counter, value)
}

/** Notes that a counter of a player has risen: also the faction's he is in, where it sums it up. */
function noteRise(world: World, player: Eid, counter: number, before: number, after: number): void {
  if (passesTarget(PLAYER_BOOK.targets[counter], before, after)) {
    mark(world.index(MARKS).players, player, counter)
  }
  const sum = SUMMED_AS[counter]
  if (sum < 0 || after === before) return
  const faction = world.read(Membership).faction[player]
  if (faction === 0) return
  const value = factionValue(world, faction, sum) + after - before
  setFaction(world, faction, sum, Math.min(MAX_SAFE, value))
}

/** Notes that a lifetime counter has risen; `stat` is its index into STATS. Called by addStat. */
export const noteStat = noteRise

/** Adds to one of the own counters of a player; it stops at 2^53-1. */
export function raiseCounter(world: World, player: Eid, name: OwnCounter, n = 1): void {
  assert(player !== 0 && Number.isSafeInteger(n) && n >= 0, `counting ${n} ${name}`)
  const index = OWN_COUNTERS.indexOf(name)
  const { counters } = world.write(PlayerFeats)
  const at = player * PLAYER_COUNTERS_WIDTH + index
  const before = counters[at]
  counters[at] = Math.min(MAX_SAFE, before + n)
  noteRise(world, player, FIRST_OWN + index, before, counters[at])
}

/** Notes that a player's level in a skill has risen; `skill` is its index into SKILLS. */
export function noteLevel(
  world: World,
  player: Eid,
  skill: number,
  { before, after }: { readonly before: number; readonly after: number },
): void {
  noteRise(world, player, FIRST_SKILL + skill, before, after)
  raiseCounter(world, player, 'skill_levels_gained', after - before)
}
