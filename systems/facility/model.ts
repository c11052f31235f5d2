/**
 * Lookups of facilities for this and other domains: which are at a base, who owns them, whether
 * they run, and which services they give a faction or a player there. Source: crafting.md section
 * 6.
 */
import { type ActionRow, actionRow } from '../../core/action-table.ts'
import { assert } from '../../core/assert.ts'
import { EMPIRES, FACILITIES, type FacilityRow } from '../../core/catalog/index.ts'
import { idOf, rowOfId } from '../../core/entity.ts'
import { clamp, divFloor } from '../../core/math.ts'
import { type ReferenceDef, referenceById } from '../../core/reference.ts'
import { hash32, hashText } from '../../core/rng.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { empireOfBase } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { ownerOfBase } from '../station/model.ts'
import {
  FACILITY_LISTS,
  Facility,
  Grid,
  type GridSums,
  OF_FACTION,
  OF_PLAYER,
  OF_STATION,
  ONLINE,
} from './state.ts'
import { rentOf } from './types-model.ts'

/** Parameters of all actions of `facility`; the schemas have checked their shapes. */
export interface FacilityRequest {
  readonly access?: 'private' | 'public'
  readonly bucket?: string
  readonly category?: string
  readonly cull_target?: number
  readonly custom_name?: string
  readonly deliver_to?: string
  readonly description?: string
  readonly direction?: 'to_faction' | 'to_player' | 'forward' | 'reverse'
  readonly facility_id?: string
  readonly facility_type?: string
  readonly faction?: boolean
  readonly items?: readonly { readonly item_id: string; readonly quantity: number }[]
  readonly job_id?: string
  readonly job_ids?: readonly string[]
  readonly label?: string
  readonly level?: number
  readonly listing_id?: string
  readonly max_price?: number
  readonly name?: string
  readonly package_id?: string
  readonly package_ids?: readonly string[]
  readonly page?: number
  readonly per_page?: number
  readonly player_id?: string
  readonly position?: number
  readonly price?: number
  readonly quantity?: number
  readonly recipe_id?: string
  readonly source?: string
  readonly species?: string
  readonly target?: string
  readonly username?: string
}

export type FacilityAction = ActionRow<FacilityRequest>
export const facilityAction = actionRow<FacilityRequest>()

/*
 * How a facility appears to outsiders: disguised ones show another type. Source: factions.md
 * section 4, faction_espionage.
 */

const COVER_STREAM = hashText('facility.cover')

/**
 * Types that a disguised facility can show. ours: types of the catalogue, since any other would
 * give the disguise away.
 */
const COVER_TYPES: readonly FacilityRow[] = FACILITIES.filter(
  ({ category, level, disguised, faction_service_type }) =>
    category === 'faction' &&
    level === 1 &&
    !disguised &&
    faction_service_type !== 'faction_storage' &&
    faction_service_type !== 'storage_extension',
)

/**
 * Returns the type that a facility shows to members of the faction `viewer` (0: a player without
 * one). A disguised facility shows its real type to its owners only. Its cover depends on its
 * number and never changes.
 */
export function shownType(view: WorldView, row: Row, viewer: Row): FacilityRow {
  const type = facilityTypeAt(view, row)
  if (!type.disguised) return type
  const { faction, ownerKind, seq } = view.read(Facility)
  if (viewer !== 0 && ownerKind[row] === OF_FACTION && faction[row] === viewer) return type
  return COVER_TYPES[hash32(view.seed, COVER_STREAM, seq[row]) % COVER_TYPES.length]
}

/*
 * Power and air of a base: what the station itself supplies, what its facilities add, and how the
 * battery makes up for a shortage. Source: crafting.md section 6, power.
 */

/**
 * Units per level that a station of the server supplies without any facilities, so that the first
 * one can be built (ours). A faction's station has only what its facilities supply.
 */
const POWER_PER_LEVEL = 100
const AIR_PER_LEVEL = 100
const builtInLevels = (view: WorldView, base: Row): number =>
  ownerOfBase(view, base) === 0 ? view.read(Base).level[base] : 0
/** Minimum efficiency, in thousandths of full speed, however little power there is. */
const EFFICIENCY_MIN = 100

/** Returns the power produced at a base, units a tick. */
export const powerSupply = (view: WorldView, base: Row): number =>
  builtInLevels(view, base) * POWER_PER_LEVEL + (gridSums(view, base)?.supply ?? 0)

/** Returns the power drawn at a base, units a tick. */
export function powerDraw(view: WorldView, base: Row): number {
  const sums = gridSums(view, base)
  return sums === undefined ? 0 : sums.steadyDraw + sums.jobDraw
}

/** Returns the battery capacity of a base, units. */
export const batteryMax = (view: WorldView, base: Row): number =>
  gridSums(view, base)?.batteryMax ?? 0

/** Returns the air produced at a base, units a tick. */
export const airSupply = (view: WorldView, base: Row): number =>
  builtInLevels(view, base) * AIR_PER_LEVEL + (gridSums(view, base)?.lifeSupply ?? 0)
/** Returns the air drawn at a base, units a tick. */
export const airDraw = (view: WorldView, base: Row): number => gridSums(view, base)?.lifeDraw ?? 0

interface Flow {
  readonly supply: number
  readonly draw: number
  readonly battery: number
  readonly batteryMax: number
}

/** Computes a tick of a grid: the charge afterwards, and the efficiency in thousandths. */
export function powerStep(flow: Flow): { battery: number; efficiency: number } {
  const { supply, draw } = flow
  const battery = Math.min(flow.battery, flow.batteryMax)
  if (draw <= supply) {
    return { battery: Math.min(flow.batteryMax, battery + supply - draw), efficiency: 1000 }
  }
  const deficit = draw - supply
  if (battery >= deficit) return { battery: battery - deficit, efficiency: 1000 }
  const efficiency = divFloor(1000 * (supply + battery), draw)
  return { battery: 0, efficiency: clamp(efficiency, EFFICIENCY_MIN, 1000) }
}

const BUILT_IN_SERVICES: readonly (string | undefined)[] = [
  'faction_storage',
  'faction_fuel_bunker',
]

/**
 * Returns true for a facility that comes with an outpost and cannot be dismantled; the caller has
 * checked that the base is an outpost.
 */
export const isBuiltIn = (view: WorldView, row: Row): boolean =>
  BUILT_IN_SERVICES.includes(facilityTypeAt(view, row).faction_service_type)

/** Returns true while any facility at a base is being built, upgraded, repaired or dismantled. */
export const isWorkedOn = (view: WorldView, base: Row): boolean =>
  facilitiesAt(view, base).some((row) => view.read(Facility).dueTick[row] !== 0)

export const STATION_OWNER: Owner = { kind: OF_STATION, player: 0, faction: 0 }
export const playerOwner = (player: Eid): Owner => ({ kind: OF_PLAYER, player, faction: 0 })
export const factionOwner = (faction: Row): Owner => ({ kind: OF_FACTION, player: 0, faction })

/** Returns the owner of a facility; the station for a repossessed one. */
export function ownerOf(view: WorldView, row: Row): Owner {
  const { ownerKind, player, faction } = view.read(Facility)
  if (ownerKind[row] === OF_PLAYER) return playerOwner(player[row])
  return ownerKind[row] === OF_FACTION ? factionOwner(faction[row]) : STATION_OWNER
}

export const isSameOwner = (one: Owner, other: Owner): boolean =>
  one.kind === other.kind && one.player === other.player && one.faction === other.faction

/** Returns the row of a wire id; 0 if there is none. */
export const facilityById = (view: WorldView, id: string): Row => rowOfId(view, Facility, id)

/** Facilities are referred to by id only, since several may have the same name. */
export const facilities: ReferenceDef = referenceById(
  'facility',
  facilityById,
  'facility_not_found',
)

/** Cycles of unpaid rent after which a station takes a facility, at bases of no empire. */
const GRACE_DEFAULT = 260

/** Returns the cycles of unpaid rent after which a base takes a facility. */
export function graceCycles(view: WorldView, base: Row): number {
  const empire = empireOfBase(view, base)
  return empire < 0 ? GRACE_DEFAULT : EMPIRES[empire].policy.eviction_grace_cycles
}

export const facilityId = (view: WorldView, row: Row): string => idOf(view, Facility, row)

/** Returns the catalogue row of a facility's type. */
export const facilityTypeAt = (view: WorldView, row: Row): FacilityRow =>
  FACILITIES[view.read(Facility).type[row]]

/** Returns the tier, from 1. */
export const tierOf = (view: WorldView, row: Row): number => facilityTypeAt(view, row).level

/**
 * Returns the rent of a facility per cycle in credits, by its type or the `type` it is to become; 0
 * at a faction's station.
 */
export const rentAt = (view: WorldView, row: Row, type = facilityTypeAt(view, row)): number =>
  ownerOfBase(view, view.read(Facility).base[row]) === 0 ? rentOf(type) : 0

/** Returns the name that the owner has given a facility, or the name of its type. */
export function facilityName(view: WorldView, row: Row): string {
  return view.texts.get(view.read(Facility).name[row]) || facilityTypeAt(view, row).name
}

/**
 * Returns true while a facility works: it is not under construction, damaged, under repair, being
 * dismantled, repossessed or offline.
 */
export const isRunning = (view: WorldView, row: Row): boolean =>
  view.read(Facility).status[row] === ONLINE

/** Returns the efficiency that the power of a base allows, in thousandths: 100 to 1,000. */
export const efficiencyPermille = (view: WorldView, base: Row): number =>
  1000 - view.read(Grid).lack[base]

/**
 * Returns the running facility at a base that fits: the highest tier first, then the oldest; 0 for
 * none.
 */
function bestRunning(view: WorldView, base: Row, fits: (row: Row) => boolean): Row {
  let best = 0
  for (const row of facilitiesAt(view, base)) {
    if (!isRunning(view, row) || !fits(row)) continue
    if (best === 0 || tierOf(view, row) > tierOf(view, best)) best = row
  }
  return best
}

/**
 * Returns the facility of the highest tier that gives a faction a service at a base; 0 for none.
 * `service` is a `faction_service_type`.
 */
export function activeFacility(view: WorldView, faction: Row, base: Row, service: string): Row {
  const { ownerKind, faction: factions } = view.read(Facility)
  return bestRunning(
    view,
    base,
    (row) =>
      ownerKind[row] === OF_FACTION &&
      factions[row] === faction &&
      facilityTypeAt(view, row).faction_service_type === service,
  )
}

/** Returns the faction's store at a base that other facilities require; 0 for none, or a shelf. */
export function activeStore(view: WorldView, faction: Row, base: Row): Row {
  const store = activeFacility(view, faction, base, 'faction_storage')
  return store !== 0 && facilityTypeAt(view, store).is_shelf ? 0 : store
}

/** Returns the shelf of a faction, at any base; 0 for none. */
export const shelfOf = (view: WorldView, faction: Row): Row =>
  factionFacilities(view, faction).find((row) => facilityTypeAt(view, row).is_shelf) ?? 0

/** Returns the same as `activeFacility` for a player; `service` is a `personal_service_type`. */
export function activePersonalFacility(
  view: WorldView,
  player: Eid,
  base: Row,
  service: string,
): Row {
  const { ownerKind, player: owners } = view.read(Facility)
  return bestRunning(
    view,
    base,
    (row) =>
      ownerKind[row] === OF_PLAYER &&
      owners[row] === player &&
      facilityTypeAt(view, row).personal_service_type === service,
  )
}

/** Speed by tier, in thousandths of an unskilled workshop's. Source: crafting.md section 1. */
const SPEED_OF_TIER: readonly number[] = [1_000, 3_000, 9_000, 27_000]

/** Returns the work that a facility does in a tick, in thousandths of an unskilled workshop's. */
export function speedMilli(view: WorldView, row: Row): number {
  const speed = SPEED_OF_TIER[Math.min(tierOf(view, row), SPEED_OF_TIER.length) - 1]
  assert(speed !== undefined, `facility ${row} has no tier`)
  return speed
}

/**
 * Returns the ledger account of a base's citizens, which receives wages and pays fares; 0 if it is
 * not open yet.
 */
export const citizenPool = (view: WorldView, base: Row): Row => view.read(Grid).pool[base]

/**
 * Returns the tier of a player's shop at a base; 0 for none. Each tier allows fifty more open
 * orders there; a shop of any tier halves the listing fee. Source: crafting.md section 6, sales
 * facilities.
 */
export function storefrontTier(view: WorldView, player: Eid, base: Row): number {
  const { ownerKind, player: owners } = view.read(Facility)
  const shop = bestRunning(
    view,
    base,
    (row) =>
      ownerKind[row] === OF_PLAYER &&
      owners[row] === player &&
      facilityTypeAt(view, row).category === 'sales',
  )
  return shop === 0 ? 0 : tierOf(view, shop)
}

/** Returns the highest tier of a running facility with this service at a base; 0 for none. */
export function serviceTier(view: WorldView, base: Row, service: string): number {
  const row = bestRunning(view, base, (each) => facilityTypeAt(view, each).service === service)
  return row === 0 ? 0 : tierOf(view, row)
}

const NONE: readonly Row[] = []

/** Returns the facilities at a base in order of their numbers: oldest first. */
export const facilitiesAt = (view: WorldView, base: Row): readonly Row[] =>
  view.index(FACILITY_LISTS).byBase.get(base) ?? NONE

/** Returns a player's own facilities anywhere, oldest first, without those repossessed. */
export const facilitiesOf = (view: WorldView, player: Eid): readonly Row[] =>
  view.index(FACILITY_LISTS).byPlayer.get(player) ?? NONE

/** Returns the facilities of a faction anywhere, oldest first. */
export const factionFacilities = (view: WorldView, faction: Row): readonly Row[] =>
  view.index(FACILITY_LISTS).byFaction.get(faction) ?? NONE

/** Returns the sums of a base's grid; undefined for a base that never had facilities. */
export const gridSums = (view: WorldView, base: Row): Readonly<GridSums> | undefined =>
  view.index(FACILITY_LISTS).sums.get(base)

/** An owner of a facility: the station, a player or a faction, by `kind`. */
export interface Owner {
  readonly kind: number
  readonly player: Eid
  readonly faction: Row
}
