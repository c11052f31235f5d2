/** Renders a row of a battle's log for its topic: shortened, in whole numbers. Source: WEB 2. */
import { BATTLE_TOPIC_BYTES_MAX, BATTLE_TOPIC_SHIPS_MAX } from '../../core/limits.ts'
import type { LogRow } from '../../core/public/battle-log.ts'
import type { TopicData } from '../../core/public/topics.ts'
import { DAMAGE_TYPES, RINGS } from '../combat/state.ts'

type Turn = TopicData['battle']
type Snapshot = LogRow['snapshots'][number]

const zoneOf = (zone: string | undefined): number =>
  (RINGS as readonly (string | undefined)[]).indexOf(zone)

function shipOf({ player_id, username, side_id, ship_class, kind }: Snapshot) {
  const ship: Turn['ships'][number] = { id: player_id, name: username, side: side_id }
  if (ship_class !== undefined) ship.ship_class = ship_class
  if (kind !== undefined) ship.kind = kind
  return ship
}

/** Lists the states of ships, eight numbers each. */
function statesOf(shown: readonly Snapshot[]): number[] {
  const states: number[] = []
  for (const [index, ship] of shown.entries()) {
    states.push(index, zoneOf(ship.zone), ship.hull, ship.max_hull, ship.shield, ship.max_shield)
    states.push(ship.damage_dealt, ship.kill_count)
  }
  return states
}

/** Lists six numbers for each pair of listed ships and type of damage between them. */
function linesOf(row: LogRow, places: ReadonlyMap<string, number>): number[] {
  const lines = new Map<number, number>()
  const listed: number[] = []
  for (const attack of row.attacks ?? []) {
    const [from, to] = [places.get(attack.attacker_id), places.get(attack.target_id)]
    if (from === undefined || to === undefined) continue
    const type = (DAMAGE_TYPES as readonly string[]).indexOf(attack.damage_type)
    const key = (from * BATTLE_TOPIC_SHIPS_MAX + to) * (DAMAGE_TYPES.length + 1) + type + 1
    let offset = lines.get(key)
    if (offset === undefined) {
      offset = listed.push(from, to, type, 0, 0, 0) - 6
      lines.set(key, offset)
    }
    listed[offset + 3] += 1
    listed[offset + 4] += attack.hit_success ? 1 : 0
    listed[offset + 5] += attack.final_damage
  }
  return listed
}

function turnOf(row: LogRow, count: number): Turn {
  const shown = row.snapshots.slice(0, count)
  const places = new Map(shown.map(({ player_id }, index) => [player_id, index]))
  const moves = (row.zone_moves ?? []).flatMap(({ player_id, old_zone, new_zone }) => {
    const place = places.get(player_id)
    return place === undefined ? [] : [place, zoneOf(old_zone), zoneOf(new_zone)]
  })
  const kills = (row.kills ?? []).slice(0, count).map((kill) => ({
    killer: kill.killer_username,
    victim: kill.victim_username,
    cause: kill.cause,
  }))
  const more = row.snapshots.length - shown.length
  const { battle_ended: ended } = row
  const isWon = ended && ended.winning_side !== undefined && ended.winning_side > 0
  return {
    tick: row.tick,
    battle_id: row.battle_id,
    ships: shown.map(shipOf),
    states: statesOf(shown),
    attacks: linesOf(row, places),
    damage_types: [...DAMAGE_TYPES],
    moves,
    zones: [...RINGS],
    kills,
    ...(more > 0 ? { more } : {}),
    ...(ended
      ? {
          ended: {
            outcome: ended.outcome,
            ...(isWon ? { winning_side: ended.winning_side } : {}),
          },
        }
      : {}),
  }
}

/** Estimates the bytes of a turn as JSON, since names and numbers are short. */
const bytesOf = ({ ships, states, attacks, moves, kills }: Turn): number =>
  ships.length * 130 + (states.length + attacks.length + moves.length) * 5 + kills.length * 90

/** Renders a row of the log for the topic, with as many ships as there is room for. */
export function renderTurn(row: LogRow): Turn {
  let count = Math.min(row.snapshots.length, BATTLE_TOPIC_SHIPS_MAX)
  let turn = turnOf(row, count)
  while (count > 1 && bytesOf(turn) > BATTLE_TOPIC_BYTES_MAX) {
    count = count >> 1
    turn = turnOf(row, count)
  }
  return turn
}
