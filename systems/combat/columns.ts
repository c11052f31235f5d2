/**
 * Battles, who takes part in them, and what of a fight stays with a ship afterwards. Hull, shield
 * and personnel stand in Ship; loaded ammunition in Module. Figures of the fit are frozen in the
 * participant when it joins: nothing in a battle changes a fit.
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
import { BATTLE_SIDES_MAX, ROWS } from '../../core/limits.ts'
import { Ship } from '../ship/columns.ts'

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
/** Rings from the outside in; the column holds the ring value. Source: combat.md section 4. */
export const ZONES = ['engaged', 'inner', 'mid', 'outer'] as const
export const RING_OUTER = 3
/** Source: combat.md section 5. */
export const STANCES = ['fire', 'evade', 'brace', 'flee', 'board'] as const
export const DAMAGE_TYPES = ['kinetic', 'energy', 'explosive', 'thermal', 'em', 'void'] as const
/** What becomes of a participant at the end of a tick; `stays` goes on fighting. */
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
/** Weapons of one ship: the largest hull has nine weapon slots. Source: ships.md section 1. */
export const GUNS_MAX = 10
/** Sides have the numbers 1 … BATTLE_SIDES_MAX. */
const SIDES_WIDTH = BATTLE_SIDES_MAX + 1

export const Battle = defineEntity('battle', ROWS.battles, {
  system: ref('system', 'where it is fought'),
  origin: ref('poi', 'place of the first target; 0 when it was under way'),
  kind: u8('index into BATTLE_KINDS'),
  startTick: u32('tick of the first attack'),
  eventTick: u32('last kill, capture or escape: a stalemate counts from here'),
  sides: u8('sides so far'),
  hostile: u32('by side: bit s-1 is set for each hostile side s', { width: SIDES_WIDTH }),
  first: ref('participant', 'head of its list, ascending by seq'),
  last: ref('participant', 'end of its list'),
  count: u32('participants'),
  damage: f64('total damage dealt, points'),
  destroyed: u16('ships destroyed'),
  captured: u16('ships captured'),
  logged: u32('attack entries logged'),
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
  orderMarines: u16('marines to board with; with stance board'),
  orders: u8('orders given in this tick'),
  orderTick: u32('tick of the last order of the pilot'),
  boardedStance: u8('stance before boarding was asked for'),
  // course of the fight
  flee: u8('ticks of flight counted at the outer ring'),
  fate: u8('index into FATES, set in phase fight and dealt with at its end'),
  killer: ref('participant', 'whose hit or burn destroyed it in this tick'),
  hullHit: i32('hull damage in this tick, points'),
  shieldHit: i32('shield damage in this tick, points'),
  dealt: i32('damage dealt so far, points'),
  taken: i32('damage taken so far, points'),
  kills: u16('ships destroyed so far'),
  selfDestructTicks: u8('countdown; 0 = none'),
  emTicks: u8('ticks of EM disruption left'),
  burnDamage: i32('hull damage a tick'),
  burnTicks: u8('ticks of burning left'),
  burnBy: ref('participant', 'who set it alight'),
  meltPct: u8('armour melted, %'),
  meltTicks: u8('ticks of it left'),
  holdTicks: u8('ticks for which it was outranged'),
  // figures of the fit and the pilot, frozen at joining
  speed: u8('AU a tick before effects'),
  accuracyPct: i16('accuracy and tracking bonuses, points'),
  tacticsPct: u8('skill tactics'),
  weaponSkillPct: i16('weapons, gunnery and empire skill, %'),
  critPermille: u16('chance of a critical hit'),
  offensePct: i16('offensive buffs, %'),
  defensePct: i16('defensive buffs, %'),
  shieldSkillPct: u8('shields skill, %'),
  resistPct: i16('typed resistance by DAMAGE_TYPES, %', { width: 6 }),
  flatPct: i16('flat reduction, %'),
  adaptivePct: i16('adaptive reduction, %'),
  repairPower: u16('hull points a tick of its own repair systems'),
  remotePower: u16('hull points a tick of its remote repair'),
  disruptPoints: u8('of its disruptors'),
  scramblePoints: u8('of its scramblers'),
  webPct: u8('of its webifiers'),
  stabilizers: u8('count'),
  specials: u16('bits of SPECIALS'),
  guns: u8('fitted weapons'),
  gunModule: ref('module', 'the weapon; 0 for one of an NPC', { width: GUNS_MAX }),
  gunDamage: u16('points a hit before everything', { width: GUNS_MAX }),
  gunType: u8('index into DAMAGE_TYPES', { width: GUNS_MAX }),
  gunReach: u8('ring distance', { width: GUNS_MAX }),
  gunPeriod: u8('fires every so many ticks', { width: GUNS_MAX }),
  gunCooldown: u8('ticks until it may fire', { width: GUNS_MAX }),
})

/** What a fight leaves on a ship. */
export const Fighting = defineComponent(Ship, 'fighting', {
  participant: ref('participant', 'while it takes part in a battle'),
  aggressiveUntil: u32('last tick of the aggression flag'),
  graceUntil: u32('last tick in which the battle it left may not attack it'),
  graceBattle: f64('durable number of that battle'),
  engageBattle: ref('battle', 'which it joins at the next phase fight; 0 = none'),
  engageSide: u8('on this side'),
  orderTick: u32('tick before which the orders below were given'),
  orders: u8('orders given since that tick'),
})
