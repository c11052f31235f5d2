/**
 * Founding stations and outposts, and taking outposts down. What a command refuses is decided
 * before anything is written. Source: crafting.md section 8.
 */

import { itemIndex } from '../../core/catalog/index.ts'
import { idOf } from '../../core/entity.ts'
import { type Failure, fail } from '../../core/errors.ts'
import { Container, closeContainer, namedContainer, openContainer } from '../../core/goods.ts'
import { Account, balanceOf, namedAccount, post } from '../../core/ledger.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { invalidateStationNames } from '../account/usernames-model.ts'
import { forgetBaseIds } from '../base/model.ts'
import { BASE_KINDS, Base } from '../base/state.ts'
import { isNearlyFull, isStoreNearlyFull } from '../cargo/model.ts'
import { Bench } from '../craft/state.ts'
import { furnishOutpost, openCitizenPool } from '../facility/rules.ts'
import { Facility, Grid } from '../facility/state.ts'
import { factionName, factionOf, hasPermission, treasuryOf } from '../faction/model.ts'
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
import { clearOutpost } from './commands.ts'
import { countOf, isOutpost } from './model.ts'
import { listBase, setGuests, unlistBase } from './rules.ts'
import {
  MADE_POIS_PER_SYSTEM_MAX,
  OUTPOSTS_PER_FACTION_MAX,
  STATIONS_PER_FACTION_MAX,
  Station,
} from './state.ts'

/** What a kind of base takes, and is. */
export interface Pattern {
  readonly isOutpost: boolean
  /** Index into GOODS of what it is founded with. */
  readonly item: number
  readonly itemId: string
  readonly feeCredits: number
  readonly perFactionMax: number
  readonly description: string
  /** ours: a station is as strong as the smallest of the server, an outpost a third, unarmed. */
  readonly defences: {
    readonly hull: number
    readonly shield: number
    readonly armor: number
    readonly weaponDamage: number
    readonly weaponReach: number
  }
  /** Units of fuel its tank holds. ours */
  readonly fuelMax: number
}

const STATION_ITEM = 'station_core'
const OUTPOST_ITEM = 'outpost_kit'

export const STATION_PATTERN: Pattern = {
  isOutpost: false,
  item: itemIndex(STATION_ITEM),
  itemId: STATION_ITEM,
  feeCredits: 5_000_000,
  perFactionMax: STATIONS_PER_FACTION_MAX,
  description: 'A core still warm from its crate, and around it as much port as its owners built.',
  defences: { hull: 40_000, shield: 12_000, armor: 16, weaponDamage: 60, weaponReach: 3 },
  fuelMax: 10_000,
}

export const OUTPOST_PATTERN: Pattern = {
  isOutpost: true,
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

/** True while a system has a station, of whomever; outposts do not count. */
const isSettled = (view: WorldView, system: Eid): boolean =>
  poisOf(view, system).some((poi) => {
    const base = view.read(Poi).base[poi]
    return base !== 0 && !isOutpost(view, base)
  })

/** Refusals: not_lawless, invalid_poi, base_exists, system_occupied, limit_reached. */
function placeRefusal(view: WorldView, poi: Eid, pattern: Pattern) {
  if (poi === 0) return fail('invalid_poi', undefined, 'Go to a place of the system first.')
  const { system: of, type, base } = view.read(Poi)
  const system = of[poi]
  const { empire, police } = view.read(StarSystem)
  if (empire[system] !== 0 || police[system] > 0) {
    return fail('not_lawless', { police_level: police[system] })
  }
  if (type[poi] === SUN) return fail('invalid_poi', undefined, 'Nothing can be built at a sun.')
  if (base[poi] !== 0) return fail('base_exists')
  if (!pattern.isOutpost && isSettled(view, system)) return fail('system_occupied')
  const isFull = madePlaces(view, system).length >= MADE_POIS_PER_SYSTEM_MAX
  if (isFull && !isMadePlace(view, poi)) {
    const hint = 'The system takes no more places; build at one of its empty moorings.'
    return fail('limit_reached', { max: MADE_POIS_PER_SYSTEM_MAX }, hint)
  }
  return undefined
}

/** True while a table that a base takes rows of has no room. */
const lacksRoom = (view: WorldView): boolean =>
  [Base, Poi, Account, Container, Facility].some((table) => isNearlyFull(view, table)) ||
  isStoreNearlyFull(view)

/** Credits of a fee that the treasury pays, and that the wallet of the founder pays. */
interface Shares {
  readonly treasury: number
  readonly wallet: number
}

/** The treasury first, where the founder may spend it; then their wallet. Refusal: no_credits. */
function sharesOf(
  view: WorldView,
  player: Eid,
  feeCredits: number,
): Shares | Failure<'no_credits'> {
  const faction = factionOf(view, player)
  const maySpend = hasPermission(view, player, 'manage_treasury')
  const there = maySpend ? balanceOf(view, treasuryOf(view, faction)) : 0
  const treasury = Math.min(there, feeCredits)
  const wallet = feeCredits - treasury
  const have = balanceOf(view, walletOf(view, player))
  if (have < wallet) return fail('no_credits', { need: feeCredits, have: treasury + have })
  return { treasury, wallet }
}

/**
 * Why a player, who may found bases, cannot found one where they are; else who pays what. Refusals:
 * not_lawless, invalid_poi, base_exists, system_occupied, limit_reached, missing_core, no_credits.
 */
export function planFounding(view: WorldView, player: Eid, pattern: Pattern) {
  const misplaced = placeRefusal(view, poiOf(view, player), pattern)
  if (misplaced) return misplaced
  const max = pattern.perFactionMax
  if (countOf(view, factionOf(view, player), pattern.isOutpost) >= max) {
    return fail('limit_reached', { max, of: 'bases of a faction' })
  }
  if (lacksRoom(view)) return fail('limit_reached', { full: 'bases' })
  if (cargoUnits(view, activeShip(view, player), pattern.item) < 1) {
    return fail('missing_core', { item_id: pattern.itemId })
  }
  return sharesOf(view, player, pattern.feeCredits)
}

function payFee(world: World, player: Eid, base: Eid, name: string, shares: Shares): void {
  const faction = factionOf(world, player)
  const sink = namedAccount('construction')
  post(world, treasuryOf(world, faction), sink, shares.treasury)
  recordCorporateExpense(world, faction, base, shares.treasury)
  const wallet = walletOf(world, player)
  const said = `Founding fee of ${name}.`
  creditMove(world, player, wallet, sink, shares.wallet, 'faction', 'base_founded', said)
}

function openBase(world: World, poi: Eid, faction: Row, pattern: Pattern, name: string): Eid {
  const row = world.take(Base)
  const base = world.write(Base)
  world.setText(Base, 'id', row, idOf(world, Base, row))
  world.setText(Base, 'name', row, name)
  world.setText(Base, 'description', row, pattern.description)
  const flag = `The flag of ${factionName(world, faction)} is painted on the lock.`
  world.setText(Base, 'story', row, flag)
  base.poi[row] = poi
  base.kind[row] = BASE_KINDS.indexOf(pattern.isOutpost ? 'outpost' : 'faction')
  base.level[row] = 1
  base.fuelMax[row] = pattern.fuelMax
  const { hull, shield, armor, weaponDamage, weaponReach } = pattern.defences
  base.hull[row] = hull
  base.hullMax[row] = hull
  base.shield[row] = shield
  base.shieldMax[row] = shield
  base.armor[row] = armor
  base.weaponDamage[row] = weaponDamage
  base.weaponReach[row] = weaponReach
  // what the station takes in is the faction's at once, and what it pays too
  base.treasury[row] = treasuryOf(world, faction)
  base.manager[row] = treasuryOf(world, faction)
  base.stock[row] = openContainer(world)
  base.escrow[row] = openContainer(world)
  openExchange(world, row)
  return row
}

/**
 * Founds a base that `planFounding` has found may be; returns it. The ships stay where they are.
 */
export function foundBase(
  world: World,
  player: Eid,
  pattern: Pattern,
  { name, isOpen, shares }: { name: string; isOpen: boolean; shares: Shares },
): Eid {
  const faction = factionOf(world, player)
  const here = poiOf(world, player)
  unloadCargo(world, activeShip(world, player), namedContainer('construction'), pattern.item, 1)
  const poi = isMadePlace(world, here) ? here : makePlaceBeside(world, here)
  describePlace(world, poi, name, pattern.description)
  const base = openBase(world, poi, faction, pattern, name)
  world.write(Poi).base[poi] = base
  const station = world.write(Station)
  station.faction[base] = faction
  station.outpost[base] = pattern.isOutpost ? 1 : 0
  station.open[base] = isOpen ? 1 : 0
  listBase(world, base)
  forgetBaseIds(world)
  invalidateStationNames(world)
  forgetPlaceNames(world)
  if (pattern.isOutpost) furnishOutpost(world, base, faction)
  else openCitizenPool(world, base)
  payFee(world, player, base, name, shares)
  return base
}

/* Taking down */

/** Ends an account of a base; what citizens have saved goes with them. */
function closeAccount(world: World, account: Row): void {
  if (account === 0) return
  post(world, account, namedAccount('fee_sink'), balanceOf(world, account))
  world.release(Account, account)
}

/** Takes an outpost down that is empty: its place stays, as a mooring, with the ships there. */
export function removeBase(world: World, base: Eid): void {
  const { poi: at, stock, escrow } = world.read(Base)
  const poi = at[base]
  for (const ship of [...shipsAt(world, poi)]) {
    if (world.read(Location).base[ship] === base) undockShip(world, ship)
  }
  clearOutpost(world, base)
  forgetStation(world, base)
  setGuests(world, base, { players: [], factions: [], banned: [] })
  unlistBase(world, base)
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
