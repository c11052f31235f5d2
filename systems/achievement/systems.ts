/** Invariants of achievements, and earning them at the end of a tick. */
import { assert } from '../../core/assert.ts'
import {
  ACHIEVEMENT_CREDITS_SUM_MAX,
  type AchievementRow,
  SKILL_COUNTER,
} from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { sampleOf } from '../../core/invariants.ts'
import { Account, balanceOf, canReceive, namedAccount } from '../../core/ledger.ts'
import { observe } from '../../core/occurrence.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { membersOf, recordFactionLog } from '../faction/model.ts'
import { disbanded, Faction } from '../faction/state.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { awardXp, XP_WRITES } from '../skill/rules.ts'
import {
  aliveIn,
  earnedBy,
  hasEarned,
  isDue,
  isMarked,
  KINDS,
  type Kind,
  OF_FACTIONS,
  OF_PLAYERS,
  seqOf,
} from './model.ts'
import { setEarned } from './rules.ts'
import { achievementUnlocked } from './schemas.ts'
import { FACTION_EARNED, PlayerFeats } from './state.ts'

/* Invariants of achievements. Source: missions.md sections 6, 10. */

/** Definitions other than those on skill levels, which genesis and test scenes set uncounted. */
const COUNTED = new Map(
  KINDS.map((kind) => [
    kind,
    kind.book.rows.filter(
      ({ criteria }) => !criteria.some(([counter]) => counter.startsWith(SKILL_COUNTER)),
    ),
  ]),
)

/** Checks that each achievement earned has a time, and that the one required before is earned. */
function checkEarned(view: WorldView, kind: Kind, holder: Row): void {
  const timed = new Array<number>(kind.words).fill(0)
  for (const [no] of earnedBy(view, kind, holder)) {
    timed[no >>> 5] |= 1 << (no & 31)
    const { after } = kind.book.byNumber.get(no) ?? {}
    const before = after === undefined ? undefined : kind.book.byId.get(after)
    if (before && !hasEarned(view, kind, holder, before.no)) {
      assert(false, `${kind.feats.name} ${holder} has ${no}, but not its prerequisite`)
    }
  }
  const { earned } = view.read(kind.feats as typeof PlayerFeats)
  for (let index = 0; index < kind.words; index++) {
    const untimed = earned[holder * kind.words + index] & ~timed[index]
    if (untimed !== 0) assert(false, `${kind.feats.name} ${holder}: bits without a time`)
  }
}

/** Checks a sample of a large world: two hundred definitions are tested for each player. */
export const featsHold: CheckDef = {
  name: 'achievements: each earned one has a time and its prerequisite; none is overlooked',
  run(view, full) {
    if (!full) return
    for (const kind of KINDS) {
      const alive = aliveIn(view, kind)
      const read = kind.book.reader(view)
      const counted = COUNTED.get(kind) ?? []
      const { first, step } = sampleOf(view, kind.table)
      for (let holder = first; holder <= view.highOf(kind.table); holder += step) {
        if (alive[holder] === 0) continue
        checkEarned(view, kind, holder)
        for (const row of counted) {
          if (!isDue(view, kind, holder, row, read) || isMarked(view, kind, holder, row)) continue
          assert(false, `${holder} has met ${row.id}, but is not marked`)
        }
      }
    }
  },
}

/** Checks every player: it reads two columns for each. */
export const featsPaid: CheckDef = {
  name: 'achievements: players were paid what their source paid, within the limit',
  run(view, full) {
    if (!full) return
    const { alive } = view.read(Player)
    const { paid } = view.read(PlayerFeats)
    let sum = 0
    for (let player = 1; player <= view.highOf(Player); player++) {
      if (alive[player] === 0) continue
      if (paid[player] > ACHIEVEMENT_CREDITS_SUM_MAX) assert(false, `${player} was paid too much`)
      sum += paid[player]
    }
    const given = -balanceOf(view, namedAccount('achievements'))
    assert(sum === given, `achievements paid ${sum}, their source gave ${given}`)
  },
}

/* Achievements of a disbanded faction. Source: factions.md section 3. */

export const forgetEarned = observe(disbanded, (world, { faction }) => {
  world.records(FACTION_EARNED).delete(String(world.read(Faction).seq[faction]))
})

/*
 * Earning: at the end of a tick each marked holder is tested once against the definitions of the
 * counters that rose. Source: missions.md sections 6, 9.
 */

/** Awards everything earned in this tick. O(those marked). */
function unlockAll(world: World): void {
  for (const player of markedHolders(world, OF_PLAYERS)) unlockPlayer(world, player)
  for (const faction of markedHolders(world, OF_FACTIONS)) unlockFaction(world, faction)
}

/** Runs last of its phase, after everything that counts. Source: missions.md section 9. */
export const unlock: SystemDef = {
  name: 'achievement.unlock',
  phase: 'settle',
  writes: [...XP_WRITES, Account],
  run: unlockAll,
}

/** Removes and returns the marks of a player or faction; undefined for none. */
function takeMarks(world: World, kind: Kind, holder: Row): Set<number> | undefined {
  const marks = kind.marks(world)
  const marked = marks.get(holder)
  marks.delete(holder)
  return marked
}

/** Awards what these counters make due, and what that unlocks; returns it sorted by number. */
function earnDue(world: World, kind: Kind, holder: Row, marked: Set<number>): AchievementRow[] {
  const found: AchievementRow[] = []
  const candidates = [...marked].flatMap((counter) => kind.book.byCounter[counter])
  for (const row of candidates) {
    if (!isDue(world, kind, holder, row)) continue
    setEarned(world, kind, holder, row.no)
    found.push(row)
    candidates.push(...(kind.book.followers.get(row.id) ?? []))
  }
  assert(found.length <= kind.book.rows.length, 'more achievements are earned than exist')
  // Sorted, so that the order in which counters rose does not show.
  return found.sort((a, b) => a.no - b.no)
}

/** Records what was earned, with the time. */
function recordEarned(
  world: World,
  kind: Kind,
  holder: Row,
  rows: readonly AchievementRow[],
): void {
  const added = rows.map(({ no }) => [no, world.wallMs] as const)
  const key = String(seqOf(world, kind, holder))
  world.records(kind.records).set(key, [...earnedBy(world, kind, holder), ...added])
}

const renderUnlocked = (rows: readonly AchievementRow[]) =>
  rows.map(({ id, name, description, category, points }) => ({
    id,
    name,
    description,
    category,
    points,
  }))

/**
 * Returns the credits that an achievement pays, within the bound of the sum; 0 where the wallet
 * cannot receive them.
 */
function payable(world: World, player: Eid, credits: number): number {
  const left = ACHIEVEMENT_CREDITS_SUM_MAX - world.read(PlayerFeats).paid[player]
  const due = Math.min(credits, Math.max(0, left))
  return canReceive(world, walletOf(world, player), due) ? due : 0
}

/** Pays the credits and XP of an achievement, and logs it. The credits are not taxable. */
function giveReward(
  world: World,
  player: Eid,
  { id, name, points, rewards }: AchievementRow,
): void {
  const credits = payable(world, player, rewards.credits ?? 0)
  const message = `Earned the achievement "${name}".`
  const titles = {
    ...(rewards.title === undefined ? {} : { title: rewards.title }),
    ...(rewards.emblem === undefined ? {} : { emblem: rewards.emblem }),
  }
  const data = { achievement_id: id, points, ...titles }
  if (credits === 0) logAction(world, player, 'achievement', 'unlocked', message, data)
  else {
    const [from, to] = [namedAccount('achievements'), walletOf(world, player)]
    world.write(PlayerFeats).paid[player] += credits
    creditMove(world, player, from, to, credits, 'achievement', 'unlocked', message, data)
  }
  for (const [skill, xp] of Object.entries(rewards.skill_xp ?? {})) {
    awardXp(world, player, skill, xp)
  }
}

/** Awards until nothing is marked: the XP of a reward may earn more. */
function unlockPlayer(world: World, player: Eid): void {
  const unlocked: AchievementRow[] = []
  for (;;) {
    const marked = takeMarks(world, OF_PLAYERS, player)
    if (!marked) break
    const rows = earnDue(world, OF_PLAYERS, player, marked)
    for (const row of rows) giveReward(world, player, row)
    unlocked.push(...rows)
  }
  if (unlocked.length === 0) return
  recordEarned(world, OF_PLAYERS, player, unlocked)
  emit(world, achievementUnlocked, { achievements: renderUnlocked(unlocked) }, toPlayer(player))
}

/** Awards a faction and notifies every member; the faction log names the leader as actor. */
function unlockFaction(world: World, faction: Row): void {
  const marked = takeMarks(world, OF_FACTIONS, faction)
  if (!marked) return
  const rows = earnDue(world, OF_FACTIONS, faction, marked)
  if (rows.length === 0) return
  recordEarned(world, OF_FACTIONS, faction, rows)
  const payload = { achievements: renderUnlocked(rows), faction: true }
  emit(world, achievementUnlocked, payload, {
    kind: 'players',
    rows: [...membersOf(world, faction)],
  })
  for (const { id, name, points } of rows) {
    recordFactionLog(world, faction, world.read(Faction).leader[faction], {
      verb: 'achievement_unlocked',
      summary: `Earned the achievement "${name}".`,
      data: { achievement_id: id, points },
    })
  }
}

/** Returns the marked holders that still exist, ordered by number, and unmarks the others. */
function markedHolders(world: World, kind: Kind): Row[] {
  const marks = kind.marks(world)
  const alive = aliveIn(world, kind)
  const rows = [...marks.keys()].filter((row) => alive[row] === 1)
  if (rows.length < marks.size) for (const row of marks.keys()) if (!alive[row]) marks.delete(row)
  return rows.sort((a, b) => seqOf(world, kind, a) - seqOf(world, kind, b))
}
