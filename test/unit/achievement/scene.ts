/** Worlds and shortcuts for tests of achievements. */
import type { AchievementRow } from '../../../core/catalog/index.ts'
import type { Eid, Row, WorldView } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import {
  counterOf,
  hasEarned,
  OF_FACTIONS,
  OF_PLAYERS,
} from '../../../systems/achievement/model.ts'
import type { SmallWorld } from '../../small-world.ts'

interface Shown {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly points: number
  readonly earned: boolean
  readonly hidden: boolean
  readonly earned_at?: string
  readonly progress?: { readonly current: number; readonly target: number }
}

interface List {
  readonly achievements: readonly Shown[]
  readonly summary: { readonly earned: number; readonly points: number; readonly total: number }
  readonly message: string
}

/** Returns the achievements that a player is shown, their own or those of their faction. */
export function listOf(small: SmallWorld, player: Eid, faction = false): List {
  const command = faction ? 'get_faction_achievements' : 'get_achievements'
  const outcome = small.ask(player, command)
  if (!outcome.ok) throw new Error(outcome.code)
  return outcome.result as List
}

export function shownOf(small: SmallWorld, player: Eid, id: string, faction = false): Shown {
  const found = listOf(small, player, faction).achievements.find((row) => row.id === id)
  if (!found) throw new Error(`${id} is not shown`)
  return found
}

const kindOf = (faction: boolean) => (faction ? OF_FACTIONS : OF_PLAYERS)

export function rowOf(id: string, faction = false): AchievementRow {
  const row = kindOf(faction).book.byId.get(id)
  if (!row) throw new Error(`no achievement ${id}`)
  return row
}

export const has = (small: SmallWorld, holder: Eid, id: string, faction = false): boolean =>
  hasEarned(small.world, kindOf(faction), holder, rowOf(id, faction).no)

/** Returns the value of a player's counter, lifetime counters included. */
export const counted = (view: WorldView, player: Eid, name: string): number =>
  counterOf(view, OF_PLAYERS, player, name)

/** Returns the value of a faction's counter. */
export const countedOf = (view: WorldView, faction: Row, name: string): number =>
  counterOf(view, OF_FACTIONS, faction, name)

/** Returns the ids in events sent to a player since the last call, by event. */
export function unlocksOf(small: SmallWorld, player: Eid, faction = false): string[][] {
  const number = small.world.read(Player).seq[player]
  return small
    .takeEmissions()
    .filter(({ type, to }) => type === 'achievement_unlocked' && to.includes(number))
    .map(({ payload }) => payload as { faction?: boolean; achievements: { id: string }[] })
    .filter((payload) => (payload.faction ?? false) === faction)
    .map(({ achievements }) => achievements.map(({ id }) => id))
}

interface LogLine {
  readonly player: number
  readonly category: string
  readonly eventType: string
  readonly factionId?: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Returns the lines of the action log of all players and factions, in order. */
export const logOf = (small: SmallWorld): LogLine[] =>
  (small.store.archive.rows.get('logActions') ?? []).flatMap(
    ({ args }) => (args as unknown as { rows: LogLine[] }).rows,
  )
