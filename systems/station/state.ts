/**
 * Tables of the bases that factions have founded: their owners, prices and rules of access. All
 * columns are 0 for bases generated with the world.
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
/** The most places that players may make in a system. */
export const PLAYER_POIS_PER_SYSTEM_MAX = 10
export const STATION_NAME_CHARACTERS_MAX = 60
export const STATION_DESCRIPTION_CHARACTERS_MAX = 500
/** The most times a station may be renamed in a day. */
export const STATION_NAMINGS_PER_DAY_MAX = 10
/** The most entries of each list of a station: players and factions admitted, players banned. */
export const STATION_LIST_MAX = 200
/** Ticks from the announcement of a new price of fuel or repair until it takes effect. */
export const STATION_NOTICE_TICKS = 30
/** The highest listing fee an owner may set, percent. */
export const STATION_FEE_PCT_MAX = 10
/** The highest price of fuel an owner may set, credits a unit. */
export const STATION_FUEL_PRICE_MAX = 40
/** The highest price of repair an owner may set, credits a point of hull. */
export const STATION_REPAIR_PRICE_MAX = 50

export const Station = defineComponent(Base, 'station', {
  faction: ref('faction', 'owning faction; 0 = the server'),
  outpost: u8('1 = an outpost: for members only, without services'),
  open: u8('1 = everybody who is not banned may dock'),
  outsidersBuild: u8('1 = players who are not members may build here'),
  buysFuel: u8('1 = buys fuel from the tanks of ships, paid from the treasury'),
  feePct: u8('listing fee for outsiders, percent; 0 = as elsewhere'),
  fuelPrice: u16('credits a unit until fuelTick; 0 = as elsewhere'),
  fuelNext: u16('credits a unit from fuelTick on'),
  fuelTick: u32('tick in which fuelNext takes effect'),
  repairPrice: u16('credits a point of hull for outsiders until repairTick; 0 = as elsewhere'),
  repairNext: u16('credits a point of hull from repairTick on'),
  repairTick: u32('tick in which repairNext takes effect'),
  access: u32('two bits per service, in the order of GATED_SERVICES: index into SERVICE_ACCESS'),
  namedDay: u32('day of the latest renaming, counted from the first tick'),
  named: u8('renamings on that day'),
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

/**
 * Durable numbers of players and factions that a station always admits or bans, in the order they
 * were listed.
 */
export interface Guests {
  readonly players: readonly number[]
  readonly factions: readonly number[]
  readonly banned: readonly number[]
}

/** Guest lists by the number of the base; a base whose lists are all empty has no record. */
export const GUESTS = defineRecords<Guests>('station_guests', ROWS.bases)

/** Lets a player with business at a base, such as freight, dock there whatever its lists say. */
export const admitted = defineGrant<{ player: Eid; base: Eid }>('admitted')

/** Bases by faction, in the order of their founding. */
export const OWNED = defineIndex('station.owned', () => new Map<Row, Eid[]>())
