/**
 * Earning: at the end of a tick whoever is marked is tested, once, against the definitions of the
 * counters that rose. Source: missions.md sections 6, 9.
 */
import { assert } from '../../core/assert.ts'
import { ACHIEVEMENT_CREDITS_SUM_MAX, type AchievementRow } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { canReceive, namedAccount } from '../../core/ledger.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { walletOf } from '../account/rules.ts'
import { Faction } from '../faction/columns.ts'
import { membersOf, noteFactionLog } from '../faction/rules.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { awardXp } from '../skill/rules.ts'
import { PlayerFeats } from './columns.ts'
import { achievementUnlocked } from './events.ts'
import {
  aliveIn,
  earnedBy,
  isDue,
  type Kind,
  numberOf,
  OF_FACTIONS,
  OF_PLAYERS,
  setEarned,
} from './rules.ts'

/** Takes the marks of a player or faction; undefined for none. */
function takeMarks(world: World, kind: Kind, holder: Row): Set<number> | undefined {
  const marks = kind.marks(world)
  const marked = marks.get(holder)
  marks.delete(holder)
  return marked
}

/** Sets the bits of all that is due by these counters and what comes after it; in their order. */
function claim(world: World, kind: Kind, holder: Row, marked: Set<number>): AchievementRow[] {
  const found: AchievementRow[] = []
  const open = [...marked].flatMap((counter) => kind.book.byCounter[counter])
  for (const row of open) {
    if (!isDue(world, kind, holder, row)) continue
    setEarned(world, kind, holder, row.no)
    found.push(row)
    open.push(...(kind.book.followers.get(row.id) ?? []))
  }
  assert(found.length <= kind.book.rows.length, 'more is earned than there is')
  // the order in which counters rose must not show
  return found.sort((a, b) => a.no - b.no)
}

/** Notes when it was. */
function remember(world: World, kind: Kind, holder: Row, rows: readonly AchievementRow[]): void {
  const added = rows.map(({ no }) => [no, world.wallMs] as const)
  const key = String(numberOf(world, kind, holder))
  world.records(kind.records).set(key, [...earnedBy(world, kind, holder), ...added])
}

const shown = (rows: readonly AchievementRow[]) =>
  rows.map(({ id, name, description, category, points }) => ({
    ...{ id, name, description, category, points },
  }))

/** Credits an achievement pays: no more than all of them may, nor than the wallet takes. */
function payable(world: World, player: Eid, credits: number): number {
  const left = ACHIEVEMENT_CREDITS_SUM_MAX - world.read(PlayerFeats).paid[player]
  const due = Math.min(credits, Math.max(0, left))
  return canReceive(world, walletOf(world, player), due) ? due : 0
}

/** Pays and teaches what an achievement brings, and logs it. The credits are not taxable. */
function reward(world: World, player: Eid, { id, name, points, rewards }: AchievementRow): void {
  const credits = payable(world, player, rewards.credits ?? 0)
  const said = `Earned the achievement "${name}".`
  const titles = {
    ...(rewards.title === undefined ? {} : { title: rewards.title }),
    ...(rewards.emblem === undefined ? {} : { emblem: rewards.emblem }),
  }
  const data = { achievement_id: id, points, ...titles }
  if (credits === 0) logAction(world, player, 'achievement', 'unlocked', said, data)
  else {
    const [from, to] = [namedAccount('achievements'), walletOf(world, player)]
    world.write(PlayerFeats).paid[player] += credits
    creditMove(world, player, from, to, credits, 'achievement', 'unlocked', said, data)
  }
  for (const [skill, xp] of Object.entries(rewards.skill_xp ?? {})) {
    awardXp(world, player, skill, xp)
  }
}

/** What a reward teaches may earn more: until nothing is marked, each thing once. */
function unlockPlayer(world: World, player: Eid): void {
  const all: AchievementRow[] = []
  for (;;) {
    const marked = takeMarks(world, OF_PLAYERS, player)
    if (!marked) break
    const rows = claim(world, OF_PLAYERS, player, marked)
    for (const row of rows) reward(world, player, row)
    all.push(...rows)
  }
  if (all.length === 0) return
  remember(world, OF_PLAYERS, player, all)
  emit(world, achievementUnlocked, { achievements: shown(all) }, toPlayer(player))
}

/** Tells every member; the log names the leader as who stands for all of them. */
function unlockFaction(world: World, faction: Row): void {
  const marked = takeMarks(world, OF_FACTIONS, faction)
  if (!marked) return
  const rows = claim(world, OF_FACTIONS, faction, marked)
  if (rows.length === 0) return
  remember(world, OF_FACTIONS, faction, rows)
  const payload = { achievements: shown(rows), faction: true }
  emit(world, achievementUnlocked, payload, {
    kind: 'players',
    rows: [...membersOf(world, faction)],
  })
  for (const { id, name, points } of rows) {
    noteFactionLog(world, faction, world.read(Faction).leader[faction], {
      verb: 'achievement_unlocked',
      summary: `Earned the achievement "${name}".`,
      data: { achievement_id: id, points },
    })
  }
}

/** Those marked who are still there, in the order of their numbers. */
function holders(world: World, kind: Kind): Row[] {
  const marks = kind.marks(world)
  const alive = aliveIn(world, kind)
  const rows = [...marks.keys()].filter((row) => alive[row] === 1)
  if (rows.length < marks.size) for (const row of marks.keys()) if (!alive[row]) marks.delete(row)
  return rows.sort((a, b) => numberOf(world, kind, a) - numberOf(world, kind, b))
}

/** Everything that this tick has earned anybody. O(those marked). */
export function unlockAll(world: World): void {
  for (const player of holders(world, OF_PLAYERS)) unlockPlayer(world, player)
  for (const faction of holders(world, OF_FACTIONS)) unlockFaction(world, faction)
}
