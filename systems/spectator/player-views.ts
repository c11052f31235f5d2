/** Players as strangers know them: who they are, and what they had done by the last hour. */
import { EMPIRES } from '../../core/catalog/index.ts'
import type { PlayerCard, PlayerRecord } from '../../core/public/frame.ts'
import { colorText } from '../../core/text-rules.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { statIndex, usernameOf } from '../account/model.ts'
import { Player, PlayerStats, STATS_WIDTH, type StatName } from '../account/state.ts'
import { earnedBy, OF_PLAYERS } from '../achievement/model.ts'
import { factionName, factionOf, factionTag, roleOf } from '../faction/model.ts'
import { Faction, Membership } from '../faction/state.ts'
import { textField } from './faction-views.ts'

function renderMembership(view: WorldView, player: Eid): Pick<PlayerCard, 'faction'> {
  const faction = factionOf(view, player)
  if (faction === 0) return {}
  return {
    faction: {
      name: factionName(view, faction),
      tag: factionTag(view, faction),
      role: roleOf(view, player).name,
      joined_at: isoTime(view.read(Membership).joinedMs[player]),
    },
  }
}

export function renderCard(view: WorldView, player: Eid): PlayerCard {
  const row = view.read(Player)
  const { id, name } = EMPIRES[row.empire[player]]
  return {
    username: usernameOf(view, player),
    empire: id,
    empire_name: name,
    ...textField('clan_tag', view.texts.get(row.clanTag[player])),
    ...textField('status_message', view.texts.get(row.statusMessage[player])),
    primary_color: colorText(row.primaryColor[player]),
    secondary_color: colorText(row.secondaryColor[player]),
    created_at: isoTime(row.createdMs[player]),
    ...renderMembership(view, player),
  }
}

/** Returns a function that gives a number for a player, which changes whenever their card does. */
export function cardSigner(view: WorldView): (player: Eid) => number {
  const { username, clanTag, statusMessage, primaryColor, secondaryColor } = view.read(Player)
  const { faction, role, joinedTick } = view.read(Membership)
  const { name, tag } = view.read(Faction)
  return (player) => {
    const ownFaction = faction[player]
    let sum = Math.imul(username[player], 31) + clanTag[player]
    sum = Math.imul(sum, 31) + statusMessage[player]
    sum = Math.imul(sum, 31) + primaryColor[player]
    sum = Math.imul(sum, 31) + secondaryColor[player]
    sum = Math.imul(sum, 31) + role[player] + joinedTick[player]
    return (Math.imul(sum, 31) + name[ownFaction] + Math.imul(tag[ownFaction], 7)) | 0
  }
}

/** Counters of a profile by their names; those that we do not count are 0. Source: WEB 1.5. */
const STATS: Readonly<Record<keyof PlayerRecord['stats'], StatName | undefined>> = {
  credits_earned: 'credits_earned',
  ships_destroyed: 'ships_destroyed',
  ships_lost: 'times_destroyed',
  pirates_destroyed: 'pirates_destroyed',
  damage_dealt: 'damage_dealt',
  ore_mined: 'ore_mined',
  items_crafted: 'items_crafted',
  trades_completed: 'trades_completed',
  exchange_credits_earned: 'exchange_credits_earned',
  missions_completed: 'missions_completed',
  systems_explored: 'systems_visited',
  jumps_completed: 'jumps_completed',
  distance_traveled: 'distance_traveled',
  wormholes_traversed: 'wormholes_traversed',
  time_played: undefined,
  times_docked: 'times_docked',
}

/** The counters of a profile with their indexes in the columns; -1: not counted. */
const COUNTERS = Object.entries(STATS).map(
  ([name, stat]) => [name, stat === undefined ? -1 : statIndex(stat)] as const,
)

/** Renders the hourly record of a player. */
export function recordOfPlayer(view: WorldView, player: Eid): PlayerRecord {
  const { values } = view.read(PlayerStats)
  const stats: Record<string, number> = {}
  const first = player * STATS_WIDTH
  for (const [name, index] of COUNTERS) stats[name] = index < 0 ? 0 : values[first + index]
  return {
    stats: stats as PlayerRecord['stats'],
    earned: earnedBy(view, OF_PLAYERS, player),
  }
}

const TWO_TO_32 = 2 ** 32

/** The indexes of the counters that are counted. */
const COUNTED: readonly number[] = COUNTERS.flatMap(([, index]) => (index < 0 ? [] : index))

/** Returns a number that changes whenever the record of a player does. */
export function recordSignature(view: WorldView, player: Eid): number {
  const { values } = view.read(PlayerStats)
  let sum = earnedBy(view, OF_PLAYERS, player).length
  for (let i = 0; i < COUNTED.length; i++) {
    const value = values[player * STATS_WIDTH + COUNTED[i]]
    // `| 0` keeps the low 32 bits; the higher ones are mixed in after.
    sum = (Math.imul(sum, 31) + (value | 0)) | 0
    if (value >= TWO_TO_32) sum = (Math.imul(sum, 31) + Math.trunc(value / TWO_TO_32)) | 0
  }
  return sum
}
