/**
 * Drones, their scripts and their memories. Texts in scripts are words of one table, so that
 * kernels compare row numbers instead of strings; a word is kept while a script or a memory uses
 * it.
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

/** Most drones of a player, including those in the bays of parked ships and those adrift. */
export const DRONES_PER_PLAYER_MAX = 64
/** Most deployed drones at a place. */
export const DRONES_PER_POI_MAX = 2_000
/** Most drones that a player has adrift; when there are more, the oldest are lost. */
export const DRONES_ADRIFT_MAX = 20
/** Most frames of drone_update per tick and owner. */
export const DRONE_UPDATES_PER_TICK_MAX = 16
export const DRONE_NAME_CHARACTERS_MAX = 32
/** Most code points of a script. */
export const DRONE_SCRIPT_CHARACTERS_MAX = 2_000
/** Most characters of the parameter: up to here, a script too long gets a refusal of its own. */
export const DRONE_SCRIPT_PARAM_MAX = 100_000
/** Most code points of a script error's message; our longest has half of that. */
export const DRONE_FAULT_CHARACTERS_MAX = 200
/** Most levels of nested IFs. */
export const DRONE_NESTING_MAX = 32
/** Most steps of an evaluation. */
export const DRONE_STEPS_MAX = 200
/** Most code points in a drone's memory, keys and values together. */
export const DRONE_MEMORY_MAX = 512
/** Most instructions of a program: the densest script of 2,000 characters has 335. */
export const DRONE_INSTRUCTIONS_MAX = 384
/** Most values of a program, three for each instruction. */
export const DRONE_CODE_WORDS = DRONE_INSTRUCTIONS_MAX * 3

/** Values of `state`. */
export const IN_BAY = 0
export const DEPLOYED = 1
export const HOPPING = 2

/** A drone of a player, in a bay or deployed. */
export const Drone = defineEntity('drone', ROWS.drones, {
  owner: ref('player', 'the player it belongs to'),
  next: ref('drone', 'next drone of the owner, in the order in which they were added'),
  previous: ref('drone', 'previous drone of the owner'),
  ship: ref('ship', 'the ship whose bay it belongs to; 0 = adrift'),
  type: u8('index into DRONE_TYPES'),
  state: u8('0 = in its bay, 1 = at a place, 2 = on a hop'),
  running: u8('1 while its script has a slot'),
  limited: u8('1 when its last evaluation exceeded the step budget'),
  body: ref('ship', 'the hull it fights with while deployed'),
  system: ref('system', 'system it is in; 0 in its bay'),
  poi: ref('poi', 'place it is at; 0 on a hop or in its bay'),
  dest: ref('poi', 'place where its hop ends'),
  arriveTick: u32('tick in which its hop ends'),
  hull: i16('hull points while it is in its bay'),
  holdUsed: i16('space used in its hold'),
  hold: ref('container', 'container of its cargo; 0 for types without a hold'),
  script: ref('drone_script', 'its script; 0 = none'),
  firstMemo: ref('drone_memo', 'head of its memory, in the order in which keys were first written'),
  memorySize: u16('size of its memory, code points'),
  name: text('name its owner gave it, visible to the owner only'),
  deployedTick: u32('tick in which it left its bay'),
  deployedMs: f64('wall time when it left its bay, ms since 1970'),
  loadedMs: f64('wall time when it was loaded into the bay, ms since 1970'),
  quarry: f64('durable number of the ship it attacks in the next tick; 0 = none'),
})

/** Lists the drones of a player. */
export const Squadron = defineComponent(Player, 'squadron', {
  first: ref('drone', 'head of the list of their drones'),
  last: ref('drone', 'tail of the list'),
  count: u8('length of the list'),
  slots: u8('script slots the player had when they were last assigned'),
})

/** Links a hull to the drone that it is the body of. */
export const Body = defineComponent(Ship, 'drone_body', {
  drone: ref('drone', 'the drone; 0 for every other ship'),
})

/** Holds a script's source and its program; drones with the same source share one row. */
export const DroneScript = defineTable('drone_script', ROWS.droneScripts, {
  source: text('source as uploaded'),
  uses: u32('drones that use it'),
  // Instructions of three values each: see program-model.ts.
  code: u32('program', { width: DRONE_CODE_WORDS, derived: true }),
})

/** Holds a text that scripts or memories use; row 0 is the empty text. */
export const DroneWord = defineTable('drone_word', ROWS.droneWords, {
  said: text('the text'),
  uses: u32('uses by scripts and memories'),
  size: u16('length, code points'),
  poi: u32('row of the place with this id, or of the place of the base with this id; 0 = none', {
    derived: true,
  }),
  good: u16('1 + index into GOODS of the item with this id; 0 = none', { derived: true }),
})

/** Holds an entry of a drone's memory. */
export const DroneMemo = defineTable('drone_memo', ROWS.droneMemos, {
  next: ref('drone_memo', 'next entry of the drone'),
  key: ref('drone_word', 'key'),
  value: ref('drone_word', 'value; 0 = the empty text'),
})

/** Bits of `Thought.sees`. */
export const SEES = { enemy: 1, pirate: 2, battle: 4 } as const

/**
 * Holds, by drone and for one tick, what a drone sees and what its script decides. Source:
 * drones.md section 3.4.
 */
export const Thought = defineScratch('drone_thought', ROWS.drones, {
  sees: u8('bits of SEES'),
  ownerPct: u8('hull of the ship of its owner, %'),
  allyPct: u8('lowest hull of a friend, %; 255 = no friend'),
  action: u8('index into DRONE_ACTIONS, written by the kernel'),
  word: u32('operand of the action, a drone_word, written by the kernel'),
  limited: u8('1 when the step budget was exceeded, written by the kernel'),
  writes: u8('1 when the script changes its memory, written by the kernel'),
  // The rest only for drones that mine.
  control: u8('level of the skill drone_control of the owner'),
  power: u8('power of its beam'),
  deposit: u32('deposit picked by the kernel; 0 = none'),
  units: u16('units extracted, written by the kernel'),
  left: f64('units left in the deposit afterwards; -1 = unlimited'),
})

/** Lists the drones that attack in the next tick: those with a quarry. */
export const HUNTERS = defineIndex('drone.hunters', () => new Set<Row>())

/** Derived lists of deployed drones. */
export const ROSTER = defineIndex('drone.roster', () => ({
  isValid: false,
  /** Deployed drones, by system, then by number: they never leave their system. */
  rows: new Uint32Array(0),
  /** By place: how many drones are there or on their way there. */
  places: new Map<Eid, number>(),
  /** Drones on a hop, by the tick in which it ends. */
  due: new Map<number, Row[]>(),
}))

/** Holds what drones see of places. A stamp is the tick in which a place was looked up. */
export interface Scene {
  readonly stamps: Float64Array
  readonly pirates: (readonly Eid[])[]
  /** By place: players in space there. */
  readonly visitors: (readonly Eid[])[]
  /** By system: 1 while a battle is fought. */
  readonly battleStamps: Float64Array
  readonly battles: Uint8Array
}

/** The scene; created when first needed. */
export const SCENE = defineIndex('drone.scene', () => ({ scene: undefined as Scene | undefined }))

/** Rows of scripts by source. */
export const SCRIPTS = defineIndex('drone.scripts', () => new Map<string, Row>())

/** Holds what the systems of phase decide pass on to each other within a tick. */
export interface Turns {
  /** Drones whose scripts ran. */
  rows: Uint32Array
  /** Of these, the ones that mine. */
  miners: Uint32Array
  /** By player: actions their drones have done. */
  readonly done: Map<Eid, number>
}
/** The turns of the current tick. */
export const TURNS = defineIndex<Turns>('drone.turns', () => ({
  rows: new Uint32Array(0),
  miners: new Uint32Array(0),
  done: new Map(),
}))

/** Rows of words by text. */
export const WORDS = defineIndex('drone.words', () => ({
  byText: new Map<string, Row>(),
  /** How many places and bases there were when the words were resolved. */
  places: 0,
  bases: 0,
}))

/** Links the drones of a player, in the order in which they were added. */
export const DRONES_OF = relation('drones of a player', {
  many: Drone,
  via: 'owner',
  next: 'next',
  previous: 'previous',
  one: Squadron,
  head: 'first',
  tail: 'last',
  order: 'oldest-first',
  emptiesRemoved: true,
})
