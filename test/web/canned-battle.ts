/**
 * Makes battles for the page to show, from a seed: they have the shape of real ones but do not
 * follow the rules of the game.
 */
import type { LogRow } from '../../core/public/battle-log.ts'
import type { BattleLogBody, BattleSummary } from '../../core/public/past.ts'
import type { TopicData } from '../../core/public/topics.ts'

type Snapshot = LogRow['snapshots'][number]
type Attack = NonNullable<LogRow['attacks']>[number]

const ZONES = ['engaged', 'inner', 'mid', 'outer']
const CLASSES = [
  { id: 'wisp', hull: 240, shield: 160, damage: 18 },
  { id: 'reaver', hull: 620, shield: 420, damage: 34 },
  { id: 'bulwark', hull: 1_800, shield: 900, damage: 55 },
]
const TYPES = ['kinetic', 'energy', 'explosive', 'thermal', 'em', 'void']
const NAMES = ['Arden', 'Bly', 'Corvin', 'Dara', 'Esk', 'Fenn', 'Gale', 'Hollis', 'Ines', 'Jory']

/** Makes a Lehmer generator: the same seed gives the same battle. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state * 48_271) % 2_147_483_647
    return state % sides
  }
}

export interface CannedBattle {
  readonly id?: string
  readonly seed?: number
  readonly from?: number
  readonly ticks?: number
  /** Ships of each side. */
  readonly sides?: readonly number[]
  readonly isOver?: boolean
  /** Name of the first ship. */
  readonly firstName?: string
}

type Ship = Snapshot & { damage: number; isOut: boolean }

function fleet(sides: readonly number[], firstName: string): Ship[] {
  return sides.flatMap((count, index) =>
    Array.from({ length: count }, (_, n): Ship => {
      const form = CLASSES[(n * 7 + index) % CLASSES.length]
      const isPirate = index === 1 && n % 3 === 2
      const name = `${NAMES[(n + index * 5) % NAMES.length]} ${index + 1}${n > 9 ? `-${n}` : ''}`
      return {
        player_id: `ship_${index + 1}_${n}`,
        username: index === 0 && n === 0 ? firstName : name,
        kind: isPirate ? 'pirate' : 'player',
        ship_class: form.id,
        side_id: index + 1,
        stance: 'fire',
        auto_pilot: n % 2 === 1,
        zone: 'outer',
        hull: form.hull,
        max_hull: form.hull,
        shield: form.shield,
        max_shield: form.shield,
        fuel: 90,
        max_fuel: 100,
        flee_counter: 0,
        x: 0,
        y: 0,
        damage_dealt: 0,
        damage_taken: 0,
        kill_count: 0,
        modules: [
          { name: 'Autocannon I', category: 'weapon', current_ammo: 180, magazine_size: 200 },
          { name: 'Shield Booster I', category: 'defense' },
        ],
        damage: form.damage,
        isOut: false,
      }
    }),
  )
}

function shot(from: Ship, to: Ship, roll: (sides: number) => number): Attack {
  const hit = roll(10) < 7
  const damage = hit ? from.damage + roll(from.damage) : 0
  const shield_damage = Math.min(to.shield, damage)
  const hull_damage = Math.min(to.hull, damage - shield_damage)
  to.shield -= shield_damage
  to.hull -= hull_damage
  to.damage_taken += damage
  from.damage_dealt += damage
  const chance = 70
  return {
    attacker_id: from.player_id,
    target_id: to.player_id,
    damage_type: TYPES[from.player_id.length % 2 === 0 ? roll(6) : from.side_id % 6],
    hit_chance: chance,
    hit_roll: hit ? roll(chance) : chance + roll(30),
    hit_success: hit,
    zone_distance: ZONES.indexOf(from.zone ?? '') + ZONES.indexOf(to.zone ?? ''),
    raw_damage: damage,
    weapon_skill_pct: 0,
    pre_hit_damage: damage,
    final_damage: damage,
    shield_damage,
    hull_damage,
    weapons: [],
    ...(to.hull === 0 && hull_damage > 0 ? { killed: true } : {}),
  }
}

interface Turn {
  readonly ships: Ship[]
  readonly roll: (sides: number) => number
  readonly row: LogRow
}

function advance({ ships, roll, row }: Turn): void {
  const moves: NonNullable<LogRow['zone_moves']> = []
  for (const ship of ships) {
    const zone = ZONES.indexOf(ship.zone ?? '')
    const floor = ship.player_id.length % 2
    if (ship.isOut || zone <= floor || roll(4) > 0) continue
    ship.zone = ZONES[zone - 1]
    const player_id = ship.player_id
    moves.push({ player_id, old_zone: ZONES[zone], new_zone: ship.zone, reason: 'advance' })
  }
  if (moves.length > 0) row.zone_moves = moves
}

function exchangeFire({ ships, roll, row }: Turn): void {
  const attacks: Attack[] = []
  const kills: NonNullable<LogRow['kills']> = []
  for (const ship of ships) {
    if (ship.isOut) continue
    const enemies = ships.filter((other) => !other.isOut && other.side_id !== ship.side_id)
    const target =
      enemies.find(({ player_id }) => player_id === ship.target_id) ?? enemies[roll(enemies.length)]
    if (!target) continue
    ship.target_id = target.player_id
    const attack = shot(ship, target, roll)
    attacks.push(attack)
    if (!attack.killed) continue
    target.isOut = true
    kills.push({
      killer_id: ship.player_id,
      killer_username: ship.username,
      victim_id: target.player_id,
      victim_username: target.username,
      cause: ship.kind ?? 'player',
    })
  }
  if (attacks.length > 0) row.attacks = attacks
  if (kills.length > 0) row.kills = kills
}

/** Makes the rows of a battle, until only one side is left or the ticks have run out. */
export function cannedRows(options: CannedBattle = {}): LogRow[] {
  const { id = 'battle_1', seed = 7, from = 48_000, ticks = 60, sides = [5, 6] } = options
  const roll = dice(seed)
  const ships = fleet(sides, options.firstName ?? 'Arden 1')
  const rows: LogRow[] = []
  for (let index = 0; index < ticks; index++) {
    const row: LogRow = { battle_id: id, system_id: 'sol', tick: from + index, snapshots: [] }
    if (index === 0) {
      row.joins = ships.map(({ player_id, username, side_id }) => ({
        player_id,
        username,
        side_id,
      }))
    }
    const before = ships.filter(({ isOut }) => !isOut)
    advance({ ships, roll, row })
    exchangeFire({ ships, roll, row })
    row.snapshots = before.map(({ damage: _, isOut: __, ...shown }) => ({ ...shown }))
    for (const kill of row.kills ?? []) {
      const killer = ships.find(({ player_id }) => player_id === kill.killer_id)
      if (killer) killer.kill_count += 1
    }
    rows.push(row)
    const left = new Set(ships.filter(({ isOut }) => !isOut).map(({ side_id }) => side_id))
    if (left.size < 2) break
  }
  return rows
}

/** Returns the summary that belongs to rows. */
export function cannedSummary(
  rows: readonly LogRow[],
  options: CannedBattle = {},
  change: Partial<BattleSummary> = {},
): BattleSummary {
  const { id = 'battle_1', isOver = true } = options
  const known = new Map(
    rows.flatMap(({ snapshots }) => snapshots.map((shown) => [shown.player_id, shown])),
  )
  const ships = [...known.values()]
  const kills = rows.flatMap((row) => row.kills ?? [])
  const best = [...ships].sort((a, b) => b.damage_dealt - a.damage_dealt)[0]
  const sides = [...new Set(ships.map(({ side_id }) => side_id))].sort((a, b) => a - b)
  return {
    battle_id: id,
    system_id: 'sol',
    system_name: 'Sol',
    status: isOver ? 'completed' : 'active',
    category: 'pvp',
    start_tick: rows[0]?.tick ?? 0,
    duration_ticks: rows.length,
    participant_count: ships.length,
    sides: sides.map((side_id) => ({
      side_id,
      ...(side_id === 1 ? { faction_id: 'faction_1', faction_tag: 'LANT' } : {}),
      participants: ships.filter((ship) => ship.side_id === side_id).map((ship) => ship.username),
    })),
    total_damage: ships.reduce((sum, { damage_dealt }) => sum + damage_dealt, 0),
    ships_destroyed: kills.length,
    ships_captured: 0,
    captures: [],
    destroyed_names: kills.map(({ victim_username }) => victim_username),
    player_names: ships.filter(({ kind }) => kind === 'player').map(({ username }) => username),
    ...(best ? { top_damage: { username: best.username, damage: best.damage_dealt } } : {}),
    ...(isOver ? { outcome: 'victory', winning_side: 1, ended_at: '2026-11-20T10:20:30Z' } : {}),
    ...change,
  }
}

/** Answers `/api/battle/log` out of rows. */
export function cannedLog(rows: readonly LogRow[], query: URLSearchParams): BattleLogBody {
  const from = Number(query.get('tick_start') ?? 0)
  const to = Number(query.get('tick_end') ?? Number.MAX_SAFE_INTEGER)
  const limit = Math.min(200, Number(query.get('limit') ?? 50))
  const found = rows.filter(({ tick }) => tick >= from && tick <= to)
  return {
    battle_id: rows[0]?.battle_id ?? '',
    status: 'completed',
    total_ticks: rows.length,
    has_more: found.length > limit,
    entries: found.slice(0, limit),
  }
}

/** Returns a row in the form in which the topic of its battle sends it. */
export function cannedTurn({ tick, battle_id, ...row }: LogRow): TopicData['battle'] {
  const place = new Map(row.snapshots.map(({ player_id }, index) => [player_id, index]))
  const indexOf = (id: string) => place.get(id) ?? -1
  return {
    tick,
    battle_id,
    ships: row.snapshots.map(({ player_id, username, side_id, ship_class, kind }) => ({
      id: player_id,
      name: username,
      side: side_id,
      ...(ship_class ? { ship_class } : {}),
      ...(kind ? { kind } : {}),
    })),
    states: row.snapshots.flatMap((ship, index) => [
      index,
      ZONES.indexOf(ship.zone ?? ''),
      ship.hull,
      ship.max_hull,
      ship.shield,
      ship.max_shield,
      ship.damage_dealt,
      ship.kill_count,
    ]),
    attacks: (row.attacks ?? []).flatMap((attack) => [
      indexOf(attack.attacker_id),
      indexOf(attack.target_id),
      TYPES.indexOf(attack.damage_type),
      1,
      Number(attack.hit_success),
      attack.shield_damage + attack.hull_damage,
    ]),
    moves: (row.zone_moves ?? []).flatMap(({ player_id, old_zone, new_zone }) => [
      indexOf(player_id),
      ZONES.indexOf(old_zone),
      ZONES.indexOf(new_zone),
    ]),
    zones: ZONES,
    damage_types: TYPES,
    kills: (row.kills ?? []).map(({ killer_username, victim_username, cause }) => ({
      killer: killer_username,
      victim: victim_username,
      cause,
    })),
  }
}
