/**
 * The replay of a battle: turns rows of its log into frames, one per tick, which the rings, the
 * scoreboard and the timeline show. Pure functions without access to the page.
 */
import type { LogRow } from '../core/public/battle-log.ts'

type LogSnapshot = LogRow['snapshots'][number]
type Always = 'player_id' | 'username' | 'side_id' | 'hull' | 'max_hull' | 'shield' | 'max_shield'
type Snapshot = Pick<LogSnapshot, Always> & Partial<LogSnapshot>
/** A row from the archive, or a shorter one from the topic of a battle (battle-topic.ts). */
export type ReplayRow = Omit<
  LogRow,
  'battle_id' | 'system_id' | 'snapshots' | 'battle_ended' | 'attacks'
> & {
  readonly snapshots: readonly Snapshot[]
  readonly attacks?: LogRow['attacks']
  /** Replaces `attacks` in rows from the topic, without their stages. */
  readonly lines?: readonly FireLine[]
  /** Whether some ships are not listed. */
  readonly isCut?: boolean
  readonly battle_ended?: { readonly outcome: string; readonly winning_side?: number }
}
type Attack = NonNullable<LogRow['attacks']>[number]

/** Rings from the innermost outwards: the index is the value of the ring. */
export const RINGS = ['engaged', 'inner', 'mid', 'outer'] as const
type Fate = 'fighting' | 'destroyed' | 'escaped' | 'captured' | 'left'

export interface Combatant {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly shipClass: string
  readonly side: number
  readonly ring: number
  readonly hull: number
  readonly hullMax: number
  readonly shield: number
  readonly shieldMax: number
  readonly stance: string
  readonly target: string
  readonly dealt: number
  readonly taken: number
  readonly kills: number
  readonly autopilot: boolean
  readonly effects: readonly string[]
  readonly magazines: NonNullable<Snapshot['modules']>
  readonly fate: Fate
  /** Tick in which the fate was decided; 0 while fighting. */
  readonly fateTick: number
}

/** Everything one ship fired at another with one type of damage in a tick. */
export interface FireLine {
  readonly from: string
  readonly to: string
  readonly type: string
  readonly hit: boolean
  readonly damage: number
  readonly killed: boolean
  /** Only in rows from the log. */
  readonly stages?: ShotStages
}

/** Only some of the stages, to save memory; chance and roll are in percent. */
interface ShotStages {
  readonly chance: number
  readonly roll: number
  readonly shield: number
  readonly hull: number
  readonly isSplash: boolean
}

type EventKind = 'join' | 'kill' | 'move' | 'leave' | 'boarding' | 'capture' | 'end'
export interface BattleEvent {
  readonly tick: number
  readonly kind: EventKind
  readonly text: string
  /** Ships involved; a click selects the first. */
  readonly ids: readonly string[]
}

export interface Frame {
  readonly tick: number
  /** In order of appearance; lost ships stay, with their fate. */
  readonly ships: readonly Combatant[]
  readonly lines: readonly FireLine[]
  readonly events: readonly BattleEvent[]
  readonly damage: number
  readonly kills: number
}

export interface Replay {
  readonly frames: readonly Frame[]
}
export const NO_REPLAY: Replay = { frames: [] }

/** From this many on, a row may list only some of the ships. */
const LISTED_WHOLE_MAX = 200

const names = (ships: ReadonlyMap<string, Combatant>) => (id: string) =>
  ships.get(id)?.name || 'an unknown ship'

function effectsOf(shot: Snapshot): string[] {
  const effects: string[] = []
  if (shot.disruption_ticks) effects.push(`disrupted, ${shot.disruption_ticks} ticks`)
  if (shot.burn_ticks) {
    effects.push(`burning, ${shot.burn_damage_per_tick ?? 0} per tick, ${shot.burn_ticks} ticks`)
  }
  if (shot.armor_melt_ticks) effects.push(`armor melted ${shot.armor_melt_pct ?? 0} %`)
  if (shot.speed_penalty_pct) effects.push(`slowed ${shot.speed_penalty_pct} %`)
  if (shot.flee_counter) effects.push(`getting away, ${shot.flee_counter}`)
  if (shot.self_destruct_ticks) effects.push(`self-destruct in ${shot.self_destruct_ticks}`)
  return effects
}

function combatant(shot: Snapshot, before?: Combatant): Combatant {
  const ring = RINGS.indexOf(shot.zone as (typeof RINGS)[number])
  return {
    id: shot.player_id,
    name: shot.username,
    kind: shot.kind ?? before?.kind ?? '',
    shipClass: shot.ship_class ?? before?.shipClass ?? '',
    side: shot.side_id,
    ring: ring < 0 ? (before?.ring ?? 3) : ring,
    hull: shot.hull,
    hullMax: shot.max_hull,
    shield: shot.shield,
    shieldMax: shot.max_shield,
    stance: shot.stance ?? '',
    target: shot.target_id ?? '',
    dealt: shot.damage_dealt ?? before?.dealt ?? 0,
    taken: shot.damage_taken ?? before?.taken ?? 0,
    kills: shot.kill_count ?? before?.kills ?? 0,
    autopilot: shot.auto_pilot ?? false,
    effects: effectsOf(shot),
    magazines: shot.modules ?? before?.magazines ?? [],
    fate: 'fighting',
    fateTick: 0,
  }
}

/** Adds ships that joined but are not in the snapshots, so that their names are known. */
function addJoins(ships: Map<string, Combatant>, row: ReplayRow): void {
  for (const { player_id, username, side_id } of row.joins ?? []) {
    if (ships.has(player_id)) continue
    const blank = { hull: 0, max_hull: 0, shield: 0, max_shield: 0 }
    ships.set(player_id, combatant({ player_id, username, side_id, ...blank }))
  }
}

/** Sets the fates of ships that leave the battle in a row. */
function settleFates(ships: Map<string, Combatant>, row: ReplayRow): void {
  const meet = (id: string, fate: Fate, change: Partial<Combatant> = {}) => {
    const ship = ships.get(id)
    if (ship) ships.set(id, { ...ship, ...change, fate, fateTick: row.tick })
  }
  const count = row.snapshots.length
  if (count > 0 && count < LISTED_WHOLE_MAX && !row.isCut) {
    const listed = new Set(row.snapshots.map(({ player_id }) => player_id))
    for (const ship of ships.values()) {
      if (ship.fate === 'fighting' && !listed.has(ship.id)) meet(ship.id, 'left')
    }
  }
  for (const { player_id, escaped } of row.flee ?? []) if (escaped) meet(player_id, 'escaped')
  for (const { former_owner_id } of row.captures ?? []) meet(former_owner_id, 'captured')
  for (const { killer_id, victim_id } of row.kills ?? []) {
    // Snapshots do not yet include the kills of this tick.
    const killer = ships.get(killer_id)
    if (killer) ships.set(killer_id, { ...killer, kills: killer.kills + 1 })
    meet(victim_id, 'destroyed', { hull: 0, shield: 0 })
  }
}

const CAUSES: Readonly<Record<string, string>> = {
  self_destruct: 'blew up their own ship',
  burned: 'burned out',
}

const BOARDINGS: Readonly<Record<string, string>> = {
  boarding_started: 'sets out to board',
  boarding_rejected: 'cannot board',
  latched: 'has latched on to',
  withdrawing: 'withdraws from',
  ended: 'has ended the boarding of',
}

type Kills = NonNullable<LogRow['kills']>[number]

function killText({ killer_username, victim_username, cause }: Kills, isOwn: boolean): string {
  const victim = victim_username || 'An unknown ship'
  const lone = CAUSES[cause]
  if (lone && (isOwn || cause === 'self_destruct' || !killer_username)) return `${victim} ${lone}`
  return `${killer_username || 'An unknown ship'} destroyed ${victim}`
}

/** Lists what happened in a row, the most important first. */
function eventsOf(row: ReplayRow, ships: ReadonlyMap<string, Combatant>): BattleEvent[] {
  const name = names(ships)
  const events: BattleEvent[] = []
  const add = (kind: EventKind, text: string, ...ids: string[]) =>
    events.push({ tick: row.tick, kind, text, ids })
  const end = row.battle_ended
  if (end) {
    const won = end.winning_side ? `, side ${end.winning_side} has won` : ''
    add('end', `The battle is over: ${end.outcome.replaceAll('_', ' ')}${won}`)
  }
  for (const kill of row.kills ?? []) {
    const isOwn = kill.killer_id === kill.victim_id
    add('kill', killText(kill, isOwn), kill.victim_id, kill.killer_id)
  }
  for (const taken of row.captures ?? []) {
    const from = taken.former_owner_username ? ` of ${taken.former_owner_username}` : ''
    const text = `${taken.captor_username || 'An unknown ship'} captured the ${taken.ship_class}`
    add('capture', text + from, taken.former_owner_id, taken.captor_id)
  }
  for (const { event, attacker_id, target_id, outcome } of row.boarding ?? []) {
    const verb = BOARDINGS[event] ?? event.replaceAll('_', ' ')
    const end = outcome ? `: ${outcome.replaceAll('_', ' ')}` : ''
    add('boarding', `${name(attacker_id)} ${verb} ${name(target_id)}${end}`, attacker_id, target_id)
  }
  for (const { player_id, escaped } of row.flee ?? []) {
    if (escaped) add('leave', `${name(player_id)} got away`, player_id)
  }
  for (const { player_id, side_id } of row.joins ?? []) {
    add('join', `${name(player_id)} joined side ${side_id}`, player_id)
  }
  for (const { player_id, old_zone, new_zone } of row.zone_moves ?? []) {
    add('move', `${name(player_id)} moved from ${old_zone} to ${new_zone}`, player_id)
  }
  return events
}

const lineOf = (attack: Attack): FireLine => ({
  from: attack.attacker_id,
  to: attack.target_id,
  type: attack.damage_type,
  hit: attack.hit_success || attack.splash === true,
  damage: attack.shield_damage + attack.hull_damage,
  killed: attack.killed === true,
  stages: {
    chance: attack.hit_chance,
    roll: attack.hit_roll,
    shield: attack.shield_damage,
    hull: attack.hull_damage,
    isSplash: attack.splash === true,
  },
})

function frameOf(row: ReplayRow, before?: Frame): Frame {
  const ships = new Map((before?.ships ?? []).map((ship) => [ship.id, ship]))
  addJoins(ships, row)
  for (const shot of row.snapshots) {
    ships.set(shot.player_id, combatant(shot, ships.get(shot.player_id)))
  }
  settleFates(ships, row)
  const lines = row.lines ?? row.attacks?.map(lineOf) ?? []
  const burned = (row.burns ?? []).reduce((sum, { damage }) => sum + damage, 0)
  return {
    tick: row.tick,
    ships: [...ships.values()],
    lines,
    events: eventsOf(row, ships),
    damage: lines.reduce((sum, { damage }) => sum + damage, burned),
    kills: row.kills?.length ?? 0,
  }
}

/** Adds rows that come after the last frame; older rows and duplicates are left out. */
export function extendReplay(replay: Replay, rows: readonly ReplayRow[]): Replay {
  const frames = [...replay.frames]
  for (const row of rows) {
    const last = frames.at(-1)
    if (!last || row.tick > last.tick) frames.push(frameOf(row, last))
  }
  return frames.length === replay.frames.length ? replay : { frames }
}

/* Moments */

/** Returns the index of the last frame at or before a tick; 0 if all are later. */
export function indexAt({ frames }: Replay, tick: number): number {
  let low = 0
  let high = frames.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (frames[middle].tick <= tick) low = middle
    else high = middle - 1
  }
  return low
}

/** Returns the tick of the next kill in a direction, or undefined if there is none. */
export function nextKill({ frames }: Replay, tick: number, step: 1 | -1): number | undefined {
  const ordered = step > 0 ? frames : [...frames].reverse()
  return ordered.find((frame) => frame.kills > 0 && (frame.tick - tick) * step > 0)?.tick
}

/* Scores */

export interface SideScore {
  readonly side: number
  readonly ships: number
  readonly fighting: number
  readonly lost: number
  readonly hull: number
  readonly hullMax: number
  readonly shield: number
  readonly shieldMax: number
  readonly dealt: number
  readonly kills: number
}

/** Sums a frame by side, ordered by the number of the side. */
export function scoresOf(frame: Frame): SideScore[] {
  const sides = new Map<number, SideScore>()
  for (const ship of frame.ships) {
    const isHere = ship.fate === 'fighting'
    const isLost = ship.fate === 'destroyed' || ship.fate === 'captured'
    const sum = sides.get(ship.side)
    sides.set(ship.side, {
      side: ship.side,
      ships: (sum?.ships ?? 0) + 1,
      fighting: (sum?.fighting ?? 0) + (isHere ? 1 : 0),
      lost: (sum?.lost ?? 0) + (isLost ? 1 : 0),
      hull: (sum?.hull ?? 0) + (isHere ? ship.hull : 0),
      hullMax: (sum?.hullMax ?? 0) + ship.hullMax,
      shield: (sum?.shield ?? 0) + (isHere ? ship.shield : 0),
      shieldMax: (sum?.shieldMax ?? 0) + ship.shieldMax,
      dealt: (sum?.dealt ?? 0) + ship.dealt,
      kills: (sum?.kills ?? 0) + ship.kills,
    })
  }
  return [...sides.values()].sort((a, b) => a.side - b.side)
}

const FATE_ORDER: readonly Fate[] = ['fighting', 'escaped', 'left', 'captured', 'destroyed']

/** Orders ships for the scoreboard: by side, then those still fighting, then by damage dealt. */
export const ranked = (ships: readonly Combatant[]): Combatant[] =>
  [...ships].sort(
    (a, b) =>
      a.side - b.side ||
      FATE_ORDER.indexOf(a.fate) - FATE_ORDER.indexOf(b.fate) ||
      b.dealt - a.dealt ||
      (a.id < b.id ? -1 : 1),
  )

/** Returns a share in whole percent; 0 if the whole is 0. */
export const percent = (part: number, whole: number): number =>
  whole > 0 ? Math.round((100 * part) / whole) : 0
