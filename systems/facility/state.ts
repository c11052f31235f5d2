/**
 * Facilities, which are built at a base and work for their owner, and the grid of power and air
 * that all facilities of a base share.
 */
import {
  defineComponent,
  defineEntity,
  f64,
  i32,
  ref,
  text,
  u8,
  u16,
  u32,
} from '../../core/columns.ts'
import { ROWS, ROWS_MIN } from '../../core/limits.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/state.ts'
import { Base } from '../base/state.ts'

/** Values of `ownerKind`. */
export const OF_STATION = 0
export const OF_PLAYER = 1
export const OF_FACTION = 2

/** Values of `access`. */
export const ACCESS = ['private', 'public'] as const
export const PRIVATE = 0
export const PUBLIC = 1

/** Values of `status` (append only). Source: crafting.md section 6. */
export const FACILITY_STATUSES = [
  'online',
  'under_construction',
  'damaged',
  'repairing',
  'dismantling',
  'repossessed',
  'offline',
] as const
export const ONLINE = 0
export const UNDER_CONSTRUCTION = 1
export const DAMAGED = 2
export const REPAIRING = 3
export const DISMANTLING = 4
export const REPOSSESSED = 5
/** Only at a faction's own station: the upkeep of the last cycle was not paid. */
export const OFFLINE = 6

/** A facility at a base. Source: crafting.md section 6. */
export const Facility = defineEntity(
  'facility',
  ROWS.facilities,
  {
    type: u16('index into FACILITIES'),
    base: ref('base', 'where it is'),
    ownerKind: u8('0 the station, 1 a player, 2 a faction'),
    player: ref('player', 'owner, or owner before it was repossessed; 0 none'),
    faction: ref('faction', 'owning faction, or owner before it was repossessed; 0 none'),
    access: u8('index into ACCESS'),
    priceMilli: f64('rental, thousandths of a credit a produced unit or operation'),
    status: u8('index into FACILITY_STATUSES'),
    busy: u8('1 while it runs a job: then it draws power'),
    becomes: u16('index into FACILITIES plus 1 of the pending upgrade; 0 = none'),
    dueTick: u32('tick in which building, upgrade, repair or dismantling ends; 0 = none'),
    arrears: f64('rent owed, credits'),
    missed: u16('cycles since rent was last paid'),
    builtTick: u32('tick in which its construction began'),
    listing: ref('facility_listing', 'its offer for sale; 0 none'),
    name: text('given by the owner'),
    description: text('given by the owner'),
    store: ref('container', 'materials that a dismantling gives back; 0 none'),
    herd: u32('animals of a ranch'),
    cullTarget: u32('animals above which a ranch slaughters; 0 = never'),
    species: u8('of the herd: index into CREATURES plus 1; 0 = no herd'),
    fed: u16('thousandths of its feed that the herd had in its last cycle'),
  },
  { rowsMin: ROWS_MIN.facilities },
)

/** An offer of a facility for sale. Source: crafting.md section 7. */
export const FacilityListing = defineEntity('facility_listing', ROWS.facilityListings, {
  facility: ref('facility', 'what is for sale'),
  price: f64('credits'),
  listedTick: u32('tick of the offer'),
})

/** What all facilities of a base share. Source: crafting.md section 6, power. */
export const Grid = defineComponent(Base, 'grid', {
  pool: ref('account', 'credits of its citizens: wages go in, fares come out'),
  battery: i32('charge, units'),
  lack: u16('thousandths of full speed that a shortage of power takes; at most 900'),
})

/** Facilities that a player received today. Source: crafting.md section 7, transfer. */
export const Tenant = defineComponent(Player, 'tenant', {
  day: u32('day of the last one received, from the first tick on'),
  received: u8('received on that day'),
})

/** Facilities by base, player and faction, each in order of their numbers; sums by base. */
export const FACILITY_LISTS = defineIndex('facility.places', () => ({
  byBase: new Map<Row, Row[]>(),
  byPlayer: new Map<Eid, Row[]>(),
  byFaction: new Map<Row, Row[]>(),
  sums: new Map<Row, GridSums>(),
}))

/** Bases whose grid may change in the next tick. After a restore, all grids run once. */
export const ACTIVE_GRIDS = defineIndex('facility.awake', () => new Set<Row>())

/** What the facilities of a base supply to its grid and draw from it. */
export interface GridSums {
  supply: number
  batteryMax: number
  /** Draw of facilities that run all the time. */
  steadyDraw: number
  /** Draw of facilities that draw only during jobs, and are running one. */
  jobDraw: number
  lifeSupply: number
  lifeDraw: number
}

/** Facilities by the tick in which the work on them ends. */
export const WORK_DUE = defineIndex('facility.due', () => new Map<number, Row[]>())
