/**
 * The map (systems, lanes, places) and where each ship is on it. A ship is at a place, docked at
 * its base, or under way; its position while under way is a function of the tick and is never
 * stored.
 */
import type { GalaxyPlan } from '../../core/catalog/index.ts'
import {
  defineComponent,
  defineEntity,
  defineTable,
  i32,
  ref,
  text,
  u8,
  u16,
  u32,
} from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineOccurrence } from '../../core/occurrence.ts'
import { defineRecords } from '../../core/records.ts'
import type { Named } from '../../core/reference.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Ship } from '../ship/state.ts'

/** The part of a chart entry that is the same for everybody and never changes. */
export interface Charted {
  readonly system_id: string
  readonly name: string
  readonly description: string
  readonly empire?: string
  readonly is_stronghold: boolean
  readonly police_level: number
  readonly position: { readonly x: number; readonly y: number }
  readonly connections: string[]
}

export const CHART = defineIndex('travel.chart', () => [] as Charted[])

export const SYSTEM_IDS = defineIndex('travel.system-ids', () => new Map<string, Eid>())
export const POI_IDS = defineIndex('travel.poi-ids', () => new Map<string, Eid>())
export const PLAN = defineIndex('travel.plan', () => ({
  plan: undefined as GalaxyPlan | undefined,
}))

export const StarSystem = defineEntity(
  'system',
  ROWS.systems,
  {
    id: text('slug, the wire id'),
    name: text('name'),
    description: text('description'),
    empire: u8('index into EMPIRES plus 1; 0 = lawless'),
    police: u8('police level, 0-100'),
    stronghold: u8('1 for a pirate stronghold'),
    x: i32('GU'),
    y: i32('GU'),
    firstLane: ref('lane', 'its lanes are consecutive rows, neighbours in system order'),
    laneCount: u8('number of lanes'),
    firstPoi: ref('poi', 'its places are consecutive rows'),
    poiCount: u16('number of places made with the world'),
    entryPoi: ref('poi', 'where a jump arrives'),
    firstMade: ref('poi', 'head of the list of places that players have made'),
    madeCount: u8('number of those'),
    firstTraveller: ref('ship', 'head of the list of ships travelling here', { derived: true }),
  },
  { fixed: true },
)

export const Lane = defineTable(
  'lane',
  ROWS.lanes,
  { to: ref('system', 'neighbour'), distance: i32('GU; for display only, no cost depends on it') },
  { fixed: true },
)

/** Types of places, in the order of the column value. Source: spec, POI. */
export const POI_TYPES = [
  'planet',
  'moon',
  'sun',
  'asteroid_belt',
  'asteroid',
  'nebula',
  'gas_cloud',
  'relic',
  'station',
] as const

/**
 * Class of a belt of ice, and what the wire calls its type: clients find ice by type. The column
 * keeps the belt, as worlds made before have it. Source: newer.md section 4, POI types.
 */
export const ICE_FIELD = 'ice_field'
export type WirePoiType = (typeof POI_TYPES)[number] | typeof ICE_FIELD

export const Poi = defineEntity(
  'poi',
  ROWS.pois,
  {
    id: text('slug, the wire id'),
    name: text('name'),
    description: text('description'),
    class: text('subtype; may be empty'),
    type: u8('index into POI_TYPES'),
    system: ref('system', 'where it lies'),
    x: i32('milli-AU'),
    y: i32('milli-AU'),
    hidden: u8('1 until a survey reveals it to a player'),
    difficulty: u16('survey power that reveals it'),
    base: ref('base', 'base here'),
    firstDeposit: ref('deposit', 'its deposits are consecutive rows'),
    depositCount: u8('number of deposits'),
    nextMade: ref('poi', 'of a place that a player has made: the next one of the system'),
    firstShip: ref('ship', 'head of the list of ships here, docked ones too', { derived: true }),
  },
  { fixed: true },
)

/** States of a ship's location. Source: travel.md section 2. */
export const LOCATION_STATES = ['docked', 'at_poi', 'travelling', 'jumping', 'drifting'] as const
export type LocationState = (typeof LOCATION_STATES)[number]
export const DOCKED_STATE = 0
export const AT_POI = 1
export const TRAVELLING = 2
/** In this state and those after it a ship is in no system. */
export const JUMPING = 3
export const DRIFTING = 4

export const Location = defineComponent(Ship, 'location', {
  state: u8('index into LOCATION_STATES'),
  system: ref('system', 'where it is; while jumping or adrift the system it left'),
  poi: ref('poi', 'where it is; 0 under way'),
  base: ref('base', 'docked at'),
  fromPoi: ref('poi', 'departure, while under way'),
  toPoi: ref('poi', 'destination, while under way'),
  departTick: u32('tick of departure'),
  arriveTick: u32('tick of arrival'),
  nextHere: ref('ship', 'next ship in the list of its place or travellers', { derived: true }),
  previousHere: ref('ship', 'previous one', { derived: true }),
})

/** The straight course of a ship that travels within its system; 0 while it does not. */
export const Course = defineComponent(Ship, 'course', {
  x: i32('milli-AU, where it departed', { derived: true }),
  y: i32('milli-AU, where it departed', { derived: true }),
  wayX: i32('1/1024 milli-AU a tick', { derived: true }),
  wayY: i32('1/1024 milli-AU a tick', { derived: true }),
})

/** Output of the kernel `positions`: memory of its caller, not part of the world. */
export const Position = defineComponent(Ship, 'position', {
  x: i32('milli-AU at the tick', { derived: true }),
  y: i32('milli-AU at the tick', { derived: true }),
})

/** Jumps of systems from settled space, by system; filled on first use. */
export const DEPTHS = defineIndex('travel.depths', () => new Map<Eid, number>())

/** Player number → wall time in ms of the first visit to each system, by its number. */
export const VISITED = defineRecords<Readonly<Record<string, number>>>('visited', ROWS.players)
/** Hidden places revealed to a player: player number → place numbers. */
export const REVEALED = defineRecords<readonly number[]>('revealed', ROWS.players)

/** The line a ship adrift flies on. */
export interface Drift {
  /** Where it was plotted, milli-GU. */
  readonly x: number
  readonly y: number
  /** Vector of one tick, milli-GU. */
  readonly wayX: number
  readonly wayY: number
  /** Tenths of a degree. */
  readonly bearing: number
}
/** Drifts by the ship's number; records, because few ships drift. */
export const DRIFTS = defineRecords<Drift>('drifts', ROWS.ships)

/** A player has docked at a base. */
export const docked = defineOccurrence<{ player: Eid; base: Eid }>('docked')
/** A player's flight has ended at a place. */
export const arrived = defineOccurrence<{ player: Eid; poi: Eid }>('arrived')

/** Ships at a place in durable-id order; an entry lives until the place's list changes. */
export const SORTED = defineIndex('travel.sorted', () => new Map<Row, readonly Eid[]>())
/**
 * The arrival wheel: ships under way by tick of arrival. Entries that are stale, because the flight
 * was ended or delayed, are skipped when their tick comes.
 */
export const ARRIVALS = defineIndex('travel.arrivals', () => new Map<number, Eid[]>())

/** How many ships are under way: to another place, on a lane, or adrift. */
export const UNDER_WAY = defineIndex('travel.under-way', () => ({ ships: 0 }))

export interface PlaceNames {
  /** Places by their own names and by those of their bases; rows are of places. */
  readonly places: readonly Named[]
  /** Bases by their own names and by those of their places; rows are of places too. */
  readonly bases: readonly Named[]
}

export const PLACE_NAMES = defineIndex('travel.place-names', () => ({
  names: undefined as PlaceNames | undefined,
}))

export const SYSTEM_NAMES = defineIndex('travel.system-names', () => ({
  names: [] as readonly Named[],
}))

/** By system row: the previous system on the route from the start, itself for the start; 0 none. */
export type Tree = Uint16Array

export const TREES = defineIndex('travel.routes', () => new Map<Eid, Tree>())
