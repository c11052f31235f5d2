/**
 * What other domains may ask of facilities: which stand at a base, whose they are, whether they
 * run, and which service of a faction or a player is there. Source: crafting.md section 6.
 */
import { assert } from '../../core/assert.ts'
import { FACILITIES, type FacilityRow } from '../../core/catalog/index.ts'
import { idOf, rowOfId } from '../../core/entity.ts'
import { openAccount } from '../../core/ledger.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { ownerOfBase } from '../station/access-rules.ts'
import { Facility, Grid, OF_FACTION, OF_PLAYER, ONLINE } from './columns.ts'
import { changeState, facilitiesAt } from './store.ts'
import { rentOf } from './types.ts'

export { facilitiesAt, facilitiesOf, factionFacilities } from './store.ts'
export { mendWorks, wreckWorks } from './works.ts'

/** The row of a wire id; 0 if there is none. */
export const facilityById = (view: WorldView, id: string): Row => rowOfId(view, Facility, id)

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
export function activePersonal(view: WorldView, player: Eid, base: Row, service: string): Row {
  const { ownerKind, player: of } = view.read(Facility)
  let best = 0
  for (const row of facilitiesAt(view, base)) {
    if (ownerKind[row] !== OF_PLAYER || of[row] !== player || !isRunning(view, row)) continue
    if (facilityTypeAt(view, row).personal_service_type === service) best = better(view, best, row)
  }
  return best
}

/** Notes that a facility begins or ends to work at jobs: only then some of them draw power. */
export function setBusy(world: World, row: Row, isBusy: boolean): void {
  if ((world.read(Facility).busy[row] === 1) !== isBusy) changeState(world, row, { busy: isBusy })
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

/** As citizenPool, opening the account where a world of before has none. */
export function openCitizenPool(world: World, base: Row): Row {
  const found = citizenPool(world, base)
  if (found !== 0) return found
  const account = openAccount(world)
  world.write(Grid).pool[base] = account
  return account
}

/**
 * Tier of the shop a player has at a base; 0 none. A tier gives him fifty more open orders there;
 * any halves his listing fee. Source: crafting.md section 6, sales facilities.
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
