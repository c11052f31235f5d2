/**
 * A ship that destroys itself in a battle: the countdown, and the blast, which hits a ship attached
 * to it. The blast is explosive damage of half the full hull of the exploding ship. Source:
 * combat.md section 15.
 */
import { emit } from '../../core/event.ts'
import { BATTLE_DAMAGE_SHOWN_TO_ALL_MAX } from '../../core/limits.ts'
import type { Row, World, WorldView } from '../../core/types.ts'
import { attachedTo, isBoardingLocked } from '../boarding/model.ts'
import { trackShield } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
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
import { recordInLog } from './log-model.ts'
import { combatantId, combatantName, participantsOf, pilotsOf } from './model.ts'
import { battleDamage } from './schemas.ts'
import { Battle, COMBAT_SPECIALS, DAMAGE_TYPES, FATES, Participant } from './state.ts'

/** Ticks from the order to the explosion. */
export const SELF_DESTRUCT_TICKS = 3
const BLAST_PCT = 50
const STAYS = FATES.indexOf('stays')
const DESTROYED = FATES.indexOf('destroyed')
const SELF_DESTRUCTED = FATES.indexOf('self_destructed')
const EMERGENCY_WARP = FATES.indexOf('emergency_warp')
const EXPLOSIVE = DAMAGE_TYPES.indexOf('explosive')
const WARP_STABILIZER = 1 << COMBAT_SPECIALS.indexOf('emergency_warp_stabilizer')

/** What the participant `row` does to `victim` as it blows up. */
interface Blast {
  readonly row: Row
  readonly victim: Row
  readonly raw: number
  readonly final: number
  readonly armor: number
  readonly shieldHit: number
  readonly hullHit: number
}

/** Starts the countdown, unless it is running; returns the ticks left. */
export function armSelfDestruct(world: World, row: Row): number {
  const { selfDestructTicks } = world.write(Participant)
  if (selfDestructTicks[row] === 0) selfDestructTicks[row] = SELF_DESTRUCT_TICKS
  return selfDestructTicks[row]
}

/** Counts a tick down, and blows up those whose time has come. */
export function countDown(world: World, rows: readonly Row[]): void {
  const { selfDestructTicks, fate } = world.write(Participant)
  for (const row of rows) {
    if (selfDestructTicks[row] === 0 || fate[row] !== STAYS) continue
    if (--selfDestructTicks[row] > 0) continue
    fate[row] = SELF_DESTRUCTED
    const victim = attachedTo(world, row)
    if (victim !== 0 && fate[victim] === STAYS) applyBlast(world, blastOf(world, row, victim))
  }
}

/** Computes the blast through all stages that come after the weapons. */
function blastOf(view: WorldView, row: Row, victim: Row): Blast {
  const part = view.read(Participant)
  const { hull, hullMax, shield, armor } = view.read(Ship)
  const ship = part.ship[victim]
  const raw = share(hullMax[part.ship[row]], BLAST_PCT)
  const final = reduced(
    raw,
    STANCE_PCT[part.stance[victim]],
    part.defensePct[victim],
    shield[ship] > 0 ? part.shieldSkillPct[victim] : 0,
    part.resistPct[victim * DAMAGE_TYPES.length + EXPLOSIVE],
    part.flatPct[victim],
  )
  const pct = shieldPct(EXPLOSIVE, 0)
  const met = share(final, pct)
  const plate = armorAgainst(armor[ship], EXPLOSIVE, part.meltPct[victim], 0)
  const through = spill(shield[ship], met, pct)
  return {
    row,
    victim,
    raw,
    final,
    armor: plate,
    shieldHit: Math.min(shield[ship], met),
    hullHit: Math.min(hull[ship], hullDamage(through, plate, 0)),
  }
}

function applyBlast(world: World, blast: Blast): void {
  const { row, victim, shieldHit, hullHit } = blast
  const part = world.write(Participant)
  const { hull, shield } = world.write(Ship)
  const ship = part.ship[victim]
  shield[ship] -= shieldHit
  hull[ship] -= hullHit
  const points = shieldHit + hullHit
  part.taken[victim] = Math.min(POINTS_MAX, part.taken[victim] + points)
  part.hullTaken[victim] = Math.min(POINTS_MAX, part.hullTaken[victim] + hullHit)
  part.dealt[row] = Math.min(POINTS_MAX, part.dealt[row] + points)
  world.write(Battle).damage[part.battle[row]] += points
  trackShield(world, ship)
  if (hull[ship] === 0) decideFate(world, blast)
  recordBlast(world, blast)
  notifyBlast(world, blast)
}

/** Destroys a victim whose hull is gone, unless its device saves it, as from any last hit. */
function decideFate(world: World, { row, victim }: Blast): void {
  const part = world.write(Participant)
  if ((part.specials[victim] & WARP_STABILIZER) !== 0 && !isBoardingLocked(world, victim)) {
    world.write(Ship).hull[part.ship[victim]] = 1
    part.fate[victim] = EMERGENCY_WARP
    return
  }
  part.fate[victim] = DESTROYED
  part.killer[victim] = row
}

function recordBlast(world: World, blast: Blast): void {
  const { row, victim, raw, final, armor, shieldHit, hullHit } = blast
  const { battle, stance, ring, fate } = world.read(Participant)
  recordInLog(world, battle[row], 'attacks', {
    attacker_id: combatantId(world, row),
    target_id: combatantId(world, victim),
    damage_type: DAMAGE_TYPES[EXPLOSIVE],
    self_destruct: true,
    zone_distance: ring[row] + ring[victim],
    hit_chance: 100,
    hit_roll: 0,
    hit_success: true,
    weapons: [],
    raw_damage: raw,
    weapon_skill_pct: 0,
    pre_hit_damage: raw,
    stance_mult: STANCE_PCT[stance[victim]] / 100,
    final_damage: final,
    armor,
    shield_damage: shieldHit,
    hull_damage: hullHit,
    ...(fate[victim] === DESTROYED ? { killed: true } : {}),
  })
}

/** Sends the blast to both pilots; in a small battle, to all pilots, as hits are. */
function notifyBlast(world: World, { row, victim, shieldHit, hullHit }: Blast): void {
  const battle = world.read(Participant).battle[row]
  const isSmall = world.read(Battle).count[battle] <= BATTLE_DAMAGE_SHOWN_TO_ALL_MAX
  const rows = pilotsOf(world, isSmall ? participantsOf(world, battle) : [row, victim])
  if (rows.length === 0) return
  const payload = {
    tick: world.tick,
    attacker_id: combatantId(world, row),
    attacker_name: combatantName(world, row),
    target_id: combatantId(world, victim),
    target_name: combatantName(world, victim),
    weapons_fired: [],
    total_damage: shieldHit + hullHit,
    damage_type: 'explosive',
    hit_success: true,
    shield_hit: shieldHit,
    hull_hit: hullHit,
  }
  emit(world, battleDamage, payload, { kind: 'players', rows })
}
