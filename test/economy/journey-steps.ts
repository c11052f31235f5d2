/**
 * The script of a newcomer: which command they give next in each step of the missions for new
 * pilots, and how they save for a second hull after the last. Source: balance.md section 7.
 */
import {
  type Bot,
  bestOffer,
  creditsOf,
  dockAt,
  flyTo,
  holdOf,
  refuel,
  roomOf,
  systemOfBase,
  wish,
} from '../../cli/bots/moves.ts'
import {
  CREATURES,
  type EMPIRE_IDS,
  GOODS,
  isModule,
  itemIndex,
  RECIPES,
  type RecipeRow,
  SHIP_CLASSES,
} from '../../core/catalog/index.ts'
import { NEW_PILOT_STEPS, newPilotStep } from '../../core/catalog/missions-newcomer.ts'
import { ORES } from '../../core/catalog/regions.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { arenasOf } from '../../systems/arena/model.ts'
import { storedUnits } from '../../systems/cargo/model.ts'
import { combatantOf } from '../../systems/combat/model.ts'
import { ShipCombat } from '../../systems/combat/state.ts'
import { creatures } from '../../systems/creature/model.ts'
import { Creature } from '../../systems/creature/state.ts'
import { salesTaxBps } from '../../systems/market/model.ts'
import { ASK, BID } from '../../systems/market/state.ts'
import { missionById, slotOf, templateOf } from '../../systems/mission/model.ts'
import { Mission } from '../../systems/mission/state.ts'
import {
  activeShip,
  cargoUnits,
  modulesOf,
  moduleTypeOf,
  shipId,
} from '../../systems/ship/model.ts'
import { Ship } from '../../systems/ship/state.ts'
import { listingId, listingsAt } from '../../systems/shipyard/model.ts'
import { ShipListing } from '../../systems/shipyard/state.ts'
import { dockedBase, systemOf } from '../../systems/travel/location-model.ts'
import { poisOf } from '../../systems/travel/model.ts'
import { AT_POI, Location, POI_TYPES, Poi, StarSystem } from '../../systems/travel/state.ts'
import type { Wish } from '../driven-world.ts'

/** The firsts of a newcomer, and the ticks within which nine of ten must have had them. */
export const FIRSTS = { sale: 60, fitting: 180, craft: 240, hull: 720 } as const
export type First = keyof typeof FIRSTS

export interface Pilot extends Bot {
  readonly empire: (typeof EMPIRE_IDS)[number]
  /** The step they are at, from 1; past the last they save for a hull. */
  step: number
  /** The base that the letter of the courier step went to; 0 before that step. */
  nextDoor: Eid
  /** They left the dock to dig. */
  isDigging: boolean
  /** The hold took no more when they last dug. */
  isFull: boolean
  /** The tick of each first. */
  readonly ticks: Partial<Record<First, number>>
  /** Ticks in which steps were handed in. */
  readonly handedIn: number[]
}

/** The step that crafts, and the step that carries a letter. */
export const CRAFT_STEP = 3
const CARRY_STEP = 5
/** Units that the craft step requires. */
const MADE_UNITS = 2
const HULL_LOW_PCT = 60
/** Modules that the missions give, or have the pilot order, most wanted first. */
const KIT = ['mining_laser_i', 'survey_scanner_i', 'shield_booster_i', 'armor_plate_i']

/* What the pilot looks up */

const missionOf = (world: World, pilot: Pilot): Row =>
  missionById(world, pilot.player, newPilotStep(pilot.empire, pilot.step))

/** Returns the units of an objective that are still to be done. */
function leftOf(world: World, mission: Row, index: number): number {
  const { quantity } = templateOf(world, mission).objectives[index]
  return quantity - world.read(Mission).progress[slotOf(mission, index)]
}

const fittedUnits = (world: World, pilot: Pilot, id: string): number =>
  modulesOf(world, activeShip(world, pilot.player)).filter(
    (row) => moduleTypeOf(world, row).id === id,
  ).length

const aboard = (world: World, pilot: Pilot, item: number): number =>
  cargoUnits(world, activeShip(world, pilot.player), item)

const isDockedHome = (world: World, pilot: Pilot): boolean =>
  dockedBase(world, pilot.player) === pilot.home

const homePlaces = (world: World, pilot: Pilot): Eid[] =>
  poisOf(world, systemOfBase(world, pilot.home)).filter((poi) => world.read(Poi).hidden[poi] === 0)

/** Returns the belt at home that the pilot's laser can cut. */
function beltOf(world: World, pilot: Pilot): Eid {
  const { type, class: kind } = world.read(Poi)
  const found = homePlaces(world, pilot).find(
    (poi) => POI_TYPES[type[poi]] === 'asteroid_belt' && world.texts.get(kind[poi]) === '',
  )
  if (found === undefined) throw new Error('there is no belt at home')
  return found
}

/* Recurring work */

const NOTHING: ReadonlyMap<number, number> = new Map()

const dig = (world: World, pilot: Pilot): Wish =>
  flyTo(world, pilot, beltOf(world, pilot)) ?? wish(pilot, 'mine')

/** Digs until the hold is full or there is enough, then flies home; undefined when docked there. */
function fetch(world: World, pilot: Pilot, isEnough: boolean): Wish | undefined {
  if (isDockedHome(world, pilot) && !pilot.isDigging) {
    pilot.isDigging = !isEnough && !pilot.isFull
  } else if (isEnough || pilot.isFull) pilot.isDigging = false
  return pilot.isDigging ? dig(world, pilot) : dockAt(world, pilot, pilot.home)
}

const isDug = (item: number): boolean => {
  const good = GOODS[item]
  return !isModule(good) && good.extracted_by !== undefined
}

/** Sells one mined good down to the units to keep; undefined when nobody bids for more. */
function sellOff(world: World, pilot: Pilot, keep: ReadonlyMap<number, number>): Wish | undefined {
  for (const { item, units } of holdOf(world, pilot)) {
    const spare = units - (keep.get(item) ?? 0)
    const bid = bestOffer(world, pilot.home, item, BID)
    if (spare <= 0 || !isDug(item) || !bid) continue
    const quantity = Math.min(spare, bid.units)
    return wish(pilot, 'sell', { item_id: GOODS[item].id, quantity })
  }
  return undefined
}

/** Fits a module from the hold, or takes one out of storage first: two lasers, one of the rest. */
function fitKit(world: World, pilot: Pilot): Wish | undefined {
  const base = dockedBase(world, pilot.player)
  for (const id of KIT) {
    const item = itemIndex(id)
    if (fittedUnits(world, pilot, id) >= (id === KIT[0] ? 2 : 1)) continue
    if (id === 'armor_plate_i' && fittedUnits(world, pilot, 'shield_booster_i') > 0) continue
    if (aboard(world, pilot, item) > 0) return wish(pilot, 'install_mod', { module_id: id })
    const isStored = storedUnits(world, pilot.player, base, item) > 0
    if (isStored && roomOf(world, pilot) >= 10) {
      return wish(pilot, 'withdraw_items', { item_id: id, quantity: 1 })
    }
  }
  return undefined
}

/** Repairs, refuels and fits at a dock. */
function upkeep(world: World, pilot: Pilot): Wish | undefined {
  const { hull, hullMax } = world.read(Ship)
  const ship = activeShip(world, pilot.player)
  const isHurt = hull[ship] * 100 < hullMax[ship] * HULL_LOW_PCT && creditsOf(world, pilot) > 100
  return isHurt ? wish(pilot, 'repair') : (refuel(world, pilot) ?? fitKit(world, pilot))
}

/** Sells at home all but the units to keep, then digs until the hold is full. */
function earn(world: World, pilot: Pilot, keep = NOTHING): Wish | undefined {
  if (isDockedHome(world, pilot) && !pilot.isDigging) {
    const next = sellOff(world, pilot, keep) ?? upkeep(world, pilot)
    if (next) return next
    pilot.isFull = false
  }
  return fetch(world, pilot, false)
}

/* The steps */

type Task = (world: World, pilot: Pilot, mission: Row) => Wish | undefined

/** Returns the refining recipe whose only input is the empire's first common ore. */
function benchRecipe({ empire }: Pilot): RecipeRow {
  const [ore] = ORES[empire].common
  const recipe = RECIPES.find(
    ({ category, inputs }) =>
      category === 'refining' && inputs.length === 1 && inputs[0].item_id === ore,
  )
  if (!recipe) throw new Error(`nothing is made of ${ore} alone`)
  return recipe
}

/** Returns the ore of the first step to keep for the craft step. */
function keepForBench(pilot: Pilot): ReadonlyMap<number, number> {
  const [{ item_id, quantity }] = benchRecipe(pilot).inputs
  return new Map([[itemIndex(item_id), MADE_UNITS * quantity]])
}

/** Mines until the hold is full, which takes more than the mission requires; sells the rest. */
const mineStep: Task = (world, pilot) => {
  const [{ item_id }] = benchRecipe(pilot).inputs
  return earn(world, pilot, new Map([[itemIndex(item_id), Number.POSITIVE_INFINITY]]))
}

const sellStep: Task = (world, pilot) => earn(world, pilot, keepForBench(pilot))

const craftStep: Task = (world, pilot) => {
  if (pilot.plan === 'crafting') return undefined
  const recipe = benchRecipe(pilot)
  const [{ item_id, quantity }] = recipe.inputs
  const item = itemIndex(item_id)
  const held = aboard(world, pilot, item)
  const short = MADE_UNITS * quantity - storedUnits(world, pilot.player, pilot.home, item)
  const isOnSale = bestOffer(world, pilot.home, item, ASK) !== undefined
  const errand = fetch(world, pilot, held >= short || isOnSale)
  if (errand) return errand
  if (short <= 0) {
    pilot.plan = 'crafting'
    return wish(pilot, 'craft', { recipe_id: recipe.id, quantity: MADE_UNITS, preset: 'workshop' })
  }
  return held > 0
    ? wish(pilot, 'deposit_items', { item_id, quantity: Math.min(held, short) })
    : wish(pilot, 'buy', { item_id, quantity: short, deliver_to: 'storage' })
}

const orderStep: Task = (world, pilot) => {
  const next = dockAt(world, pilot, pilot.home) ?? sellOff(world, pilot, NOTHING)
  if (next && !pilot.isDigging) return next
  for (const id of ['shield_booster_i', 'armor_plate_i']) {
    const item = itemIndex(id)
    const price_each = bestOffer(world, pilot.home, item, ASK)?.price ?? GOODS[item].base_value
    if (creditsOf(world, pilot) < price_each * 1.1) continue
    return wish(pilot, 'create_buy_order', { item_id: id, quantity: 1, price_each })
  }
  return earn(world, pilot)
}

const lookStep: Task = (world, pilot, mission) => {
  const scanner = 'survey_scanner_i'
  if (fittedUnits(world, pilot, scanner) === 0) {
    const next = dockAt(world, pilot, pilot.home) ?? upkeep(world, pilot)
    return next ?? wish(pilot, 'buy', { item_id: scanner, quantity: 1 })
  }
  // Objectives 0 and 1 are the systems to visit; objective 2 counts the surveys there.
  const { toSystem, progress } = world.read(Mission)
  const seen = [0, 1].filter((index) => leftOf(world, mission, index) === 0)
  const here = systemOf(world, pilot.player)
  const isAtTarget = seen.some((index) => toSystem[slotOf(mission, index)] === here)
  if (isAtTarget && progress[slotOf(mission, 2)] < seen.length) return wish(pilot, 'survey_system')
  const next = [0, 1].find((index) => leftOf(world, mission, index) > 0)
  const system = toSystem[slotOf(mission, next ?? 0)]
  return flyTo(world, pilot, world.read(StarSystem).entryPoi[system])
}

/** Returns a small creature at home that nobody fights, a different one for each pilot. */
function preyOf(world: World, pilot: Pilot): Eid {
  const { ship, kind } = world.read(Creature)
  const { system, state } = world.read(Location)
  const { participant, graceUntil } = world.read(ShipCombat)
  const home = systemOfBase(world, pilot.home)
  const prey = creatures(world).filter((creature) => {
    const body = ship[creature]
    const isNear = system[body] === home && state[body] === AT_POI && participant[body] === 0
    // A creature that has just got away is left alone for a while.
    return isNear && graceUntil[body] < world.tick && CREATURES[kind[creature]].tier === 1
  })
  return prey.length === 0 ? 0 : ship[prey[pilot.player % prey.length]]
}

const huntStep: Task = (world, pilot) => {
  const { hull, hullMax } = world.read(Ship)
  const ship = activeShip(world, pilot.player)
  if (hull[ship] * 100 < hullMax[ship] * HULL_LOW_PCT) {
    return dockAt(world, pilot, pilot.home) ?? upkeep(world, pilot)
  }
  const prey = preyOf(world, pilot)
  if (prey === 0) return earn(world, pilot)
  const flight = flyTo(world, pilot, world.read(Location).poi[prey])
  return flight ?? wish(pilot, 'attack', { target_id: shipId(world, prey) })
}

const boutStep: Task = (world, pilot) => {
  const home = systemOfBase(world, pilot.home)
  const arena = arenasOf(world, 'empire').find((poi) => world.read(Poi).system[poi] === home)
  if (arena === undefined) throw new Error('there is no arena at home')
  const flight = flyTo(world, pilot, arena)
  return flight ?? wish(pilot, 'arena', { action: 'fight', challenge_id: 'first_bout' })
}

/** Carries the letter; undefined once docked at its destination. */
const carryStep: Task = (world, pilot, mission) => {
  pilot.nextDoor = world.read(Mission).toBase[slotOf(mission, 0)]
  return dockAt(world, pilot, pilot.nextDoor)
}

const TASKS: readonly Task[] = [
  mineStep,
  sellStep,
  craftStep,
  orderStep,
  carryStep,
  lookStep,
  huntStep,
  boutStep,
]

const isDone = (world: World, mission: Row): boolean =>
  templateOf(world, mission).objectives.every(
    ({ type }, index) => type === 'deliver_item' || leftOf(world, mission, index) <= 0,
  )

/** Accepts the mission of the current step, does it, and hands it in. */
function learn(world: World, pilot: Pilot): Wish | undefined {
  const mission = missionOf(world, pilot)
  const template_id = newPilotStep(pilot.empire, pilot.step)
  if (mission === 0) {
    const next = dockAt(world, pilot, pilot.home) ?? upkeep(world, pilot)
    return next ?? wish(pilot, 'accept_mission', { template_id })
  }
  const isCarried = pilot.step !== CARRY_STEP || !carryStep(world, pilot, mission)
  if (isDone(world, mission) && (pilot.step > 1 || pilot.isFull) && isCarried) {
    return wish(pilot, 'complete_mission', { mission_id: template_id })
  }
  return TASKS[pilot.step - 1](world, pilot, mission)
}

/**
 * Returns the cheapest hull of tier 1 on show at home or next door; 0 if there is none or the pilot
 * cannot afford it.
 */
function hullFor(world: World, pilot: Pilot): Row {
  const { ship, price, player } = world.read(ShipListing)
  const shown = [pilot.home, pilot.nextDoor].flatMap((base) => listingsAt(world, base))
  const hulls = shown.filter(
    (row) => player[row] === 0 && SHIP_CLASSES[world.read(Ship).class[ship[row]]].tier === 1,
  )
  const [row] = hulls.sort((a, b) => price[a] - price[b] || a - b)
  if (row === undefined) return 0
  const tax = (price[row] * salesTaxBps(world, pilot.player, pilot.home)) / 10_000
  return creditsOf(world, pilot) >= price[row] + tax ? row : 0
}

function save(world: World, pilot: Pilot): Wish | undefined {
  const hull = hullFor(world, pilot)
  if (hull === 0) return earn(world, pilot)
  const flight = dockAt(world, pilot, world.read(ShipListing).base[hull])
  return flight ?? wish(pilot, 'buy_listed_ship', { listing_id: listingId(world, hull) })
}

/** Returns what a pilot does next; undefined while they fight. */
export function wishOf(world: World, pilot: Pilot): Wish | undefined {
  if (combatantOf(world, pilot.player) !== 0) return undefined
  return pilot.step <= NEW_PILOT_STEPS ? learn(world, pilot) : save(world, pilot)
}
