/** Turns messages of the topic of a battle, in which ships are numbers, into rows of a replay. */
import type { TopicData } from '../core/public/topics.ts'
import type { FireLine, ReplayRow } from './battle-model.ts'

export type BattleTurn = TopicData['battle']

/** Splits a list of numbers into groups of `width`. */
function groupsOf(list: readonly number[], width: number): number[][] {
  const groups: number[][] = []
  for (let index = 0; index + width <= list.length; index += width)
    groups.push(list.slice(index, index + width))
  return groups
}

const STATE = 8
const ATTACK = 6
const MOVE = 3

/** Stands for a ship that is not in the list. */
const UNLISTED = { id: '', name: '', side: 0 }

type Kill = NonNullable<ReplayRow['kills']>[number]

/** Returns the kills; a victim is found by its name, or among wrecks if several share the name. */
function killsOf({ ships, states, kills }: BattleTurn): Kill[] {
  const wrecks = new Set(groupsOf(states, STATE).flatMap(([at, , hull]) => (hull > 0 ? [] : [at])))
  return kills.map(({ killer, victim, cause }) => {
    const named = ships.filter(({ name }) => name === victim)
    const lost = named.find((ship) => wrecks.has(ships.indexOf(ship))) ?? named[0]
    if (lost) wrecks.delete(ships.indexOf(lost))
    const by = killer === '' ? undefined : ships.find(({ name }) => name === killer)
    return {
      killer_id: by?.id ?? '',
      killer_username: killer,
      victim_id: lost?.id ?? '',
      victim_username: victim,
      cause,
    }
  })
}

function linesOf(turn: BattleTurn, kills: readonly Kill[]): FireLine[] {
  const { ships, damage_types } = turn
  return groupsOf(turn.attacks, ATTACK).map(([attacker, target, type, , hits, damage]) => {
    const from = (ships[attacker] ?? UNLISTED).id
    const to = (ships[target] ?? UNLISTED).id
    const killed =
      hits > 0 && kills.some(({ killer_id, victim_id }) => killer_id === from && victim_id === to)
    return { from, to, type: damage_types[type] ?? '', hit: hits > 0, damage, killed }
  })
}

function snapshotsOf({ ships, states, zones }: BattleTurn): ReplayRow['snapshots'] {
  return groupsOf(states, STATE).flatMap((state) => {
    const [at, zone, hull, max_hull, shield, max_shield, damage_dealt, kill_count] = state
    const ship = ships[at]
    if (!ship) return []
    const { id, name, side, ship_class, kind } = ship
    return {
      player_id: id,
      username: name,
      side_id: side,
      hull,
      max_hull,
      shield,
      max_shield,
      damage_dealt,
      kill_count,
      ...(zones[zone] ? { zone: zones[zone] } : {}),
      ...(ship_class ? { ship_class } : {}),
      ...(kind ? { kind } : {}),
    }
  })
}

/** Turns a message into a row. */
export function rowOfTopic(turn: BattleTurn): ReplayRow {
  const { tick, ships, zones, more, ended } = turn
  const kills = killsOf(turn)
  return {
    tick,
    snapshots: snapshotsOf(turn),
    lines: linesOf(turn, kills),
    isCut: (more ?? 0) > 0,
    zone_moves: groupsOf(turn.moves, MOVE).map(([at, old_zone, new_zone]) => ({
      player_id: (ships[at] ?? UNLISTED).id,
      old_zone: zones[old_zone] ?? '',
      new_zone: zones[new_zone] ?? '',
      reason: '',
    })),
    kills,
    ...(ended ? { battle_ended: ended } : {}),
  }
}
