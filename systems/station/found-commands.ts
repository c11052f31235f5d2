/**
 * Founds stations and outposts and removes outposts, for the commands in base-commands.ts. Source:
 * crafting.md section 8.
 */
import { itemIndex } from '../../core/catalog/index.ts'
import { idOf } from '../../core/entity.ts'
import { type ErrorCode, type Failure, fail } from '../../core/errors.ts'
import {
  Container,
  closeContainer,
  contentsOf,
  moveItems,
  namedContainer,
  openContainer,
} from '../../core/goods.ts'
import { Account, balanceOf, namedAccount, post } from '../../core/ledger.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { invalidateStationNames } from '../account/usernames-model.ts'
import { forgetBaseIds } from '../base/model.ts'
import { BASE_KINDS, Base } from '../base/state.ts'
import { isNearlyFull, isStorageNearlyFull } from '../cargo/model.ts'
import { cancelJobsOf } from '../craft/rules.ts'
import { Bench } from '../craft/state.ts'
import { activeGrids, removeFacility } from '../facility/lifecycle-rules.ts'
import { facilitiesAt } from '../facility/model.ts'
import { cancelWork, furnishOutpost, openCitizenPool } from '../facility/rules.ts'
import { Facility, Grid } from '../facility/state.ts'
import { factionName, factionOf, hasPermission, treasuryOf } from '../faction/model.ts'
import { forgetFacts } from '../intel/rules.ts'
import { creditMove } from '../log/rules.ts'
import { openExchange } from '../market/rules.ts'
import { Exchange } from '../market/state.ts'
import { activeShip, cargoUnits, unloadCargo } from '../ship/model.ts'
import { forgetStation } from '../siege/rules.ts'
import { recordCorporateExpense } from '../tax/rules.ts'
import { poiOf } from '../travel/location-model.ts'
import {
  forgetPlaceNames,
  isMadePlace,
  madePlaces,
  poisOf,
  shipsAt,
  systemName,
} from '../travel/model.ts'
import { describePlace, makePlaceBeside, undockShip } from '../travel/rules.ts'
import { Location, POI_TYPES, Poi, StarSystem } from '../travel/state.ts'
import { isMouth } from '../wormhole/model.ts'
import { baseCount, isOutpost } from './model.ts'
import { listBase, setGuests, unlistBase } from './rules.ts'
import {
  OUTPOSTS_PER_FACTION_MAX,
  PLAYER_POIS_PER_SYSTEM_MAX,
  STATIONS_PER_FACTION_MAX,
  Station,
} from './state.ts'

/** What founding a kind of base costs, and what the base is like. */
export interface BaseBlueprint<E extends ErrorCode = ErrorCode> {
  readonly isOutpost: boolean
  /** Refuses a system because of what is in it already. */
  readonly systemRefusal: (view: WorldView, system: Eid) => Failure<E> | undefined
  /** Index into GOODS of the good that founds it. */
  readonly item: number
  readonly itemId: string
  readonly feeCredits: number
  readonly perFactionMax: number
  readonly description: string
  /** ours: a station is as strong as the server's smallest; an outpost is weaker and unarmed. */
  readonly defences: {
    readonly hull: number
    readonly shield: number
    readonly armor: number
    readonly weaponDamage: number
    readonly weaponReach: number
  }
  /** Units of fuel that its tank holds. Source: ours. */
  readonly fuelMax: number
}

const STATION_ITEM = 'station_core'
const OUTPOST_ITEM = 'outpost_kit'

/** Returns whether a system has a station, of any owner; outposts do not count. */
const isSettled = (view: WorldView, system: Eid): boolean =>
  poisOf(view, system).some((poi) => {
    const base = view.read(Poi).base[poi]
    return base !== 0 && !isOutpost(view, base)
  })

const settledRefusal = (view: WorldView, system: Eid) =>
  isSettled(view, system) ? fail('system_occupied') : undefined

export const STATION_BLUEPRINT: BaseBlueprint<'system_occupied'> = {
  isOutpost: false,
  systemRefusal: settledRefusal,
  item: itemIndex(STATION_ITEM),
  itemId: STATION_ITEM,
  feeCredits: 5_000_000,
  perFactionMax: STATIONS_PER_FACTION_MAX,
  description: 'A core still warm from its crate, and around it as much port as its owners built.',
  defences: { hull: 40_000, shield: 12_000, armor: 16, weaponDamage: 60, weaponReach: 3 },
  fuelMax: 10_000,
}

export const OUTPOST_BLUEPRINT: BaseBlueprint<never> = {
  isOutpost: true,
  systemRefusal: () => undefined,
  item: itemIndex(OUTPOST_ITEM),
  itemId: OUTPOST_ITEM,
  feeCredits: 100_000,
  perFactionMax: OUTPOSTS_PER_FACTION_MAX,
  description: 'A depot and a tank on a spar. The lock knows its people and nobody else.',
  defences: { hull: 15_000, shield: 4_000, armor: 10, weaponDamage: 0, weaponReach: 0 },
  fuelMax: 0,
}

const SUN = POI_TYPES.indexOf('sun')

/* Founding */

/**
 * Refuses a place where nothing can be founded: not_lawless, invalid_poi, base_exists, what the
 * blueprint refuses, limit_reached.
 */
function placeRefusal<E extends ErrorCode>(view: WorldView, poi: Eid, blueprint: BaseBlueprint<E>) {
  if (poi === 0) return fail('invalid_poi', undefined, 'Go to a place of the system first.')
  const { type, base } = view.read(Poi)
  const system = view.read(Poi).system[poi]
  const { empire, police } = view.read(StarSystem)
  if (empire[system] !== 0 || police[system] > 0) {
    return fail('not_lawless', { police_level: police[system] })
  }
  if (type[poi] === SUN) {
    return fail('invalid_poi', undefined, 'Nothing can be built at a sun; go to another place.')
  }
  if (isMouth(view, poi)) {
    const hint = 'Nothing can be built at the mouth of a wormhole; go to another place.'
    return fail('invalid_poi', undefined, hint)
  }
  if (base[poi] !== 0) return fail('base_exists')
  const systemRefused = blueprint.systemRefusal(view, system)
  if (systemRefused) return systemRefused
  const isFull = madePlaces(view, system).length >= PLAYER_POIS_PER_SYSTEM_MAX
  if (isFull && !isMadePlace(view, poi)) {
    const hint = 'This system has no room for new places; build at one of its empty moorings.'
    return fail('limit_reached', { max: PLAYER_POIS_PER_SYSTEM_MAX }, hint)
  }
  return undefined
}

/** Returns whether a table that a new base needs rows of is nearly full. */
const lacksRoom = (view: WorldView): boolean =>
  [Base, Poi, Account, Container, Facility].some((table) => isNearlyFull(view, table)) ||
  isStorageNearlyFull(view)

/** The parts of a fee that the faction's treasury and the founder's wallet pay, in credits. */
interface FeeShares {
  readonly treasury: number
  readonly wallet: number
}

/**
 * Splits a fee: the treasury first, where the founder may spend it, then their wallet. Refusal:
 * no_credits.
 */
function feeSharesOf(
  view: WorldView,
  player: Eid,
  feeCredits: number,
): FeeShares | Failure<'no_credits'> {
  const faction = factionOf(view, player)
  const maySpend = hasPermission(view, player, 'manage_treasury')
  const available = maySpend ? balanceOf(view, treasuryOf(view, faction)) : 0
  const treasury = Math.min(available, feeCredits)
  const wallet = feeCredits - treasury
  const have = balanceOf(view, walletOf(view, player))
  if (have < wallet) {
    const from = maySpend ? `${treasury} in the treasury and ` : ''
    const message =
      `Insufficient credits: ${feeCredits} needed; there are ${from}${have} in your wallet. ` +
      (maySpend ? 'Fill either.' : 'The treasury pays if your role has manage_treasury.')
    return fail('no_credits', { need: feeCredits, have: treasury + have }, message)
  }
  return { treasury, wallet }
}

/**
 * Plans the founding of a base where the player is; returns the shares of the fee. Refusals:
 * not_lawless, invalid_poi, base_exists, what the blueprint refuses, limit_reached, missing_core,
 * no_credits.
 */
export function planFounding<E extends ErrorCode>(
  view: WorldView,
  player: Eid,
  blueprint: BaseBlueprint<E>,
) {
  const placeRefused = placeRefusal(view, poiOf(view, player), blueprint)
  if (placeRefused) return placeRefused
  const max = blueprint.perFactionMax
  if (baseCount(view, factionOf(view, player), blueprint.isOutpost) >= max) {
    return fail('limit_reached', { max, of: 'bases of a faction' })
  }
  if (lacksRoom(view)) return fail('limit_reached', { full: 'bases' })
  if (cargoUnits(view, activeShip(view, player), blueprint.item) < 1) {
    return fail('missing_core', { item_id: blueprint.itemId })
  }
  return feeSharesOf(view, player, blueprint.feeCredits)
}

function payFee(world: World, player: Eid, base: Eid, name: string, shares: FeeShares): void {
  const faction = factionOf(world, player)
  const sink = namedAccount('construction')
  post(world, treasuryOf(world, faction), sink, shares.treasury)
  recordCorporateExpense(world, faction, base, shares.treasury)
  const wallet = walletOf(world, player)
  const summary = `Founding fee of ${name}.`
  creditMove(world, player, wallet, sink, shares.wallet, 'faction', 'base_founded', summary)
}

function addBase(
  world: World,
  poi: Eid,
  faction: Row,
  blueprint: BaseBlueprint,
  name: string,
): Eid {
  const row = world.take(Base)
  const base = world.write(Base)
  world.setText(Base, 'id', row, idOf(world, Base, row))
  world.setText(Base, 'name', row, name)
  world.setText(Base, 'description', row, blueprint.description)
  const flag = `The flag of ${factionName(world, faction)} is painted on the lock.`
  world.setText(Base, 'story', row, flag)
  base.poi[row] = poi
  base.kind[row] = BASE_KINDS.indexOf(blueprint.isOutpost ? 'outpost' : 'faction')
  base.level[row] = 1
  base.fuelMax[row] = blueprint.fuelMax
  const { hull, shield, armor, weaponDamage, weaponReach } = blueprint.defences
  base.hull[row] = hull
  base.hullMax[row] = hull
  base.shield[row] = shield
  base.shieldMax[row] = shield
  base.armor[row] = armor
  base.weaponDamage[row] = weaponDamage
  base.weaponReach[row] = weaponReach
  // The faction's treasury takes the income of the station and pays for its manager.
  base.treasury[row] = treasuryOf(world, faction)
  base.manager[row] = treasuryOf(world, faction)
  base.stock[row] = openContainer(world)
  base.escrow[row] = openContainer(world)
  openExchange(world, row)
  return row
}

/**
 * Founds a base that `planFounding` allows, and returns it. The ships stay where they are.
 */
export function foundBase(
  world: World,
  player: Eid,
  blueprint: BaseBlueprint,
  { name, isOpen, shares }: { name: string; isOpen: boolean; shares: FeeShares },
): Eid {
  const faction = factionOf(world, player)
  const here = poiOf(world, player)
  unloadCargo(world, activeShip(world, player), namedContainer('construction'), blueprint.item, 1)
  const poi = isMadePlace(world, here) ? here : makePlaceBeside(world, here)
  describePlace(world, poi, name, blueprint.description)
  const base = addBase(world, poi, faction, blueprint, name)
  world.write(Poi).base[poi] = base
  const station = world.write(Station)
  station.faction[base] = faction
  station.outpost[base] = blueprint.isOutpost ? 1 : 0
  station.open[base] = isOpen ? 1 : 0
  listBase(world, base)
  forgetBaseIds(world)
  invalidateStationNames(world)
  forgetPlaceNames(world)
  if (blueprint.isOutpost) furnishOutpost(world, base, faction)
  else openCitizenPool(world, base)
  payFee(world, player, base, name, shares)
  return base
}

/* Dismantling */

/** Closes an account of a base; its balance goes to the fee sink. */
function closeAccount(world: World, account: Row): void {
  if (account === 0) return
  post(world, account, namedAccount('fee_sink'), balanceOf(world, account))
  world.release(Account, account)
}

/** Removes all facilities of an outpost and clears its grid. */
function clearOutpost(world: World, base: Row): void {
  for (const row of [...facilitiesAt(world, base)]) {
    cancelJobsOf(world, row, 'all')
    cancelWork(world, row)
    removeFacility(world, row)
  }
  activeGrids(world).delete(base)
  const grid = world.write(Grid)
  grid.battery[base] = 0
  grid.lack[base] = 0
}

/** Removes an empty outpost; its place stays as a mooring, with the ships there. */
export function removeBase(world: World, base: Eid): void {
  const { poi: poiOfBase, stock, escrow } = world.read(Base)
  const poi = poiOfBase[base]
  for (const ship of [...shipsAt(world, poi)]) {
    if (world.read(Location).base[ship] === base) undockShip(world, ship)
  }
  clearOutpost(world, base)
  forgetStation(world, base)
  forgetFacts(world, base)
  setGuests(world, base, { players: [], factions: [], banned: [] })
  unlistBase(world, base)
  // Packages that were sent to the outpost itself are in its stock, out of everybody's reach.
  for (const { item, units } of contentsOf(world, stock[base])) {
    moveItems(world, stock[base], namedContainer('burned'), item, units)
  }
  for (const container of [stock[base], escrow[base]]) closeContainer(world, container)
  const accounts = [world.read(Exchange).escrow, world.read(Bench).escrow, world.read(Grid).pool]
  for (const column of accounts) closeAccount(world, column[base])
  world.write(Poi).base[poi] = 0
  const where = systemName(world, world.read(Poi).system[poi])
  describePlace(world, poi, `Empty Moorings of ${where}`, 'Bolts, a line of paint, and room.')
  world.release(Base, base)
  forgetBaseIds(world)
  invalidateStationNames(world)
  forgetPlaceNames(world)
}
