/**
 * Telling of battles: that one began, who joins and leaves, that there is one, how it ended. All of
 * it leaves in phase fight, in the order of combat.md section 16.
 */
import { emit } from '../../core/event.ts'
import {
  BATTLE_ANNOUNCED_MAX,
  BATTLE_DAMAGE_TOLD_TO_ALL_MAX,
  BATTLE_JOINS_TOLD_MAX,
} from '../../core/limits.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isBound } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { attachedTo, isBoardingLocked } from '../boarding/model.ts'
import { masterOf } from '../drone/model.ts'
import { trackShield } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { systemOf } from '../travel/location-model.ts'
import { playersIn, systemId, systemName } from '../travel/model.ts'
import { takeNews } from './battles-rules.ts'
import { capturesOf, everyone, lostIn } from './crimes-model.ts'
import {
  armorAgainst,
  hullDamage,
  POINTS_MAX,
  reduced,
  STANCE_PCT,
  share,
  shieldPct,
  spill,
} from './damage-kernels.ts'
import {
  type Blast,
  battleId,
  battleIn,
  combatantId,
  combatantName,
  gunName,
  inBattle,
  participantsOf,
  pilotsOf,
  renderParticipant,
  renderSides,
} from './model.ts'
import { recordInLog, takeGains } from './rules.ts'
import {
  battleAlert,
  battleDamage,
  battleEnded,
  battleJoined,
  battleLeft,
  battleStarted,
} from './schemas.ts'
import {
  ATTACK_FLAGS,
  Attack,
  BATTLE_KINDS,
  Battle,
  COMBAT_SPECIALS,
  DAMAGE_TYPES,
  FATES,
  GUNS_MAX,
  PARTICIPANT_KINDS,
  Participant,
  PlayerCombat,
} from './state.ts'

/*
 * The blast of a ship that destroys itself: half of its hull, as explosive damage, to the ship that
 * is attached to it, through all stages behind the weapons. Source: combat.md section 15.
 */

const BLAST_PCT = 50
const STAYS = FATES.indexOf('stays')
const DESTROYED = FATES.indexOf('destroyed')
const EMERGENCY_WARP = FATES.indexOf('emergency_warp')
const EXPLOSIVE = DAMAGE_TYPES.indexOf('explosive')
const WARP_STABILIZER = 1 << COMBAT_SPECIALS.indexOf('emergency_warp_stabilizer')

/** What it will do. */
function reckon(view: WorldView, row: Row, other: Row): Blast {
  const part = view.read(Participant)
  const { hull, hullMax, shield, armor } = view.read(Ship)
  const ship = part.ship[other]
  const raw = share(hullMax[part.ship[row]], BLAST_PCT)
  const final = reduced(
    raw,
    STANCE_PCT[part.stance[other]],
    part.defensePct[other],
    shield[ship] > 0 ? part.shieldSkillPct[other] : 0,
    part.resistPct[other * DAMAGE_TYPES.length + EXPLOSIVE],
    part.flatPct[other],
  )
  const pct = shieldPct(EXPLOSIVE, 0)
  const met = share(final, pct)
  const plate = armorAgainst(armor[ship], EXPLOSIVE, part.meltPct[other], 0)
  const through = spill(shield[ship], met, pct)
  return {
    row,
    other,
    raw,
    final,
    armor: plate,
    shieldHit: Math.min(shield[ship], met),
    hullHit: Math.min(hull[ship], hullDamage(through, plate, 0)),
  }
}

/** Hurts the ship that is locked with one that blows up; nothing without one. */
export function blast(world: World, row: Row): void {
  const other = attachedTo(world, row)
  const part = world.write(Participant)
  if (other === 0 || part.fate[other] !== STAYS) return
  const done = reckon(world, row, other)
  const ship = part.ship[other]
  const columns = world.write(Ship)
  columns.shield[ship] -= done.shieldHit
  columns.hull[ship] -= done.hullHit
  const points = done.shieldHit + done.hullHit
  part.taken[other] = Math.min(POINTS_MAX, part.taken[other] + points)
  part.hullTaken[other] = Math.min(POINTS_MAX, part.hullTaken[other] + done.hullHit)
  part.dealt[row] = Math.min(POINTS_MAX, part.dealt[row] + points)
  world.write(Battle).damage[part.battle[row]] += points
  trackShield(world, ship)
  if (columns.hull[ship] === 0) end(world, done)
  note(world, done)
  notifyBlast(world, done)
}

/** The device of a ship that is not held in place saves it from this as from any last hit. */
function end(world: World, { row, other }: Blast): void {
  const part = world.write(Participant)
  if ((part.specials[other] & WARP_STABILIZER) !== 0 && !isBoardingLocked(world, other)) {
    world.write(Ship).hull[part.ship[other]] = 1
    part.fate[other] = EMERGENCY_WARP
    return
  }
  part.fate[other] = DESTROYED
  part.killer[other] = row
}

function note(world: World, { row, other, raw, final, armor, shieldHit, hullHit }: Blast): void {
  const { battle, stance, ring, fate } = world.read(Participant)
  recordInLog(world, battle[row], 'attacks', {
    attacker_id: combatantId(world, row),
    target_id: combatantId(world, other),
    damage_type: DAMAGE_TYPES[EXPLOSIVE],
    self_destruct: true,
    zone_distance: ring[row] + ring[other],
    hit_chance: 100,
    hit_roll: 0,
    hit_success: true,
    weapons: [],
    raw_damage: raw,
    weapon_skill_pct: 0,
    pre_hit_damage: raw,
    stance_mult: STANCE_PCT[stance[other]] / 100,
    final_damage: final,
    armor,
    shield_damage: shieldHit,
    hull_damage: hullHit,
    ...(fate[other] === DESTROYED ? { killed: true } : {}),
  })
}

/** ours: often enough to know, rarely enough to be read. Source: combat.md section 16. */
const ALERT_EVERY_TICKS = 6

/** Who fights in a battle, for those who hear of it. */
function scene(view: WorldView, battle: Row) {
  const rows = participantsOf(view, battle)
  return {
    battle_id: battleId(view, battle),
    system_id: systemId(view, view.read(Battle).system[battle]),
    sides: renderSides(view, rows),
    participants: rows.slice(0, BATTLE_ANNOUNCED_MAX).map((row) => renderParticipant(view, row)),
  }
}

/** Tells what began since it was told last: battles, then ships that joined others. */
export function notifyJoins(world: World): void {
  const started = new Set(takeNews(world, 'started'))
  for (const battle of started) notifyStart(world, battle)
  const told = new Map<Row, number>()
  const { alive, battle: of, side } = world.read(Participant)
  for (const row of takeNews(world, 'joined')) {
    const battle = of[row]
    const count = told.get(battle) ?? 0
    if (alive[row] === 0 || started.has(battle) || count >= BATTLE_JOINS_TOLD_MAX) continue
    told.set(battle, count + 1)
    const payload = {
      player_id: combatantId(world, row),
      username: combatantName(world, row),
      side_id: side[row],
    }
    const rows = pilotsOf(world, participantsOf(world, battle))
    emit(world, battleJoined, payload, { kind: 'players', rows })
  }
}

function notifyStart(world: World, battle: Row): void {
  const { system: of, kind } = world.read(Battle)
  const system = of[battle]
  if (BATTLE_KINDS[kind[battle]] === 'arena') {
    const rows = pilotsOf(world, participantsOf(world, battle))
    emit(world, battleStarted, scene(world, battle), { kind: 'players', rows })
    return
  }
  const there = playersIn(world, system)
  if (!there.some((player) => isBound(world, player))) return
  emit(world, battleStarted, scene(world, battle), { kind: 'system', row: system })
  alert(world, battle, there)
}

/** Warns those of the players who do not fight themselves, and were not warned just now. */
function alert(world: World, battle: Row, players: readonly Eid[]): void {
  const { alertTick } = world.write(PlayerCombat)
  const rows = players.filter(
    (player) =>
      isBound(world, player) &&
      !inBattle(world, player) &&
      (alertTick[player] === 0 || world.tick >= alertTick[player] + ALERT_EVERY_TICKS),
  )
  if (rows.length === 0) return
  for (const player of rows) alertTick[player] = world.tick
  const name = systemName(world, world.read(Battle).system[battle])
  const payload = { ...scene(world, battle), message: `There is a battle in ${name}.` }
  emit(world, battleAlert, payload, { kind: 'players', rows })
}

/** Warns a player who has just come into a system where a battle is. */
export function alertArrival(world: World, player: Eid): void {
  const battle = battleIn(world, systemOf(world, player))
  if (battle !== 0) alert(world, battle, [player])
}

/** Tells those who stay, and whoever left, that they left. */
export function notifyLeft(world: World): void {
  const stay = new Map<Row, Eid[]>()
  for (const { battle, player, payload } of takeNews(world, 'left')) {
    const others = stay.get(battle) ?? pilotsOf(world, participantsOf(world, battle))
    stay.set(battle, others)
    emit(world, battleLeft, payload, { kind: 'players', rows: [...others, player] })
  }
}

/** Tells the system, and those who lost their ships in it, how a battle ended. */
export function notifyEnd(world: World, battle: Row, reason: string, winner: number): void {
  const { system, kind, startTick, damage, destroyed, captured } = world.read(Battle)
  const payload = {
    battle_id: battleId(world, battle),
    winning_side: winner,
    reason,
    duration: world.tick - startTick[battle] + 1,
    total_damage: damage[battle],
    ships_destroyed: destroyed[battle],
    participants: everyone(world, battle),
    ships_captured: captured[battle],
    captures: [...capturesOf(world, battle)],
  }
  const isMatch = BATTLE_KINDS[kind[battle]] === 'arena'
  const there = isMatch
    ? pilotsOf(world, participantsOf(world, battle))
    : playersIn(world, system[battle])
  const rows = [...new Set([...there, ...lostIn(world, battle)])]
  emit(world, battleEnded, payload, { kind: 'players', rows })
}

/* Hits */

const PLAYER = PARTICIPANT_KINDS.indexOf('player')

/** Names of the weapons that fired. */
function weaponsOf(view: WorldView, attacker: Row, fired: number): string[] {
  const names: string[] = []
  for (let gun = 0; gun < GUNS_MAX; gun++) {
    if (((fired >>> gun) & 1) === 1) names.push(gunName(view, attacker, gun))
  }
  return names
}

function hitPayload(view: WorldView, row: Row) {
  const columns = view.read(Attack)
  const [attacker, target] = [columns.attacker[row], columns.target[row]]
  const isBurn = (columns.flags[row] & ATTACK_FLAGS.burn) !== 0
  const type = isBurn ? 'thermal' : DAMAGE_TYPES[columns.type[row]]
  return {
    tick: view.tick,
    attacker_id: attacker === 0 ? '' : combatantId(view, attacker),
    attacker_name: attacker === 0 ? '' : combatantName(view, attacker),
    target_id: combatantId(view, target),
    target_name: combatantName(view, target),
    weapons_fired: isBurn ? [] : weaponsOf(view, attacker, columns.fired[row]),
    total_damage: columns.shieldHit[row] + columns.hullHit[row],
    damage_type: type,
    hit_success: (columns.flags[row] & ATTACK_FLAGS.hit) !== 0 || isBurn,
    shield_hit: columns.shieldHit[row],
    hull_hit: columns.hullHit[row],
  }
}

/**
 * Tells one of them; the attacker hears with the first of the tick what all of them taught them.
 */
function notifyHit(world: World, row: Row, attacker: Eid, rows: readonly Eid[]): void {
  const payload = hitPayload(world, row)
  const gains = attacker === 0 ? undefined : takeGains(world, world.read(Attack).attacker[row])
  const others = gains ? rows.filter((player) => player !== attacker) : rows
  if (gains) {
    const xp_gained = { [payload.attacker_id]: gains }
    emit(world, battleDamage, { ...payload, xp_gained }, { kind: 'player', row: attacker })
  }
  if (others.length > 0) emit(world, battleDamage, payload, { kind: 'players', rows: others })
}

/** What a blast does, told as any hit is. */
function notifyBlast(world: World, { row, other, shieldHit, hullHit }: Blast): void {
  const { battle } = world.read(Participant)
  const isSmall = world.read(Battle).count[battle[row]] <= BATTLE_DAMAGE_TOLD_TO_ALL_MAX
  const told = isSmall ? participantsOf(world, battle[row]) : [row, other]
  const rows = pilotsOf(world, told)
  if (rows.length === 0) return
  const payload = {
    tick: world.tick,
    attacker_id: combatantId(world, row),
    attacker_name: combatantName(world, row),
    target_id: combatantId(world, other),
    target_name: combatantName(world, other),
    weapons_fired: [],
    total_damage: shieldHit + hullHit,
    damage_type: 'explosive',
    hit_success: true,
    shield_hit: shieldHit,
    hull_hit: hullHit,
  }
  emit(world, battleDamage, payload, { kind: 'players', rows })
}

/**
 * Tells a battle's volleys, burns and splashes: to both ends, and to all who take part while they
 * are few. Source: combat.md section 16.
 */
export function notifyDamage(world: World, battle: Row): void {
  const { firstAttack, attackCount, count } = world.read(Battle)
  if (attackCount[battle] === 0) return
  const { attacker, target } = world.read(Attack)
  const { kind, ship } = world.read(Participant)
  const { owner } = world.read(Ship)
  const { bound } = world.read(Player)
  /** The pilot of a participant, or the owner of a drone, if they are online; 0 else. */
  const listener = (row: Row): Eid => {
    const hull = row === 0 ? 0 : ship[row]
    const pilot = hull !== 0 && kind[row] === PLAYER ? owner[hull] : masterOf(world, hull)
    return pilot !== 0 && bound[pilot] !== 0 ? pilot : 0
  }
  const isSmall = count[battle] <= BATTLE_DAMAGE_TOLD_TO_ALL_MAX
  const all = isSmall ? participantsOf(world, battle).map(listener).filter(Boolean) : []
  const from = firstAttack[battle]
  for (let row = from; row < from + attackCount[battle]; row++) {
    const [one, other] = [listener(attacker[row]), listener(target[row])]
    if (isSmall ? all.length === 0 : one === 0 && other === 0) continue
    const rows = isSmall ? all : [...new Set([one, other])].filter(Boolean)
    notifyHit(world, row, one, rows)
  }
}
