/** Counting for achievements, and marking counters that have reached a target. */
import { assert } from '../../core/assert.ts'
import type { Criterion } from '../../core/catalog/index.ts'
import { addToSet } from '../../core/groups.ts'
import { MAX_SAFE } from '../../core/math.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { Membership } from '../faction/state.ts'
import {
  aliveIn,
  FACTION_BOOK,
  FIRST_OWN,
  FIRST_SKILL,
  factionValue,
  hasEarned,
  isDue,
  KINDS,
  type Kind,
  PLAYER_BOOK,
  PLAYER_COUNTERS,
} from './model.ts'
import {
  FACTION_COUNTERS,
  FACTION_COUNTERS_WIDTH,
  type FactionCounter,
  FactionFeats,
  type FactionPeak,
  MARKS,
  OWN_COUNTERS,
  type OwnCounter,
  PLAYER_COUNTERS_WIDTH,
  PlayerFeats,
} from './state.ts'

assert(OWN_COUNTERS.length <= PLAYER_COUNTERS_WIDTH, 'the column of counters is too narrow')
assert(FACTION_COUNTERS.length <= FACTION_COUNTERS_WIDTH, 'the counters of factions are too many')

function passesTarget(targets: readonly number[], before: number, after: number): boolean {
  for (const target of targets) if (before < target && after >= target) return true
  return false
}

/* Counting */

const FACTION_INDEX = new Map<string, number>(FACTION_COUNTERS.map((name, index) => [name, index]))
/** By number of a player's counter: the counter of factions that sums it up; -1 for none. */
const SUMMED_AS: readonly number[] = PLAYER_COUNTERS.map((name) => FACTION_INDEX.get(name) ?? -1)

/** Sets a counter of a faction that has risen. */
function setFaction(world: World, faction: Row, counter: number, value: number): void {
  const { counters } = world.write(FactionFeats)
  const index = faction * FACTION_COUNTERS_WIDTH + counter
  const before = counters[index]
  assert(value >= before, 'a counter of a faction falls')
  counters[index] = value
  if (passesTarget(FACTION_BOOK.targets[counter], before, value)) {
    addToSet(world.index(MARKS).factions, faction, counter)
  }
}

/** Adds to a counter of a faction; it stops at 2^53-1. */
export function raiseFaction(world: World, faction: Row, name: FactionCounter, n: number): void {
  assert(faction !== 0 && Number.isSafeInteger(n) && n >= 0, `counting ${n} ${name} of a faction`)
  const counter = FACTION_INDEX.get(name) as number
  setFaction(world, faction, counter, Math.min(MAX_SAFE, factionValue(world, faction, counter) + n))
}

/** Records a figure of a faction whose highest value counts. */
export function recordPeak(world: World, faction: Row, name: FactionPeak, value: number): void {
  assert(faction !== 0 && Number.isSafeInteger(value), `recording ${value} ${name} of a faction`)
  const counter = FACTION_INDEX.get(name) as number
  if (value > factionValue(world, faction, counter)) setFaction(world, faction, counter, value)
}

/**
 * Records that a counter of a player has risen, and adds the rise to the counter of their faction
 * that sums it up.
 */
function recordRise(
  world: World,
  player: Eid,
  counter: number,
  before: number,
  after: number,
): void {
  if (passesTarget(PLAYER_BOOK.targets[counter], before, after)) {
    addToSet(world.index(MARKS).players, player, counter)
  }
  const sum = SUMMED_AS[counter]
  if (sum < 0 || after === before) return
  const faction = world.read(Membership).faction[player]
  if (faction === 0) return
  const value = factionValue(world, faction, sum) + after - before
  setFaction(world, faction, sum, Math.min(MAX_SAFE, value))
}

/** Records that a lifetime counter has risen; `counter` is its index into STATS. For addStat. */
export const recordStat = recordRise

/** Adds to one of the OWN_COUNTERS of a player; it stops at 2^53-1. */
export function raiseCounter(world: World, player: Eid, name: OwnCounter, n = 1): void {
  assert(player !== 0 && Number.isSafeInteger(n) && n >= 0, `counting ${n} ${name}`)
  const index = OWN_COUNTERS.indexOf(name)
  const { counters } = world.write(PlayerFeats)
  const cell = player * PLAYER_COUNTERS_WIDTH + index
  const before = counters[cell]
  counters[cell] = Math.min(MAX_SAFE, before + n)
  recordRise(world, player, FIRST_OWN + index, before, counters[cell])
}

/** Records that a player's level in a skill has risen; `skill` is its index into SKILLS. */
export function recordLevel(
  world: World,
  player: Eid,
  skill: number,
  { before, after }: { readonly before: number; readonly after: number },
): void {
  recordRise(world, player, FIRST_SKILL + skill, before, after)
  raiseCounter(world, player, 'skill_levels_gained', after - before)
}

/** Sets the bit of an achievement. */
export function setEarned(world: World, kind: Kind, holder: Row, no: number): void {
  assert(no < 32 * kind.words, `there is no bit for achievement ${no}`)
  assert(!hasEarned(world, kind, holder, no), `achievement ${no} is earned twice`)
  const { earned } = world.write(kind.feats as typeof PlayerFeats)
  const index = holder * kind.words + (no >>> 5)
  earned[index] = (earned[index] | (1 << (no & 31))) >>> 0
}

/**
 * Marks all who meet the conditions of an achievement not earned yet, after a start: they met them
 * in the last batches before the start, or a new release added the achievement.
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
        addToSet(marks, holder, kind.book.counters.get(name) as number)
      }
    }
  }
}
