/**
 * The blast of a ship that destroys itself: half of its hull, as explosive damage, to the ship that
 * is attached to it, through all stages behind the weapons. Source: combat.md section 15.
 */
import type { Row, World, WorldView } from '../../core/types.ts'
import { attachedTo, isBoardingLocked } from '../boarding/rules.ts'
import { Ship } from '../ship/columns.ts'
import { trackShield } from '../ship/rules.ts'
import { Battle, COMBAT_SPECIALS, DAMAGE_TYPES, FATES, Participant } from './columns.ts'
import {
  armorAgainst,
  hullDamage,
  POINTS_MAX,
  reduced,
  STANCE_PCT,
  share,
  shieldPct,
  spill,
} from './damage.ts'
import { noteInLog } from './log.ts'
import { tellBlast } from './tell.ts'
import { combatantId } from './views.ts'

const BLAST_PCT = 50
const STAYS = FATES.indexOf('stays')
const DESTROYED = FATES.indexOf('destroyed')
const EMERGENCY_WARP = FATES.indexOf('emergency_warp')
const EXPLOSIVE = DAMAGE_TYPES.indexOf('explosive')
const WARP_STABILIZER = 1 << COMBAT_SPECIALS.indexOf('emergency_warp_stabilizer')

export interface Blast {
  readonly row: Row
  readonly other: Row
  readonly raw: number
  readonly final: number
  readonly armor: number
  readonly shieldHit: number
  readonly hullHit: number
}

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
    ...{ row, other, raw, final, armor: plate },
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
  tellBlast(world, done)
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
  noteInLog(world, battle[row], 'attacks', {
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
