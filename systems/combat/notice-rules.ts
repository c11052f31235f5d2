/**
 * Events of battles: starts, joins, alerts, hits, departures, ends. They are sent in phase fight,
 * in the order of combat.md section 16.
 */
import { emit } from '../../core/event.ts'
import { addToList } from '../../core/groups.ts'
import {
  BATTLE_ANNOUNCED_MAX,
  BATTLE_DAMAGE_SHOWN_TO_ALL_MAX,
  BATTLE_JOINS_ANNOUNCED_MAX,
} from '../../core/limits.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { isBound } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { masterOf } from '../drone/model.ts'
import { npcName, pirateOf } from '../npc/model.ts'
import { Ship } from '../ship/state.ts'
import { systemOf } from '../travel/location-model.ts'
import { playersIn, systemId, systemName } from '../travel/model.ts'
import { capturesOf, endedParticipants, playersWithLosses } from './log-model.ts'
import {
  battleId,
  battleIn,
  battleKindOf,
  combatantId,
  combatantName,
  gunName,
  inBattle,
  isMatch,
  kindOf,
  participantsOf,
  pilotsOf,
  renderParticipant,
  renderSides,
} from './model.ts'
import { NOTICES, type Notices } from './report-state.ts'
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
  Battle,
  DAMAGE_TYPES,
  GAINS,
  type Gains,
  GUNS_MAX,
  PARTICIPANT_KINDS,
  Participant,
  PlayerCombat,
} from './state.ts'

/** Ticks between alerts; ours: they must not flood a player. Source: combat.md section 16. */
const ALERT_EVERY_TICKS = 6

function describeBattle(view: WorldView, battle: Row) {
  const rows = participantsOf(view, battle)
  return {
    battle_id: battleId(view, battle),
    system_id: systemId(view, view.read(Battle).system[battle]),
    sides: renderSides(view, rows),
    participants: rows.slice(0, BATTLE_ANNOUNCED_MAX).map((row) => renderParticipant(view, row)),
  }
}

/** Removes and returns the notices of one kind. */
function takeNotices<K extends keyof Notices>(world: World, kind: K): Notices[K] {
  const notices = world.index(NOTICES)
  const taken = notices[kind]
  notices[kind] = [] as never
  return taken
}

/** Sends which battles have started, then who has joined the others. */
export function notifyJoins(world: World): void {
  const started = new Set(takeNotices(world, 'started'))
  for (const battle of started) notifyStart(world, battle)
  const sent = new Map<Row, number>()
  const { alive, battle: battleOf, side } = world.read(Participant)
  for (const row of takeNotices(world, 'joined')) {
    const battle = battleOf[row]
    const count = sent.get(battle) ?? 0
    if (alive[row] === 0 || started.has(battle) || count >= BATTLE_JOINS_ANNOUNCED_MAX) continue
    sent.set(battle, count + 1)
    const payload = {
      player_id: combatantId(world, row),
      username: combatantName(world, row),
      side_id: side[row],
    }
    const rows = pilotsOf(world, participantsOf(world, battle))
    emit(world, battleJoined, payload, { kind: 'players', rows })
  }
}

/** Notifies those in a battle of pirates on their way to it. Source: balance.md section 8. */
export function notifyCalls(world: World): void {
  const byBattle = new Map<Row, string[]>()
  const { alive } = world.read(Battle)
  for (const { battle, ship, ticks } of takeNotices(world, 'called')) {
    if (alive[battle] === 0 || pirateOf(world, ship) === undefined) continue
    const role = pirateOf(world, ship)?.role
    const arrival = `${npcName(world, ship)} (${role}) in ${counted(ticks, 'tick')}`
    addToList(byBattle, battle, arrival)
  }
  for (const [battle, arrivals] of byBattle) {
    const rows = pilotsOf(world, participantsOf(world, battle)).filter((player) =>
      isBound(world, player),
    )
    if (rows.length === 0) continue
    const message = `Pirates are on their way to your battle: ${arrivals.join(', ')}.`
    emit(
      world,
      battleAlert,
      { ...describeBattle(world, battle), message },
      { kind: 'players', rows },
    )
  }
}

function notifyStart(world: World, battle: Row): void {
  if (isMatch(world, battle)) {
    const rows = pilotsOf(world, participantsOf(world, battle))
    emit(world, battleStarted, describeBattle(world, battle), { kind: 'players', rows })
    return
  }
  const system = world.read(Battle).system[battle]
  const present = playersIn(world, system)
  if (!present.some((player) => isBound(world, player))) return
  emit(world, battleStarted, describeBattle(world, battle), { kind: 'system', row: system })
  alert(world, battle, present)
}

/** Warns those of the players who are in no battle and have not been warned just now. */
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
  const payload = { ...describeBattle(world, battle), message: `There is a battle in ${name}.` }
  emit(world, battleAlert, payload, { kind: 'players', rows })
}

/** Warns a player who has just arrived in a system with a battle. */
export function alertArrival(world: World, player: Eid): void {
  const battle = battleIn(world, systemOf(world, player))
  if (battle !== 0) alert(world, battle, [player])
}

/** Sends departures to those who stay, and to the player who left. */
export function notifyLeft(world: World): void {
  const staying = new Map<Row, Eid[]>()
  for (const { battle, player, payload } of takeNotices(world, 'left')) {
    const others = staying.get(battle) ?? pilotsOf(world, participantsOf(world, battle))
    staying.set(battle, others)
    emit(world, battleLeft, payload, { kind: 'players', rows: [...others, player] })
  }
}

/** Returns whether a hunt ends because the creature has got away alive. */
function hasPreyEscaped(view: WorldView, battle: Row, reason: string): boolean {
  if (battleKindOf(view, battle) !== 'hunt' || reason !== 'stalemate') return false
  const isThere = participantsOf(view, battle).some((row) => kindOf(view, row) === 'creature')
  return !isThere && pilotsOf(view, participantsOf(view, battle)).length > 0
}

/**
 * Sends the end of a battle to the players in its system, for a match only to its pilots; and to
 * those who lost their ships in it.
 */
export function notifyEnd(world: World, battle: Row, reason: string, winner: number): void {
  const { system, startTick, damage, destroyed, captured } = world.read(Battle)
  const payload = {
    battle_id: battleId(world, battle),
    winning_side: winner,
    reason,
    duration: world.tick - startTick[battle] + 1,
    total_damage: damage[battle],
    ships_destroyed: destroyed[battle],
    participants: endedParticipants(world, battle),
    ships_captured: captured[battle],
    captures: [...capturesOf(world, battle)],
    ...(hasPreyEscaped(world, battle, reason) ? { message: 'The prey escaped.' } : {}),
  }
  const present = isMatch(world, battle)
    ? pilotsOf(world, participantsOf(world, battle))
    : playersIn(world, system[battle])
  const rows = [...new Set([...present, ...playersWithLosses(world, battle)])]
  emit(world, battleEnded, payload, { kind: 'players', rows })
}

/* Hits */

const PLAYER = PARTICIPANT_KINDS.indexOf('player')

/** Names the weapons that fired. */
function weaponsOf(view: WorldView, attacker: Row, fired: number): string[] {
  const names: string[] = []
  for (let gun = 0; gun < GUNS_MAX; gun++) {
    if (((fired >>> gun) & 1) === 1) names.push(gunName(view, attacker, gun))
  }
  return names
}

function hitPayload(view: WorldView, entry: Row) {
  const attack = view.read(Attack)
  const attacker = attack.attacker[entry]
  const target = attack.target[entry]
  const isBurn = (attack.flags[entry] & ATTACK_FLAGS.burn) !== 0
  return {
    tick: view.tick,
    attacker_id: attacker === 0 ? '' : combatantId(view, attacker),
    attacker_name: attacker === 0 ? '' : combatantName(view, attacker),
    target_id: combatantId(view, target),
    target_name: combatantName(view, target),
    weapons_fired: isBurn ? [] : weaponsOf(view, attacker, attack.fired[entry]),
    total_damage: attack.shieldHit[entry] + attack.hullHit[entry],
    damage_type: isBurn ? 'thermal' : DAMAGE_TYPES[attack.type[entry]],
    hit_success: (attack.flags[entry] & ATTACK_FLAGS.hit) !== 0 || isBurn,
    shield_hit: attack.shieldHit[entry],
    hull_hit: attack.hullHit[entry],
  }
}

/** Removes and returns the experience that the tick's attacks gave a participant. */
function takeGains(world: World, row: Row): Gains | undefined {
  const index = world.index(GAINS)
  const gains = index.get(row)
  index.delete(row)
  return gains
}

/**
 * Sends an attack to players. To the attacker, their first attack of a tick also tells the
 * experience that all their attacks of the tick have given.
 */
function notifyHit(world: World, entry: Row, attacker: Eid, rows: readonly Eid[]): void {
  const payload = hitPayload(world, entry)
  const gains = attacker === 0 ? undefined : takeGains(world, world.read(Attack).attacker[entry])
  const others = gains ? rows.filter((player) => player !== attacker) : rows
  if (gains) {
    const xp_gained = { [payload.attacker_id]: gains }
    emit(world, battleDamage, { ...payload, xp_gained }, { kind: 'player', row: attacker })
  }
  if (others.length > 0) emit(world, battleDamage, payload, { kind: 'players', rows: others })
}

/**
 * Sends a battle's volleys, burns and splashes: each to the pilots, or drone owners, of attacker
 * and target; in a small battle, to all who take part. Source: combat.md section 16.
 */
export function notifyDamage(world: World, battle: Row): void {
  const { firstAttack, attackCount, count } = world.read(Battle)
  if (attackCount[battle] === 0) return
  const { attacker, target } = world.read(Attack)
  const { kind, ship } = world.read(Participant)
  const { owner } = world.read(Ship)
  const { bound } = world.read(Player)
  /** Returns the pilot of a participant, or the owner of a drone, if they are online; else 0. */
  const listener = (row: Row): Eid => {
    const hull = row === 0 ? 0 : ship[row]
    const pilot = hull !== 0 && kind[row] === PLAYER ? owner[hull] : masterOf(world, hull)
    return pilot !== 0 && bound[pilot] !== 0 ? pilot : 0
  }
  const isSmall = count[battle] <= BATTLE_DAMAGE_SHOWN_TO_ALL_MAX
  const all = isSmall
    ? participantsOf(world, battle)
        .map(listener)
        .filter((player) => player !== 0)
    : []
  const first = firstAttack[battle]
  for (let entry = first; entry < first + attackCount[battle]; entry++) {
    const source = listener(attacker[entry])
    const rows = isSmall
      ? all
      : [...new Set([source, listener(target[entry])])].filter((player) => player !== 0)
    if (rows.length > 0) notifyHit(world, entry, source, rows)
  }
}
