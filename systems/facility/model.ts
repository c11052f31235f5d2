/**
 * What other domains may ask of facilities: which are at a base, whose they are, whether they
 * run, and which service of a faction or a player is there. Source: crafting.md section 6.
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
 * What a facility looks like from outside: some pass for a facility of another type. Source:
 * factions.md section 4, faction_espionage.
 */

const COVER_STREAM = hashText('facility.cover')

/**
 * Types that a disguised facility passes for. ours: real ones, or the catalogue would give it away.
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
 * Returns the type that a facility shows to the members of faction `viewer`, 0 for anybody else: a
 * disguised one shows its owners alone what it is. Its cover depends on its number and never
 * changes.
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
 * Units that a station of the server supplies without facilities. ours: it stands before its first
 * one. A faction's station has what its facilities supply.
 */
const POWER_PER_LEVEL = 100
const AIR_PER_LEVEL = 100
const builtInLevels = (view: WorldView, base: Row): number =>
  ownerOfBase(view, base) === 0 ? view.read(Base).level[base] : 0
/** Least thousandths of full speed, however little power there is. */
const EFFICIENCY_MIN = 100

/** Returns the power produced at a base, units a tick. */
export const powerSupply = (view: WorldView, base: Row): number =>
  builtInLevels(view, base) * POWER_PER_LEVEL + (gridSums(view, base)?.supply ?? 0)

/** Returns the power drawn at a base, units a tick. */
export function powerDraw(view: WorldView, base: Row): number {
  const sums = gridSums(view, base)
  return sums === undefined ? 0 : sums.steadyDraw + sums.jobDraw
}

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

/** Computes a tick of a grid: the charge afterwards, and thousandths of full speed. */
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
 * Returns true for a type that comes with an outpost and stays; the caller knows that this is one.
 */
export const isBuiltIn = (view: WorldView, row: Row): boolean =>
  BUILT_IN_SERVICES.includes(facilityTypeAt(view, row).faction_service_type)

/** Returns true while something at a base is being built, upgraded or taken apart. */
export const isWorkedOn = (view: WorldView, base: Row): boolean =>
  facilitiesAt(view, base).some((row) => view.read(Facility).dueTick[row] !== 0)

export const STATION_OWNER: Owner = { kind: OF_STATION, player: 0, faction: 0 }
export const playerOwner = (player: Eid): Owner => ({ kind: OF_PLAYER, player, faction: 0 })
export const factionOwner = (faction: Row): Owner => ({ kind: OF_FACTION, player: 0, faction })

/** Returns the owner of a facility; of a repossessed one, the station. */
export function ownerOf(view: WorldView, row: Row): Owner {
  const { ownerKind, player, faction } = view.read(Facility)
  if (ownerKind[row] === OF_PLAYER) return playerOwner(player[row])
  return ownerKind[row] === OF_FACTION ? factionOwner(faction[row]) : STATION_OWNER
}

export const isSameOwner = (one: Owner, other: Owner): boolean =>
  one.kind === other.kind && one.player === other.player && one.faction === other.faction

/** Returns the row of a wire id; 0 if there is none. */
export const facilityById = (view: WorldView, id: string): Row => rowOfId(view, Facility, id)

/** Facilities are named by id alone: several may have the same name. */
export const facilities: ReferenceDef = referenceById(
  'facility',
  facilityById,
  'facility_not_found',
)

/** Cycles without rent after which a station takes a facility, where no empire says. */
const GRACE_DEFAULT = 260

/** Returns the cycles without rent after which a base takes a facility. */
export function graceCycles(view: WorldView, base: Row): number {
  const empire = empireOfBase(view, base)
  return empire < 0 ? GRACE_DEFAULT : EMPIRES[empire].policy.eviction_grace_cycles
}

export const facilityId = (view: WorldView, row: Row): string => idOf(view, Facility, row)

/** Returns the type of a facility as the catalogue has it. */
export const facilityTypeAt = (view: WorldView, row: Row): FacilityRow =>
  FACILITIES[view.read(Facility).type[row]]

/** Returns the tier, from 1. */
export const tierOf = (view: WorldView, row: Row): number => facilityTypeAt(view, row).level

/**
 * Returns the rent a cycle, credits, as `type`, which it is or is to be; 0 at a faction's station.
 */
export const rentAt = (view: WorldView, row: Row, type = facilityTypeAt(view, row)): number =>
  ownerOfBase(view, view.read(Facility).base[row]) === 0 ? rentOf(type) : 0

/** Returns the name that the owner gave, or the name of the type. */
export function facilityName(view: WorldView, row: Row): string {
  return view.texts.get(view.read(Facility).name[row]) || facilityTypeAt(view, row).name
}

/**
 * Returns true while it works: neither under construction nor damaged, dismantled or repossessed.
 */
export const isRunning = (view: WorldView, row: Row): boolean =>
  view.read(Facility).status[row] === ONLINE

/** Returns thousandths of full speed that the power of a base allows: 100 to 1,000. */
export const efficiencyPermille = (view: WorldView, base: Row): number =>
  1000 - view.read(Grid).lack[base]

/**
 * Returns the running facility at a base that fits, of the highest tier, then the oldest; 0 none.
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
 * Returns the facility that gives a faction a service at a base, of several the one of the highest
 * tier; 0 for none. `service` is a `faction_service_type`.
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

/** Returns the store of a faction at a base that carries other facilities; a shelf is none. */
export function activeStore(view: WorldView, faction: Row, base: Row): Row {
  const store = activeFacility(view, faction, base, 'faction_storage')
  return store !== 0 && facilityTypeAt(view, store).is_shelf ? 0 : store
}

/** Returns the shelf of a faction, wherever it is; 0 none. */
export const shelfOf = (view: WorldView, faction: Row): Row =>
  factionFacilities(view, faction).find((row) => facilityTypeAt(view, row).is_shelf) ?? 0

/** Returns what `activeFacility` does, for a player; `service` is a `personal_service_type`. */
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

/** Thousandths by tier. Source: crafting.md section 1. */
const SPEED_OF_TIER: readonly number[] = [1_000, 3_000, 9_000, 27_000]

/** Returns the work of a tick, thousandths of what an unskilled workshop does. */
export function speedMilli(view: WorldView, row: Row): number {
  const speed = SPEED_OF_TIER[Math.min(tierOf(view, row), SPEED_OF_TIER.length) - 1]
  assert(speed !== undefined, `facility ${row} has no tier`)
  return speed
}

/**
 * Returns the ledger account of a base's citizens, which takes wages and pays fares; 0 none yet.
 */
export const citizenPool = (view: WorldView, base: Row): Row => view.read(Grid).pool[base]

/**
 * Returns the tier of the shop a player has at a base; 0 for none. A tier gives them fifty more
 * open orders there; any halves their listing fee. Source: crafting.md section 6, sales facilities.
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

/** Returns the tier of a service's facility at a base, of any owner; 0 where none of it works. */
export function serviceTier(view: WorldView, base: Row, service: string): number {
  const row = bestRunning(view, base, (each) => facilityTypeAt(view, each).service === service)
  return row === 0 ? 0 : tierOf(view, row)
}

const NONE: readonly Row[] = []

/** Returns the facilities at a base in order of their numbers: oldest first. */
export const facilitiesAt = (view: WorldView, base: Row): readonly Row[] =>
  view.index(FACILITY_LISTS).at.get(base) ?? NONE

/** Returns a player's own facilities anywhere, oldest first, without those repossessed. */
export const facilitiesOf = (view: WorldView, player: Eid): readonly Row[] =>
  view.index(FACILITY_LISTS).ofPlayer.get(player) ?? NONE

/** Returns the facilities of a faction anywhere, oldest first. */
export const factionFacilities = (view: WorldView, faction: Row): readonly Row[] =>
  view.index(FACILITY_LISTS).ofFaction.get(faction) ?? NONE

export const gridSums = (view: WorldView, base: Row): Readonly<GridSums> | undefined =>
  view.index(FACILITY_LISTS).sums.get(base)

export interface Owner {
  readonly kind: number
  readonly player: Eid
  readonly faction: Row
}
