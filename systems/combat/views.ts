/**
 * Wire forms of battles that are public: the battle of a place, and the entries of the battle log.
 * Source: combat.md section 16, contract.
 */
import { GOODS, SHIP_CLASSES } from '../../core/catalog/index.ts'
import { BATTLE_ANNOUNCED_MAX } from '../../core/limits.ts'
import type { Static } from '../../core/params.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { seesPoi } from '../sensing/model.ts'
import { moduleId, moduleTypeOf } from '../ship/model.ts'
import { Module, Ship } from '../ship/state.ts'
import { Location, Poi } from '../travel/state.ts'
import { EM_TICKS, isOnAutopilot, share } from './damage-kernels.ts'
import {
  battleId,
  combatantId,
  combatantName,
  gunName,
  kindOf,
  participantsOf,
  pilotOf,
  renderCombatant,
  renderSides,
} from './model.ts'
import type { Entry } from './report-state.ts'
import type { activeBattleSchema } from './schemas.ts'
import { type Shot, type SplitStage, type Stages, splitOf, stagesOf } from './stages-model.ts'
import {
  ATTACK_FLAGS,
  Attack,
  DAMAGE_TYPES,
  FATES,
  GUNS_MAX,
  MOVE_REASONS,
  ORDERED,
  Participant,
  RING_OUTER,
  RINGS,
  STANCES,
  Turn,
} from './state.ts'

/** Describes a battle to players in its system. */
export function renderActiveBattle(
  view: WorldView,
  battle: Eid,
): Static<typeof activeBattleSchema> {
  const rows = participantsOf(view, battle)
  const { side } = view.read(Participant)
  return {
    battle_id: battleId(view, battle),
    participants: rows
      .slice(0, BATTLE_ANNOUNCED_MAX)
      .map((row) => ({ ...renderCombatant(view, row), side_id: side[row] })),
    sides: renderSides(view, rows),
  }
}

const MILLI = 1000
/** Converts rolls and chances to percentages with one decimal, as the wire has them. */
const percent = (permille: number): number => permille / 10

/* Attacks */

function renderShot(view: WorldView, attacker: Row, shot: Shot, critPermille: number): Entry {
  const { gunModule, gunType } = view.read(Participant)
  const slot = attacker * GUNS_MAX + shot.gun
  const module = gunModule[slot]
  return {
    instance_id: module === 0 ? '' : moduleId(view, module),
    name: gunName(view, attacker, shot.gun),
    damage_type: DAMAGE_TYPES[gunType[slot]],
    hit_chance: percent(shot.chance),
    hit_roll: percent(shot.roll),
    hit_success: shot.isHit,
    base_damage: shot.base,
    type_bonus_pct: shot.typePct,
    after_type: shot.typed,
    ...(shot.load === 0
      ? {}
      : { ammo_used: GOODS[shot.load - 1].id, ammo_mod: shot.ammoPct / 100 }),
    after_ammo: shot.loaded,
    crew_efficiency_pct: shot.crewPct,
    after_disruption: shot.afterDisruption,
    crit_chance: percent(critPermille),
    crit_roll: percent(shot.critRoll),
    crit_fired: shot.isHit && shot.isCritical,
    damage: shot.isHit ? shot.damage : 0,
  }
}

/** Renders stage 13 of an entry that hit. */
const renderSplit = (split: SplitStage): Entry => ({
  shield_bypass_pct: split.bypassPct,
  bypass_damage: split.around,
  shield_effect_pct: split.shieldPct,
  damage_to_shield: split.met,
  damage_to_hull: split.through,
  armor: split.armor,
  armor_bypass_pct: split.armorBypassPct,
  hull_effect_pct: split.hullPct,
})

/** Renders the lasting effects and the splash of an entry. */
function renderAftermath(view: WorldView, entry: Row): Entry {
  const attack = view.read(Attack)
  const isEm = DAMAGE_TYPES[attack.type[entry]] === 'em'
  const isMixed = (attack.flags[entry] & ATTACK_FLAGS.mixed) !== 0
  const ticks = Math.max(isEm ? EM_TICKS : 0, isMixed ? attack.disruptTicks[entry] : 0)
  const disruption = ticks === 0 ? {} : { disruption_ticks: ticks }
  if (!isMixed) return disruption
  const { final, burnPct, burnTicks, meltPct, meltTicks, splashPct } = attack
  const burn = share(final[entry], burnPct[entry])
  const splash = share(final[entry], splashPct[entry])
  return {
    ...disruption,
    ...(burn > 0 ? { burn_damage_per_tick: burn, burn_ticks: burnTicks[entry] } : {}),
    ...(meltTicks[entry] === 0
      ? {}
      : { armor_melt_pct: meltPct[entry], armor_melt_ticks: meltTicks[entry] }),
    ...(splash > 0 ? { splash_damage: splash } : {}),
  }
}

const KILLED: Entry = { killed: true }
const killedBy = (flags: number): Entry => ((flags & ATTACK_FLAGS.kill) === 0 ? {} : KILLED)

/** Renders a volley as one literal: V8 is slow to spread an object into another of this size. */
function renderVolley(view: WorldView, entry: Row, stages: Stages): Entry {
  const attack = view.read(Attack)
  const attacker = attack.attacker[entry]
  const flags = attack.flags[entry]
  const isHit = (flags & ATTACK_FLAGS.hit) !== 0
  const critPermille = view.read(Participant).critPermille[attacker]
  const shown = stages.shots.find((shot) => shot.isHit) ?? stages.shots[0]
  return {
    attacker_id: combatantId(view, attacker),
    target_id: combatantId(view, attack.target[entry]),
    damage_type: DAMAGE_TYPES[attack.type[entry]],
    zone_distance: stages.distance,
    base_hit_chance: percent(stages.baseChance),
    hit_chance: percent(shown.chance),
    hit_roll: percent(shown.roll),
    hit_success: isHit,
    disrupted: (flags & ATTACK_FLAGS.disrupted) !== 0,
    weapons: stages.shots.map((shot) => renderShot(view, attacker, shot, critPermille)),
    raw_damage: stages.raw,
    weapon_skill_pct: stages.skillPct,
    after_weapon_skill: stages.afterSkill,
    off_buff_pct: stages.offensePct,
    ammo_target_pct: stages.againstPct,
    capital_bonus_pct: stages.capitalPct,
    pre_hit_damage: stages.preHit,
    stance_mult: stages.stancePct / 100,
    after_stance: stages.afterStance,
    def_buff_pct: stages.defensePct,
    after_def_buff: stages.afterDefense,
    shield_resist_pct: stages.shieldResistPct,
    after_shield_resist: stages.afterShieldResist,
    type_resist_pct: stages.typeResistPct,
    after_type_resist: stages.afterTypeResist,
    flat_reduction_pct: stages.flatPct,
    final_damage: stages.final,
    ...(isHit ? renderSplit(stages.split) : {}),
    shield_damage: attack.shieldHit[entry],
    hull_damage: attack.hullHit[entry],
    ...(isHit ? renderAftermath(view, entry) : {}),
    ...killedBy(flags),
  }
}

function renderSplash(view: WorldView, entry: Row): Entry {
  const { attacker, target, type, flags, raw, preHit, final, shieldHit, hullHit } =
    view.read(Attack)
  const { ring } = view.read(Participant)
  return {
    attacker_id: combatantId(view, attacker[entry]),
    target_id: combatantId(view, target[entry]),
    damage_type: DAMAGE_TYPES[type[entry]],
    splash: true,
    zone_distance: ring[attacker[entry]] + ring[target[entry]],
    hit_chance: 100,
    hit_roll: 0,
    hit_success: true,
    weapons: [],
    raw_damage: raw[entry],
    weapon_skill_pct: 0,
    pre_hit_damage: preHit[entry],
    final_damage: final[entry],
    ...renderSplit(splitOf(view, entry)),
    shield_damage: shieldHit[entry],
    hull_damage: hullHit[entry],
    ...killedBy(flags[entry]),
  }
}

/** Renders a volley or splash for the battle log. */
export function renderAttack(view: WorldView, entry: Row): Entry {
  const isSplash = (view.read(Attack).flags[entry] & ATTACK_FLAGS.splash) !== 0
  return isSplash ? renderSplash(view, entry) : renderVolley(view, entry, stagesOf(view, entry))
}

export function renderBurn(view: WorldView, entry: Row): Entry {
  const { attacker, target, hullHit, flags } = view.read(Attack)
  return {
    ...(attacker[entry] === 0 ? {} : { attacker_id: combatantId(view, attacker[entry]) }),
    target_id: combatantId(view, target[entry]),
    damage: hullHit[entry],
    ticks_remaining: view.read(Participant).burnTicks[target[entry]],
    ...((flags[entry] & ATTACK_FLAGS.kill) === 0 ? {} : { destroyed: true }),
  }
}

/* What ships did */

/** Renders the orders that a ship carried out in this tick. */
export function renderOrders(view: WorldView, row: Row): Entry[] {
  const done = view.read(Turn).ordered[row]
  const { target, stance, ring } = view.read(Participant)
  const player_id = combatantId(view, row)
  const before = view.read(Turn).ringBefore[row]
  const orders: Entry[] = []
  if ((done & ORDERED.move) !== 0) {
    orders.push({ player_id, command: ring[row] > before ? 'retreat' : 'advance' })
  }
  if ((done & ORDERED.stance) !== 0) {
    orders.push({ player_id, command: 'stance', stance: STANCES[stance[row]] })
  }
  if ((done & ORDERED.target) !== 0 && target[row] !== 0) {
    orders.push({ player_id, command: 'target', target_id: combatantId(view, target[row]) })
  }
  return orders
}

/** Renders what the autopilot chose; undefined where it did not fly. */
export function renderAutopilot(view: WorldView, row: Row): Entry | undefined {
  const { aim, autopilot } = view.read(Turn)
  if (autopilot[row] === 0 || pilotOf(view, row) === 0) return undefined
  const chosen = aim[row] === 0 ? {} : { chosen_target: combatantId(view, aim[row]) }
  return { player_id: combatantId(view, row), reason: 'no_orders', ...chosen }
}

/** Renders a change of ring; undefined without one. */
export function renderMove(view: WorldView, row: Row): Entry | undefined {
  const { moved, ringBefore } = view.read(Turn)
  if (moved[row] === 0) return undefined
  return {
    player_id: combatantId(view, row),
    old_zone: RINGS[ringBefore[row]],
    new_zone: RINGS[view.read(Participant).ring[row]],
    reason: MOVE_REASONS[moved[row]],
  }
}

/** Renders repairs and regrown shields; undefined without any. */
export function renderRegrowth(view: WorldView, row: Row): Entry | undefined {
  const { hullMended, hullHelped, shieldRegrown } = view.read(Turn)
  if (hullMended[row] + hullHelped[row] + shieldRegrown[row] === 0) return undefined
  const ship = view.read(Participant).ship[row]
  const { hull, shield } = view.read(Ship)
  return {
    player_id: combatantId(view, row),
    hull_before: hull[ship] - hullMended[row] - hullHelped[row],
    hull_after: hull[ship],
    armor_repair: hullMended[row],
    ...(hullHelped[row] === 0 ? {} : { remote_repair: hullHelped[row] }),
    shield_before: shield[ship] - shieldRegrown[row],
    shield_after: shield[ship],
    shield_regen: shieldRegrown[row],
  }
}

/** Renders the fuel that evasion used or lacked; undefined for ships that did not evade. */
export function renderFuel(view: WorldView, row: Row): Entry | undefined {
  const { fuelBurned, forced } = view.read(Turn)
  if (fuelBurned[row] + forced[row] === 0) return undefined
  const fuel = view.read(Ship).fuel[view.read(Participant).ship[row]]
  return {
    player_id: combatantId(view, row),
    fuel_before: fuel + fuelBurned[row],
    fuel_after: fuel,
    fuel_burned: fuelBurned[row],
    forced_fire: forced[row] === 1,
  }
}

/** Renders the progress of flight; undefined for ships that do not flee. */
export function renderFlight(view: WorldView, row: Row): Entry | undefined {
  const { stance, ring, flee, fleeNeed, tacklePoints, fate } = view.read(Participant)
  if (STANCES[stance[row]] !== 'flee' || ring[row] !== RING_OUTER) return undefined
  return {
    player_id: combatantId(view, row),
    flee_counter: flee[row],
    flee_required: fleeNeed[row],
    tackled: tacklePoints[row] > 0,
    tackle_points: Math.max(0, tacklePoints[row]),
    escaped: FATES[fate[row]] === 'fled',
  }
}

/* State of ships */

/** Renders where a ship is, or departed from, in AU; zeros for a place off the chart. */
function placeOf(view: WorldView, ship: Row): Entry {
  const { poi, fromPoi } = view.read(Location)
  const { x, y } = view.read(Poi)
  const place = poi[ship] || fromPoi[ship]
  return seesPoi(view, 0, place) ? { x: x[place] / MILLI, y: y[place] / MILLI } : { x: 0, y: 0 }
}

/** Renders the lasting effects on a ship. */
function renderEffects(view: WorldView, row: Row): Entry {
  const part = view.read(Participant)
  const { speed, effectiveSpeed, emTicks, burnTicks, burnDamage, meltTicks, meltPct } = part
  const slowed = speed[row] === 0 ? 0 : 100 - Math.trunc((100 * effectiveSpeed[row]) / speed[row])
  return {
    ...(slowed > 0 ? { speed_penalty_pct: slowed } : {}),
    ...(emTicks[row] > 0 ? { disruption_ticks: emTicks[row], damage_penalty_pct: 20 } : {}),
    ...(burnTicks[row] > 0
      ? { burn_ticks: burnTicks[row], burn_damage_per_tick: burnDamage[row] }
      : {}),
    ...(meltTicks[row] > 0
      ? { armor_melt_ticks: meltTicks[row], armor_melt_pct: meltPct[row] }
      : {}),
  }
}

/** Lists the weapons with a magazine, and what is in it. */
function renderMagazines(view: WorldView, row: Row): Entry[] {
  const { guns, gunModule, gunMagazine } = view.read(Participant)
  const { ammo, ammoType } = view.read(Module)
  const entries: Entry[] = []
  for (let slot = row * GUNS_MAX; slot < row * GUNS_MAX + guns[row]; slot++) {
    if (gunMagazine[slot] === 0) continue
    const module = gunModule[slot]
    entries.push({
      name: moduleTypeOf(view, module).name,
      category: 'weapon',
      magazine_size: gunMagazine[slot],
      current_ammo: ammo[module],
      ...(ammoType[module] === 0 ? {} : { loaded_ammo: GOODS[ammoType[module] - 1].id }),
    })
  }
  return entries
}

/** Renders the state of a ship after the tick. */
export function renderSnapshot(view: WorldView, row: Row): Entry {
  const part = view.read(Participant)
  const ship = part.ship[row]
  const { hull, hullMax, shield, shieldMax, fuel, fuelMax, class: shipClass } = view.read(Ship)
  const modules = renderMagazines(view, row)
  return {
    player_id: combatantId(view, row),
    username: combatantName(view, row),
    kind: kindOf(view, row),
    side_id: part.side[row],
    ship_class: SHIP_CLASSES[shipClass[ship]].id,
    zone: RINGS[part.ring[row]],
    stance: STANCES[part.stance[row]],
    ...(part.target[row] === 0 ? {} : { target_id: combatantId(view, part.target[row]) }),
    auto_pilot: pilotOf(view, row) === 0 || isOnAutopilot(view.tick, part.orderTick[row]),
    hull: hull[ship],
    max_hull: hullMax[ship],
    shield: shield[ship],
    max_shield: shieldMax[ship],
    fuel: fuel[ship],
    max_fuel: fuelMax[ship],
    ...placeOf(view, ship),
    flee_counter: part.flee[row],
    damage_dealt: part.dealt[row],
    damage_taken: part.taken[row],
    kill_count: part.kills[row],
    ...(part.selfDestructTicks[row] === 0
      ? {}
      : { self_destruct_ticks: part.selfDestructTicks[row] }),
    ...renderEffects(view, row),
    ...(modules.length === 0 ? {} : { modules }),
  }
}
