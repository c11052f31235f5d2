/**
 * Tables of combat: battles, their participants, and what a fight leaves on ships and players.
 * Hull, shield and personnel are columns of Ship; loaded ammunition is a column of Module. The
 * figures of a participant's fit and pilot are copied when it joins, and when its buffs change.
 */
import {
  defineComponent,
  defineEntity,
  defineTable,
  f64,
  i8,
  i16,
  i32,
  ref,
  u8,
  u16,
  u32,
} from '../../core/columns.ts'
import { ATTACKS_PER_PARTICIPANT, BATTLE_SIDES_MAX, ROWS } from '../../core/limits.ts'
import { defineTag } from '../../core/query.ts'
import { relation } from '../../core/relation.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/state.ts'
import { Ship } from '../ship/state.ts'

/**
 * ours: the most members and allies of a victim's faction who join when the victim is attacked; the
 * same as PIRATES_PER_BATTLE_MAX.
 */
export const ALLIES_CALLED_MAX = 24

/**
 * The most players whose damage to one pirate is counted; a further player who has done more damage
 * replaces the one with the least.
 */
export const CLAIMS_MAX = 8
/** Rows of damage claims, for all pirates that are being fought. */
const CLAIM_ROWS = 100_000

export const BATTLE_KINDS = ['general', 'hunt', 'arena'] as const
/** Wire values of a participant's kind, in the order of the column value. Source: spec. */
export const PARTICIPANT_KINDS = [
  'player',
  'pirate',
  'police',
  'drone',
  'creature',
  'station',
  'prize',
  'npc',
] as const
/** Rings in the order of the column value, from the inside out. Source: combat.md section 4. */
export const RINGS = ['engaged', 'inner', 'mid', 'outer'] as const
export const RING_OUTER = 3
/** Stances in the order of the column value. Source: combat.md section 5. */
export const STANCES = ['fire', 'evade', 'brace', 'flee', 'board'] as const
export const DAMAGE_TYPES = ['kinetic', 'energy', 'explosive', 'thermal', 'em', 'void'] as const
/** What happens to a participant at the end of a tick. */
export const FATES = [
  'stays',
  'destroyed',
  'fled',
  'captured',
  'self_destructed',
  'emergency_warp',
  'emergency_cloak',
  'knocked_out',
] as const
/** Meanings of the bits of a participant's `specials`, from the lowest. */
export const COMBAT_SPECIALS = ['emergency_cloak', 'emergency_warp_stabilizer'] as const
/** The most weapons of one ship: more than any hull has slots for. Source: ships.md section 1. */
export const GUNS_MAX = 10
/** Width of a column with one value per side: sides are numbered from 1 to BATTLE_SIDES_MAX. */
export const SIDES_WIDTH = BATTLE_SIDES_MAX + 1

export const Battle = defineEntity('battle', ROWS.battles, {
  system: ref('system', 'system in which it is fought'),
  origin: ref('poi', 'place of the first target; 0 if that target was travelling'),
  kind: u8('index into BATTLE_KINDS'),
  startTick: u32('tick of the first attack'),
  eventTick: u32('tick of the last kill, capture or escape; the stalemate timer starts here'),
  hullTick: u32('last tick in which a hull was damaged; 0 = none'),
  heldTicks: u8('ticks since eventTick in which the stalemate timer was paused'),
  sides: u8('sides that have joined so far'),
  hostile: u32('by side: bit s-1 is set for each side s that is hostile to it', {
    width: SIDES_WIDTH,
  }),
  first: ref('participant', 'first of its participants, ascending by seq'),
  last: ref('participant', 'last of its participants'),
  count: u32('participants'),
  damage: f64('total damage dealt, points'),
  destroyed: u16('ships destroyed'),
  captured: u16('ships captured'),
  logged: u32('attack entries logged so far'),
  firstAttack: u32('first of its rows of Attack in this tick', { derived: true }),
  attackCount: u32('number of its rows of Attack in this tick', { derived: true }),
})

/** One combatant in one battle. */
export const Participant = defineTable('participant', ROWS.participants, {
  battle: ref('battle', 'battle it takes part in'),
  ship: ref('ship', 'ship it fights with'),
  seq: f64('durable number of the ship; participants of a battle are ordered by it'),
  kind: u8('index into PARTICIPANT_KINDS'),
  side: u8('1 … BATTLE_SIDES_MAX'),
  ring: u8('index into RINGS'),
  stance: u8('index into STANCES'),
  target: ref('participant', 'participant it fires at; 0 = the nearest enemy'),
  next: ref('participant', 'next participant of the battle'),
  previous: ref('participant', 'previous participant of the battle'),
  joinTick: u32('tick of joining'),
  // Orders of the pilot or the AI; read at the start of phase fight, then cleared.
  orderMove: i8('-1 inwards, 1 outwards, 0 = none'),
  orderStance: u8('index into STANCES plus 1; 0 = none'),
  orderTarget: ref('participant', 'new target; 0 = none'),
  orderTick: u32('tick of the latest order of the pilot; 0 = none yet'),
  pilotless: u8('1 while its pilot is offline: it only braces'),
  boardedStance: u8('stance before the order to board'),
  // Progress of the fight.
  flee: u8('ticks of fleeing spent at the outer ring'),
  fate: u8('index into FATES; set in phase fight, acted on at its end'),
  killer: ref('participant', 'participant whose hit or burn destroyed it in this tick'),
  hullHit: i32('hull damage in this tick, points'),
  shieldHit: i32('shield damage in this tick, points'),
  dealt: i32('damage dealt so far, points'),
  taken: i32('damage taken so far, points'),
  hullTaken: i32('hull damage taken so far, points'),
  kills: u16('ships destroyed so far'),
  mauled: ref('mauling', 'of a pirate: first of the claims of players who damaged it'),
  selfDestructTicks: u8('ticks until it destroys itself; 0 = no countdown'),
  emTicks: u8('ticks of EM disruption left'),
  burnDamage: i32('hull damage a tick, points'),
  burnTicks: u8('ticks of burning left'),
  burnBy: ref('participant', 'participant that set it on fire'),
  meltPct: u8('armour melted, %'),
  meltTicks: u8('ticks of melting left'),
  holdTicks: u8('consecutive ticks in which its enemies outranged it'),
  // State in the last tick, written by combat.maneuver.
  effectiveSpeed: u8('AU a tick after EM disruption and webs'),
  webbedPct: u8('loss of speed to webifiers, 0-80 %'),
  webs: u8('number of webifiers on it'),
  tacklePoints: i16(
    'points of disruptors and scramblers on it less its stabilizers; above 0 it cannot flee',
  ),
  fleeNeed: u8('ticks of fleeing it needs to escape; 0 unless it flees'),
  // Damage not yet turned into experience; index 0: against others, 1: against players.
  xpDealt: i32('damage dealt, points', { width: 2 }),
  xpShield: i32('shield damage taken, points', { width: 2 }),
  xpHull: i32('hull damage taken, points', { width: 2 }),
  // Figures of the fit and the pilot, copied when it joins and when its buffs change.
  speed: u8('AU a tick before effects'),
  accuracyPct: i16('accuracy and tracking bonuses other than those of the weapons, points'),
  tacticsPct: u8('level of the skill tactics, points'),
  weaponSkillPct: i16('damage bonus of the skills weapons and gunnery, %'),
  woundedPct: u8('damage bonus while its own hull is damaged, from an origin skill, %'),
  energyPct: u8('bonus to energy damage, from an origin skill, %'),
  armorBypassPct: u8('armour its hits ignore, from an origin skill, %'),
  capitalPct: u8('damage bonus of a capital hull, %'),
  critPermille: u16('chance of a critical hit, per mille'),
  offensePct: i16('damage bonus of buffs, %'),
  defensePct: u8('reduction of damage taken by buffs, 0-75 %'),
  shieldSkillPct: u8('reduction of damage taken while shielded, by the skill shields, 0-75 %'),
  resistPct: u8('resistance to each of DAMAGE_TYPES, 0-75 %', { width: 6 }),
  flatPct: u8('flat and adaptive reduction of damage taken, 0-75 %'),
  repairPower: u16('hull points a tick its repair systems restore on itself'),
  remotePower: u16('hull points a tick its remote repair restores on another'),
  disruptPoints: u8('tackle points of its disruptors'),
  scramblePoints: u8('tackle points of its scramblers'),
  webPct: u8('slowing by its webifiers, at most 80 %'),
  webifiers: u8('number of its webifiers'),
  stabilizers: u8('number of its stabilizers'),
  specials: u16('bits of COMBAT_SPECIALS'),
  guns: u8('number of fitted weapons; the columns below list them in order of damage type'),
  gunsSlow: u16('bits by weapon: does not fire in every tick'),
  gunsFed: u16('bits by weapon: needs ammunition'),
  gunsPiercing: u16('bits by weapon: bypasses shield or armour whatever its ammunition'),
  gunModule: ref('module', 'the weapon; 0 = of an NPC', { width: GUNS_MAX }),
  gunDamage: u16('points a hit before stage 1; hull bonus included', { width: GUNS_MAX }),
  gunType: u8('index into DAMAGE_TYPES', { width: GUNS_MAX }),
  gunReach: u8('rings it reaches', { width: GUNS_MAX }),
  gunPeriod: u8('ticks from one shot to the next', { width: GUNS_MAX }),
  gunCooldown: u8('ticks until it may fire', { width: GUNS_MAX }),
  gunMagazine: u16('rounds its magazine holds; 0 = needs no ammunition', { width: GUNS_MAX }),
  gunAccuracyPct: i8('accuracy and tracking bonuses of the weapon, points', { width: GUNS_MAX }),
  gunShieldBypassPct: u8('damage that bypasses shields, without ammunition, %', {
    width: GUNS_MAX,
  }),
  gunArmorBypassPct: u8('armour its hits ignore, without ammunition, %', { width: GUNS_MAX }),
})

/** The damage of one player to one pirate in its current battle. */
export const DamageClaim = defineTable('mauling', CLAIM_ROWS, {
  player: ref('player', 'player who damaged it'),
  points: f64('damage, points'),
  next: ref('mauling', 'next claim on the same pirate'),
})

/** What a fight leaves on a ship. */
export const ShipCombat = defineComponent(Ship, 'fighting', {
  participant: ref('participant', 'its participant; 0 = in no battle'),
  aggressiveUntil: u32('last tick in which it has the aggression flag'),
  graceUntil: u32('last tick in which participants of the battle it left may not attack it'),
  lastBattle: f64('durable number of the battle it left last; 0 = none'),
  engageBattle: ref('battle', 'battle it joins at the next phase fight; 0 = none'),
  engageSide: u8('side on which it joins that battle'),
  orderTick: u32('tick of the latest order'),
  orders: u8('orders given in orderTick'),
  cloakReadyTick: u32('first tick in which its emergency cloak works again'),
})

/** Travelling ships that a battle keeps from travelling on. */
export const HeldUp = defineTag('ship', 'held_up')

/** How many of the latest self-destructs are remembered, to raise the fee of the next. */
export const SELF_DESTRUCTS_COUNTED = 9

/** What battles and losses leave on a player. */
export const PlayerCombat = defineComponent(Player, 'lives', {
  alertTick: u32('tick of the last battle_alert; 0 = none'),
  cloakUntil: u32('tick in which the emergency cloak ends; 0 = the cloak is off'),
  floorTick: u32('tick in which the wallet was last filled up after a death; 0 = never'),
  pilotlessUntil: u32('last tick in which the ship waits for its offline pilot; 0 = it does not'),
  restrictedUntil: u32('last tick in which the player may not trade with others'),
  selfDestructTicks: u32('tick numbers of the last self-destructs, the latest first; 0 = none', {
    width: SELF_DESTRUCTS_COUNTED,
  }),
})

const DERIVED = { derived: true }

/**
 * What a participant did and suffered in the tick being fought; the row is the participant's. All
 * columns are derived and no row is ever taken, so nothing here is saved or hashed. The values hold
 * until the next phase fight.
 */
export const Turn = defineTable('turn', ROWS.participants, {
  aim: u32('participant it fires at and tackles; 0 = nobody', DERIVED),
  ringBefore: u8('ring at the start of the phase', DERIVED),
  moved: u8('index into MOVE_REASONS', DERIVED),
  ordered: u8('bits of ORDERED: the orders it carried out', DERIVED),
  autopilot: u8('1 when the autopilot flew it', DERIVED),
  forced: u8('1 when it had to fire because it lacked fuel', DERIVED),
  fuelBurned: u8('fuel used, units', DERIVED),
  crewPct: u8('crew efficiency at the start of the phase, %', DERIVED),
  hullBefore: i32('hull at the start of the phase, points', DERIVED),
  hullMended: i32('hull restored by its own repair systems, points', DERIVED),
  hullHelped: i32('hull restored by remote repair, points', DERIVED),
  shieldRegrown: i32('shield regenerated, points', DERIVED),
  // Effects of this tick's hits, in force from the next tick on.
  emTicks: u8('ticks of EM disruption', DERIVED),
  meltPct: u8('armour melted, %', DERIVED),
  meltTicks: u8('ticks of melting', DERIVED),
  burnDamage: i32('hull damage a tick, points', DERIVED),
  burnTicks: u8('ticks of burning', DERIVED),
  burnBy: u32('participant that set it on fire', DERIVED),
  // Counts for the experience of players; width 2: index 0 against others, 1 against players.
  volleys: u8('volleys fired', { width: 2, derived: true }),
  scores: u16('volleys that hit plus volleys dodged', { width: 2, derived: true }),
  duelShield: i32('shield damage taken from players, points', DERIVED),
  duelHull: i32('hull damage taken from players, points', DERIVED),
})
/** Why a participant changed its ring; all but the first are wire values of the battle log. */
export const MOVE_REASONS = ['', 'order', 'flee', 'board', 'autopilot'] as const
/** Bits of `Turn.ordered`. */
export const ORDERED = { move: 1, stance: 2, target: 4 } as const

/**
 * Volleys, splashes and burns of the tick being fought. Each battle has a range of rows
 * (`Battle.firstAttack`, `attackCount`): first volleys in the order of its participants, then
 * splashes, then burns. Chances, rolls and the results of stages are computed again from these
 * rows, Turn and the figures of Participant when they are shown (stages-model.ts). All columns are
 * derived, as in Turn. Source: combat.md section 6.
 */
export const Attack = defineTable(
  'attack',
  ROWS.participants * ATTACKS_PER_PARTICIPANT,
  {
    attacker: u32('participant; 0 = a burn whose source is gone', DERIVED),
    target: u32('participant', DERIVED),
    type: u8('index into DAMAGE_TYPES', DERIVED),
    flags: u8('bits of ATTACK_FLAGS', DERIVED),
    fired: u16('bits by weapon: fired', DERIVED),
    hits: u16('bits by weapon: hit', DERIVED),
    raw: i32('damage of the weapons that hit, after stage 5, points', DERIVED),
    againstPct: i16(
      'damage bonus of the ammunition against this target, part of stage 7, %',
      DERIVED,
    ),
    preHit: i32('damage after stage 7, points', DERIVED),
    stance: u8('stance of the target, for stage 8: index into STANCES', DERIVED),
    final: i32('damage after stage 12, points', DERIVED),
    armor: i32('armour of the target that counted in stage 13, points', DERIVED),
    shieldHit: i32('points taken off the shield', DERIVED),
    hullHit: i32('points taken off the hull', DERIVED),
    // Set with flag `mixed`; percentages are averages over the weapons that hit, weighted by damage
    shieldBypassPct: u8('damage that bypasses shields, %', DERIVED),
    armorBypassPct: u8('armour ignored, %', DERIVED),
    shieldPct: i16('added to the damage to shields, %', DERIVED),
    hullPct: i16('added to the damage to hulls, %', DERIVED),
    splashPct: u8('share of the damage dealt to others in the ring, %', DERIVED),
    burnPct: u8('share of the damage burned off the hull each tick, %', DERIVED),
    burnTicks: u8('ticks of burning, the longest of the weapons that hit', DERIVED),
    meltPct: u8('armour melted, the largest of the weapons that hit, %', DERIVED),
    meltTicks: u8('ticks of melting, the longest of the weapons that hit', DERIVED),
    disruptTicks: u8('ticks of EM disruption, the longest of the weapons that hit', DERIVED),
  },
  { rowsMin: 64 * ATTACKS_PER_PARTICIPANT },
)
/**
 * Bits of `Attack.flags`. `shielded`: the target had a shield when it was hit. `mixed`: a weapon
 * that hit, or its ammunition, does more than damage.
 */
export const ATTACK_FLAGS = {
  hit: 1,
  splash: 2,
  disrupted: 4,
  burn: 8,
  kill: 16,
  shielded: 32,
  mixed: 64,
} as const

/**
 * The effects of ammunition, copied from the catalogue because kernels do not load it. The row is
 * the index of the good plus 1, as in `Module.ammoType`. Multipliers are stored as their difference
 * from 100 %.
 */
export const Ammo = defineTable(
  'ammo',
  ROWS.goods,
  {
    damagePct: i16('added to the damage of a shot, %', DERIVED),
    hitPct: i16('added to the chance to hit, points', DERIVED),
    shieldPct: i16('added to the damage to shields, %', DERIVED),
    hullPct: i16('added to the damage to hulls, %', DERIVED),
    shieldBypassPct: u8('damage that bypasses shields, %', DERIVED),
    armorBypassPct: u8('armour ignored, %', DERIVED),
    antiLargePct: i16('added to the damage to hulls of LARGE_SCALE_MIN and more, %', DERIVED),
    antiSmallPct: i16('added to the damage to hulls of SMALL_SCALE_MAX and less, %', DERIVED),
    antiDronePct: i16('added to the damage to drones, %', DERIVED),
    burnPct: u8('share of the damage burned off the hull each tick, %', DERIVED),
    burnTicks: u8('ticks of burning', DERIVED),
    splashPct: u8('share of the damage dealt to others in the ring, %', DERIVED),
    meltPct: u8('armour melted, %', DERIVED),
    meltTicks: u8('ticks of melting', DERIVED),
    disruptTicks: u8('ticks of EM disruption', DERIVED),
    special: u8('1 when it changes more than the damage and the chance to hit', DERIVED),
  },
  { fixed: true },
)
/** ours: ammunition treats hulls of this scale and above as large. */
export const LARGE_SCALE_MIN = 4
/** ours: ammunition treats hulls of this scale and below as small. */
export const SMALL_SCALE_MAX = 2

/** Ships that undocked to attack in this tick; others cannot attack them before phase fight. */
export const UNDOCKED_NOW = defineIndex('combat.undocked-now', () => new Set<Eid>())

/** The general battle of a system, by system. */
export const GENERAL = defineIndex('combat.general', () => new Map<Eid, Row>())

/** Ships that will join a battle in the next phase fight: those with `engageBattle`. */
export const ENGAGING = defineIndex('combat.engaging', () => new Set<Eid>())

/** Players whose emergency cloak ends, by tick. Derived from `cloakUntil`. */
export const CLOAKED = defineIndex('combat.cloaked', () => new Map<number, Eid[]>())

/** Players whose `pilotlessUntil` is set. */
export const PILOTLESS = defineIndex('combat.pilotless', () => new Set<Eid>())

/** Experience by skill. */
export type Gains = Readonly<Record<string, number>>

/** Experience from this tick's attacks, by participant; sent with the first of those attacks. */
export const GAINS = defineIndex('combat.gains', () => new Map<Row, Gains>())

/** The participants of a battle, ascending by the numbers of their ships. */
export const PARTICIPANTS_OF = relation('participants of a battle', {
  many: Participant,
  via: 'battle',
  next: 'next',
  previous: 'previous',
  one: Battle,
  head: 'first',
  tail: 'last',
  order: { by: 'seq' },
})
