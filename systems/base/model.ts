/** Bases: finding them, their services, their owners, and what a unit of fuel costs there. */
import { assert } from '../../core/assert.ts'
import { divCeil, divFloor } from '../../core/math.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { Empire } from '../empire/state.ts'
import { FREE_STATIONS } from '../season/model.ts'
import { fuelPriceAt } from '../station/model.ts'
import { Poi } from '../travel/state.ts'
import { BASE_IDS, BASE_KINDS, Base, SERVICES, type Service } from './state.ts'

/** Returns the base of a wire id, or 0. */
export function baseById(view: WorldView, id: string): Eid {
  const ids = view.index(BASE_IDS)
  if (ids.size !== view.countOf(Base)) {
    ids.clear()
    const base = view.read(Base)
    for (let row = 1; row <= view.highOf(Base); row++) {
      if (base.alive[row] === 1) ids.set(view.texts.get(base.id[row]), row)
    }
  }
  return ids.get(id) ?? 0
}

/** Clears the index of base ids, which the next lookup rebuilds: a base was added or removed. */
export const forgetBaseIds = (view: WorldView): void => view.index(BASE_IDS).clear()

export const baseId = (view: WorldView, base: Eid): string =>
  view.texts.get(view.read(Base).id[base])

export const baseName = (view: WorldView, base: Eid): string =>
  view.texts.get(view.read(Base).name[base])

/** Returns the capital of an empire by its index: where its players begin. */
export function capitalOf(view: WorldView, empire: number): Eid {
  const base = view.read(Base)
  for (let row = 1; row <= view.highOf(Base); row++) {
    if (base.alive[row] === 1 && base.capital[row] === 1 && base.empire[row] === empire + 1) {
      return row
    }
  }
  assert(false, `empire ${empire} has no capital`)
}

/** Returns the systems of the capitals. */
export function capitalSystems(view: WorldView): Set<Eid> {
  const { capital, poi } = view.read(Base)
  const { system } = view.read(Poi)
  const systems = new Set<Eid>()
  for (let base = 1; base <= view.highOf(Base); base++)
    if (capital[base] === 1) systems.add(system[poi[base]])
  return systems
}

/** Returns the bit of a service in `Base.services`. */
export const serviceBit = (service: Service): number => 1 << SERVICES.indexOf(service)

/** Returns true for a service that a base was built with, wrecked or not. */
export function offersService(view: WorldView, base: Eid, service: Service): boolean {
  return base !== 0 && (view.read(Base).services[base] & serviceBit(service)) !== 0
}

/** Services that work at a wrecked station too. Source: combat.md section 13. */
const KEPT_WHEN_WRECKED: readonly Service[] = ['market', 'storage']

/** Returns true for a service that a base has and that works; few do at a wrecked one. */
export function hasService(view: WorldView, base: Eid, service: Service): boolean {
  if (!offersService(view, base, service)) return false
  const { hull, hullMax } = view.read(Base)
  return hull[base] > 0 || hullMax[base] === 0 || KEPT_WHEN_WRECKED.includes(service)
}

/** Returns the services of a base that work. */
export function workingServices(view: WorldView, base: Eid): Service[] {
  return SERVICES.filter((service) => hasService(view, base, service))
}

/** Returns the index into EMPIRES of the empire a base belongs to; -1 for other bases. */
export const empireOfBase = (view: WorldView, base: Eid): number => view.read(Base).empire[base] - 1

/** Returns the region whose seasons a base has; -1 for one of pirates or players. */
export function regionOf(view: WorldView, base: Eid): number {
  const empire = empireOfBase(view, base)
  if (empire >= 0) return empire
  const isFree = BASE_KINDS[view.read(Base).kind[base]] === 'independent'
  return isFree ? FREE_STATIONS : -1
}

/** Returns the services that a base was built with, wrecked or not. */
export const offeredServices = (view: WorldView, base: Eid): Service[] =>
  SERVICES.filter((service) => offersService(view, base, service))

/** Returns the ledger account of an empire by its index. */
export const empireTreasury = (view: WorldView, empire: number): Row =>
  view.read(Empire).treasury[empire + 1]

/** Returns the ledger account that takes a base's fees and service income. */
export const baseTreasury = (view: WorldView, base: Eid): Row => view.read(Base).treasury[base]

/** Returns the full tenths of a tank, 0-10. */
const tenthOf = (fuel: number, fuelMax: number): number => divFloor(fuel * 10, fuelMax)

/** Returns the price of a unit, in credits, by the full tenths of the tank. */
const priceOfTenth = (tenth: number): number =>
  tenth === 0 ? 20 : Math.max(2, 11 - Math.min(9, tenth))

/** Returns the price of the next unit from a tank, in credits. Source: travel.md section 7. */
export function bandPriceOf(fuel: number, fuelMax: number): number {
  return fuelMax === 0 ? 20 : priceOfTenth(tenthOf(fuel, fuelMax))
}

/**
 * Returns the price of the next unit of fuel at a base, without tax: the owner's, if they set one.
 */
export function bandPrice(view: WorldView, base: Eid): number {
  const { fuel, fuelMax } = view.read(Base)
  return fuelPriceAt(view, base) || bandPriceOf(fuel[base], fuelMax[base])
}

interface FuelQuote {
  readonly units: number
  /** Without tax. */
  readonly credits: number
  readonly taxCredits: number
}

/** What a quote needs to know of a tank that sells fuel. */
interface FuelTank {
  readonly fuel: number
  readonly fuelMax: number
  readonly taxPerUnit: number
  /** Credits a unit however full the tank is, where the owner has set a price; 0: by the band. */
  readonly flatPrice?: number
}

/**
 * Quotes `wanted` units as the tank drains band by band, cut to what is there and what `credits`
 * pay, tax included. At most 10 steps. Source: travel.md section 7.
 */
export function quoteFuel(tank: FuelTank, wanted: number, credits: number): FuelQuote {
  const { flatPrice = 0 } = tank
  if (flatPrice > 0) {
    const units = Math.min(wanted, tank.fuel, divFloor(credits, flatPrice + tank.taxPerUnit))
    return { units, credits: units * flatPrice, taxCredits: units * tank.taxPerUnit }
  }
  let fuel = tank.fuel
  let units = 0
  let cost = 0
  while (units < wanted && fuel > 0) {
    const tenth = Math.min(9, tenthOf(fuel, tank.fuelMax))
    const price = priceOfTenth(tenth)
    const inBand = tenth === 0 ? fuel : fuel - divCeil(tenth * tank.fuelMax, 10) + 1
    assert(inBand >= 1, 'a band of fuel holds nothing')
    const left = credits - cost - units * tank.taxPerUnit
    const affordable = divFloor(Math.max(0, left), price + tank.taxPerUnit)
    const taken = Math.min(wanted - units, inBand, affordable)
    units += taken
    cost += taken * price
    fuel -= taken
    if (taken < inBand) break
  }
  return { units, credits: cost, taxCredits: units * tank.taxPerUnit }
}

/** Calls `visit` for the bases b with (tick + b) % every == 0: each once in `every` ticks. */
export function forBasesDue(view: WorldView, every: number, visit: (base: Row) => void): void {
  const { alive } = view.read(Base)
  const first = every - (view.tick % every)
  for (let base = first; base <= view.highOf(Base); base += every) {
    if (alive[base] === 1) visit(base)
  }
}
