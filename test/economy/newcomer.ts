/** A newcomer on the first day: the ship, the purse, the belt next door and the shops in reach. */
import { goodOf, ITEMS, rarityRank } from '../../core/catalog/index.ts'
import type { GalaxyPlan, PoiPlan } from '../../core/catalog/types.ts'
import { balanceOf } from '../../core/ledger.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Player } from '../../systems/account/state.ts'
import { baseById } from '../../systems/base/model.ts'
import { salesTaxBps } from '../../systems/market/model.ts'
import { pickWeight, supportedPower, yieldOf } from '../../systems/mining/kernels.ts'
import { FAMILIES, Ship } from '../../systems/ship/state.ts'
import {
  distanceMilliAu,
  flightOf,
  fuelPerJump,
  fuelToTravel,
  jumpTicks,
  travelTicks,
} from '../../systems/travel/flight-model.ts'
import { shipOf } from '../../systems/travel/location-model.ts'
import { galaxyPlan } from '../../systems/travel/model.ts'
import { smallWorld } from '../small-world.ts'
import { type Shop, sell } from './shop.ts'

const MINING = FAMILIES.indexOf('mining')
/** Ticks to undock and to dock. */
const DOOR_TICKS = 2

export interface Newcomer {
  readonly world: World
  readonly empire: string
  readonly ship: Eid
  readonly plan: GalaxyPlan
  readonly home: number
  readonly shop: Shop
  readonly shops: readonly Shop[]
  readonly credits: number
  readonly hold: number
}

/** Returns the map as a player of an empire sees it: their capital, and all open exchanges. */
export function shopsOf(world: WorldView, player: Eid, empire: string) {
  const plan = galaxyPlan(world)
  const seat = plan.empires.find((row) => row.empire === empire)
  if (!seat) throw new Error(`no empire ${empire}`)
  const shops = plan.systems.flatMap((system, index) =>
    system.pois.flatMap(({ base }): Shop[] => {
      if (!base || base.pirate_rep_required > 0 || !base.services.includes('market')) return []
      const stock = new Map(base.managed.map((row) => [row.item, row]))
      const taxBps = salesTaxBps(world, player, baseById(world, base.id))
      return [{ base, system: index, stock, taxBps }]
    }),
  )
  const shop = shops.find((row) => row.base.id === seat.start_base)
  if (!shop) throw new Error(`${seat.start_base} has no exchange`)
  return { plan, shop, shops, home: seat.capital_system }
}

export async function newcomerOf(empire: string): Promise<Newcomer> {
  const small = await smallWorld()
  const player = small.join('Newcomer', empire)
  const { world } = small
  const ship = shipOf(world, player)
  return {
    ...shopsOf(world, player, empire),
    world,
    empire,
    ship,
    credits: balanceOf(world, world.read(Player).wallet[player]),
    hold: world.read(Ship).cargoCap[ship],
  }
}

const placeOf = (plan: GalaxyPlan, shop: Shop): PoiPlan => {
  const found = plan.systems[shop.system]!.pois.find((poi) => poi.base?.id === shop.base.id)
  if (!found) throw new Error(`${shop.base.id} stands nowhere`)
  return found
}

/** Returns the jumps over the lanes from home to each system. */
export function jumpsFrom(plan: GalaxyPlan, home: number): Map<number, number> {
  const jumps = new Map([[home, 0]])
  for (const system of jumps.keys()) {
    for (const next of plan.systems[system]!.lanes) {
      if (!jumps.has(next)) jumps.set(next, jumps.get(system)! + 1)
    }
  }
  return jumps
}

/** Returns ticks and fuel from the dock at home to the dock of a shop. */
export function haul(pilot: Newcomer, to: Shop, jumps: number) {
  const flight = flightOf(pilot.world, pilot.ship)
  const system = pilot.plan.systems[to.system]!
  const entry = system.pois[system.entry_poi]!
  const goal = placeOf(pilot.plan, to)
  const distance = distanceMilliAu(entry.x, entry.y, goal.x, goal.y)
  const last = distance === 0 ? 0 : travelTicks(flight, distance)
  return {
    ticks: DOOR_TICKS + jumps * jumpTicks(flight) + last,
    fuel: jumps * fuelPerJump(flight) + (distance === 0 ? 0 : fuelToTravel(flight, distance)),
  }
}

interface Load {
  /** Units by good, a full hold in all. */
  readonly units: ReadonlyMap<string, number>
  /** Ticks from dock to dock. */
  readonly ticks: number
}

/** Mines the belt of the start system until the hold is full, in the mix of its deposits. */
export function mineBelt(pilot: Newcomer): Load {
  const system = pilot.plan.systems[pilot.home]!
  const belt = system.pois.find((poi) => poi.type === 'asteroid_belt' && !poi.class)
  if (!belt) throw new Error(`${system.id} has no belt`)
  const columns = pilot.world.read(Ship)
  const family = pilot.ship * FAMILIES.length + MINING
  const power = columns.minePower[family]!
  const pulls = belt.deposits.map(({ item, richness, capacity }) => {
    const supported = capacity < 0 ? power : supportedPower(capacity, columns.mineFine[family]!)
    const row = ITEMS.find((candidate) => candidate.id === item)
    const weight = pickWeight(richness, 0, rarityRank(row?.rarity))
    const units = yieldOf({
      power: Math.min(power, supported),
      richness,
      mining: 0,
      deepCoreMining: 0,
      bonusPct: columns.yieldBonusPct[family]!,
      crewPct: columns.crewEffPct[pilot.ship]!,
    })
    return { item, weight, units }
  })
  const weights = pulls.reduce((sum, pull) => sum + pull.weight, 0)
  const perTick = pulls.reduce((sum, pull) => sum + (pull.units * pull.weight) / weights, 0)
  const digging = Math.ceil(pilot.hold / perTick)
  const share = (pull: (typeof pulls)[number]) =>
    Math.floor((pilot.hold * pull.units * pull.weight) / weights / perTick)
  const start = placeOf(pilot.plan, pilot.shop)
  const flight = flightOf(pilot.world, pilot.ship)
  const way = travelTicks(flight, distanceMilliAu(start.x, start.y, belt.x, belt.y))
  return {
    units: new Map(pulls.map((pull) => [pull.item, share(pull)])),
    ticks: DOOR_TICKS + 2 * way + digging,
  }
}

/** Returns the credits and ticks of mining the start belt and selling each hold at home. */
export function miningIncome(pilot: Newcomer): { credits: number; ticks: number } {
  const load = mineBelt(pilot)
  let [credits, ticks] = [0, load.ticks]
  for (const [item, units] of load.units) {
    const deal = sell(pilot.shop, item, units)
    if (!deal) throw new Error(`${pilot.shop.base.id} does not take ${units} ${goodOf(item).name}`)
    credits += deal.credits
    ticks += deal.ticks
  }
  return { credits, ticks }
}
