/**
 * Drones, their scripts and what these remember. Texts in scripts are words of one table, so that
 * kernels compare rows instead of letters; a word lives while a script or a memory holds it.
 */
import {
  defineComponent,
  defineEntity,
  defineScratch,
  defineTable,
  f64,
  i16,
  ref,
  text,
  u8,
  u16,
  u32,
} from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { relation } from '../../core/relation.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/state.ts'
import { Ship } from '../ship/state.ts'

/* Bounds (drones.md 1, 3) */

/** Drones a player, in bays of parked ships and adrift ones included. */
export const DRONES_PER_PLAYER_MAX = 64
/** Deployed drones a place. */
export const DRONES_PER_POI_MAX = 2_000
/** Drones adrift a player; the oldest are lost beyond. */
export const DRONES_ADRIFT_MAX = 20
/** Frames of drone_update a tick and owner. */
export const DRONE_UPDATES_PER_TICK_MAX = 16
export const DRONE_NAME_CHARACTERS_MAX = 32
/** Code points of a script. */
export const DRONE_SCRIPT_CHARACTERS_MAX = 2_000
/** Characters of the parameter: longer scripts get their own refusal up to here. */
export const DRONE_SCRIPT_PARAM_MAX = 100_000
/** Code points of the message of a fault: our longest sentence has half. */
export const DRONE_FAULT_CHARACTERS_MAX = 200
/** Depth of IF within IF. */
export const DRONE_NESTING_MAX = 32
/** Steps of an evaluation. */
export const DRONE_STEPS_MAX = 200
/** Keys and values of a drone's memory, code points. */
export const DRONE_MEMORY_MAX = 512
/** Instructions of a program: the densest script of 2,000 characters has 335. */
export const DRONE_INSTRUCTIONS_MAX = 384
export const DRONE_CODE_WORDS = DRONE_INSTRUCTIONS_MAX * 3

/** Values of `state`. */
export const IN_BAY = 0
export const DEPLOYED = 1
export const HOPPING = 2

export const Drone = defineEntity('drone', ROWS.drones, {
  owner: ref('player', 'whose it is'),
  next: ref('drone', 'next of the owner, in order of making'),
  previous: ref('drone', 'previous one'),
  ship: ref('ship', 'whose bay it is of; 0: adrift'),
  type: u8('index into DRONE_TYPES'),
  state: u8('0 in its bay, 1 at a place, 2 on a hop'),
  running: u8('1 while its script has a slot'),
  limited: u8('1 when its last evaluation passed the budget'),
  body: ref('ship', 'the hull it fights with, while it is out'),
  system: ref('system', 'where it is out; 0 in its bay'),
  poi: ref('poi', 'where it is; 0 on a hop or in its bay'),
  dest: ref('poi', 'where the hop ends'),
  arriveTick: u32('tick in which it ends'),
  hull: i16('points, while it is in its bay'),
  holdUsed: i16('space taken in its hold'),
  hold: ref('container', 'what it carries; 0 for types without a hold'),
  script: ref('drone_script', 'its program; 0 = none'),
  firstMemo: ref('drone_memo', 'head of what it remembers, in order of first writing'),
  memorySize: u16('code points of it'),
  name: text('given name, seen by its owner alone'),
  deployedTick: u32('tick in which it left its bay'),
  deployedMs: f64('wall time of that, ms since 1970'),
  loadedMs: f64('wall time of its loading, ms since 1970'),
  quarry: f64('durable number of the ship it attacks in the next tick; 0 = none'),
})

/** The drones of a player. */
export const Squadron = defineComponent(Player, 'squadron', {
  first: ref('drone', 'head of the list of drones'),
  last: ref('drone', 'end of it'),
  count: u8('drones in all'),
  slots: u8('scripts that could run when slots were given out last'),
})

/** The drone that a hull is. */
export const Body = defineComponent(Ship, 'drone_body', {
  drone: ref('drone', '0 for every other ship'),
})

/** A script text with its program; drones of one text share it. */
export const DroneScript = defineTable('drone_script', ROWS.droneScripts, {
  source: text('as it was uploaded'),
  uses: u32('drones that have it'),
  // instructions of three values each: see program-model.ts
  code: u32('program', { width: DRONE_CODE_WORDS, derived: true }),
})

/** A text that scripts and memories name; row 0 is the empty one. */
export const DroneWord = defineTable('drone_word', ROWS.droneWords, {
  said: text('the text'),
  uses: u32('scripts and memories that hold it'),
  size: u16('code points'),
  poi: u32('row of the place, or that of the base, with this id; 0 = none', { derived: true }),
  good: u16('index into GOODS plus 1 of the item with this id; 0 = none', { derived: true }),
})

export const DroneMemo = defineTable('drone_memo', ROWS.droneMemos, {
  next: ref('drone_memo', 'next of the drone'),
  key: ref('drone_word', 'under what'),
  value: ref('drone_word', 'what; 0 = the empty text'),
})

/** Bits of `Thought.sees`. */
export const SEES = { enemy: 1, pirate: 2, battle: 4 } as const

/**
 * What a drone sees, and what its script makes of it; row by drone, of one tick. Source: drones.md
 * section 3.4.
 */
export const Thought = defineScratch('drone_thought', ROWS.drones, {
  sees: u8('bits of SEES'),
  ownerPct: u8('hull of the owner, %'),
  allyPct: u8('lowest hull of a friend, %; 255 = no friend'),
  action: u8('index into DRONE_ACTIONS, written by the kernel'),
  word: u32('its text, a drone_word, written by the kernel'),
  limited: u8('1 when the budget was passed, written by the kernel'),
  writes: u8('1 when its memory changes, written by the kernel'),
  // of those that mine
  control: u8('skill drone_control of the owner'),
  deposit: u32('picked by the kernel; 0 = none'),
  units: u16('extracted, written by the kernel'),
  left: f64('in the deposit afterwards; -1 = unlimited'),
})

/** Drones that attack in the next tick: those with a quarry. */
export const HUNTERS = defineIndex('drone.hunters', () => new Set<Row>())

export const ROSTER = defineIndex('drone.roster', () => ({
  isValid: false,
  /** Drones that are out, by system, then by number: they never leave their system. */
  rows: new Uint32Array(0),
  /** Drones at a place or on their way there. */
  places: new Map<Eid, number>(),
  /** Drones on a hop, by the tick in which it ends. */
  due: new Map<number, Row[]>(),
}))

/** What drones see of places; a stamp is the tick in which a place was looked up. */
export interface Scene {
  readonly stamps: Float64Array
  readonly pirates: (readonly Eid[])[]
  /** Players in the open there. */
  readonly visitors: (readonly Eid[])[]
  /** By system: 1 while a battle is fought. */
  readonly battleStamps: Float64Array
  readonly battles: Uint8Array
}

export const SCENE = defineIndex('drone.scene', () => ({ scene: undefined as Scene | undefined }))

export const SCRIPTS = defineIndex('drone.scripts', () => new Map<string, Row>())

/** What the systems of phase decide pass on to each other within a tick. */
export interface Turns {
  /** Drones whose scripts ran. */
  rows: Uint32Array
  /** Of these, the ones that mine. */
  miners: Uint32Array
  /** By player: actions that were done. */
  readonly done: Map<Eid, number>
}
export const TURNS = defineIndex<Turns>('drone.turns', () => ({
  rows: new Uint32Array(0),
  miners: new Uint32Array(0),
  done: new Map(),
}))

export const WORDS = defineIndex('drone.words', () => ({
  byText: new Map<string, Row>(),
  /** Counts of places and bases when the words were resolved. */
  places: 0,
  bases: 0,
}))

/** The drones of a player, in the order of their making. */
export const DRONES_OF = relation('drones of a player', {
  many: Drone,
  via: 'owner',
  next: 'next',
  previous: 'previous',
  one: Squadron,
  head: 'first',
  tail: 'last',
  order: 'first-last',
  emptiesRemoved: true,
})
