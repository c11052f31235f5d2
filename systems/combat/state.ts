/**
 * Battles, their participants, and what a fight leaves on ships and players. Hull, shield and
 * personnel are columns of Ship, loaded ammunition of Module. A participant keeps the figures of
 * its fit and its pilot from when it joined.
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

/** ours: members and allies whom an attack calls to the side of its victim; as many as pirates. */
export const ALLIES_CALLED_MAX = 24

/** Players whose damage to one pirate is counted; a newcomer takes the place of the least. */
export const CLAIMS_MAX = 8
/** Rows for all pirates being fought. */
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
/** Rings by the value of the column, from the inside out. Source: combat.md section 4. */
export const ZONES = ['engaged', 'inner', 'mid', 'outer'] as const
export const RING_OUTER = 3
/** Source: combat.md section 5. */
export const STANCES = ['fire', 'evade', 'brace', 'flee', 'board'] as const
export const DAMAGE_TYPES = ['kinetic', 'energy', 'explosive', 'thermal', 'em', 'void'] as const
/** What becomes of a participant at the end of a tick. */
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
/** Weapons of one ship: the largest hull has nine weapon slots. Source: ships.md section 1. */
export const GUNS_MAX = 10
/** Sides have the numbers 1 … BATTLE_SIDES_MAX. */
export const SIDES_WIDTH = BATTLE_SIDES_MAX + 1

export const Battle = defineEntity('battle', ROWS.battles, {
  system: ref('system', 'where it is fought'),
  origin: ref('poi', 'place of the first target; 0 when it was under way'),
  kind: u8('index into BATTLE_KINDS'),
  startTick: u32('tick of the first attack'),
  eventTick: u32('last kill, capture or escape: a stalemate counts from here'),
  hullTick: u32('last tick in which a hull was damaged; 0 none'),
  heldTicks: u8('ticks since that event for which the count stood still'),
  sides: u8('sides so far'),
  hostile: u32('by side: bit s-1 is set for each hostile side s', { width: SIDES_WIDTH }),
  first: ref('participant', 'head of its list, ascending by seq'),
  last: ref('participant', 'end of its list'),
  count: u32('participants'),
  damage: f64('total damage dealt, points'),
  destroyed: u16('ships destroyed'),
  captured: u16('ships captured'),
  logged: u32('attack entries logged'),
  firstAttack: u32('first row of its range of Attack in this tick', { derived: true }),
  attackCount: u32('rows of that range in use', { derived: true }),
})

/** One combatant in one battle. */
export const Participant = defineTable('participant', ROWS.participants, {
  battle: ref('battle', 'of which battle'),
  ship: ref('ship', 'the hull'),
  seq: f64('durable number of the ship: the order in a battle'),
  kind: u8('index into PARTICIPANT_KINDS'),
  side: u8('1 … 32'),
  ring: u8('3 outer … 0 engaged'),
  stance: u8('index into STANCES'),
  target: ref('participant', 'whom it fires at; 0: the nearest'),
  next: ref('participant', 'next of the battle'),
  previous: ref('participant', 'previous of the battle'),
  joinTick: u32('tick of joining'),
  // orders of the pilot or the AI, sampled at the start of phase fight, then cleared
  orderMove: i8('-1 inwards, 1 outwards'),
  orderStance: u8('index into STANCES plus 1; 0 = none'),
  orderTarget: ref('participant', 'new target'),
  orderTick: u32('tick of the last order of the pilot'),
  pilotless: u8('1 while its pilot is offline: it only braces'),
  boardedStance: u8('stance before boarding was asked for'),
  // course of the fight
  flee: u8('ticks of flight counted at the outer ring'),
  fate: u8('index into FATES, set in phase fight and dealt with at its end'),
  killer: ref('participant', 'whose hit or burn destroyed it in this tick'),
  hullHit: i32('hull damage in this tick, points'),
  shieldHit: i32('shield damage in this tick, points'),
  dealt: i32('damage dealt so far, points'),
  taken: i32('damage taken so far, points'),
  hullTaken: i32('of it, off the hull'),
  kills: u16('ships destroyed so far'),
  mauled: ref('mauling', 'of a pirate: head of the list of players who hurt it'),
  selfDestructTicks: u8('countdown; 0 = none'),
  emTicks: u8('ticks of EM disruption left'),
  burnDamage: i32('hull damage a tick'),
  burnTicks: u8('ticks of burning left'),
  burnBy: ref('participant', 'who set it alight'),
  meltPct: u8('armour melted, %'),
  meltTicks: u8('ticks of it left'),
  holdTicks: u8('ticks for which it was outranged'),
  // standing of the last tick, written by combat.maneuver
  effectiveSpeed: u8('AU a tick after EM disruption and webs'),
  webbedPct: u8('slowed by webifiers, 0-80 %'),
  webs: u8('webifiers on it'),
  tacklePoints: i16('disruptors and scramblers on it less its stabilizers; above 0 it cannot flee'),
  fleeNeed: u8('ticks of flight it needs to escape; 0 unless it flees'),
  // what is not yet turned into experience; by opponent: others, players
  xpDealt: i32('damage dealt, points', { width: 2 }),
  xpShield: i32('shield damage taken, points', { width: 2 }),
  xpHull: i32('hull damage taken, points', { width: 2 }),
  // figures of the fit and the pilot, frozen at joining
  speed: u8('AU a tick before effects'),
  accuracyPct: i16('accuracy and tracking bonuses of all but the weapons themselves, points'),
  tacticsPct: u8('skill tactics'),
  weaponSkillPct: i16('weapons and gunnery, %'),
  woundedPct: u8('damage while its own hull is damaged, by origin skill, %'),
  energyPct: u8('energy damage, by origin skill, %'),
  armorBypassPct: u8('armour ignored, by origin skill, %'),
  capitalPct: u8('damage bonus of a capital hull, %'),
  critPermille: u16('chance of a critical hit'),
  offensePct: i16('offensive buffs, %'),
  defensePct: u8('defensive buffs, 0-75 %'),
  shieldSkillPct: u8('shields skill, 0-75 %'),
  resistPct: u8('typed resistance by DAMAGE_TYPES, 0-75 %', { width: 6 }),
  flatPct: u8('flat and adaptive reduction, 0-75 %'),
  repairPower: u16('hull points a tick of its own repair systems'),
  remotePower: u16('hull points a tick of its remote repair'),
  disruptPoints: u8('of its disruptors'),
  scramblePoints: u8('of its scramblers'),
  webPct: u8('of its webifiers, at most 80'),
  webifiers: u8('count'),
  stabilizers: u8('count'),
  specials: u16('bits of COMBAT_SPECIALS'),
  guns: u8('fitted weapons; in order of their damage types'),
  gunsSlow: u16('bits of those that do not fire in every tick'),
  gunsFed: u16('bits of those that need ammunition'),
  gunsPiercing: u16('bits of those that pass shield or armour by themselves'),
  gunModule: ref('module', 'the weapon; 0 for one of an NPC', { width: GUNS_MAX }),
  gunDamage: u16('points a hit before everything; hull bonus included', { width: GUNS_MAX }),
  gunType: u8('index into DAMAGE_TYPES', { width: GUNS_MAX }),
  gunReach: u8('ring distance', { width: GUNS_MAX }),
  gunPeriod: u8('fires every so many ticks', { width: GUNS_MAX }),
  gunCooldown: u8('ticks until it may fire', { width: GUNS_MAX }),
  gunMagazine: u16('rounds its magazine holds; 0: needs no ammunition', { width: GUNS_MAX }),
  gunAccuracyPct: i8('its own accuracy and tracking, points', { width: GUNS_MAX }),
  gunShieldBypassPct: u8('of its own', { width: GUNS_MAX }),
  gunArmorBypassPct: u8('of its own', { width: GUNS_MAX }),
})

/** What one player has done to one pirate in the fight it is in. */
export const DamageClaim = defineTable('mauling', CLAIM_ROWS, {
  player: ref('player', 'who hurt it'),
  points: f64('damage, points'),
  next: ref('mauling', 'next of the same pirate'),
})

/** What a fight leaves on a ship. */
export const ShipCombat = defineComponent(Ship, 'fighting', {
  participant: ref('participant', 'while it takes part in a battle'),
  aggressiveUntil: u32('last tick of the aggression flag'),
  graceUntil: u32('last tick in which the battle it left may not attack it'),
  lastBattle: f64('durable number of the battle it left last'),
  engageBattle: ref('battle', 'which it joins at the next phase fight; 0 = none'),
  engageSide: u8('on this side'),
  orderTick: u32('tick before which the orders below were given'),
  orders: u8('orders given since that tick'),
  cloakReadyTick: u32('first tick in which its emergency cloak works again'),
})

/** Travelling ships whose flight a battle holds up. */
export const HeldUp = defineTag('ship', 'held_up')

/** Recent self-destructs that raise the fee of the next. */
export const SELF_DESTRUCTS_COUNTED = 9

/** What battles and losses leave on a player. */
export const PlayerCombat = defineComponent(Player, 'lives', {
  alertTick: u32('tick of the last battle_alert'),
  cloakUntil: u32('tick in which the emergency cloak ends; 0 = it is off'),
  floorTick: u32('tick in which the wallet was last filled up after a death; 0 = never'),
  pilotlessUntil: u32('last tick in which the ship waits for its offline pilot; 0 = it does not'),
  restrictedUntil: u32('last tick in which the player may not trade with others'),
  selfDestructTicks: u32('of the last self-destructs, the latest first; 0 = none', {
    width: SELF_DESTRUCTS_COUNTED,
  }),
})

const SCRATCH = { derived: true }

/**
 * What a participant did and suffered in the tick being fought; the row is the participant's.
 * Scratch: no row is ever taken, so nothing of it is saved or hashed; valid until the next fight.
 */
export const Turn = defineTable('turn', ROWS.participants, {
  aim: u32('participant it fires at and tackles; 0: nobody', SCRATCH),
  ringBefore: u8('ring at the start of the phase', SCRATCH),
  moved: u8('index into MOVE_REASONS', SCRATCH),
  ordered: u8('bits of ORDERED: what it was told and did', SCRATCH),
  autopilot: u8('1 when the autopilot flew it', SCRATCH),
  forced: u8('1 when it had to fire for want of fuel', SCRATCH),
  fuelBurned: u8('units', SCRATCH),
  crewPct: u8('crew efficiency at the start of the phase', SCRATCH),
  hullBefore: i32('points at the start of the phase', SCRATCH),
  hullMended: i32('points by its own repair systems', SCRATCH),
  hullHelped: i32('points by remote repair', SCRATCH),
  shieldRegrown: i32('points', SCRATCH),
  // what hits of this tick leave behind; in force from the next on
  emTicks: u8('of disruption', SCRATCH),
  meltPct: u8('of armour', SCRATCH),
  meltTicks: u8('of it', SCRATCH),
  burnDamage: i32('a tick, points', SCRATCH),
  burnTicks: u8('of it', SCRATCH),
  burnBy: u32('participant who set it alight', SCRATCH),
  // counted for experience, of players only; by opponent: others, players
  volleys: u8('fired', { width: 2, derived: true }),
  scores: u16('volleys that hit, and volleys dodged', { width: 2, derived: true }),
  duelShield: i32('shield damage taken from players, points', SCRATCH),
  duelHull: i32('hull damage taken from players, points', SCRATCH),
})
/** Why a participant changed its ring. Wire values of the log, but for the first. */
export const MOVE_REASONS = ['', 'order', 'flee', 'board', 'autopilot'] as const
/** Bits of `Turn.ordered`. */
export const ORDERED = { move: 1, stance: 2, target: 4 } as const

/**
 * Volleys, splashes and burns of the tick being fought, in a range of rows for each battle
 * (`Battle.firstAttack`, `attackCount`): volleys in the order of the battle, then splashes, then
 * burns. Chances, rolls and the results of stages can be worked out again from this, the turn and
 * the frozen figures (stages-model.ts). Scratch, as Turn. Source: combat.md section 6.
 */
export const Attack = defineTable(
  'attack',
  ROWS.participants * ATTACKS_PER_PARTICIPANT,
  {
    attacker: u32('participant; 0: a burn whose source is gone', SCRATCH),
    target: u32('participant', SCRATCH),
    type: u8('index into DAMAGE_TYPES', SCRATCH),
    flags: u8('bits of ATTACK_FLAGS', SCRATCH),
    fired: u16('bits by weapon', SCRATCH),
    hits: u16('bits by weapon', SCRATCH),
    raw: i32('sum of the weapons that hit: stage 5', SCRATCH),
    againstPct: i16('what the ammunition adds against this target: part of stage 7', SCRATCH),
    preHit: i32('after stage 7', SCRATCH),
    stance: u8('of the target, index into STANCES: stage 8', SCRATCH),
    final: i32('after stage 12', SCRATCH),
    armor: i32('of the target that counted: stage 13', SCRATCH),
    shieldHit: i32('points taken off the shield', SCRATCH),
    hullHit: i32('points taken off the hull', SCRATCH),
    // with flag `mixed`: what the weapons that hit have of their own, each by its damage
    shieldBypassPct: u8('of the damage', SCRATCH),
    armorBypassPct: u8('of the armour', SCRATCH),
    shieldPct: i16('added to the damage to shields, %', SCRATCH),
    hullPct: i16('added to the damage to hulls, %', SCRATCH),
    splashPct: u8('of the damage, to others in the ring', SCRATCH),
    burnPct: u8('of the damage, each tick', SCRATCH),
    burnTicks: u8('the most of them', SCRATCH),
    meltPct: u8('the most of them', SCRATCH),
    meltTicks: u8('the most of them', SCRATCH),
    disruptTicks: u8('the most of them', SCRATCH),
  },
  { rowsMin: 64 * ATTACKS_PER_PARTICIPANT },
)
/** `shielded`: the target had a shield when hit; `mixed`: the weapons add more than damage. */
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
 * What ammunition does, for kernels, which do not load the catalogue. The row is the good plus 1,
 * as in `Module.ammoType`. Percentages of change are kept as their difference from 100.
 */
export const Ammo = defineTable(
  'ammo',
  ROWS.goods,
  {
    damagePct: i16('added to the damage of a shot, %', SCRATCH),
    hitPct: i16('added to the chance, points', SCRATCH),
    shieldPct: i16('added to the damage to shields, %', SCRATCH),
    hullPct: i16('added to the damage to hulls, %', SCRATCH),
    shieldBypassPct: u8('of the damage', SCRATCH),
    armorBypassPct: u8('of the armour', SCRATCH),
    antiLargePct: i16('added against hulls of LARGE_SCALE_MIN and more, %', SCRATCH),
    antiSmallPct: i16('added against hulls of SMALL_SCALE_MAX and less, %', SCRATCH),
    antiDronePct: i16('added against drones, %', SCRATCH),
    burnPct: u8('of the damage, each tick', SCRATCH),
    burnTicks: u8('of it', SCRATCH),
    splashPct: u8('of the damage, to others in the ring', SCRATCH),
    meltPct: u8('of the armour', SCRATCH),
    meltTicks: u8('of it', SCRATCH),
    disruptTicks: u8('of EM disruption', SCRATCH),
    special: u8('1 when it does more than add to damage and chance', SCRATCH),
  },
  { fixed: true },
)
/** ours: scales of the hulls that ammunition against large or small ones is made for. */
export const LARGE_SCALE_MIN = 4
export const SMALL_SCALE_MAX = 2

/** Ships that undocked to attack in this tick: to the other attackers they are still docked. */
export const UNDOCKED_NOW = defineIndex('combat.undocked-now', () => new Set<Eid>())

/** The general battle of a system, by system. */
export const GENERAL = defineIndex('combat.general', () => new Map<Eid, Row>())

/** Ships that will join a battle in the next phase fight: those with `engageBattle`. */
export const ENGAGING = defineIndex('combat.engaging', () => new Set<Eid>())

/** Players whose emergency cloak ends, by tick. Derived from `cloakUntil`. */
export const CLOAKED = defineIndex('combat.cloaked', () => new Map<number, Eid[]>())

/** Players with `pilotlessUntil`: few. */
export const PILOTLESS = defineIndex('combat.pilotless', () => new Set<Eid>())

/** Experience by skill. */
export type Gains = Readonly<Record<string, number>>

/** Experience from the attacks of this tick, by participant; sent with the first of them. */
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
