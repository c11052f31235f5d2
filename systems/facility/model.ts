/**
 * What other domains may ask of facilities: which stand at a base, whose they are, whether they
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

/** The parameters of a call, checked by shape. */
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

/** A row of the table of actions. */
export type FacilityAction = ActionRow<FacilityRequest>
export const facilityAction = actionRow<FacilityRequest>()

/*
 * What a facility looks like from outside: some hang out the sign of another trade. Source:
 * factions.md section 4, faction_espionage.
 */

const COVER_STREAM = hashText('facility.cover')

/** Trades that nobody looks at twice. Ours: real ones, or the catalogue would give it away. */
const COVER_TYPES: readonly FacilityRow[] = FACILITIES.filter(
  ({ category, level, disguised, faction_service_type }) =>
    category === 'faction' &&
    level === 1 &&
    !disguised &&
    faction_service_type !== 'faction_storage' &&
    faction_service_type !== 'storage_extension',
)

/**
 * The type that members of a faction see over the door; 0 for everybody else. The sign of a
 * facility is a function of its number, so it never changes.
 */
export function shownType(view: WorldView, row: Row, viewer: Row): FacilityRow {
  const type = facilityTypeAt(view, row)
  if (!type.disguised) return type
  const { faction, ownerKind, seq } = view.read(Facility)
  if (viewer !== 0 && ownerKind[row] === OF_FACTION && faction[row] === viewer) return type
  return COVER_TYPES[hash32(view.seed, COVER_STREAM, seq[row]) % COVER_TYPES.length]
}

/*
 * Power and air of a base: what the station itself gives, what its facilities add, and how the
 * battery makes up for a shortage. Source: crafting.md section 6, power.
 */

/**
 * What a station of the server gives of its own, a level. ours: it stands before its first
 * facility. One of a faction has what its works give.
 */
const POWER_PER_LEVEL = 100
const AIR_PER_LEVEL = 100
const builtInLevels = (view: WorldView, base: Row): number =>
  ownerOfBase(view, base) === 0 ? view.read(Base).level[base] : 0
/** Thousandths of full speed that are left however little power there is. */
const EFFICIENCY_MIN = 100

/** Power made at a base, units a tick. */
export const powerSupply = (view: WorldView, base: Row): number =>
  builtInLevels(view, base) * POWER_PER_LEVEL + (gridSums(view, base)?.supply ?? 0)

/** Power drawn by what runs. */
export function powerDraw(view: WorldView, base: Row): number {
  const sums = gridSums(view, base)
  return sums === undefined ? 0 : sums.steadyDraw + sums.jobDraw
}

export const batteryMax = (view: WorldView, base: Row): number =>
  gridSums(view, base)?.batteryMax ?? 0

/** Air made at a base, and drawn there. */
export const airSupply = (view: WorldView, base: Row): number =>
  builtInLevels(view, base) * AIR_PER_LEVEL + (gridSums(view, base)?.lifeSupply ?? 0)
export const airDraw = (view: WorldView, base: Row): number => gridSums(view, base)?.lifeDraw ?? 0

interface Flow {
  readonly supply: number
  readonly draw: number
  readonly battery: number
  readonly batteryMax: number
}

/** A tick of a grid: the charge afterwards, and thousandths of full speed. */
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

/** True for what an outpost cannot be without; which facilities stand at one is the caller's. */
export const isBuiltIn = (view: WorldView, row: Row): boolean =>
  BUILT_IN_SERVICES.includes(facilityTypeAt(view, row).faction_service_type)

/** True while something at a base is being built, upgraded or taken apart. */
export const isWorkedOn = (view: WorldView, base: Row): boolean =>
  facilitiesAt(view, base).some((row) => view.read(Facility).dueTick[row] !== 0)

export const STATION_OWNER: Owner = { kind: OF_STATION, player: 0, faction: 0 }
export const playerOwner = (player: Eid): Owner => ({ kind: OF_PLAYER, player, faction: 0 })
export const factionOwner = (faction: Row): Owner => ({ kind: OF_FACTION, player: 0, faction })

/** Whose a facility is now; what was before a repossession does not count. */
export function ownerOf(view: WorldView, row: Row): Owner {
  const { ownerKind, player, faction } = view.read(Facility)
  if (ownerKind[row] === OF_PLAYER) return playerOwner(player[row])
  return ownerKind[row] === OF_FACTION ? factionOwner(faction[row]) : STATION_OWNER
}

export const isSameOwner = (one: Owner, other: Owner): boolean =>
  one.kind === other.kind && one.player === other.player && one.faction === other.faction

/** The row of a wire id; 0 if there is none. */
export const facilityById = (view: WorldView, id: string): Row => rowOfId(view, Facility, id)

/* Facilities by id: one name may stand over many doors. */

export const facilities: ReferenceDef = referenceById(
  'facility',
  facilityById,
  'facility_not_found',
)

/** Cycles without rent after which a station takes a facility, where no empire says. */
const GRACE_DEFAULT = 260

/** Cycles without rent that a base bears. */
export function graceCycles(view: WorldView, base: Row): number {
  const empire = empireOfBase(view, base)
  return empire < 0 ? GRACE_DEFAULT : EMPIRES[empire].policy.eviction_grace_cycles
}

export const facilityId = (view: WorldView, row: Row): string => idOf(view, Facility, row)

/** The type of a facility as the catalogue has it. */
export const facilityTypeAt = (view: WorldView, row: Row): FacilityRow =>
  FACILITIES[view.read(Facility).type[row]]

/** Tier, from 1. */
export const tierOf = (view: WorldView, row: Row): number => facilityTypeAt(view, row).level

/** Rent of a facility a cycle, as the type it is or is to be; none at a faction's station. */
export const rentAt = (view: WorldView, row: Row, type = facilityTypeAt(view, row)): number =>
  ownerOfBase(view, view.read(Facility).base[row]) === 0 ? rentOf(type) : 0

/** What the owner calls it, or what it is. */
export function facilityName(view: WorldView, row: Row): string {
  return view.texts.get(view.read(Facility).name[row]) || facilityTypeAt(view, row).name
}

/** True while it works: neither under construction nor damaged, dismantled or repossessed. */
export const isRunning = (view: WorldView, row: Row): boolean =>
  view.read(Facility).status[row] === ONLINE

/** Thousandths of full speed that the power of a base allows: 100 to 1,000. */
export const efficiencyPermille = (view: WorldView, base: Row): number =>
  1000 - view.read(Grid).lack[base]

/** The better of two facilities: the higher tier, then the older. */
function better(view: WorldView, best: Row, row: Row): Row {
  return best === 0 || tierOf(view, row) > tierOf(view, best) ? row : best
}

/**
 * The facility by which a faction has a service at a base; 0 none. Of several the highest tier.
 * `service` is a `faction_service_type`.
 */
export function activeFacility(view: WorldView, faction: Row, base: Row, service: string): Row {
  const { ownerKind, faction: of } = view.read(Facility)
  let best = 0
  for (const row of facilitiesAt(view, base)) {
    if (ownerKind[row] !== OF_FACTION || of[row] !== faction || !isRunning(view, row)) continue
    if (facilityTypeAt(view, row).faction_service_type === service) best = better(view, best, row)
  }
  return best
}

/** The same for a player; `service` is a `personal_service_type`. */
export function activePersonalFacility(
  view: WorldView,
  player: Eid,
  base: Row,
  service: string,
): Row {
  const { ownerKind, player: of } = view.read(Facility)
  let best = 0
  for (const row of facilitiesAt(view, base)) {
    if (ownerKind[row] !== OF_PLAYER || of[row] !== player || !isRunning(view, row)) continue
    if (facilityTypeAt(view, row).personal_service_type === service) best = better(view, best, row)
  }
  return best
}

/** Speed of a tier, thousandths. Source: crafting.md section 1. */
const SPEED_OF_TIER: readonly number[] = [1_000, 3_000, 9_000, 27_000]

/** Thousandths of the work of a workshop without skill that the facility does in a tick. */
export function speedMilli(view: WorldView, row: Row): number {
  const speed = SPEED_OF_TIER[Math.min(tierOf(view, row), SPEED_OF_TIER.length) - 1]
  assert(speed !== undefined, `facility ${row} has no tier`)
  return speed
}

/** Ledger account of a base's citizens: takes wages, pays fares. 0 before `foundPools`. */
export const citizenPool = (view: WorldView, base: Row): Row => view.read(Grid).pool[base]

/**
 * Tier of the shop a player has at a base; 0 none. A tier gives them fifty more open orders there;
 * any halves their listing fee. Source: crafting.md section 6, sales facilities.
 */
export function storefrontTier(view: WorldView, player: Eid, base: Row): number {
  const { ownerKind, player: of } = view.read(Facility)
  let tier = 0
  for (const row of facilitiesAt(view, base)) {
    if (ownerKind[row] !== OF_PLAYER || of[row] !== player || !isRunning(view, row)) continue
    if (facilityTypeAt(view, row).category === 'sales') tier = Math.max(tier, tierOf(view, row))
  }
  return tier
}

/** Tier of a service's facility at a base, of any owner; 0 where none of it works. */
export function serviceTier(view: WorldView, base: Row, service: string): number {
  let tier = 0
  for (const row of facilitiesAt(view, base)) {
    if (facilityTypeAt(view, row).service !== service || !isRunning(view, row)) continue
    tier = Math.max(tier, tierOf(view, row))
  }
  return tier
}

const NONE: readonly Row[] = []

/** Facilities at a base, in order of their numbers: oldest first. */
export const facilitiesAt = (view: WorldView, base: Row): readonly Row[] =>
  view.index(FACILITY_LISTS).at.get(base) ?? NONE

/** Facilities that are a player's own, anywhere, oldest first; those repossessed are not. */
export const facilitiesOf = (view: WorldView, player: Eid): readonly Row[] =>
  view.index(FACILITY_LISTS).ofPlayer.get(player) ?? NONE

/** Facilities of a faction, anywhere, oldest first. */
export const factionFacilities = (view: WorldView, faction: Row): readonly Row[] =>
  view.index(FACILITY_LISTS).ofFaction.get(faction) ?? NONE

/** True for what draws power only while it works at a job. */
export function drawsByJob(type: number): boolean {
  const { recipe_categories, recipe_ids, is_recycler, logistics } = FACILITIES[type]
  return Boolean(recipe_categories || recipe_ids || is_recycler || logistics)
}

export const gridSums = (view: WorldView, base: Row): Readonly<GridSums> | undefined =>
  view.index(FACILITY_LISTS).sums.get(base)

export interface Owner {
  readonly kind: number
  readonly player: Eid
  readonly faction: Row
}
