/**
 * Sources of fuel (a station or bunker, fuel cells, another ship), and the tanks of a fleet.
 * Source: travel.md section 7.
 */
import { assert } from '../../core/assert.ts'
import { findGoods, GOODS, type ItemRow, SHIP_CLASSES } from '../../core/catalog/index.ts'
import { fail, ok } from '../../core/errors.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { namedContainer } from '../../core/goods.ts'
import { balanceOf } from '../../core/ledger.ts'
import { divCeil, divFloor } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { alliesOf, areFactionsAllied } from '../diplomacy/model.ts'
import { completeCallOf } from '../distress/rules.ts'
import { factionOf } from '../faction/model.ts'
import { recordStoreMove } from '../faction/rules.ts'
import { Faction } from '../faction/state.ts'
import { drawBunker } from '../faction/store-rules.ts'
import { fleetIdOf, fleetOf, identityFor, isLeader, rosterOf } from '../fleet/model.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { sightOf, visibleIdentity } from '../sensing/model.ts'
import { cargoUnits, hasSpecial, shipId, unloadCargo } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { fuelPriceAt, serviceRefusal } from '../station/model.ts'
import { flightOf, fuelPerJump } from '../travel/flight-model.ts'
import { shipOf } from '../travel/location-model.ts'
import { Location } from '../travel/state.ts'
import {
  baseName,
  baseTreasury,
  empireOfBase,
  empireTreasury,
  hasService,
  quoteFuel,
} from './model.ts'
import { refueledBy } from './schemas.ts'
import { Base } from './state.ts'
import { fuelTaxPerUnit } from './views.ts'

interface Cell {
  readonly item: number
  readonly fuelUnits: number
}

/** Fuel cells of the catalogue, the cheapest first. */
const CELLS: readonly Cell[] = GOODS.flatMap((good, item) => {
  const { effect } = good as ItemRow
  return effect?.type === 'fuel' ? [{ item, fuelUnits: effect.amount ?? 0 }] : []
}).sort((a, b) => GOODS[a.item].base_value - GOODS[b.item].base_value || a.item - b.item)

const missingFuel = (view: WorldView, ship: Eid): number =>
  view.read(Ship).fuelMax[ship] - view.read(Ship).fuel[ship]

/** Renders the tank of a ship as it is now. */
const renderTank = (view: WorldView, ship: Eid) => ({
  fuel_now: view.read(Ship).fuel[ship],
  fuel_max: view.read(Ship).fuelMax[ship],
})

/**
 * Fills the tank from the bunker of the pilot's faction here, then from those of its allies that
 * share; if these give nothing, from the station's tank as far as it and the wallet reach; with
 * fuel cells where the station has no fuel. ours: only the bunker is free; members pay for the fuel
 * of their faction's own station too, otherwise they could fill up for nothing and sell it back.
 * Refusals: tank_full, no_credits, station_fuel_empty, service_restricted, no_fuel_cells.
 */
export function refuelAtStation(world: World, player: Eid, base: Eid, cells: number) {
  const ship = shipOf(world, player)
  const missing = missingFuel(world, ship)
  if (missing <= 0) return fail('tank_full')
  const drawn = drawBunkers(world, player, base, missing)
  if (drawn > 0) return fillFromBunkers(world, player, ship, drawn)
  const { fuel, fuelMax } = world.read(Base)
  if (!hasService(world, base, 'refuel')) return burnCells(world, player, undefined, cells)
  const restricted = serviceRefusal(world, player, base, 'refuel')
  if (restricted) return restricted
  if (fuel[base] === 0) {
    const hasCells = CELLS.some(({ item }) => cargoUnits(world, ship, item) > 0)
    return hasCells ? burnCells(world, player, undefined, cells) : fail('station_fuel_empty')
  }
  const taxPerUnit = fuelTaxPerUnit(world, base)
  const have = balanceOf(world, walletOf(world, player))
  const flatPrice = fuelPriceAt(world, base)
  const store = { fuel: fuel[base], fuelMax: fuelMax[base], taxPerUnit, flatPrice }
  const quote = quoteFuel(store, missing, have)
  if (quote.units === 0) {
    const first = quoteFuel(store, 1, Number.MAX_SAFE_INTEGER)
    return fail('no_credits', { need: first.credits + first.taxCredits, have })
  }
  payFuel(world, player, base, quote)
  world.write(Base).fuel[base] -= quote.units
  world.write(Ship).fuel[ship] += quote.units
  assert(missingFuel(world, ship) >= 0, 'a tank is overfilled')
  return ok({
    action: 'refuel',
    source: 'station',
    fuel: quote.units,
    ...renderTank(world, ship),
    cost: quote.credits + quote.taxCredits,
    market_cost: quote.credits,
    tax_amount: quote.taxCredits,
    message: `Took ${counted(quote.units, 'unit')} of fuel for ${counted(quote.credits + quote.taxCredits, 'credit')}.`,
  })
}

/** Records fuel drawn from a bunker in the log of its faction. Source: newer.md section 8. */
function recordDraw(
  world: World,
  faction: Row,
  player: Eid,
  { base, quantity, as }: { readonly base: Eid; readonly quantity: number; readonly as: string },
): void {
  const summary = `Took ${quantity} fuel for the tank as ${as}.`
  recordStoreMove(world, { faction, player, action: 'refuel', summary, quantity, base })
}

/**
 * Draws fuel from the bunkers here that are open to a pilot; returns the units drawn. Source:
 * travel.md section 7.
 */
function drawBunkers(world: World, player: Eid, base: Eid, missing: number): number {
  const own = factionOf(world, player)
  if (own === 0) return 0
  let drawn = drawBunker(world, own, base, missing)
  if (drawn > 0) recordDraw(world, own, player, { base, quantity: drawn, as: 'a member' })
  if (drawn === missing) return drawn
  for (const ally of alliesOf(world, own)) {
    if (world.read(Faction).allyFuelAccess[ally] === 0) continue
    if (!areFactionsAllied(world, own, ally)) continue
    const quantity = drawBunker(world, ally, base, missing - drawn)
    if (quantity === 0) continue
    drawn += quantity
    recordDraw(world, ally, player, { base, quantity, as: 'an ally' })
  }
  return drawn
}

/** Fills the tank with fuel drawn from bunkers, which is free of charge and of tax. */
function fillFromBunkers(world: World, player: Eid, ship: Eid, units: number) {
  world.write(Ship).fuel[ship] += units
  const message = `Took ${counted(units, 'unit')} of fuel from the bunkers of your faction and its allies.`
  logAction(world, player, 'ship', 'refuel', message, { units })
  return ok({
    action: 'refuel',
    source: 'faction_bunker',
    fuel: units,
    faction_fuel: units,
    ...renderTank(world, ship),
    cost: 0,
    message,
  })
}

function payFuel(world: World, player: Eid, base: Eid, quote: ReturnType<typeof quoteFuel>): void {
  const wallet = walletOf(world, player)
  const { units } = quote
  const summary = `Refuelled ${counted(units, 'unit')} at ${baseName(world, base)}.`
  creditMove(
    world,
    player,
    wallet,
    baseTreasury(world, base),
    quote.credits,
    'ship',
    'refuel',
    summary,
    {
      units,
    },
  )
  addStat(world, player, 'credits_spent', quote.credits + quote.taxCredits)
  const empire = empireOfBase(world, base)
  if (empire < 0) return
  const treasury = empireTreasury(world, empire)
  creditMove(world, player, wallet, treasury, quote.taxCredits, 'ship', 'fuel_tax', 'Fuel tax.', {
    units,
  })
}

/**
 * Burns cells out of the hold: of one kind, or the cheapest first. What does not fit the tank is
 * lost. Refusals: tank_full, invalid_item, no_fuel_cells.
 */
export function burnCells(world: World, player: Eid, itemId: string | undefined, max: number) {
  const ship = shipOf(world, player)
  const items = itemId === undefined ? undefined : findGoods(itemId)
  const kinds = items ? CELLS.filter(({ item }) => items.includes(item)) : CELLS
  if (kinds.length === 0) return fail('invalid_item')
  if (missingFuel(world, ship) <= 0) return fail('tank_full')
  const before = world.read(Ship).fuel[ship]
  let cells = 0
  let kind: Cell | undefined
  for (const cell of kinds) {
    const aboard = cargoUnits(world, ship, cell.item)
    const wanted = divCeil(missingFuel(world, ship), cell.fuelUnits)
    const burnt = Math.min(max - cells, aboard, wanted)
    if (burnt <= 0) continue
    unloadCargo(world, ship, namedContainer('consumption'), cell.item, burnt)
    const { fuel, fuelMax } = world.write(Ship)
    fuel[ship] = Math.min(fuelMax[ship], fuel[ship] + burnt * cell.fuelUnits)
    cells += burnt
    kind ??= cell
  }
  if (!kind) return fail('no_fuel_cells')
  const gained = world.read(Ship).fuel[ship] - before
  const good = GOODS[kind.item]
  addStat(world, player, 'consumables_used', cells)
  logAction(
    world,
    player,
    'ship',
    'refuel',
    `Burnt ${counted(cells, 'fuel cell')} for ${counted(gained, 'unit')}.`,
  )
  return ok({
    action: 'refuel',
    source: 'cargo',
    fuel: gained,
    ...renderTank(world, ship),
    cost: 0,
    cells_used: cells,
    item_id: good.id,
    item_name: good.name,
    message: `Burnt ${counted(cells, 'cell')}: ${counted(gained, 'unit')} of fuel.`,
  })
}

/**
 * Pumps fuel into the tank of a player at the same place. The giver keeps a unit, and issue fuel
 * cannot be pumped. Refusals: no_pump, invalid_target, issue_item, no_fuel, target_no_space.
 */
export function pumpInto(world: World, player: Eid, target: Eid, max: number) {
  const ship = shipOf(world, player)
  if (!hasSpecial(world, ship, 'refueling_pump')) return fail('no_pump')
  if (target === 0 || target === player || !isBeside(world, player, target)) {
    return fail('invalid_target')
  }
  const { fuel, issueFuel } = world.read(Ship)
  const own = fuel[ship] - issueFuel[ship]
  if (own < 1 && issueFuel[ship] > 0) return fail('issue_item')
  const spare = Math.min(fuel[ship] - 1, own)
  if (spare < 1) return fail('no_fuel', { need: 2, have: fuel[ship] })
  const other = shipOf(world, target)
  const room = missingFuel(world, other)
  if (room < 1) return fail('target_no_space')
  const units = Math.min(max, spare, room)
  const columns = world.write(Ship)
  columns.fuel[ship] -= units
  columns.fuel[other] += units
  addStat(world, player, 'refuels_given', 1)
  const { id, name } = visibleIdentity(world, player, target)
  const message = `Gave ${counted(units, 'unit')} of fuel to ${name || 'an unknown ship'}.`
  logAction(world, player, 'ship', 'refuel_given', message)
  notifyRefueled(world, player, target, units)
  const rescued = completeCallOf(world, player, target)
  return ok({
    action: 'refuel',
    source: 'player',
    fuel: units,
    ...renderTank(world, ship),
    target_player_id: id,
    target_player_name: name,
    target_fuel_now: world.read(Ship).fuel[other],
    target_fuel_max: world.read(Ship).fuelMax[other],
    ...rescued,
    message: `${message}${rescueNote(rescued.rescue_reward)}`,
  })
}

const rescueNote = (credits: number | undefined): string =>
  credits === undefined
    ? ''
    : ` That answers their call for help, which pays ${counted(credits, 'credit')}.`

/** Returns whether a player sees the target at the same place, both docked or both in space. */
function isBeside(view: WorldView, player: Eid, target: Eid): boolean {
  const locations = view.read(Location)
  const here = shipOf(view, player)
  const there = shipOf(view, target)
  if (
    locations.poi[here] !== locations.poi[there] ||
    locations.base[here] !== locations.base[there]
  )
    return false
  return locations.poi[here] !== 0 && sightOf(view, player, target) !== 'nothing'
}

function notifyRefueled(world: World, player: Eid, target: Eid, units: number): void {
  const { id, name } = visibleIdentity(world, target, player)
  const ship = shipOf(world, target)
  const payload = {
    source_player_id: id,
    source_username: name,
    fuel: units,
    ...renderTank(world, ship),
  }
  emit(world, refueledBy, payload, toPlayer(target))
}

/** Renders the tank of a fleet's member as another member sees it. */
function renderFleetTank(view: WorldView, viewer: Eid, member: Eid) {
  const ship = shipOf(view, member)
  const { fuel, fuelMax, class: shipClass } = view.read(Ship)
  const { id, name } = identityFor(view, viewer, member)
  return {
    player_id: id,
    username: name,
    ship_id: shipId(view, ship),
    ship_class: SHIP_CLASSES[shipClass[ship]].id,
    fuel: fuel[ship],
    max_fuel: fuelMax[ship],
    fuel_pct: divFloor(fuel[ship] * 100, Math.max(1, fuelMax[ship])),
    fuel_per_jump: fuelPerJump(flightOf(view, ship)),
    is_you: member === viewer,
    is_leader: isLeader(view, member),
  }
}

/** Lists the tanks of the player's fleet; only their own if they are in none. */
export function fleetFuel(view: WorldView, player: Eid) {
  const ship = shipOf(view, player)
  const fleet = fleetOf(view, player)
  return ok({
    action: 'refuel',
    source: 'fleet',
    fuel: 0,
    ...(ship === 0 ? {} : renderTank(view, ship)),
    has_pump: hasSpecial(view, ship, 'refueling_pump'),
    ...(fleet === 0 ? {} : { fleet_id: fleetIdOf(view, fleet) }),
    members: rosterOf(view, player).map((member) => renderFleetTank(view, player, member)),
  })
}
