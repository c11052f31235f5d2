/**
 * Bases that factions have founded: their owners and the terms on which they serve. All columns of
 * a base made with the world are 0.
 */
import { defineComponent, ref, u8, u16, u32 } from '../../core/columns.ts'
import { defineGrant } from '../../core/guard.ts'
import { ROWS } from '../../core/limits.ts'
import { defineRecords } from '../../core/records.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Base } from '../base/state.ts'

export const STATIONS_PER_FACTION_MAX = 5
export const OUTPOSTS_PER_FACTION_MAX = 8
/** Places that players may add to a system. */
export const MADE_POIS_PER_SYSTEM_MAX = 10
export const STATION_NAME_CHARACTERS_MAX = 60
export const STATION_DESCRIPTION_CHARACTERS_MAX = 500
/** Times that a station may be renamed in a day. */
export const STATION_NAMINGS_PER_DAY_MAX = 10
/** Entries of each list of a station: players let in, factions let in, players banned. */
export const STATION_LIST_MAX = 200
/** Ticks from announcing a new price of fuel or repair until it holds. */
export const STATION_NOTICE_TICKS = 30
/** Bounds of an owner's prices: percent, credits a unit of fuel, credits a point of hull. */
export const STATION_FEE_PCT_MAX = 10
export const STATION_FUEL_PRICE_MAX = 40
export const STATION_REPAIR_PRICE_MAX = 50

export const Station = defineComponent(Base, 'station', {
  faction: ref('faction', 'the faction whose it is; 0 of the server'),
  outpost: u8('1 for an outpost: for members alone, without services'),
  open: u8('1 lets everybody dock who is not banned'),
  outsidersBuild: u8('1 lets others than members build here'),
  buysFuel: u8('1 buys fuel out of tanks, from the treasury'),
  feePct: u8('listing fee of outsiders, percent; 0 as elsewhere'),
  fuelPrice: u16('credits a unit until fuelTick; 0 as elsewhere'),
  fuelNext: u16('credits a unit from fuelTick on'),
  fuelTick: u32('tick in which fuelNext begins to hold'),
  repairPrice: u16('credits a point of hull for outsiders until repairTick; 0 as elsewhere'),
  repairNext: u16('credits a point of hull from repairTick on'),
  repairTick: u32('tick in which repairNext begins to hold'),
  access: u32('two bits a service by GATED_SERVICES: index into SERVICE_ACCESS'),
  namedDay: u32('day of the latest naming, from the first tick on'),
  named: u8('namings on that day'),
})

/** Who may use a service. */
export const SERVICE_ACCESS = ['public', 'allies', 'faction'] as const
export type ServiceAccess = (typeof SERVICE_ACCESS)[number]

/** Services whose access an owner sets, in the order of their bits. */
export const GATED_SERVICES = [
  'market',
  'refuel',
  'repair',
  'shipyard',
  'crafting',
  'salvage_yard',
  'missions',
] as const
export type GatedService = (typeof GATED_SERVICES)[number]

/** Numbers of those a station lets in or bans whatever its rule, in the order of naming. */
export interface Guests {
  readonly players: readonly number[]
  readonly factions: readonly number[]
  readonly banned: readonly number[]
}

/** Base number → guest lists; none while all are empty. */
export const GUESTS = defineRecords<Guests>('station_guests', ROWS.bases)

/** Grants docking to a player with business at a base, such as freight, whatever its lists say. */
export const admitted = defineGrant<{ player: Eid; base: Eid }>('admitted')

/** Bases by faction, in the order of their founding. */
export const OWNED = defineIndex('station.owned', () => new Map<Row, Eid[]>())
